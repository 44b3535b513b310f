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
    gaps=frozenset({"G-12", "G-13", "G-14", "G-17"}),
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
        "first_player": Because(
            "given by the table, else the first listed",
            "SETUP-7",
            "rulebook",
            "The loudest roar starts, or the youngest: nothing a server can roll.",
        ),
        "bay": Because(
            "off by default with 5 or 6 players, may be on",
            "SETUP-4",
            "rulebook",
            "The basic game has no Bay; it is an advanced variant.",
        ),
        "empty_city_attack": Because(
            "the Bay is hit, the attacker takes the City",
            "BAY-9",
            "judgement",
            "Only an empty Tokyo spares everyone, and who can enter must (G-06).",
        ),
        "bay_closure": Because(
            "its occupant goes outside",
            "BAY-12",
            "judgement",
            "The book says the Bay must be left, not where to (G-12).",
        ),
        "harmless_attack_counts": Because(
            "no: tokens need damage, and Herbivore sees none",
            "DEF-ATTACK-3",
            "judgement",
            "A rolled claw is an attack here, but these cards speak of damage.",
        ),
        "last_alive": Because(
            "at the end of the turn",
            "WIN-4",
            "rulebook",
            "A win is announced at the end of a turn, never within it.",
        ),
        "all_dead": Because("draw", "WIN-5", "rulebook", "If all fall nobody is ahead."),
        "discards": Because(
            "the box: never refilled, the market shrinks",
            "BUY-7",
            "rulebook",
            "Discarded cards leave the game (G-18).",
        ),
        "fire_breathing": Because(
            "one to both neighbours when you attack",
            "CARD-FIREBREATH-1",
            "rulebook",
            "Neighbours always burn when you attack.",
        ),
        "metamorph_when": Because(
            "any time in one's own buy phase, proceeds usable at once",
            "CARD-METAMORPH-1",
            "rulebook",
            "Cards may be sold right after buying; that the energy can be spent is our judgement (G-35).",
        ),
        "metamorph_refund": Because(
            "the printed cost",
            "CARD-METAMORPH-3",
            "judgement",
            "The book is silent; two others say so.",
        ),
        "mimic_counters": Because(
            "as many as lie on the copied card",
            "CARD-MIMIC-5",
            "rulebook",
            "The appropriate number is taken from the supply (G-33).",
        ),
        "mimic_own_cards": Because("yes", "CARD-MIMIC-2", "rulebook", "The book rules on two of one's own."),
        "even_bigger_twice": Because("14", "CARD-MIMIC-6", "rulebook", "Stated for a copy of one's own card."),
        "frenzy": Because(
            "at once, end effects are skipped",
            "CARD-FRENZY-1",
            "rulebook",
            "The turn stops where it is.",
        ),
        "freeze_time_dice": Because(
            "6, 5, 5 in a chain",
            "CARD-FREEZE-1",
            "rulebook",
            "One die fewer than in a normal turn (G-43).",
        ),
        "freeze_time_twice": Because(
            "two extra turns",
            "CARD-MIMIC-6",
            "rulebook",
            "Stated for a copy of one's own card.",
        ),
    },
)
