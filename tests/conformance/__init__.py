"""The conformance suite: runs tests/cases/*.yaml against the engine or over HTTP (format: tests/cases/README.md)."""

from tests.conformance.cases import Case, Run, all_cases, load, runs
from tests.conformance.check import check
from tests.conformance.match import Mismatch
from tests.conformance.referees import EngineReferee, HttpReferee, Referee

__all__ = ["Case", "EngineReferee", "HttpReferee", "Mismatch", "Referee", "Run", "all_cases", "check", "load", "runs"]
