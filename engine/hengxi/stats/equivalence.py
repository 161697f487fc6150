"""Two one-sided tests (Schuirmann 1987) of a difference against a lower and an upper margin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hengxi.stats import proportions
from hengxi.stats.moments import Moments
from hengxi.stats.proportions import Two
from hengxi.stats.two_groups import bounds, tail


@dataclass(frozen=True)
class OneSided:
    """A margin, its t (z where `Contrast.df` is None) and the p that the difference lies on the inner side of it."""

    margin: float
    t: float
    p: float


@dataclass(frozen=True)
class Contrast:
    """`inner`: interval of 1 − 2α; `outer`: of 1 − α, with t and p of the usual two-sided test of no difference."""

    value: float
    se: float | None
    df: float | None
    above: OneSided
    """Above the lower margin: what equivalence and noninferiority ask."""
    below: OneSided
    """Below the upper margin."""
    beyond: OneSided
    """Above the upper margin: superiority by a margin."""
    inner: tuple[float, float]
    outer: tuple[float, float]
    t: float
    p: float


def of_t(value: float, se: float, df: float, margins: tuple[float, float], alpha: float) -> Contrast:
    """`se` above 0."""
    lower, upper = margins
    above, below, usual = (value - lower) / se, (value - upper) / se, value / se
    return Contrast(
        value, se, df, OneSided(lower, above, tail(above, df, "greater")),
        OneSided(upper, below, tail(below, df, "less")), OneSided(upper, below, tail(below, df, "greater")),
        bounds(value, se, df, "two_sided", 1 - 2 * alpha), bounds(value, se, df, "two_sided", 1 - alpha), usual,
        tail(usual, df, "two_sided"),
    )  # fmt: skip


def of_means(a: Moments, b: Moments, margins: tuple[float, float], alpha: float) -> Contrast:
    """a − b by Welch; not both without spread."""
    se = float(np.hypot(a.se, b.se))
    df = 1 / ((a.se / se) ** 4 / (a.n - 1) + (b.se / se) ** 4 / (b.n - 1))
    return of_t(a.centre - b.centre, se, df, margins, alpha)


def of_shares(two: Two, margins: tuple[float, float], alpha: float) -> Contrast | None:
    """p1 − p2 by the score statistic of Farrington & Manning (1990); None where one of them has no spread."""
    lower, upper = margins
    above, below, usual = (two.z(gap) for gap in (lower, upper, 0.0))
    if above is None or below is None or usual is None:
        return None
    return Contrast(
        two.difference, None, None, OneSided(lower, above, proportions.tail(above, "greater")),
        OneSided(upper, below, proportions.tail(below, "less")),
        OneSided(upper, below, proportions.tail(below, "greater")), proportions.farrington(two, 1 - 2 * alpha),
        proportions.farrington(two, 1 - alpha), usual, proportions.tail(usual, "two_sided"),
    )  # fmt: skip
