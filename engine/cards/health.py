"""Keep cards about hearts: more of them, gained faster, or given to others."""

from __future__ import annotations

from typing import Final

from engine.actions import Hearts
from engine.cards.model import KEEP, Ability, Card, card
from engine.draft import Draft
from engine.frames import listener
from engine.market import pay
from engine.resolve import gain_energy, gain_hearts
from engine.state import CardId, Seat, State
from engine.windows import adjusted, copies_of, explained

HEAL_PRICE: Final = 2
BIGGER: Final = 2
BIGGEST: Final = 12


def bigger(state: State, seat: Seat, most: int) -> int:
    return most + BIGGER


def bigger_once(state: State, seat: Seat, most: int) -> int:
    return BIGGEST


def hearts_go_too(state: State, seat: Seat, hearts: int) -> int:
    """The two hearts that came with the card go with it (CARD-EVENBIGGER-2, G-31)."""
    return hearts - BIGGER


def trimmed(state: State, seat: Seat, hearts: int) -> int:
    """Only what is above the new maximum is lost."""
    return min(hearts, state.players[seat].max_hearts)


def bigger_cites(state: State, seat: Seat, what: str) -> tuple[str, ...]:
    return ("CARD-EVENBIGGER-2",) if what == "heart_loss" else ("CARD-EVENBIGGER-1", *twice(state, seat))


def twice(state: State, seat: Seat) -> tuple[str, ...]:
    """The ruling on two of them, where there are two (CARD-EVEN-BIGGER-2)."""
    return ("CARD-EVEN-BIGGER-2",) if copies_of(state, seat, "even_bigger") > 1 else ()


def heal_others(g: Draft, seat: Seat, way: Hearts) -> None:
    """Each healed monster pays two energy a heart, or what it has (CARD-HEALRAY-1, CARD-REGEN-2)."""
    for name, dice in way.others:
        patient = g.seat_of(name)
        assert patient is not None
        hearts, cites = explained(g, "heart_gain", seat, dice)
        before = g.players[patient]
        gained = min(before.max_hearts - before.hearts, hearts)
        price = min(before.energy, HEAL_PRICE * gained)
        helped = ("CARD-REGEN-2",) if cites else ()
        alone = ("CARD-REGEN-1",) if adjusted(g, "heart_gain", patient, dice) != dice else ()
        rulings = ("CARD-HEALING-RAY", "CARD-HEALING-RAY-2", "CARD-HEALRAY-1", *cites, *helped, *alone)
        g.change("healed", rulings, patient, "hearts", before.hearts + gained)
        pay(g, rulings, patient, price)
        gain_energy(g, rulings, seat, price)


FIRST: tuple[Card, ...] = (
    card(
        "even_bigger", 4, KEEP, on={"gained": "even_bigger.grow"},
        adjust={"max_hearts": bigger, "heart_loss": hearts_go_too}, cites=bigger_cites,
    ),
    card(
        "healing_ray", 4, KEEP, can={"heal_others": Ability(lambda *_: None, lambda *_: (), heal_others)},
        cites=lambda state, seat, what: ("CARD-HEALING-RAY-2",),
    ),
    card("regeneration", 4, KEEP, adjust={"heart_gain": lambda state, seat, hearts: hearts + 1}),
)  # fmt: skip

SECOND: tuple[Card, ...] = (FIRST[0].but(adjust={"max_hearts": bigger_once, "heart_loss": trimmed}),)


@listener("even_bigger.grow")
def even_bigger_grow(g: Draft, seat: Seat, card: CardId) -> None:
    """Two hearts come with the higher maximum (CARD-EVENBIGGER-1)."""
    gain_hearts(g, ("CARD-EVEN-BIGGER", "CARD-EVENBIGGER-1", *twice(g, seat), "CARDGEN-2"), seat, BIGGER)
