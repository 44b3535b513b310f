"""The paths of the service, a small module a noun."""

from service.routes import adjudication, editions, games, legality, operations, problems, rulings, view

ALL = (
    games.routes,
    adjudication.routes,
    legality.routes,
    view.routes,
    editions.routes,
    rulings.routes,
    problems.routes,
    operations.routes,
)

__all__ = ["ALL"]
