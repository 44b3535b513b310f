"""API keys: who may ask, what the settings know of a key, and that the key itself is nowhere."""

import re

import pytest

from service import apikeys, callers, cli
from service.app import create_app
from service.config import MEMORY, BadSetting, Config
from tests.service.servers import eventually, serving
from tests.service.test_logs import logged  # noqa: F401 - a fixture
from tests.service.test_refusals import problem

GAME = {"players": [{"id": "a"}, {"id": "b"}]}
SHOP, CLUB = (apikeys.PREFIX + letter * 43 for letter in "sc")
BOTH = ",".join([apikeys.write_entry("shop", SHOP), apikeys.write_entry("club", CLUB)])
# What anybody may ask: health, descriptions, and what a problem's type points at.
PUBLIC = {
    "/", "/healthz", "/readyz", "/version", "/docs", "/openapi.yaml", "/static/<path:name>", "/v1/problems/<slug>",
}  # fmt: skip


def sent(key):
    return {"Authorization": f"Bearer {key}"}


@pytest.fixture(scope="module")
def keyed():
    return create_app(Config(redis_url=MEMORY, api_keys=BOTH))


@pytest.fixture
def asking(keyed):
    return keyed.test_client()


# Asking


@pytest.mark.parametrize("key", [SHOP, CLUB])
def test_who_sends_a_key_may_ask(asking, key):
    assert asking.get("/v1/editions", headers=sent(key)).status_code == 200
    assert asking.post("/v1/games", json=GAME, headers=sent(key)).status_code == 201


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "Bearer  "])
def test_ways_to_say_bearer(asking, scheme):
    assert asking.get("/v1/editions", headers={"Authorization": f"{scheme} {SHOP}"}).status_code == 200


def test_who_sends_none_is_asked_for_one(asking):
    answer = asking.post("/v1/games", json=GAME)
    problem(answer, "unauthenticated")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="kaijudge"'
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "told",
    [
        "", "Bearer", "Bearer ", f"Basic {SHOP}", SHOP, f"Bearer {SHOP} {SHOP}", f"Bearer {SHOP},Bearer {CLUB}",
        f"Bearer {SHOP[:-1]}", f"Bearer {SHOP}x", f"Bearer {SHOP.swapcase()}", f"Bearer {apikeys.digest(SHOP).hex()}",
        "Bearer " + "x" * 5000, "Bearer \xe9\xff", f"Bearer {apikeys.PREFIX}{'n' * 43}", "Bearer shop",
    ],
)  # fmt: skip
def test_who_sends_another_is_told_so(asking, told):
    answer = asking.get("/v1/editions", headers={"Authorization": told})
    problem(answer, "unauthenticated")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="kaijudge", error="invalid_token"'
    assert SHOP not in answer.text


def test_the_hash_of_nothing_lets_nobody_in():
    client = create_app(Config(redis_url=MEMORY, api_keys=apikeys.write_entry("none", ""))).test_client()
    for told in ("", "Bearer", "Bearer "):
        problem(client.get("/v1/editions", headers={"Authorization": told}), "unauthenticated")


def test_the_refusal_is_told_in_the_readers_language(asking):
    told = asking.get("/v1/editions", headers={"Accept-Language": "pl"}).get_json()
    assert "klucza" in told["detail"]


def test_all_that_is_not_public_needs_a_key(keyed, asking):
    """A view that nobody thought of needs one, too."""
    for rule in keyed.url_map.iter_rules():
        path = re.sub(r"<[^>]+>", "x", rule.rule)
        for method in rule.methods:
            status = asking.open(path, method=method).status_code
            assert (status != 401) == (rule.rule in PUBLIC), (method, path, status)


def test_what_is_not_there_needs_a_key(asking):
    problem(asking.get("/v1/nowhere"), "unauthenticated")
    problem(asking.get("/v1/nowhere", headers=sent(SHOP)), "not-found")


def test_a_page_of_another_site_may_ask_whether_it_may_ask():
    client = create_app(Config(redis_url=MEMORY, api_keys=BOTH, cors_origins="https://game.example")).test_client()
    told = {"Origin": "https://game.example", "Access-Control-Request-Method": "POST"}
    answer = client.options("/v1/games", headers=told)
    assert answer.status_code == 204
    assert "Authorization" in answer.headers["Access-Control-Allow-Headers"]
    refused = client.post("/v1/games", json=GAME, headers={"Origin": "https://game.example"})
    assert (refused.status_code, refused.headers["Access-Control-Allow-Origin"]) == (401, "https://game.example")


def test_without_keys_anybody_may_ask(client):
    assert client.get("/v1/editions", headers=sent("whatever")).status_code == 200


