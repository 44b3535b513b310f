"""States by their id: those this worker has at hand, and those the store keeps for all."""

from __future__ import annotations

from typing import NamedTuple

import orjson

import engine
from engine import State
from service import metrics
from service.config import Config
from service.lru import Lru
from service.store import Store, StoreUnavailable, state_key


class Told(NamedTuple):
    """A state that is told, and what is kept of it."""

    state_id: str
    state: State
    content: bytes


class Recent(NamedTuple):
    """A state at hand, and whether the store keeps it, too."""

    state: State
    kept: bool


class Shelf:
    """Keeps every state that is told, so that a client may send its id instead.

    By id, what is at hand is used only while the store keeps it, too, and is known to be there: a worker's memory must
    not hide that others cannot find a state. A whole state that is sent again needs no store: its content is its proof.
    """

    def __init__(self, store: Store, config: Config) -> None:
        self.store = store
        self._ttl = config.state_ttl
        self._recent: Lru[Recent] = Lru(config.recent_states)

    def keep(self, state_id: str, state: State, content: bytes) -> None:
        """Keep a state for a time, in one round trip. While the store is away, it is only at hand."""
        try:
            self.store.put(state_key(state_id), content, self._ttl)
            kept = True
        except StoreUnavailable:
            kept = False
        self._recent.put(state_id, Recent(state, kept), self._ttl)

    def keep_all(self, told: list[Told]) -> None:
        """Keep many states, in one round trip for all."""
        if not told:
            return
        try:
            self.store.put_all({state_key(each.state_id): each.content for each in told}, self._ttl)
            kept = True
        except StoreUnavailable:
            kept = False
        for each in told:
            self._recent.put(each.state_id, Recent(each.state, kept), self._ttl)

    def known(self, state_id: str) -> State | None:
        """The state of a content with this id, if it is at hand: then it need not be read again."""
        found = self._recent.get(state_id)
        return None if found is None else found.state

    def remember(self, state_id: str, state: State) -> None:
        """Have a state at hand that was sent and read."""
        self._recent.put(state_id, Recent(state, False), self._ttl)

    def find(self, state_id: str) -> State | None:
        """A state; None when it is gone. StoreUnavailable while the store is away."""
        found = self._recent.get(state_id) if self.store.is_fresh() else None
        if found is not None and found.kept:
            metrics.hit("state")
            return found.state
        content = self.content(state_id)
        state = None if content is None else _read(content)
        if state is not None:
            self._recent.put(state_id, Recent(state, True), self._ttl)
        return state

    def content(self, state_id: str) -> bytes | None:
        """The canonical bytes of a state; None when they are gone, or are not those of the id any more."""
        content = self.store.get(state_key(state_id))
        if content is None or not belongs(state_id, content):
            metrics.miss("state")
            return None
        metrics.hit("state")
        return content


def belongs(state_id: str, content: bytes) -> bool:
    """Whether bytes are what the id says: whoever can write to the store cannot make us tell of another game."""
    game = {"game_id": "g_" + state_id.split("_")[1]}
    return engine.state_id(game, lambda _: content) == state_id


def _read(content: bytes) -> State | None:
    """The state of some bytes; None when an older version wrote them and this one cannot read them."""
    try:
        return engine.read_state(orjson.loads(content))
    except engine.InvalidState:
        return None
