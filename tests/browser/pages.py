"""What every page must keep to: no error, no word to anybody else."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = 20  # seconds
OURS = ("data:", "blob:", "about:", "chrome:")


def wait(browser, condition):
    """Wait until a condition holds, and give what it gave."""
    return WebDriverWait(browser, PATIENCE, 0.05).until(condition)


def complaints(browser):
    """Errors and warnings of the console; violations of the content policy are among them."""
    return [entry for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]


def asked(browser):
    """The addresses the page has asked for, by the browser's own account."""
    messages = (json.loads(entry["message"])["message"] for entry in browser.get_log("performance"))
    sent = [each["params"] for each in messages if each["method"] == "Network.requestWillBeSent"]
    return [each["request"]["url"] for each in sent if not each["request"]["url"].startswith(OURS)]


def strangers(browser, address):
    """The addresses of others among them."""
    return [url for url in asked(browser) if urlsplit(url).netloc != urlsplit(address).netloc]
