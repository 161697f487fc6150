"""Which variables are correlated with which, in which rows; what is refused and what is only said."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from hengxi.contract import Column, MethodRemedy, Refusal, Report, SetRemedy
from hengxi.stats import few_values, multiple
from hengxi.stats.correlation import Association, associate, matrix, ranks, settled, size
from hengxi.stats.few_values import FewValues
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats, Moments, moments
from hengxi.stats.names import level_words, titles

WORDS = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall τ-b"}
MOST_CROSSED = 100
"""A cross table takes a variable of up to so many categories."""
SYMBOLS = {"pearson": "*r*", "spearman": "*ρ*", "kendall": "*τ*"}


@dataclass(frozen=True)
class Pair:
    a: int
    b: int
    n: int
    found: Association | None
    p: float | None
    """Adjusted where an adjustment was chosen."""


@dataclass(frozen=True)
class Block:
    """One group (or everything): the values of each variable in its rows, NaN where missing."""

    at: str | None
    columns: list[Column]
    names: list[str]
    values: list[Floats]
    counts: Floats | None
    pairs: list[Pair]
    kept: dict[tuple[str, int | str], Any] = field(default_factory=dict)
    """What was computed once for a column."""
    tables: dict[tuple[int, ...], tuple[list[Floats], Floats]] = field(default_factory=dict)
    """Samples of columns of few values: small tables of counts."""

    def sample(self, *which: int) -> tuple[list[Floats], Floats | None]:
        """The cases in which all of these have a value: their rows, or their distinct values with counts."""
        few = [column for i in dict.fromkeys(which) if (column := self._few(i)) is not None]
        if len(few) != len(set(which)) or len(few) > 2:
            return self.rows(*which)
        if which not in self.tables:
            values, counts = few_values.sample(few, self.counts)
            self.tables[which] = (values if len(values) == len(which) else values * len(which), counts)
        return self.tables[which]

    def size(self, i: int) -> int:
        """Cases that have a value of column i."""
        if ("size", i) not in self.kept:
            (x,), f = self.sample(i)
            self.kept["size", i] = size(x, f)
        return int(self.kept["size", i])

    def _few(self, i: int) -> FewValues | None:
        if ("few", i) not in self.kept:
            self.kept["few", i] = few_values.few_values(self.values[i])
        found: FewValues | None = self.kept["few", i]
        return found

    def rows(self, *which: int) -> tuple[list[Floats], Floats | None]:
        """The rows where all of these have a value."""
        if all(self.is_whole(i) for i in which):
            return [self.values[i] for i in which], self.counts
        kept = ~np.any([np.isnan(self.values[i]) for i in which], axis=0)
        if self.counts is not None:
            kept &= self.counts > 0
        if kept.all():
            return [self.values[i] for i in which], self.counts
        return [self.values[i][kept] for i in which], None if self.counts is None else self.counts[kept]

    def is_whole(self, i: int) -> bool:
        """Has every case a value here? Then all pairs of such columns use the same cases."""
        if ("whole", i) not in self.kept:
            idle = self.counts is not None and not (self.counts > 0).all()
            self.kept["whole", i] = not idle and not np.isnan(self.values[i]).any()
        return bool(self.kept["whole", i])

    def moments(self, i: int) -> Moments:
        if ("moments", i) not in self.kept:
            (x,), f = self.sample(i)
            self.kept["moments", i] = moments(x, f)
        found: Moments = self.kept["moments", i]
        return found

    def varies(self, i: int, x: Floats) -> bool:
        """`x`: the values of column i in some rows."""
        if self.is_whole(i):
            return self.moments(i).least < self.moments(i).most
        return bool(x.min() < x.max())

    def coefficient(self, method: str, i: int, j: int) -> float | None:
        """Pearson or Spearman from what each whole column needs only once; None where the pair has its own cases."""
        if method == "kendall" or not (self.is_whole(i) and self.is_whole(j)):
            return None
        if ("matrix", method) not in self.kept:
            self.kept["matrix", method] = self._matrix(method)
        places, found = self.kept["matrix", method]
        return settled(float(found[places[i], places[j]]))

    def _matrix(self, method: str) -> tuple[dict[int, int], Floats]:
        """All whole columns with each other: the place of each in the matrix, and the matrix."""
        whole = [k for k in range(len(self.columns)) if self.is_whole(k) and self.varies(k, self.values[k])]
        values, known = [self.values[k] for k in whole], [self.moments(k) for k in whole]
        if method == "spearman":
            values = [ranks(x, self.counts) for x in values]
            known = [moments(x, self.counts, shape=False) for x in values]
        return {k: place for place, k in enumerate(whole)}, matrix(values, self.counts, known)

    @property
    def known(self) -> list[Pair]:
        return [pair for pair in self.pairs if pair.found is not None]


def is_binary(column: Column) -> bool:
    """Two unordered categories: they count as 0 and 1, and Pearson's coefficient is the point-biserial one."""
    return _numbers(column) is None and column.measure == "定类" and len(column.levels) <= 2


def _places(column: Column) -> Floats | None:
    """Numbers, or the places of two or of ordered categories; anything else has no correlation."""
    if is_binary(column):
        return _codes(column)
    return _numbers(column)


def _codes(column: Column) -> Floats:
    codes = column.codes.astype(float)
    return np.where(codes < 0, np.nan, codes)


def _numbers(column: Column) -> Floats | None:
    scale = "量表" in column.info.flags
    if column.is_number and (column.measure in ("定量", "时间") or column.ordered or scale):
        return column.numbers
    if column.measure == "时间":
        return column.numbers
    return _codes(column) if column.ordered and column.measure == "定类" else None


