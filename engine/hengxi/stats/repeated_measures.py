"""Repeated measures: a linear model of all measurements at once, seen through contrasts within subjects.

One row is a subject, one outcome a measurement. A factor within subjects stands in orthonormal contrasts M of
the measurements: M'HM and M'EM are the hypothesis and the error of its tests, for the multivariate criteria as they are
and for the univariate F by their traces, whose degrees of freedom are corrected where M'EM is not spherical.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations

import numpy as np
from scipy import special

from hengxi.stats.linear_design import LinearModel, Scale
from hengxi.stats.moments import Floats

CONTRASTS = {"polynomial": "多项式", "repeated": "相邻", "simple": "与首次比较", "helmert": "Helmert"}


@dataclass(frozen=True, slots=True)
class Sphericity:
    """`w`, `chi2`, `p` (Mauchly 1940) are None where the error has too few degrees of freedom."""

    w: float | None
    chi2: float | None
    df: int
    p: float | None
    gg: float
    """Box's ε, estimated as Greenhouse & Geisser (1959)."""
    hf: float
    """Huynh & Feldt (1976) with Lecoutre's (1991) correction; at most 1."""
    lower: float


@dataclass(frozen=True, slots=True)
class Effect:
    """A univariate test, sums of squares on the common standard scale; `df` and `df_error` as if spherical."""

    within: tuple[int, ...]
    between: int | None
    """Place of the term between subjects; None: the constant."""
    ss: float
    df: float
    error: float
    df_error: float
    F: float
    eta: float
    generalized: float

    def p(self, epsilon: float = 1.0) -> float:
        return float(special.fdtrc(self.df * epsilon, self.df_error * epsilon, self.F))


@dataclass(frozen=True, slots=True)
class Estimate:
    value: float
    se: float


