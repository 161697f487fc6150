"""Designs of factors and covariates: one linear model for analyses of variance and covariance, of one or more outcomes.

Cases are gathered by cell (combination of levels) first: of a cell its size, means and scatter tell everything a
linear model can know, so that a million rows cost one pass. Factors are coded to sum to zero, which type III needs;
with covariates counted from their means, a marginal mean is then a sum of coefficients. Sums of squares are squared
lengths of projections (QR), never differences of large sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special, stats

from hengxi.stats.effect_size import noncentral_f_interval
from hengxi.stats.moments import Floats

Term = tuple[int, ...]
"""Members in order: factors count from 0, covariates follow them."""
Codes = NDArray[np.integer]
MOST_PARAMETERS = 1000
ROUNDING = 1e-14
"""Eigenvalues of correlations below this are 0."""
TINY = 1e-12
"""A column is a sum of those before it where so little of it is left."""


class Confounded(Exception):  # noqa: N818  (a finding about the data)
    """A term whose columns are sums of those of the terms before it."""

    def __init__(self, term: Term) -> None:
        super().__init__(f"not estimable: {term}")
        self.term = term


@dataclass(frozen=True, slots=True)
class Scale:
    """x = centre + 2^up · standard; the centre is `anchor + offset`, so that 10^12 + 0.1 keeps its digits."""

    anchor: float
    offset: float
    up: int

    def back(self, value: float, power: int = 1) -> float | None:
        """A difference (or its square) in the data's unit; None where it leaves the range of a double."""
        with np.errstate(over="ignore", under="ignore"):
            found = float(np.ldexp(value, power * self.up))
        return found if np.isfinite(found) and (found != 0 or value == 0) else None

    def value(self, standard: float) -> float:
        """A value of the data's own."""
        with np.errstate(over="ignore", under="ignore"):
            return self.anchor + (self.offset + float(np.ldexp(standard, self.up)))


@dataclass(frozen=True)
class Groups:
    """Cells put together: levels, sizes, means and sums of squares about them (groups × outcomes)."""

    levels: Codes
    of_cell: Codes
    n: Floats
    means: Floats
    within: Floats


@dataclass(frozen=True)
class Cells:
    """Cases gathered by cell. `moments` has for each cell one row of its means and rows that hold its scatter."""

    sizes: tuple[int, ...]
    """Levels of each factor."""
    levels: Codes
    """Cells × factors."""
    n: Floats
    of_row: Codes
    counts: Floats | None
    z: Floats
    """Rows × covariates, standard."""
    y: Floats
    """Rows × outcomes, standard."""
    z_scales: tuple[Scale, ...]
    y_scales: tuple[Scale, ...]
    moments: Floats
    """(cells · (1 + q + r)) × (1 + q + r): the constant, covariates, outcomes."""
    moment_cell: Codes

    @property
    def total(self) -> float:
        return float(self.n.sum())

    @property
    def q(self) -> int:
        return int(self.z.shape[1])

    @property
    def r(self) -> int:
        return int(self.y.shape[1])

    def empty(self, members: Sequence[int]) -> list[tuple[int, ...]]:
        """Combinations of levels of these factors that have no case."""
        held = {tuple(int(code) for code in row) for row in self.levels[:, list(members)]}
        return [cell for cell in product(*(range(self.sizes[m]) for m in members)) if cell not in held]

    def sums(self, values: Floats) -> Floats:
        """Of a value of each row, its sum in each cell."""
        weights = values if self.counts is None else values * self.counts
        return np.bincount(self.of_row, weights=weights, minlength=self.n.size).astype(np.float64)

    @cached_property
    def means(self) -> Floats:
        """Cells × outcomes, standard."""
        return np.column_stack([self.sums(self.y[:, j]) / self.n for j in range(self.r)])

    @cached_property
    def within(self) -> Floats:
        """Cells × outcomes: sums of squares about the cell's own mean, standard."""
        apart = self.y - self.means[self.of_row]
        return np.column_stack([self.sums(apart[:, j] ** 2) for j in range(self.r)])

    def joined(self, members: Sequence[int]) -> Groups:
        """Cells that have the same levels of these factors, put together."""
        levels, of_cell = np.unique(self.levels[:, list(members)], axis=0, return_inverse=True)
        of_cell = of_cell.reshape(-1)
        n: Floats = np.bincount(of_cell, weights=self.n).astype(np.float64)
        means = np.column_stack([np.bincount(of_cell, weights=self.n * m) / n for m in self.means.T])
        apart = self.n[:, None] * (self.means - means[of_cell]) ** 2
        within = np.column_stack([np.bincount(of_cell, weights=v).astype(np.float64) for v in (self.within + apart).T])
        return Groups(levels, of_cell, n, means, within)

    def sd(self, groups: Groups, group: int, outcome: int = 0) -> float | None:
        """In the data's unit; None of a single case."""
        n = float(groups.n[group])
        if n < 2:
            return None
        return self.y_scales[outcome].back(float(np.sqrt(groups.within[group, outcome] / (n - 1))))


