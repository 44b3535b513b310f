"""Rolling: the pool, the rolls of a turn, and dice the table rolls for us. What dice do is in resolve.py."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, combinations
from typing import Final

from engine.actions import Action, ChangeDie, Dice, Faces, Reroll, Resolve, Roll
from engine.draft import Draft, Rulings
from engine.errors import Violation
from engine.frames import STEPS, question, step
from engine.state import ALL_DICE, BLACK_DICE, ROLLS, CardId, Face, Frame, Order, Seat, State, Waiting
from engine.windows import adjusted, explained, open_window

ASK: Final[Frame] = ("roll.ask", {})


def pool_size(state: State, seat: Seat) -> int:
    """Six dice and what cards add, at most all there are, less what tokens and frozen time take (ROLL-1, COMP-5)."""
    player = state.players[seat]
    dice = min(ALL_DICE, adjusted(state, "pool", seat, BLACK_DICE)) if player.faces else BLACK_DICE
    if player.shrink or "fewer" in state.marks:
        fewer: int = state.marks.get("fewer", 0)
        return max(0, dice - player.shrink - fewer)
    return dice


def rolls_allowed(state: State, seat: Seat) -> int:
    return adjusted(state, "rolls", seat, ROLLS) if state.players[seat].faces else ROLLS


def throw(g: Draft, seat: Seat, count: int, faces: Faces | None, then: Frame) -> None:
    """Roll `count` dice and give their faces to the frame `then`: from the seed, as sent, or when they are sent.

    It must be the last thing its caller does: with the faces at hand `then` runs at once.
    """
    name, args = then
    if g.options.dice == "server":
        STEPS[name](g, **args, faces=g.roll(seat, count))
    elif faces is None and count:
        g.push(("dice.wait", {"seat": seat, "count": count, "then": [name, args]}))
    else:
        STEPS[name](g, **args, faces=[*(faces or ())])


@question("dice.wait", then="dice.shown")
def dice_wait(g: Draft, seat: Seat, count: int, then: Waiting) -> None:
    """The table rolls: wait for the faces its dice show (ROLL-1)."""
    if not g.players[seat].eliminated:
        g.ask(seat, "dice", ("ROLL-1", "ROLL-7"), count=count)


@step("dice.shown")
def dice_shown(g: Draft, answer: Action, seat: Seat, count: int, then: Waiting) -> None:
    assert isinstance(answer, Dice)
    name, args = then
    g.push((name, {**args, "faces": [*(answer.faces or ())]}))


@question("roll.ask", then="roll.answer")
def roll_ask(g: Draft) -> None:
    """Roll, roll again, or stop: the active player's choice (ROLL-3, ROLL-5)."""
    rulings: Rulings = ("ROLL-3", "ROLL-4", "ROLL-5") if g.rolls_used else ("ROLL-1",)
    if g.rolls_used and g.players[g.active].faces:
        rulings += explained(g, "rolls", g.active, ROLLS)[1]
    g.ask(g.active, "roll", rulings)


@step("roll.answer")
def roll_answer(g: Draft, answer: Action) -> None:
    if isinstance(answer, Resolve):
        stop_rolling(g, answer)
        return
    g.pending.append(ASK)
    if isinstance(answer, Roll):
        throw(g, g.active, pool_size(g, g.active), answer.faces, ("roll.first", {}))
    elif isinstance(answer, Reroll) and answer.with_ is None:
        throw(g, g.active, len(answer.dice), answer.faces, ("roll.again", {"dice": [*answer.dice]}))
    elif isinstance(answer, Reroll):
        assert answer.with_ is not None
        g.rules.cards[answer.with_].can["reroll"].act(g, g.active, answer)
        then = ("roll.by_card", {"card": answer.with_, "dice": [*answer.dice]})
        throw(g, g.active, len(answer.dice), answer.faces, then)
    else:
        assert isinstance(answer, ChangeDie)
        record = g.rules.cards[answer.card]
        record.can["change_die"].act(g, g.active, answer)
        replace_dice(g, "die_changed", (record.ruling, "ROLL-7"), [answer.die], [answer.face])


@step("roll.first")
def roll_first(g: Draft, faces: list[Face]) -> None:
    """The first roll takes all dice of the pool (ROLL-1, ROLL-2)."""
    g.rolls_used = 1
    cites = explained(g, "pool", g.active, BLACK_DICE)[1] if g.players[g.active].faces else ()
    rulings = ("ROLL-1", "ROLL-2", *cites) if cites else ("ROLL-1",)
    g.show_dice("rolled", rulings, tuple(faces))


