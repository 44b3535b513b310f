"""The paths of the service, a small module a noun."""

from service.routes import (
    adjudication,
    batch,
    cards,
    docs,
    editions,
    games,
    legality,
    odds,
    operations,
    problems,
    replay,
    rulings,
    states,
    view,
)

ALL = (
    games.routes,
    adjudication.routes,
    legality.routes,
    view.routes,
    states.routes,
    replay.routes,
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
