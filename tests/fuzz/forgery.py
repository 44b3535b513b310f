"""Forgery: changes to a state by somebody who has read the engine, and wants it to believe what never happened."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

import engine
from engine.checks import MARKS
from engine.frames import STEPS, parameters
from engine.state import FACES, GROUPS, PHASES, PLACES
from tests.fuzz.corpus import CARDS, WORDS, Corpus, Document
from tests.fuzz.mutations import Mutation

AMOUNTS = (0, 0, 1, 1, 2, 3, 4, 6, 8, 9, 12, 67, 10**9)
REASONS = ("yielded", "died", "gone", "evicted")


class Forger:
    """Makes up values that fit a game of so many seats."""

    def __init__(self, document: Document, random: Random) -> None:
        self.random = random
        self.seats = max(1, len(document["players"]))
        held = [card["card"] for player in document["players"] for card in player["cards"]]
        self.cards = [*document["market"], *held] or CARDS

    def seat(self) -> int:
        return self.random.randrange(self.seats)

    def amount(self) -> int:
        return self.random.choice(AMOUNTS)

    def flag(self) -> bool:
        return self.random.random() < 0.5

    def card(self) -> str:
        return self.random.choice(self.random.choice((self.cards, self.cards, CARDS)))

    def text(self) -> str:
        return self.random.choice((self.random.choice(WORDS), self.card()))

    def some(self, make: Callable[[], Any]) -> list[Any]:
        return [make() for _ in range(self.random.choice((0, 1, 1, 2, 3, 6)))]

    def face(self) -> str:
        return self.random.choice(FACES)

    def order(self) -> list[str]:
        return self.random.sample(GROUPS, len(GROUPS))

    def maybe_seat(self) -> int | None:
        return self.seat() if self.flag() else None

    def hit(self) -> Document:
        return {
            "seat": self.seat(), "amount": self.amount(), "dealer": self.maybe_seat(), "claw": self.flag(),
            "rulings": ["G-01"], "done": self.some(self.text),
        }  # fmt: skip

    def later(self) -> list[Any]:
        """A frame that waits for faces."""
        name = self.random.choice([name for name in sorted(STEPS) if "faces" in parameters(name)])
        return [name, {key: value for key, value in self.args(name).items() if key != "faces"}]

    def args(self, name: str) -> Document:
        return {key: self.value(str(annotation)) for key, annotation in parameters(name).items()}

    def frame(self) -> list[Any]:
        name = self.random.choice(sorted(STEPS))
        return [name, self.args(name)]

    def value(self, annotation: str) -> Any:
        """A value of a step's parameter."""
        return {
            "Seat": self.seat, "Seat | None": self.maybe_seat, "int": self.amount, "bool": self.flag, "str": self.text,
            "CardId": self.card, "Hit": self.hit, "Waiting": self.later, "Order": self.order,
            "list[Seat]": lambda: self.some(self.seat), "list[int]": lambda: self.some(self.amount),
            "list[str]": lambda: self.some(self.text), "list[Face]": lambda: self.some(self.face),
            "list[CardId]": lambda: self.some(self.card),
        }[annotation]()  # fmt: skip

    def by_seat(self) -> Document:
        return {str(self.seat()): "G-01" for _ in range(self.random.choice((1, 2)))}

    def mark(self, name: str) -> Any:
        """A value of something a turn remembers."""
        made: dict[str, Callable[[], Any]] = {
            "fewer": lambda: self.random.randrange(9), "vacated": self.vacated, "bay_closed": lambda: True,
            "alone": lambda: True, "shields": self.by_seat, "dodged": self.by_seat, "peeked": self.seat,
            "probed": lambda: self.random.choice(("changed", "final", "unchanged")),
            "revealed": lambda: self.some(self.card),
            "offers": self.amount, "culled": self.amount, "peeks": self.amount,
        }  # fmt: skip
        return made.get(name, lambda: self.some(self.seat))()

    def vacated(self) -> Document:
        return {self.random.choice(PLACES[1:]): self.random.choice(REASONS)}


# The part that says how to go on


def add_frame(document: Any, random: Random, corpus: Corpus) -> None:
    """A frame of another game, or one made up, somewhere on the stack."""
    stack = document["resume"]["stack"]
    made = copy.deepcopy(random.choice(corpus.frames)) if random.random() < 0.5 else Forger(document, random).frame()
    stack.insert(random.randrange(1, len(stack) + 2), made)


def replace_frame(document: Any, random: Random, corpus: Corpus) -> None:
    stack = document["resume"]["stack"]
    if stack:
        made = random.choice(corpus.frames) if random.random() < 0.5 else Forger(document, random).frame()
        stack[random.randrange(len(stack))] = copy.deepcopy(made)


def drop_frame(document: Any, random: Random, _: Corpus) -> None:
    stack = document["resume"]["stack"]
    if len(stack) > 1:
        del stack[random.randrange(1, len(stack))]


def move_frame(document: Any, random: Random, _: Corpus) -> None:
    """Frames in another order, or one of them twice."""
    stack = document["resume"]["stack"]
    if len(stack) > 1:
        frame = stack[random.randrange(1, len(stack))]
        if random.random() < 0.5:
            stack.remove(frame)
        stack.insert(random.randrange(1, len(stack) + 1), copy.deepcopy(frame))


