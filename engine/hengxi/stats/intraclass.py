"""Intraclass correlations of objects rated by several raters: the ten forms of McGraw and Wong (1996).

With gaps the variance components come from restricted maximum likelihood, without tests and intervals.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize, stats

from hengxi.stats.moments import Floats


@dataclass(frozen=True, slots=True)
class Source:
    name: str
    ss: float
    df: int

    @property
    def ms(self) -> float:
        return self.ss / self.df


@dataclass(frozen=True, slots=True)
class Layout:
    """Sums of squares of n objects × k raters."""

    n: int
    k: int
    rows: Source
    columns: Source
    error: Source
    within: Source
    total: Source


def layout(x: Floats) -> Layout:
    """`x`: objects × raters without gaps."""
    n, k = x.shape
    x = x - x.mean()
    by_row, by_column = x.mean(axis=1), x.mean(axis=0)
    rest = x - by_row[:, None] - by_column[None, :]
    rows, columns, error = k * float(by_row @ by_row), n * float(by_column @ by_column), float(np.sum(rest**2))
    return Layout(
        n, k, Source("被评对象", rows, n - 1), Source("评价者", columns, k - 1),
        Source("残差", error, (n - 1) * (k - 1)), Source("对象内（评价者＋残差）", columns + error, n * (k - 1)),
        Source("合计", rows + columns + error, n * k - 1),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Icc:
    """`F` and `p` test ICC > the null value; None where nothing but the objects varies, or without a bound."""

    value: float | None
    low: float | None
    high: float | None
    F: float | None
    df1: float | None
    df2: float | None
    p: float | None


def one_way(a: Layout, average: bool, level: float, null: float) -> Icc:
    return _ratio(a, a.within, average, level, null)


def consistency(a: Layout, average: bool, level: float, null: float) -> Icc:
    return _ratio(a, a.error, average, level, null)


def _ratio(a: Layout, noise: Source, average: bool, level: float, null: float) -> Icc:
    """McGraw & Wong (1996), tables 4, 7 and 8: functions of one variance ratio."""
    if noise.ms <= 1e-14 * a.total.ms:
        return Icc(1.0, None, None, None, None, None, None)
    ratio, k = a.rows.ms / noise.ms, a.k
    share = (1 - level) / 2
    df1, df2 = a.rows.df, noise.df

    def of(f: float) -> float | None:
        if average:
            return 1 - 1 / f if f > 0 else None
        return (f - 1) / (f + k - 1)

    F = ratio * (1 - null) / (1 if average else 1 + (k - 1) * null)
    low, high = of(ratio / float(stats.f.isf(share, df1, df2))), of(ratio * float(stats.f.isf(share, df2, df1)))
    return Icc(of(ratio), low, high, F, df1, df2, float(stats.f.sf(F, df1, df2)))


def agreement(a: Layout, average: bool, level: float, null: float) -> Icc:
    """ICC(A,1) and ICC(A,k): Satterthwaite's degrees of freedom (McGraw & Wong 1996, correction 1996)."""
    n, k = a.n, a.k
    msr, msc, mse = a.rows.ms, a.columns.ms, a.error.ms
    if mse + msc <= 1e-14 * a.total.ms:
        return Icc(1.0, None, None, None, None, None, None)
    single = (msr - mse) / (msr + (k - 1) * mse + k / n * (msc - mse))
    below = msr + (msc - mse) / n
    if average and below <= 0:
        return Icc(None, None, None, None, None, None, None)
    value = (msr - mse) / below if average else single

    def noise(rho: float) -> tuple[float, float]:
        """The denominator of F under this single-rater correlation, and its degrees of freedom."""
        c = k * rho / (n * (1 - rho))
        d = 1 + k * rho * (n - 1) / (n * (1 - rho))
        whole = c * msc + d * mse
        return whole, whole**2 / ((c * msc) ** 2 / (k - 1) + (d * mse) ** 2 / ((n - 1) * (k - 1)))

    _, v = noise(single)
    share = (1 - level) / 2
    bounds: list[float | None] = []
    for quantile, lower in ((stats.f.isf(share, n - 1, v), True), (stats.f.isf(share, v, n - 1), False)):
        q = float(quantile)
        # Averages by Spearman-Brown from single ratings, which is the published formula rearranged.
        up = msr - q * mse if lower else q * msr - mse
        down = q * (k * msc + (k * n - k - n) * mse) + n * msr if lower else (
            k * msc + (k * n - k - n) * mse + n * q * msr)  # fmt: skip
        one = n * up / down
        bounds.append(k * one / (1 + (k - 1) * one) if average else one)
    # Of averages the null value is that of an average; a single rating's by Spearman-Brown backwards.
    if mse <= 1e-14 * a.total.ms:
        return Icc(value, bounds[0], bounds[1], None, None, None, None)
    whole, df2 = noise(null / (k - (k - 1) * null) if average else null)
    F = msr / whole
    return Icc(value, bounds[0], bounds[1], F, n - 1, df2, float(stats.f.sf(F, n - 1, df2)))


