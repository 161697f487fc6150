"""Coefficients of internal consistency, from the covariance matrix of the items alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hengxi.stats.factor_extraction import maximum_likelihood
from hengxi.stats.moments import Floats


def alpha(s: Floats) -> float:
    """Cronbach (1951): p/(p − 1) · (1 − Σ s_ii / Σ s_ij)."""
    p = len(s)
    return float(p / (p - 1) * (1 - np.trace(s) / s.sum()))


def feldt(value: float, n: int, p: int, level: float) -> tuple[float, float]:
    """Feldt (1965): (1 − α) F with n − 1 and (n − 1)(p − 1) degrees of freedom."""
    half = (1 - level) / 2
    df1, df2 = n - 1, (n - 1) * (p - 1)
    low = 1 - (1 - value) * float(stats.f.isf(half, df1, df2))
    return low, 1 - (1 - value) * float(stats.f.ppf(half, df1, df2))


@dataclass(frozen=True, slots=True)
class Omega:
    value: float
    low: float
    high: float


def omega(s: Floats, n: int, level: float) -> Omega | None:
    """McDonald's ω of one ML factor, (Σλ)² / ((Σλ)² + Σψ); Wald interval by the delta method (as lavaan).

    None with fewer than three items, without convergence, and where a uniqueness is at its bound (Heywood).
    """
    p = len(s)
    if p < 3 or np.linalg.eigvalsh(s / s.diagonal().max())[0] <= 1e-12:
        return None
    sd = np.sqrt(s.diagonal())
    found = maximum_likelihood(s / np.outer(sd, sd), 1)
    if not found.converged or found.heywood:
        return None
    top = float(sd.max())  # ω has no unit
    loading = found.loadings[:, 0] * sd / top
    rest = (1 - found.communalities) * (sd / top) ** 2
    common, own = float(loading.sum()), float(rest.sum())
    whole = common**2 + own
    gradient = np.concatenate([np.full(p, 2 * common * own / whole**2), np.full(p, -(common**2) / whole**2)])
    v = np.linalg.inv(np.outer(loading, loading) + np.diag(rest))
    u = v @ loading
    inner, across = v * float(loading @ u) + np.outer(u, u), v * u[:, None]
    information = n / 2 * np.block([[2 * inner, 2 * across.T], [2 * across, v**2]])
    value = common**2 / whole
    half = float(stats.norm.isf((1 - level) / 2)) * float(np.sqrt(gradient @ np.linalg.solve(information, gradient)))
    return Omega(value, value - half, value + half)


@dataclass(frozen=True, slots=True)
class Halves:
    alpha_1: float | None
    alpha_2: float | None
    r: float | None
    """None where one half has no variance."""
    equal: float | None
    unequal: float | None
    guttman: float


def halves(s: Floats, first: NDArray[np.bool_]) -> Halves:
    """`first`: True for items of the first half. Spearman-Brown, Horst's for unequal lengths (1951), Guttman (1945)."""
    a, b = np.flatnonzero(first), np.flatnonzero(~first)
    aa, bb, ab = s[np.ix_(a, a)], s[np.ix_(b, b)], float(s[np.ix_(a, b)].sum())
    va, vb = float(aa.sum()), float(bb.sum())
    one, other = (alpha(side) if len(side) > 1 and side.sum() > 0 else None for side in (aa, bb))
    guttman = 4 * ab / float(s.sum())
    if va <= 0 or vb <= 0:
        return Halves(one, other, None, None, None, guttman)
    r = ab / float(np.sqrt(va * vb))
    share = a.size * b.size / len(s) ** 2
    square = r * r
    room = 2 * (1 - square) * share
    unequal = (np.sqrt(square**2 + 4 * square * (1 - square) * share) - square) / room if r > 0 and room > 0 else None
    equal = 2 * r / (1 + r) if r > 0 else None
    return Halves(one, other, r, equal, None if unequal is None else float(unequal), guttman)


