"""Provable dice: whole games revealed and verified by the engine, by the offline script, and in JavaScript."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import EDITIONS, apply, legal_actions, new_game
from engine.actions import Action, Concede
from engine.draft import Draft
from engine.proof import commitment, joined, parted, recount, verify
from engine.revealed import InvalidProof, read_revealed
from tests.golden.vectors import REVEALED, SERVER, played, reveal, revealed, written
from tests.offline import run_javascript, run_script
from tests.properties.player import with_dice

Json = dict[str, Any]


def asked(edition: str, players: int = 4, **options: str) -> Json:
    table = [{"id": f"p{number}"} for number in range(players)]
    return {"edition": edition, "players": table, "first_player": "p1", "options": {"secrets": "sealed", **options}}


@pytest.fixture(scope="module")
def golden() -> Json:
    told: Json = json.loads(REVEALED.read_text(encoding="utf-8"))
    return told


def failed(document: Json) -> dict[str, int | None]:
    """The checks that a document does not pass, and where."""
    report = verify(read_revealed(document))
    wrong = {check.name: check.index for check in report.checks if not check.ok}
    assert report.verified == (not wrong)
    return wrong


# Seeds


def test_a_seed_comes_apart_as_it_was_put_together() -> None:
    for client in (None, "mine", "a:b", ":", " "):
        assert parted(joined(SERVER, client)) == (SERVER, client)
    assert joined(SERVER, None) == SERVER


def test_the_commitment_tells_seeds_apart() -> None:
    assert commitment(SERVER) != commitment("0" + SERVER[1:])
    assert len(commitment(SERVER)) == 64


# Whole games


def test_the_published_game_is_what_the_engine_plays() -> None:
    assert REVEALED.read_text(encoding="utf-8") == written(revealed())


def test_the_published_game_holds(golden: Json) -> None:
    assert failed(golden) == {}
    assert golden["client_seed"]
    assert golden["reshuffles"]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 6])
def test_a_whole_game_is_verified(edition: str, players: int) -> None:
    game = asked(edition, players)
    actions = played(game, SERVER, Random(players))
    document = reveal(game, SERVER, None, actions)
    assert failed(document) == {}
    assert sorted(document["deck"]) == sorted(new_deck(game))
    draws = [each["draw"] for each in (*document["rolls"], *document["reshuffles"])]
    assert sorted(draws) == [*range(1, len(draws) + 1)]


def new_deck(game: Json) -> tuple[str, ...]:
    state = new_game(game, SERVER).state
    return (*state.market, *state.deck)


def test_every_draw_of_a_game_is_told() -> None:
    """The account leaves out no draw: as many as the state has counted, of every kind of roll."""
    game = asked("cs-2012")
    state = new_game(game, SERVER).state
    drawn = 1
    for action in played(game, SERVER, Random(5)):
        state = apply(state, action).state
        assert isinstance(state, Draft)
        drawn += len(state.drawn)
        assert state.draws == drawn


def test_the_table_may_roll_its_own_dice() -> None:
    game = asked("cs-2016", dice="client")
    random, state, actions = Random(3), new_game(game, joined(SERVER, "ours")).state, list[Action]()
    while state.outcome is None:
        offered = [action for action in legal_actions(state) if not isinstance(action, Concede)]
        actions.append(with_dice(random, state, random.choice(offered)))
        state = apply(state, actions[-1]).state
    document = reveal(game, SERVER, "ours", actions)
    assert failed(document) == {}
    assert document["rolls"] == []
    index, thrown = next((n, each) for n, each in enumerate(document["actions"]) if len({*each.get("faces", ())}) > 1)
    thrown["faces"] = thrown["faces"][1:] + thrown["faces"][:1]
    assert failed(document)["states"] == index + 1


# False claims


def other(value: str) -> str:
    return ("1" if value[0] == "0" else "0") + value[1:]


def with_another_seed(told: Json) -> None:
    told["seed"] = other(told["seed"])


def with_another_seed_and_its_commitment(told: Json) -> None:
    with_another_seed(told)
    told["commitment"] = commitment(told["seed"])


def with_another_commitment(told: Json) -> None:
    told["commitment"] = other(told["commitment"])


def with_another_client_seed(told: Json) -> None:
    told["client_seed"] += "!"


def with_one_die_changed(told: Json) -> None:
    dice = told["rolls"][7]["dice"]
    dice[0] = "1" if dice[0] != "1" else "2"


def with_a_roll_of_another(told: Json) -> None:
    told["rolls"][3]["player"] = told["rolls"][4]["player"] = "nobody"


def with_a_roll_left_out(told: Json) -> None:
    del told["rolls"][9]


def with_a_roll_at_the_end(told: Json) -> None:
    told["rolls"].append(None)


def with_a_number_that_is_none(told: Json) -> None:
    told["rolls"][0]["draw"] = True


def with_two_cards_exchanged(told: Json) -> None:
    told["deck"][10], told["deck"][11] = told["deck"][11], told["deck"][10]


def with_a_state_changed(told: Json) -> None:
    told["states"][5] = told["states"][6]


def with_another_beginning(told: Json) -> None:
    told["states"][0] = told["states"][1]


def with_a_state_left_out(told: Json) -> None:
    told["states"].pop()


def with_an_illegal_action(told: Json) -> None:
    told["actions"][1] = {"type": "sweep", "player": "ann"}


def with_another_name(told: Json) -> None:
    told["game"]["players"][0]["name"] = "Another"


def with_a_shorter_game(told: Json) -> None:
    told["actions"].pop()
    told["states"].pop()


def with_another_reshuffle(told: Json) -> None:
    told["reshuffles"][0]["cards"].reverse()


def with_an_impossible_game(told: Json) -> None:
    told["game"]["first_player"] = "nobody"


EVERYTHING = {"opening", "deck", "actions", "states", "dice", "reshuffles", "outcome"}
FALSE: list[tuple[Callable[[Json], None], set[str], dict[str, int]]] = [
    (with_another_seed, {"commitment", *EVERYTHING}, {"states": 0, "dice": 0}),
    (with_another_seed_and_its_commitment, EVERYTHING, {"states": 0}),
    (with_another_client_seed, EVERYTHING, {"states": 0}),
    (with_another_commitment, {"commitment"}, {}),
    (with_one_die_changed, {"dice"}, {"dice": 7}),
    (with_a_roll_of_another, {"dice"}, {"dice": 3}),
    (with_a_roll_left_out, {"dice"}, {"dice": 9}),
    (with_a_roll_at_the_end, {"dice"}, {"dice": 95}),
    (with_a_number_that_is_none, {"dice"}, {"dice": 0}),
    (with_two_cards_exchanged, {"deck"}, {"deck": 10}),
    (with_a_state_changed, {"states"}, {"states": 5}),
    (with_another_beginning, {"opening", "states"}, {"opening": 0, "states": 0}),
    (with_a_state_left_out, {"states"}, {"states": 227}),
    (with_an_illegal_action, {"actions", "states", "dice", "reshuffles", "outcome"}, {"actions": 1, "states": 2}),
    (with_another_name, {"opening", "states"}, {"states": 0}),
    (with_a_shorter_game, {"outcome"}, {}),
    (with_another_reshuffle, {"reshuffles"}, {"reshuffles": 0}),
    (with_an_impossible_game, EVERYTHING, {"actions": 0, "states": 0, "dice": 0}),
]


@pytest.mark.parametrize(("change", "checks", "where"), FALSE, ids=[each[0].__name__ for each in FALSE])
def test_a_false_claim_fails(
    golden: Json, change: Callable[[Json], None], checks: set[str], where: dict[str, int]
) -> None:
    told = deepcopy(golden)
    change(told)
    wrong = failed(told)
    assert wrong.keys() == checks
    assert {name: wrong[name] for name in where} == where


@pytest.mark.parametrize("place", range(0, 227, 25))
def test_any_other_action_gives_other_states(golden: Json, place: int) -> None:
    """Each action is bound: another legal one in its place leads elsewhere, and is found there or at once."""
    seed = joined(golden["seed"], golden["client_seed"])
    actions = read_revealed(golden).actions
    state = new_game(golden["game"], seed).state
    for action in actions[:place]:
        state = apply(state, action).state
    told = deepcopy(golden)
    told["actions"][place] = {"type": "concede", "player": state.players[state.living[-1]].id}
    wrong = failed(told)
    assert wrong["states"] == place + 1


# Documents that tell no game


UNREADABLE: list[tuple[str, Any, str]] = [
    ("seed", "ab", "/seed"),
    ("seed", 7, "/seed"),
    ("commitment", None, "/commitment"),
    ("client_seed", "", "/client_seed"),
    ("client_seed", "ž", "/client_seed"),
    ("client_seed", None, "/client_seed"),
    ("game_id", "\x1b[2J", "/game_id"),
    ("actions", [{"type": "fly", "player": "ann"}], "/actions/0/type"),
    ("actions", {}, "/actions"),
    ("states", "s", "/states"),
    ("rolls", None, "/rolls"),
    ("game", [], "/game"),
    ("game", {"players": []}, "/game/players"),
    ("game", {"players": [{"id": f"p{n}"} for n in range(7)]}, "/game/players"),
    ("game", {"players": [{"id": "a"}, {"id": []}]}, "/game/players/1/id"),
    ("game", {"players": [{"id": "a"}, {"id": "deck"}]}, "/game/players/1/id"),
    ("game", {"players": [{"id": "a", "name": 1}, {"id": "b", "monster": "M"}]}, "/game/players/0/name"),
    ("game", {"players": [{"id": "a", "hearts": 9}, {"name": "b"}]}, "/game/players/0/hearts"),
    ("game", {"players": [{"id": "a"}, {"id": "b"}], "edition": "x"}, "/game/edition"),
    ("game", {"players": [{"id": "a"}, {"id": "b"}], "first_player": 1}, "/game/first_player"),
    ("game", {"players": [{"id": "a"}, {"id": "b"}], "seed": "x"}, "/game/seed"),
    ("game", {"players": [{"id": "a"}, {"id": "b"}], "options": []}, "/game/options"),
    ("game", {"players": [{"id": "a"}, {"id": "b"}], "options": {"bay": 1, "dice": "loaded"}}, "/game/options/bay"),
    ("extra", 1, "/extra"),
]


@pytest.mark.parametrize(("field", "value", "pointer"), UNREADABLE)
def test_what_is_no_revealed_game_is_refused(golden: Json, field: str, value: Any, pointer: str) -> None:
    with pytest.raises(InvalidProof) as refused:
        read_revealed({**golden, field: value})
    assert pointer in [each.pointer for each in refused.value.problems]


def test_every_missing_field_is_named(golden: Json) -> None:
    documents: list[Any] = [{}, [], None, {"seed": SERVER}]
    for document in documents:
        with pytest.raises(InvalidProof):
            read_revealed(document)
    for name in golden.keys() - {"client_seed"}:
        with pytest.raises(InvalidProof, match=f"/{name}: is required"):
            read_revealed({key: value for key, value in golden.items() if key != name})


def test_a_game_that_cannot_begin_is_recounted_as_nothing() -> None:
    account = recount({**asked("pl"), "first_player": "nobody"}, SERVER, [])
    assert (account.states, account.deck, account.game_id) == ([], [], None)
    assert account.stopped is not None
    assert "nobody" in account.stopped


# The script


def test_the_script_verifies_the_published_game(golden: Json) -> None:
    code, told = run_script(str(REVEALED), "--commitment", golden["commitment"])
    assert code == 0, told
    assert told.splitlines()[-1] == "verified"
    assert told.count("  ok ") == 1 + len(verify(read_revealed(golden)).checks)
    assert f"deck, top first: {' '.join(golden['deck'])}" in told
    for each in golden["rolls"]:
        assert f"draw {each['draw']:>4}: {each['player']:<12} {' '.join(each['dice'])}\n" in told


def test_the_script_finds_a_changed_die(golden: Json) -> None:
    told = deepcopy(golden)
    with_one_die_changed(told)
    code, report = run_script("-", given=json.dumps(told).encode())
    assert code == 1
    assert report.splitlines()[-1] == "NOT VERIFIED"
    assert [line.split()[1] for line in report.splitlines() if line.startswith("  WRONG")] == ["dice"]
    assert "(index 7)" in report


def test_the_script_holds_the_file_to_the_commitment_you_were_given(golden: Json) -> None:
    code, report = run_script(str(REVEALED), "--commitment", commitment("another"))
    assert (code, report.splitlines()[-1]) == (1, "NOT VERIFIED")


@pytest.mark.parametrize(
    "given", [b"", b"{}", b"[1", b"\xff", b"[" * 100_000, b'{"a": "\\ud800"}', b'{"\\u001b[2J": 1}', b"1" * 5000]
)
def test_the_script_says_what_it_cannot_read(given: bytes) -> None:
    code, report = run_script("-", given=given)
    assert code == 2
    assert "Traceback" not in report
    assert "\x1b" not in report
    assert report.startswith("- ")


def test_the_script_says_that_there_is_no_file() -> None:
    assert run_script("/nowhere/at/all.json")[0] == 2


# JavaScript


def test_javascript_computes_the_same() -> None:
    code, told = run_javascript()
    assert code == 0, told
    assert told == "162 compared, 0 wrong\n"


@pytest.mark.parametrize(
    "change", [with_another_seed, with_another_client_seed, with_another_commitment, with_one_die_changed,
               with_two_cards_exchanged, with_a_roll_left_out, with_another_reshuffle]
)  # fmt: skip
def test_javascript_finds_what_is_false(golden: Json, change: Callable[[Json], None], tmp_path: Path) -> None:
    told = deepcopy(golden)
    change(told)
    file = tmp_path / "revealed.json"
    file.write_text(json.dumps(told), encoding="utf-8")
    code, report = run_javascript(file)
    assert code == 1, report


def test_javascript_follows_the_games_of_every_edition(tmp_path: Path) -> None:
    files = []
    for edition in EDITIONS:
        game = asked(edition, 5)
        document = reveal(game, SERVER, edition, played(game, joined(SERVER, edition), Random(edition)))
        files.append(tmp_path / f"{edition}.json")
        files[-1].write_text(json.dumps(document), encoding="utf-8")
    code, report = run_javascript(*files)
    assert code == 0, report
