"""Play one random game again and show it: python -m tests.properties.replay EDITION PLAYERS SEED."""

from __future__ import annotations

import sys

from tests.properties.game import play


def main(edition: str, players: str, seed: str) -> None:
    played = play(edition, int(players), int(seed), shows=True)
    print(f"{played.steps} steps, {played.turns} turns, {played.refused} actions refused")


if __name__ == "__main__":
    main(*sys.argv[1:])
