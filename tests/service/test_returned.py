"""States that come back as they were told are not parsed again; nothing else may be taken for one."""

import orjson
import pytest

from service import returned, states

GAME = {"players": [{"id": "a", "name": 'Ann "A" Ä'}, {"id": "b"}], "first_player": "a", "seed": "told"}
ROLL = {"type": "roll", "player": "a"}
HEADERS = {"Content-Type": "application/json"}


@pytest.fixture(params=["open", "sealed"])
def told(client, request):
    """The bytes of a state, as the answer has them."""
    sealed = request.param == "sealed"
    asked = {**GAME, "options": {"secrets": request.param}}
    if sealed:
        del asked["seed"]
    answer = client.post("/v1/games", json=asked)
    start = answer.data.index(b'{"state_id":"')
    return answer.data[start : start + len(orjson.dumps(orjson.loads(answer.data)["state"]))]


@pytest.fixture
def read(monkeypatch):
    """How many states were read from their documents."""
    seen = []
    original = states.read_document

    def note(document):
        if isinstance(document, dict):
            seen.append(document)
        return original(document)

    monkeypatch.setattr(states, "read_document", note)
    return seen


def post(client, body, path="/v1/adjudicate"):
    return client.post(path, data=body, headers=HEADERS)


def settled(answer):
    told = orjson.loads(answer.data)
    told.pop("decision_id", None)
    return answer.status_code, told


def move(state, before=b"", action=ROLL):
    return b"{" + before + b'"state":' + state + b',"action":' + orjson.dumps(action) + b"}"


def mixed(state):
    """The same state with its keys in another order."""
    document = orjson.loads(state)
    return orjson.dumps({name: document[name] for name in reversed(document)})


def test_a_state_that_comes_back_as_told_is_not_read(client, told, read):
    as_told = post(client, move(told))
    assert as_told.status_code == 200
    assert read == []
    assert settled(post(client, move(mixed(told)))) == settled(as_told)
    assert len(read) == 1


@pytest.mark.parametrize("include", ["patch", "legal_actions"])
def test_what_is_included_is_the_same(client, told, include):
    path = f"/v1/adjudicate?include={include}"
    (_, as_told), (_, otherwise) = (settled(post(client, move(each), path)) for each in (told, mixed(told)))
    assert sorted(as_told.pop(include), key=str) == sorted(otherwise.pop(include), key=str)
    assert as_told == otherwise


@pytest.mark.parametrize("path", ["/v1/validate", "/v1/legal-actions"])
def test_dry_runs_are_the_same(client, told, path, read):
    rest = b"" if path.endswith("actions") else b',"action":' + orjson.dumps(ROLL)
    as_told = post(client, b'{"state":' + told + rest + b"}", path)
    assert as_told.status_code == 200
    assert read == []
    assert settled(post(client, b'{"state":' + mixed(told) + rest + b"}", path)) == settled(as_told)


def test_a_batch(client, told, read):
    states = enumerate([told, mixed(told)])
    items = [b'{"id":"%d","op":"adjudicate",' % number + move(each)[1:] for number, each in states]
    first, second = orjson.loads(post(client, b'{"items":[' + b",".join(items) + b"]}", "/v1/batch").data)["results"]
    assert first["body"]["state"] == second["body"]["state"]
    assert first["status"] == second["status"] == 200
    assert len(read) == 1


def test_what_only_looks_like_a_float_is_none(client, told, read):
    """A sealed text may well have such a run of letters."""
    action = b'{"items":[{"id":"1e-5 2.5 3e+7","op":"adjudicate",' + move(told)[1:] + b"]}"
    (result,) = orjson.loads(post(client, action, "/v1/batch").data)["results"]
    assert (result["status"], read) == (200, [])


@pytest.mark.parametrize("at", [b'"hearts":10', b'"version":0', None])
def test_a_changed_byte_is_found(client, told, at, read):
    """In what all may see, and (None) in what is hidden in a sealed game."""
    at = at or (b'"sealed":"' if b'"sealed":"' in told else b'"seed":"t')
    place = told.index(at) + len(at) - 1
    changed = told[:place] + (b"7" if told[place : place + 1] != b'"' else b'"A') + told[place + 1 :]
    answer = post(client, move(changed))
    assert answer.status_code == 422
    assert len(read) == 1


@pytest.mark.parametrize(
    "wrap",
    [
        lambda told: move(told, b'"state_id":"' + told[13:].partition(b'"')[0] + b'",'),
        lambda told: move(told, b'"state":' + told + b","),
        lambda told: b'{"x\\"state":' + told + b"," + move(told)[1:],
        lambda told: b'{"x\\"state":' + told + b',"action":' + orjson.dumps(ROLL) + b"}",
        lambda told: b'{"state":' + b'{"state":' + told + b"," + told[told.index(b",") + 1 :] + b',"action":{}}',
        lambda told: b'{"state":[' + told + b'],"action":{}}',
        lambda told: move(told, b'"extra":1,'),
        lambda told: move(told, b'"extra":1.5,'),
        lambda told: move(told, b'"state":null,'),
        lambda told: b'{"state":' + told + b',"state":null,"action":' + orjson.dumps(ROLL) + b"}",
        lambda told: b'{"state_id":"x","action":{"type":"roll","player":"a","state":' + told + b"}}",
        lambda told: move(told) + b"}",
        lambda told: move(told, action={**ROLL, "state": "again"}),
        lambda told: move(told, action={**ROLL, "state": orjson.loads(told)}),
    ],
)
def test_what_is_refused_is_refused_all_the_same(client, told, wrap, monkeypatch):
    body = wrap(told)
    lifted = settled(post(client, body))
    monkeypatch.setattr(returned, "BEGINS", b"never")
    assert lifted == settled(post(client, body))
    assert lifted[0] in (400, 422)


def test_keys_that_come_twice_are_found_beside_floats(client, told):
    """orjson writes 1e22 longer than it came: that must not hide a key that was lost."""
    twice = b'{"id":"1","op":"adjudicate","state":' + told + b',"action":{"type":"pass"},"action":' + orjson.dumps(ROLL)
    floats = b'{"id":"2","op":"adjudicate","x":[' + b",".join([b"1e22"] * 40) + b"]}"
    answer = post(client, b'{"items":[' + twice + b"}," + floats + b"]}", "/v1/batch")
    assert answer.status_code == 400
    assert b"malformed-json" in answer.data


def test_a_name_that_looks_like_a_state(client, told):
    """In a text its quotes are escaped, so nothing is lifted out of it."""
    asked = {**GAME, "players": [{"id": "a", "name": '"state":{"state_id":"s_1_'}, {"id": "b"}]}
    state = orjson.loads(client.post("/v1/games", json=asked).data)["state"]
    assert post(client, move(orjson.dumps(state))).status_code == 200