def guttman(s: Floats, split: float) -> list[float | None]:
    """Guttman's λ1 … λ6 (1945); λ4 is that of the given split, λ6 needs an invertible matrix."""
    p, whole = len(s), float(s.sum())
    first = 1 - float(np.trace(s)) / whole
    square = s**2 - np.diag(s.diagonal() ** 2)
    second = first + float(np.sqrt(p / (p - 1) * square.sum())) / whole
    fifth = first + 2 * float(np.sqrt(square.sum(axis=0).max())) / whole
    own = unexplained(s)
    sixth = None if own is None else 1 - float(np.sum(own * s.diagonal())) / whole
    return [first, second, alpha(s), split, fifth, sixth]


def unexplained(s: Floats) -> Floats | None:
    """Share of each item's variance that the others do not explain; None where the matrix has no inverse."""
    sd = np.sqrt(s.diagonal())
    r = s / np.outer(sd, sd)
    if np.linalg.eigvalsh(r)[0] <= 1e-10:
        return None
    found: Floats = 1 / np.linalg.inv(r).diagonal()
    return found


def theta(r: Floats) -> float:
    """Armor (1974): p/(p − 1) · (1 − 1/λ₁)."""
    p = len(r)
    return float(p / (p - 1) * (1 - 1 / np.linalg.eigvalsh(r)[-1]))


@dataclass(frozen=True, slots=True)
class ItemTotal:
    rest_r: float | None
    """Correlation with the sum of the other items; None where that sum does not vary."""
    deleted: float | None
    """α of the other items; None with two items."""
    rest_mean: float
    rest_variance: float
    smc: float | None


def item_totals(s: Floats, means: Floats) -> list[ItemTotal]:
    """Of each item against the sum of the others."""
    whole, p, own = float(s.sum()), len(s), unexplained(s)
    found = []
    for i in range(p):
        with_others = float(s[i].sum() - s[i, i])
        rest = whole - float(s[i, i]) - 2 * with_others
        varies = rest > 1e-12 * float(np.trace(s))
        r = with_others / float(np.sqrt(rest * s[i, i])) if varies else None
        deleted = alpha(np.delete(np.delete(s, i, 0), i, 1)) if p > 2 and varies else None
        smc = None if own is None else 1 - float(own[i])
        found.append(ItemTotal(r, deleted, float(means.sum() - means[i]), max(rest, 0.0), smc))
    return found


@dataclass(frozen=True, slots=True)
class FTest:
    name: str
    statistic: float | None
    F: float
    df1: float
    df2: float
    p: float


def equal_means(s: Floats, means: Floats, n: int) -> FTest | None:
    """Hotelling's T² of equal item means; None without enough cases or where the contrasts have no inverse."""
    p = len(s)
    contrast = means[1:] - means[0]
    c = s[1:, 1:] - s[1:, :1] - s[:1, 1:] + s[0, 0]
    top = c.diagonal().max()
    if n <= p or top <= 0 or np.linalg.eigvalsh(c / top)[0] <= 1e-10:
        return None
    t2 = float(n * contrast @ np.linalg.solve(c, contrast))
    f = (n - p + 1) / ((n - 1) * (p - 1)) * t2
    return FTest("Hotelling T²（各题均值相等）", t2, f, p - 1, n - p + 1, float(stats.f.sf(f, p - 1, n - p + 1)))


def additivity(s: Floats, means: Floats, n: int) -> FTest | None:
    """Tukey's one degree of freedom for non-additivity (1949) of persons × items."""
    p = len(s)
    away = means - means.mean()
    size, persons = float(away @ away), float(s.sum()) / p**2 * (n - 1)
    if size <= 1e-12 * float(np.trace(s)) or persons <= 0 or (df := (n - 1) * (p - 1) - 1) < 1:
        return None
    between = ((n - 1) * float(away @ s.sum(axis=1)) / p) ** 2 / (size * persons)
    residual = (n - 1) * (float(np.trace(s)) - float(s.sum()) / p) - between
    if residual <= 0:
        return None
    f = between / (residual / df)
    return FTest("Tukey 可加性检验", None, f, 1, df, float(stats.f.sf(f, 1, df)))


def against(r: Floats) -> list[int]:
    """Items that go against the first principal component's majority: perhaps scored the other way."""
    vector = np.linalg.eigh(r)[1][:, -1]
    signs = np.where(vector < 0, -1, 1) * (1 if float(vector.sum()) >= 0 else -1)
    if 2 * int((signs < 0).sum()) > len(r):
        signs = -signs
    return [int(i) for i in np.flatnonzero(signs < 0)]
