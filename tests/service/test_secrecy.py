"""Nothing the service says or keeps of a sealed game tells the cards or dice to come: 50 games of all editions."""

import random
import secrets
from collections import Counter
from functools import partial

import httpx
import pytest

from service.app import create_app
from service.config import Config
from service.keyring import read_keys
from tests.secrecy.play import inside, outside, play, stored
from tests.secrecy.search import Hidden, Leak
from tests.service.servers import serving

KEYS = f"k1:{'A' * 86}"
PLAIN = {
    "edition": "cs-2016", "market": ["heal"], "discard": [],
    "players": [{"cards": [{"card": "mimic", "copies": {"player": "b", "card": "wings"}}]}],
    "secrets": {"deck": ["jets", "tanks", "energize", "heal", "wings"], "seed": "0123456789abcdef" * 4},
}  # fmt: skip


@pytest.mark.parametrize("part", range(3))
def test_a_sealed_game_tells_nothing(redis, monkeypatch, part):
    """The seeds are drawn by chance, but by the same in every run."""
    chance = random.Random(part)
    monkeypatch.setattr(secrets, "token_hex", lambda size: chance.randbytes(size).hex())
    app = create_app(Config(redis_url=redis.url, keys=KEYS))
    done: Counter = Counter()
    for number in range(part, 46, 3):
        done += play(inside(app), read_keys(KEYS), number, partial(stored, redis.url))
    assert done["looks"] >= 8
    assert done["buy from the deck"] >= 4
    assert done["too_dear"] >= 1


def test_neither_does_a_real_service_nor_its_log_and_metrics(redis):
    settings = {"KAIJUDGE_KEYS": KEYS, "REDIS_URL": redis.url, "KAIJUDGE_LOG": "debug", "KAIJUDGE_WORKERS": "2"}
    with serving(**settings) as (url, process), httpx.Client(base_url=url, timeout=10) as client:

        def everything(game_id):
            return stored(redis.url, game_id) + process.log.read_text() + client.get("/metrics").text

        for number in range(46, 50):
            assert play(outside(client), read_keys(KEYS), number, everything)["requests"] > 100


# The search itself


@pytest.mark.parametrize(
    "text",
    [
        '{"top":"jets"}', '["heal","tanks"]', "The card is Jets.", '"456789abcdef012"', "seed=0123456789abcdef",
        '["energize","heal","wings"]', '{"a":"tanks","b":["energize",{"c":"heal"}]}',
    ],
)  # fmt: skip
def test_the_search_finds_what_is_told(text):
    with pytest.raises(Leak):
        Hidden(PLAIN).search(text, set())


@pytest.mark.parametrize("text", ['["heal","wings"]', '{"jets":1}', "The jets.", '{"a":"mimic"}', "Jetski"])
def test_the_search_passes_what_everybody_sees(text):
    Hidden(PLAIN).search(text, set())


def test_who_looked_may_be_told():
    Hidden(PLAIN).search('{"top":"jets"}', {"jets"})
