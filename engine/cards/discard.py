"""Cards that act once, when they are bought, and are discarded (CARDTYPE-2)."""

from __future__ import annotations

from engine.cards.effects import (
    damage_all,
    damage_others,
    damage_self,
    energy,
    heal,
    others_lose_half_energy,
    others_lose_vp,
    vp,
)
from engine.cards.model import DISCARD, Card, Cites, Listener, card
from engine.draft import Draft
from engine.frames import cut_short, step
from engine.state import CardId, ExtraTurn, Seat
from engine.tokyo import enter, free_place, leave, occupant
from engine.turn import grant_turn


def also(what: str, *rulings: str) -> Cites:
    """Further rulings behind one part of a card's effect."""
    return lambda state, seat, part: rulings if part == what else ()


CARDS: tuple[Card, ...] = (
    card("apartment_building", 5, DISCARD, on={"gained": vp(3)}),
    card("commuter_train", 4, DISCARD, on={"gained": vp(2)}),
    card("corner_store", 3, DISCARD, on={"gained": vp(1)}),
    card(
        "drop_from_high_altitude", 5, DISCARD, on={"gained": (vp(2), Listener("drop_from_high_altitude.land"))},
        cites=also("vp", "CARD-DROP-1"),
    ),
    card("energize", 8, DISCARD, on={"gained": energy(9)}),
    card(
        "evacuation_orders", 7, DISCARD, copies=2, on={"gained": others_lose_vp(5)},
        cites=also("winning_vp", "CARD-EVACUATION-ORDERS-2", "G-23"),
    ),
    card("fire_blast", 3, DISCARD, on={"gained": damage_others(2)}, cites=also("damage", "CARD-FIREBLAST-1")),
    card("frenzy", 7, DISCARD, on={"gained": "frenzy.after"}),
    card("gas_refinery", 6, DISCARD, on={"gained": (vp(2), damage_others(3))}, cites=also("damage", "CARD-REFINERY-1")),
    card("heal", 3, DISCARD, on={"gained": heal(2)}),
    card(
        "high_altitude_bombing", 4, DISCARD, on={"gained": damage_all(3)},
        cites=also("damage", "CARD-HIGH-ALTITUDE-BOMBING-2"),
    ),
    card(
        "jet_fighters", 5, DISCARD, on={"gained": (vp(5), damage_self(4))},
        cites=also("damage", "CARD-JET-FIGHTERS-2"),
    ),
    card(
        "national_guard", 3, DISCARD, on={"gained": (vp(2), damage_self(2))},
        cites=also("damage", "CARD-JET-FIGHTERS-2"),
    ),
    card("nuclear_power_plant", 6, DISCARD, on={"gained": (vp(2), heal(3))}),
    card("skyscraper", 6, DISCARD, on={"gained": vp(4)}, cites=also("vp", "CARD-SKYSCRAPER-1")),
    card("tanks", 4, DISCARD, on={"gained": (vp(4), damage_self(3))}, cites=also("damage", "CARD-JET-FIGHTERS-2")),
    card("vast_storm", 6, DISCARD, on={"gained": (vp(2), others_lose_half_energy())}),
)

FRENZY_AT_ONCE = next(each for each in CARDS if each.id == "frenzy").but(on={"gained": "frenzy.at_once"})


@step("drop_from_high_altitude.land")
def drop_land(g: Draft, seat: Seat, card: CardId) -> None:
    """Take control of Tokyo from outside: a free place, else the City from whoever holds it (CARD-DROP-1, G-28)."""
    player = g.players[seat]
    if player.eliminated:
        return
    if player.in_tokyo:
        g.emit("already_in_tokyo", ("CARD-DROP-2",), player=player.id)
        return
    place = free_place(g)
    held = occupant(g, "city")
    if place is None and held is not None:
        leave(g, "evicted", ("CARD-DROP-FROM-HIGH-ALTITUDE-2", "G-28"), held, "evicted")
    cites = ("CARD-DROP-FROM-HIGH-ALTITUDE", "CARD-DROP-1", "CARD-DROP-FROM-HIGH-ALTITUDE-2", "G-28")
    enter(g, seat, place or "city", cites)


@step("frenzy.after")
def frenzy_after(g: Draft, seat: Seat, card: CardId) -> None:
    """One more turn for the buyer, after this one, also where this one is somebody else's (CARD-FRENZY-2)."""
    if not g.players[seat].eliminated:
        grant_turn(g, ("CARD-FRENZY", "CARD-FRENZY-1", "CARD-FRENZY-2"), ExtraTurn(seat))


@step("frenzy.at_once")
def frenzy_at_once(g: Draft, seat: Seat, card: CardId) -> None:
    """The buyer's own turn stops here, its end effects are skipped, and the next one begins (CARD-FRENZY-1).

    The card that took Frenzy's place was turned up before: whoever may buy new cards out of turn is still asked.
    """
    if g.players[seat].eliminated:
        return
    if seat != g.active:
        frenzy_after(g, seat, card)
        return
    g.extra_turns = (ExtraTurn(seat), *g.extra_turns)
    g.emit("extra_turn", ("CARD-FRENZY", "CARD-FRENZY-1", "CARD-FRENZY-2", "G-26"), player=g.players[seat].id, fewer=0)
    cut_short(g)
    g.pending.insert(1, ("market.offer", {}))  # before the turn's finish, after what is kept