def _read(form: Any, column: Column, field: str) -> Floats:
    found = _places(column)
    if found is not None:
        return found
    remedies: list[MethodRemedy | SetRemedy] = []
    fit = [one.id for one in getattr(form, field) if _places(one) is not None]
    k = len(getattr(form, field)) - len(fit)
    if len(fit) > 1:
        title = f"移去“{column.title}”" if k == 1 else f"移去 {k} 个无序变量"
        remedies.append(SetRemedy(title=title, set={field: fit}))
    if column.info.profile.distinct <= MOST_CROSSED:
        remedies.append(MethodRemedy(title="改用交叉分析", method="descriptive/crosstabs", carry=[]))
    text = "“{v}”是文本变量，不能计算 {m} 相关"
    if column.measure != "文本":
        text = "“{v}”有 {k} 个没有大小之分的类别，不能计算 {m} 相关"
    raise Refusal(
        "data.unordered", text, field=field, column=column.id, v=column.title, k=len(column.levels),
        m=WORDS[form.method], remedies=remedies,
    )  # fmt: skip


def blocks(form: Any, report: Report) -> list[Block]:
    """One block, or one for each group; refuses where nothing at all can be computed."""
    columns = [*form.variables, *form.y]
    if len(columns) < 2:
        raise Refusal("data.few_variables", "请至少放入两个变量", field="variables")
    fields = ["variables"] * len(form.variables) + ["y"] * len(form.y)
    values = [_read(form, column, field) for column, field in zip(columns, fields, strict=True)]
    counts = frequencies(form.weight)
    every = np.ones(values[0].size, dtype=bool)
    if form.missing == "listwise":
        every = ~np.any([np.isnan(v) for v in values], axis=0)
    used = every & _paired(values, len(form.variables))
    if form.group is not None:
        used &= form.group.codes >= 0
    report.used(int(used.sum()), None if counts is None else float(counts[used].sum()))
    parts: list[tuple[str | None, Any]] = [(None, every)]
    if form.group is not None:
        words = level_words(form.group.levels)
        parts = [(w, every & form.group.where(lv)) for w, lv in zip(words, form.group.levels, strict=True)]
    made = [_block(form, at, rows, columns, values, counts, report) for at, rows in parts]
    if not any(block.known for block in made):
        _refuse(form, columns, made)
    return [block for block in made if block.known]


def _paired(values: list[Floats], first: int) -> Any:
    """Rows that have a value of both variables of some pair; `first` of the variables are X."""
    known = [~np.isnan(v) for v in values]
    if first < len(known):
        return np.any(known[:first], axis=0) & np.any(known[first:], axis=0)
    return np.sum(known, axis=0) > 1


def _refuse(form: Any, columns: list[Column], made: list[Block]) -> None:
    if made and all(pair.n < 3 for block in made for pair in block.pairs):
        text = "“{a}”与“{b}”的共同有效样本不足3，没有一对变量可以计算"
        raise Refusal("data.few", text, field="variables", a=columns[0].title, b=columns[1].title)
    flat = next((c for c in columns if not c.varies), columns[0])
    text = "“{v}”没有变异，相关系数无法计算，其余各对也没有可以计算的"
    raise Refusal("data.constant", text, field="variables", column=flat.id, v=flat.title)


def _block(
    form: Any,
    at: str | None,
    rows: Any,
    columns: list[Column],
    values: list[Floats],
    counts: Floats | None,
    report: Report,
) -> Block:
    named = titles(columns)
    whole = bool(rows.all())
    block = Block(
        at, columns, [named[c.id] for c in columns], values if whole else [v[rows] for v in values],
        counts if whole or counts is None else counts[rows], [],
    )  # fmt: skip
    first = len(form.variables)
    places = list(combinations(range(len(columns)), 2))
    if form.y:
        places = [(i, j) for i in range(first) for j in range(first, len(columns))]
    where = "" if at is None else "（{group}组）"
    flat = _flat(block, report, where)
    raw: list[tuple[int, int, int, Association | None]] = []
    for i, j in places:
        (x, y), f = block.sample(i, j)
        n = size(x, f)
        found = None
        if n < 3:
            report.warn(
                "data.few_pairs", "“{a}”与“{b}”的共同有效样本不足3，未计算" + where + "。",
                columns=[columns[i], columns[j]], a=block.names[i], b=block.names[j], group=at or "",
            )  # fmt: skip
        elif block.varies(i, x) and block.varies(j, y):
            r = block.coefficient(form.method, i, j)
            found = associate(form.method, x, y, f, form.alternative, form.conf_level, r)
        elif not {i, j} & flat:
            report.warn(
                "data.constant_pair", "“{a}”与“{b}”共同有值的个案里有一个没有变异，未计算" + where + "。",
                columns=[columns[i], columns[j]], a=block.names[i], b=block.names[j], group=at or "",
            )  # fmt: skip
        raw.append((i, j, n, found))
    adjusted = iter(multiple.adjust([found.p for *_, found in raw if found is not None], form.adjust))
    block.pairs.extend(Pair(i, j, n, found, next(adjusted) if found else None) for i, j, n, found in raw)
    return block


def _flat(block: Block, report: Report, where: str) -> set[int]:
    flat = set()
    for i, column in enumerate(block.columns):
        (x,), _ = block.sample(i)
        if x.size and not block.varies(i, x):
            flat.add(i)
            report.warn(
                "data.constant", "“{v}”没有变异，相关系数无法计算" + where + "，其余照常给出。", columns=[column],
                v=block.names[i], group=block.at or "",
            )  # fmt: skip
    return flat
