"""POST /v1/games: shapes, positions, options."""

import pytest

ANN = {"players": [{"id": "a", "name": "Ann"}, {"id": "b"}]}


def errors(answer, slug, status=422):
    told = answer.get_json()
    assert (answer.status_code, told["type"]) == (status, f"/v1/problems/{slug}"), told
    return {each["pointer"]: each["detail"] for each in told["errors"]}


def test_a_new_game_says_where_it_is(client):
    answer = client.post("/v1/games", json={**ANN, "seed": "s"})
    told = answer.get_json()
    assert answer.status_code == 201
    assert set(told) == {"state", "events"}
    assert answer.headers["Location"] == f"/v1/states/{told['state']['state_id']}"
    assert told["state"]["players"][0]["name"] == "Ann"
    assert told["state"]["version"] == 0


def test_the_same_seed_is_the_same_game(client):
    first, second = (client.post("/v1/games", json={**ANN, "seed": "s"}).get_json() for _ in range(2))
    assert first == second


def test_without_a_seed_every_game_is_another(client):
    first, second = (client.post("/v1/games", json=ANN).get_json()["state"] for _ in range(2))
    assert first["secrets"]["seed"] != second["secrets"]["seed"]
    assert len(first["secrets"]["seed"]) == 64


def test_an_empty_seed_is_a_seed(client):
    assert client.post("/v1/games", json={**ANN, "seed": ""}).get_json()["state"]["secrets"]["seed"] == ""


def test_only_ids_have_reserved_words(referee):
    state = referee.new_game(players=[{"id": "a", "monster": "deck"}, {"id": "b"}], first_player="a")["state"]
    del state["state_id"]  # or it would be known
    state["version"] = 7
    moved = referee.adjudicate(state, {"type": "roll", "player": "a"})
    assert (moved.status_code, moved.get_json()["state"]["players"][0]["monster"]) == (200, "deck")


def test_every_wrong_field_is_listed(client):
    body = {
        "edition": "de-1999",
        "players": [{"id": "A"}, {"name": 5}, {"id": "deck"}, "b", {"id": "c", "name": "n" * 65, "monster": "Ö"}],
        "first_player": 1,
        "seed": "s" * 257,
        "options": {"bay": 1, "dice": "loaded", "secrets": None, "speed": "fast"},
        "setup": {
            "phase": "end",
            "players": {
                "a": {"hearts": "8", "vp": True, "energy": -1, "place": "moon", "eliminated": 0,
                      "cards": ["unknown", {"card": "wings", "charges": "1", "copies": {"player": "x"}}, 7, None]},
                "b/c": [],
            },
            "market": {"heal": 1},
            "deck": ["heal", "nope"],
        },
        "a~b/c": 1,
    }  # fmt: skip
    assert set(errors(client.post("/v1/games", json=body), "schema-violation")) == {
        "/edition", "/players/0/id", "/players/1/id", "/players/1/name", "/players/2/id", "/players/3",
        "/players/4/name", "/players/4/monster", "/first_player", "/seed", "/options/bay", "/options/dice",
        "/options/secrets", "/options/speed", "/setup/phase", "/setup/players/a/hearts", "/setup/players/a/vp",
        "/setup/players/a/energy", "/setup/players/a/place", "/setup/players/a/eliminated",
        "/setup/players/a/cards/0", "/setup/players/a/cards/1/charges", "/setup/players/a/cards/1/copies/card",
        "/setup/players/a/cards/2", "/setup/players/a/cards/3", "/setup/players/b~1c", "/setup/market",
        "/setup/deck/1", "/a~0b~1c",
    }  # fmt: skip


@pytest.mark.parametrize("body", [[], 5, None, "text", {}])
def test_a_body_that_is_no_game(referee, body):
    assert errors(referee.post("/v1/games", body), "schema-violation")


def test_what_a_complaint_says(client):
    told = errors(client.post("/v1/games", json={"players": [{}, None], "pace": 1}), "schema-violation")
    assert told == {
        "/players/0/id": "is required",
        "/players/1": "must not be null",
        "/pace": "is not a field of this",
    }


@pytest.mark.parametrize(
    ("asked", "pointer"),
    [
        ({"players": [{"id": "a"}]}, "/players"),
        ({"players": [{"id": "a"}, {"id": "a"}]}, "/players"),
        ({"first_player": "z"}, "/first_player"),
        ({"options": {"dice": "client"}}, "/first_player"),
        ({"options": {"bay": True}}, "/options/bay"),
        ({"options": {"secrets": "sealed"}, "seed": "s"}, "/seed"),
        ({"setup": {"players": {"a": {"hearts": 0}}}}, "/setup/players/a/hearts"),
        ({"setup": {"players": {"z": {}}}}, "/setup/players/z"),
    ],
)
def test_an_impossible_game(client, asked, pointer):
    assert pointer in errors(client.post("/v1/games", json={**ANN, **asked}), "invalid-state")


def test_any_position(referee):
    position = {"phase": "buy", "players": {"a": {"energy": 5, "place": "city", "cards": ["jets"]}}, "market": ["heal"]}
    state = referee.new_game(setup=position, first_player="a")["state"]
    assert state["phase"] == "buy"
    assert state["players"][0]["energy"] == 5
    assert state["market"] == ["heal"]


def test_included_with_a_new_game(referee):
    told = referee.new_game("?include=legal_actions,patch")
    assert told["legal_actions"] == referee.legal(told["state"])
    assert told["patch"] == [{"op": "replace", "path": "", "value": told["state"]}]
