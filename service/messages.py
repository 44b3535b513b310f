"""Events in words: the template of each type, filled with the names a player knows things by."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from engine import EDITIONS, State
from service.i18n import Texts, card_texts, messages

NOTHING = "–"
PILES = ("deck", "market", "discard")

Event = dict[str, Any]


class Voice(NamedTuple):
    """What is needed to name things: a language, an edition's cards, and the players of the game."""

    language: str
    edition: str
    names: dict[str, str]
    words: Texts

    def player(self, player: str) -> str:
        return self.names.get(player, player)

    def card(self, card: str) -> str:
        name: str = card_texts(card, self.language, self.edition)["name"]
        return name

    def word(self, word: str) -> str:
        told: str = self.words.get(word, word)  # a face that is a number says itself
        return told


def voice_of(state: State, language: str) -> Voice:
    """How this game is told in a language: players by their names, or else their ids."""
    names = {player.id: player.name or player.id for player in state.players}
    return Voice(language, state.rules.id, names, messages(language)["words"])


def tell(events: Iterable[Event], state: State, language: str) -> list[Event]:
    """The events, each with its `message`."""
    voice = voice_of(state, language)
    templates = messages(language)["events"]
    return [{**event, "message": templates[event["type"]].format_map(named(event, voice))} for event in events]


def named(event: Event, voice: Voice) -> dict[str, str]:
    """The values of an event as players call them."""
    return {field: NAMED.get(field, _plain)(voice, event, value) for field, value in event.items()}


Naming = Callable[[Voice, Event, Any], str]


def _plain(_voice: Voice, _event: Event, value: Any) -> str:
    return str(value)


def _player(voice: Voice, _event: Event, value: Any) -> str:
    return voice.player(value)


def _players(voice: Voice, _event: Event, value: Any) -> str:
    return ", ".join(map(voice.player, value)) or NOTHING


def _card(voice: Voice, _event: Event, value: Any) -> str:
    return voice.card(value)


def _cards(voice: Voice, _event: Event, value: Any) -> str:
    return ", ".join(map(voice.card, value)) or NOTHING


def _word(voice: Voice, _event: Event, value: Any) -> str:
    return voice.word(value)


def _words(voice: Voice, _event: Event, value: Any) -> str:
    return ", ".join(map(voice.word, value)) or NOTHING


def _edition(_voice: Voice, _event: Event, value: Any) -> str:
    return EDITIONS[value].title


def _end(voice: Voice, event: Event, value: Any) -> str:
    """Where something went from or to: a number, a place, a pile of cards or a player, or a copied card."""
    if isinstance(value, dict):
        return f"{voice.card(value['card'])} ({voice.player(value['player'])})"
    if not isinstance(value, str):
        return str(value)
    return voice.word(value) if event.get("field") == "place" or value in PILES else voice.player(value)


NAMED: dict[str, Naming] = {
    "from": _end, "to": _end, "edition": _edition,
    "player": _player, "players": _players, "targets": _players, "winners": _players,
    "card": _card, "top": _card, "cards": _cards, "market": _cards,
    "dice": _words, "order": _words, "field": _word, "token": _word, "result": _word,
}  # fmt: skip
