"""Damage to any JSON value, by somebody who knows the words of the game but not what belongs where."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from tests.fuzz.corpus import CARDS, WORDS, Corpus
from tests.service.spoil import JUNK, Way, at, ways

NUMBERS = (
    0, 1, -1, 2, 3, 7, 8, 64, 255, 999, 1001, 10**6, 10**6 + 1, 10**9, 10**9 + 1, 2**31, 2**53, 2**63 - 1, -(2**63),
    10**30,
)  # fmt: skip

NAMES = ("", "~", "a/b", "0", "state_id", "x" * 300, "\u0000")

Mutation = Callable[[Any, Random, Corpus], None]


def place(document: Any, random: Random) -> tuple[Any, Any]:
    """A holder and a key in it: any value of the document, each part of it with the same chance."""
    way: Way = random.choice([*ways(document)])
    if len(way) > 1 and random.random() < 0.5:  # long lists of cards would be all that is ever damaged
        part = random.choice([*document])
        way = random.choice([(part,), *((part, *below) for below in ways(document[part]))])
    return at(document, way[:-1]), way[-1]


def holders(document: Any, kind: type) -> list[Any]:
    """Every list, or every object, within a document."""
    return [found for found in (at(document, way) for way in ways(document)) if type(found) is kind]


def remove(document: Any, random: Random, _: Corpus) -> None:
    holder, key = place(document, random)
    del holder[key]


def swap(document: Any, random: Random, _: Corpus) -> None:
    """Two values change places."""
    (one, here), (other, there) = place(document, random), place(document, random)
    here_was, there_was = copy.deepcopy(one[here]), copy.deepcopy(other[there])
    one[here] = there_was
    if there in other if type(other) is dict else there < len(other):
        other[there] = here_was


def replant(document: Any, random: Random, _: Corpus) -> None:
    """A value where another was."""
    (holder, key), (other, there) = place(document, random), place(document, random)
    holder[key] = copy.deepcopy(other[there])


def borrow(document: Any, random: Random, corpus: Corpus) -> None:
    """A part of another game's state."""
    other = random.choice(corpus.moments).document
    holder, key = document, random.choice([*other])
    if random.random() < 0.5 and type(other[key]) is dict and type(holder.get(key)) is dict and other[key]:
        holder, other = holder[key], other[key]
        key = random.choice([*other])
    holder[key] = copy.deepcopy(other[key])


def retype(document: Any, random: Random, _: Corpus) -> None:
    """The same value, or nearly, in another type."""
    holder, key = place(document, random)
    value = holder[key]
    forms: list[Any] = [str(value), [value], {"0": value}, bool(value), None, 1.0, {}, []]
    if type(value) is list:
        forms += [dict(enumerate(map(str, value))), len(value), *value[:1]]
    if type(value) is bool:
        forms += [int(value)] * 4
    if type(value) is int:
        forms += [float(value), bool(value)]
    holder[key] = random.choice(forms)


def stretch(document: Any, random: Random, _: Corpus) -> None:
    """A number nearby, or a very large one."""
    numbers = [way for way in ways(document) if type(at(document, way)) is int]
    if numbers:
        way = random.choice(numbers)
        holder, key = at(document, way[:-1]), way[-1]
        holder[key] = random.choice((holder[key] + 1, holder[key] - 1, *random.sample(NUMBERS, 2)))


def reword(document: Any, random: Random, _: Corpus) -> None:
    """A word of the game where another was."""
    texts = [way for way in ways(document) if type(at(document, way)) is str]
    if texts:
        way = random.choice(texts)
        at(document, way[:-1])[way[-1]] = random.choice(random.choice((WORDS, CARDS)))


def junk(document: Any, random: Random, _: Corpus) -> None:
    holder, key = place(document, random)
    holder[key] = copy.deepcopy(random.choice(JUNK))


def relist(document: Any, random: Random, _: Corpus) -> None:
    """A list is shortened, lengthened or shuffled."""
    lists = holders(document, list)
    if not lists:
        return
    found = random.choice(lists)
    how = random.choice(("shorten", "lengthen", "shuffle", "many"))
    if how == "shuffle":
        random.shuffle(found)
    elif how == "shorten":
        del found[random.randrange(len(found) + 1) :]
    elif found:
        found.extend(copy.deepcopy(random.choice(found)) for _ in range(1 if how == "lengthen" else 70))


def rename(document: Any, random: Random, _: Corpus) -> None:
    """A key is added, or a value goes by another key."""
    found = random.choice([document, *holders(document, dict)])
    name = random.choice((random.choice(WORDS), random.choice(CARDS), *NAMES))
    value = random.choice(JUNK)
    if found and random.random() < 0.5:
        value = found.pop(random.choice([*found]))
    found[name] = copy.deepcopy(value)


OF_AN_ACTION: tuple[Mutation, ...] = (remove, swap, replant, retype, stretch, reword, junk, relist, rename)
ANY: tuple[Mutation, ...] = (*OF_AN_ACTION, borrow)


# Bytes

SCRAPS = (
    b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\\u0000", b"\\ud800", b"1", b"-", b"e9", b".5", b"null", b"true",
    b"NaN", b"\xff", b"\x00", b"\xc3\xa9", b" ", b'"mimic"', b'"phase":"buy",', b"0" * 40,
)  # fmt: skip


def scramble(text: bytes, random: Random) -> bytes:
    """A text with some bytes changed, lost, doubled or added."""
    for _ in range(random.choice((1, 1, 2, 4))):
        begin = random.randrange(len(text) + 1)
        end = min(len(text), begin + random.choice((0, 1, 1, 2, 8, 50)))
        scrap = random.choice((random.choice(SCRAPS), text[begin:end] * 2, b"", bytes([random.randrange(256)])))
        text = text[:begin] + scrap + text[end:]
    return text
