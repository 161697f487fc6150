"""One table of counts: rows × columns of two variables, its tests, exact or drawn at random, its measures.

What crosstabs, the χ² tests, Fisher's test and the tests of strata share; each prints what its readers ask for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from hengxi.contract import Column, Level, Refusal, Report, StepRemedy
from hengxi.stats import contingency as tables
from hengxi.stats.exact_tables import Exact, fisher, monte_carlo
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats
from hengxi.stats.multiple import adjust
from hengxi.stats.names import level_words

MOST_CELLS = 1000
MOST_LEVELS = 100
SMALL, TINY, SHARE = 5.0, 1.0, 0.2
"""Cochran's rule: expected counts below 5 in at most a fifth of the cells, none below 1."""
FORTY = 40
EXACT_N, EXACT_SIZE = 200, 100_000
"""Up to this many cases, and fillings to list, an exact p is given even where nobody needs it."""
SEED = 20240101
MOST_LISTED = 10_000_000
"""Combinations of categories counted before those that do not occur are left out."""


@dataclass(kw_only=True)
class CountTable:
    """`table`: counts, no empty row or column. `with_exact` allows the exact p, `draws` and `seed` are of its Monte
    Carlo. A 2×2 table of fewer than 40 cases is read by the exact test (Chinese textbooks of medicine)."""

    table: Floats
    conf_level: float = 0.95
    with_exact: bool = True
    draws: int = 10_000
    seed: int = SEED

    @property
    def n(self) -> float:
        return float(self.table.sum())

    @property
    def is_two_by_two(self) -> bool:
        return self.table.shape == (2, 2)

    # ---- expected counts -------------------------------------------------------------------------------------------
    @cached_property
    def expected(self) -> Floats:
        return tables.expected(self.table)

    @property
    def least(self) -> float:
        return float(self.expected.min())

    @property
    def low(self) -> int:
        return int((self.expected < SMALL).sum())

    @property
    def low_share(self) -> float:
        return self.low / self.table.size

    @property
    def sparse(self) -> bool:
        return self.low_share > SHARE or self.least < TINY

    # ---- tests -----------------------------------------------------------------------------------------------------
    @cached_property
    def pearson(self) -> tables.ChiSquare:
        return tables.pearson(self.table)

    @cached_property
    def yates(self) -> tables.ChiSquare | None:
        return tables.yates(self.table) if self.is_two_by_two else None

    @cached_property
    def likelihood(self) -> tables.ChiSquare:
        return tables.likelihood_ratio(self.table)

    @property
    def wanted(self) -> str:
        """Which p ought to be read. It looks at the margins only, so it picks no test by its result."""
        if self.is_two_by_two:
            if self.n < FORTY:
                return "exact"
            if self.least >= SMALL:
                return "pearson"
            return "yates" if self.least >= TINY else "exact"
        return "exact" if self.sparse else "pearson"

    @cached_property
    def exact(self) -> Exact | None:
        if not self.with_exact:
            return None
        if not self.is_two_by_two and self.wanted != "exact":
            return fisher(self.table, EXACT_SIZE) if self.n <= EXACT_N else None
        return self.fisher

    @cached_property
    def fisher(self) -> Exact:
        """Fisher's p, Freeman-Halton beyond 2×2; where too many tables exist, drawn at random from the seed."""
        return fisher(self.table) or self.drawn

    @cached_property
    def drawn(self) -> Exact:
        # Each table starts from the seed, so that it gives the same number in whatever company it stands.
        return monte_carlo(self.table, self.draws, np.random.default_rng(self.seed))

    @property
    def read(self) -> str:
        return "pearson" if self.wanted == "exact" and self.exact is None else self.wanted

    @property
    def p(self) -> float:
        if self.read == "exact":
            assert self.exact is not None
            return self.exact.p
        return self.yates.p if self.read == "yates" and self.yates else self.pearson.p

    # ---- shares and residuals --------------------------------------------------------------------------------------
    @cached_property
    def residuals(self) -> Floats:
        return tables.adjusted_residuals(self.table)

    @cached_property
    def residual_p(self) -> Floats:
        """Two-sided p of each cell, not corrected for their number."""
        found: Floats = 2 * stats.norm.sf(np.abs(self.residuals))
        return found

    @cached_property
    def v(self) -> tables.Ratio:
        return tables.cramer_v(self.table, self.conf_level)

    @property
    def corrected_v(self) -> float:
        """Bias-corrected V (Bergsma 2013): 0 where χ² is below what chance gives."""
        r, c = self.table.shape
        excess = max(0.0, self.pearson.value / self.n - (r - 1) * (c - 1) / (self.n - 1))
        side = min(r - (r - 1) ** 2 / (self.n - 1), c - (c - 1) ** 2 / (self.n - 1)) - 1
        return float(np.sqrt(excess / side)) if side > 0 else 0.0

    @cached_property
    def row_shares(self) -> Floats:
        found: Floats = self.table / self.table.sum(axis=1, keepdims=True)
        return found

    @cached_property
    def column_shares(self) -> Floats:
        found: Floats = self.table / self.table.sum(axis=0, keepdims=True)
        return found

    @cached_property
    def whole_shares(self) -> Floats:
        found: Floats = self.table.sum(axis=0) / self.n
        return found