def standard(values: Floats, counts: Floats | None) -> tuple[Floats, Scale] | None:
    """Counted from the mean, scaled by a power of two; None where differences leave the range of a double."""
    total = float(values.size if counts is None else counts.sum())
    anchor = float(values[0])
    with np.errstate(over="ignore", invalid="ignore"):
        apart = values - anchor
        most = float(np.abs(apart).max())
        if not np.isfinite(most):
            return None
        up = int(np.frexp(most)[1]) if most > 0 else 0
        apart = np.ldexp(apart, -up)
    mean = float(apart.sum() if counts is None else np.dot(counts, apart)) / total
    apart -= mean
    return apart, Scale(anchor, float(np.ldexp(mean, up)), up)


def gather(
    codes: Sequence[Codes],
    sizes: Sequence[int],
    covariates: Sequence[Floats],
    outcomes: Sequence[Floats],
    counts: Floats | None = None,
) -> Cells | int:
    """The cells of complete rows (frequencies above 0); where values are too large: which of covariates + outcomes."""
    made = [standard(values, counts) for values in (*covariates, *outcomes)]
    for j, one in enumerate(made):
        if one is None:
            return j
    known = [one for one in made if one is not None]
    rows, q = known[0][0].size, len(covariates)
    values = np.column_stack([one[0] for one in known])
    whole = np.zeros(rows, dtype=np.int64)
    for code, size in zip(codes, sizes, strict=True):
        whole = whole * size + code
    kept, of_row = np.unique(whole, return_inverse=True)
    levels = np.column_stack(np.unravel_index(kept, tuple(sizes))) if sizes else np.zeros((1, 0), dtype=np.int64)
    n = np.bincount(of_row, weights=counts, minlength=kept.size).astype(float)
    weight = np.ones(rows) if counts is None else counts
    means = np.column_stack([np.bincount(of_row, weights=weight * v, minlength=kept.size) / n for v in values.T])
    apart = values - means[of_row]
    width = values.shape[1]
    scatter = np.empty((kept.size, width, width))
    for i in range(width):
        for j in range(i, width):
            made_ij = np.bincount(of_row, weights=weight * apart[:, i] * apart[:, j], minlength=kept.size)
            scatter[:, i, j] = scatter[:, j, i] = made_ij
    sizes_within = np.sqrt(np.diagonal(scatter, axis1=1, axis2=2))
    unit = np.where(sizes_within > 0, sizes_within, 1.0)
    roots, axes = np.linalg.eigh(scatter / unit[:, :, None] / unit[:, None, :])
    # What rounding left of 0 would stand as its square root.
    roots = np.where(roots > ROUNDING * width, roots, 0.0)
    inner = np.sqrt(roots)[:, :, None] * axes.transpose(0, 2, 1) * unit[:, None, :]
    moments = np.zeros((kept.size, 1 + width, 1 + width))
    moments[:, 0, 0] = np.sqrt(n)
    moments[:, 0, 1:] = np.sqrt(n)[:, None] * means
    moments[:, 1:, 1:] = inner
    scales = [one[1] for one in known]
    return Cells(
        tuple(sizes), levels, n, of_row, counts, values[:, :q], values[:, q:], tuple(scales[:q]), tuple(scales[q:]),
        moments.reshape(-1, 1 + width), np.repeat(np.arange(kept.size), 1 + width),
    )  # fmt: skip


