"""Agreement of two raters in a square table of counts: weighted κ with its standard errors, what it can reach, ICC."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from hengxi.stats.moments import Floats


@dataclass(frozen=True, slots=True)
class Kappa:
    """`ase` is of the estimate, `ase0` of no agreement beyond chance; `observed` and `expected` are weighted."""

    value: float
    ase: float
    ase0: float
    observed: float
    expected: float

    @property
    def z(self) -> float | None:
        return self.value / self.ase0 if self.ase0 > 1e-14 else None

    @property
    def p(self) -> float | None:
        return None if self.z is None else float(min(1.0, 2 * stats.norm.sf(abs(self.z))))

    def interval(self, level: float) -> tuple[float, float]:
        half = float(stats.norm.isf((1 - level) / 2)) * self.ase
        return max(-1.0, self.value - half), min(1.0, self.value + half)


def weights(kind: str, k: int) -> Floats:
    """Agreement weights of k ordered categories: 1 on the diagonal; simple counts nothing else."""
    gap = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) / max(1, k - 1)
    found: Floats = {"simple": np.eye(k), "linear": 1 - gap, "quadratic": 1 - gap**2}[kind]
    return found


def kappa(table: Floats, w: Floats) -> Kappa | None:
    """Cohen's κ with agreement weights (Cohen 1968), standard errors of Fleiss, Cohen & Everitt (1969). None where the
    raters used one category only."""
    n = float(table.sum())
    p = table / n
    r, c = p.sum(axis=1), p.sum(axis=0)
    observed, expected = float(np.sum(w * p)), float(r @ w @ c)
    if 1 - expected < 1e-12:
        return None
    value = (observed - expected) / (1 - expected)
    mean = (w @ c)[:, None] + (r @ w)[None, :]
    inside = float(np.sum(p * (w - mean * (1 - value)) ** 2)) - (value - expected * (1 - value)) ** 2
    null = float(np.sum(np.outer(r, c) * (w - mean) ** 2)) - expected**2
    scale = (1 - expected) * float(np.sqrt(n))
    return Kappa(
        value, float(np.sqrt(max(0.0, inside))) / scale, float(np.sqrt(max(0.0, null))) / scale, observed, expected
    )  # fmt: skip


def pabak(table: Floats) -> Kappa:
    """Prevalence- and bias-adjusted κ (Byrt, Bishop & Carlin 1993): chance is 1/k for everyone."""
    n, k = float(table.sum()), table.shape[0]
    agree = float(np.trace(table)) / n
    value = (k * agree - 1) / (k - 1)
    scale = k / (k - 1)
    return Kappa(
        value, scale * float(np.sqrt(agree * (1 - agree) / n)), scale * float(np.sqrt((k - 1) / k**2 / n)), agree, 1 / k
    )  # fmt: skip


def largest(table: Floats, w: Floats) -> float | None:
    """κ of the best agreement the margins allow, by transport of what is left from small to large categories.

    Exact for simple weights; None for others.
    """
    if not np.array_equal(w, np.eye(table.shape[0])):
        return None
    p = table / table.sum()
    r, c = p.sum(axis=1), p.sum(axis=0)
    expected = float(r @ c)
    return (float(np.minimum(r, c).sum()) - expected) / (1 - expected)


@dataclass(frozen=True, slots=True)
class Category:
    """Of one category: κ given that the first rater chose it (Light 1971), and the share both chose of either's."""

    conditional: float | None
    specific: float


def by_category(table: Floats) -> list[Category]:
    n = float(table.sum())
    r, c = table.sum(axis=1), table.sum(axis=0)
    made = []
    for i in range(table.shape[0]):
        below = r[i] * (1 - c[i] / n)
        given = None if below <= 0 else float((table[i, i] - r[i] * c[i] / n) / below)
        made.append(Category(given, float(2 * table[i, i] / (r[i] + c[i]))))
    return made


def icc_agreement(table: Floats) -> float | None:
    """ICC(A,1) of the places 1 … k: two-way random effects, absolute agreement, single rating (McGraw & Wong 1996)."""
    k, n = table.shape[0], float(table.sum())
    if n < 2:
        return None
    x = np.arange(1.0, k + 1)
    r, c = table.sum(axis=1), table.sum(axis=0)
    mean = float((r + c) @ x) / (2 * n)
    case = (x[:, None] + x[None, :]) / 2
    between = 2 * float(np.sum(table * (case - mean) ** 2)) / (n - 1)
    raters = n * ((float(r @ x) / n - mean) ** 2 + (float(c @ x) / n - mean) ** 2)
    total = float((r + c) @ (x - mean) ** 2)
    error = (total - between * (n - 1) - raters) / (n - 1)
    below = between + error + 2 * (raters - error) / n
    return None if below <= 0 else (between - error) / below
