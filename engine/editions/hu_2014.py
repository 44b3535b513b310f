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
        "winning_turn": Because(
            "20 points count at the end of one's own turn",
            "WIN-2",
            "rulebook",
            "Only a monster that lasts to the end of its own turn wins by points.",
        ),
        "last_alive": Because("wins at once", "WIN-4", "rulebook", "The game ends when one monster is left."),
        "fire_breathing": Because(
            "one to both neighbours when you attack",
            "CARD-FIREBREATH-1",
            "rulebook",
            "Neighbours burn even if they are no targets; that is no attack.",
        ),
        "metamorph_refund": Because(
            "the printed cost",
            "CARD-METAMORPH-3",
            "rulebook",
            "Always the full cost on the card.",
        ),
        "mimic_own_cards": Because(
            "no",
            "CARD-MIMIC-2",
            "judgement",
            "The book is silent; it shares its cards with the first.",
        ),
        "burrowing": Because(
            "one more when attacking Tokyo from outside",
            "CARD-BURROW-1",
            "cards",
            "The book does not print the card; it shares the first deck.",
        ),
    },
)
