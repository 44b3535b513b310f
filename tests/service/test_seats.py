"""Seats: an action needs the token of its player, and what one player has seen is told to that player alone."""

import random
from base64 import urlsafe_b64encode

import pytest

from service.app import create_app
from service.config import MEMORY, Config
from service.keyring import read_keys
from service.seats import HEADER, token
from tests.service.conftest import Referee

K1, K2 = f"k1:{'A' * 43}", f"k2:{'B' * 86}"
PLAYERS = [{"id": "a"}, {"id": "b"}, {"id": "c"}]
GAME = {"players": PLAYERS, "first_player": "a", "options": {"auth": "seats"}}
LAB = {"phase": "buy", "players": {"a": {"energy": 9, "cards": ["made_in_a_lab"]}}, "deck": ["jets", "heal"]}
ROLL = {"type": "roll", "player": "a"}
PEEK = {"type": "peek", "player": "a"}


def referee_with(keys=K1, store=MEMORY):
    return Referee(create_app(Config(redis_url=store, keys=keys)).test_client())


@pytest.fixture
def seated():
    return referee_with()


@pytest.fixture(params=["open", "sealed"])
def game(request, seated):
    """The first answer of a game with seats."""
    answer = seated.post("/v1/games", {**GAME, "options": {"auth": "seats", "secrets": request.param}})
    assert answer.status_code == 201, answer.get_json()
    return answer.get_json()


@pytest.fixture
def laboratory(seated):
    """An open game with seats in which a card may be looked at."""
    return seated.post("/v1/games", {**GAME, "setup": LAB}).get_json()


def ask(referee, path, body, sent=None, **headers):
    return referee.post(path, body, headers={**headers, **({HEADER: sent} if sent is not None else {})})


def act(referee, state, action, sent=None):
    return ask(referee, "/v1/adjudicate", {"state": state, "action": action}, sent)


def refused(answer, status):
    told = answer.get_json()
    slug = {401: "unauthenticated", 403: "forbidden"}[status]
    assert (answer.status_code, told["type"]) == (status, f"/v1/problems/{slug}"), told
    return answer


def types(answer):
    assert answer.status_code == 200, answer.get_json()
    return [each["type"] for each in answer.get_json()["events"]]


# Tokens


def test_who_sets_up_a_game_gets_a_token_for_each_player(game):
    assert game["seats"].keys() == {"a", "b", "c"}
    assert len(set(game["seats"].values())) == 3
    assert game["state"]["options"]["auth"] == "seats"
    assert game["state"]["options"]["history"] == "anchored"


def test_a_game_without_seats_has_no_tokens(seated):
    for options in ({}, {"auth": "none"}, {"secrets": "sealed"}):
        told = seated.post("/v1/games", {**GAME, "options": options}).get_json()
        assert "seats" not in told
        assert "auth" not in told["state"]["options"]
        assert act(seated, told["state"], ROLL).status_code == 200


def test_an_action_needs_the_token_of_its_player(seated, game):
    state, tokens = game["state"], game["seats"]
    answer = refused(act(seated, state, ROLL), 401)
    assert answer.headers["WWW-Authenticate"].startswith("Kaijudge-Seat")
    assert answer.headers["Cache-Control"] == "no-store"
    refused(act(seated, state, ROLL, tokens["b"]), 403)
    assert act(seated, state, ROLL, tokens["a"]).status_code == 200


def test_by_id_it_needs_it_too(seated, game):
    body = {"state_id": game["state"]["state_id"], "action": ROLL}
    refused(ask(seated, "/v1/adjudicate", body), 401)
    refused(ask(seated, "/v1/adjudicate", body, game["seats"]["c"]), 403)
    assert ask(seated, "/v1/adjudicate", body, game["seats"]["a"]).status_code == 200


def test_to_concede_needs_it_too(seated, game):
    state, tokens = game["state"], game["seats"]
    concede = {"type": "concede", "player": "b"}
    refused(act(seated, state, concede), 401)
    refused(act(seated, state, concede, tokens["a"]), 403)
    assert act(seated, state, concede, tokens["b"]).status_code == 200


def test_who_has_no_seat_learns_nothing_of_legality(seated, game):
    """The seat comes before the rules, but after the document."""
    illegal = {"type": "end_turn", "player": "a"}
    refused(act(seated, game["state"], illegal), 401)
    refused(act(seated, game["state"], {"type": "roll", "player": "nobody"}, game["seats"]["a"]), 403)
    assert act(seated, game["state"], illegal, game["seats"]["a"]).get_json()["type"].endswith("illegal-action")
    assert act(seated, game["state"], {"type": "dance"}).get_json()["type"].endswith("schema-violation")
    spoilt = {**game["state"], "phase": "buy"}
    assert act(seated, spoilt, ROLL).status_code == 422


