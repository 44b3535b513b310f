"""State documents: how they come in, and how they go out with their id."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hmac import compare_digest
from typing import Any

import orjson

import engine
from engine import Action, Problem, State
from engine.proof import joined
from engine.state import Options
from service import metrics, record, schemas, seal
from service.keyring import Key, KeyRing
from service.problems import PROBLEMS, Refusal, refuse_document, unavailable
from service.record import timed
from service.schemas import StateEnvelope
from service.seal import BrokenSeal
from service.shelf import Recent, Shelf, Told, document_of
from service.store import StoreUnavailable
from service.wire import canonical, is_sealed

Values = dict[str, Any]

STATE_ID = re.compile(schemas.STATE_ID)
NO_STORE = "States cannot be looked up just now: send the whole state"
WAITING, LAST = "kaijudge.waiting", "kaijudge.last"  # what a request remembers: states to be kept, the state last read
NO_KEYS = "needs keys, and this server has none: its setting KAIJUDGE_KEYS is empty"
FREE = "free"
SEED_BYTES = 32  # of a seed that is drawn
GONE = "No state of this id is kept here: send the whole state"

# What the engine may stumble over in a document that was written by hand.
FAULTS = (engine.Bug, AssertionError, ArithmeticError, LookupError, StopIteration, TypeError, ValueError)
logger = logging.getLogger("kaijudge.states")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A state, and how it came: `sent` as a document, found by its id, or made here. `key` sealed it, if one did.

    `told` is its document, or `content` are the bytes of it, where they are at hand.
    """

    state: State
    told: Values | None = None
    told_id: str | None = None
    key: str = ""
    sent: bool = False
    content: bytes = b""

    @property
    def document(self) -> Values:
        if self.told is not None:
            return self.told
        if self.content and self.told_id:
            document: Values = orjson.loads(document_of(self.told_id, self.content))
            return document
        return write_document(self.state, self.key)

    @property
    def decision(self) -> Values | None:
        """What is awaited; None when the game is over."""
        return None if self.state.decision is None else engine.write_decision(self.state, self.state.decision)

    @property
    def state_id(self) -> str:
        return self.told_id or engine.state_id(self.document, canonical)


# Coming in


def load_state(body: Any, envelope: StateEnvelope = schemas.STATE) -> Loaded:
    """The state of a request's body."""
    if type(body) is not dict or body.keys() not in envelope.usual:
        check_envelope(envelope, body)
    if "state" in body:
        return read_document(body["state"])
    state_id = body["state_id"]
    if type(state_id) is not str or not STATE_ID.fullmatch(state_id):
        schemas.check(envelope, body)
    return find_state(state_id)


def check_envelope(envelope: StateEnvelope, body: Any) -> None:
    """Refuse a body that is not what it should be; a broken seal is refused before anything else."""
    if type(body) is dict and is_sealed(body.get("state")):
        read_document(body["state"])
    if type(body) is dict and type(body.get("state")) is Loaded:
        body = {**body, "state": {}}  # an object is all that an envelope asks for
    schemas.check(envelope, body)


def load_move(body: Any) -> tuple[Loaded, Action]:
    """The state and the action of a request's body."""
    loaded = load_state(body, schemas.MOVE)
    try:
        return loaded, engine.read_action(body["action"])
    except engine.InvalidAction as error:
        raise refuse_document("schema-violation", error.problems, "/action") from None


def find_state(state_id: str) -> Loaded:
    """A state by its id, which was checked when it was told; a refusal when it is gone or cannot be looked up."""
    try:
        found = shelf().find(state_id)
    except StoreUnavailable:
        raise unavailable("store-unavailable", NO_STORE) from None
    except BrokenSeal:
        raise refuse_seal() from None
    if found is None:
        raise Refusal("state-not-found", GONE)
    return found_state(state_id, found, sent=False)


def found_state(state_id: str, found: Recent, sent: bool) -> Loaded:
    return Loaded(found.state, None, state_id, found.key, sent, found.content)


def find_content(state_id: str) -> bytes:
    """The document of a state by its id, as bytes; a refusal when it is gone or cannot be looked up."""
    try:
        kept = shelf().look_up(state_id) if STATE_ID.fullmatch(state_id) else None
    except StoreUnavailable:
        raise unavailable("store-unavailable", NO_STORE) from None
    except BrokenSeal:
        raise refuse_seal() from None
    if kept is None:
        raise Refusal("state-not-found", GONE)
    return document_of(state_id, kept.content)


