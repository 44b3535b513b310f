"""Provable dice over HTTP: whole sealed games, revealed and verified by the service, the script and JavaScript."""

import hashlib
import json
import random
from copy import deepcopy

import pytest

import engine
from engine.state import FACES
from service.chains import NoChains, Step, state_of
from service.revealed import CHECKS, MOST_ACTIONS
from tests.golden.vectors import REVEALED
from tests.offline import run_javascript, run_script

PLAYERS = [{"id": "ann", "name": "Ánn"}, {"id": "bob"}, {"id": "cyd", "monster": "the_king"}, {"id": "dan"}]
SEALED = {"players": PLAYERS, "options": {"secrets": "sealed"}}
HEX = set("0123456789abcdef")


def created(referee, **asked):
    """The answer to a request for a sealed game."""
    answer = referee.post("/v1/games?include=legal_actions", {**SEALED, **asked})
    assert answer.status_code == 201, answer.get_json()
    return answer.get_json()


def played(referee, game, chance, headers=None):
    """The last answer of a game in which someone does what is offered, and sweeps the market whenever that can be."""
    while game["state"]["outcome"] is None:
        offered = [each for each in game["legal_actions"] if each["type"] != "concede"]
        action = next((each for each in offered if each["type"] == "sweep"), None) or chance.choice(offered)
        if action["type"] == "dice":
            action["faces"] = chance.choices(FACES, k=game["state"]["decision"]["count"])
        body = {"state_id": game["state"]["state_id"], "action": action}
        answer = referee.post("/v1/adjudicate?include=legal_actions", body, headers=headers)
        assert answer.status_code == 200, answer.get_json()
        game = answer.get_json()
    return game


def revealed(referee, last):
    answer = referee.post("/v1/reveal", {"state": last["state"]})
    assert answer.status_code == 200, answer.get_json()
    return answer.get_json()


def verified(referee, document):
    """The checks that a document does not pass, and where."""
    answer = referee.post("/v1/verify", document)
    assert answer.status_code == 200, answer.get_json()
    told = answer.get_json()
    assert [check["name"] for check in told["checks"]] == [*CHECKS]
    wrong = {check["name"]: check.get("index") for check in told["checks"] if not check["ok"]}
    assert told["verified"] == (not wrong)
    return wrong


@pytest.fixture
def short(referee):
    """A short game that is over, and what it began with."""
    game = created(referee, client_seed="ours", first_player="ann")
    body = {"state": game["state"], "action": {"type": "roll", "player": "ann"}}
    state = referee.post("/v1/adjudicate", body).get_json()["state"]
    for player in ("bob", "cyd", "dan"):
        body = {"state": state, "action": {"type": "concede", "player": player}}
        state = referee.post("/v1/adjudicate", body).get_json()["state"]
    return game, state


# What is promised


def test_a_sealed_game_begins_with_a_commitment(referee):
    game = created(referee)
    assert len(game["commitment"]) == 64
    assert {*game["commitment"]} <= HEX
    assert "client_seed" not in game
    told = referee.client.get(f"/v1/games/{game['state']['game_id']}").get_json()
    assert told["commitment"] == game["commitment"]
    assert created(referee)["commitment"] != game["commitment"]


def test_the_client_adds_to_the_seed(referee):
    game = created(referee, client_seed="tell me: who wins?")
    assert game["client_seed"] == "tell me: who wins?"
    told = referee.client.get(f"/v1/games/{game['state']['game_id']}").get_json()
    assert (told["client_seed"], told["commitment"]) == (game["client_seed"], game["commitment"])


def test_an_open_game_promises_nothing(referee):
    for options in ({}, {"history": "anchored"}):
        game = referee.new_game(options=options)
        assert game.keys() == {"state", "events"}


@pytest.mark.parametrize("options", [{}, {"history": "anchored"}, {"auth": "seats"}])
def test_an_open_game_takes_no_client_seed(referee, options):
    answer = referee.post("/v1/games", {"players": PLAYERS, "options": options, "client_seed": "mine"})
    assert answer.status_code == 422
    problem = answer.get_json()
    assert problem["type"] == "/v1/problems/invalid-state"
    assert [each["pointer"] for each in problem["errors"]] == ["/client_seed"]