def test_what_is_public_needs_no_token(seated, game):
    state = game["state"]
    assert ask(seated, "/v1/legal-actions", {"state": state}).status_code == 200
    assert ask(seated, "/v1/validate", {"state": state, "action": ROLL}).get_json()["legal"] is True
    assert ask(seated, "/v1/view", {"state": state}).status_code == 200
    assert seated.client.get(f"/v1/games/{state['game_id']}").status_code == 200


def spoilings(told, other):
    """What is no token of a seat, though it may look like one."""
    key, game, player, mac = told.split(".")
    yield from ("", ".", "...", "k1", "x" * 5000, told[:-1], told + "A", told + "=", told.upper(), f"{told}.{told}")
    yield from (f"k2.{game}.{player}.{mac}", f".{game}.{player}.{mac}", f"{key}.{game}.b.{mac}", f"{key}.{game}..{mac}")
    yield from (f"{key}.g_0.{player}.{mac}", f"{key}.{game}.{player}.", f"{key}.{game}.{player}", f"{key} {mac}")
    yield from (other, other.replace(other.split(".")[1], game), "é" * 10, told.replace(mac, "A" * len(mac)))


def test_nothing_else_is_a_token(seated, game):
    other = seated.post("/v1/games", GAME).get_json()["seats"]["a"]
    for wrong in spoilings(game["seats"]["a"], other):
        refused(act(seated, game["state"], ROLL, wrong), 401)


def test_every_letter_of_a_token_counts(seated, game):
    told = game["seats"]["a"]
    rng = random.Random(8)
    for place in rng.sample(range(len(told)), 40):
        letter = "A" if told[place] != "A" else "B"
        refused(act(seated, game["state"], ROLL, told[:place] + letter + told[place + 1 :]), 401)


def test_other_letters_for_the_same_bytes_are_no_token(seated, game):
    told = game["seats"]["a"]
    for letter in {*"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"} - {told[-1]}:
        refused(act(seated, game["state"], ROLL, told[:-1] + letter), 401)


def test_a_token_is_a_mac_under_a_key_of_its_own(game):
    key = read_keys(K1).newest
    assert key is not None
    assert game["seats"]["a"] == token(key, game["state"]["game_id"], "a")
    assert urlsafe_b64encode(key.seats).decode()[:20] not in game["seats"]["a"]
    strange = read_keys(f"k1:{'C' * 43}").newest
    assert strange is not None
    assert token(strange, game["state"]["game_id"], "a") != game["seats"]["a"]


def test_who_plays_several_seats_sends_several_tokens(seated, game):
    both = f"{game['seats']['b']}, {game['seats']['a']}"
    assert act(seated, game["state"], ROLL, both).status_code == 200
    assert act(seated, game["state"], ROLL, f"nonsense,{game['seats']['a']}").status_code == 200
    refused(act(seated, game["state"], {"type": "concede", "player": "c"}, both), 403)
    assert act(seated, game["state"], ROLL, "x," * 9 + game["seats"]["a"]).status_code == 200


def test_a_batch_takes_the_tokens_of_its_request(seated, game):
    state, tokens = game["state"], game["seats"]
    acts = [{"type": "concede", "player": each} for each in "abc"]
    items = [{"id": each["player"], "op": "adjudicate", "state": state, "action": each} for each in acts]
    items.append({"id": "legal", "op": "legal-actions", "state": state})
    statuses = [
        [each["status"] for each in ask(seated, "/v1/batch", {"items": items}, sent).get_json()["results"]]
        for sent in (None, tokens["b"], f"{tokens['b']},{tokens['c']}")
    ]
    assert statuses[0] == [401, 401, 401, 200]
    assert statuses[1] == [403, 200, 403, 200]
    assert statuses[2] == [403, 200, 409, 200]  # a state has one successor


# What only one player has seen


def test_a_batch_of_many_games_takes_the_tokens_of_all(seated):
    games = [seated.post("/v1/games", GAME).get_json() for _ in range(9)]
    item = {"op": "adjudicate", "action": ROLL}
    items = [{"id": str(number), "state": each["state"], **item} for number, each in enumerate(games)]
    sent = ",".join(each["seats"]["a"] for each in games)
    results = ask(seated, "/v1/batch", {"items": items}, sent).get_json()["results"]
    assert [each["status"] for each in results] == [200] * len(games)


