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
    body = part(browser, block, ".live-responses-table .response .highlight-code code").text
    shoot(browser, name)
    return status.split()[0], json.loads(body)


def shoot(browser, name):
    if SHOTS:
        browser.save_screenshot(f"{SHOTS}/docs-{name}.png")


@pytest.fixture
def page(browser, address):
    """The page, and at the end: nothing complained, nobody else was asked."""
    browser.get(address + "/docs")
    wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".opblock"))
    yield browser
    assert complaints(browser) == []
    assert strangers(browser, address) == []


def test_every_operation_is_shown(page):
    told = yaml.safe_load(OPENAPI.read_text())
    operations = {each["operationId"] for methods in told["paths"].values() for each in methods.values()}
    shown = {each.get_attribute("id").rpartition("-")[2] for each in page.find_elements(By.CSS_SELECTOR, ".opblock")}
    assert shown == operations
    assert not page.find_elements(By.CSS_SELECTOR, ".errors-wrapper")
    shoot(page, "all")


def test_a_get_can_be_tried(page):
    status, body = tried(page, "editions")
    assert (status, body["default"]) == ("200", "cs-2016")


def test_a_path_with_a_parameter_can_be_tried(page):
    assert tried(page, "one_ruling")[1]["id"] == "YIELD-4"


def test_a_post_can_be_tried(page):
    status, body = tried(page, "new_game")
    assert (status, body["state"]["players"][0]["name"]) == ("201", "Ann")


def test_an_adjudication_can_be_tried(page):
    status, body = tried(page, "adjudicate")
    assert (status, body["state"]["version"]) == ("200", 1)


def test_the_page_can_be_seen_as_dark_and_its_schemas_opened(page):
    """Nothing of the page needs a style or a script that the content policy forbids."""
    page.find_element(By.CSS_SELECTOR, "section.models .models-control").click()
    wait(page, lambda b: b.find_elements(By.CSS_SELECTOR, "section.models .model-container, section.models article"))
    block = operation(page, "view")
    part(page, block, ".model-example .tablinks[data-name=model]").click()
    shoot(page, "schemas")


def test_a_broken_policy_would_be_noticed(browser, address):
    """The checks above can fail: what the policy forbids is in the console's log."""
    browser.get(address + "/docs")
    browser.execute_script("let s = document.createElement('script'); s.text = 'window.evil = 1'; document.body.append(s)")
    assert any("Content Security Policy" in each["message"] for each in complaints(browser))
    assert browser.execute_script("return window.evil") is None