def test_it_is_refused_together_with_all_else(referee):
    body = {"players": [*PLAYERS, PLAYERS[0]], "client_seed": "mine", "first_player": "eve"}
    errors = referee.post("/v1/games", body).get_json()["errors"]
    assert {each["pointer"] for each in errors} == {"/client_seed", "/players", "/first_player"}


@pytest.mark.parametrize("told", ["", "x" * 129, "ž", "tab\t", "line\n", 7, None, ["a"]])
def test_a_client_seed_is_a_short_text(referee, told):
    answer = referee.post("/v1/games", {**SEALED, "client_seed": told})
    assert answer.status_code == 422
    assert [each["pointer"] for each in answer.get_json()["errors"]] == ["/client_seed"]


# Whole games


@pytest.mark.parametrize("edition", engine.EDITIONS)
def test_a_whole_game_is_revealed_and_verified(referee, edition, tmp_path):
    """By the service, by the script that needs none, and by code that knows no rule."""
    game = created(referee, edition=edition, client_seed=f"{edition}: ours")
    last = played(referee, game, random.Random(edition))
    document = revealed(referee, last)
    assert (document["game_id"], document["commitment"]) == (game["state"]["game_id"], game["commitment"])
    assert document["states"][0] == game["state"]["state_id"]
    assert document["states"][-1] == last["state"]["state_id"]
    assert document["deck"][:3] == game["state"]["market"]
    assert hashlib.sha256(f"kaijudge/commit/1 {document['seed']}".encode()).hexdigest() == game["commitment"]
    assert verified(referee, document) == {}
    file = tmp_path / "revealed.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    code, report = run_script(str(file), "--commitment", game["commitment"])
    assert code == 0, report
    code, report = run_javascript(file)
    assert code == 0, report


def test_the_dice_that_were_shown_are_the_dice_that_are_told(referee):
    """What the events of the game said, roll by roll."""
    game = created(referee, first_player="ann")
    shown: list = []
    chance = random.Random(5)
    for _ in range(60):
        if game["state"]["outcome"] is not None:
            break
        action = chance.choice([each for each in game["legal_actions"] if each["type"] != "concede"])
        body = {"state": game["state"], "action": action}
        game = referee.post("/v1/adjudicate?include=legal_actions", body).get_json()
        rolled = [each for each in game["events"] if each["type"] in ("rolled", "rerolled")]
        shown.extend((game["state"]["version"], each) for each in rolled)
    for player in game["state"]["players"][1:]:
        if game["state"]["outcome"] is None and not player["eliminated"]:
            body = {"state": game["state"], "action": {"type": "concede", "player": player["id"]}}
            game = referee.post("/v1/adjudicate", body).get_json()
    rolls = {(each["version"], each["player"]): each["dice"] for each in revealed(referee, game)["rolls"]}
    assert len(shown) > 5
    for version, event in shown:
        rolled = event.get("rolled", range(len(event["dice"])))
        assert rolls[version, event["player"]] == [event["dice"][die] for die in rolled]


def test_a_game_with_client_dice(referee):
    game = created(referee, first_player="bob", options={"secrets": "sealed", "dice": "client"})
    document = revealed(referee, played(referee, game, random.Random(2)))
    assert document["rolls"] == []
    assert verified(referee, document) == {}


def test_a_game_with_seats_is_revealed_to_whoever_has_its_last_state(referee):
    game = created(referee, first_player="ann", options={"secrets": "sealed", "auth": "seats"})
    headers = {"Kaijudge-Seat": ",".join(game["seats"].values())}
    last = played(referee, game, random.Random(3), headers)
    assert verified(referee, revealed(referee, last)) == {}


def test_by_its_id_and_again(referee, short):
    _, state = short
    told = [referee.post("/v1/reveal", body).get_data() for body in ({"state": state}, {"state_id": state["state_id"]})]
    assert told[0] == told[1]
    assert json.loads(told[0])["client_seed"] == "ours"


