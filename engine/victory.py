"""Winning: the last monster alive, twenty points at the end of a turn, nobody left."""

from __future__ import annotations

from engine.draft import Draft
from engine.frames import cut_short, step
from engine.state import WINNING_VP, Outcome


@step("victory.survivors")
def victory_survivors(g: Draft, conceded: bool) -> None:
    """After deaths: is the game decided, or the turn over (WIN-4, WIN-5, G-16)?"""
    living = g.living
    if any(not g.players[seat].hearts for seat in living):
        if g.players[g.active].eliminated:
            cut_short(g)
        return  # somebody is still to fall with the others, and then this is asked again (G-37)
    if not living:
        cut_short(g)
        g.end_game(Outcome(g.rules.all_dead, (), ("WIN-5", "G-24")))
    elif len(living) > 1:
        if g.players[g.active].eliminated:
            end_turn_of_dead(g)
    elif conceded or living[0] != g.active or g.rules.last_alive_wins_at_once:
        cut_short(g)
        rulings = ("WIN-4", "WIN-1", "EXT-CONCEDE") if conceded else ("WIN-4", "WIN-1", "G-24")
        g.end_game(Outcome("win", (g.players[living[0]].id,), rulings))
    elif "alone" not in g.marks:
        cut_short(g)
        g.mark("alone", True)
        g.emit("last_monster", ("WIN-4", "G-24"), player=g.players[g.active].id)
        g.pending.insert(1, ("turn.end", {}))  # before the turn's finish, after what is kept


def end_turn_of_dead(g: Draft) -> None:
    """The turn of a dead monster is over; it enters nothing and does nothing more (G-16)."""
    g.emit("turn_cut_short", ("G-16",), player=g.players[g.active].id)
    cut_short(g)


def check_winners(g: Draft) -> bool:
    """Who has twenty points, is alive, and may win at the end of this turn (WIN-2, WIN-3, G-21, G-22)?"""
    living = g.living
    if len(living) == 1:
        g.end_game(Outcome("win", (g.players[living[0]].id,), ("WIN-4", "WIN-1", "G-24")))
        return True
    others = g.rules.others_win_at_turn_end
    winners = [seat for seat in living if g.players[seat].vp >= WINNING_VP and (others or seat == g.active)]
    if winners:
        ids = tuple(g.players[seat].id for seat in winners)
        rulings = ("WIN-2", "WIN-1") if len(ids) == 1 else ("WIN-2", "G-22")
        g.end_game(Outcome("win" if len(ids) == 1 else "shared_win", ids, rulings))
    return bool(winners)
