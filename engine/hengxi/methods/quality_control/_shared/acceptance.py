"""Acceptance sampling: what a plan accepts, what passes it, and the smallest plan that keeps two risks.

The table of GB/T 2828.1 (ISO 2859-1, MIL-STD-105E tables I, II-A, II-B) is regular: along a row the acceptance numbers
follow one sequence, and each code letter stands one step to the left of the one before. So only the sequence and the
places of its first members are kept here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import optimize, special, stats

from hengxi.stats.moments import Floats

Model = Literal["binomial", "hypergeometric", "poisson"]
LETTERS = "ABCDEFGHJKLMNPQR"
SIZES = (2, 3, 5, 8, 13, 20, 32, 50, 80, 125, 200, 315, 500, 800, 1250, 2000, 3150)
"""Of the letters, and of S, which tightened inspection alone uses."""
AQLS = (
    0.01, 0.015, 0.025, 0.04, 0.065, 0.1, 0.15, 0.25, 0.4, 0.65, 1.0, 1.5, 2.5, 4.0, 6.5, 10.0, 15.0, 25.0, 40.0, 65.0,
    100.0, 150.0, 250.0, 400.0, 650.0, 1000.0,
)  # fmt: skip
LOTS = (8, 15, 25, 50, 90, 150, 280, 500, 1200, 3200, 10_000, 35_000, 150_000, 500_000)
"""The largest lot of each row of table I; the last row has no end."""
LEVELS = {
    "S-1": "AAAABBBBCCCCDDD", "S-2": "AAABBBCCCDDDEEE", "S-3": "AABBCCDDEEFFGGH", "S-4": "AABCCDEEFGGHJJK",
    "I": "AABCCDEFGHJKLMN", "II": "ABCDEFGHJKLMNPQ", "III": "BCDEFGHJKLMNPQR",
}  # fmt: skip
NORMAL = (1, 2, 3, 5, 7, 10, 14, 21, 30, 44)
TIGHTENED = (1, 2, 3, 5, 8, 12, 18, 27, 41)
LAST_LONG = LETTERS.index("E")
"""From F on the sequence ends at 21 (18)."""
MOST_N = 1_000_000


@dataclass(frozen=True)
class Entry:
    letter: str
    n: int
    c: int


def letter_of(lot: int, level: str) -> str:
    row = next((i for i, largest in enumerate(LOTS) if lot <= largest), len(LOTS))
    return LEVELS[level][row]


def nearest_aql(aql: float) -> float:
    return min(AQLS, key=lambda one: abs(np.log(one / aql)))


def _cell(row: int, column: int, tightened: bool) -> int | Literal["up", "down"]:
    """What stands in a cell; rows are letters (S after R), columns AQLs."""
    # The columns where the row has 0 and 1: A has 0 at 6.5 (of tightened inspection it would be 10) and 1 at 25 (40).
    zero, one = (15 - row, 18 - row) if tightened else (14 - row, 17 - row)
    sequence = TIGHTENED if tightened else NORMAL
    long = len(sequence) if row <= LAST_LONG else len(sequence) - 2
    if column < zero:
        return "down"
    if column == zero:
        # Tightened inspection of A at 10 has no plan of its own.
        return "down" if tightened and row == 0 else 0
    if column < one:
        return "down" if tightened or column == one - 1 else "up"
    return sequence[column - one] if column - one < long else "up"


def standard_plan(letter: str, aql: float, tightened: bool) -> Entry | None:
    """The plan of a letter and an AQL of the table, arrows followed; None where an arrow leads out of the table."""
    row, column = LETTERS.index(letter), AQLS.index(aql)
    last = len(SIZES) - 1 if tightened else len(SIZES) - 2
    for _ in range(len(SIZES)):
        found = _cell(row, column, tightened)
        if isinstance(found, int):
            return Entry((LETTERS + "S")[row], SIZES[row], found)
        step = 1 if found == "down" else -1
        if step > 0 and row == last and not tightened:
            step = -1
            while row >= 0 and not isinstance(_cell(row, column, tightened), int):
                row -= 1
            return None if row < 0 else Entry(LETTERS[row], SIZES[row], int(_cell(row, column, tightened)))
        row += step
        if row < 0 or row > last:
            return None
    return None


@dataclass(frozen=True)
class Plan:
    """Single where `n2` is 0: accept up to c1. Double: from r1 reject, between the two draw n2 and accept up to c2."""

    n1: int
    c1: int
    lot: int
    model: Model
    n2: int = 0
    r1: int = 0
    c2: int = 0

    def _first(self, p: float) -> Floats:
        """P(X1 = 0 … r1 − 1), for a single plan up to c1."""
        x = np.arange(max(self.r1, self.c1 + 1))
        if self.model == "hypergeometric":
            return np.asarray(stats.hypergeom.pmf(x, self.lot, self.defectives(p), self.n1))
        law = stats.binom(self.n1, p) if self.model == "binomial" else stats.poisson(self.n1 * p)
        return np.asarray(law.pmf(x))

    def _second(self, p: float, x: int) -> float:
        """P(X2 <= c2 − x) after x in the first sample."""
        if self.model == "hypergeometric":
            left = max(self.defectives(p) - x, 0)
            return float(stats.hypergeom.cdf(self.c2 - x, self.lot - self.n1, left, self.n2))
        law = stats.binom(self.n2, p) if self.model == "binomial" else stats.poisson(self.n2 * p)
        return float(law.cdf(self.c2 - x))

    def defectives(self, p: float) -> int:
        return min(self.lot, int(np.floor(self.lot * p + 0.5)))

    def parts(self, p: float) -> tuple[float, float, float]:
        """Accepted by the first sample, accepted by both, and the chance that the second is drawn."""
        if not self.n2:
            return self.accept(p), 0.0, 0.0
        first = self._first(p)
        middle = range(self.c1 + 1, self.r1)
        second = sum(float(first[x]) * self._second(p, x) for x in middle)
        return float(first[: self.c1 + 1].sum()), second, float(first[self.c1 + 1 : self.r1].sum())

    def accept(self, p: float) -> float:
        if self.n2:
            first, second, _ = self.parts(p)
            return min(1.0, first + second)
        if self.model == "hypergeometric":
            return float(stats.hypergeom.cdf(self.c1, self.lot, self.defectives(p), self.n1))
        if self.model == "binomial":
            return float(special.bdtr(self.c1, self.n1, p)) if p < 1 else float(self.c1 >= self.n1)
        return float(special.pdtr(self.c1, self.n1 * p))

    def average_n(self, p: float) -> float:
        return self.n1 + self.n2 * self.parts(p)[2]

    def outgoing(self, p: float) -> float:
        """AOQ where rejected lots are sorted and defectives replaced."""
        first, second, _ = self.parts(p)
        return p * (first * (self.lot - self.n1) + second * (self.lot - self.n1 - self.n2)) / self.lot

    def inspected(self, p: float) -> float:
        """ATI under the same rule."""
        first, second, _ = self.parts(p)
        both = self.n1 + self.n2
        return self.n1 * first + both * second + self.lot * (1 - first - second)

    def quality_at(self, chance: float) -> float | None:
        """The quality accepted with this chance; None where it is no smooth function of the quality."""
        if self.model == "hypergeometric":
            return None
        top = 1.0 if self.model == "binomial" else (self.n1 + 1 + self.c1 + self.c2) * 50.0 / self.n1
        if self.accept(top) > chance:
            return None
        return float(optimize.brentq(lambda p: self.accept(p) - chance, 0.0, top, xtol=1e-16, rtol=1e-14))

    def worst(self) -> tuple[float, float]:
        """The quality at which AOQ is largest, and that AOQL."""
        if self.model == "hypergeometric":
            count = np.unique(np.linspace(0, self.lot, min(self.lot, 5000) + 1).astype(int))
            values = [self.outgoing(float(d) / self.lot) for d in count]
            best = int(np.argmax(values))
            return float(count[best]) / self.lot, float(values[best])
        end = self.quality_at(0.001) or 1.0
        grid = np.linspace(0, end, 400)
        top = int(np.argmax([self.outgoing(float(p)) for p in grid]))
        low, high = grid[max(top - 1, 0)], grid[min(top + 1, grid.size - 1)]
        found = optimize.minimize_scalar(
            lambda p: -self.outgoing(p), bounds=(low, high), method="bounded", options={"xatol": 1e-12}
        )
        return float(found.x), float(-found.fun)


def smallest(p1: float, p2: float, alpha: float, beta: float, lot: int, model: Model) -> Plan | None:
    """The single plan of fewest items that accepts p1 at least 1 − α and p2 at most β of the time; None within 10⁶."""
    n = 1
    most = lot if model == "hypergeometric" else MOST_N
    for c in range(2001):
        n = max(n, c + 1)
        found = _least(lambda size, c=c: Plan(size, c, lot, model).accept(p2) <= beta, n, most)  # type: ignore[misc]
        if found is None:
            return None
        n = found
        if Plan(n, c, lot, model).accept(p1) >= 1 - alpha:
            return Plan(n, c, lot, model)
    return None


def _least(holds: Callable[[int], bool], low: int, most: int) -> int | None:
    """The least number from `low` on of which a condition holds that stays true once it holds."""
    high = low
    while high < most and not holds(high):
        low, high = high, min(high * 2, most)
    if not holds(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


@dataclass(frozen=True)
class Variables:
    """Accept where (limit − mean)/s >= k: of a normal characteristic with one specification limit."""

    n: int
    k: float
    known: bool

    def accept(self, p: float) -> float:
        z = -float(special.ndtri(p))
        root = float(np.sqrt(self.n))
        if self.known:
            return float(special.ndtr(root * (z - self.k)))
        return float(stats.nct.sf(self.k * root, self.n - 1, z * root))


def variables_plan(p1: float, p2: float, alpha: float, beta: float, known: bool) -> Variables | None:
    """The fewest items with both risks kept; k is then the smallest that keeps β, so that α is met with room."""
    z1, z2 = -float(special.ndtri(p1)), -float(special.ndtri(p2))

    def k_of(n: int) -> float:
        root = float(np.sqrt(n))
        if known:
            return z2 - float(special.ndtri(beta)) / root
        return float(stats.nct.isf(beta, n - 1, z2 * root)) / root

    def holds(n: int) -> bool:
        return Variables(n, k_of(n), known).accept(p1) >= 1 - alpha

    start = 1 if known else 2
    assert z1 > z2
    n = _least(holds, start, 100_000)
    return None if n is None else Variables(n, k_of(n), known)
