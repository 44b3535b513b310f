"""Running one case: what it expects, and what is expected of every answer."""

from __future__ import annotations

import json
from typing import Any

from tests.conformance.cases import Run
from tests.conformance.explain import explain
from tests.conformance.match import Json, Mismatch, difference, expect, matches
from tests.conformance.referees import Answer, Referee, Refused
from tests.conformance.rulings import known, named_in, shown_by

GROUPS = ["numbers", "energy", "hearts", "claws"]


def check(run: Run, referee: Referee) -> None:
    """Run a case; fail with the place and the reason where it does not hold."""
    told = run.case.in_edition(run.edition)
    game = {"edition": run.edition, **told["game"]}
    cited = _Citations(run.edition)
    where = "creation"
    try:
        unknown = shown_by(run) - known().keys()
        expect(not unknown, f"no such rulings: {sorted(unknown)}")
        if "refused" in told:
            _expect_refused_game(referee, game, told["refused"], cited)
        else:
            answer = _created(referee, game, told.get("created", {}), cited)
            for index, step in enumerate(told.get("steps", [])):
                where = f"step {index} {json.dumps(step['action'])}"
                answer = _step(referee, answer, step, cited)
            where = "replay"
            if referee.replays:
                _replay(referee, game, told, answer)
        where = "citations"
        missing = set(told.get("shows", ())) - cited.rulings
        expect(not missing, f"never cited: {sorted(missing)}; cited: {sorted(cited.rulings)}")
    except Mismatch as error:
        raise Mismatch(f"{run.name}\n  {where}\n  {error}") from None


class _Citations:
    """Every ruling that a run has named; each must be one of the run's edition."""

    def __init__(self, edition: str) -> None:
        self.edition = edition
        self.rulings: set[str] = set()

    def add(self, rulings: Any, who: str) -> None:
        expect(isinstance(rulings, list) and rulings, f"{who} names no ruling")
        unknown = {each for each in rulings if self.edition not in known().get(each, ())}
        expect(not unknown, f"{who} names rulings that {self.edition} does not have: {sorted(unknown)}")
        self.rulings |= set(rulings)

    def add_refusal(self, refused: Refused) -> None:
        for reason in refused.reasons:
            if refused.slug in ("illegal-action", "game-over"):
                self.add([reason.ruling], f"refusal {reason.code}")
            self.rulings |= named_in(reason.detail)


# Creation


def _created(referee: Referee, game: Json, wanted: Json, cited: _Citations) -> Answer:
    try:
        answer = referee.create(game)
    except Refused as refused:
        raise Mismatch(f"refused: {refused}") from None
    expect(answer.document["version"] == 0, f"version {answer.document['version']} of a new game")
    _check_answer(referee, answer, wanted, cited)
    return answer


def _expect_refused_game(referee: Referee, game: Json, wanted: Json, cited: _Citations) -> None:
    try:
        referee.create(game)
    except Refused as refused:
        cited.add_refusal(refused)
        _expect_refusal(refused, wanted)
        return
    raise Mismatch("the game was not refused")


# Steps


def _step(referee: Referee, before: Answer, step: Json, cited: _Citations) -> Answer:
    action = step["action"]
    offered = referee.legal(before)
    try:
        answer = referee.act(before, action)
    except Refused as refused:
        expect("refused" in step, f"refused: {refused}")
        cited.add_refusal(refused)
        _expect_refusal(refused, step["refused"])
        expect(_may_be_refused(action, before, offered), "an offered action was refused")
        _check_expectations(referee, before, [], step)
        return before
    expect("refused" not in step, "the action was not refused")
    expect(any(_same(action, each) for each in offered), f"accepted, but not among the {len(offered)} offered")
    versions = before.document["version"], answer.document["version"]
    expect(versions[1] == versions[0] + 1, f"version went from {versions[0]} to {versions[1]}")
    explain(before.document, answer.events, answer.document)
    _check_answer(referee, answer, step, cited)
    return answer


def _expect_refusal(refused: Refused, wanted: Json) -> None:
    slug = wanted.get("slug", refused.slug)
    expect(slug == refused.slug, f"expected {slug}, found {refused}")
    if wanted.keys() <= {"slug"}:
        return
    reasons = [
        each
        for each in refused.reasons
        if each.code == wanted.get("code", each.code)
        and each.pointer.endswith(wanted.get("pointer", ""))
        and ("ruling" not in wanted or wanted["ruling"] == each.ruling or wanted["ruling"] in named_in(each.detail))
    ]
    expect(reasons, f"expected {wanted}, found {refused}")


