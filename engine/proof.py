"""Proof that chance was fair: a revealed game is played again, and all that it tells is held against that.

The seed of a sealed game is the server's part, and after a colon the client's if there is one. The commitment is told
when the game begins, the server's part once it is over. What a revealed game looks like is revealed.py's to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

from engine.actions import Action
from engine.apply import Result, apply
from engine.codec import Values, canonical, state_id, write_state
from engine.draft import Draft, Rolled
from engine.errors import IllegalAction, InvalidState
from engine.revealed import Revealed
from engine.setup import new_game

Dump = Callable[[Values], bytes]


# The seed


def joined(server: str, client: str | None) -> str:
    """The seed of a sealed game."""
    return server if client is None else f"{server}:{client}"


def parted(seed: str) -> tuple[str, str | None]:
    """The server's part of a sealed game's seed, and the client's."""
    server, colon, client = seed.partition(":")
    return server, client if colon else None


def commitment(server: str) -> str:
    """What is told of the server's part before it is revealed."""
    return sha256(b"kaijudge/commit/1 " + server.encode()).hexdigest()


# The game played again


@dataclass(slots=True)
class Account:
    """What the engine makes of a game, as far as it can be played; `stopped` says why no further."""

    game_id: str | None = None
    states: list[str] = field(default_factory=list)
    deck: list[str] = field(default_factory=list)
    rolls: list[Values] = field(default_factory=list)
    reshuffles: list[Values] = field(default_factory=list)
    outcome: Values | None = None
    stopped: str | None = None


def recount(game: Mapping[str, Any], seed: str, actions: Sequence[Action], dump: Dump = canonical) -> Account:
    """Play a game by its seed and its actions."""
    account = Account()
    try:
        result = new_game(game, seed)
        _note(account, result, dump)
        for action in actions:
            result = apply(result.state, action)
            _note(account, result, dump)
    except (InvalidState, IllegalAction) as error:
        account.stopped = str(error)
    return account


def _note(account: Account, result: Result, dump: Dump) -> None:
    """Add what has come of one action, or of the opening."""
    g = result.state
    assert isinstance(g, Draft)
    document = write_state(g)
    account.game_id, account.outcome = g.game_id, document["outcome"]
    account.states.append(state_id(document, dump))
    for drawn in g.drawn:
        if isinstance(drawn, Rolled):
            player = g.players[drawn.seat].id
            rolled = {"draw": drawn.draw, "version": g.version, "player": player, "dice": [*drawn.faces]}
            account.rolls.append(rolled)
        elif drawn.draw == 0:
            account.deck.extend(drawn.cards)
        else:
            pile, cards = [*drawn.pile], [*drawn.cards]
            account.reshuffles.append({"draw": drawn.draw, "version": g.version, "pile": pile, "cards": cards})


# The verdict


@dataclass(frozen=True, slots=True)
class Check:
    """One thing a revealed game claims, whether it is so, and else where it first is not (an index into the claim)."""

    name: str
    ok: bool
    detail: str
    index: int | None = None


class Report(NamedTuple):
    """All that was checked, and the game as it was recounted."""

    checks: list[Check]
    account: Account

    @property
    def verified(self) -> bool:
        return all(check.ok for check in self.checks)


def verify(revealed: Revealed, dump: Dump = canonical) -> Report:
    """Whether everything that a revealed game tells follows from its seed and its actions."""
    asked = revealed.game if revealed.client_seed is None else {**revealed.game, "client_seed": revealed.client_seed}
    account = recount(asked, joined(revealed.seed, revealed.client_seed), revealed.actions, dump)
    return Report([*_checks(revealed, account)], account)


def _checks(told: Revealed, account: Account) -> Iterator[Check]:
    yield _check_commitment(told)
    yield _check_opening(told, account)
    yield _compare("deck", told.deck, account.deck, "cards of the deck")
    yield _check_actions(told, account)
    yield _compare("states", told.states, account.states, "states")
    yield _compare("dice", told.rolls, account.rolls, "rolls of the seed")
    yield _compare("reshuffles", told.reshuffles, account.reshuffles, "reshuffles of the discards")
    yield _check_outcome(account)


def _check_commitment(told: Revealed) -> Check:
    found = commitment(told.seed)
    if found == told.commitment:
        return Check("commitment", True, "the seed is the one that was committed to")
    return Check("commitment", False, f"the commitment to this seed would be {found}")


def _check_opening(told: Revealed, account: Account) -> Check:
    if not account.states:
        return Check("opening", False, f"there is no such game: {account.stopped}")
    if account.game_id != told.game_id:
        return Check("opening", False, f"the game of this seed and these players is {account.game_id}")
    if told.states[:1] != account.states[:1]:
        return Check("opening", False, f"the game of this seed begins with {account.states[0]}", 0)
    return Check("opening", True, "the game of this seed and these players begins with this state")


def _check_actions(told: Revealed, account: Account) -> Check:
    played = len(account.states) - 1
    if account.stopped is None:
        return Check("actions", True, f"{played} actions, each of them legal")
    return Check("actions", False, f"the game cannot go on: {account.stopped}", max(0, played))


def _check_outcome(account: Account) -> Check:
    if account.outcome is None:
        return Check("outcome", False, "the game is not over after these actions")
    winners = ", ".join(account.outcome["winners"]) or "nobody"
    return Check("outcome", True, f"the game is over: {account.outcome['result']}, {winners}")


def _compare(name: str, told: Sequence[Any], found: Sequence[Any], what: str) -> Check:
    """Whether two lists are the same, and else where they part."""
    for index, (one, other) in enumerate(zip(told, found, strict=False)):
        if not _same(one, other):
            return Check(name, False, f"number {index} is not what follows from the seed and the actions", index)
    if len(told) != len(found):
        detail = f"{len(told)} are told, {len(found)} follow from the seed and the actions"
        return Check(name, False, detail, min(len(told), len(found)))
    return Check(name, True, f"{what}: {len(found)}, each as it follows from the seed and the actions")


def _same(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same, and not only equal as true and 1 are."""
    return one == other and canonical({"it": one}) == canonical({"it": other})
