"""Chance: a keyed hash that anybody can compute, fair dice, fair shuffles."""

from __future__ import annotations

import hmac
import json
from collections import Counter
from collections.abc import Hashable, Iterable
from itertools import chain, islice, pairwise
from pathlib import Path

import pytest

from engine import rng
from engine.cards.deck import FIRST_DECK, all_cards
from engine.state import FACES, Face
from tests.golden.vectors import VECTORS, vectors, written

SEEDS = ["", "a", "seed", "ř\u4e1c", "x" * 64, "x" * 65, "y" * 500]


def expected(seed: str, purpose: bytes, draw: int, block: int) -> bytes:
    return hmac.new(seed.encode(), b"kaijudge/1 %s %d %d" % (purpose, draw, block), "sha256").digest()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_block_is_hmac_sha256_of_what_it_is_for(seed: str) -> None:
    for purpose, draw, block in ((b"dice", 0, 0), (b"dice", 7, 1), (b"shuffle", 123456, 2)):
        assert rng.block(seed, purpose, draw, block) == expected(seed, purpose, draw, block)


def test_published_vectors() -> None:
    """They never change: whoever checks our dice has them."""
    assert VECTORS.read_text(encoding="utf-8") == written(vectors())


def test_the_vectors_go_through_every_turn_of_the_text() -> None:
    """Keys are hashed first, dice and shuffles skip bytes, and go on in the next block."""
    told = vectors()
    assert max(len(each["seed"].encode()) for each in told["dice"]) > 64
    for kind, purpose, limit in (("dice", "dice", 252), ("shuffles", "shuffle", 198)):
        long = [each for each in told[kind] if len(each.get("dice", each.get("cards"))) > 32]
        assert any(max(expected(each["seed"], purpose.encode(), each["draw"], 0)) >= limit for each in long)


def test_the_page_shows_some_of_the_vectors() -> None:
    page = (Path(__file__).parents[1] / "SECURITY.md").read_text(encoding="utf-8")
    shown = json.loads(page.partition("### Test vectors")[2].partition("```json\n")[2].partition("```")[0])
    told = vectors()
    assert {*shown} == {"blocks", "dice", "shuffles", "commitments"}
    assert all(shown.values())
    for kind, some in shown.items():
        assert [each for each in some if each not in told[kind]] == []


def test_faces_follow_from_the_bytes_and_skip_those_that_would_bias() -> None:
    seed = next(f"s{n}" for n in range(100) if max(expected(f"s{n}", b"dice", 0, 0)[:8]) >= 252)
    fair = [byte for byte in expected(seed, b"dice", 0, 0) if byte < 252]
    assert rng.faces(seed, 0, 8) == [FACES[byte % 6] for byte in fair[:8]]


def test_many_dice_go_on_with_the_next_block() -> None:
    fair = [byte for number in range(3) for byte in expected("long", b"dice", 5, number) if byte < 252]
    assert rng.faces("long", 5, 70) == [FACES[byte % 6] for byte in fair[:70]]
    assert rng.faces("long", 5, 0) == []


def test_a_stream_is_its_blocks_one_after_another() -> None:
    told = expected("s", b"shuffle", 3, 0) + expected("s", b"shuffle", 3, 1)
    assert bytes(islice(rng.stream("s", b"shuffle", 3), 64)) == told


def chi_square(counts: Counter[Hashable], kinds: int) -> float:
    mean = counts.total() / kinds
    return sum((count - mean) ** 2 / mean for count in counts.values()) + (kinds - len(counts)) * mean


def test_dice_are_fair() -> None:
    """Five degrees of freedom: above 20.5 by chance once in a thousand seeds; this seed is fixed."""
    counts: Counter[Hashable] = Counter(face for draw in range(5000) for face in rng.faces("fair", draw, 6))
    assert set(counts) == set(FACES)
    assert chi_square(counts, 6) < 20.5


@pytest.mark.parametrize("place", range(6))
def test_every_die_of_a_roll_is_fair(place: int) -> None:
    counts: Counter[Hashable] = Counter(rng.faces("place", draw, 6)[place] for draw in range(3000))
    assert chi_square(counts, 6) < 20.5


def test_every_order_of_a_shuffle_is_as_likely() -> None:
    """23 degrees of freedom: above 49.7 once in a thousand."""
    counts: Counter[Hashable] = Counter("".join(rng.shuffled("fair", draw, tuple("abcd"))) for draw in range(4800))
    assert chi_square(counts, 24) < 49.7


def test_a_shuffle_keeps_the_cards() -> None:
    deck = all_cards(FIRST_DECK)
    mixed = rng.shuffled("seed", 0, deck)
    assert Counter(mixed) == Counter(deck)
    assert mixed != deck
    assert rng.shuffled("seed", 1, deck) != mixed


def test_a_number_below_a_limit_is_unbiased() -> None:
    assert rng.below(6, iter([255, 252, 251])) == 251 % 6
    assert rng.below(256, iter([255])) == 255
    assert rng.below(1, iter([9])) == 0


# A million dice. The seeds are fixed: nothing here is left to chance. What is exceeded once in a thousand seeds:

FACES_LIMIT, PAIRS_LIMIT, DECK_LIMIT = 20.5, 66.6, 106.0  # 5, 35 and 65 degrees of freedom
MILLION = 1_000_000


def counted(values: Iterable[Hashable]) -> Counter[Hashable]:
    return Counter(values)


def pairs(dice: list[Face]) -> Iterable[tuple[Face, Face]]:
    """Each die with the one after it, no die twice."""
    return zip(dice[::2], dice[1::2], strict=True)


def is_fair(dice: list[Face]) -> bool:
    """Whether each face comes as often as the others, and each pair of neighbours as often as the others."""
    faces, neighbours = chi_square(counted(dice), 6), chi_square(counted(pairs(dice)), 36)
    return faces < FACES_LIMIT and neighbours < PAIRS_LIMIT


def test_a_million_dice_in_rolls_of_six_are_fair() -> None:
    """As games roll them: one draw after another. Neighbours within a roll, and over the border of two rolls."""
    rolls = [rng.faces("a million dice", draw, 6) for draw in range(MILLION // 6 + 1)]
    dice = [*chain.from_iterable(rolls)]
    assert len(dice) >= MILLION
    assert is_fair(dice)
    borders = counted((one[-1], other[0]) for one, other in pairwise(rolls))
    assert chi_square(borders, 36) < PAIRS_LIMIT


def test_a_million_dice_of_long_draws_are_fair() -> None:
    assert is_fair([face for draw in range(1000) for face in rng.faces("long draws", draw, MILLION // 1000)])


def test_a_million_dice_show_a_bias_of_a_single_byte() -> None:
    """The measure is sharp enough: if the last four bytes were not skipped it would find the dice unfair."""
    blocks = [rng.block("a million dice", b"dice", draw, 0) for draw in range(MILLION // 32)]
    assert not is_fair([FACES[byte % 6] for byte in b"".join(blocks)])


@pytest.mark.parametrize("place", [0, 1, 65], ids=["first", "second", "last"])
def test_every_card_is_as_likely_in_each_place(place: int) -> None:
    cards = tuple(f"{number:02}" for number in range(66))
    counts = counted(rng.shuffled("decks", draw, cards)[place] for draw in range(66 * 100))
    assert chi_square(counts, 66) < DECK_LIMIT
