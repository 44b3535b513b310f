"""openapi.yaml: up to date, valid, with examples that hold, and true of what the service really says."""

import random
from pathlib import Path

import jsonschema
import pytest
import yaml
from openapi_spec_validator import validate as validate_specification

import engine
from service import documents, openapi, replies
from service.examples import QUERIES, bodies, settled
from tests.service.described import unchecked

FILE = Path(__file__).parents[2] / "openapi.yaml"


@pytest.fixture(scope="module")
def told():
    return yaml.safe_load(FILE.read_text())


def against(told, name):
    """A check of documents against one of the schemas."""
    schemas = told["components"]["schemas"]
    schemas = {**schemas, "Event": by_type(schemas["Event"])}
    schema = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}
    return jsonschema.Draft202012Validator(schema)


def by_type(schema):
    """The same as the schema of all types of events, but each event is held against its own type only: much faster."""
    mapping = schema["discriminator"]["mapping"]
    cases = [{"if": {"properties": {"type": {"const": kind}}}, "then": {"$ref": at}} for kind, at in mapping.items()]
    return {"properties": {"type": {"enum": [*mapping]}}, "allOf": cases}


def test_every_type_of_event_is_listed_with_its_fields(told):
    schemas = told["components"]["schemas"]
    mapping = schemas["Event"]["discriminator"]["mapping"]
    assert set(mapping) == set(engine.EVENTS)
    assert [each["$ref"] for each in schemas["Event"]["oneOf"]] == [*mapping.values()]
    for kind, at in mapping.items():
        own = schemas[at.rpartition("/")[2]]["allOf"][1]
        assert own["required"] == ["type", *engine.EVENTS[kind].fields]


def operations(told):
    return [(path, method, each) for path, methods in told["paths"].items() for method, each in methods.items()]


def test_it_is_up_to_date(app):
    with unchecked():
        written = openapi.write(app)
    assert FILE.read_text() == written, "run: .venv/bin/python -m service.cli openapi > openapi.yaml"


def test_it_is_valid(told):
    validate_specification(told)


def test_what_is_not_public_may_need_a_key(told):
    assert told["security"] == [{}, {"key": []}]
    assert told["components"]["securitySchemes"]["key"]["scheme"] == "bearer"
    public = [path for path, _, each in operations(told) if each.get("security") == []]
    assert "/healthz" in public
    assert [path for path in public if path.startswith("/v1")] == ["/v1/problems/{slug}"]
    for path, _, each in operations(told):
        responses = each["responses"]
        if path in public:
            assert not {"401", "429"} & set(responses)
        else:
            assert "WWW-Authenticate" in responses["401"]["headers"]
            assert "Retry-After" in responses["429"]["headers"]


def test_it_is_served(client):
    answer = client.get("/openapi.yaml", headers={"Accept": "application/yaml"})
    assert (answer.status_code, answer.mimetype) == (200, "application/yaml")
    assert answer.get_data() == FILE.read_bytes()


def test_every_path_is_described(app, told):
    rules = [rule for rule in app.url_map.iter_rules() if not rule.rule.startswith("/static/")]
    paths = {rule.rule.replace("<", "{").replace(">", "}") for rule in rules}
    assert paths == set(told["paths"])
    ids = [each["operationId"] for _, _, each in operations(told)]
    assert len(set(ids)) == len(ids)


def test_every_example_fits_its_schema(told):
    seen = 0
    for path, method, each in operations(told):
        contents = [each.get("requestBody", {}).get("content", {})]
        contents.extend(response.get("content", {}) for response in each["responses"].values())
        for content in (media for contained in contents for media in contained.values() if "example" in media):
            against(told, content["schema"]["$ref"].rpartition("/")[2]).validate(content["example"])
            seen += 1
        if path not in ("/openapi.yaml", "/docs", "/metrics") and "204" not in each["responses"]:
            assert any("example" in media for media in contents[1].values()), (path, method)
    assert seen > 15


def test_every_example_is_what_the_service_says(app, client, told):
    bodies(app)  # a game that an example is about must have been played
    for path, method, each in operations(told):
        if "requestBody" not in each:
            continue
        body = each["requestBody"]["content"]["application/json"]["example"]
        answer = client.open(path + QUERIES.get(path, ""), method=method.upper(), json=body)
        content = each["responses"][str(answer.status_code)]["content"][answer.mimetype]
        assert settled(answer.get_json()) == content["example"]


@pytest.mark.parametrize("edition", engine.EDITIONS)
def test_what_a_game_shows_fits(referee, told, edition):
    """Whole games: states, events, actions and views are what they are said to be, by both kinds of schema."""
    answer_fits, action_fits = against(told, "Adjudicated"), against(told, "Action")
    rng = random.Random(edition)
    game = referee.new_game("?include=legal_actions", edition=edition, players=[{"id": f"p{n}"} for n in range(5)])
    while game["state"]["outcome"] is None and game["state"]["version"] < 250:
        moves = [each for each in game["legal_actions"] if each["type"] != "concede"]
        for action in rng.sample(moves, 1):
            action_fits.validate(action)
            assert not documents.ACTIONS[action["type"]]().validate(action)
        game = referee.adjudicate(game["state"], rng.choice(moves), "?include=legal_actions").get_json()
        if rng.random() < 0.05:
            answer_fits.validate(game)
            assert not replies.AdjudicatedSchema().validate(game)
    view = referee.post("/v1/view", {"state": game["state"], "player": "p0"}).get_json()
    against(told, "View").validate(view)


def test_refusals_fit(referee, told):
    fits = against(told, "Problem")
    state = referee.new_game()["state"]
    bodies = [{}, {"state": {}, "action": {}}, {"state": state, "action": {"type": "peek", "player": "a"}}, []]
    for body in bodies:
        answer = referee.post("/v1/adjudicate", body)
        fits.validate(answer.get_json())
        assert str(answer.status_code) in told["paths"]["/v1/adjudicate"]["post"]["responses"]


@pytest.mark.parametrize(
    "action",
    [
        {"type": "fly", "player": "a"},
        {"type": "roll"},
        {"type": "roll", "player": "a", "faces": ["7"]},
        {"type": "reroll", "player": "a", "dice": []},
        {"type": "yield", "player": "a", "leave": 1},
        {"type": "change_die", "player": "a", "card": "wings", "die": 0, "face": "1"},
        {"type": "pass", "player": "a", "speed": 1},
    ],
)
def test_actions_the_engine_cannot_read_do_not_fit(told, action):
    with pytest.raises(engine.InvalidAction):
        engine.read_action(action)
    assert not against(told, "Action").is_valid(action)
