"""The catalogue of cards."""

import pytest

import engine
from service.i18n import LANGUAGES, cards

IDS = {card for rules in engine.EDITIONS.values() for card in rules.cards}


def test_all_cards_side_by_side(client):
    told = client.get("/v1/cards").get_json()["cards"]
    assert {each["id"] for each in told} == IDS
    for each in told:
        assert set(each) == {"id", "name", "official", "text", "rulings", "editions"}
        assert set(each["editions"]) == set(engine.EDITIONS)
        assert each["rulings"]


@pytest.mark.parametrize("edition", engine.EDITIONS)
def test_the_cards_of_an_edition(client, edition):
    for each in client.get(f"/v1/cards?edition={edition}").get_json()["cards"]:
        record = engine.EDITIONS[edition].cards[each["id"]]
        assert (each["cost"], each["copies"], each["type"] == "keep") == (record.cost, record.copies, record.keep)
        assert each["edition"] == edition
        assert "editions" not in each


def test_one_card(client):
    told = client.get("/v1/cards/wings").get_json()
    assert told["name"] == "Wings"
    assert "CARD-WINGS" in told["rulings"]
    assert told["editions"]["pl"] == {"type": "keep", "cost": 6, "copies": 1}


def test_every_ruling_of_a_card_exists(client):
    known = {each["id"] for each in client.get("/v1/rulings").get_json()["rulings"]}
    for each in client.get("/v1/cards").get_json()["cards"]:
        assert set(each["rulings"]) <= known


def test_what_differs_between_editions(client):
    told = client.get("/v1/cards/acid_attack").get_json()
    assert "text" not in told["editions"]["pl"]
    newer = client.get("/v1/cards/acid_attack?edition=cs-2016").get_json()
    assert newer["text"] == told["editions"]["cs-2016"]["text"] != told["text"]
    assert client.get("/v1/cards/acid_attack?edition=pl").get_json()["text"] == told["text"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_every_language(client, language):
    answer = client.get("/v1/cards/burrowing", headers={"Accept-Language": language})
    assert answer.get_json()["name"] == cards(language)["burrowing"]["name"]
    assert answer.headers["Content-Language"] == language
    assert "Accept-Language" in answer.headers["Vary"]


def test_refusals(client):
    assert client.get("/v1/cards/flying").status_code == 404
    assert client.get("/v1/cards?edition=xx").status_code == 400
    assert client.get("/v1/cards/wings?speed=1").status_code == 400