def alter_frame(document: Any, random: Random, _: Corpus) -> None:
    """Another value that fits the parameter of a step."""
    frames = [frame for frame in document["resume"]["stack"] if frame[0] in STEPS and frame[1]]
    if frames:
        name, args = random.choice(frames)
        made = Forger(document, random).args(name)
        key = random.choice([*made])
        args[key] = made[key]


def borrow_stack(document: Any, random: Random, corpus: Corpus) -> None:
    document["resume"]["stack"] = copy.deepcopy(random.choice(corpus.moments).document["resume"]["stack"])


def add_mark(document: Any, random: Random, corpus: Corpus) -> None:
    name = random.choice(sorted(MARKS))
    value = Forger(document, random).mark(name)
    if corpus.marks and random.random() < 0.3:
        name, value = copy.deepcopy(random.choice(corpus.marks))
    document["resume"]["marks"][name] = value


def drop_mark(document: Any, random: Random, _: Corpus) -> None:
    marks = document["resume"]["marks"]
    if marks:
        del marks[random.choice([*marks])]


def add_turn(document: Any, random: Random, _: Corpus) -> None:
    forger = Forger(document, random)
    document["resume"]["extra_turns"].append([forger.seat(), random.randrange(9), forger.flag()])


# The position


def move_card(document: Any, random: Random, _: Corpus) -> None:
    """A card lies elsewhere."""
    piles = [document["market"], document["discard"], document["secrets"]["deck"]]
    piles += [player["cards"] for player in document["players"]]
    source, target = random.choice([pile for pile in piles if pile] or piles), random.choice(piles)
    if not source:
        return
    card = source.pop(random.randrange(len(source)))
    name = card["card"] if type(card) is dict else card
    target.insert(random.randrange(len(target) + 1), {"card": name} if target in piles[3:] else name)


def lose_cards(document: Any, random: Random, _: Corpus) -> None:
    """The deck, the market or the discard runs short."""
    pile = random.choice((document["market"], document["discard"], document["secrets"]["deck"]))
    del pile[random.randrange(len(pile) + 1) :]


def alter_player(document: Any, random: Random, _: Corpus) -> None:
    player = random.choice(document["players"])
    name = random.choice(("hearts", "vp", "energy", "poison", "shrink", "place"))
    values = {"place": PLACES, "hearts": range(11), "vp": (0, 19, 20, 25, 10**9), "energy": (0, 1, 2, 7, 30, 10**6)}
    player[name] = random.choice(values.get(name, range(4)))


def bury(document: Any, random: Random, _: Corpus) -> None:
    """A player is out of the game, or back in it."""
    player = random.choice(document["players"])
    if player["eliminated"]:
        player.update(eliminated=False, hearts=random.randrange(1, 11))
        return
    document["discard"] += [card["card"] for card in player["cards"]]
    player.update(eliminated=True, hearts=0, max_hearts=10, energy=0, poison=0, shrink=0, cards=[], place="outside")


def alter_card(document: Any, random: Random, _: Corpus) -> None:
    """Something else lies on a card, or it copies another one."""
    held = [(player["id"], card) for player in document["players"] for card in player["cards"]]
    if not held:
        return
    (_, card), (owner, other) = random.choice(held), random.choice(held)
    card[random.choice(("charges", "paid"))] = random.choice(AMOUNTS)
    if random.random() < 0.5:
        card["copies"] = {"player": owner, "card": other["card"]}


def alter_turn(document: Any, random: Random, _: Corpus) -> None:
    turn, players = document["turn"], document["players"]
    document["phase"] = random.choice((document["phase"], *PHASES[:-1]))
    key = random.choice(("player", "rolls_used", "rolls_allowed", "number"))
    turn[key] = random.choice(players)["id"] if key == "player" else random.choice((0, 1, 2, 3, 4, 1000))


def alter_dice(document: Any, random: Random, _: Corpus) -> None:
    faces = random.choices(FACES, k=random.choice((0, 5, 6, 6, 7, 8)))
    document["dice"] = [{"face": face} if n < 6 else {"face": face, "green": True} for n, face in enumerate(faces)]


def alter_options(document: Any, random: Random, _: Corpus) -> None:
    options = document["options"]
    name = random.choice(("bay", "dice", "edition"))
    if name == "bay":
        options["bay"] = not options["bay"]
    elif name == "dice":
        options["dice"] = "client" if options["dice"] == "server" else "server"
    else:
        document["edition"] = random.choice([*engine.EDITIONS])


FORGED: tuple[Mutation, ...] = (
    add_frame, add_frame, replace_frame, drop_frame, move_frame, alter_frame, alter_frame, borrow_stack, add_mark,
    add_mark, drop_mark, add_turn, move_card, lose_cards, alter_player, alter_player, bury, alter_card, alter_turn,
    alter_dice, alter_options,
)  # fmt: skip


# Making it fit


class Whatever:
    """Equal to everything: stands for the decision that the state itself leads to."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return True


def repair(document: Document) -> Document:
    """The document with what can be worked out from the rest put right, as far as that goes."""
    document["deck_size"] = len(document["secrets"]["deck"])
    if document["outcome"] is not None:
        return document
    told = document["decision"]
    try:
        state = engine.read_state({**document, "decision": Whatever()})
        assert state.decision is not None
        document["decision"] = engine.write_decision(state, state.decision)
    except engine.InvalidState:
        document["decision"] = told
    return document