def shelf() -> Shelf:
    found: Shelf = record.current().parts["kaijudge.shelf"]
    return found


def ring() -> KeyRing:
    found: KeyRing = record.current().parts["kaijudge.keys"]
    return found


def read_document(document: Values | Loaded) -> Loaded:
    """A state from its document, which must be whole, possible, and what its id says; or one that is loaded already."""
    if isinstance(document, Loaded):
        return document
    environ = record.current().environ
    last: Loaded | None = environ.get(LAST)
    if last is not None and last.told is document:
        return last
    loaded = open_document(document) if is_sealed(document) else known_plain(document) or new_state(document)
    environ[LAST] = loaded
    return loaded


def known_plain(document: Values) -> Loaded | None:
    """The state of a document that was told or read here a moment ago, and so was checked; None of any other."""
    told = document.get("state_id") if type(document) is dict else None
    found = shelf().known(told) if type(told) is str else None
    if found is None or found.content != content_of(document):
        return None
    return Loaded(found.state, document, told, sent=True)


def new_state(document: Values, content: bytes = b"") -> Loaded:
    """The state of a document, once it has passed every check; `content` are its canonical bytes, if they are known."""
    try:
        state = engine.read_state(document)
    except engine.InvalidState as error:
        slug = "schema-violation" if error.malformed else "invalid-state"
        raise refuse_document(slug, error.problems, "/state") from None
    if "state_id" not in document:
        return Loaded(state, document, sent=True)
    content = content or content_of(document)
    state_id = checked_id(state, content, document["state_id"])
    shelf().remember(Told(state_id, state, content))
    return Loaded(state, document, state_id, sent=True)


def open_document(document: Values) -> Loaded:
    """A state from its sealed document. Whatever is wrong with that, no more is said than that its seal is broken."""
    try:
        return known_sealed(document) or new_sealed(document)
    except (BrokenSeal, engine.InvalidState):
        raise refuse_seal() from None


def known_sealed(document: Values) -> Loaded | None:
    """The state of a sealed document that is, to the byte, one that was told or opened here a moment ago."""
    told = document.get("state_id")
    found = shelf().known(told) if type(told) is str else None
    kept = seal.kept_of(document)
    if found is None or kept is None or not compare_digest(found.content, kept):
        return None
    return Loaded(found.state, document, told, found.key, sent=True)


def new_sealed(document: Values) -> Loaded:
    """The state of a sealed document, once its seal is opened and found to be that of all the rest, its id included."""
    opened = seal.open_document(ring(), document)
    state_id = engine.state_id(opened.document, canonical)
    if document.get("state_id", state_id) != state_id:
        raise BrokenSeal
    state = engine.read_state(opened.document)
    shelf().remember(Told(state_id, state, seal.kept_of(document) or b"", opened.key))
    return Loaded(state, document, state_id, opened.key, sent=True)


def refuse_seal() -> Refusal:
    """The one refusal of whatever carries a seal that is not ours: to say why would tell what lies under it."""
    return Refusal("seal-invalid", PROBLEMS["seal-invalid"].meaning)


def content_of(document: Values) -> bytes:
    """The canonical bytes of a document, which its id is over."""
    return canonical({name: value for name, value in document.items() if name != "state_id"})


def checked_id(state: State, content: bytes, told: Any) -> str:
    """The id that comes with a document, which must be that document's."""
    if type(told) is not str:
        raise refuse_document("schema-violation", [Problem("/state_id", "must be a text")], "/state")
    if told != engine.id_of(state.game_id, content):
        raise refuse_document("invalid-state", [Problem("/state_id", "does not belong to this content")], "/state")
    return told


# Going on


def new_game(asked: Values, prefix: str = "") -> engine.Result:
    """The game that is asked for, or a refusal that lists all that makes it impossible; without a seed one is drawn."""
    try:
        made = engine.new_game(asked, asked["seed"] if "seed" in asked else draw_seed(asked.get("client_seed")))
    except engine.InvalidState as error:
        raise refuse_document("invalid-state", error.problems, prefix) from None
    check_keys(made.state.options, prefix)
    return made


def draw_seed(client_seed: str | None) -> str:
    """A seed that nobody can guess, whatever the client adds to it."""
    return joined(secrets.token_hex(SEED_BYTES), client_seed)