@dataclass(frozen=True, slots=True)
class Components:
    """Variances of objects, raters (0 where not asked for) and the rest."""

    objects: float
    raters: float
    rest: float


def components(x: Floats, raters: bool) -> Components:
    """REML of y = mean + object (+ rater) + rest over the ratings there are; NaN where there is none.

    The profiled deviance of Bates et al. (2015), objects eliminated first: a matrix of raters + 1 rows remains.
    """
    x = x[np.lexsort(x.T)]  # where the deviance is flat, the order of the rows would decide the eighth digit
    held = ~np.isnan(x)
    k_matrix = held.astype(float)
    count, per_row, per_column = int(held.sum()), k_matrix.sum(axis=1), k_matrix.sum(axis=0)
    y = np.where(held, x, 0.0)
    centre, size = y.sum() / count, 0.0
    y = np.where(held, x - centre, 0.0)
    size = float(np.sqrt(np.sum(y**2) / count))
    y = y / size
    by_row, by_column, squares = y.sum(axis=1), y.sum(axis=0), float(np.sum(y**2))

    def parts(theta: Floats) -> tuple[float, float]:
        s, r = abs(float(theta[0])), abs(float(theta[1])) if raters else 0.0
        d = s * s * per_row + 1
        cross = np.column_stack((r * k_matrix, per_row)) * s
        lower = np.zeros((x.shape[1] + 1, x.shape[1] + 1))
        lower[:-1, :-1] = np.diag(r * r * per_column + 1)
        lower[:-1, -1] = lower[-1, :-1] = r * per_column
        lower[-1, -1] = count
        lower -= cross.T @ (cross / d[:, None])
        right = np.append(r * by_column, by_column.sum()) - cross.T @ (s * by_row / d)
        rest = squares - float(s * s * by_row @ (by_row / d)) - float(right @ np.linalg.solve(lower, right))
        return float(np.log(d).sum() + np.linalg.slogdet(lower)[1]), rest

    def deviance(theta: Floats) -> float:
        logs, rest = parts(theta)
        return logs + (count - 1) * float(np.log(rest))

    start = np.ones(2 if raters else 1)
    best = optimize.minimize(deviance, start, method="L-BFGS-B", bounds=[(0, None)] * len(start))
    found = optimize.minimize(
        deviance, best.x, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-13, "maxiter": 4000}
    )
    theta = np.abs(found.x)
    rest = parts(theta)[1] / (count - 1) * size**2
    return Components(float(theta[0] ** 2 * rest), float(theta[1] ** 2 * rest) if raters else 0.0, float(rest))


def from_components(found: Components, absolute: bool, k: int, average: bool) -> float | None:
    noise = found.rest + (found.raters if absolute else 0.0)
    whole = found.objects + noise / (k if average else 1)
    return found.objects / whole if whole > 0 else None
