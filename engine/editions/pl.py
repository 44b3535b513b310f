"""Polish: the first edition's game, the Bay as a variant, the box instead of a discard pile."""

from __future__ import annotations

from engine.cards.discard import FRENZY_AT_ONCE
from engine.cards.economy import METAMORPH_IN_BUY_PHASE
from engine.cards.scoring import FREEZE_TIME_PLAIN
from engine.editions.cs_2012 import lies_there
from engine.editions.hu_2014 import HU_2014
from engine.editions.ruleset import Because
from engine.state import Copy, Player, State
from engine.tokyo import tokyo_empty


def any_card_in_play(state: State, owner: Player, copied: Copy) -> bool:
    return lies_there(state, copied)


PL = HU_2014.but(
    id="pl",
    title="Polish first edition",
    language="pl",
    first_player_rolls=False,
    bay_by_default=False,
    claws_take_empty_city=tokyo_empty,
    last_alive_wins_at_once=False,
    all_dead="draw",
    discards_return=False,
    may_copy=any_card_in_play,
    copies_counters=True,
    cards={
        "freeze_time": FREEZE_TIME_PLAIN,
        "frenzy": FRENZY_AT_ONCE,
        "metamorph": METAMORPH_IN_BUY_PHASE,
    },
    because={
        "first_player_rolls": Because(
            "given by the table, else the first listed", "SETUP-7", "rulebook",
            "The loudest roar starts, or the youngest: nothing a server can roll.",
        ),
        "bay_by_default": Because(
            "off with 5 or 6 players", "SETUP-4", "rulebook", "The basic game has no Bay at any number of players.",
        ),
        "bay_optional": Because("may be on", "SETUP-4", "rulebook", "The Bay is an advanced variant."),
        "claws_take_empty_city": Because(
            "claws become entry only when all of Tokyo is empty", "BAY-9", "judgement",
            "A monster in the Bay is hit, and the attacker takes the empty City (G-06).",
        ),
        "closure_place": Because(
            "outside", "BAY-12", "judgement", "The book says the Bay must be left, not where to (G-12).",
        ),
        "last_alive_wins_at_once": Because(
            "at the end of the turn", "WIN-4", "rulebook", "A win is announced at the end of a turn, never within it.",
        ),
        "all_dead": Because("draw", "WIN-5", "rulebook", "If all fall nobody is ahead."),
        "discards_return": Because(
            "the box: the deck is never refilled", "BUY-7", "rulebook", "Discarded cards leave the game (G-18).",
        ),
        "copies_counters": Because(
            "as many counters as lie on the copied card", "CARD-MIMIC-5", "rulebook", "The appropriate number is taken (G-33).",
        ),
        "keeps_price": Because("printed cost", "CARD-METAMORPH-3", "judgement", "The book is silent; two others say so."),
        "may_copy": Because("any Keep card in play", "CARD-MIMIC-2", "rulebook", "Two of one's own are ruled on."),
    },
)  # fmt: skip