class Repeated:
    """`model`: one outcome a measurement, the last factor within subjects changing fastest; `sizes`: their levels."""

    def __init__(self, model: LinearModel, sizes: Sequence[int], kind: str = "III") -> None:
        scales = model.cells.y_scales
        up = max(one.up for one in scales)
        factor = np.ldexp(1.0, np.array([one.up - up for one in scales]))
        anchor = scales[0].anchor
        moved = np.array([np.ldexp((one.anchor - anchor) + one.offset, -up) for one in scales])
        self.model, self.sizes, self.kind = model, tuple(sizes), kind
        self.scale = Scale(anchor, 0.0, up)
        self.m, self.df = model.cells.r, model.df
        self.beta = model.beta * factor
        self.beta[0] += moved
        unit = np.outer(factor, factor)
        self.error = model.error * unit
        self.hypotheses = [one * unit for one in model.squares(kind)]
        self.widths = [len(columns) for columns in model.columns]
        self.constant = np.outer(self.beta[0], self.beta[0]) / float(model.unscaled[0, 0])
        self.values = model.cells.y * factor + moved
        """Rows × measurements, standard."""

    # ---- contrasts ---------------------------------------------------------------------------------------------------
    @property
    def subsets(self) -> list[tuple[int, ...]]:
        """The effects within subjects: single factors first."""
        k = len(self.sizes)
        return [one for size in range(1, k + 1) for one in combinations(range(k), size)]

    def contrast(self, factors: Sequence[int]) -> Floats:
        """Measurements × contrasts, orthonormal; without a factor the sum over all measurements."""
        parts = [
            orthonormal(size) if i in factors else np.full((size, 1), 1 / np.sqrt(size))
            for i, size in enumerate(self.sizes)
        ]
        return np.asarray(reduce(np.kron, parts))

    def level(self, factors: Sequence[int], combo: Sequence[int]) -> Floats:
        """The weights of the mean of the measurements at these levels."""
        at = dict(zip(factors, combo, strict=True))
        parts = [np.eye(size)[at[i]] if i in at else np.full(size, 1 / size) for i, size in enumerate(self.sizes)]
        return np.asarray(reduce(np.kron, parts))

    def hypothesis(self, between: int | None) -> tuple[Floats, int]:
        return (self.constant, 1) if between is None else (self.hypotheses[between], self.widths[between])

    # ---- tests -------------------------------------------------------------------------------------------------------
    def effect(self, within: tuple[int, ...], between: int | None) -> Effect:
        contrast = self.contrast(within)
        hypothesis, width = self.hypothesis(between)
        d = contrast.shape[1]
        ss = float(np.einsum("ij,ik,kj->", contrast, hypothesis, contrast))
        error = self.spread(within)
        df, df_error = float(width * d), self.df * d
        F = (ss / df) / (error / df_error)
        return Effect(within, between, ss, df, error, df_error, F, ss / (ss + error), ss / (ss + self.all_error))

    def spread(self, within: Sequence[int]) -> float:
        """The error of an effect within subjects: a trace."""
        contrast = self.contrast(within)
        return float(np.einsum("ij,ik,kj->", contrast, self.error, contrast))

    @property
    def all_error(self) -> float:
        """Every error there is, what subjects differ by among them: beneath generalised η²."""
        return float(np.trace(self.error))

    def sphericity(self, within: tuple[int, ...]) -> Sphericity:
        contrast = self.contrast(within)
        d = contrast.shape[1]
        s = contrast.T @ self.error @ contrast
        s = s / np.trace(s)
        gg = float(1 / (d * (s**2).sum()))
        hf = ((self.df + 1) * d * gg - 2) / (d * (self.df - d * gg)) if self.df > d * gg else 1.0
        lower = 1 / d
        w = chi2 = p = None
        f = d * (d + 1) // 2 - 1
        if d > 1 and self.df >= d:
            latent = np.linalg.eigvalsh(s * d)
            if latent[0] > 1e-14:
                log = float(np.log(latent).sum())
                rho = 1 - (2 * d * d + d + 2) / (6 * d * self.df)
                second = (d + 2) * (d - 1) * (d - 2) * (2 * d**3 + 6 * d**2 + 3 * d + 2)
                second /= 288 * (d * self.df * rho) ** 2
                w, chi2 = float(np.exp(log)), -self.df * rho * log
                first, then = (float(special.chdtrc(one, max(chi2, 0.0))) for one in (f, f + 4))
                p = min(1.0, max(0.0, first + second * (then - first)))
                chi2 = max(chi2, 0.0)
        return Sphericity(w, chi2, f, p, min(gg, 1.0), float(min(1.0, max(hf, lower))), lower)

    def multivariate(self, within: tuple[int, ...], between: int | None) -> tuple[Floats, Floats, int]:
        """Hypothesis, error and width for `multivariate_tests.criteria`."""
        contrast = self.contrast(within)
        hypothesis, width = self.hypothesis(between)
        return contrast.T @ hypothesis @ contrast, contrast.T @ self.error @ contrast, width

    # ---- means -------------------------------------------------------------------------------------------------------
    def estimate(self, between: Floats, within: Floats) -> Estimate:
        """Σ between · means · within, its error from these very contrasts: sphericity is not asked for."""
        spread = float(between @ self.model.unscaled @ between) * float(within @ self.error @ within) / self.df
        return Estimate(float(between @ self.beta @ within), float(np.sqrt(max(spread, 0.0))))

    def same_at(self, between: Floats, contrast: Floats) -> tuple[float, float, float, float] | None:
        """F, its degrees of freedom and p of `contrast` (measurements × d) at one place between subjects: Hotelling's
        T². None where the error has too few degrees of freedom."""
        d = contrast.shape[1]
        df2 = self.df - d + 1
        spread = contrast.T @ self.error @ contrast
        values = between @ self.beta @ contrast
        size = np.sqrt(np.diag(spread))
        if df2 < 1 or not (size > 0).all() or np.linalg.eigvalsh(spread / np.outer(size, size))[0] <= 1e-12:
            return None
        solved = np.linalg.solve(spread / np.outer(size, size), values / size)
        ratio = float(values / size @ solved) / float(between @ self.model.unscaled @ between)
        F = ratio * df2 / d
        return F, float(d), df2, float(special.fdtrc(d, df2, F))

    def groups_at(self, weights: Floats, within: Floats) -> tuple[float, float, float, float]:
        """F, its degrees of freedom and p of the hypothesis weights · means · within = 0 (weights: rows)."""
        values = weights @ self.beta @ within
        ss = float(values @ np.linalg.solve(weights @ self.model.unscaled @ weights.T, values))
        df1 = weights.shape[0]
        F = ss / df1 / (float(within @ self.error @ within) / self.df)
        return F, float(df1), self.df, float(special.fdtrc(df1, self.df, F))


def orthonormal(size: int) -> Floats:
    """Levels × (levels − 1): Helmert's contrasts of length 1."""
    found = np.zeros((size, size - 1))
    for j in range(size - 1):
        found[: j + 1, j] = 1.0
        found[j + 1, j] = -(j + 1.0)
        found[:, j] /= np.sqrt((j + 1.0) * (j + 2.0))
    return found


def contrasts(how: str, labels: Sequence[str]) -> list[tuple[str, Floats]]:
    """Named contrasts of the levels of one factor, in their order."""
    k = len(labels)
    eye = np.eye(k)
    match how:
        case "polynomial":
            names = ["线性", "二次", "三次"]
            powers = np.vander(np.arange(k) - (k - 1) / 2, min(k, 6), increasing=True)
            q, r = np.linalg.qr(powers)
            q = q * np.sign(np.diag(r))
            return [(names[i - 1] if i <= 3 else f"{i} 次", q[:, i]) for i in range(1, q.shape[1])]
        case "repeated":
            return [(f"{labels[i + 1]} − {labels[i]}", eye[i + 1] - eye[i]) for i in range(k - 1)]
        case "simple":
            return [(f"{labels[i]} − {labels[0]}", eye[i] - eye[0]) for i in range(1, k)]
        case _:
            after = [eye[i + 1 :].mean(axis=0) for i in range(k - 1)]
            return [
                (f"{labels[i]} − {labels[i + 1] if i == k - 2 else '其后各水平'}", eye[i] - after[i])
                for i in range(k - 1)
            ]
