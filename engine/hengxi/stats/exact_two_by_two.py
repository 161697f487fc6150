"""Exact tests of a 2×2 table beyond Fisher: one side, mid-p, unconditional; the conditional odds ratio.

The table has groups in rows; "greater" means that the first column is commoner in the first row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize, special, stats

from hengxi.stats.moments import Floats

MOST_OUTCOMES = 40_000
"""Pairs of counts the unconditional tests may list: (n1 + 1)(n2 + 1)."""
GRID = 400
SAME = 1e-7


@dataclass(frozen=True, slots=True)
class Sides:
    """p of each alternative."""

    two_sided: float
    greater: float
    less: float

    def of(self, side: str) -> float:
        return float(getattr(self, side))


def _support(table: Floats) -> tuple[Floats, Floats]:
    """First cells the margins allow, and the logarithm of their weights at an odds ratio of 1."""
    r1, c1, n = float(table[0].sum()), float(table[:, 0].sum()), float(table.sum())
    x = np.arange(max(0.0, r1 + c1 - n), min(r1, c1) + 1)
    return x, stats.hypergeom.logpmf(x, n, c1, r1)


def fisher(table: Floats) -> Sides:
    """Conditional on both margins; two-sided: all tables no likelier than the one observed."""
    x, logs = _support(table)
    p = np.exp(logs)
    a = table[0, 0]
    here = p[x == a][0]
    two = min(1.0, float(p[p <= here * (1 + SAME)].sum()))
    return Sides(two, min(1.0, float(p[x >= a].sum())), min(1.0, float(p[x <= a].sum())))


def mid_p(table: Floats) -> Sides:
    """Each tail with half the probability of the table itself; two-sided: twice the smaller one."""
    x, logs = _support(table)
    p = np.exp(logs)
    a = table[0, 0]
    half = float(p[x == a][0]) / 2
    greater, less = float(p[x > a].sum()) + half, float(p[x < a].sum()) + half
    return Sides(min(1.0, 2 * min(greater, less)), greater, less)


def too_large(table: Floats) -> bool:
    """Are there more outcomes than the unconditional tests list?"""
    n1, n2 = (float(v) for v in table.sum(axis=1))
    return (n1 + 1) * (n2 + 1) > MOST_OUTCOMES


def _largest(table: Floats, extreme: Floats) -> float:
    """The largest probability of these outcomes over the common proportion: a grid, then refined."""
    n1, n2 = (int(v) for v in table.sum(axis=1))
    i, j = np.arange(n1 + 1), np.arange(n2 + 1)
    first = special.gammaln(n1 + 1) - special.gammaln(i + 1) - special.gammaln(n1 - i + 1)
    second = special.gammaln(n2 + 1) - special.gammaln(j + 1) - special.gammaln(n2 - j + 1)

    def probability(q: float) -> float:
        a = np.exp(first + special.xlogy(i, q) + special.xlog1py(n1 - i, -q))
        b = np.exp(second + special.xlogy(j, q) + special.xlog1py(n2 - j, -q))
        return float(a @ extreme @ b)

    grid = np.linspace(0, 1, GRID + 1)
    values = np.array([probability(q) for q in grid])
    best = float(values.max())
    for k in np.argsort(values)[-6:]:
        low, high = grid[max(0, k - 1)], grid[min(GRID, k + 1)]
        found = optimize.minimize_scalar(
            lambda q: -probability(q), bounds=(low, high), method="bounded", options={"xatol": 1e-12}
        )
        best = max(best, -float(found.fun))
    return min(1.0, best)


def pooled_z(table: Floats) -> float:
    """The score statistic of the two shares with their pooled variance; 0 where it has no spread."""
    n1, n2 = (float(v) for v in table.sum(axis=1))
    a, b = float(table[0, 0]), float(table[1, 0])
    q = (a + b) / (n1 + n2)
    spread = float(np.sqrt(q * (1 - q) * (1 / n1 + 1 / n2)))
    return (a / n1 - b / n2) / spread if spread > 0 else 0.0


def barnard(table: Floats) -> Sides:
    """Unconditional, ordered by the pooled score statistic (Barnard 1945; Suissa & Shuster 1985)."""
    n1, n2 = (float(v) for v in table.sum(axis=1))
    x, y = np.meshgrid(np.arange(n1 + 1), np.arange(n2 + 1), indexing="ij")
    pooled = (x + y) / (n1 + n2)
    with np.errstate(invalid="ignore", divide="ignore"):
        z = (x / n1 - y / n2) / np.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2))
    z = np.nan_to_num(z)
    here = float(z[int(table[0, 0]), int(table[1, 0])])
    room = SAME * max(1.0, abs(here))
    return Sides(
        _largest(table, (np.abs(z) >= abs(here) - room).astype(float)),
        _largest(table, (z >= here - room).astype(float)),
        _largest(table, (z <= here + room).astype(float)),
    )


def boschloo(table: Floats) -> Sides:
    """Unconditional, ordered by Fisher's p of the same alternative (Boschloo 1970)."""
    n1, n2 = (int(v) for v in table.sum(axis=1))
    two, greater, less = (np.ones((n1 + 1, n2 + 1)) for _ in range(3))
    for c in range(n1 + n2 + 1):
        x = np.arange(max(0, c - n2), min(n1, c) + 1)
        p = stats.hypergeom.pmf(x, n1 + n2, c, n1)
        below = np.cumsum(p)
        greater[x, c - x], less[x, c - x] = 1 - below + p, below
        order = np.argsort(p, kind="stable")
        sums = np.cumsum(p[order])
        two[x, c - x] = sums[np.searchsorted(p[order], p * (1 + SAME), side="right") - 1]
    a, b = int(table[0, 0]), int(table[1, 0])
    return Sides(*(_largest(table, (one <= one[a, b] * (1 + SAME)).astype(float)) for one in (two, greater, less)))


# ---- conditional odds ratio ----------------------------------------------------------------------------------------
def conditional_odds(table: Floats, level: float, side: str) -> tuple[float, float, float]:
    """The likeliest odds ratio given both margins, and its exact interval (0 and ∞ where nothing bounds it)."""
    x, logs = _support(table)
    a = float(table[0, 0])

    def weights(log_odds: float) -> Floats:
        raw = logs + log_odds * x
        found: Floats = np.exp(raw - raw.max())
        found /= found.sum()
        return found

    def solve(value: float, of: Floats) -> float:
        """The log odds at which the expectation of `of` is `value`; it grows along them."""
        return float(optimize.brentq(lambda t: float(weights(t) @ of) - value, -700, 700, xtol=1e-13, maxiter=500))

    at_low, at_high = a == x[0], a == x[-1]
    value = 0.0 if at_low else np.inf if at_high else float(np.exp(solve(a, x)))
    share = (1 - level) / 2 if side == "two_sided" else 1 - level
    low = 0.0 if at_low or side == "less" else float(np.exp(solve(share, (x >= a).astype(float))))
    high = np.inf if at_high or side == "greater" else float(np.exp(solve(1 - share, (x > a).astype(float))))
    return value, low, high
