"""A sealed game over HTTP: it is played at random, and at every step everybody tries to learn what is hidden."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

import engine
from engine.state import FACES
from service import seal
from service.keyring import Key, KeyRing
from service.seats import HEADER
from tests.secrecy.search import LONG_WINDOW, WINDOW, Document, Hidden, Leak, mentioned, shown

LAB = "made_in_a_lab"
NEAR = 6  # cards from the top of the fresh deck, the market first, among which the laboratory shall lie
NOTHING: frozenset[str] = frozenset()
NAMES = re.compile(r"\b(d_[0-9a-f]{24}|s_[0-9a-f]+_[0-9a-f]{32}|[Dd]ate: [^\n]+)")

Send = Callable[[str, str, Document | None, dict[str, str]], tuple[int, str]]


class Said(NamedTuple):
    """An answer: its status, all of its text, headers included, and its document."""

    status: int
    text: str
    document: Document


class Table:
    """One game, what is known of it with the key, and the tries at its secrets."""

    def __init__(self, send: Send, ring: KeyRing, asked: Document, random: Random) -> None:
        assert ring.newest is not None
        self.send, self.ring, self.random = send, ring, random
        self.key: Key = ring.newest
        self.counts: Counter[str] = Counter()
        self.tokens: dict[str, str] = {}
        self.state: Document = {}
        self.plain: Document = {}
        self.ever: set[str] = set()
        self._begin(asked)

    def _begin(self, asked: Document) -> None:
        """A game whose laboratory comes soon."""
        while True:
            said = self.ask("POST", "/v1/games", asked)
            assert said.status == 201, said.text
            self._move(said.document["state"])
            if LAB in (*self.plain["market"], *self.plain["secrets"]["deck"][: NEAR - 3]):
                break
        self.tokens = said.document.get("seats", {})
        self.first = self.state
        self.actions: list[Document] = []
        self.ever = set(shown(self.plain))
        self.hidden.search(said.text, NOTHING)

    def _move(self, state: Document) -> None:
        self.state, self.plain = state, seal.open_document(self.ring, state).document
        self.hidden = Hidden(self.plain)

    # Asking

    def ask(
        self, method: str, path: str, body: Document | None = None, player: str | None = None, **headers: str
    ) -> Said:
        """Ask, with the seat of a player if there are seats."""
        self.counts["requests"] += 1
        sent = {**headers, HEADER: self.tokens[player]} if player in self.tokens else headers
        status, text = self.send(method, path, body, sent)
        content = text.partition("\n\n")[2]
        return Said(status, text, json.loads(content) if content.startswith("{") else {})

    def hear(
        self,
        method: str,
        path: str,
        body: Document | None = None,
        player: str | None = None,
        allowed: frozenset[str] | set[str] = NOTHING,
        window: int = WINDOW,
    ) -> Said:
        """Ask, and search the answer; what the client names itself tells it nothing."""
        said = self.ask(method, path, body, player)
        assert said.status < 500, said.text
        named = {key: value for key, value in (body or {}).items() if key != "state"}
        self.hidden.search(said.text, {*allowed, *mentioned(named)}, window)
        return said

    # Playing

    def play(self, most: int) -> None:
        """So many actions, with tries at the secrets before each."""
        for _ in range(most):
            offered = self.hear("POST", "/v1/legal-actions", {"state": self.state}).document["actions"]
            self.try_all()
            if not offered:
                break
            self.act(self.choose(offered))
        self.look_back()

    def choose(self, offered: list[Document]) -> Document:
        """The laboratory first, then its use by who has saved the energy for it, then anything."""
        wanted = [each for each in offered if each.get("card") == LAB]
        if self.owns_lab():
            offered = [each for each in offered if each["type"] not in ("buy", "sweep") or each.get("from") == "deck"]
            wanted += [each for each in offered if each["type"] in ("peek", "buy") and self.random.random() < 0.7]
        kinds: dict[str, list[Document]] = {}
        for each in wanted or offered:
            kinds.setdefault(each["type"], []).append(each)
        if len(kinds) > 1:
            kinds.pop("concede", None)
        action = self.random.choice(kinds[self.random.choice([*kinds])])
        if action["type"] == "dice":
            faces = self.random.choices(FACES, (1, 1, 1, 9, 1, 1), k=self.state["decision"]["count"])
            action = {**action, "faces": faces}
        return action

    def owns_lab(self) -> bool:
        """Whether who is to decide has the laboratory."""
        decision = self.state["decision"] or {}
        cards = (each["cards"] for each in self.state["players"] if each["id"] == decision.get("player"))
        return any(each["card"] == LAB for lying in cards for each in lying)

    def act(self, action: Document) -> None:
        """Move on; the answer may tell what is on the table before and after, and to who looked what it saw."""
        before = self.plain
        once = {"Idempotency-Key": self.random.randbytes(8).hex()} if self.random.random() < 0.2 else {}
        said = self.ask("POST", "/v1/adjudicate?messages=true", self.move(action), action["player"], **once)
        assert said.status == 200, said.text
        self._move(said.document["state"])
        self.actions.append(action)
        self.ever |= self.hidden.shown
        seen = {self.hidden.deck[0]} if action["type"] == "peek" else NOTHING
        self.hidden.search(said.text, {*shown(before), *seen})
        self.check_events(action, said.document["events"])
        self.check_twin(before, action)
        self.counts[action["type"] + (" from the deck" if action.get("from") == "deck" else "")] += 1

    def move(self, action: Document) -> Document:
        by_id = self.random.random() < 0.3
        told = {"state_id": self.state["state_id"]} if by_id else {"state": self.state}
        return {**told, "action": action}

    def check_events(self, action: Document, events: list[Document]) -> None:
        for each in events:
            if "visible_to" in each and each["visible_to"] != [action["player"]]:
                raise Leak(f"{action['player']} is told what is for {each['visible_to']}")
            self.counts[each["type"]] += each["type"] == "too_dear"

    # Trying

    def try_all(self) -> None:
        """What a curious client might ask here, of this game and of another that differs in what is hidden only."""
        twin = self.twin()["sealed"]
        peeker = self.peeker()
        for method, path, body, player in self.questions(peeker):
            said = self.hear(method, path, body, player)
            if body is not None and "state" in body:
                other = self.ask(method, path, {**body, "state": dressed(body["state"], twin)}, player)
                if public(said) != public(other):
                    raise Leak(f"{path} tells games apart that look the same: {said.text}\n{other.text}")
        if peeker is not None:
            self.counts["looks"] += 1
            own = {self.hidden.deck[0]}
            said = self.hear("POST", "/v1/view", {"state": self.state, "player": peeker}, peeker, own)
            assert said.document["seen"] == {"deck_top": self.hidden.deck[0]}

    def peeker(self) -> str | None:
        """Who knows the top card."""
        seat = self.plain["resume"]["marks"].get("peeked")
        return None if seat is None or not self.hidden.deck else self.plain["players"][seat]["id"]

    def questions(self, peeker: str | None) -> Iterator[tuple[str, str, Document | None, str | None]]:
        """Questions, each with who asks it: dry runs and refused actions, all of them when somebody knows a card."""
        state, players = self.state, [each["id"] for each in self.state["players"]]
        guesses = [*self.guesses(players)]
        for action in guesses if peeker is not None else self.random.sample(guesses, 1):
            yield "POST", "/v1/validate", {"state": state, "action": action}, None
            if engine.validate(engine.read_state(self.plain), engine.read_action(action)):
                yield "POST", "/v1/adjudicate", {"state": state, "action": action}, action["player"]
        viewer = self.random.choice([None, *(each for each in players if each != peeker)])
        named = {} if viewer is None else {"player": viewer}
        yield "POST", "/v1/view", {"state": state, **named}, viewer
        yield "POST", "/v1/legal-actions", {"state": state}, None
        if state["dice"]:
            yield "POST", "/v1/odds", {"state": state, "dice": [0]}, None
        if self.random.random() < 0.2:
            yield "GET", f"/v1/states/{state['state_id']}", None, None
            yield "GET", f"/v1/games/{state['game_id']}", None, None
            yield "POST", "/v1/adjudicate", {"state": {**state, "version": 0}, "action": guesses[0]}, players[0]

    def guesses(self, players: list[str]) -> Iterator[Document]:
        """Actions that would tell something, if they were answered carelessly."""
        top = self.hidden.deck[:1] or ["heal"]
        others = (self.random.choice(each or top) for each in (self.hidden.deck, self.state["market"]))
        for card in dict.fromkeys((*top, *others)):
            yield {"type": "buy", "player": self.random.choice(players), "from": "deck", "card": card}
            yield {"type": "buy", "player": self.random.choice(players), "card": card}
        for player in players:
            yield {"type": "peek", "player": player}
            yield {"type": "buy", "player": player, "from": "deck"}
            yield {"type": "roll", "player": player, "faces": ["1"] * 6}

    def look_back(self) -> None:
        """All that the game's past tells to who has no seat."""
        window = LONG_WINDOW  # a deck that was shuffled again may have three cards as they once came
        history = f"/v1/games/{self.state['game_id']}/history?events=true"
        self.hear("GET", history, None, None, self.ever, window)
        body = {"state": self.first, "actions": self.actions}
        self.hear("POST", "/v1/replay?messages=true", body, None, self.ever, window)
        items = [{"id": "x", "op": "legal-actions", "state": self.state}, {"id": "y", "op": "validate", "state": 5}]
        self.hear("POST", "/v1/batch", {"items": items}, None, self.ever)

    # A game that looks the same

    def twin(self) -> Document:
        """The state with another seed and another order of the deck, as sealed as this one."""
        secrets = self.plain["secrets"]
        deck = self.random.sample(secrets["deck"], len(secrets["deck"]))
        plain = {**self.plain, "secrets": {"deck": deck, "seed": self.random.randbytes(32).hex()}}
        return seal.seal_document(self.key, plain)[0]

    def check_twin(self, before: Document, action: Document) -> None:
        """What an action leads to depends on nothing that is hidden, but for the dice and cards it brings to light."""
        twin = {**before, "secrets": {**before["secrets"], "seed": self.random.randbytes(32).hex()}}
        here, there = (
            engine.apply(engine.read_state(each), engine.read_action(action)) for each in (before, twin)
        )
        if here.state.draws != before["resume"]["draws"]:
            return
        plain, other = (engine.write_state(each.state) for each in (here, there))
        del plain["secrets"]["seed"], other["secrets"]["seed"]
        if (plain, here.events) != (other, there.events):
            raise Leak(f"{action} depends on the seed, though nothing was drawn")


def dressed(state: Document, sealed: str) -> Document:
    """A document with another seal, and without its id, which would not be that of the other game."""
    return {name: value for name, value in {**state, "sealed": sealed}.items() if name != "state_id"}


def public(said: Said) -> str:
    """An answer without what names it and when it was given, and without ids, which have the seed's chance in them."""
    return NAMES.sub("…", said.text)
