"""The service in two forms: inside this process, and as a real gunicorn on a port of its own."""

from __future__ import annotations

import httpx
import orjson
import pytest

from service.app import create_app
from service.config import MEMORY, Config
from tests.service.described import checked
from tests.service.servers import RedisServer, clustered, serving


class Referee:
    """What a client does, in a word each."""

    def __init__(self, client):
        self.client = client

    def post(self, path, document, **options):
        return self.client.post(path, data=orjson.dumps(document), content_type="application/json", **options)

    def new_game(self, query="", **asked):
        asked.setdefault("players", [{"id": "a"}, {"id": "b"}])
        asked.setdefault("seed", "a seed")
        answer = self.post("/v1/games" + query, asked)
        assert answer.status_code == 201, answer.get_json()
        return answer.get_json()

    def adjudicate(self, state, action, query=""):
        return self.post("/v1/adjudicate" + query, {"state": state, "action": action})

    def legal(self, state):
        return self.post("/v1/legal-actions", {"state": state}).get_json()["actions"]


@pytest.fixture(scope="session", autouse=True)
def described():
    """Every answer is one that openapi.yaml describes, or the test fails."""
    with checked():
        yield


@pytest.fixture(scope="session", autouse=True)
def plain_engine():
    """What is tested must not depend on whether somebody has compiled the engine; tests/compiled.py is for that one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KAIJUDGE_ENGINE", "python")
        yield


@pytest.fixture
def app():
    return create_app(Config(redis_url=MEMORY))


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def referee(client):
    return Referee(client)


@pytest.fixture
def storeless():
    """A referee that has no store."""
    return Referee(create_app(Config()).test_client())


@pytest.fixture
def redis(tmp_path):
    """A Redis server of this test's own."""
    with RedisServer(tmp_path) as server:
        yield server


@pytest.fixture
def cluster(tmp_path):
    """A Redis Cluster of this test's own, and its address."""
    with clustered(tmp_path) as made:
        yield made


@pytest.fixture(scope="session")
def served():
    """The address of a real service with a Redis of its own."""
    with serving() as (url, _):
        yield url


@pytest.fixture(scope="session")
def http(served):
    with httpx.Client(base_url=served, timeout=10) as connection:
        yield connection


# Workers on one store, with keys

KEYS = "k1:" + "A" * 43


def over(url, **settings):
    """A worker of a service on this store."""
    settings = {"redis_timeout": 1000, "redis_pause": 100, "keys": KEYS, **settings}
    return Referee(create_app(Config(redis_url=url, **settings)).test_client())


@pytest.fixture(params=["redis", "memory"])
def store_url(request):
    return request.getfixturevalue("redis").url if request.param == "redis" else MEMORY


@pytest.fixture
def worker(store_url):
    return over(store_url)
