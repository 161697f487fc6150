"""Estimates of the copies of a multiple imputation as one: Rubin's rules and what was added to them since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from hengxi.stats.moments import Floats
from hengxi.stats.two_groups import Alternative, bounds, tail


@dataclass(frozen=True)
class Pooled:
    """`riv`: relative increase of the variance through gaps; `share`: of the total variance due to them (λ); `fmi`:
    fraction of missing information, corrected for the df."""

    value: float
    within: float
    between: float
    total: float
    riv: float
    share: float
    df: float
    fmi: float

    @property
    def se(self) -> float:
        return float(np.sqrt(self.total))


def pool(values: Sequence[float], errors: Sequence[float], df: float | None) -> Pooled:
    """Values and standard errors of m ≥ 2 copies (Rubin 1987); df of Barnard & Rubin (1999) where those of the complete
    data are given. With no difference between the copies the df are those of the complete data, reduced as theirs are.
    """
    q, u = np.asarray(values, dtype=float), np.asarray(errors, dtype=float) ** 2
    m = len(q)
    value, within = float(q.mean()), float(u.mean())
    between = float(np.sum((q - value) ** 2) / (m - 1))
    extra = (1 + 1 / m) * between
    total = within + extra
    share, riv = extra / total, extra / within
    # 1/df of the two sources add: the many copies, and the cases of the complete data.
    of_copies = share**2 / (m - 1)
    of_cases = 0.0 if df is None else 1 / ((df + 1) / (df + 3) * df * (1 - share))
    freedom = 1 / (of_copies + of_cases) if of_copies + of_cases > 0 else float("inf")
    return Pooled(value, within, between, total, riv, share, freedom, (riv + 2 / (freedom + 3)) / (riv + 1))


@dataclass(frozen=True)
class Test:
    t: float
    p: float
    low: float
    high: float


def test(found: Pooled, null: float, side: Alternative, level: float) -> Test:
    """t with the pooled df (normal where they are infinite), and its interval."""
    t = (found.value - null) / found.se
    low, high = bounds(found.value, found.se, found.df, side, level)
    return Test(t, tail(t, found.df, side), low, high)


@dataclass(frozen=True)
class Wald:
    """D1: `df2` None where the statistic follows χ²/df1."""

    F: float
    df1: int
    df2: float
    p: float
    riv: float


def pool_joint(values: Sequence[Floats], covariances: Sequence[Floats], df: float) -> Wald | None:
    """All of k values are 0: D1 of Li, Raghunathan & Rubin (1991), df2 of Reiter (2007), for k(m − 1) ≤ 4 theirs.

    Values m × k, covariances m × k × k, df of the complete data. None where the mean covariance is singular.
    """
    q, u = np.asarray(values, dtype=float), np.asarray(covariances, dtype=float)
    m, k = q.shape
    within = u.mean(axis=0)
    size = np.sqrt(np.diag(within))
    if not np.isfinite(size).all() or (size <= 0).any():
        return None
    q, within = q / size, within / np.outer(size, size)
    if np.linalg.cond(within) > 1e12:
        return None
    mean = q.mean(axis=0)
    between = np.atleast_2d(np.cov(q, rowvar=False))
    if k == 1:
        single = pool(q[:, 0].tolist(), (np.sqrt(u[:, 0, 0]) / size[0]).tolist(), df)
        F = (single.value / single.se) ** 2
        return Wald(F, 1, single.df, float(stats.f.sf(F, 1, single.df)), single.riv)
    riv = (1 + 1 / m) * float(np.trace(np.linalg.solve(within, between))) / k
    F = float(mean @ np.linalg.solve(within, mean)) / (k * (1 + riv))
    df2 = _joint_df(k, m, riv, df)
    p = float(stats.f.sf(F, k, df2)) if np.isfinite(df2) else float(special.chdtrc(k, k * F))
    return Wald(F, k, df2, p, riv)


def _joint_df(k: int, m: int, riv: float, df: float) -> float:
    t = k * (m - 1)
    if t <= 4:
        return t * (1 + 1 / k) * (1 + 1 / riv) ** 2 / 2 if riv > 0 else float("inf")
    a = riv * t / (t - 2)
    cases = (df + 1) / (df + 3) * df
    c0, c1, c2 = 1 / (t - 4), cases - 2 * (1 + a), cases - 4 * (1 + a)
    z = 1 / c2 + c0 * (
        a**2 * c1 / ((1 + a) ** 2 * c2)
        + 8 * a**2 * c1 / ((1 + a) * c2**2)
        + 4 * a**2 / ((1 + a) * c2)
        + 4 * a**2 / (c2 * c1)
        + 16 * a**2 * c1 / c2**3
        + 8 * a**2 / c2**2
    )
    found = 4 + 1 / z
    # With many gaps and few cases the expansion leaves its range; there the df of many cases are the smaller truth.
    return found if c2 > 0 and found > 0 else 4 + (t - 4) * (1 + (1 - 2 / t) / riv) ** 2


@dataclass(frozen=True)
class Share:
    value: float
    low: float
    high: float
    fmi: float


def pool_share(values: Sequence[float], n: float, level: float) -> Share:
    """R² of the copies through Fisher's z of √R² (Harel 2009); the lower end is 0 where z reaches below it."""
    z = np.arctanh(np.sqrt(np.clip(values, 0, 1 - 1e-15)))
    found = pool(z.tolist(), [float(1 / np.sqrt(n - 3))] * len(z), None)
    reach = float(special.ndtri((1 + level) / 2)) * found.se
    back = np.tanh([found.value, max(0.0, found.value - reach), found.value + reach]) ** 2
    value, low, high = map(float, back)
    return Share(value, low, high, found.fmi)
