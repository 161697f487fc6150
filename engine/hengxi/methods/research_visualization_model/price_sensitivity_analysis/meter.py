"""Four cumulative curves of prices and where they cross, for many resamples of the people at once.

van Westendorp (1976); purchase intent after Newton, Miller and Smith (1993).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hengxi.stats.moments import Floats

POINTS = ("PMC", "IDP", "OPP", "PME")
"""Marginal cheapness, indifference, optimal price, marginal expensiveness."""
FALLING = {"original": {"PMC": "a", "IDP": "b", "OPP": "a", "PME": "C"}, "narrower": {"PMC": "a", "PME": "b"}}
RISING = {"original": {"PMC": "B", "IDP": "c", "OPP": "d", "PME": "d"}, "narrower": {"PMC": "c", "PME": "d"}}
"""Curves a point lies on: a 太便宜, b 便宜 (falling), c 贵, d 太贵 (rising); capital letters are 1 minus the curve."""


@dataclass(frozen=True)
class People:
    """Distinct answers. `prices`: answers × 4, ascending in each row; `count`: people; `weight`: of each of them;
    `intent`: answers × 2, probability of buying at the cheap and at the expensive price, or None."""

    prices: Floats
    count: Floats
    weight: Floats
    intent: Floats | None

    @property
    def total(self) -> Floats:
        """Weighted people of each answer, shape (1, answers)."""
        totals: Floats = (self.count * self.weight)[None, :]
        return totals

    def drawn(self, times: int, rng: np.random.Generator) -> Floats:
        """Weighted people of each answer in resamples of the people, shape (times, answers)."""
        n = round(float(self.count.sum()))
        draws: Floats = rng.multinomial(n, self.count / self.count.sum(), times) * self.weight
        return draws


def grouped(prices: Floats, weight: Floats, intent: Floats | None) -> People:
    """Rows of equal answers and weights become one answer, in a fixed order whatever the order of the rows."""
    parts = [prices, weight[:, None]] + ([] if intent is None else [intent])
    rows, count = np.unique(np.hstack(parts), axis=0, return_counts=True)
    return People(rows[:, :4], count.astype(float), rows[:, 4], None if intent is None else rows[:, 5:])


def curves(people: People, totals: Floats, grid: Floats) -> Floats:
    """Shares, shape (4, resamples, prices): who finds each price too cheap, cheap, expensive, too expensive."""
    whole = totals.sum(axis=1, keepdims=True)
    found = np.empty((4, totals.shape[0], grid.size))
    for k in range(4):
        # Sums of people up to each place of their own answers, read off at the grid.
        order = np.argsort(people.prices[:, k], kind="stable")
        answers = people.prices[order, k]
        below = np.concatenate([np.zeros((totals.shape[0], 1)), np.cumsum(totals[:, order], axis=1)], axis=1)
        if k < 2:
            found[k] = (whole - below[:, np.searchsorted(answers, grid, side="left")]) / whole
        else:
            found[k] = below[:, np.searchsorted(answers, grid, side="right")] / whole
    return found


def pair_of(point: str, rule: str) -> tuple[str, str]:
    """The falling and the rising curve a point lies on."""
    falling, rising = FALLING["original"] | FALLING[rule], RISING["original"] | RISING[rule]
    return falling[point], rising[point]


def curve_of(shares: Floats, letter: str) -> Floats:
    held: Floats = shares["abcd".index(letter.lower())]
    return held if letter.islower() else 1 - held


def crossing(falling: Floats, rising: Floats, grid: Floats, linear: bool) -> Floats:
    """Prices where the curves cross, one a resample; NaN where they do not.

    Linear: between the last grid price with rising < falling and the first with rising > falling; where they are equal
    over a stretch its middle. Otherwise the first grid price with rising ≥ falling.
    """
    gap = rising - falling
    gap = np.where(np.abs(gap) < 1e-12, 0.0, gap)
    reached, above = gap >= 0, gap > 0
    first = np.argmax(reached, axis=1)
    absent = ~reached.any(axis=1) | (gap[:, 0] > 0)
    if not linear:
        return np.where(absent, np.nan, grid[first])
    start = _rooted(gap, grid, first)
    after = np.argmax(above, axis=1)
    ends = above.any(axis=1)
    stop = np.where(ends, _rooted(gap, grid, after), grid[-1])
    # With rising > falling right after rising < falling both are the same root.
    middle = np.where(gap[np.arange(len(gap)), first] == 0, (start + stop) / 2, start)
    return np.where(absent, np.nan, middle)


def _rooted(gap: Floats, grid: Floats, place: Floats) -> Floats:
    """The root of the straight line that ends at `place`; the grid price itself where the gap is 0 there."""
    rows = np.arange(len(gap))
    before = np.maximum(place - 1, 0)
    low, high = gap[rows, before], gap[rows, place]
    share = np.where(high > low, -low / np.where(high > low, high - low, 1.0), 1.0)
    return np.asarray(grid[before] + np.clip(share, 0, 1) * (grid[place] - grid[before]))


def key_points(shares: Floats, grid: Floats, linear: bool, rule: str) -> Floats:
    """Prices of `POINTS`, shape (resamples, 4)."""
    found = []
    for point in POINTS:
        falling, rising = pair_of(point, rule)
        found.append(crossing(curve_of(shares, falling), curve_of(shares, rising), grid, linear))
    return np.array(found).T


def reach(people: People, totals: Floats, grid: Floats) -> Floats:
    """Share that would buy at each price, shape (resamples, prices): 0 up to too cheap, the stated probability at cheap
    and at expensive, 0 from too expensive, straight lines between."""
    assert people.intent is not None
    probability = np.zeros((len(people.prices), grid.size))
    for i, (prices, intent) in enumerate(zip(people.prices, people.intent, strict=True)):
        probability[i] = np.interp(grid, prices, [0.0, *intent, 0.0], left=0.0, right=0.0)
    return np.asarray(totals @ probability / totals.sum(axis=1, keepdims=True))