def check_keys(options: Options, prefix: str = "") -> None:
    """Refuse a game that needs keys where there are none."""
    needing = [name for name, value in (("secrets", "sealed"), ("auth", "seats")) if getattr(options, name) == value]
    if needing and not ring():
        problems = [Problem(f"/options/{name}", NO_KEYS) for name in needing]
        raise refuse_document("invalid-state", problems, prefix)


@timed("rules")
def apply(state: State, action: Action) -> engine.Result:
    """What the engine makes of an action; an illegal one is refused with the decision that is awaited."""
    record.current().acted(action.type)
    try:
        result = engine.apply(state, action)
        if state.options.history == FREE:  # an anchored game has moved only once that is recorded
            metrics.adjudicated(action.type, metrics.ACCEPTED)
        return result
    except engine.IllegalAction as error:
        raise refuse_action(state, action, error) from None


def check_legal(state: State, action: Action) -> None:
    """Refuse an action as `apply` would, but apply nothing: what chance would make of it is not worked out."""
    violations = engine.validate(state, action)
    if violations:
        raise refuse_action(state, action, engine.IllegalAction(violations))


def apply_told(loaded: Loaded, action: Action) -> engine.Result:
    """The same for a state that a client may have told: what no game left there cannot be continued, and is refused.

    A state of our own that cannot be continued is our fault, and stays one.
    """
    try:
        return apply(loaded.state, action)
    except FAULTS as fault:
        if not loaded.sent or loaded.key:
            raise
        logger.warning("unplayable state", exc_info=fault)
        problem = Problem("/resume", "no game is left so: it cannot be continued")
        raise refuse_document("invalid-state", [problem], "/state") from None


def odds(state: State, dice: list[int]) -> Values:
    """The exact distribution of a reroll of these dice."""
    try:
        return engine.reroll_odds(state, dice)
    except engine.IllegalAction as error:
        raise refuse_illegal(state, error) from None


def refuse_action(state: State, action: Action, error: engine.IllegalAction) -> Refusal:
    """The refusal of an action: of every one once the game is over, else of what the rules do not allow."""
    metrics.adjudicated(action.type, error.violations[0].code)
    if state.outcome is not None:
        return Refusal("game-over", "The game is over", outcome=engine.write_state(state)["outcome"])
    return refuse_illegal(state, error)


def refuse_illegal(state: State, error: engine.IllegalAction) -> Refusal:
    """The refusal of what the rules do not allow, with the decision that is awaited, if one is."""
    violations = [each._asdict() for each in error.violations]
    decision = state.decision
    awaited = {} if decision is None else {"decision": engine.write_decision(state, decision)}
    return Refusal("illegal-action", violations[0]["detail"], violations=violations, **awaited)


# Going out


def write_document(state: State, key: str = "") -> Values:
    """The whole document of a state, its id included, as it is told: sealed with this key if the game is sealed."""
    return written(state, key)[0]


def issue(state: State, key: str = "") -> Told:
    """A new state as it is told, and kept under its id; a sealed one goes on with its key."""
    told = written(state, key)[1]
    waiting = record.current().environ.get(WAITING)
    if waiting is None:
        record.current().leave(shelf().begin_keep(told))
    else:
        waiting.append(told)
    return told


@contextmanager
def issued_together() -> Iterator[None]:
    """States issued within are kept at the end, in one round trip for all."""
    waiting: list[Told] = []
    environ = record.current().environ
    environ[WAITING] = waiting
    try:
        yield
    finally:
        del environ[WAITING]
        shelf().keep_all(waiting)


def written(state: State, key: str = "") -> tuple[Values, Told]:
    """The document of a state, and what is kept of it. The id is over the plain bytes, sealed or not."""
    document = engine.write_state(state)
    content = canonical(document)
    state_id = engine.id_of(state.game_id, content)
    if state.options.secrets == "sealed":
        sealing = sealing_key(key)
        key = sealing.id
        document, content = seal.seal_document(sealing, document)
    return {"state_id": state_id, **document}, Told(state_id, state, content, key)


def sealing_key(key: str) -> Key:
    """The key of this id, or the newest where a game has none yet."""
    found = ring().get(key) if key else ring().newest
    assert found is not None
    return found


def write_actions(state: State) -> list[Values]:
    return [engine.write_action(each) for each in engine.legal_actions(state)]