def _may_be_refused(action: Json, before: Answer, offered: list[Json]) -> bool:
    """An action that is offered is accepted, but for the faces a client adds."""
    decision = before.document["decision"]
    if "faces" in action or (action.get("type") == "dice" and decision and decision["kind"] == "dice"):
        return True
    return action not in offered


# Legal actions


def normal(action: Json) -> Json:
    """An action as it is compared: defaults filled in, no faces, dice in order; hearts left over heal oneself."""
    told = {name: value for name, value in action.items() if name != "faces"}
    kind = told.get("type")
    if kind == "resolve":
        told.setdefault("order", GROUPS)
    elif kind == "buy":
        told.setdefault("from", "market")
    elif kind == "reroll":
        told["dice"] = sorted(told["dice"])
    elif kind == "hearts":
        told = {name: value for name, value in told.items() if value and name != "heal"}
    return told


def _same(action: Json, offered: Json) -> bool:
    mine, theirs = normal(action), normal(offered)
    if mine.get("from") == "deck" and "card" not in mine:
        theirs.pop("card", None)
    return mine == theirs


# Answers


def _check_answer(referee: Referee, answer: Answer, wanted: Json, cited: _Citations) -> None:
    document = answer.document
    for index, event in enumerate(answer.events):
        expect(event["seq"] == index, f"event {index} has seq {event['seq']}")
        cited.add(event.get("rulings"), f"event {event['type']}")
    _check_waiting(referee, answer, cited)
    if document["outcome"] is not None:
        cited.add(document["outcome"]["rulings"], "the outcome")
    _check_expectations(referee, answer, answer.events, wanted)


def _check_waiting(referee: Referee, answer: Answer, cited: _Citations) -> None:
    """One decision of one player with a default that is offered, or the game is over."""
    decision, outcome = answer.document["decision"], answer.document["outcome"]
    phase = answer.document["phase"]
    expect((decision is None) == (outcome is not None) == (phase == "over"), f"{phase=}, {decision=}, {outcome=}")
    offered = referee.legal(answer)
    if decision is None:
        expect(not offered, f"the game is over, and yet {offered} are offered")
        return
    cited.add(decision.get("rulings"), f"decision {decision['kind']}")
    expect(decision.get("default") in offered, f"the default {decision.get('default')} is not offered")


def _check_expectations(referee: Referee, answer: Answer, events: list[Json], wanted: Json) -> None:
    told = difference(wanted.get("state", {}), by_id(answer.document))
    expect(told is None, f"state{told}")
    _expect_events(wanted.get("events", []), events)
    for pattern in wanted.get("no_events", []):
        unwanted = {"type": pattern} if isinstance(pattern, str) else pattern
        found = [event for event in events if matches(unwanted, event)]
        expect(not found, f"unexpected events: {found}")
    if "legal" in wanted or "not_legal" in wanted:
        _expect_legal(wanted, referee.legal(answer))


def by_id(document: Json) -> Json:
    """The document with its players by id."""
    return {**document, "players": {each["id"]: each for each in document["players"]}}


def _expect_events(wanted: list[Json], events: list[Json]) -> None:
    rest = iter(events)
    for pattern in wanted:
        found = any(matches(pattern, event) for event in rest)
        expect(found, f"no event {pattern} (in this order) among\n    " + "\n    ".join(map(str, events)))


def _expect_legal(wanted: Json, offered: list[Json]) -> None:
    for pattern in wanted.get("legal", []):
        expect(any(matches(pattern, action) for action in offered), f"{pattern} is not offered")
    for pattern in wanted.get("not_legal", []):
        found = [action for action in offered if matches(pattern, action)]
        expect(not found, f"offered: {found[:3]}")


# Replay


def _replay(referee: Referee, game: Json, told: Json, last: Answer) -> None:
    """The same game and the same actions give the same document and the same last events."""
    answer = referee.create(game)
    for step in told.get("steps", []):
        if "refused" not in step:
            answer = referee.act(answer, step["action"])
    same = json.dumps(answer.document) == json.dumps(last.document) and answer.events == last.events
    expect(same, "another run of the same actions ends otherwise")
