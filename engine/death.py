"""Deaths: all of one batch together, what becomes of the dead, and conceding."""

from __future__ import annotations

from engine.belongings import discard_all
from engine.draft import Draft, Rulings
from engine.frames import step
from engine.state import HEARTS, WINNING_VP, Seat
from engine.tokyo import close_bay, leave
from engine.windows import open_window


@step("death.toll", kept=True)
def death_toll(g: Draft, seats: list[Seat], by_claws: list[Seat]) -> None:
    """All monsters a batch brought to 0 hearts die together, also when its turn is cut short (DEATH-1, G-37)."""
    fallen = [seat for seat in seats if not g.players[seat].hearts and not g.players[seat].eliminated]
    if not fallen:
        return
    await_after(g, fallen)
    for seat in reversed(fallen):
        g.push(("death.eliminate", {"seat": seat, "by_claws": seat in by_claws}))
        open_window(g, "dying", [seat], by_claws=seat in by_claws)


def await_after(g: Draft, fallen: list[Seat]) -> None:
    """What follows from deaths follows once, also from those that other deaths bring about (G-31, G-37)."""
    at = next((index for index, frame in enumerate(g.pending) if frame[0] == "death.after"), None)
    if at is None:
        g.push(("death.after", {"victims": fallen, "were_alive": len(g.living)}))
        return
    name, args = g.pending[at]
    g.pending[at] = (name, {**args, "victims": [*args["victims"], *fallen]})


@step("death.eliminate")
def death_eliminate(g: Draft, seat: Seat, by_claws: bool) -> None:
    """A monster with no hearts left is out of the game, unless something saved it (DEATH-1, DEF-KILL-1)."""
    player = g.players[seat]
    if not player.hearts:
        won_nothing = ("WIN-3",) if player.vp >= WINNING_VP else ()
        eliminate(g, seat, ("DEATH-1", "DEF-KILL-1", *won_nothing), by_claws)


def eliminate(g: Draft, seat: Seat, rulings: Rulings, by_claws: bool) -> None:
    """Cards and energy are discarded, tokens go back, the figure leaves Tokyo (DEATH-4, G-17)."""
    g.change("eliminated", rulings, seat, "eliminated", True)
    vacate(g, seat, by_claws)
    discard_all(g, ("DEATH-4",), seat)
    g.change("energy_discarded", ("DEATH-4", *g.rules.open_gaps("G-17")), seat, "energy", 0)
    g.change("tokens_returned", ("DEATH-4", "COMP-4"), seat, "poison", 0)
    g.change("tokens_returned", ("DEATH-4", "COMP-4"), seat, "shrink", 0)
    g.change("max_hearts_changed", ("DEATH-4",), seat, "max_hearts", HEARTS)


def vacate(g: Draft, seat: Seat, by_claws: bool) -> None:
    """A monster that fell in Tokyo leaves it to its attacker, or to nobody for now (DEATH-2, DEATH-3)."""
    if not g.players[seat].in_tokyo:
        return
    late = ("TOKYO-ENTER-9",) if g.phase in ("buy", "end") else ()
    gaps = g.rules.open_gaps("G-13" if by_claws else "G-14")
    cites = ("DEATH-2", *gaps) if by_claws else ("DEATH-3", *gaps, "G-15", *late)
    leave(g, "left_tokyo", cites, seat, "died" if by_claws else "gone")


@step("death.after")
def death_after(g: Draft, victims: list[Seat], were_alive: int) -> None:
    """Then the Bay may close, others profit, and the game may be decided."""
    close_bay(g, were_alive)
    g.push(("victory.survivors", {"conceded": False}))
    open_window(g, "died", None, victims=victims)


@step("death.concede")
def death_concede(g: Draft, seat: Seat) -> None:
    """Leave the game of one's own will: an elimination that is not an attack (EXT-CONCEDE)."""
    were_alive = len(g.living)
    g.emit("conceded", ("EXT-CONCEDE",), player=g.players[seat].id)
    g.change("hearts_given_up", ("EXT-CONCEDE",), seat, "hearts", 0)
    eliminate(g, seat, ("EXT-CONCEDE", "DEATH-4"), by_claws=False)
    close_bay(g, were_alive)
    g.push(("victory.survivors", {"conceded": True}))
