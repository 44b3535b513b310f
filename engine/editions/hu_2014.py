"""Hungarian, 2014: the first edition's game with its own endings."""

from __future__ import annotations

from engine.cards.attack import FIRE_ON_NEIGHBOURS
from engine.editions.cs_2012 import CS_2012
from engine.editions.ruleset import Because

HU_2014 = CS_2012.but(
    id="hu-2014",
    title="Tokió királya (2014)",
    language="hu",
    others_win_at_turn_end=False,
    keeps_price=False,
    cards={"fire_breathing": FIRE_ON_NEIGHBOURS},
    because={
        "others_win_at_turn_end": Because(
            "20 points count at the end of one's own turn", "WIN-2", "rulebook",
            "Only a monster that lasts to the end of its own turn wins by points.",
        ),
        "last_alive_wins_at_once": Because(
            "the last monster alive wins at once", "WIN-4", "rulebook", "The game ends when one monster is left.",
        ),
        "keeps_price": Because("printed cost", "CARD-METAMORPH-3", "rulebook", "Always the full cost on the card."),
        "may_copy": Because(
            "another monster's card", "CARD-MIMIC-2", "judgement", "The book is silent; it shares its cards with the first.",
        ),
    },
)  # fmt: skip
