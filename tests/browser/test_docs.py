"""/docs in a real browser: it shows every operation, and they can be tried."""

import json
import os
from pathlib import Path

import pytest
import yaml
from selenium.webdriver.common.by import By

from tests.browser.pages import complaints, strangers, wait

pytestmark = pytest.mark.browser

OPENAPI = Path(__file__).parents[2] / "openapi.yaml"
SHOTS = os.environ.get("KAIJUDGE_SCREENSHOTS")  # a directory to look at afterwards


def operation(browser, name):
    """The block of an operation, opened."""
    block = wait(browser, lambda b: b.find_element(By.CSS_SELECTOR, f".opblock[id$='-{name}']"))
    browser.execute_script("arguments[0].scrollIntoView()", block)
    block.find_element(By.CSS_SELECTOR, ".opblock-summary-control").click()
    return block


def part(browser, block, selector):
    return wait(browser, lambda _: block.find_element(By.CSS_SELECTOR, selector))


def tried(browser, name):
    """What the page shows after "Try it out" and "Execute" as they are: the status and the body."""
    block = operation(browser, name)
    part(browser, block, ".try-out__btn").click()
    part(browser, block, ".execute").click()
    status = part(browser, block, ".live-responses-table .response .response-col_status").text
    body = part(browser, block, ".live-responses-table .response .highlight-code code").get_attribute("textContent")
    shoot(browser, name)
    return status.split()[0], json.loads(body)


def shoot(browser, name):
    if SHOTS:
        browser.save_screenshot(f"{SHOTS}/docs-{name}.png")


@pytest.fixture(scope="module")
def loaded(chromium, address):
    """The page, loaded once for all tests."""
    chromium.get(address + "/docs")
    wait(chromium, lambda b: b.find_elements(By.CSS_SELECTOR, ".opblock"))
    return chromium


@pytest.fixture
def page(loaded, address):
    """The page, and at the end of each test: nothing complained, nobody else was asked."""
    yield loaded
    assert complaints(loaded) == []
    assert strangers(loaded, address) == []


def test_every_operation_is_shown(page):
    told = yaml.safe_load(OPENAPI.read_text())
    operations = {each["operationId"] for methods in told["paths"].values() for each in methods.values()}
    shown = {each.get_attribute("id").rpartition("-")[2] for each in page.find_elements(By.CSS_SELECTOR, ".opblock")}
    assert shown == operations
    assert not page.find_elements(By.CSS_SELECTOR, ".errors-wrapper")
    shoot(page, "all")


def test_a_get_can_be_tried(page):
    status, body = tried(page, "one_ruling")
    assert (status, body["id"]) == ("200", "YIELD-4")


def test_a_post_can_be_tried(page):
    status, body = tried(page, "new_game")
    assert (status, body["state"]["players"][0]["name"]) == ("201", "Ann")


def test_schemas_can_be_opened(page):
    block = operation(page, "view")
    part(page, block, ".model-example .tablinks[data-name=model]").click()
    assert "ViewEnvelope" in part(page, block, ".model-box, .json-schema-2020-12").text
    shoot(page, "schemas")


def test_a_broken_policy_would_be_noticed(loaded):
    """The checks above can fail: what the policy forbids is in the console's log."""
    loaded.execute_script("let s = document.createElement('script'); s.text = 'evil = 1'; document.body.append(s)")
    assert any("Content Security Policy" in each["message"] for each in complaints(loaded))
    assert loaded.execute_script("return window.evil") is None


def test_another_host_would_be_noticed():
    class Browser:
        def get_log(self, _):
            sent = {"method": "Network.requestWillBeSent", "params": {"request": {"url": "https://example.org/x.png"}}}
            return [{"message": json.dumps({"message": sent})}]

    assert strangers(Browser(), "http://127.0.0.1:8000") == ["https://example.org/x.png"]
