"""Measures of association in a table of counts: nominal, ordinal, agreement, each with its asymptotic standard error.

Standard errors are the delta method for multinomial counts: √(Σ n g² − (Σ n g)²/n), g the derivative by each count
(Goodman & Kruskal 1972; Brown & Benedetti 1977). The T of a test divides by the standard error under independence.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from hengxi.stats.moments import Floats


@dataclass(frozen=True, slots=True)
class Measure:
    value: float
    ase: float | None
    t: float | None
    p: float | None

    def interval(self, level: float, least: float = -1.0) -> tuple[float | None, float | None]:
        if self.ase is None:
            return None, None
        half = float(stats.norm.isf((1 - level) / 2)) * self.ase
        return max(least, self.value - half), min(1.0, self.value + half)


def _ase(table: Floats, gradient: Floats) -> float:
    mean = float(np.sum(table * gradient))
    return float(np.sqrt(max(0.0, float(np.sum(table * gradient**2)) - mean**2 / float(table.sum()))))


def _measured(table: Floats, value: float, gradient: Floats, null: float | None) -> Measure:
    ase = _ase(table, gradient)
    if null is None or null <= 1e-14:
        return Measure(value, ase, None, None)
    t = value / null
    return Measure(value, ase, t, float(min(1.0, 2 * stats.norm.sf(abs(t)))))


# ---- ordered categories --------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Pairs:
    """Concordant and discordant pairs; each pair is counted twice."""

    table: Floats
    with_: Floats
    against: Floats

    @classmethod
    def of(cls, table: Floats) -> Pairs:
        whole = np.zeros((table.shape[0] + 1, table.shape[1] + 1))
        whole[1:, 1:] = table.cumsum(axis=0).cumsum(axis=1)
        rows, columns = np.indices(table.shape)
        total = whole[-1, -1]
        before = whole[rows, columns]
        after = total - whole[rows + 1, -1] - whole[-1, columns + 1] + whole[rows + 1, columns + 1]
        upper = whole[rows, -1] - whole[rows, columns + 1]
        lower = whole[-1, columns] - whole[rows + 1, columns]
        return cls(table, before + after, upper + lower)

    @property
    def p(self) -> float:
        return float(np.sum(self.table * self.with_))

    @property
    def q(self) -> float:
        return float(np.sum(self.table * self.against))

    @property
    def difference(self) -> float:
        return float(np.sum(self.table * (self.with_ - self.against)))

    @property
    def n(self) -> float:
        return float(self.table.sum())

    @property
    def row_ties(self) -> float:
        return self.n**2 - float(np.sum(self.table.sum(axis=1) ** 2))

    @property
    def column_ties(self) -> float:
        return self.n**2 - float(np.sum(self.table.sum(axis=0) ** 2))

    @property
    def null(self) -> float:
        """√(Σ n (C − D)² − (P − Q)²/n): the spread of P − Q under independence is twice this."""
        spread = float(np.sum(self.table * (self.with_ - self.against) ** 2)) - self.difference**2 / self.n
        return float(np.sqrt(max(0.0, spread)))

    def over(self, size: float, gradient: Floats) -> Measure:
        """(P − Q)/size, `gradient` being the derivative of the size by each count."""
        slope = 2 * (self.with_ - self.against) / size - self.difference * gradient / size**2
        return _measured(self.table, self.difference / size, slope, 2 * self.null / size)


def gamma(pairs: Pairs) -> Measure | None:
    size = pairs.p + pairs.q
    return None if size == 0 else pairs.over(size, 2 * (pairs.with_ + pairs.against))


def _tie_gradients(pairs: Pairs) -> tuple[Floats, Floats]:
    n = pairs.n
    rows = 2 * (n - pairs.table.sum(axis=1))[:, None] * np.ones(pairs.table.shape)
    columns = 2 * (n - pairs.table.sum(axis=0))[None, :] * np.ones(pairs.table.shape)
    return rows, columns


def tau_b(pairs: Pairs) -> Measure:
    rows, columns = _tie_gradients(pairs)
    size = float(np.sqrt(pairs.row_ties) * np.sqrt(pairs.column_ties))
    return pairs.over(size, size / 2 * (rows / pairs.row_ties + columns / pairs.column_ties))


def tau_c(pairs: Pairs) -> Measure:
    k = min(pairs.table.shape)
    size = pairs.n**2 * (k - 1) / k
    return pairs.over(size, np.full(pairs.table.shape, 2 * pairs.n * (k - 1) / k))


def somers_d(pairs: Pairs) -> dict[str, Measure]:
    """By which variable depends: both alike, the rows, the columns."""
    rows, columns = _tie_gradients(pairs)
    return {
        "both": pairs.over((pairs.row_ties + pairs.column_ties) / 2, (rows + columns) / 2),
        "rows": pairs.over(pairs.column_ties, columns),
        "columns": pairs.over(pairs.row_ties, rows),
    }


# ---- unordered categories ------------------------------------------------------------------------------------------
def lambdas(table: Floats) -> dict[str, Measure | None]:
    """Goodman and Kruskal's λ: by which share the errors of guessing fall."""
    columns, rows = _lambda_parts(table), tuple(part.T for part in _lambda_parts(table.T))
    n = float(table.sum())
    measures: dict[str, Measure | None] = {}
    for key, (inside, outside), whole in (
        ("both", (columns[0] + rows[0], columns[1] + rows[1]), 2 * n),
        ("rows", (rows[0], rows[1]), n),
        ("columns", (columns[0], columns[1]), n),
    ):
        gain, known = float(np.sum(table * (inside - outside))), float(np.sum(table * outside))
        size = whole - known
        if size <= 0:
            measures[key] = None
            continue
        slope = (inside - outside) / size - gain * (whole / n - outside) / size**2
        spread = float(np.sum(table * (inside - outside) ** 2)) - gain**2 / n
        measures[key] = _measured(table, gain / size, slope, float(np.sqrt(max(0.0, spread))) / size)
    return measures


