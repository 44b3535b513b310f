"""A real browser, and a real service for it to look at."""

from __future__ import annotations

import shutil
import tempfile

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from tests.service.servers import serving

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    "--window-size=1280,1600",
)  # fmt: skip


@pytest.fixture(scope="module")
def address():
    with serving(REDIS_URL="none") as (url, _):
        yield url


def found(command):
    path = shutil.which(command)
    assert path, f"{command} is not there: run scripts/system-packages {command}"
    return path


@pytest.fixture(scope="module")
def chromium():
    """Chromium, with a profile of its own and logs of what it says and loads."""
    profile = tempfile.mkdtemp()
    options = Options()
    options.binary_location = found("chromium")
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, Service(found("chromedriver")))
    yield driver
    driver.quit()
    shutil.rmtree(profile, ignore_errors=True)