@dataclass(frozen=True, slots=True)
class Tabulated:
    """Counts of two variables where both are known, rows and columns that hold none left out."""

    table: Floats
    row_levels: list[Level]
    column_levels: list[Level]

    @property
    def rows(self) -> list[str]:
        return level_words(self.row_levels)

    @property
    def columns(self) -> list[str]:
        return level_words(self.column_levels)


def tabulate(
    x: Column, y: Column, counts: Floats | None = None, held: npt.NDArray[np.bool_] | None = None, field: str = "rows",
    also: tuple[str, ...] = ("columns",), names: tuple[str, str] | None = None,
) -> Tabulated | None:  # fmt: skip
    """`held`: a mask of rows. None where fewer than two categories of one of them are left; a table of more than
    `MOST_CELLS` cells is refused at the form's `field`."""
    inside = (x.codes >= 0) & (y.codes >= 0)
    if held is not None:
        inside &= held
    a, b = len(x.levels), len(y.levels)
    if a * b > MOST_LISTED:
        raise _too_large(x, y, a, b, field, also, names)
    places = x.codes[inside].astype(np.int64) * b + y.codes[inside]
    f = None if counts is None else counts[inside]
    table = np.bincount(places, weights=f, minlength=a * b).astype(float).reshape(a, b)
    rows, columns = np.flatnonzero(table.sum(axis=1) > 0), np.flatnonzero(table.sum(axis=0) > 0)
    if rows.size < 2 or columns.size < 2:
        return None
    if rows.size * columns.size > MOST_CELLS:
        raise _too_large(x, y, int(rows.size), int(columns.size), field, also, names)
    return Tabulated(table[np.ix_(rows, columns)], [x.levels[i] for i in rows], [y.levels[j] for j in columns])


def counted(report: Report, x: Column, y: Column, weight: Column | None) -> Tabulated:
    """Groups in rows, options in columns, of the boxes x and y; says which categories have nobody."""
    for column, field in ((y, "y"), (x, "x")):
        k = len(column.levels)
        if k < 2:
            text = "“{v}”只有一个类别，无法检验"
            raise Refusal("role.levels", text, field=field, column=column.id, v=column.title)
        if k > MOST_LEVELS:
            step, title = ("binning", "先分箱") if column.is_number else ("value_coding", "合并类别")
            raise Refusal(
                "role.levels", "“{v}”有 {k} 个取值，请先分箱或合并类别再做检验", field=field, column=column.id,
                v=column.title, k=k,
                remedies=[StepRemedy(title=title, step=f"data_processing/{step}", columns=[column.id])],
            )  # fmt: skip
    held = tabulate(x, y, frequencies(weight), field="y", also=("x",))
    if held is None:
        raise Refusal(
            "role.levels", "“{x}”与“{y}”都有值、频数不为0的行里只有一个类别，无法检验", field="y", also=["x"],
            column=y.id, x=x.title, y=y.title,
        )  # fmt: skip
    for column, levels in ((x, held.row_levels), (y, held.column_levels)):
        gone = [one.label for one in column.all_levels if all(one.value != kept.value for kept in levels)]
        if gone:
            names = "".join(f"“{name}”" for name in gone[:6])
            report.warn(
                "data.empty_level", "“{v}”的类别{names}没有样本，已从检验中剔除。", v=column.title, names=names,
                columns=[column],
            )  # fmt: skip
    return held


def _too_large(
    x: Column, y: Column, r: int, c: int, field: str, also: tuple[str, ...], names: tuple[str, str] | None
) -> Refusal:
    first, second = names or (x.title, y.title)
    return Refusal(
        "data.cells", "“{x}”与“{y}”的列联表有 {r}×{c} 个单元格，请合并类别",
        field=field, also=list(also), column=x.id, x=first, y=second, r=r, c=c,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PairOfRows:
    """Two rows of a table against each other: χ² of the columns that occur in them, p as it is and corrected."""

    first: int
    second: int
    test: tables.ChiSquare | None
    """None where the exact test was read."""
    p: float
    corrected: float


def pairs_of_rows(table: Floats, how: str) -> list[PairOfRows]:
    """Every pair of rows by the test its own expected counts ask for; p corrected over all pairs by `how`."""
    found: list[tuple[int, int, Any, float]] = []
    for i in range(table.shape[0]):
        for j in range(i + 1, table.shape[0]):
            part = table[[i, j]]
            held = part[:, part.sum(axis=0) > 0]
            if held.shape[1] < 2:
                continue
            own = CountTable(table=held)
            test = {"yates": own.yates, "pearson": own.pearson}.get(own.read)
            found.append((i, j, test, own.p))
    corrected = adjust([p for *_, p in found], how)
    return [PairOfRows(i, j, test, p, q) for (i, j, test, p), q in zip(found, corrected, strict=True)]


HAPPENED = frozenset(["1", "1.0", "是", "有", "阳性", "yes", "Yes", "YES", "true", "True"])
"""Of two levels the one a reader asks for: the share that is 1, not the share that is 0."""


def happened(levels: list[Level]) -> int:
    """The place of the level told of: 是, 1, 阳性, else the first."""
    words = [{str(level.label), str(level.value)} for level in levels]
    return next((j for j, names in enumerate(words) if names & HAPPENED), 0)


def exact_name(one: CountTable, exact: Exact) -> str:
    """The exact test as the table calls it."""
    if exact.draws is not None:
        return f"Fisher（蒙特卡洛 {exact.draws:,} 次）"
    return "Fisher 精确" if one.is_two_by_two else "Fisher-Freeman-Halton 精确"
