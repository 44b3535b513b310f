"""The conformance suite over HTTP, against a real gunicorn."""

import httpx
import pytest

from tests.conformance.cases import all_cases, runs
from tests.conformance.check import check
from tests.conformance.referees import HttpReferee
from tests.service.servers import serving

PARTS = 24  # of the suite, so that the workers share it


@pytest.fixture(scope="module")
def referee():
    settings = {"KAIJUDGE_WORKERS": "1", "KAIJUDGE_LOG": "off"}
    with serving(**settings) as (url, _), httpx.Client(base_url=url, timeout=30) as client:

        def post(path, body):
            answer = client.post(path, json=body, headers={"Accept-Language": "en"})
            return answer.status_code, answer.json()

        yield HttpReferee(post)


@pytest.mark.parametrize("part", range(PARTS))
def test_every_case_holds_over_http(referee, part):
    for run in [*runs(all_cases())][part::PARTS]:
        check(run, referee)
