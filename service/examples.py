"""The examples of openapi.yaml: small, fixed, and asked of the service itself."""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Flask

import engine
from engine.proof import joined
from service import answers

GAME: dict[str, Any] = {
    "edition": "cs-2016",
    "players": [{"id": "ann", "name": "Ann", "monster": "gigazaur"}, {"id": "bob"}],
    "first_player": "ann",
    "seed": "an example",
    "setup": {
        "players": {"ann": {"energy": 4}, "bob": {"place": "city", "hearts": 8}},
        "market": ["heal", "tanks", "skyscraper"],
        "deck": ["energize", "jets"],
    },
}
ROLL = {"type": "roll", "player": "ann"}
CONCEDE = {"type": "concede", "player": "bob"}
SEALED: dict[str, Any] = {
    "players": [{"id": "ann"}, {"id": "bob"}],
    "first_player": "ann",
    "client_seed": "an example",
    "options": {"secrets": "sealed"},
}
SERVER_SEED = "5eed" * 16

PATHS = {"edition": "cs-2016", "ruling": "YIELD-4", "slug": "illegal-action", "card": "wings"}
QUERIES = {
    "/v1/adjudicate": "?include=legal_actions,patch",
    "/v1/games/{game_id}/history": "?events=true",
    "/v1/rulings": "?edition=pl",
}
FEW = 3


@cache
def bodies(app: Flask) -> dict[str, Any]:
    """The body of each example by its path."""
    state = app.test_client().post("/v1/games", json=GAME).get_json()["state"]
    return {
        "/v1/games": GAME,
        "/v1/adjudicate": {"state": state, "action": ROLL},
        "/v1/validate": {"state": state, "action": {"type": "resolve", "player": "ann"}},
        "/v1/legal-actions": {"state": state},
        "/v1/view": {"state": state, "player": "bob"},
        "/v1/replay": {"game": GAME, "actions": [ROLL, {"type": "resolve", "player": "ann"}]},
        "/v1/batch": {
            "items": [
                {"id": "first", "op": "adjudicate", "state": state, "action": ROLL},
                {"id": "second", "op": "validate", "state": state, "action": {"type": "sweep", "player": "ann"}},
                {"id": "third", "op": "legal-actions", "state": {}},
            ]
        },
        "/v1/odds": {"state": rolled(app, state), "dice": [0, 1]},
        "/v1/reveal": {"state_id": over(app)},
        "/v1/verify": app.test_client().post("/v1/reveal", json={"state_id": over(app)}).get_json(),
    }


def rolled(app: Flask, state: Any) -> Any:
    """The state after the roll."""
    return app.test_client().post("/v1/adjudicate", json={"state": state, "action": ROLL}).get_json()["state"]


def over(app: Flask) -> str:
    """The id of the last state of a sealed game. Its seed is fixed here: to a client the app would give another."""
    with app.test_request_context():
        made = engine.new_game(SEALED, joined(SERVER_SEED, SEALED["client_seed"]))
        state_id = answers.opening(made, SEALED).state_id
    for action in (ROLL, CONCEDE):
        body = {"state_id": state_id, "action": action}
        state_id = str(app.test_client().post("/v1/adjudicate", json=body).get_json()["state"]["state_id"])
    return state_id


def paths(app: Flask) -> dict[str, str]:
    """What stands for each name in a path."""
    return {**PATHS, "state_id": bodies(app)["/v1/view"]["state"]["state_id"], "game_id": anchored(app)}


def anchored(app: Flask) -> str:
    """The id of an anchored game after its roll; asked for again, it is the same."""
    asked = {**GAME, "options": {"history": "anchored"}}
    state = app.test_client().post("/v1/games", json=asked).get_json()["state"]
    game_id: str = rolled(app, state)["game_id"]
    return game_id


def settled(answer: Any) -> Any:
    """An answer without what differs from time to time and place to place, and with a long list cut short."""
    if "decision_id" in answer:
        answer["decision_id"] = "d_" + "0" * 24
    if "python" in answer:
        answer["python"], answer["commit"] = "3.11.0", None
    if "rulings" in answer and "id" not in answer:
        answer["rulings"] = answer["rulings"][:FEW]
    if "cards" in answer:
        answer["cards"] = answer["cards"][:FEW]
    for result in answer.get("results", ()):
        settled(result["body"])
    return answer
