"""Rates of events: one Poisson count against a rate, the ratio of two; tests and intervals by four ways.

exact: as R's poisson.test, outcomes no more likely than the one seen; mid_p: twice the smaller mid-p tail; score and
wald: normal approximations. Intervals of a one-sided test have one end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from scipy import optimize, special, stats

from hengxi.stats import proportions

Way = Literal["exact", "score", "wald", "mid_p"]
Bounds = tuple[float, float]
SAME = 1 + 1e-7
"""Probabilities so close count as equal (as in R)."""


def test(how: Way, x: int, mean: float, side: str) -> tuple[float | None, float]:
    """z (None for the exact ways) and p of `x` events where `mean` are expected; wald needs x > 0."""
    if how == "exact":
        return None, _exact(x, mean, side)
    if how == "mid_p":
        half = 0.5 * float(stats.poisson.pmf(x, mean))
        return None, _sided(float(special.pdtr(x, mean)) - half, float(special.pdtrc(x, mean)) + half, side)
    z = (x - mean) / float(np.sqrt(mean if how == "score" else x))
    return z, proportions.tail(z, side)


def _sided(lower: float, upper: float, side: str) -> float:
    return {"greater": upper, "less": lower}.get(side, min(1.0, 2 * min(lower, upper)))


def _exact(x: int, mean: float, side: str) -> float:
    lower, upper = float(special.pdtr(x, mean)), float(stats.poisson.sf(x - 1, mean))
    if side != "two_sided":
        return _sided(lower, upper, side)
    limit = float(stats.poisson.pmf(x, mean)) * SAME
    if x == mean:
        return 1.0
    if x < mean:
        top = int(np.ceil(2 * mean - x)) + 1
        while stats.poisson.pmf(top, mean) > limit:
            top *= 2
        first = _first(lambda k: float(stats.poisson.pmf(k, mean)) <= limit, int(np.ceil(mean)), top)
        return min(1.0, lower + float(stats.poisson.sf(first - 1, mean)))
    beyond = _first(lambda k: float(stats.poisson.pmf(k, mean)) > limit, 0, int(np.floor(mean)) + 1)
    return min(1.0, upper + (float(special.pdtr(beyond - 1, mean)) if beyond > 0 else 0.0))


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The least whole number for which it holds, from where on it always does; `high` where it holds for none below."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def interval(how: Way, x: int, level: float, side: str = "two_sided") -> Bounds:
    """Of the expected count: Garwood (1936), mid-p, score or Wald."""
    alpha = (1 - level) / (2 if side == "two_sided" else 1)
    if how in ("exact", "mid_p"):
        low = float(stats.gamma.ppf(alpha, x)) if x > 0 else 0.0
        high = float(stats.gamma.isf(alpha, x + 1))
        if how == "mid_p":
            low = _solved(lambda m: test("mid_p", x, m, "greater")[1] - alpha, low, max(x, low)) if x > 0 else 0.0
            high = _solved(lambda m: test("mid_p", x, m, "less")[1] - alpha, max(x, 1e-9), high)
    else:
        z = -float(special.ndtri(alpha))
        middle, half = (
            (x, z * float(np.sqrt(x))) if how == "wald" else (x + z * z / 2, z * float(np.sqrt(x + z * z / 4)))
        )
        low, high = max(0.0, middle - half), middle + half
    return _one_end(low, high, side)


def _solved(f: Callable[[float], float], low: float, high: float) -> float:
    return float(optimize.brentq(f, low, high, xtol=1e-13, rtol=1e-14))


def _one_end(low: float, high: float, side: str) -> Bounds:
    return {"greater": (low, float("inf")), "less": (0.0, high)}.get(side, (low, high))


def ratio_test(how: Way, x: Bounds, exposure: Bounds, ratio: float, side: str) -> tuple[float | None, float]:
    """First rate over second against `ratio`, given the sum of the events: x₁ is then binomial (Przyborowski &
    Wilenski 1940). score is its normal approximation; wald of the logarithm needs events in both."""
    first, n = int(x[0]), int(x[0] + x[1])
    share = ratio * exposure[0] / (ratio * exposure[0] + exposure[1])
    if how == "exact":
        return None, proportions.binomial(first, n, share, side)
    if how == "mid_p":
        return None, _binomial_mid_p(first, n, share, side)
    if how == "score":
        z = (first - n * share) / float(np.sqrt(n * share * (1 - share)))
    else:
        z = float(np.log(x[0] / exposure[0] * exposure[1] / x[1] / ratio)) / float(np.sqrt(1 / x[0] + 1 / x[1]))
    return z, proportions.tail(z, side)


def _binomial_mid_p(x: int, n: int, share: float, side: str) -> float:
    half = 0.5 * float(stats.binom.pmf(x, n, share))
    return _sided(float(stats.binom.cdf(x, n, share)) - half, float(stats.binom.sf(x, n, share)) + half, side)


def ratio_interval(how: Way, x: Bounds, exposure: Bounds, level: float, side: str = "two_sided") -> Bounds:
    """First rate over second; inverts the test of the same name."""
    first, n = int(x[0]), int(x[0] + x[1])
    odds, two = exposure[1] / exposure[0], 1 - 2 * (1 - level)
    level = level if side == "two_sided" else two
    if how == "wald":
        half = proportions.z_of(level) * float(np.sqrt(1 / x[0] + 1 / x[1]))
        value = x[0] / x[1] * odds
        return _one_end(value * float(np.exp(-half)), value * float(np.exp(half)), side)
    low, high = (proportions.wilson if how == "score" else proportions.clopper_pearson)(first, n, level)
    if how == "mid_p":
        alpha = (1 - level) / 2
        seen = first / n
        low = _solved(lambda p: _binomial_mid_p(first, n, p, "greater") - alpha, low, seen) if first > 0 else 0.0
        high = _solved(lambda p: _binomial_mid_p(first, n, p, "less") - alpha, seen, high) if first < n else 1.0
    low = 0.0 if first == 0 else low
    ends = [odds * p / (1 - p) if p < 1 and not (p == high and first == n) else float("inf") for p in (low, high)]
    return _one_end(ends[0], ends[1], side)


def difference(x: Bounds, exposure: Bounds, level: float) -> tuple[float, float, float]:
    """First rate minus second with Wald's interval."""
    value = x[0] / exposure[0] - x[1] / exposure[1]
    half = proportions.z_of(level) * float(np.sqrt(x[0] / exposure[0] ** 2 + x[1] / exposure[1] ** 2))
    return value, value - half, value + half