def test_idempotency_keys_are_each_callers_own(asking):
    def game(key):
        answer = asking.post("/v1/games", json=GAME, headers={**sent(key), "Idempotency-Key": "1"})
        assert answer.status_code == 201
        return answer.get_json()["state"]["game_id"]

    assert game(SHOP) == game(SHOP)
    assert game(SHOP) != game(CLUB)


def test_every_key_is_compared(monkeypatch):
    """How long it takes must not tell which key, if any, it was."""
    compared = []

    def compare(one, other):
        compared.append(one)
        return one == other

    monkeypatch.setattr(apikeys, "compare_digest", compare)
    keys = apikeys.read_keys(BOTH)
    for key, name in ((SHOP, "shop"), (CLUB, "club"), ("kj_other", None)):
        compared.clear()
        found = apikeys.find_key(keys, key)
        assert (found.name if found else None) == name
        assert compared == [each.digest for each in keys]


# The log


def test_the_log_has_the_name_and_not_the_key(asking, logged):  # noqa: F811
    logged("info")
    asking.get("/v1/editions", headers=sent(CLUB))
    asking.get("/v1/editions", headers=sent(CLUB[:-1]))
    asking.get("/healthz", headers=sent(CLUB))
    lines = logged()
    assert [line["caller"] for line in lines] == ["club", None, None]
    assert CLUB[:-1] not in str(lines)


# Settings


def test_the_settings_are_read():
    shop, club = apikeys.read_keys(f" {apikeys.write_entry('shop', SHOP)}:600/minute , a-b_1:{'0' * 64},")
    assert (shop.name, shop.digest, shop.rate) == ("shop", apikeys.digest(SHOP), "600/minute")
    assert (club.name, club.rate) == ("a-b_1", "")
    assert apikeys.read_keys("") == ()


@pytest.mark.parametrize(
    "told",
    [
        SHOP, f"shop:{SHOP}", f"Shop:{'0' * 64}", f":{'0' * 64}", f"{'x' * 33}:{'0' * 64}", f"shop:{'0' * 63}",
        f"shop:{'G' * 64}", f"shop:{'A' * 64}", f"shop:{'0' * 64}:", f"shop:{'0' * 64}:600", f"a:{'0' * 64}:0/minute",
        f"a:{'0' * 64}:1/week", f"a:{'0' * 64}:1/minute:1", f"a:{'0' * 64},a:{'1' * 64}", f"a:{'0' * 64},b:{'0' * 64}",
    ],
)  # fmt: skip
def test_bad_settings_are_named_but_not_quoted(told):
    with pytest.raises(BadSetting, match="KAIJUDGE_API_KEYS") as caught:
        Config.from_environment({"KAIJUDGE_API_KEYS": told})
    assert SHOP not in str(caught.value)
    assert "000000" not in str(caught.value)


def test_no_setting_that_is_secret_is_shown():
    config = Config(api_keys=BOTH, redis_url="redis://:hush@localhost")
    assert "hush" not in repr(config)
    assert apikeys.digest(SHOP).hex() not in repr(config)


def test_a_new_key(capsys):
    assert cli.main(["new-api-key", "shop"]) == 0
    told = capsys.readouterr().out
    (key,) = re.findall(r"^  (kj_\S+)$", told, re.MULTILINE)
    (entry,) = re.findall(r"^  (shop:\S+)$", told, re.MULTILINE)
    found = apikeys.find_key(apikeys.read_keys(entry), key)
    assert found is not None
    assert found.name == "shop"
    assert len(key) >= 3 + 43
    assert cli.main(["new-api-key", "shop"]) == 0
    assert key not in capsys.readouterr().out


def test_a_new_key_of_a_bad_name(capsys):
    assert cli.main(["new-api-key", "My Shop"]) == 2
    assert "kj_" not in "".join(capsys.readouterr())


# The warning


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_addresses_of_this_machine(host):
    assert callers.is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "example.org", "127.0.0.1.example.org", ""])
def test_addresses_of_the_network(host):
    assert not callers.is_loopback(host)


@pytest.mark.parametrize(
    ("host", "keys", "warned"), [("0.0.0.0", "", True), ("0.0.0.0", BOTH, False), ("127.0.0.1", "", False)]
)
def test_a_warning_where_anybody_may_ask(caplog, monkeypatch, host, keys, warned):
    monkeypatch.setattr(callers.log, "propagate", True)
    callers.warn(Config(host=host, api_keys=keys))
    assert ("KAIJUDGE_API_KEYS" in caplog.text) == warned


def test_the_warning_as_the_service_starts():
    with serving(HOST="0.0.0.0", REDIS_URL="none") as (_, process):
        assert eventually(lambda: "Whoever reaches 0.0.0.0 may ask" in process.log.read_text())
