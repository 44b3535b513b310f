"""The events must explain every public change (contract §5): replay them over the old document."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.conformance.match import Json, expect

PLAIN = ("hearts", "max_hearts", "vp", "energy", "place", "poison", "shrink", "eliminated")
OF_A_CARD = ("charges", "copies", "paid")
PILES = ("market", "discard")


class Table:
    """What of a game the events account for."""

    def __init__(self, document: Json) -> None:
        self.players = {
            each["id"]: {**{name: each[name] for name in PLAIN}, "cards": [dict(card) for card in each["cards"]]}
            for each in document["players"]
        }
        self.market: Counter[str] = Counter(document["market"])
        self.discard: Counter[str] = Counter(document["discard"])
        self.deck_size: int = document["deck_size"]

    def play(self, event: Json) -> None:
        """Do what the event says."""
        if "field" in event:
            self._change(event)
        elif event["type"] == "deck_reshuffled":
            self._reshuffle(event)
        elif {"card", "from", "to"} <= event.keys():
            self._give(self._take(event), event)

    def _change(self, event: Json) -> None:
        name, player = event["field"], self.players[event["player"]]
        expect(name in PLAIN + OF_A_CARD, f"{event} changes an unknown field")
        holder = player if name in PLAIN else self._card_with(player["cards"], event)
        expect(holder.get(name) == event["from"], f"{event}: {name} was {holder.get(name)!r}")
        holder[name] = event["to"]
        if event["to"] is None:
            del holder[name]

    def _card_with(self, cards: list[Json], event: Json) -> Json:
        found = [card for card in cards if card["card"] == event.get("card")]
        expect(found, f"{event}: no such card lies there")
        return next((card for card in found if card.get(event["field"]) == event["from"]), found[0])

    def _reshuffle(self, event: Json) -> None:
        expect(event["count"] == self.discard.total(), f"{event}: {self.discard.total()} cards were discarded")
        self.deck_size += self.discard.total()
        self.discard.clear()

    def _take(self, event: Json) -> Json:
        card, source = event["card"], event["from"]
        if source == "deck":
            expect(self.deck_size, f"{event}: the deck is empty")
            self.deck_size -= 1
            return {"card": card}
        if source in PILES:
            pile: Counter[str] = getattr(self, source)
            expect(pile[card], f"{event}: the card is not there")
            pile[card] -= 1
            return {"card": card}
        cards = self.players[source]["cards"]
        at = next((index for index, each in enumerate(cards) if each["card"] == card), None)
        expect(at is not None, f"{event}: the card is not there")
        return cards.pop(at)

    def _give(self, card: Json, event: Json) -> None:
        target = event["to"]
        if target == "deck":
            self.deck_size += 1
        elif target in PILES:
            getattr(self, target)[card["card"]] += 1
        else:
            self.players[target]["cards"].append(card)

    def as_json(self) -> dict[str, Any]:
        return {
            "players": self.players,
            "market": sorted(self.market.elements()),
            "discard": sorted(self.discard.elements()),
            "deck_size": self.deck_size,
        }


def explain(before: Json, events: list[Json], after: Json) -> None:
    """Fail unless the events lead from the one document to the other."""
    table = Table(before)
    for event in events:
        table.play(event)
    told, found = table.as_json(), Table(after).as_json()
    for name in ("market", "discard", "deck_size"):
        expect(told[name] == found[name], f"events leave {name} {told[name]!r}, the state has {found[name]!r}")
    for player, values in found["players"].items():
        explained = told["players"][player]
        for name, value in values.items():
            expect(
                explained[name] == value, f"events leave {player}'s {name} {explained[name]!r}, the state has {value!r}"
            )
    _explain_dice(before, events, after)


def _explain_dice(before: Json, events: list[Json], after: Json) -> None:
    """New dice on the table were shown by an event."""
    faces = [die["face"] for die in after["dice"]]
    if after["dice"] != before["dice"] and faces:
        expect(any(event.get("dice") == faces for event in events), f"no event shows the dice {faces}")