def test_a_real_service_does_the_same(http):
    """Several workers, a real Redis: whoever is asked."""
    game = http.post("/v1/games", json={**SEALED, "first_player": "ann", "client_seed": "x"}).json()
    state = game["state"]
    assert http.post("/v1/reveal", json={"state": state}).status_code == 409
    for player in ("bob", "cyd", "dan"):
        body = {"state": state, "action": {"type": "concede", "player": player}}
        state = http.post("/v1/adjudicate", json=body).json()["state"]
    document = http.post("/v1/reveal", json={"state": state}).json()
    assert document["commitment"] == game["commitment"]
    assert http.post("/v1/verify", json=document).json()["verified"] is True
    assert http.post("/v1/verify", json={**document, "commitment": "0" * 64}).json()["verified"] is False


# What is not revealed


def test_nothing_before_the_end(referee):
    game = created(referee)
    for body in ({"state": game["state"]}, {"state_id": game["state"]["state_id"]}):
        answer = referee.post("/v1/reveal", body)
        assert (answer.status_code, answer.get_json()["type"]) == (409, "/v1/problems/game-not-over")


def test_an_earlier_state_is_not_the_end(referee, short):
    game, _ = short
    assert referee.post("/v1/reveal", {"state": game["state"]}).status_code == 409


@pytest.mark.parametrize("options", [{}, {"history": "anchored"}])
def test_an_open_game_has_nothing_to_reveal(referee, options):
    state = referee.new_game(options=options)["state"]
    for body, pointer in (({"state": state}, "/state/options/secrets"), ({"state_id": state["state_id"]}, "/state_id")):
        answer = referee.post("/v1/reveal", body)
        assert (answer.status_code, answer.get_json()["type"]) == (422, "/v1/problems/invalid-state")
        assert [each["pointer"] for each in answer.get_json()["errors"]] == [pointer]


def test_a_changed_state_reveals_nothing(referee, short):
    _, state = short
    answer = referee.post("/v1/reveal", {"state": {**state, "version": 3}})
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/v1/problems/seal-invalid")


def test_a_forgotten_game_is_lost(referee, short):
    _, state = short
    assert referee.client.delete(f"/v1/games/{state['game_id']}").status_code == 204
    answer = referee.post("/v1/reveal", {"state": state})
    assert (answer.status_code, answer.get_json()["type"]) == (409, "/v1/problems/anchor-lost")
    assert referee.post("/v1/reveal", {"state_id": state["state_id"]}).status_code == 404


def test_an_end_that_the_record_does_not_know_reveals_nothing(app, referee, short):
    """A store that lost the last steps goes on elsewhere: then the seed is still at play."""
    _, state = short
    chains = app.extensions["kaijudge.chains"]
    entries = chains.entries(state["game_id"], 0, 3)
    chains.forget(state["game_id"])
    restore(chains, state["game_id"], entries)
    answer = referee.post("/v1/reveal", {"state": state})
    assert (answer.status_code, answer.get_json()["type"]) == (409, "/v1/problems/state-superseded")
    assert answer.get_json()["head"] != state["state_id"]


def restore(chains, game_id, entries):
    """Put a chain back as it once was."""
    ids = [state_of(game_id, each) for each in entries]
    chains.begin(Step(entries[0], ids[0], b"{}"))
    for number, entry in enumerate(entries[1:]):
        assert chains.advance(Step(entry, ids[number + 1], b"{}", ids[number], number)).word == "done"


@pytest.mark.parametrize("body", [{}, [], {"state": 1}, {"state_id": "x"}, {"state_id": 5}, {"seed": "x"}])
def test_a_body_without_a_state(referee, body):
    answer = referee.post("/v1/reveal", body)
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/v1/problems/schema-violation")


def test_no_parameters(referee, short):
    assert referee.post("/v1/reveal?x=1", {"state": short[1]}).status_code == 400
    assert referee.post("/v1/verify?x=1", {}).status_code == 400


# What is not verified


