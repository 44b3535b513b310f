"""The record of an anchored game: a list of entries, one a version, each fixed once and for all.

An entry begins with the digest its state's id ends with and the digest of the action that led there, 32 hexadecimal
digits each, so that a script can compare them without reading the rest, which is anchor.py's. All that a step of a game
changes (its chain and the new state, whose keys share a tag) is changed by one script in one round trip, and sending
it again does no harm: who lost the answer gets it.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from service.config import Config
from service.lru import Lru
from service.store import MemoryStore, RedisStore, Script, Store, StoreUnavailable, state_key

DIGEST = 32
PREFIX = 2 * DIGEST
TRIES = 5

# KEYS: chain, state · ARGV: entry, document, seconds. `there`: the entry that stands where this one should.
# Every path writes, so that WAIT has something to wait for.
FIX = """
if not there then redis.call('RPUSH', KEYS[1], ARGV[1]) end
redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return {there and 'same' or 'done'}
"""

BEGIN = Script("""
local there = redis.call('LINDEX', KEYS[1], 0)
if there and string.sub(there, 1, 32) ~= string.sub(ARGV[1], 1, 32) then
  return {'superseded', string.sub(redis.call('LINDEX', KEYS[1], -1), 1, 32)}
end
""" + FIX)

# ARGV goes on: version and digest of the state that is left.
ADVANCE = Script("""
local last = redis.call('LINDEX', KEYS[1], -1)
if not last then return {'lost'} end
local left = redis.call('LINDEX', KEYS[1], ARGV[4])
local there = redis.call('LINDEX', KEYS[1], ARGV[4] + 1)
if not left or string.sub(left, 1, 32) ~= ARGV[5]
    or there and string.sub(there, 1, 64) ~= string.sub(ARGV[1], 1, 64) then
  return {'superseded', string.sub(last, 1, 32)}
end
""" + FIX)

# KEYS: chain. Its first and last entry, and how many there are.
ENDS = Script("""
local length = redis.call('LLEN', KEYS[1])
if length == 0 then return {} end
return {redis.call('LINDEX', KEYS[1], 0), redis.call('LINDEX', KEYS[1], -1), length}
""")

# KEYS: chain · ARGV: first and last version. The prefixes of these entries, and before them that of the last of all.
PREFIXES = Script("""
local found = {}
local last = redis.call('LINDEX', KEYS[1], -1)
if not last then return found end
found[1] = string.sub(last, 1, 64)
for number, entry in ipairs(redis.call('LRANGE', KEYS[1], ARGV[1], ARGV[2])) do
  found[number + 1] = string.sub(entry, 1, 64)
end
return found
""")

# KEYS: chain, its states · ARGV: how many entries it has. Nothing is forgotten of a chain that has grown meanwhile.
FORGET = Script("""
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
for _, key in ipairs(KEYS) do redis.call('DEL', key) end
return 1
""")


class Verdict(NamedTuple):
    """What became of a step: `done`, `same` (it had been done), `superseded` (by what leads to `head`) or `lost`."""

    word: str
    head: str = ""

    @property
    def fixed(self) -> bool:
        return self.word in ("done", "same")


class Step(NamedTuple):
    """What is to be fixed: the entry, the state's id and document; and the id and version of the state that is left."""

    entry: bytes
    state_id: str
    document: bytes
    left: str = ""
    version: int = -1


class Ends(NamedTuple):
    """The first and the last entry of a chain, and the version of the last."""

    first: bytes
    last: bytes
    version: int


class Chains(Protocol):
    """The chains of all games. Every method raises StoreUnavailable when they cannot be reached."""

    def begin(self, step: Step) -> Verdict:
        """Fix the first state of a game; a chain that begins with it already stays as it is."""
        ...

    def advance(self, step: Step) -> Verdict:
        """Fix the successor of a state, if it has none yet."""
        ...

    def version(self, game_id: str) -> int | None:
        """The version of the last entry; None if there is no chain."""
        ...

    def ends(self, game_id: str) -> Ends | None: ...

    def entries(self, game_id: str, first: int, last: int) -> list[bytes]:
        """The entries of these versions, as far as there are any."""
        ...

    def prefixes(self, game_id: str, first: int, last: int) -> list[bytes]:
        """How the last entry of all begins, then how the entries of these versions do; empty if there is no chain."""
        ...

    def forget(self, game_id: str) -> bool:
        """Forget a chain and all its states; whether there was one."""
        ...


def open_chains(store: Store, config: Config) -> Chains:
    """The chains that lie in a store."""
    if isinstance(store, RedisStore):
        return RedisChains(store, config)
    return MemoryChains(store, config) if isinstance(store, MemoryStore) else NoChains()


def chain_key(game_id: str) -> str:
    """Where a chain lies; the id of a game is its tag."""
    return f"kaijudge:{{{game_id[2:]}}}:chain"


def game_of(state_id: str) -> str:
    return "g_" + state_id.split("_")[1]


def digest_of(state_id: str) -> bytes:
    return state_id[-DIGEST:].encode()


def state_of(game_id: str, entry: bytes) -> str:
    """The id of the state that an entry is about."""
    return f"s_{game_id[2:]}_{entry[:DIGEST].decode()}"


