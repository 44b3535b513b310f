"""A game on the playground: what a player sees and does, in a word each."""

import json
import os

import httpx
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from tests.browser.pages import wait

SHOTS = os.environ.get("KAIJUDGE_SCREENSHOTS")  # a directory to look at afterwards
PLAYERS = [{"id": "a", "name": "Ann"}, {"id": "b", "name": "Bob"}]


class Table:
    """What a player sees and does, in a word each."""

    def __init__(self, browser, address):
        self.browser, self.address = browser, address

    def open(self):
        still = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", still)  # what fades in has no text at first
        self.browser.get(self.address + "/")
        self.browser.execute_script("localStorage.clear(); sessionStorage.clear()")
        self.browser.get(self.address + "/")
        self.idle()
        return self

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return wait(self.browser, lambda _: next(iter(self.all(selector)), None))

    def texts(self, selector):
        return [each.text for each in self.all(selector)]

    def idle(self):
        """Wait until the service has answered and all is drawn."""
        wait(self.browser, lambda _: self.all("#quick") and not self.all("body.busy"))

    def press(self, selector):
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", self.one(selector))
        self.one(selector).click()
        self.idle()

    def title(self):
        return self.one("#panel h2").text

    def start(self):
        self.press("#quick")

    def load(self, **asked):
        """Go on from a state that the service made."""
        told = httpx.post(self.address + "/v1/games", json={"players": PLAYERS, "first_player": "a", **asked}).json()
        self.press(".from-state summary")
        self.browser.execute_script("arguments[0].value = arguments[1]", self.one(".from-state textarea"),
                                    json.dumps(told["state"]))  # fmt: skip
        self.press(".from-state button")

    def choose(self, name, value):
        Select(self.one(f"[name={name}]")).select_by_value(value)
        self.idle()

    def do(self, kind):
        self.press(f"#moves [data-type={kind}]")

    def send(self, action):
        """An action that nobody offers."""
        self.press("#moves .more summary")
        self.browser.execute_script("arguments[0].value = arguments[1]", self.one(".own textarea"), json.dumps(action))
        self.press(".own button")

    def faces(self):
        return [self.face(each) for each in self.all("#decision > .tray .die")]

    @staticmethod
    def face(die):
        names = die.get_attribute("class").split()
        return next(name.removeprefix("face-") for name in names if name.startswith("face-"))

    def shoot(self, name):
        if SHOTS:
            self.browser.save_screenshot(f"{SHOTS}/playground-{name}.png")