def coding(size: int) -> Floats:
    """Levels × (levels − 1), each column summing to zero."""
    return np.vstack((np.eye(size - 1), -np.ones(size - 1)))


@dataclass(frozen=True, slots=True)
class Tested:
    """Sums of squares are on the standard scale of the outcome."""

    ss: float
    df: float
    df_error: float
    F: float
    p: float
    eta: float
    eta_low: float
    eta_high: float
    omega: float

    @property
    def ms(self) -> float:
        return self.ss / self.df


@dataclass(frozen=True, slots=True)
class Estimate:
    """A sum of coefficients, standard."""

    value: float
    se: float


class LinearModel:
    """Least squares of all outcomes on a constant and the terms. Raises `Confounded`."""

    def __init__(self, cells: Cells, terms: Sequence[Term]) -> None:
        self.cells, self.terms = cells, list(terms)
        widths = [1, *(self._width(term) for term in self.terms)]
        ends = np.cumsum(widths)
        self.columns = [list(range(int(end - width), int(end))) for end, width in zip(ends, widths, strict=True)][1:]
        self.p = int(ends[-1])
        self.x = self._design(cells.moments[:, : 1 + cells.q], cells.moment_cell)
        self.outcomes = cells.moments[:, 1 + cells.q :]
        self.df = cells.total - self.p
        both = np.asarray(np.linalg.qr(np.column_stack((self.x, self.outcomes)), mode="r"))
        self.root, self.turned = both[: self.p, : self.p], both[: self.p, self.p :]
        self._refuse_confounded()
        left = both[self.p :, self.p :]
        self.error = left.T @ left
        self.beta = np.asarray(linalg.solve_triangular(self.root, self.turned))
        inverse = np.asarray(linalg.solve_triangular(self.root, np.eye(self.p)))
        self.unscaled = inverse @ inverse.T

    def _width(self, term: Term) -> int:
        return int(np.prod([self.cells.sizes[m] - 1 for m in term if m < len(self.cells.sizes)], dtype=np.int64))

    def _design(self, base: Floats, cell: Codes) -> Floats:
        """Columns for rows whose constant and covariates are `base` and whose cells are `cell`."""
        parts = [base[:, :1]]
        for term in self.terms:
            parts.append(self._codes(term, self.cells.levels)[cell] * self._multiplier(term, base))
        return np.column_stack(parts)

    def _multiplier(self, term: Term, base: Floats) -> Floats:
        covariates = [m - len(self.cells.sizes) for m in term if m >= len(self.cells.sizes)]
        # At most one covariate a term: products of two are no linear function of the scatter.
        return base[:, 1 + covariates[0], None] if covariates else base[:, :1]

    def _codes(self, term: Term, levels: Codes) -> Floats:
        found = np.ones((levels.shape[0], 1))
        for m in term:
            if m < len(self.cells.sizes):
                part = coding(self.cells.sizes[m])[levels[:, m]]
                found = (found[:, :, None] * part[:, None, :]).reshape(levels.shape[0], -1)
        return found

    def _refuse_confounded(self) -> None:
        rows = min(self.root.shape)
        size = np.sqrt((self.x**2).sum(axis=0))
        left = np.zeros(self.p)
        left[:rows] = np.abs(np.diag(self.root))
        for term, columns in zip(self.terms, self.columns, strict=True):
            if (left[columns] <= TINY * np.maximum(size[columns], 1e-300) * 100).any():
                raise Confounded(term)

    # ---- sums of squares -------------------------------------------------------------------------------------------
    def mse(self, outcome: int = 0) -> float:
        return float(self.error[outcome, outcome]) / self.df

    @cached_property
    def whole(self) -> Floats:
        """Cross-products of the outcomes about their means."""
        y = self.outcomes
        first = self.cells.moments[:, 0]
        means = first @ y / self.cells.total
        return np.asarray(y.T @ y - self.cells.total * np.outer(means, means))

    def added(self, base: Sequence[int], extra: Sequence[int], of: Floats | None = None) -> Floats:
        """What the columns `extra` explain beyond `base` (the constant among them): cross-products of the outcomes, or
        `of` other columns."""
        table = np.column_stack((self.x[:, [*base, *extra]], self.outcomes if of is None else of))
        triangle = np.asarray(np.linalg.qr(table, mode="r"))
        part = triangle[len(base) : len(base) + len(extra), len(base) + len(extra) :]
        return np.asarray(part.T @ part)

    def squares(self, kind: str) -> list[Floats]:
        """Of each term: I in order, II beside all terms that do not contain it, III beside all others."""
        found = []
        for i, term in enumerate(self.terms):
            if kind == "I":
                others = list(range(i))
            elif kind == "II":
                others = [j for j, other in enumerate(self.terms) if j != i and not set(term) < set(other)]
            else:
                others = [j for j in range(len(self.terms)) if j != i]
            base = [0, *(c for j in others for c in self.columns[j])]
            found.append(self.added(base, self.columns[i]))
        return found

    def weight_of(self, term: int) -> float:
        """k of the expected mean square σ² + k σ²(term) of a factor whose effects are random, beside all other terms
        (Henderson's third method)."""
        (member,) = self.terms[term]
        first = self.cells.moments[:, 0]
        level = self.cells.levels[self.cells.moment_cell, member]
        ones = first[:, None] * (level[:, None] == np.arange(self.cells.sizes[member]))
        base = [0, *(c for j, columns in enumerate(self.columns) if j != term for c in columns)]
        return float(np.trace(self.added(base, self.columns[term], ones))) / len(self.columns[term])

    def tests(self, kind: str, level: float, outcome: int = 0) -> list[Tested]:
        squares = self.squares(kind)
        return [
            self.tested(float(ss[outcome, outcome]), len(columns), level, outcome)
            for ss, columns in zip(squares, self.columns, strict=True)
        ]

    def tested(self, ss: float, df: float, level: float, outcome: int = 0) -> Tested:
        return tested(ss, df, float(self.error[outcome, outcome]), self.df, self.cells.total, level)

    def model_test(self, level: float, outcome: int = 0) -> Tested:
        """All terms together."""
        ss = max(0.0, float(self.whole[outcome, outcome] - self.error[outcome, outcome]))
        return self.tested(ss, self.p - 1, level, outcome)

    def r2(self, outcome: int = 0) -> tuple[float, float]:
        """R² and adjusted R²."""
        rest = float(self.error[outcome, outcome] / self.whole[outcome, outcome])
        return 1 - rest, 1 - rest * (self.cells.total - 1) / self.df

    # ---- means -----------------------------------------------------------------------------------------------------
    def margin(self, members: Sequence[int]) -> tuple[list[tuple[int, ...]], Floats]:
        """Combinations of the members' levels, and the coefficients of their marginal means: other factors with equal
        weights (their codes sum to zero), covariates at their means."""
        combos = list(product(*(range(self.cells.sizes[m]) for m in members)))
        levels = np.zeros((len(combos), len(self.cells.sizes)), dtype=np.int64)
        levels[:, list(members)] = combos
        found = np.zeros((len(combos), self.p))
        found[:, 0] = 1
        for term, columns in zip(self.terms, self.columns, strict=True):
            if set(term) <= set(members):
                found[:, columns] = self._codes(term, levels)
        return combos, found

    def covariance(self, weights: Floats, outcome: int = 0, robust: Floats | None = None) -> Floats:
        inner = self.unscaled * self.mse(outcome) if robust is None else robust
        return np.asarray(weights @ inner @ weights.T)

    def estimates(self, weights: Floats, outcome: int = 0, robust: Floats | None = None) -> list[Estimate]:
        values = weights @ self.beta[:, outcome]
        spread = np.sqrt(np.maximum(np.diag(self.covariance(weights, outcome, robust)), 0))
        return [Estimate(float(v), float(s)) for v, s in zip(values, spread, strict=True)]

    def wald(self, weights: Floats, level: float, outcome: int = 0) -> Tested:
        """The sum of squares of the hypothesis weights · β = 0."""
        values = weights @ self.beta[:, outcome]
        ss = float(values @ np.linalg.solve(weights @ self.unscaled @ weights.T, values))
        return self.tested(ss, weights.shape[0], level, outcome)

    # ---- rows ------------------------------------------------------------------------------------------------------
    def _of_rows(self, coefficients: Floats) -> Floats:
        """x · coefficients for every row, without its columns ever standing in memory."""
        cells = self.cells
        ones = np.zeros((cells.n.size, 1 + cells.q))
        ones[:, 0] = 1
        places = np.arange(cells.n.size)
        found: Floats = (self._design(ones, places) @ coefficients)[cells.of_row]
        for j in range(cells.q):
            slope = np.zeros((cells.n.size, 1 + cells.q))
            slope[:, 1 + j] = 1
            found = found + (self._design(slope, places) @ coefficients)[cells.of_row] * cells.z[:, j]
        return found

    def residuals(self, outcome: int = 0) -> Floats:
        """Of each row, standard scale."""
        return np.asarray(self.cells.y[:, outcome] - self._of_rows(self.beta[:, outcome]))

    def fitted(self, outcome: int = 0) -> Floats:
        return self._of_rows(self.beta[:, outcome])

    def hc3(self, outcome: int = 0) -> Floats | None:
        """Covariance of the coefficients without equal variances (MacKinnon & White 1985); None where a case alone
        decides its own fitted value."""
        cells, half = self.cells, np.asarray(linalg.solve_triangular(self.root, np.eye(self.p)))
        leverage = np.zeros(cells.of_row.size)
        for j in range(self.p):
            leverage += self._of_rows(half[:, j]) ** 2
        if float(leverage.max()) > 1 - 1e-10:
            return None
        pull = (self.residuals(outcome) / (1 - leverage)) ** 2
        z = np.column_stack((np.ones(cells.of_row.size), cells.z))
        meat = np.zeros((self.p, self.p))
        bases = []
        for a in range(1 + cells.q):
            base = np.zeros((cells.n.size, 1 + cells.q))
            base[:, a] = 1
            bases.append(self._design(base, np.arange(cells.n.size)))
        for a in range(1 + cells.q):
            for b in range(1 + cells.q):
                weight = cells.sums(pull * z[:, a] * z[:, b])
                meat += bases[a].T @ (weight[:, None] * bases[b])
        return np.asarray(self.unscaled @ meat @ self.unscaled)

    def robust_test(self, term: int, robust: Floats) -> tuple[float, float]:
        """F and p of a term under another covariance of the coefficients (with type III coding)."""
        columns = self.columns[term]
        b = self.beta[columns, 0]
        value = float(b @ np.linalg.solve(robust[np.ix_(columns, columns)], b)) / len(columns)
        return value, float(special.fdtrc(len(columns), self.df, value))


