"""What the README shows is what happens."""

import re
import subprocess
from pathlib import Path

from tests.service.servers import serving

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


def first_turn():
    """The commands of the README's first turn."""
    section = README[README.index("## A first turn with curl") :]
    (commands,) = re.findall(r"```sh\n(.*?)```", section.split("\n## ")[0], re.DOTALL)
    return commands


def test_the_first_turn_plays_as_it_stands(tmp_path):
    with serving() as (url, _):
        commands = first_turn().replace("localhost:8000", url.removeprefix("http://"))
        done = subprocess.run(["bash", "-ec", commands], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "TOKYO-ENTER-2" in done.stdout
    assert "ann" in done.stdout
    answer = (tmp_path / "answer.json").read_text(encoding="utf-8")
    assert '"turn":{"number":2,"player":"bob"' in answer


def test_the_two_commands_come_first():
    assert README.index("make serve") < README.index("make test") < README.index("curl")
