"""A patch is right when applying it gives the new value."""

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.patch import diff

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "a", "b"]),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from(["a", "b", "~/", ""]), inner),
    max_leaves=20,
)


def patched(document, patch):
    """RFC 6902, as far as `diff` uses it."""
    document = {"": deepcopy(document)}
    for step in patch:
        parts = [part.replace("~1", "/").replace("~0", "~") for part in step["path"].split("/")]
        *way, last = parts
        target = document
        for part in way:
            target = target[int(part)] if isinstance(target, list) else target[part]
        key = int(last) if isinstance(target, list) else last
        if step["op"] == "add" and isinstance(target, list):
            assert 0 <= key <= len(target)
            target.insert(key, deepcopy(step["value"]))
        elif step["op"] == "remove":
            del target[key]
        else:
            assert step["op"] == "add" or (key in target if isinstance(target, dict) else key < len(target))
            target[key] = deepcopy(step["value"])
    return document[""]


def exactly(value):
    """A form in which true and 1 differ."""
    return repr(value)


def sorted_keys(value):
    if isinstance(value, dict):
        return {name: sorted_keys(value[name]) for name in sorted(value)}
    return [sorted_keys(each) for each in value] if isinstance(value, list) else value


@given(VALUES, VALUES)
def test_a_patch_makes_the_old_into_the_new(old, new):
    assert exactly(sorted_keys(patched(old, diff(old, new)))) == exactly(sorted_keys(new))


@given(VALUES)
def test_nothing_changed_is_an_empty_patch(value):
    assert [*diff(value, deepcopy(value))] == []


@pytest.mark.parametrize(
    ("old", "new", "patch"),
    [
        ([1, 2, 3], [2, 3], [{"op": "remove", "path": "/0"}]),
        ([1, 2], [1, 9, 2], [{"op": "add", "path": "/1", "value": 9}]),
        ({"a": [1, 2]}, {"a": [1, 3]}, [{"op": "replace", "path": "/a/1", "value": 3}]),
        ({"a/b": 1}, {}, [{"op": "remove", "path": "/a~1b"}]),
        (None, {"a": 1}, [{"op": "replace", "path": "", "value": {"a": 1}}]),
    ],
)
def test_patches_are_short(old, new, patch):
    assert [*diff(old, new)] == patch


def test_patches_of_a_game(referee):
    state = referee.new_game()["state"]
    while state["outcome"] is None and state["version"] < 60:
        told = referee.adjudicate(state, state["decision"]["default"], "?include=patch").get_json()
        assert patched(state, told["patch"]) == told["state"]
        state = told["state"]
