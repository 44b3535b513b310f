"""The conformance suite over HTTP, against a real gunicorn; every answer is held against openapi.yaml, too."""

from http.client import HTTPConnection
from urllib.parse import urlsplit

import orjson
import pytest

from tests.conformance.cases import all_cases, runs
from tests.conformance.check import check
from tests.conformance.referees import HttpReferee
from tests.service.described import description
from tests.service.servers import serving

PARTS = 24  # of the suite, so that the workers share it
HEADERS = {"Content-Type": "application/json", "Accept-Language": "en"}


@pytest.fixture(scope="module")
def referee():
    with serving(KAIJUDGE_WORKERS="1", KAIJUDGE_LOG="off") as (url, _):
        connection = HTTPConnection(urlsplit(url).netloc, timeout=30)

        def post(path, body):
            connection.request("POST", path, orjson.dumps(body), HEADERS)
            answer = connection.getresponse()
            content = answer.read()
            description().check("POST", path, answer.status, answer.getheaders(), content)
            return answer.status, orjson.loads(content)

        yield HttpReferee(post)
        connection.close()


@pytest.mark.parametrize("part", range(PARTS))
def test_every_case_holds_over_http(referee, part):
    for run in [*runs(all_cases())][part::PARTS]:
        check(run, referee)