def test_a_private_event_goes_to_its_player(seated, laboratory):
    state, tokens = laboratory["state"], laboratory["seats"]
    assert types(act(seated, state, PEEK, tokens["a"])) == ["peeked", "seen"]
    history = f"/v1/games/{state['game_id']}/history?events=true"
    for sent, seen in ((None, ["peeked"]), (tokens["b"], ["peeked"]), (tokens["a"], ["peeked", "seen"])):
        headers = {HEADER: sent} if sent else {}
        told = seated.client.get(history, headers=headers).get_json()["entries"][-1]
        assert [each["type"] for each in told["events"]] == seen
        assert [each["seq"] for each in told["events"]] == [*range(len(seen))]
        replayed = ask(seated, "/v1/replay", {"state": state, "actions": [PEEK]}, sent)
        assert types(replayed) == seen


def test_a_view_of_a_player_needs_the_players_token(seated, laboratory):
    tokens = laboratory["seats"]
    state = act(seated, laboratory["state"], PEEK, tokens["a"]).get_json()["state"]
    refused(ask(seated, "/v1/view", {"state": state, "player": "a"}), 401)
    refused(ask(seated, "/v1/view", {"state": state, "player": "a"}, tokens["b"]), 403)
    assert "seen" not in ask(seated, "/v1/view", {"state": state}, tokens["a"]).get_json()
    assert "seen" not in ask(seated, "/v1/view", {"state": state, "player": "b"}, tokens["b"]).get_json()
    told = ask(seated, "/v1/view", {"state": state, "player": "a"}, tokens["a"]).get_json()
    assert told["seen"] == {"deck_top": "jets"}


# Keys, and answers that are kept


def test_tokens_hold_while_their_key_is_there(redis):
    game = referee_with(K1, redis.url).post("/v1/games", GAME).get_json()
    state, sent = game["state"], game["seats"]["a"]
    refused(act(referee_with(K2, redis.url), state, ROLL, sent), 401)
    assert act(referee_with(f"{K2},{K1}", redis.url), state, ROLL, sent).status_code == 200


def test_a_kept_answer_is_for_the_seat_that_asked(redis):
    referee = referee_with(K1, redis.url)
    headers = {"Idempotency-Key": "one"}
    first = ask(referee, "/v1/games", {**GAME, "setup": LAB}, **headers)
    again = ask(referee, "/v1/games", {**GAME, "setup": LAB}, **headers)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.get_json()["seats"] == first.get_json()["seats"]
    told = first.get_json()
    body = {"state": told["state"], "action": PEEK}
    assert "seen" in types(ask(referee, "/v1/adjudicate", body, told["seats"]["a"], **{"Idempotency-Key": "two"}))
    for sent in (None, told["seats"]["b"]):
        answer = ask(referee, "/v1/adjudicate", body, sent, **{"Idempotency-Key": "two"})
        assert answer.get_json()["type"].endswith("idempotency-key-reuse")
    again = ask(referee, "/v1/adjudicate", body, told["seats"]["a"], **{"Idempotency-Key": "two"})
    assert "seen" in types(again)


def test_the_same_game_cannot_be_asked_for_again(seated, game):
    """Its seed may be seen in an open game: who could name it would get the tokens of that game."""
    told = seated.post("/v1/games", {**GAME, "seed": "x"}).get_json()
    assert [each["pointer"] for each in told["errors"]] == ["/seed"]
    again = seated.post("/v1/games", GAME).get_json()
    assert again["state"]["game_id"] != game["state"]["game_id"]


def test_a_game_with_seats_is_anchored(seated, laboratory):
    told = seated.post("/v1/games", {**GAME, "options": {"auth": "seats", "history": "free"}}).get_json()
    assert [each["pointer"] for each in told["errors"]] == ["/options/history"]
    state = laboratory["state"]
    del state["state_id"]
    state["options"]["history"] = "free"
    answer = act(seated, state, PEEK, laboratory["seats"]["a"]).get_json()
    assert [each["pointer"] for each in answer["errors"]] == ["/state/options/history"]


def test_an_edited_open_game_does_not_get_around_the_seats(seated, laboratory):
    """Without its options it is another state, which the game never was in."""
    state = laboratory["state"]
    del state["state_id"], state["options"]["auth"]
    assert act(seated, state, PEEK).status_code == 409


def test_a_page_of_another_site_may_send_a_token():
    app = create_app(Config(redis_url=MEMORY, cors_origins="https://example.org"))
    asking = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    answer = app.test_client().options("/v1/adjudicate", headers=asking)
    assert HEADER in answer.headers["Access-Control-Allow-Headers"].split(", ")