class RedisChains:
    """Chains in Redis; with replicas, a step counts only once enough of them have it."""

    def __init__(self, store: RedisStore, config: Config) -> None:
        self._store = store
        self._seconds = config.game_ttl
        self._replicas = config.anchor_replicas
        self._wait = (("WAIT", config.anchor_replicas, config.anchor_timeout),) if config.anchor_replicas else ()

    def begin(self, step: Step) -> Verdict:
        return self._fix(BEGIN, step)

    def advance(self, step: Step) -> Verdict:
        return self._fix(ADVANCE, step, step.version, digest_of(step.left))

    def _fix(self, script: Script, step: Step, *more: int | bytes) -> Verdict:
        game_id = game_of(step.state_id)
        keys = (chain_key(game_id), state_key(step.state_id))
        values = (step.entry, step.document, self._seconds, *more)
        told, *acknowledged = self._store.call(script, keys, values, *self._wait)
        verdict = _verdict(game_id, told)
        if acknowledged and verdict.fixed and acknowledged[0] < self._replicas:
            raise StoreUnavailable
        return verdict

    def version(self, game_id: str) -> int | None:
        length: int = self._store.run(("LLEN", chain_key(game_id)))[0]
        return length - 1 if length else None

    def ends(self, game_id: str) -> Ends | None:
        found = self._store.call(ENDS, (chain_key(game_id),), ())[0]
        return Ends(found[0], found[1], found[2] - 1) if found else None

    def entries(self, game_id: str, first: int, last: int) -> list[bytes]:
        found: list[bytes] = self._store.run(("LRANGE", chain_key(game_id), first, last))[0]
        return found

    def prefixes(self, game_id: str, first: int, last: int) -> list[bytes]:
        found: list[bytes] = self._store.call(PREFIXES, (chain_key(game_id),), (first, last))[0]
        return found

    def forget(self, game_id: str) -> bool:
        for _ in range(TRIES):
            entries = self.prefixes(game_id, 0, -1)[1:]
            if not entries:
                return False
            keys = (chain_key(game_id), *(state_key(state_of(game_id, each)) for each in entries))
            if self._store.call(FORGET, keys, (len(entries),))[0]:
                return True
        raise StoreUnavailable


def _verdict(game_id: str, told: list[bytes]) -> Verdict:
    """What a script said."""
    word, *head = told
    return Verdict(word.decode(), state_of(game_id, head[0]) if head else "")


class MemoryChains:
    """Chains inside one process; a lock makes each step one."""

    def __init__(self, store: MemoryStore, config: Config) -> None:
        self._store = store
        self._seconds = config.game_ttl
        self._chains: Lru[list[bytes]] = Lru(config.memory_values)
        self._lock = self._chains.lock

    def begin(self, step: Step) -> Verdict:
        with self._lock:
            chain = self._chains.get(game_of(step.state_id)) or []
            if chain and chain[0][:DIGEST] != step.entry[:DIGEST]:
                return self._superseded(step, chain)
            return self._fix(step, chain, 0)

    def advance(self, step: Step) -> Verdict:
        with self._lock:
            chain = self._chains.get(game_of(step.state_id))
            if chain is None:
                return Verdict("lost")
            left, after = chain[step.version : step.version + 1], chain[step.version + 1 : step.version + 2]
            if not left or left[0][:DIGEST] != digest_of(step.left):
                return self._superseded(step, chain)
            if after and after[0][:PREFIX] != step.entry[:PREFIX]:
                return self._superseded(step, chain)
            return self._fix(step, chain, step.version + 1)

    def _fix(self, step: Step, chain: list[bytes], version: int) -> Verdict:
        """Put an entry where there is none, and keep all of the game for a time from now on."""
        same = len(chain) > version
        kept = chain if same else [*chain, step.entry]
        self._chains.put(game_of(step.state_id), kept, self._seconds)
        self._store.put(state_key(step.state_id), step.document, self._seconds)
        return Verdict("same" if same else "done")

    def _superseded(self, step: Step, chain: list[bytes]) -> Verdict:
        return Verdict("superseded", state_of(game_of(step.state_id), chain[-1]))

    def version(self, game_id: str) -> int | None:
        chain = self._chains.get(game_id)
        return None if chain is None else len(chain) - 1

    def ends(self, game_id: str) -> Ends | None:
        chain = self._chains.get(game_id)
        return None if chain is None else Ends(chain[0], chain[-1], len(chain) - 1)

    def entries(self, game_id: str, first: int, last: int) -> list[bytes]:
        return (self._chains.get(game_id) or [])[first : last + 1]

    def prefixes(self, game_id: str, first: int, last: int) -> list[bytes]:
        chain = self._chains.get(game_id)
        return [] if chain is None else [each[:PREFIX] for each in (chain[-1], *chain[first : last + 1])]

    def forget(self, game_id: str) -> bool:
        with self._lock:
            chain = self._chains.get(game_id)
            self._chains.drop(game_id)
        for entry in chain or ():
            self._store.drop(state_key(state_of(game_id, entry)))
        return chain is not None


class NoChains:
    """No store: no game can be anchored."""

    def begin(self, step: Step) -> Verdict:
        raise StoreUnavailable

    def advance(self, step: Step) -> Verdict:
        raise StoreUnavailable

    def version(self, game_id: str) -> int | None:
        raise StoreUnavailable

    def ends(self, game_id: str) -> Ends | None:
        raise StoreUnavailable

    def entries(self, game_id: str, first: int, last: int) -> list[bytes]:
        raise StoreUnavailable

    def prefixes(self, game_id: str, first: int, last: int) -> list[bytes]:
        raise StoreUnavailable

    def forget(self, game_id: str) -> bool:
        raise StoreUnavailable