def _lambda_parts(table: Floats) -> tuple[Floats, Floats]:
    """1 in the largest cell of each row; 1 in the largest column: what is guessed with and without the row known."""
    inside = np.zeros(table.shape)
    inside[np.arange(table.shape[0]), table.argmax(axis=1)] = 1
    outside = np.zeros(table.shape)
    outside[:, int(table.sum(axis=0).argmax())] = 1
    return inside, outside


def settled(value: float) -> float:
    """What rounding left of nothing is nothing; a share cannot be below 0."""
    return 0.0 if value < 1e-15 else value


def goodman_kruskal_tau(table: Floats) -> dict[str, Measure | None]:
    """p by the χ² approximation (n − 1)(k − 1)τ of Light & Margolin (1971)."""
    return {"rows": _gk_tau(table.T, True), "columns": _gk_tau(table, False)}


def _gk_tau(table: Floats, turned: bool) -> Measure | None:
    """The columns depend on the rows."""
    n = float(table.sum())
    r, c = table.sum(axis=1), table.sum(axis=0)
    explained = float(np.sum(table**2 / r[:, None]))
    squares = float(np.sum(c**2))
    size = n**2 - squares
    if size <= 0:
        return None
    value = settled((n * explained - squares) / size)
    by_cell = 2 * table / r[:, None] - (np.sum(table**2, axis=1) / r**2)[:, None]
    slope = (explained + n * by_cell - 2 * c[None, :]) / size - value * (2 * n - 2 * c[None, :]) / size
    df = (table.shape[0] - 1) * (table.shape[1] - 1)
    p = float(stats.chi2.sf((n - 1) * (table.shape[1] - 1) * value, df))
    return Measure(value, _ase(table, slope) if value else 0.0, None, p)


def uncertainty(table: Floats, likelihood_p: float) -> dict[str, Measure | None]:
    """Theil's U: the share of entropy that knowing the other variable takes away; p of the likelihood ratio."""
    n = float(table.sum())
    r, c = table.sum(axis=1) / n, table.sum(axis=0) / n
    share = table / n
    row, column, joint = (float(-np.sum(special.xlogy(v, v))) for v in (r, c, share))
    # Not row + column − joint: where the variables have nearly nothing in common, that is lost in rounding.
    gain = settled(float(np.sum(special.xlogy(share, share / np.outer(r, c)))))
    with np.errstate(divide="ignore"):
        logs = [-np.log(v) for v in (r, c)] + [np.where(share > 0, -np.log(np.where(share > 0, share, 1)), 0.0)]
    by_row = (logs[0] - row)[:, None] / n * np.ones(table.shape)
    by_column = (logs[1] - column)[None, :] / n * np.ones(table.shape)
    by_gain = by_row + by_column - (logs[2] - joint) / n
    measures: dict[str, Measure | None] = {}
    for key, size, by_size in (
        ("both", (row + column) / 2, (by_row + by_column) / 2),
        ("rows", row, by_row),
        ("columns", column, by_column),
    ):
        value = gain / size
        ase = _ase(table, by_gain / size - value * by_size / size) if value else 0.0
        measures[key] = Measure(value, ase, None, likelihood_p)
    return measures


def eta(table: Floats, scores: Floats) -> float | None:
    """Correlation ratio of the columns' scores on the rows: √(between / total)."""
    n = float(table.sum())
    mean = float(table.sum(axis=0) @ scores) / n
    total = float(table.sum(axis=0) @ (scores - mean) ** 2)
    if total <= 0:
        return None
    r = table.sum(axis=1)
    return float(np.sqrt(min(1.0, float(np.sum(r * (table @ (scores - mean) / r) ** 2)) / total)))


def kappa(table: Floats) -> Measure | None:
    """Cohen's κ of a square table whose categories are the same."""
    n = float(table.sum())
    r, c = table.sum(axis=1) / n, table.sum(axis=0) / n
    agree, chance = float(np.trace(table)) / n, float(r @ c)
    if chance >= 1:
        return None
    value = (agree - chance) / (1 - chance)
    by_agree = (np.eye(table.shape[0]) - agree) / n
    by_chance = (r[None, :] + c[:, None] - 2 * chance) / n
    slope = by_agree / (1 - chance) - (1 - agree) / (1 - chance) ** 2 * by_chance
    spread = chance + chance**2 - float(np.sum(r * c * (r + c)))
    null = float(np.sqrt(max(0.0, spread))) / ((1 - chance) * float(np.sqrt(n)))
    return _measured(table, value, slope, null)
