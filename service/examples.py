"""The examples of openapi.yaml: small, fixed, and asked of the service itself."""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Flask

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

PATHS = {"edition": "cs-2016", "ruling": "YIELD-4", "slug": "illegal-action", "card": "wings"}
QUERIES = {"/v1/adjudicate": "?include=legal_actions,patch", "/v1/rulings": "?edition=pl"}
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
    }


def rolled(app: Flask, state: Any) -> Any:
    """The state after the roll."""
    return app.test_client().post("/v1/adjudicate", json={"state": state, "action": ROLL}).get_json()["state"]


def paths(app: Flask) -> dict[str, str]:
    """What stands for each name in a path."""
    return {**PATHS, "state_id": bodies(app)["/v1/view"]["state"]["state_id"]}


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
