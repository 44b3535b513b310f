"""The service, as it is really served, against its own description: requests made by schemathesis, good and bad.

Every operation of openapi.yaml is tried, and every check that schemathesis has is made.
"""

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig

from tests.service.described import description

TOLD = description().told
# A request may fit its schema and still be refused by the rules, for the state it is about.
REFUSED = ["400", "401", "403", "404", "409", "422"]


def body(operation):
    """The schema of an operation's body, or nothing."""
    content = operation.get("requestBody", {}).get("content", {})
    name = content.get("application/json", {}).get("schema", {}).get("$ref", "").rpartition("/")[2]
    return TOLD["components"]["schemas"].get(name, {})


def many():
    """Operations about a state: the thousand ways to spoil one are all tried on the first, and some on the others."""
    named = [f"{method.upper()} {path}" for path, methods in TOLD["paths"].items() for method, each in methods.items()
             if "state" in body(each).get("properties", {})]  # fmt: skip
    return named[1:]


CONFIG = SchemathesisConfig.from_dict({
    "checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", "304", *REFUSED]}},
    "operations": [{"include-name": many(), "phases": {"coverage": {"enabled": False}}}],
})  # fmt: skip
SCHEMA = schemathesis.openapi.from_dict(TOLD, config=CONFIG)


@pytest.fixture(scope="module")
def session():
    with requests.Session() as connection:
        yield connection


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Skipped test cases with unsupported payload media types")  # lines of JSON
@SCHEMA.parametrize()
@settings(max_examples=12, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
def test_the_service_keeps_to_its_description(served, session, case):
    case.call_and_validate(base_url=served, session=session)
