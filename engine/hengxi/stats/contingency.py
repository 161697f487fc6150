"""Tables of counts: expected counts, tests of independence, residuals, φ, V and C, odds and risk ratios, strata."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize, special, stats

from hengxi.stats.moments import Floats


@dataclass(frozen=True, slots=True)
class ChiSquare:
    value: float
    df: int
    p: float


@dataclass(frozen=True, slots=True)
class Ratio:
    value: float
    low: float
    high: float


def expected(table: Floats) -> Floats:
    found: Floats = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return found


def degrees(table: Floats) -> int:
    return int((table.shape[0] - 1) * (table.shape[1] - 1))


def _test(value: float, df: int) -> ChiSquare:
    return ChiSquare(value, df, float(stats.chi2.sf(value, df)))


def pearson(table: Floats) -> ChiSquare:
    e = expected(table)
    return _test(float(np.sum((table - e) ** 2 / e)), degrees(table))


def yates(table: Floats) -> ChiSquare:
    """2×2 only. The correction never goes past the expected counts."""
    e = expected(table)
    gap = np.abs(table - e)
    return _test(float(np.sum((gap - np.minimum(0.5, gap)) ** 2 / e)), 1)


def likelihood_ratio(table: Floats) -> ChiSquare:
    e = expected(table)
    return _test(max(0.0, 2 * float(np.sum(special.xlogy(table, table / e)))), degrees(table))


def linear_by_linear(table: Floats, rows: Floats, columns: Floats) -> ChiSquare:
    """(n − 1) r² of the scores (Mantel 1963)."""
    n = float(table.sum())
    a = rows - float(table.sum(axis=1) @ rows) / n
    b = columns - float(table.sum(axis=0) @ columns) / n
    spread = float(table.sum(axis=1) @ a**2) * float(table.sum(axis=0) @ b**2)
    return _test((n - 1) * float(a @ table @ b) ** 2 / spread, 1)


def adjusted_residuals(table: Floats) -> Floats:
    """Standard normal where there is no association (Haberman 1973)."""
    n = float(table.sum())
    left, right = 1 - table.sum(axis=1) / n, 1 - table.sum(axis=0) / n
    e = expected(table)
    found: Floats = (table - e) / np.sqrt(e * np.outer(left, right))
    return found


# ---- strength ------------------------------------------------------------------------------------------------------
def phi(table: Floats) -> float:
    """Signed for 2×2, as the correlation of the two; √(χ²/n) otherwise."""
    n = float(table.sum())
    if table.shape == (2, 2):
        a, b, c, d = (float(v) for v in table.ravel())
        margins = float(np.prod(np.sqrt(np.concatenate((table.sum(axis=0), table.sum(axis=1))))))
        return (a * d - b * c) / margins
    return float(np.sqrt(pearson(table).value / n))


def contingency_coefficient(table: Floats) -> float:
    value = pearson(table).value
    return float(np.sqrt(value / (value + table.sum())))


def cramer_v(table: Floats, level: float) -> Ratio:
    """Interval by inverting the noncentral χ²: √(λ/(n(k − 1))), k the smaller side (Smithson 2003)."""
    test = pearson(table)
    scale = float(table.sum()) * (min(table.shape) - 1)
    alpha = (1 - level) / 2
    low, high = (noncentrality(test.value, test.df, q) for q in (1 - alpha, alpha))
    value = float(np.sqrt(test.value / scale))
    return Ratio(value, min(value, float(np.sqrt(low / scale))), max(value, min(1.0, float(np.sqrt(high / scale)))))


def noncentrality(value: float, df: int, probability: float) -> float:
    """The λ for which P(χ²(λ) ≤ value) = probability; 0 where even the central one lies below."""
    if float(stats.chi2.cdf(value, df)) <= probability:
        return 0.0

    def gap(nc: float) -> float:
        return float(special.chndtr(value, df, nc)) - probability if nc > 0 else 1 - probability

    spread = float(np.sqrt(2 * (df + 2 * value)))
    guess = max(0.0, value - df - float(stats.norm.ppf(probability)) * float(np.sqrt(2 * (df + 2 * value))))
    high = value + df + 12 * spread
    with np.errstate(all="ignore"):
        end = gap(high)
        if value > 1e5 or not np.isfinite(end) or end > 0:
            return guess
        return float(optimize.brentq(gap, 0.0, high, xtol=1e-11, rtol=1e-13, maxiter=500))


# ---- 2×2 -----------------------------------------------------------------------------------------------------------
def odds_ratio(table: Floats, level: float) -> Ratio | None:
    """ad/bc with Woolf's interval; None where a cell is empty (the ratio is 0, infinite or undefined)."""
    a, b, c, d = (float(v) for v in table.ravel())
    if min(a, b, c, d) <= 0:
        return None
    return _around(float(np.log(a) - np.log(b) - np.log(c) + np.log(d)), 1 / a + 1 / b + 1 / c + 1 / d, level)


