"""Keep cards that give poison and shrink tokens. What the tokens do is the rules' (turn.py, dice.py, resolve.py)."""

from __future__ import annotations

from engine.cards.model import KEEP, Card, card
from engine.draft import Draft
from engine.frames import listener
from engine.state import TOKENS, CardId, Seat

CARDS: tuple[Card, ...] = (
    card("poison_spit", 4, KEEP, on={"hurt": "poison_spit.give"}),
    card("shrink_ray", 6, KEEP, on={"hurt": "shrink_ray.give"}),
)


@listener("poison_spit.give")
def poison_give(g: Draft, seat: Seat, card: CardId, victim: Seat, dealer: Seat | None, amount: int, claw: bool) -> None:
    """Monsters hurt by the owner's claws get a poison token (CARD-POISON-1, DEF-ATTACK-3)."""
    if claw and dealer == seat != victim:
        give(g, "poison", ("CARD-POISON-SPIT", "CARD-POISON-1", "G-30"), victim)


@listener("shrink_ray.give")
def shrink_give(g: Draft, seat: Seat, card: CardId, victim: Seat, dealer: Seat | None, amount: int, claw: bool) -> None:
    """Monsters hurt by the owner's claws get a shrink token (CARD-SHRINK-1, DEF-ATTACK-3)."""
    if claw and dealer == seat != victim:
        give(g, "shrink", ("CARD-SHRINK-RAY", "CARD-SHRINK-1", "G-30"), victim)


def give(g: Draft, token: str, rulings: tuple[str, ...], victim: Seat) -> None:
    """Place a token, while there are any (COMP-4, G-20)."""
    if sum(getattr(player, token) for player in g.players) >= TOKENS:
        limit = {"poison": "CARD-POISON-SPIT-2", "shrink": "CARD-SHRINK-RAY-2"}[token]
        g.emit("no_token_left", (*rulings, limit, "COMP-4", "G-20"), player=g.players[victim].id, token=token)
        return
    g.change(f"{token}_placed", rulings, victim, token, getattr(g.players[victim], token) + 1)
