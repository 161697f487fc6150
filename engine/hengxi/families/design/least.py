"""A linear model of coded settings: sums of squares of groups of terms, pure error, prediction of runs left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, stats

from hengxi.stats.moments import Floats

TINY = 1e-9
"""A column of length 1 is a sum of those before it where less than this is left."""
EXACT = 1e-20
"""Residuals whose square is below this part of the whole are rounding."""

ROUNDING = 1e-14
"""A coefficient below this part of the largest response is rounding."""


def independent(columns: Floats, first: int = 0) -> list[int]:
    """Which columns are no sum of those kept before them; the first `first` always stay."""
    basis: list[Floats] = []
    kept: list[int] = []
    for j in range(columns.shape[1]):
        size = float(np.linalg.norm(columns[:, j]))
        rest = columns[:, j] / (size or 1.0)
        for _ in range(2):
            for one in basis:
                rest = rest - float(one @ rest) * one
        left = float(np.linalg.norm(rest))
        if size > 0 and (left > TINY or j < first):
            kept.append(j)
            if left > TINY:
                basis.append(rest / left)
    return kept


@dataclass(frozen=True)
class Variance:
    """A line of the table of variance."""

    ss: float
    df: int
    F: float | None
    p: float | None

    @property
    def ms(self) -> float | None:
        return self.ss / self.df if self.df else None


class Least:
    """Least squares of y (n,) on the columns of x (n × p, the constant first, of full rank)."""

    def __init__(self, x: Floats, y: Floats) -> None:
        self.x, self.n, self.p = x, x.shape[0], x.shape[1]
        self.y = y
        self.middle = float(y.mean())
        apart = y - self.middle
        q, r = np.linalg.qr(x)
        self.beta = np.asarray(linalg.solve_triangular(r, q.T @ apart))
        inverse = np.asarray(linalg.solve_triangular(r, np.eye(self.p)))
        self.unscaled = inverse @ inverse.T
        self.leverage = np.minimum((q**2).sum(axis=1), 1.0)
        self.residual = apart - x @ self.beta
        self.total = float(apart @ apart)
        self.sse = float(self.residual @ self.residual)
        if self.sse <= EXACT * self.total:
            self.sse = 0.0

    @property
    def df(self) -> int:
        return int(self.n - self.p)

    @property
    def mse(self) -> float | None:
        """None where nothing is left to estimate it from."""
        return self.sse / self.df if self.df > 0 else None

    @property
    def has_error(self) -> bool:
        """Is there something left to test against?"""
        return self.df > 0 and self.sse > 0

    @cached_property
    def b(self) -> Floats:
        """Coefficients, the constant first; what rounding left of 0 is 0."""
        shift = np.zeros(self.p)
        shift[0] = self.middle
        found = self.beta + shift
        found[np.abs(found) < ROUNDING * float(np.abs(self.y).max())] = 0.0
        return np.asarray(found)

    @property
    def fitted(self) -> Floats:
        return np.asarray(self.y - self.residual)

    def se(self, j: int) -> float | None:
        return float(np.sqrt(self.sse / self.df * self.unscaled[j, j])) if self.has_error else None

    def t(self, j: int) -> float | None:
        error = self.se(j)
        return None if error is None else float(self.b[j]) / error

    def p_of(self, j: int) -> float | None:
        value = self.t(j)
        return None if value is None else float(2 * stats.t.sf(abs(value), self.df))

    def vif(self, j: int) -> float:
        """Of a column beside the constant."""
        apart = self.x[:, j] - self.x[:, j].mean()
        return float(self.unscaled[j, j] * (apart @ apart))

    def squares(self, columns: Sequence[int]) -> float:
        """What these columns explain beside all others."""
        at = list(columns)
        b = self.beta[at]
        return float(b @ np.linalg.solve(self.unscaled[np.ix_(at, at)], b))

    def tested(self, ss: float, df: int, error: float | None = None, df_error: int | None = None) -> Variance:
        """Against the residuals, or against another mean square with its degrees of freedom."""
        if error is None:
            error, df_error = (self.sse / self.df, self.df) if self.has_error else (0.0, 0)
        if not df or not df_error or not error > 0:
            return Variance(ss, df, None, None)
        value = ss / df / error
        return Variance(ss, df, value, float(stats.f.sf(value, df, df_error)))

    def group(self, columns: Sequence[int]) -> Variance:
        return self.tested(self.squares(columns), len(columns))

    def pure_error(self, same: NDArray[np.integer[Any]]) -> tuple[float, int]:
        """Sum of squares and degrees of freedom within runs that carry the same number."""
        _, place, sizes = np.unique(same, return_inverse=True, return_counts=True)
        apart = self.y - self.middle
        means = np.bincount(place, weights=apart) / sizes
        within = apart - means[place]
        return float(within @ within), self.n - len(sizes)

    @property
    def r2(self) -> float | None:
        return 1 - self.sse / self.total if self.total > 0 else None

    @property
    def adjusted(self) -> float | None:
        if not self.total > 0 or self.df < 1:
            return None
        return float(1 - self.sse / self.df / (self.total / (self.n - 1)))

    @cached_property
    def predicted_r2(self) -> float | None:
        """From each run predicted without itself; None where a run alone determines its own value."""
        rest = 1 - self.leverage
        if not self.total > 0 or float(rest.min()) < 1e-9:
            return None
        apart = self.residual / rest
        return float(1 - float(apart @ apart) / self.total)

    @cached_property
    def standardized(self) -> Floats | None:
        """Residuals over their standard errors; NaN where a run determines its own value."""
        if not self.has_error:
            return None
        rest = 1 - self.leverage
        with np.errstate(divide="ignore", invalid="ignore"):
            found = self.residual / np.sqrt(self.sse / self.df * rest)
        return np.where(rest < 1e-9, np.nan, found)

    def at(self, row: Floats) -> tuple[float, float | None]:
        """The prediction for a row of x, and the standard error of its mean."""
        value = self.middle + float(row @ self.beta)
        spread = float(row @ self.unscaled @ row)
        return value, (float(np.sqrt(self.sse / self.df * spread)) if self.has_error else None)


def settings_of(columns: Floats) -> NDArray[np.integer[Any]]:
    """A number for each row; equal rows (to 9 digits) have the same."""
    _, place = np.unique(np.round(columns, 9), axis=0, return_inverse=True)
    return np.asarray(place).reshape(-1)


@dataclass(frozen=True)
class Lenth:
    """Pseudo standard error of unreplicated effects and the margins beyond which one counts (Lenth 1989)."""

    pse: float
    margin: float
    simultaneous: float


def lenth(effects: Floats, alpha: float) -> Lenth:
    size = np.abs(effects)
    first = 1.5 * float(np.median(size))
    near = size[size < 2.5 * first]
    pse = 1.5 * float(np.median(near)) if near.size else 0.0
    df, m = effects.size / 3, effects.size
    whole = (1 + (1 - alpha) ** (1 / m)) / 2
    return Lenth(pse, float(stats.t.ppf(1 - alpha / 2, df)) * pse, float(stats.t.ppf(whole, df)) * pse)
