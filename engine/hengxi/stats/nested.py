"""Nested groups: variation split over levels, its components by mean squares or restricted likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from hengxi.stats.moments import Floats


@dataclass(frozen=True, slots=True)
class Level:
    """`F` against `denominator` (a mean square, or one made of several) with Satterthwaite's degrees of freedom."""

    ss: float
    df: float
    ms: float
    F: float
    denominator: float
    df_error: float
    p: float


class Nested:
    """`groups`: for each level from the highest down, a code of each row; codes of a level lie within those above."""

    def __init__(self, y: Floats, groups: Sequence[np.ndarray]) -> None:
        self.n, self.depth = y.size, len(groups)
        self.y, self.codes = y, [np.zeros(y.size, dtype=np.int64), *groups]
        self.sizes = [np.bincount(code).astype(float) for code in self.codes]
        self.means = [np.bincount(code, y) / size for code, size in zip(self.codes, self.sizes, strict=True)]
        self.parents = []
        for upper, lower in zip(self.codes, self.codes[1:], strict=False):
            parent = np.zeros(int(lower.max()) + 1, dtype=np.int64)
            parent[lower] = upper
            self.parents.append(parent)
        self.df = [float(b.size - a.size) for a, b in zip(self.sizes, self.sizes[1:], strict=False)]
        self.df_error = float(self.n - self.sizes[-1].size)
        self.ss = [
            float(size @ (mean - above[parent]) ** 2)
            for size, mean, above, parent in zip(self.sizes[1:], self.means[1:], self.means, self.parents, strict=False)
        ]
        self.within = y - self.means[-1][self.codes[-1]]
        self.error = float(self.within @ self.within)
        self.k = self._coefficients()

    @property
    def is_balanced(self) -> bool:
        counts = [np.bincount(parent) for parent in self.parents]
        return all(np.ptp(one) == 0 for one in [*counts, self.sizes[-1]])

    @property
    def mse(self) -> float:
        return self.error / self.df_error

    def _coefficients(self) -> Floats:
        """k[j, l]: what the variance of level l counts in the expected mean square of level j."""
        depth = self.depth
        found = np.zeros((depth, depth))
        for lower in range(depth):
            size = self.sizes[lower + 1]
            place = np.arange(size.size)
            shares = [float((size**2 / size).sum())]
            for level in range(lower, -1, -1):
                place = self.parents[level][place]
                shares.append(float((size**2 / self.sizes[level][place]).sum()))
            # shares[i] is of the groups i levels above the lower one
            for level in range(lower + 1):
                found[level, lower] = (shares[lower - level] - shares[lower - level + 1]) / self.df[level]
        return found

    def levels(self) -> list[Level]:
        ms = [ss / df for ss, df in zip(self.ss, self.df, strict=True)]
        squares = np.array([*ms, self.mse])
        degrees = np.array([*self.df, self.df_error])
        made = []
        for j in range(self.depth):
            # Weights of the mean squares below that expect what this one does under its hypothesis.
            weights = np.zeros(self.depth + 1)
            target = self.k[j].copy()
            target[j] = 0
            for lower in range(j + 1, self.depth):
                weights[lower] = target[lower] / self.k[lower, lower]
                target -= weights[lower] * self.k[lower]
            weights[-1] = 1 - weights[:-1].sum()
            parts = weights * squares
            denominator = float(parts.sum())
            if denominator <= 0:
                made.append(Level(self.ss[j], self.df[j], ms[j], np.nan, denominator, np.nan, np.nan))
                continue
            df = denominator**2 / float((parts**2 / degrees).sum())
            F = ms[j] / denominator
            made.append(
                Level(self.ss[j], self.df[j], ms[j], F, denominator, df, float(special.fdtrc(self.df[j], df, F)))
            )
        return made

    def components(self) -> tuple[Floats, float]:
        """Of each level and of the error, by mean squares (Henderson I); may be negative."""
        ms = np.array([ss / df for ss, df in zip(self.ss, self.df, strict=True)])
        found = np.zeros(self.depth)
        for j in range(self.depth - 1, -1, -1):
            found[j] = (ms[j] - self.mse - float(self.k[j] @ found)) / self.k[j, j]
        return found, self.mse

    def _profile(self, ratios: Floats, fixed_top: bool) -> tuple[float, float]:
        """−2 restricted log-likelihood up to a constant, and σ²; `ratios`: variances over that of the error.

        The inverse of a nested covariance is gathered from the lowest groups up: of each group only 1'V⁻¹1, 1'V⁻¹y,
        y'V⁻¹y and log |V| are carried.
        """
        a, b = self.sizes[-1].copy(), self.sizes[-1] * (self.means[-1] - self.means[0][0])
        q = np.bincount(self.codes[-1], self.within**2) + b**2 / a
        log = 0.0
        for level in range(self.depth, 0, -1):
            if level < self.depth:
                parent = self.parents[level]
                a, b, q = (np.bincount(parent, one) for one in (a, b, q))
            if level > 1 or not fixed_top:
                grown = 1 + ratios[level - 1] * a
                log += float(np.log(grown).sum())
                q = q - ratios[level - 1] * b**2 / grown
                a, b = a / grown, b / grown
        if fixed_top:
            p, rest, log = a.size, float((q - b**2 / a).sum()), log + float(np.log(a).sum())
        else:
            p, rest, log = 1, float(q.sum() - b.sum() ** 2 / a.sum()), log + float(np.log(a.sum()))
        sigma = rest / (self.n - p)
        return (self.n - p) * float(np.log(sigma)) + log, sigma

    def reml(self, fixed_top: bool) -> tuple[Floats, float]:
        """Variances ≥ 0 of the levels (that of a fixed top is 0) and of the error."""
        start = np.sqrt(np.maximum(self.components()[0] / self.mse, 1e-4))
        free = np.arange(1 if fixed_top else 0, self.depth)

        def loss(roots: Floats) -> float:
            ratios = np.zeros(self.depth)
            ratios[free] = roots**2
            return self._profile(ratios, fixed_top)[0]

        best = start[free]
        for _ in range(4):
            best = optimize.minimize(
                loss, best, method="Nelder-Mead", options={"xatol": 1e-11, "fatol": 1e-14, "maxiter": 4000}
            ).x
        ratios = np.zeros(self.depth)
        ratios[free] = np.where(np.abs(best) < 1e-6, 0.0, best) ** 2
        sigma = self._profile(ratios, fixed_top)[1]
        return ratios * sigma, sigma
