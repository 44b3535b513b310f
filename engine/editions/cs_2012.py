"""Czech, 2012: the first edition, in full. The other editions say how they differ."""

from __future__ import annotations

from engine.cards.deck import FIRST_DECK
from engine.editions.ruleset import Because, Ruleset
from engine.state import Copy, Place, Player, Seat, State
from engine.tokyo import occupant


def city_empty(state: State) -> bool:
    return occupant(state, "city") is None


def attacked(state: State, seat: Seat) -> bool:
    """Being attacked is enough; only the attacked are ever asked."""
    return True


def outside(state: State) -> Place:
    return "outside"


def card_of_another(state: State, owner: Player, copied: Copy) -> bool:
    """The copied card lies before somebody else."""
    return copied.player != owner.id and lies_there(state, copied)


def lies_there(state: State, copied: Copy) -> bool:
    seat = state.seat_of(copied.player)
    return seat is not None and any(lying.card == copied.card for lying in state.players[seat].cards)


CS_2012 = Ruleset(
    id="cs-2012",
    title="Vládce Tokia (2012)",
    language="cs",
    deck=FIRST_DECK,
    first_player_rolls=True,
    bay_by_default=True,
    bay_optional=True,
    after_dice=("buy.phase", "turn.end"),
    after_attack=("tokyo.enter",),
    claws_take_empty_city=city_empty,
    may_yield=attacked,
    closure_place=outside,
    others_win_at_turn_end=True,
    last_alive_wins_at_once=True,
    all_dead="all_lose",
    discards_return=True,
    may_copy=card_of_another,
    keeps_price=True,
    copies_counters=False,
    because={
        "deck": Because("first deck", "COMP-3", "cards", "The cards carry the texts of the first edition."),
        "first_player_rolls": Because(
            "most claws, tied players roll again", "SETUP-7", "rulebook",
            "Everyone rolls six dice; how a tie is broken is our judgement (G-02).",
        ),
        "bay_by_default": Because("on with 5 or 6 players", "SETUP-4", "rulebook", "Five or six monsters use the Bay."),
        "bay_optional": Because(
            "may be off", "SETUP-4", "rulebook", "The book leaves the Bay out of a first game and else recommends it.",
        ),
        "after_dice": Because("buy, end", "TURN-1", "rulebook", "Four phases; entering belongs to resolving claws."),
        "after_attack": Because(
            "with the claws, while resolving", "TOKYO-ENTER-7", "rulebook",
            "An attacker takes a free place at once, and only an attacker does.",
        ),
        "claws_take_empty_city": Because(
            "an empty City: claws become entry, nobody is hurt", "BAY-9", "rulebook",
            "The no-damage rule looks at the City alone, so a monster in the Bay is spared.",
        ),
        "may_yield": Because("being attacked", "YIELD-4", "rulebook", "Whoever is attacked in Tokyo may leave."),
        "closure_place": Because("outside", "BAY-12", "rulebook", "The monster in the Bay has to leave it."),
        "others_win_at_turn_end": Because(
            "20 points count at the end of any turn", "WIN-2", "rulebook",
            "Twenty points end the game, but only for a monster that survives the turn (G-25).",
        ),
        "last_alive_wins_at_once": Because(
            "the last monster alive wins at once", "WIN-4", "judgement",
            "The book says both at that moment and within the turn; we take the moment (G-24).",
        ),
        "all_dead": Because("everybody loses", "WIN-5", "rulebook", "If all fall in one turn nobody wins."),
        "discards_return": Because(
            "a pile, shuffled again when the deck runs out", "BUY-8", "judgement",
            "No book speaks of an empty deck; a pile that is kept is there to be used (G-18).",
        ),
        "may_copy": Because("another monster's card", "CARD-MIMIC-2", "rulebook", "The card says another monster."),
        "copies_counters": Because(
            "fresh counters, as if just bought", "CARD-MIMIC-5", "rulebook", "A copy gets its own full set.",
        ),
        "keeps_price": Because(
            "price paid", "CARD-METAMORPH-3", "rulebook", "A sold card pays back what it was bought for.",
        ),
    },
)  # fmt: skip
