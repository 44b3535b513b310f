"""Keep cards that score: for dice, for deaths, for purchases, at the end of a turn; and the turns that dice earn."""

from __future__ import annotations

from engine.attack import claw_total
from engine.cards.model import KEEP, Card, Listener, card
from engine.draft import Draft
from engine.frames import listener, step
from engine.state import ALL_DICE, CardId, ExtraTurn, Seat
from engine.turn import grant_turn
from engine.windows import copies_of, is_first

UNDERDOG, HOARDER, HERBIVORE = 1, 2, 3


def freeze(cumulative: bool, each: bool) -> Listener:
    """How a triple of 1s earns a turn: dice lost again in a chain, a turn for each copy."""
    return Listener("freeze_time.earn", args={"cumulative": cumulative, "each": each})


def underdog(own: bool) -> Listener:
    return Listener("rooting_for_the_underdog.score", UNDERDOG, {"own": own})


FIRST: tuple[Card, ...] = (
    card("complete_destruction", 3, KEEP, on={"dice_locked": "complete_destruction.score"}),
    card("dedicated_news_team", 3, KEEP, on={"buying": "dedicated_news_team.score"}),
    card("eater_of_the_dead", 4, KEEP, on={"died": "eater_of_the_dead.score"}),
    card("energy_hoarder", 3, KEEP, on={"turn_end": Listener("energy_hoarder.score", HOARDER)}),
    card("freeze_time", 5, KEEP, on={"numbers_scored": freeze(cumulative=True, each=True)}),
    card("gourmet", 4, KEEP, on={"numbers_scored": "gourmet.score"}),
    card("herbivore", 5, KEEP, on={"turn_end": Listener("herbivore.score", HERBIVORE)}),
    card("omnivore", 4, KEEP, on={"dice_locked": "omnivore.score"}),
    card("rooting_for_the_underdog", 3, KEEP, on={"turn_end": underdog(own=False)}),
)

BY_ID = {each.id: each for each in FIRST}
FREEZE_TIME_PLAIN = BY_ID["freeze_time"].but(on={"numbers_scored": freeze(cumulative=False, each=True)})

SECOND: tuple[Card, ...] = (
    BY_ID["freeze_time"].but(on={"numbers_scored": freeze(cumulative=True, each=False)}),
    BY_ID["rooting_for_the_underdog"].but(on={"turn_end": underdog(own=True)}),
)


@listener("complete_destruction.score")
def complete_score(g: Draft, seat: Seat, card: CardId) -> None:
    """All six faces at once are worth nine points; a claw added by a card counts where it is a claw (DEF-ATTACK-2)."""
    faces = set(g.dice)
    if claw_total(g)[0]:
        faces.add("claw")
    if len(faces) == 6:
        g.gain_vp(("CARD-COMPLETE-DESTRUCTION", "CARD-COMPLETE-DESTRUCTION-2"), seat, 9)


@listener("omnivore.score")
def omnivore_score(g: Draft, seat: Seat, card: CardId) -> None:
    """1, 2 and 3 are worth two points, once; the dice still count otherwise (CARD-OMNIVORE-1)."""
    if {"1", "2", "3"} <= set(g.dice):
        g.gain_vp(("CARD-OMNIVORE", "CARD-OMNIVORE-1"), seat, 2)


@listener("gourmet.score")
def gourmet_score(g: Draft, seat: Seat, card: CardId, number: int, count: int) -> None:
    """A triple of 1s is worth two points more (RESOLVE-VP-1)."""
    if number == 1:
        g.gain_vp(("CARD-GOURMET", "RESOLVE-VP-1"), seat, 2)


@listener("freeze_time.earn")
def freeze_earn(g: Draft, seat: Seat, card: CardId, number: int, count: int, cumulative: bool, each: bool) -> None:
    """A triple of 1s earns another turn with a die fewer (CARD-FREEZE-1, G-43)."""
    if number != 1 or not (each or is_first(g, seat, "freeze_time", card)):
        return
    fewer = min(ALL_DICE, g.marks.get("fewer", 0) + 1) if cumulative else 1
    twice = ("CARD-FREEZE-TIME-3",) if copies_of(g, seat, "freeze_time") > 1 else ()
    cites = ("CARD-FREEZE-TIME", "CARD-FREEZE-1", "CARD-FREEZE-TIME-2", *twice, "CARD-FREEZE-TIME-4", "G-43")
    grant_turn(g, cites, ExtraTurn(seat, fewer, frozen=True))


@step("dedicated_news_team.score")
def news_score(g: Draft, seat: Seat, card: CardId, bought: CardId) -> None:
    """A point for every card bought while it is already there (BUY-2).

    It was there when the card was paid for: a copy that ends with this very purchase has still scored.
    """
    if card != bought:
        g.gain_vp(("CARD-DEDICATED-NEWS-TEAM", "CARD-DEDICATED-NEWS-TEAM-2", "BUY-2"), seat, 1)


@listener("eater_of_the_dead.score")
def eater_score(g: Draft, seat: Seat, card: CardId, victims: list[Seat]) -> None:
    """Three points for every other monster that drops to 0 hearts, saved or not (CARD-EATER-1, CARD-EATER-2)."""
    for victim in victims:
        if victim != seat:
            g.gain_vp(("CARD-EATER-OF-THE-DEAD", "CARD-EATER-1", "CARD-EATER-2", "DEATH-6"), seat, 3)


@listener("rooting_for_the_underdog.score")
def underdog_score(g: Draft, seat: Seat, card: CardId, own: bool) -> None:
    """A point for having fewer points than everyone else alive (END-1); two copies look at the same standing."""
    if (own and seat != g.active) or not is_first(g, seat, "rooting_for_the_underdog", card):
        return
    mine = g.players[seat].vp
    if all(g.players[other].vp > mine for other in g.living if other != seat):
        cites = ("CARD-ROOTING-FOR-THE-UNDERDOG", "CARD-ROOTING-FOR-THE-UNDERDOG-2", "END-1", "G-45")
        g.gain_vp(cites, seat, copies_of(g, seat, "rooting_for_the_underdog"))


@listener("energy_hoarder.score")
def hoarder_score(g: Draft, seat: Seat, card: CardId) -> None:
    """A point for every six energy at the end of one's turn (END-1)."""
    if seat == g.active:
        cites = ("CARD-ENERGY-HOARDER", "CARD-ENERGY-HOARDER-2", "END-1", "G-45")
        g.gain_vp(cites, seat, g.players[seat].energy // 6)


@listener("herbivore.score")
def herbivore_score(g: Draft, seat: Seat, card: CardId) -> None:
    """A point for a turn in which no other monster was hurt by it (CARD-HERBIVORE-1, DEF-ATTACK-3)."""
    if seat == g.active and seat not in g.marks.get("dealt", ()):
        g.gain_vp(("CARD-HERBIVORE", "CARD-HERBIVORE-1", "CARD-HERBIVORE-2", "END-1", "G-45"), seat, 1)
