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
    gaps=frozenset({"G-02", "G-17"}),
    because={
        "deck": Because(
            "first",
            "COMP-3",
            "cards",
            "66 cards with the texts of the first edition; Monster Batteries costs 2.",
        ),
        "first_player": Because(
            "most claws, tied players roll again",
            "SETUP-7",
            "rulebook",
            "Everyone rolls six dice; how a tie is broken is our judgement (G-02).",
        ),
        "bay": Because(
            "on by default with 5 or 6 players, may be off",
            "SETUP-4",
            "rulebook",
            "Left out of a first game and otherwise recommended.",
        ),
        "entry": Because(
            "with the claws, while resolving",
            "TOKYO-ENTER-7",
            "rulebook",
            "An attacker takes a free place at once, and only an attacker does.",
        ),
        "bay_entry": Because(
            "needs a claw",
            "BAY-4",
            "rulebook",
            "With the City held, only an attacker takes the free Bay.",
        ),
        "empty_city_attack": Because(
            "the attacker takes the City, nobody is hurt",
            "BAY-9",
            "rulebook",
            "The no-damage rule looks at the City alone, so the Bay is spared.",
        ),
        "bay_closure": Because(
            "its occupant goes outside",
            "BAY-12",
            "rulebook",
            "The monster in the Bay has to leave it.",
        ),
        "closure_vs_killer": Because(
            "the killer takes the City",
            "BAY-13",
            "judgement",
            "A killer takes over by itself; the Bay is emptied besides (G-11).",
        ),
        "yield_needs": Because("being attacked", "YIELD-4", "rulebook", "Whoever is attacked in Tokyo may leave."),
        "harmless_attack_counts": Because(
            "no",
            "DEF-ATTACK-3",
            "rulebook",
            "An attack that hurts nobody is none for cards that ask.",
        ),
        "winning_turn": Because(
            "20 points count at the end of any turn",
            "WIN-2",
            "rulebook",
            "Twenty points end the game, but only for a survivor of the turn (G-25).",
        ),
        "last_alive": Because(
            "wins at once",
            "WIN-4",
            "judgement",
            "The book says both at that moment and within the turn; we take the moment (G-24).",
        ),
        "all_dead": Because("all lose", "WIN-5", "rulebook", "If all fall in one turn nobody wins."),
        "discards": Because(
            "a pile, shuffled again when the deck runs out",
            "BUY-8",
            "judgement",
            "No book speaks of an empty deck; a pile that is kept can be used (G-18).",
        ),
        "fire_breathing": Because(
            "one more to a neighbour the attack aims at anyway",
            "CARD-FIREBREATH-1",
            "rulebook",
            "The extra is added to the attack on that neighbour.",
        ),
        "metamorph_when": Because(
            "after end_turn, before the other end effects",
            "CARD-METAMORPH-1",
            "rulebook",
            "Sales come after the buy phase.",
        ),
        "metamorph_refund": Because(
            "the price paid",
            "CARD-METAMORPH-3",
            "rulebook",
            "The card gives back what it was bought for.",
        ),
        "mimic_counters": Because(
            "fresh, as if just bought",
            "CARD-MIMIC-5",
            "rulebook",
            "A copy gets its own full set; batteries are loaded anew.",
        ),
        "mimic_own_cards": Because("no", "CARD-MIMIC-2", "rulebook", "The card speaks of another monster."),
        "even_bigger_loss": Because(
            "two hearts are lost, which may eliminate",
            "CARD-EVENBIGGER-2",
            "rulebook",
            "The hearts go with the card; that this can kill is our judgement (G-31).",
        ),
        "even_bigger_twice": Because("14", "CARD-EVENBIGGER-1", "cards", "Each card raises the maximum by two."),
        "frenzy": Because(
            "the extra turn comes after this one",
            "CARD-FRENZY",
            "cards",
            "The card adds a turn; it does not cut this one short.",
        ),
        "freeze_time_dice": Because(
            "6, 5, 4 in a chain",
            "CARD-FREEZE-1",
            "cards",
            "Each further turn has one die fewer still.",
        ),
        "freeze_time_twice": Because("two extra turns", "CARD-FREEZE-1", "cards", "Each copy earns its own turn."),
        "acid_attack": Because(
            "one damage to those claws would hit; alone no attack",
            "CARD-ACID-ATTACK",
            "cards",
            "It adds damage, not a claw.",
        ),
        "added_claws_count": Because(
            "no, dice only",
            "DEF-ATTACK-2",
            "rulebook",
            "A bonus cannot make an attack out of nothing.",
        ),
        "burrowing": Because(
            "one more when attacking Tokyo from outside",
            "CARD-BURROW-1",
            "rulebook",
            "The printed card says attacking Tokyo.",
        ),
        "poison_quills": Because(
            "two damage to those claws would hit; alone no attack",
            "CARD-POISON-QUILLS",
            "cards",
            "It adds damage, not claws.",
        ),
        "monster_batteries": Because(
            "load any number of your own, the bank adds as many; 0 discards it",
            "CARD-MONSTER-BATTERIES",
            "cards",
            "The first card doubles what its owner puts on it.",
        ),
        "underdog": Because(
            "at the end of every turn",
            "CARD-ROOTING-FOR-THE-UNDERDOG",
            "cards",
            "The first card says a turn, not your turn.",
        ),
    },
)
