"""Write the golden games anew: python -m tests.golden [--new].

Without `--new` the recorded actions are kept and only the bytes are written anew: for a change of the wire that is
meant. With it other games are recorded. Either way the difference belongs in the commit, with its reason.
"""

from __future__ import annotations

import sys

from tests.golden.games import editions, new_recording, path_of, recorded, written


def main(fresh: bool) -> None:
    for edition in editions():
        game = new_recording(edition) if fresh or not path_of(edition).exists() else recorded(edition)
        path_of(edition).write_bytes(written(*game))
        print(f"{path_of(edition)}: {len(game[2])} actions")


if __name__ == "__main__":
    main("--new" in sys.argv[1:])