def test_what_was_changed_is_found(referee, short):
    document = revealed(referee, {"state": short[1]})
    assert verified(referee, document) == {}

    def changed(**told):
        return verified(referee, {**deepcopy(document), **told})

    other = "0" * 64
    assert changed(commitment=other) == {"commitment": None}
    assert {"commitment", "opening", "deck", "states"} <= changed(seed=other).keys()
    assert {"opening", "deck", "states"} <= changed(client_seed="theirs").keys()
    assert changed(deck=document["deck"][:-1]) == {"deck": 65}
    rolls = deepcopy(document["rolls"])
    rolls[0]["dice"] = ["claw"] * 6 if rolls[0]["dice"] != ["claw"] * 6 else ["heart"] * 6
    assert changed(rolls=rolls) == {"dice": 0}
    actions = deepcopy(document["actions"])
    actions[1], actions[2] = actions[2], actions[1]
    assert changed(actions=actions) == {"states": 2}
    actions[0] = {"type": "end_turn", "player": "ann"}
    assert {"actions": 0, "states": 1}.items() <= changed(actions=actions).items()
    assert changed(game={**document["game"], "first_player": "bob"}).keys() >= {"opening", "states"}
    assert changed(game={**document["game"], "first_player": "eve"})["opening"] is None
    assert changed(actions=document["actions"][:-1], states=document["states"][:-1]) == {"outcome": None}


def test_the_verdict_has_what_chance_does(referee, short):
    document = revealed(referee, {"state": short[1]})
    told = referee.post("/v1/verify", {**document, "deck": [], "rolls": []}).get_json()
    assert (told["deck"], told["rolls"], told["reshuffles"]) == (document["deck"], document["rolls"], [])
    assert told["outcome"]["winners"] == ["ann"]


@pytest.mark.parametrize(
    ("name", "value", "pointer"),
    [
        ("seed", "0" * 63, "/seed"),
        ("seed", None, "/seed"),
        ("commitment", "X" * 64, "/commitment"),
        ("client_seed", "\n", "/client_seed"),
        ("game_id", "", "/game_id"),
        ("game", {"players": PLAYERS[:1]}, "/game/players"),
        ("game", {"players": PLAYERS, "setup": {}}, "/game/setup"),
        ("game", {"players": PLAYERS, "client_seed": "x"}, "/game/client_seed"),
        ("actions", [{"type": "fly", "player": "ann"}], "/actions/0/type"),
        ("actions", [1], "/actions/0"),
        ("actions", [{"type": "roll", "player": "ann"}] * (MOST_ACTIONS + 1), "/actions"),
        ("states", [], "/states"),
        ("states", ["s"], "/states/0"),
        ("deck", ["nothing"], "/deck/0"),
        ("rolls", [{"draw": True, "version": 0, "player": "ann", "dice": []}], "/rolls/0/draw"),
        ("rolls", [{}], "/rolls/0/dice"),
        ("reshuffles", {}, "/reshuffles"),
        ("more", 1, "/more"),
    ],
)
def test_what_is_no_revealed_game_is_refused(storeless, name, value, pointer):
    document = json.loads(REVEALED.read_text(encoding="utf-8"))
    answer = storeless.post("/v1/verify", {**document, name: value})
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/v1/problems/schema-violation")
    assert pointer in [each["pointer"] for each in answer.get_json()["errors"]]


def test_a_long_body_is_played_up_to_its_first_illegal_action(referee):
    game = {"players": PLAYERS, "first_player": "ann", "options": {"secrets": "sealed"}}
    turn = [{"type": "roll", "player": "ann"}] + [{"type": "reroll", "player": "ann", "dice": [0]}] * 2
    document = {
        "game_id": "g_1", "commitment": "0" * 64, "seed": "0" * 64, "game": game, "actions": turn * 3000,
        "states": [f"s_1_{'0' * 32}"], "deck": [], "rolls": [], "reshuffles": [],
    }  # fmt: skip
    assert verified(referee, document)["actions"] == 3


def test_a_published_game_is_verified_by_any_service(storeless):
    assert verified(storeless, json.loads(REVEALED.read_text(encoding="utf-8"))) == {}


def test_without_a_store(storeless, referee, short):
    """Verifying needs none; revealing does."""
    document = revealed(referee, {"state": short[1]})
    assert verified(storeless, document) == {}
    assert storeless.post("/v1/reveal", {"state_id": short[1]["state_id"]}).status_code == 503


def test_the_record_may_be_out_of_reach(app, referee, short, monkeypatch):
    monkeypatch.setitem(app.extensions, "kaijudge.chains", NoChains())
    answer = referee.post("/v1/reveal", {"state": short[1]})
    assert (answer.status_code, answer.get_json()["type"]) == (503, "/v1/problems/anchor-unavailable")
    assert "Retry-After" in answer.headers