@step("roll.again")
def roll_again(g: Draft, dice: list[int], faces: list[Face]) -> None:
    """A reroll of any dice, also of dice kept before (ROLL-3, ROLL-4)."""
    g.rolls_used += 1
    replace_dice(g, "rerolled", ("ROLL-3", "ROLL-4"), dice, faces)


@step("roll.by_card")
def roll_by_card(g: Draft, card: CardId, dice: list[int], faces: list[Face]) -> None:
    """A reroll that a card grants uses none of the turn's own (ROLL-6)."""
    replace_dice(g, "rerolled", (*g.rules.cards[card].rulings(g, g.active, "reroll"), "ROLL-6"), dice, faces)


def replace_dice(g: Draft, kind: str, rulings: tuple[str, ...], dice: list[int], faces: list[Face]) -> None:
    g.show_dice(kind, rulings, tuple(swap(g.dice, dice, faces)), rolled=[*dice])


def stop_rolling(g: Draft, answer: Resolve) -> None:
    """Only the faces now showing count (ROLL-5, ROLL-7); others may still meddle before they do."""
    order = [*answer.order]
    if "rolling_over" not in g.hooks or "probed" in g.marks:
        g.pending.append(("resolve.begin", {"order": order}))
        return
    g.push(("roll.settle", {"order": order}))
    open_window(g, "rolling_over", g.clockwise(g.active)[1:])


@step("roll.settle")
def roll_settle(g: Draft, order: Order) -> None:
    """If others changed the dice the active player is asked once more, else the dice are resolved."""
    if g.marks.get("probed") == "changed":
        g.mark("probed", "final")
        g.push(("roll.ask", {}))
    else:
        g.push(("resolve.begin", {"order": order}))


# Dice in question: those of the turn, or those a decision brings along


def dice_in_question(state: State) -> tuple[Face, ...]:
    """The dice that an action now awaited may index."""
    if state.decision is not None and "dice" in state.decision.extra:
        return tuple(die["face"] for die in state.decision.extra["dice"])
    return state.dice


def swap(faces: Iterable[Face], dice: list[int], new: list[Face]) -> list[Face]:
    """The same dice with some of them showing new faces."""
    table = [*faces]
    for at, die in enumerate(dice):
        table[die] = new[at]
    return table


def card_rerolls(state: State, seat: Seat) -> list[str]:
    """The rulings of the player's cards that could reroll dice of the decision now awaited."""
    return _able(state, seat, "reroll")


def card_changes_dice(state: State, seat: Seat) -> list[str]:
    return _able(state, seat, "change_die")


def _able(state: State, seat: Seat, ability: str) -> list[str]:
    cards = [state.rules.cards[face] for face, _ in state.players[seat].faces]
    return [card.ruling for card in cards if ability in card.can and list(card.can[ability].offers(state, seat))]


@lru_cache(maxsize=1024)
def rerolls(player: str, dice: tuple[int, ...], with_: str | None) -> tuple[Reroll, ...]:
    """One reroll for every distinct non-empty set of these dice; of more than a turn can have, one for each number.

    Only against damage do so many lie there (CARD-CAMOUFLAGE-2), and those that may be rerolled all show the same.
    """
    sizes = range(1, len(dice) + 1)
    sets: Iterable[tuple[int, ...]]
    if len(dice) > ALL_DICE:
        sets = [dice[:size] for size in sizes]
    else:
        sets = chain.from_iterable([combinations(dice, size) for size in sizes])
    return tuple(Reroll(player, each, with_) for each in sets)


def refuse_faces(state: State, faces: Faces | None, count: int) -> Violation | None:
    """Faces are the client's to send in a client-dice game, one for each die rolled."""
    if faces is None:
        return None
    if state.options.dice == "server":
        return Violation("faces_not_yours", "ROLL-1", "/faces", "this game rolls its own dice")
    if len(faces) != count:
        return Violation(
            "wrong_number_of_faces", "ROLL-1", "/faces", f"{count} dice are rolled, {len(faces)} faces sent"
        )
    return None


def refuse_dice(state: State, dice: tuple[int, ...], count: int, pointer: str = "/dice") -> Violation | None:
    highest = max(dice) if dice else -1
    if highest < count:
        return None
    return Violation("no_such_die", "ROLL-4", pointer, f"there are {count} dice, numbered from 0; {highest} is none")
