"""The paths of the service, a small module a noun."""

from service.routes import (
    adjudication,
    anchored,
    batch,
    cards,
    docs,
    editions,
    games,
    legality,
    odds,
    operations,
    problems,
    proof,
    replay,
    rulings,
    states,
    view,
)

ALL = (
    games.routes,
    anchored.routes,
    adjudication.routes,
    legality.routes,
    view.routes,
    states.routes,
    replay.routes,
    proof.routes,
    batch.routes,
    odds.routes,
    editions.routes,
    cards.routes,
    rulings.routes,
    problems.routes,
    operations.routes,
    docs.routes,
)

__all__ = ["ALL"]
