"""The table a benchmark prints: every figure beside its bar and its goal, as the median of the rounds."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from typing import NamedTuple

Rates = dict[str, float]


class Row(NamedTuple):
    """A line of the table; `most` for figures that are to be small."""

    name: str
    bar: float
    goal: float
    measured: Callable[[Rates], float]
    most: bool = False


def ratio(name: str, reference: str) -> Callable[[Rates], float]:
    """One figure over another of the same round."""
    return lambda rates: rates[name] / rates[reference]


def report(rates: Iterable[str], rows: Iterable[Row], measured: list[Rates]) -> None:
    """Print how many a second there were of what, then the rows."""
    for name in rates:
        print(f"{name:48} {statistics.median(each[name] for each in measured):12,.0f} /s")
    print(f"\n{'':48} {'bar':>6} {'goal':>6} {'median':>7} {'lowest':>7} {'highest':>7}")
    for row in rows:
        found = sorted(row.measured(each) for each in measured)
        middle = statistics.median(found)
        sign = "≤" if row.most else "≥"
        print(
            f"{row.name:48} {sign}{row.bar:5.2f} {sign}{row.goal:5.2f} {middle:7.2f} {found[0]:7.2f} {found[-1]:7.2f}"
            f"  {_verdict(row, middle)}"
        )


def _verdict(row: Row, found: float) -> str:
    def meets(limit: float) -> bool:
        return found <= limit if row.most else found >= limit

    return "goal met" if meets(row.goal) else "bar met" if meets(row.bar) else "BELOW THE BAR"
