"""Perft: how many different states can be reached in n actions, chance enumerated.

Each `*.json` file here is a position that any implementation of the contract can count:

- `title`: a sentence
- `game`: body of `POST /v1/games` without `edition`; client dice, so that chance is enumerated
- `seed`: seed of the game (it shuffles nothing that matters: deck and market are given)
- `counts`: for each edition the number of distinct states after 1, 2, … actions

**Counting.** From each distinct state of a layer play every offered action but `concede`; a `dice` action is played
with every sequence of faces (6 ** count). Two states count as one if all that clients can read is equal: the
documents without `version`, `state_id`, `secrets` and `resume`. States that are over have no successors.

`python -m tests.perft` counts and compares; `--write` puts the counts found into the files; `--depth N` goes deeper.
"""
