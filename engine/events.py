"""What may happen: every event type, what it means, and the fields it carries beside `seq`, `type` and `rulings`.

Families, whose fields are a promise: a CHANGE of a player's value carries `player`, `field`, `from`, `to`; a change
ON_CARD besides the `card`; a MOVE of a card `card`, `from`, `to`; DICE are shown as `dice`, all faces after it.
NEWS changes none of these. Types are wire format: added, never renamed.
"""

from __future__ import annotations

from typing import NamedTuple

CHANGE = ("player", "field", "from", "to")
ON_CARD = ("player", "card", "field", "from", "to")
MOVE = ("card", "from", "to")
DICE = ("player", "dice")
NEWS: tuple[str, ...] = ()
MAYBE = ("visible_to", "message")  # what any event may carry


class Event(NamedTuple):
    """An event type: its fields, and one sentence."""

    fields: tuple[str, ...]
    what: str


EVENTS: dict[str, Event] = {
    # Setting up
    "game_created": Event(("edition", "players", "market", "bay"), "The table is laid."),
    "first_player_roll": Event(DICE, "A player rolls for the first turn."),
    "first_player": Event(("player",), "This player begins."),
    # The turn
    "turn_started": Event(("player", "number"), "A turn begins."),
    "turn_ended": Event(("player", "number"), "A turn is over and the dice go on."),
    "turn_cut_short": Event(("player",), "The active monster is out, and its turn with it."),
    "extra_turn": Event(("player", "fewer"), "A player has earned another turn, with so many dice fewer."),
    "last_monster": Event(("player",), "Only the active monster is left; its turn goes straight to its end."),
    "game_over": Event(("result", "winners"), "The game is decided."),
    # Dice
    "fewer_dice": Event(("player", "count"), "Tokens leave so many dice to roll."),
    "rolled": Event(DICE, "The first roll of a turn."),
    "rerolled": Event((*DICE, "rolled"), "Some dice were rolled again."),
    "die_changed": Event((*DICE, "rolled"), "A card changed a die."),
    "probed": Event((*DICE, "rolled"), "Another player rerolled a die of the active one."),
    "camouflage_rolled": Event(DICE, "Dice rolled to escape damage."),
    "resolving": Event(("player", "order"), "The dice are final and take effect in this order."),
    "numbers_ignored": Event(("player", "number", "count"), "Fewer than three of a number score nothing."),
    "hearts_ignored": Event(("player", "count"), "Hearts that could not be used."),
    # Points, energy, hearts, tokens
    "vp_gained": Event(CHANGE, "Points gained."),
    "vp_lost": Event(CHANGE, "Points lost."),
    "energy_gained": Event(CHANGE, "Energy gained."),
    "energy_paid": Event(CHANGE, "Energy spent."),
    "energy_lost": Event(CHANGE, "Energy lost to a card."),
    "energy_withdrawn": Event(CHANGE, "Energy taken off a card."),
    "energy_refunded": Event(CHANGE, "Energy for a card given back."),
    "energy_discarded": Event(CHANGE, "The energy of a monster that is out."),
    "healed": Event(CHANGE, "Hearts gained."),
    "reborn": Event(CHANGE, "A fallen monster starts again."),
    "damage": Event(CHANGE, "Hearts lost to damage."),
    "hearts_lost": Event(CHANGE, "Hearts lost with a card."),
    "hearts_given_up": Event(CHANGE, "The hearts of a player who concedes."),
    "max_hearts_changed": Event(CHANGE, "The most hearts a monster can have."),
    "poison_placed": Event(CHANGE, "A poison token more."),
    "poison_removed": Event(CHANGE, "Poison tokens removed by hearts."),
    "shrink_placed": Event(CHANGE, "A shrink token more."),
    "shrink_removed": Event(CHANGE, "Shrink tokens removed by hearts."),
    "tokens_returned": Event(CHANGE, "The tokens of a monster that is out."),
    "no_token_left": Event(("player", "token"), "There is no such token left to place."),
    # Attack and damage
    "attack": Event(("player", "claws", "targets"), "Claws are turned on these monsters."),
    "claws_hit_nobody": Event(("player", "claws"), "There is nobody to hit."),
    "claws_take_tokyo": Event(("player", "claws"), "Claws take an empty City instead of hurting."),
    "damage_prevented": Event(("player", "amount", "left"), "So much damage does not happen, so much is left."),
    "shielded": Event(("player",), "No more damage to this monster this turn."),
    "declined": Event(("player",), "An offer was declined."),
    # Tokyo
    "entered_tokyo": Event(CHANGE, "A monster takes a place in Tokyo."),
    "stayed_outside": Event(("player",), "There is no free place to enter."),
    "tokyo_stays_empty": Event(("player",), "Without a claw nobody enters."),
    "already_in_tokyo": Event(("player",), "Whoever is in Tokyo does not enter it."),
    "yielded": Event(CHANGE, "An attacked monster leaves Tokyo."),
    "stayed": Event(("player",), "An attacked monster stays."),
    "yield_not_offered": Event(("player",), "This attack gives no right to leave."),
    "evicted": Event(CHANGE, "A monster is thrown out of Tokyo."),
    "left_tokyo": Event(CHANGE, "A fallen monster leaves its place."),
    "bay_closed": Event(NEWS, "Too few monsters are left for the Bay."),
    "moved_by_closure": Event(CHANGE, "The monster in the Bay has to move."),
    # Out of the game
    "eliminated": Event(CHANGE, "A monster is out of the game."),
    "conceded": Event(("player",), "A player leaves the game."),
    # Cards and the market
    "card_bought": Event((*MOVE, "price"), "A card is bought."),
    "card_revealed": Event(MOVE, "A new card lies in the market."),
    "card_swept": Event(MOVE, "A card is swept from the market."),
    "card_discarded": Event(MOVE, "A card goes to the discards."),
    "deck_reshuffled": Event(("count",), "All discards are shuffled into the deck."),
    "market_not_refilled": Event(("size",), "There is no card left for this place."),
    "buying_ended": Event(("player",), "The active player ends the turn."),
    "offer_skipped": Event(("player", "cards"), "Nothing on offer can be paid for."),
    "peeked": Event(("player",), "A player looks at the top card of the deck."),
    "seen": Event(("player", "top"), "What that player saw; private."),
    "too_dear": Event(("player",), "The card that was looked at costs too much; it stays on the deck."),
    "price_noted": Event(ON_CARD, "What was paid for a card."),
    "charges_placed": Event(ON_CARD, "Counters are put on a card."),
    "charge_spent": Event(ON_CARD, "Counters are taken from a card."),
    "charges_removed": Event(ON_CARD, "The counters of a copy go."),
    "copied": Event(ON_CARD, "A card copies another."),
    "copy_followed": Event(ON_CARD, "A copied card changed hands and stays copied."),
    "copy_ended": Event(ON_CARD, "A copied card is gone, and the copy with it."),
    "nothing_to_copy": Event(("player",), "There is no card to copy."),
}
