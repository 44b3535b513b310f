"""States by their id: those this worker has at hand, and those the store keeps for all."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import orjson

import engine
from engine import State
from service import metrics, seal
from service.config import Config
from service.keyring import KeyRing
from service.lines import Ending
from service.lru import Lru
from service.store import Store, StoreUnavailable, at_once, state_key
from service.wire import canonical

LARGEST = 32_768  # bytes of a state that is had at hand


class Told(NamedTuple):
    """A state that is told, what is kept of it, and the id of the key that sealed it, if it is sealed."""

    state_id: str
    state: State
    content: bytes
    key: str = ""

    @property
    def document(self) -> bytes:
        """All of it as it goes out."""
        return document_of(self.state_id, self.content)


class Recent(NamedTuple):
    """A state at hand, the bytes it was told in, and whether the store keeps it, too; the key of a sealed one."""

    state: State
    content: bytes
    kept: bool
    key: str = ""


class Kept(NamedTuple):
    """What the store keeps of a state: the bytes, those of the plain document, and the key, if it is sealed."""

    content: bytes
    plain: bytes
    key: str = ""


class Shelf:
    """Keeps every state that is told, so that a client may send its id instead.

    By id, what is at hand is used only while the store keeps it, too, and is known to be there: a worker's memory must
    not hide that others cannot find a state. A whole state that is sent again needs no store: its content is its proof.
    """

    def __init__(self, store: Store, config: Config, ring: KeyRing) -> None:
        self.store = store
        self._ring = ring
        self._ttl = config.state_ttl
        self._recent: Lru[Recent] = Lru(config.recent_states)

    def begin_keep(self, told: Told) -> Ending:
        """Begin to keep a state for a time, in one round trip, whose end is waited for by calling what is given.

        While the store is away, it is only at hand.
        """
        try:
            begun = self.store.begin_put(state_key(told.state_id), told.content, self._ttl)
        except StoreUnavailable:
            self.remember(told)
            return at_once
        return partial(self._end_keep, told, begun)

    def _end_keep(self, told: Told, ending: Ending) -> None:
        try:
            ending()
            kept = True
        except StoreUnavailable:
            kept = False
        self.remember(told, kept)

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
            self.remember(each, kept)

    def known(self, state_id: str) -> Recent | None:
        """The state of a content with this id, if it is at hand: then it need not be read again."""
        return self._recent.get(state_id)

    def remember(self, told: Told, kept: bool = False) -> None:
        """Have a state at hand that was told, or was sent and read.

        An anchored game may be forgotten: by id, its states are asked of the store each time. One so large that no
        game comes to it was written by hand: many of them would take a worker's memory.
        """
        if len(told.content) > LARGEST:
            return
        kept = kept and told.state.options.history == "free"
        self._recent.put(told.state_id, Recent(told.state, told.content, kept, told.key), self._ttl)

    def find(self, state_id: str) -> Recent | None:
        """A state; None when it is gone. StoreUnavailable while the store is away, BrokenSeal without its key."""
        found = self._recent.get(state_id)
        if found is not None and found.kept and self.store.is_fresh():
            metrics.hit("state")
            return found
        kept = self.look_up(state_id)
        if kept is None:
            return None
        state = _read(kept.plain) if found is None else found.state
        if state is None:
            return None
        self.remember(Told(state_id, state, kept.content, kept.key), kept=True)
        return Recent(state, kept.content, True, kept.key)

    def look_up(self, state_id: str) -> Kept | None:
        """What the store keeps of a state; None when it is gone, or is not what the id says any more."""
        content = self.store.get(state_key(state_id))
        kept = None if content is None else self._opened(content)
        if kept is None or not belongs(state_id, kept.plain):
            metrics.miss("state")
            return None
        metrics.hit("state")
        return kept

    def _opened(self, content: bytes) -> Kept | None:
        """What lies under some bytes of the store; None for the plain bytes of a sealed game, which are never kept."""
        if not content.startswith(seal.BEGINS):
            return None if IN_CLEAR in content else Kept(content, content)
        opened = seal.open_document(self._ring, orjson.loads(content))
        return Kept(content, canonical(opened.document), opened.key)


def document_of(state_id: str, content: bytes) -> bytes:
    """The whole document of a state: what is kept of it, with its id before it."""
    return b'{"state_id":"%s",' % state_id.encode() + content[1:]


IN_CLEAR = b'"secrets":"sealed"'


def belongs(state_id: str, content: bytes) -> bool:
    """Whether bytes are what the id says: whoever can write to the store cannot make us tell of another game."""
    return engine.id_of("g_" + state_id.split("_")[1], content) == state_id


def _read(content: bytes) -> State | None:
    """The state of some bytes; None when an older version wrote them and this one cannot read them."""
    try:
        return engine.read_state(orjson.loads(content))
    except engine.InvalidState:
        return None
