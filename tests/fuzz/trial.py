"""One input after another, each by its number: the same number always makes the same input."""

from __future__ import annotations

import copy
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from types import FrameType
from typing import Any

import orjson

import engine
from service import wire
from service.problems import Refusal
from tests.fuzz import posting
from tests.fuzz.corpus import Corpus
from tests.fuzz.forgery import FORGED, repair
from tests.fuzz.judge import judge_action, judge_state
from tests.fuzz.mutations import ANY, OF_AN_ACTION, Mutation, scramble

IN_A_ROUND = 500
SECONDS = 5  # of computing, for one input


class Broken(AssertionError):
    """An input that was neither refused nor played on lawfully; says how to see it again."""


class Slow(BaseException):
    """An input that keeps the engine busy; no Exception, or the nets of the engine and the service would catch it."""


def verdicts(number: int) -> Iterator[str]:
    """The verdicts on all inputs of a round; Broken is given, not raised, as its text."""
    corpus = Corpus(number)
    for index in range(IN_A_ROUND):
        try:
            yield trial(corpus, number, index)
        except Broken as broken:
            yield f"BROKEN {broken}"


def trial(corpus: Corpus, number: int, index: int) -> str:
    """The verdict on one input: its kind, and what became of it."""
    random = Random(f"{number}/{index}")
    kind = random.choice(KINDS)
    try:
        with watched():
            return f"{kind.__name__} {kind(corpus, random)}"
    except (Exception, Slow) as error:
        told = f"{type(error).__name__}: {error}"[:1000]
        raise Broken(f"{told}\n  python -m tests.fuzz --show {number}/{index}") from error


@contextmanager
def watched() -> Iterator[None]:
    """Raise Slow within, when it takes too much computing."""

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise Slow(f"not done after {SECONDS} s")

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


# The kinds of input


def mutated(good: Any, mutations: tuple[Mutation, ...], random: Random, corpus: Corpus) -> Any:
    """A copy of a document with some mutations."""
    document = copy.deepcopy(good)
    for mutation in random.choices(mutations, k=random.choice((1, 1, 2, 3, 5))):
        if document:
            mutation(document, random, corpus)
    return document


def some_state(corpus: Corpus, random: Random) -> Any:
    return random.choice(corpus.moments).document


def damaged(corpus: Corpus, random: Random) -> str:
    return judge_state(mutated(some_state(corpus, random), ANY, random, corpus), random)


def forged(corpus: Corpus, random: Random) -> str:
    return judge_state(repair(mutated(some_state(corpus, random), FORGED, random, corpus)), random)


def scrambled(corpus: Corpus, random: Random) -> str:
    """A state whose bytes were changed."""
    try:
        document = wire.parse(scramble(orjson.dumps(some_state(corpus, random)), random))
    except Refusal:
        return "refused"
    return judge_state(document, random)


def misspelt(corpus: Corpus, random: Random) -> str:
    """An action that was changed."""
    moment = random.choice([each for each in corpus.moments if each.actions])
    action = mutated(random.choice(moment.actions), OF_AN_ACTION, random, corpus)
    return judge_action(engine.read_state(moment.document), action)


def posted(corpus: Corpus, random: Random) -> str:
    """A state that was changed, over HTTP."""
    if random.random() < 0.2:
        return posting.judge(scramble(orjson.dumps(some_state(corpus, random)), random), random)
    ways = (ANY, FORGED, FORGED)
    document = mutated(some_state(corpus, random), random.choice(ways), random, corpus)
    return posting.judge(posting.written(document), random)


def posted_well(corpus: Corpus, random: Random) -> str:
    """A forged state that fits, over HTTP."""
    document = repair(mutated(some_state(corpus, random), FORGED, random, corpus))
    return posting.judge(posting.written(document), random)


KINDS = (damaged, damaged, forged, forged, forged, scrambled, misspelt, posted, posted_well)
