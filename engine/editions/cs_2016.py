"""Czech, 2016: the second edition, with a phase for entering Tokyo and the second deck."""

from __future__ import annotations

from engine.cards.deck import SECOND_DECK
from engine.editions.cs_2012 import CS_2012
from engine.editions.pl import any_card_in_play
from engine.editions.ruleset import Because
from engine.state import Place, Seat, State
from engine.tokyo import occupant


def never(state: State) -> bool:
    return False


def lost_a_heart_to_claws(state: State, seat: Seat) -> bool:
    return seat in state.marks.get("clawed", ())


def city_if_empty(state: State) -> Place:
    return "city" if occupant(state, "city") is None else "outside"


CS_2016 = CS_2012.but(
    id="cs-2016",
    title="Vládce Tokia (2016)",
    language="cs",
    gaps=frozenset({"G-13", "G-47"}),
    deck=SECOND_DECK,
    bay_optional=False,
    after_dice=("tokyo.enter_phase", "buy.phase", "turn.end"),
    after_attack=(),
    claws_take_empty_city=never,
    may_yield=lost_a_heart_to_claws,
    closure_place=city_if_empty,
    last_alive_wins_at_once=False,
    may_copy=any_card_in_play,
    keeps_price=False,
    because={
        "deck": Because(
            "second",
            "COMP-3",
            "cards",
            "66 cards with the texts of the second edition; Monster Batteries costs 3.",
        ),
        "first_player": Because(
            "most claws, tied players roll again",
            "SETUP-8",
            "rulebook",
            "A tie is rolled again; that claws are meant is read from the other books (G-47).",
        ),
        "bay": Because("always on with 5 or 6 players", "SETUP-4", "rulebook", "Mandatory, without exception."),
        "entry": Because(
            "in a phase of its own after all dice, claws or not",
            "TOKYO-ENTER-7",
            "rulebook",
            "Whoever is outside takes a free place.",
        ),
        "bay_entry": Because(
            "in the entry phase, claws or not",
            "BAY-4",
            "rulebook",
            "With the City held, the free Bay is taken.",
        ),
        "empty_city_attack": Because(
            "the Bay is hit; any outsider then enters the City",
            "BAY-9",
            "judgement",
            "Damage is stated; the entry phase fills every free place (G-06).",
        ),
        "bay_closure": Because(
            "the City if it is empty, else outside; no point for it",
            "BAY-12",
            "rulebook",
            "Moving on inside Tokyo is not entering (G-09).",
        ),
        "closure_vs_killer": Because(
            "the Bay's occupant moves to the City first and may still yield",
            "BAY-13",
            "judgement",
            "Closure is immediate, and lost hearts keep their right (G-10).",
        ),
        "yield_needs": Because("a heart lost to claws", "YIELD-4", "rulebook", "Only lost hearts open the choice."),
        "winning_turn": Because(
            "20 points count at the end of any turn",
            "WIN-2",
            "rulebook",
            "At the end of the turn in which they are reached.",
        ),
        "last_alive": Because("at the end of the turn", "WIN-4", "rulebook", "The game is decided when the turn ends."),
        "discards": Because(
            "a pile, shuffled again when the deck runs out",
            "BUY-8",
            "judgement",
            "The book keeps a discard pile (G-18).",
        ),
        "fire_breathing": Because(
            "one to both neighbours when you attack, in any zone",
            "CARD-FIREBREATH-1",
            "rulebook",
            "Even neighbours in one's own zone lose a heart.",
        ),
        "metamorph_refund": Because(
            "the printed cost",
            "CARD-METAMORPH-3",
            "rulebook",
            "Always the full cost on the card.",
        ),
        "mimic_counters": Because(
            "fresh; batteries 6",
            "CARD-MIMIC-5",
            "rulebook",
            "As if the card had just been played.",
        ),
        "mimic_own_cards": Because(
            "yes",
            "CARD-MIMIC-2",
            "rulebook",
            "Any Keep card in play; whose it is does not matter.",
        ),
        "even_bigger_loss": Because(
            "trimmed to the new maximum",
            "CARD-EVENBIGGER-2",
            "cards",
            "Only what is above the maximum goes.",
        ),
        "even_bigger_twice": Because("12", "CARD-EVENBIGGER-1", "cards", "The card names 12 as the maximum."),
        "freeze_time_twice": Because("one extra turn", "CARD-FREEZE-1", "cards", "Two copies see the same triple."),
        "acid_attack": Because("one claw more, always", "CARD-ACID-ATTACK", "cards", "It adds a claw."),
        "added_claws_count": Because("yes", "DEF-ATTACK-2", "cards", "Claws that cards add are claws."),
        "burrowing": Because(
            "one claw more while in Tokyo, always",
            "CARD-BURROW-1",
            "cards",
            "The second card adds a claw inside Tokyo.",
        ),
        "poison_quills": Because("two claws more", "CARD-POISON-QUILLS", "cards", "It adds claws."),
        "monster_batteries": Because(
            "6 from the bank",
            "CARD-MONSTER-BATTERIES",
            "cards",
            "The second card comes loaded.",
        ),
        "underdog": Because(
            "at the end of one's own turn",
            "CARD-ROOTING-FOR-THE-UNDERDOG",
            "cards",
            "The second card says your turn.",
        ),
    },
)
