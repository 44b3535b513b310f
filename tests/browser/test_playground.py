"""The playground in a real browser: a game is played by clicking, and everything it shows came from the service."""

import json
import re
import shlex
from contextlib import contextmanager

import httpx
import pytest
import yaml
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from service import apikeys
from tests.browser.pages import complaints, strangers, wait
from tests.browser.table import Table
from tests.service.servers import serving

pytestmark = pytest.mark.browser

VALUE = re.compile(r"{(\w+)}")
EVIL = "<img src=x onerror='window.evil=1'>"


@pytest.fixture
def table(chromium, address):
    """The page as it is at first, and at the end of each test: nothing complained, nobody else was asked."""
    complaints(chromium), strangers(chromium, address)  # what the test before has left
    yield Table(chromium, address).open()
    assert complaints(chromium) == []
    assert strangers(chromium, address) == []


@contextmanager
def refused(table, status):
    """Chromium's console tells of refusals, and here of nothing else."""
    yield
    told = complaints(table.browser)
    assert told
    assert all(f"the server responded with a status of {status}" in each["message"] for each in told)


def test_one_click_starts_a_game_and_turns_are_played(table):
    table.start()
    assert table.texts(".player h3") == ["Ann", "Bob"]
    for turn in (1, 2, 3):
        assert table.one(".status .pill").text == f"Turn {turn}"
        while table.one(".status .pill").text == f"Turn {turn}":
            table.press("#moves button.main")
    kinds = {each.get_attribute("data-type") for each in table.all("#log .event")}
    assert {"game_created", "rolled", "resolving", "turn_ended"} <= kinds
    for event in table.all("#log .event"):
        assert event.find_element(By.CSS_SELECTOR, "p").text
        assert event.find_elements(By.CSS_SELECTOR, ".ruling-chip")
    table.shoot("turns")


def test_a_whole_game_can_be_won(table):
    table.load(options={"dice": "client"}, setup={"players": {"a": {"vp": 19}}})
    table.do("roll")
    enter(table, ["1", "1", "1", "2", "3", "3"])
    table.press("#moves [data-key=resolve]")
    table.do("end_turn")
    assert table.one("#decision h2").text == "Ann wins!"
    assert not table.all("#moves")
    assert table.one(".player.won h3").text == "Ann"
    table.shoot("won")


def test_dice_are_picked_and_rerolled(table):
    table.start()
    table.do("roll")
    before = table.faces()
    assert not table.one("#moves [data-type=reroll]").is_enabled()
    for index in (1, 4):
        table.press(f"[data-key=die-{index}]")
    assert [each.get_attribute("aria-pressed") for each in table.all("#decision > .tray .die")].count("true") == 2
    table.shoot("picked")
    table.do("reroll")
    after = table.faces()
    assert [after[index] for index in (0, 2, 3, 5)] == [before[index] for index in (0, 2, 3, 5)]
    assert table.texts("#log .step-head b")[-1].endswith("Reroll (2)")


def test_cards_that_change_dice(table):
    table.load(options={"dice": "client"}, setup={"players": {"a": {"cards": ["herd_culler", "background_dweller"]}}})
    table.do("roll")
    enter(table, ["3", "claw", "3", "2", "2", "energy"])
    table.press("[data-key=die-0]")
    assert len([each for each in table.all("#moves [data-type=reroll]") if each.is_enabled()]) == 2
    table.press("#moves .turning .face-1")
    assert table.faces() == ["1", "claw", "3", "2", "2", "energy"]


def enter(table, faces):
    for face in faces:
        table.press(f".entry [data-key=face-{face}]")
    table.press("[data-key=dice-send]")


def test_the_table_rolls_its_own_dice(table):
    table.choose("dice", "client")
    table.press("[data-key=start]")
    table.do("roll")
    assert not table.one("[data-key=dice-send]").is_enabled()
    table.press(".entry [data-key=face-heart]")
    table.press("[data-key=dice-back]")
    enter(table, ["1", "1", "1", "claw", "energy", "heart"])
    assert table.faces() == ["1", "1", "1", "claw", "energy", "heart"]
    table.press("#moves [data-key=resolve]")
    assert table.one("[data-player=p1] .stat-star b").text == "2"  # one for the dice, one for Tokyo
    assert table.one("[data-player=p1] .at-city")


def test_cards_are_bought_and_looked_at(table):
    players = {"a": {"energy": 9}, "b": {"cards": [{"card": "smoke_cloud", "charges": 2}]}}
    table.load(setup={"phase": "buy", "market": ["wings", "heal"], "deck": ["tanks"], "players": players})
    assert table.one("[data-card=smoke_cloud]").text == "Smoke Cloud\n×2"
    table.press(".card[data-card=wings] footer button")
    assert "Wings" in table.texts("[data-player=a] .card-chip")
    assert table.one("[data-deck]").text == "Deck: 0"
    table.press("[data-player=a] .card-chip")
    assert table.title() == "Wings"
    assert table.all("#panel [data-ruling=CARD-WINGS]")
    table.shoot("card")


