"""The compiled engine is used only where it is made of the sources as they are. How it plays: tests/compiled.py."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from service import compiled
from service.config import BadSetting, Config
from tests.service.servers import ROOT

COMPILE = ROOT / "scripts" / "compile"
FRESH = """
import sys
from pathlib import Path
from service import compiled
compiled.SOURCES = Path(sys.argv[1])
used = compiled.use(Path(sys.argv[2]))
import engine
print(used, Path(engine.__file__).parent.parent)
print(compiled.use(Path(sys.argv[2])))
"""


@pytest.fixture
def sources(tmp_path):
    """A copy of the engine that a test may change."""
    return shutil.copytree(compiled.SOURCES, tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__"))


@pytest.fixture
def folder(tmp_path, sources):
    """A folder as `make compiled` leaves it, in which nothing is compiled."""
    made = tmp_path / "compiled"
    shutil.copytree(sources, made / "engine")
    (made / compiled.MADE_OF).write_text(compiled.digest(sources) + "\n")
    return made


def used(sources, folder):
    """Whether a new process uses the engine of that folder, where it has it from, and whether a second call would."""
    command = [sys.executable, "-c", FRESH, str(sources), str(folder)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def test_an_engine_made_of_these_sources_is_used(sources, folder):
    assert used(sources, folder) == [f"True {folder}", "False"], "what is imported cannot be exchanged"


@pytest.mark.parametrize("name", ["state.py", "cards/dice.py", "rulings/turn.toml"])
def test_one_that_is_older_is_not(sources, folder, name):
    (sources / name).write_text((sources / name).read_text() + "\n")
    assert used(sources, folder) == [f"False {ROOT}", "False"]


def test_one_with_a_file_less_is_not(sources, folder):
    (sources / "odds.py").unlink()
    assert used(sources, folder)[0] == f"False {ROOT}"


def test_half_of_one_is_not(sources, folder):
    (folder / compiled.MADE_OF).unlink()
    assert used(sources, folder)[0] == f"False {ROOT}"
    (folder / compiled.MADE_OF).write_bytes(b"\xff")
    assert used(sources, folder)[0] == f"False {ROOT}"


def test_what_python_leaves_behind_changes_nothing(sources):
    before = compiled.digest(sources)
    (sources / "__pycache__").mkdir()
    (sources / "__pycache__" / "state.cpython-311.pyc").write_bytes(b"x")
    assert compiled.digest(sources) == before


def test_version_says_which_engine_runs(client):
    assert client.get("/version").get_json()["engine"] == compiled.kind() == "python"


def test_the_engine_is_plain_or_whatever_is_there():
    assert Config.from_environment({"KAIJUDGE_ENGINE": "python"}).engine == "python"
    with pytest.raises(BadSetting, match="KAIJUDGE_ENGINE must be python or empty, not 'fast'"):
        Config.from_environment({"KAIJUDGE_ENGINE": "fast"})


# Compiling


def test_without_a_compiler_it_says_so(tmp_path):
    command = [sys.executable, str(COMPILE), str(tmp_path / "compiled")]
    done = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("The engine cannot be compiled here: there is no C compiler")
    assert os.listdir(tmp_path) == []


def test_what_is_up_to_date_is_left_alone(tmp_path):
    (tmp_path / compiled.MADE_OF).write_text(compiled.digest(compiled.SOURCES))
    command = [sys.executable, str(COMPILE), str(tmp_path)]
    done = subprocess.run(command, env={"PATH": ""}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"{tmp_path} is up to date\n")
