"""Tokyo: who is where, entering, leaving, and the closing of the Bay. Damage is not dealt here."""

from __future__ import annotations

from engine.actions import Action, Yield
from engine.draft import Draft, Rulings
from engine.frames import question, step
from engine.state import BAY_NEEDS, Place, Seat, State
from engine.windows import open_window


def occupant(state: State, place: Place) -> Seat | None:
    for seat, player in enumerate(state.players):
        if player.place == place:
            return seat
    return None


def bay_open(state: State) -> bool:
    """The Bay needs the option and five living monsters (BAY-1)."""
    return state.options.bay and len(state.living) >= BAY_NEEDS


def free_place(state: State) -> Place | None:
    """Where a monster that enters goes: the City first, then an open Bay (TOKYO-ENTER-6)."""
    if occupant(state, "city") is None:
        return "city"
    if bay_open(state) and occupant(state, "bay") is None:
        return "bay"
    return None


def tokyo_empty(state: State) -> bool:
    return occupant(state, "city") is None and occupant(state, "bay") is None


# Entering


def entry_rulings(g: Draft, place: Place) -> Rulings:
    """The rulings that send the active monster to this very place."""
    vacated = {where: how for where, how in g.marks.get("vacated", {}).items() if how in ("yielded", "died")}
    cites = ["TOKYO-ENTER-4"]
    how = vacated.get(place)
    if how is not None:
        cites.append("YIELD-3" if how == "yielded" else "DEATH-2")
    if bay_open(g):
        cites.extend(_bay_rulings(g, place, vacated))
        if g.turn == 1 and how is None:
            cites.append("TOKYO-ENTER-3")
    elif how is None:
        cites.append("TOKYO-ENTER-1" if "claw" in g.dice else "TOKYO-ENTER-2")
        if g.turn == 1:
            cites.append("TOKYO-ENTER-3")
    else:
        cites.append("BAY-13" if "bay_closed" in g.marks and how == "died" else "TOKYO-ENTER-8")
    cites.append("TOKYO-ENTER-7")
    return tuple(cites)


def _bay_rulings(g: Draft, place: Place, vacated: dict[str, str]) -> list[str]:
    if place == "bay":
        return ["BAY-6" if "bay" in vacated else "BAY-4"]
    if occupant(g, "bay") is not None:
        return ["BAY-7" if "city" in vacated else "BAY-9"]
    if "city" not in vacated:
        return ["BAY-3", "TOKYO-ENTER-6"] if "bay" not in vacated else ["BAY-9", "TOKYO-ENTER-6"]
    return ["BAY-8", "TOKYO-ENTER-6"] if "bay" in vacated else ["BAY-5", "TOKYO-ENTER-6"]


def enter(g: Draft, seat: Seat, place: Place, rulings: Rulings) -> None:
    """Take a place in Tokyo, for one point (TOKYO-ENTER-5)."""
    g.change("entered_tokyo", rulings, seat, "place", place)
    g.gain_vp(("TOKYO-ENTER-5",), seat, 1)


@step("tokyo.enter")
def tokyo_enter(g: Draft) -> None:
    """The active monster outside takes a free place, whether it likes it or not (TOKYO-ENTER-4)."""
    active = g.players[g.active]
    if active.eliminated or active.place != "outside":
        return
    place = free_place(g)
    if place is None:
        g.emit("stayed_outside", ("TOKYO-ENTER-8", "TOKYO-EFFECT-2"), player=active.id)
        return
    enter(g, g.active, place, entry_rulings(g, place))


@step("tokyo.enter_phase")
def tokyo_enter_phase(g: Draft) -> None:
    """The entry phase: whoever is outside takes a free place, claws or not (TURN-1, TOKYO-ENTER-2)."""
    g.phase = "enter"
    active = g.players[g.active]
    if active.place == "outside" and free_place(g) is not None:
        tokyo_enter(g)


@step("tokyo.parting")
def tokyo_parting(g: Draft, attacker: Seat, leavers: list[Seat]) -> None:
    """What those who left still do to an attacker about to enter."""
    if g.players[attacker].in_tokyo or free_place(g) is None:
        return
    left = [seat for seat in leavers if not g.players[seat].in_tokyo and seat in g.marks.get("left", ())]
    if left:
        open_window(g, "parting", left, attacker=attacker)


# Leaving


def leave(g: Draft, kind: str, rulings: Rulings, seat: Seat, how: str) -> None:
    """Leave Tokyo for the outside; the turn remembers how each place came to be free."""
    place = g.players[seat].place
    g.change(kind, rulings, seat, "place", "outside")
    g.mark("vacated", {**g.marks.get("vacated", {}), place: how})


def offer_yields(g: Draft, targets: list[Seat]) -> None:
    """Let every attacked monster in Tokyo decide for itself, clockwise from the attacker (YIELD-7, G-04)."""
    in_tokyo = [seat for seat in targets if g.players[seat].place != "outside"]
    if not in_tokyo:
        return
    several = len(in_tokyo) > 1
    for seat in reversed(in_tokyo):
        g.pending.append(("yield.offer", {"seat": seat, "several": several}))


@question("yield.offer", then="yield.answer")
def yield_offer(g: Draft, seat: Seat, several: bool) -> None:
    """Offer an attacked monster the choice to leave, if the edition lets it (YIELD-1, YIELD-4)."""
    player = g.players[seat]
    if player.eliminated or player.place == "outside" or seat in g.marks.get("answered", ()):
        return
    if g.rules.may_yield(g, seat):
        together = ("YIELD-7", "G-04", "G-05") if several else ()
        unhurt = () if seat in g.marks.get("clawed", ()) else ("YIELD-5",)
        g.ask(seat, "yield", ("YIELD-1", "YIELD-4", "YIELD-8", *together, *unhurt))
    else:
        g.emit("yield_not_offered", ("YIELD-5",), player=player.id)


@step("yield.answer")
def yield_answer(g: Draft, answer: Action, seat: Seat, several: bool) -> None:
    """Leave or stay; the damage stands either way (YIELD-2)."""
    assert isinstance(answer, Yield)
    if not answer.leave:
        g.emit("stayed", ("YIELD-1",), player=answer.player)
        return
    leave(g, "yielded", ("YIELD-2", "DEF-YIELD-1", "G-49"), seat, "yielded")
    g.mark("left", (*g.marks.get("left", ()), seat))


# The Bay closes


def close_bay(g: Draft, were_alive: int) -> None:
    """With fewer than five alive the Bay is closed for good, and nobody stays in it (BAY-11, BAY-12)."""
    if not g.options.bay or not len(g.living) < BAY_NEEDS <= were_alive:
        return
    g.mark("bay_closed", True)
    g.emit("bay_closed", ("BAY-11", "BAY-1"))
    seat = occupant(g, "bay")
    if seat is not None:
        place = g.rules.closure_place(g)
        cites = ("BAY-12", "BAY-13", "G-09", "G-10") if place == "city" else ("BAY-12", *g.rules.open_gaps("G-12"))
        g.change("moved_by_closure", cites, seat, "place", place)
