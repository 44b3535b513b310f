"""The ring of keys: how it is written, what is wrong with one, and that it never shows itself."""

import os
import stat

import pytest

from service import cli, keyring
from service.config import BadSetting, Config
from service.keyring import BadKeys, keep_new_key, new_key, read_keys

SHORT, LONG = "A" * 43, "B" * 86  # 32 and 64 bytes


def test_the_first_key_seals_and_all_open():
    ring = read_keys(f"new:{LONG}, old:{SHORT}=")
    assert ring.newest is ring.get("new")
    assert ring.get("old") is not None
    assert ring.get("other") is None
    assert ring


@pytest.mark.parametrize("told", ["", "  "])
def test_a_ring_may_be_empty(told):
    assert not read_keys(told)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (SHORT, "an id"),
        (f":{SHORT}", "an id"),
        (f"Old:{SHORT}", "an id"),
        (f"{'k' * 17}:{SHORT}", "an id"),
        (f"a.b:{SHORT}", "an id"),
        (f"a:{SHORT},", "before key 2"),
        ("a:", "32 or 64 bytes"),
        (f"a:{SHORT[:-1]}", "32 or 64 bytes"),
        (f"a:{SHORT}AAAA", "32 or 64 bytes"),
        (f"a:{SHORT[:-1]}!", "32 or 64 bytes"),
        (f"a:{SHORT[:-1]}é", "32 or 64 bytes"),
        (f"a:{SHORT},a:{LONG}", "same id"),
        (f"a:{SHORT},b:{LONG[:-5]}", "for key 2"),
    ],
)
def test_what_is_wrong_with_a_ring_is_said_without_it(told, why):
    with pytest.raises(BadKeys, match=why):
        read_keys(told)
    with pytest.raises(BadSetting, match="KAIJUDGE_KEYS") as refused:
        Config.from_environment({"KAIJUDGE_KEYS": told})
    assert "AAAA" not in str(refused.value)
    assert "BBBB" not in str(refused.value)
    assert refused.value.__cause__ is None


def test_nothing_shows_a_key():
    config = Config(keys=f"a:{SHORT}")
    ring = read_keys(config.keys)
    assert "AAAA" not in f"{config!r} {ring!r} {ring.newest!r}"
    assert repr(ring.newest) == "Key('a')"


def test_each_purpose_has_a_key_of_its_own():
    first, second = (keyring.Key("k", bytes([number]) * 32) for number in range(2))
    sealed = {key.seals.encrypt(b"x", [b"y"]) for key in (first, second)}
    wrapped = {key.wraps.encrypt(b"x", [b"y"]) for key in (first, second)}
    assert len(sealed | wrapped) == 4
    assert first.seats != second.seats
    assert bytes(32) not in (first.seats, second.seats)


def test_a_new_key_is_another_each_time(capsys):
    assert cli.main(["new-key"]) == cli.main(["new-key"]) == 0
    first, second = capsys.readouterr().out.split()
    assert first != second
    assert read_keys(f"{first},{second}").newest


def test_a_kept_key_is_for_its_owner_alone(tmp_path):
    before = os.umask(0)
    try:
        key = keep_new_key(tmp_path)
    finally:
        os.umask(before)
    file = tmp_path / keyring.FILE
    assert file.read_text() == key + "\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        keep_new_key(tmp_path)


def test_a_ring_that_cannot_be_read_stops_the_start(monkeypatch, capsys):
    monkeypatch.setenv("KAIJUDGE_KEYS", f"a:{SHORT[:-2]}")
    assert cli.main(["serve"]) == 2
    told = capsys.readouterr().err
    assert "Cannot serve: KAIJUDGE_KEYS" in told
    assert "AAAA" not in told


def test_keys_are_read_from_the_environment():
    key = new_key()
    assert Config.from_environment({"KAIJUDGE_KEYS": key}).keys == key
