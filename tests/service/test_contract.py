"""The service against its own description: requests that fit it, and requests that do not, made by schemathesis."""

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import positive_data_acceptance

from service.app import create_app
from service.config import MEMORY, Config

SCHEMA = schemathesis.openapi.from_wsgi("/openapi.yaml", create_app(Config(redis_url=MEMORY)))
# A request may fit its schema and still be refused by the rules; and 503 is an answer, where there is no store.
EXCLUDED = [positive_data_acceptance, not_a_server_error]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Skipped test cases with unsupported payload media types")  # lines of JSON
@SCHEMA.parametrize()
@settings(max_examples=8, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
def test_the_service_keeps_to_its_description(case):
    # Between WSGI and schemathesis nobody unpacks gzip.
    answer = case.call_and_validate(excluded_checks=EXCLUDED, headers={"Accept-Encoding": "identity"})
    assert answer.status_code < 500 or answer.status_code == 503