def test_a_ruling_opens_and_closes(table):
    table.start()
    chip = table.one("#log [data-ruling=SETUP-7]")
    table.press("#log [data-ruling=SETUP-7]")
    told = httpx.get(table.address + "/v1/rulings/SETUP-7").json()
    assert table.title() == told["title"]
    assert table.one("#panel .ruling-text").text == told["text"]
    assert len(table.all("#panel .source")) == len(told["editions"])
    assert told["editions"]["cs-2016"]["section"] == table.one("#panel .source .section").text
    assert table.one("#panel .source .pill").text == "The rulebook says so"
    assert table.browser.switch_to.active_element.text == told["title"]
    table.shoot("ruling")
    table.browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert not table.one("#panel").is_displayed()
    assert table.browser.switch_to.active_element == chip


@pytest.mark.parametrize("language", ["cs", "hu", "pl"])
def test_another_language(table, language):
    table.start()
    table.do("roll")
    before, kinds = table.texts("#log .event p"), len(table.all("#log .event"))
    Select(table.one("#language")).select_by_value(language)
    table.idle()
    wait(table.browser, lambda _: table.texts("#log .event p") != before)
    assert table.one("html").get_attribute("lang") == language
    assert len(table.all("#log .event")) == kinds
    assert not set(before) & set(table.texts("#log .event p"))
    told = httpx.get(table.address + "/v1/rulings/ROLL-1", headers={"Accept-Language": language}).json()
    table.press("#log [data-ruling=ROLL-1]")
    assert table.title() == told["title"]
    table.shoot(language)
    table.browser.get(table.address + "/")
    table.idle()
    assert table.one("html").get_attribute("lang") == language  # it is remembered


def words(table):
    """The page's dictionaries, by language."""
    script = "import('/static/playground/words.js').then((words) => arguments[0](words.WORDS))"
    return table.browser.execute_async_script(script)


def test_every_word_is_there_in_every_language(table):
    told = words(table)
    values = {name: set(VALUE.findall(text)) for name, text in told["en"].items()}
    for language in ("cs", "hu", "pl"):
        assert {name: set(VALUE.findall(text)) for name, text in told[language].items()} == values


def test_every_kind_of_decision_and_action_has_its_words(table):
    told = words(table)["en"].keys()
    schemas = yaml.safe_load(httpx.get(table.address + "/openapi.yaml").text)["components"]["schemas"]
    actions = {*schemas["Action"]["discriminator"]["mapping"]}
    assert actions - {"hearts", "yield", "load", "dice"} <= told  # these have words for what they carry
    assert {f"kind_{each}" for each in schemas["Decision"]["properties"]["kind"]["enum"]} <= told
    assert {f"phase_{each}" for each in schemas["State"]["properties"]["phase"]["enum"]} <= told
    assert {f"outcome_{each}" for each in schemas["Outcome"]["properties"]["result"]["enum"]} <= told


def test_steps_are_taken_back(table):
    table.start()
    table.do("roll")
    rolled = table.faces()
    table.press("#moves [data-key=resolve]")
    table.press("#undo")
    assert table.faces() == rolled
    assert len(table.all("#log .undone")) == 1
    table.press("#redo")
    assert not table.all("#log .undone")
    table.press("#log .step:first-child [aria-label='Go back to here']")
    assert table.faces() == []
    table.do("roll")
    assert table.faces() == rolled  # the same seed, the same roll
    assert len(table.all("#log .step")) == 2


def test_a_refusal_names_its_rulings(table):
    table.start()
    player = table.one(".player.decides").get_attribute("data-player")
    with refused(table, 422):
        table.send({"type": "buy", "player": player, "card": "heal"})
        assert "Refused: The rules do not allow this action now" in table.one("#notice").text
        table.press("#notice [data-ruling=ROLL-1]")
    assert table.one("#panel .kind").text == "ROLL-1"
    table.press("#panel .closing")
    assert len(table.all("#log .step")) == 1
    assert table.one("#notice .notice")  # a look at a ruling is no move
    table.press("#moves button.main")
    assert not table.all("#notice .notice")


def test_what_the_service_cannot_set_up_is_told(table):
    table.choose("bay", "on")
    with refused(table, 422):
        table.press("[data-key=start]")
        assert "/options/bay" in table.one("#notice").text
    assert table.all("#notice [data-ruling=SETUP-4]")


