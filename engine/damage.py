"""The damage pipeline: the one place through which hearts are lost to anything that hurts.

A *batch* is all damage that happens together; a *hit* is one monster's share of it. Each hit runs in turn, clockwise
from the dealer: what prevents it, what the victim does about it, the loss, what follows from the loss. When the last
hit has landed, all deaths of the batch are settled together (G-37).
"""

from __future__ import annotations

from typing import Final, TypedDict

from engine.actions import Action, Use
from engine.draft import Draft, Rulings
from engine.frames import question, step
from engine.state import CardId, Seat, State
from engine.windows import explained, open_window

# What a card must have to do with for its owner to be anything but hit.
REACTIONS: Final = frozenset({"damage", "struck", "use"})

# What a card must have to do with, and what the turn must remember, for a hit to do anything but land.
MEDDLING: Final = REACTIONS | {"attacking", "targeted", "hurt"}
MEDDLED: Final = frozenset({"dodged", "shields"})


class Hit(TypedDict):
    """Damage about to land. `done` names the listeners that have had their say on it."""

    seat: Seat
    amount: int
    dealer: Seat | None
    claw: bool
    rulings: list[str]
    done: list[str]


def hit(seat: Seat, amount: int, dealer: Seat | None, rulings: Rulings, claw: bool = False) -> Hit:
    return {"seat": seat, "amount": amount, "dealer": dealer, "claw": claw, "rulings": [*rulings], "done": []}


def deal(g: Draft, hits: list[Hit], dealer: Seat) -> None:
    """Push a batch: every hit clockwise from the dealer's left, the dealer last, then the deaths.

    It must come before the windows that open ahead of it: where no card in play can meddle, all hits land at once.
    """
    if len(hits) > 1:
        count = len(g.players)
        hits = sorted(hits, key=lambda each: (each["seat"] - dealer - 1) % count)
    toll = {"seats": [each["seat"] for each in hits], "by_claws": [each["seat"] for each in hits if each["claw"]]}
    g.pending.append(("death.toll", toll))
    if MEDDLING.isdisjoint(g.hooks) and MEDDLED.isdisjoint(g.marks):
        for each in hits:
            damage_hit(g, each)
    else:
        g.pending.extend([("damage.hit", {"hit": each}) for each in reversed(hits)])


@question("damage.hit", then="damage.answer")
def damage_hit(g: Draft, hit: Hit) -> None:
    """What can still lessen the damage has its say, the victim is asked, then it lands."""
    seat, amount = hit["seat"], hit["amount"]
    victim = g.players[seat]
    if not victim.hearts or dodged(g, hit):
        return
    if not REACTIONS.isdisjoint(victim.hooks) or "shields" in g.marks:
        amount = shielded(g, hit)
        if amount and next_reaction(g, {**hit, "amount": amount}):
            return
        savers = can_save(g, seat, amount) if amount and "declined" not in hit["done"] else []
        if savers:
            cites = tuple(ruling for card in savers for ruling in g.rules.cards[card].rulings(g, seat, "saves"))
            g.ask(seat, "damage", (*cites, "DEF-DAMAGE-1"), amount=amount)
            return
    if amount:
        _land(g, hit, amount)


@step("damage.answer")
def damage_answer(g: Draft, answer: Action, hit: Hit) -> None:
    """Use a card and look again, or take it; declined is declined, unless the damage changes."""
    if isinstance(answer, Use):
        g.push(("damage.hit", {"hit": hit}))
        g.rules.cards[answer.card].can["use"].act(g, hit["seat"], answer)
        return
    g.emit("declined", ("DEF-DAMAGE-1",), player=answer.player)
    g.push(("damage.hit", {"hit": {**hit, "done": [*hit["done"], "declined"]}}))


def can_save(state: State, seat: Seat, amount: int) -> list[CardId]:
    """The victim's cards that are worth asking about for this damage."""
    found: list[CardId] = []
    for face, _ in state.players[seat].faces:
        able = state.rules.cards[face].can.get("use")
        if able is not None and able.saves is not None and face not in found and able.saves(state, seat, amount):
            found.append(face)
    return found


def dodged(g: Draft, hit: Hit) -> bool:
    """Whoever left Tokyo in time is not there to be hit by the claws."""
    if "dodged" not in g.marks:
        return False
    how = g.marks["dodged"].get(str(hit["seat"])) if hit["claw"] else None
    if how is not None:
        prevent(g, hit, hit["amount"], 0, (how, "YIELD-2"))
    return how is not None


def shielded(g: Draft, hit: Hit) -> int:
    """The damage left after what protects the victim by itself; what is prevented is logged."""
    left, cites = sheltered(g, hit["seat"], hit["amount"])
    if left != hit["amount"]:
        prevent(g, hit, hit["amount"], left, cites)
    return left


def sheltered(state: State, seat: Seat, amount: int) -> tuple[int, Rulings]:
    """What so much damage comes to behind a shield of this turn and the cards that need no asking, and why."""
    shield = state.marks.get("shields", {}).get(str(seat))
    return explained(state, "damage", seat, amount) if shield is None else (0, (shield,))


def prevent(g: Draft, hit: Hit, amount: int, left: int, rulings: Rulings) -> None:
    """Log that less than `amount` is left; claws that cost no heart are harmless (DEF-ATTACK-3)."""
    harmless = ("DEF-ATTACK-3",) if hit["claw"] and not left else ()
    cites = tuple(dict.fromkeys((*rulings, *harmless, *hit["rulings"])))
    g.emit("damage_prevented", cites, player=g.players[hit["seat"]].id, amount=amount - left, left=left)


def next_reaction(g: Draft, hit: Hit) -> bool:
    """Let the next of the victim's cards that has not yet reacted do so; it pushes the hit again when it is done."""
    listeners = g.rules.listeners.get("struck")
    if listeners is None:
        return False
    for face, card in g.players[hit["seat"]].faces:
        if face in listeners and card not in hit["done"]:
            told: Hit = {**hit, "done": [*hit["done"], card]}
            g.push((listeners[face][0].step, {"seat": hit["seat"], "card": card, "hit": told}))
            return True
    return False


def _land(g: Draft, hit: Hit, amount: int) -> None:
    """The hearts are lost, one for one (DEF-DAMAGE-1)."""
    seat = hit["seat"]
    before = g.players[seat].hearts
    lost = min(before, amount)
    g.change("damage", (*hit["rulings"], "DEF-DAMAGE-1"), seat, "hearts", before - lost)
    dealer = hit["dealer"]
    marks = g.marks
    if hit["claw"]:
        g.marks = marks = {**marks, "clawed": (*marks.get("clawed", ()), seat)}
    if dealer is not None and dealer != seat and dealer not in marks.get("dealt", ()):
        g.marks = {**marks, "dealt": (*marks.get("dealt", ()), dealer)}
    if "hurt" in g.hooks:
        seats = [seat] if dealer is None or dealer == seat else [dealer, seat]
        open_window(g, "hurt", seats, victim=seat, dealer=dealer, amount=lost, claw=hit["claw"])
