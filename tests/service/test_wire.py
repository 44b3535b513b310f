"""What bytes are read as JSON, and which problem the others get."""

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.problems import MOST_ERRORS, Refusal
from service.wire import parse
from tests.service.bodies import FLOATS, MALFORMED


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_malformed(body):
    with pytest.raises(Refusal) as refused:
        parse(body)
    assert refused.value.slug == "malformed-json"


@pytest.mark.parametrize(("body", "pointers"), FLOATS.items())
def test_floats_are_refused_where_they_are(body, pointers):
    with pytest.raises(Refusal) as refused:
        parse(body)
    assert refused.value.slug == "schema-violation"
    assert [each["pointer"] for each in refused.value.carries["errors"]] == pointers


def test_a_list_of_errors_has_an_end():
    with pytest.raises(Refusal) as refused:
        parse(b"[" + b"1.5," * 50_000 + b"1.5]")
    assert len(refused.value.carries["errors"]) == MOST_ERRORS


def test_a_hundred_levels_are_read():
    assert parse(b"[" * 100 + b"]" * 100)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text("ab ~/\n.é"), inner, max_size=5),
)


@given(VALUES, st.sampled_from([None, 2]), st.booleans())
def test_whatever_a_client_writes_is_read(value, indent, ascii_only):
    assert parse(json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()) == value
    assert parse(orjson.dumps(value)) == value


@given(VALUES, VALUES, st.sampled_from([None, 2]), st.booleans())
def test_a_repeated_key_is_always_found(one, other, indent, ascii_only):
    first, second = (json.dumps(each, indent=indent, ensure_ascii=ascii_only) for each in (one, other))
    with pytest.raises(Refusal):
        parse(f'{{"k": {first}, "k" :{second}}}'.encode())
    with pytest.raises(Refusal):
        parse(f'[{{"k":{first},"k":{second}}}]'.encode())
