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
        "deck": Because("second deck", "COMP-3", "cards", "The cards carry the texts of the second edition."),
        "first_player_rolls": Because(
            "most claws, tied players roll again", "SETUP-8", "rulebook",
            "A tie is rolled again; that claws are meant is read from the other books (G-47).",
        ),
        "bay_optional": Because("always on", "SETUP-4", "rulebook", "Five or six players always use the Bay."),
        "after_dice": Because("enter, buy, end", "TURN-1", "rulebook", "Five phases; entering is one of its own."),
        "after_attack": Because(
            "in a phase of its own, claws or not", "TOKYO-ENTER-7", "rulebook",
            "Whoever is outside takes a free place once all dice are resolved.",
        ),
        "claws_take_empty_city": Because(
            "never: claws hit whoever is in Tokyo", "BAY-9", "judgement",
            "The Bay is hit; any outsider then enters the empty City (G-06).",
        ),
        "may_yield": Because("a heart lost to claws", "YIELD-4", "rulebook", "Only lost hearts open the choice."),
        "closure_place": Because(
            "the City if it is empty, else outside", "BAY-12", "rulebook", "Moving on inside Tokyo scores nothing (G-09).",
        ),
        "others_win_at_turn_end": Because(
            "20 points count at the end of any turn", "WIN-2", "rulebook", "The end of the turn in which they are reached.",
        ),
        "last_alive_wins_at_once": Because(
            "at the end of the turn", "WIN-4", "rulebook", "The game is decided when the turn ends.",
        ),
        "discards_return": Because(
            "a pile, shuffled again when the deck runs out", "BUY-8", "judgement", "The book keeps a discard pile (G-18).",
        ),
        "may_copy": Because("any Keep card in play", "CARD-MIMIC-2", "rulebook", "Whose card it is does not matter."),
        "keeps_price": Because("printed cost", "CARD-METAMORPH-3", "rulebook", "Always the full cost on the card."),
    },
)  # fmt: skip