def risk_ratio(table: Floats, column: int, level: float) -> Ratio | None:
    """Share of this column in the first row over its share in the second (Katz); None where it is 0 in one of them."""
    a, c = float(table[0, column]), float(table[1, column])
    n1, n2 = (float(v) for v in table.sum(axis=1))
    if a <= 0 or c <= 0:
        return None
    return _around(float(np.log(a / n1) - np.log(c / n2)), 1 / a - 1 / n1 + 1 / c - 1 / n2, level)


def _around(log: float, variance: float, level: float) -> Ratio:
    half = float(stats.norm.isf((1 - level) / 2)) * float(np.sqrt(max(0.0, variance)))
    return Ratio(float(np.exp(log)), float(np.exp(log - half)), float(np.exp(log + half)))


# ---- several 2×2 tables --------------------------------------------------------------------------------------------
def mantel_haenszel(strata: list[Floats], level: float) -> Ratio | None:
    """Common odds ratio with the interval of Robins, Breslow & Greenland (1986)."""
    t = np.array(strata)
    n = t.sum(axis=(1, 2))
    p, q = (t[:, 0, 0] + t[:, 1, 1]) / n, (t[:, 0, 1] + t[:, 1, 0]) / n
    r, s = t[:, 0, 0] * t[:, 1, 1] / n, t[:, 0, 1] * t[:, 1, 0] / n
    up, down = float(r.sum()), float(s.sum())
    if up <= 0 or down <= 0:
        return None
    variance = float((p * r).sum()) / (2 * up**2) + float((p * s + q * r).sum()) / (2 * up * down)
    return _around(float(np.log(up / down)), variance + float((q * s).sum()) / (2 * down**2), level)


def cochran_mantel_haenszel(strata: list[Floats]) -> ChiSquare | None:
    """Conditional independence given the stratum; no continuity correction."""
    t = np.array(strata)
    n = t.sum(axis=(1, 2))
    r1, r2, c1, c2 = t[:, 0].sum(axis=1), t[:, 1].sum(axis=1), t[:, :, 0].sum(axis=1), t[:, :, 1].sum(axis=1)
    held = n > 1
    variance = float(np.sum((r1 * r2 * c1 * c2)[held] / (n**2 * (n - 1))[held]))
    if variance <= 0:
        return None
    return _test(float(np.sum((t[:, 0, 0] - r1 * c1 / n)[held])) ** 2 / variance, 1)


def breslow_day(strata: list[Floats], common: float, tarone: bool = True) -> ChiSquare:
    """Equal odds ratios in all strata; with Tarone's (1985) adjustment unless told otherwise."""
    gaps, variances = [], []
    for table in strata:
        a = _fitted(table, common)
        r1, c1, n = float(table[0].sum()), float(table[:, 0].sum()), float(table.sum())
        gaps.append(float(table[0, 0]) - a)
        variances.append(1 / (1 / a + 1 / (r1 - a) + 1 / (c1 - a) + 1 / (n - r1 - c1 + a)))
    gap, variance = np.array(gaps), np.array(variances)
    value = float(np.sum(gap**2 / variance))
    if tarone:
        value -= float(gap.sum()) ** 2 / float(variance.sum())
    return _test(max(0.0, value), len(strata) - 1)


def _fitted(table: Floats, common: float) -> float:
    """The first cell that gives this odds ratio with the margins of the table."""
    r1, c1, n = float(table[0].sum()), float(table[:, 0].sum()), float(table.sum())
    square, linear, constant = 1 - common, n - r1 - c1 + common * (r1 + c1), -common * r1 * c1
    if abs(square) < 1e-12:
        return -constant / linear
    root = float(np.sqrt(linear**2 - 4 * square * constant))
    # The stable form of the root that lies inside the margins.
    return 2 * -constant / (linear + root) if linear >= 0 else (-linear + root) / (2 * square)