def tested(ss: float, df: float, error: float, df_error: float, total: float, level: float) -> Tested:
    """F of a sum of squares against an error, with partial η² (bounds λ/(λ + df2) of the noncentral F, as effectsize's
    F_to_eta2) and partial ω² (Olejnik & Algina 2003)."""
    mse = error / df_error
    value = ss / df / mse
    low, high = noncentral_f_interval(value, df, df_error, level)
    omega = max(0.0, (ss - df * mse) / (ss + (total - df) * mse))
    return Tested(
        ss, df, df_error, value, float(stats.f.sf(value, df, df_error)), ss / (ss + error), low / (low + df_error),
        high / (high + df_error), omega,
    )  # fmt: skip


def levene(cells: Cells, groups: Groups, residuals: Floats) -> Tested | None:
    """Levene's test of residuals over groups of cells, distances from the group's mean; None where they do not vary."""
    of_row = groups.of_cell[cells.of_row]

    def averages(values: Floats) -> Floats:
        sums: Floats = np.bincount(groups.of_cell, weights=cells.sums(values)) / groups.n
        return sums

    apart = np.abs(residuals - averages(residuals)[of_row])
    means = averages(apart)
    total, k = cells.total, groups.n.size
    within = float(cells.sums((apart - means[of_row]) ** 2).sum())
    grand = float(np.dot(groups.n, means)) / total
    between = float(np.dot(groups.n, (means - grand) ** 2))
    if k < 2 or total <= k or within <= 1e-24 * (between + within + total * grand**2):
        return None
    return tested(between, k - 1.0, within, total - k, total, 0.95)
