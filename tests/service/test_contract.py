"""The service, as it is really served, against its own description: requests made by schemathesis, good and bad.

Every operation of openapi.yaml is tried, in every phase and with every check that schemathesis has. It runs in a
process of its own: as a plugin it would make its thousands of requests anew in each worker of pytest.
"""

import subprocess
import sys

from tests.service.described import FILE, description

EXAMPLES = 12
# A request may fit its schema and still be refused by the rules, for the state it is about.
REFUSED = ["400", "401", "403", "404", "409", "422"]


def body(operation):
    """The schema of an operation's body, or nothing."""
    content = operation.get("requestBody", {}).get("content", {})
    name = content.get("application/json", {}).get("schema", {}).get("$ref", "").rpartition("/")[2]
    return description().told["components"]["schemas"].get(name, {})


def many():
    """Operations about a state: the thousand ways to spoil one are all tried on the first, and some on the others."""
    paths = description().told["paths"]
    named = [f"{method.upper()} {path}" for path, methods in paths.items() for method, each in methods.items()
             if "state" in body(each).get("properties", {})]  # fmt: skip
    return named[1:]


def settings():
    """What schemathesis is told, in its own words."""
    return f"""
[generation]
max-examples = {EXAMPLES}
deterministic = true
database = "none"

[checks]
positive_data_acceptance.expected-statuses = {["2xx", "304", *REFUSED]}

[phases.stateful]
enabled = false

[[operations]]
include-name = {many()}
phases.coverage.enabled = false
"""


def test_the_service_keeps_to_its_description(served, tmp_path):
    told = tmp_path / "schemathesis.toml"
    told.write_text(settings())
    program = (sys.executable, "-m", "schemathesis.cli", "--no-color", "--config-file", told)
    ran = subprocess.run(
        [*program, "run", FILE, "--url", served], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
    operations = sum(len(methods) for methods in description().told["paths"].values())
    assert f"Tested: {operations}\n" in ran.stdout