@pytest.mark.parametrize(("edition", "players"), [("cs-2012", 6), ("hu-2014", 3), ("pl", 5)])
def test_every_edition_can_be_chosen(table, edition, players):
    table.choose("edition", edition)
    title = Select(table.one("[name=edition]")).first_selected_option.text
    for _ in range(players - 2):
        table.press("[data-key=add-player]")
    table.press("[data-key=start]")
    assert len(table.all(".player")) == players
    assert table.one(".edition").text == title
    assert bool(table.all(".place-bay")) == (edition == "cs-2012")


def test_names_are_only_text(table):
    table.one("[data-key=name-0]").clear()
    table.one("[data-key=name-0]").send_keys(EVIL)
    table.press("[data-key=start]")
    table.do("roll")
    table.press("#moves [data-key=resolve]")
    assert EVIL in table.texts(".player h3")
    assert any(EVIL in text for text in table.texts("#log .event p"))
    assert table.browser.execute_script("return window.evil") is None
    assert not table.all("main img")


def test_requests_are_shown_and_the_curl_line_asks_the_same(table):
    table.one("[data-key=name-0]").send_keys(" O'Hara")
    table.press("[data-key=start]")
    table.do("roll")
    table.press("#log .step:last-child [aria-label='Request and answer']")
    sent, answered = (json.loads(each.text) for each in table.all("#panel pre:not(.curl)"))
    assert sent["action"]["type"] == "roll"
    line = table.browser.execute_async_script(
        "import('/static/playground/service.js').then((m) => arguments[2](m.curl({path: arguments[0], "
        "language: 'en', keyed: false, body: arguments[1]})))",
        "v1/adjudicate?include=legal_actions&messages=true", sent,
    )  # fmt: skip
    command, url, *options = shlex.split(line.replace("\\\n", ""))
    assert command == "curl"
    assert options[::2] == ["-H", "-H", "--data-raw"]
    headers = dict(option.split(": ", 1) for option in (options[1], options[3]))
    again = httpx.post(url, content=options[5], headers=headers).json()
    assert again["state"] == answered["state"]
    table.shoot("request")


def test_a_game_goes_on_after_the_page_was_left(table):
    table.start()
    table.do("roll")
    faces = table.faces()
    table.browser.get(table.address + "/")
    table.idle()
    table.press("#continue")
    assert table.faces() == faces
    table.press("#moves [data-key=resolve]")
    assert len(table.all("#log .step")) == 2


def test_it_is_played_with_the_keyboard(table):
    table.one("#quick").send_keys(Keys.ENTER)
    table.idle()
    table.one("#moves [data-type=roll]").send_keys(Keys.ENTER)
    table.idle()
    active = table.browser.switch_to.active_element
    assert active.get_attribute("data-type") == "resolve"  # the focus is where the next decision is
    table.one("[data-key=die-2]").send_keys(Keys.SPACE)
    assert table.browser.switch_to.active_element.get_attribute("data-key") == "die-2"
    assert table.browser.switch_to.active_element.get_attribute("aria-pressed") == "true"


NAMELESS = """
const named = (e) => e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length || e.title;
return [...document.querySelectorAll("button, a, select, input, textarea, [role=img]")].filter((e) => !named(e)).length
"""


def test_everything_has_a_name(table):
    assert table.browser.execute_script(NAMELESS) == 0
    table.start()
    table.do("roll")
    table.press("#log .ruling-chip")
    assert table.browser.execute_script(NAMELESS) == 0
    assert table.one("#log").get_attribute("aria-live") == "polite"


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_it_fits_every_width(table, width):
    size = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 600}
    table.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert table.browser.execute_script(wide) == 0
        table.start()
        table.do("roll")
        assert table.browser.execute_script(wide) == 0
        table.shoot(f"width-{width}")
    finally:
        table.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_service_that_wants_a_key(chromium):
    key = apikeys.new_key()
    with serving(REDIS_URL="none", KAIJUDGE_API_KEYS=apikeys.write_entry("people", key)) as (url, _):
        table = Table(chromium, url)
        with refused(table, 401):
            table.open()
            assert "This service wants an API key." in table.one("#notice").text
            table.one("#key").send_keys("no such key", Keys.ENTER)
            wait(chromium, lambda _: table.one("#key").get_attribute("value") == "")
            table.one("#key").send_keys(key, Keys.ENTER)
            wait(chromium, lambda _: not table.all("#key"))
            table.idle()
            table.start()
            table.do("roll")
        table.press("#log .step:last-child [aria-label='Request and answer']")
        assert key not in chromium.page_source
        chromium.execute_script("sessionStorage.clear()")
        assert strangers(chromium, url) == []
