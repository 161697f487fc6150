"""Which variables are correlated with which, in which rows; what is refused and what is only said."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from hengxi.contract import Column, MethodRemedy, Refusal, Report, SetRemedy
from hengxi.methods.descriptive._shared.scores import Scores, scores
from hengxi.stats import few_values, multiple
from hengxi.stats.correlation import Association, associate, matrix, ranks, settled, size
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats, Moments, moments
from hengxi.stats.names import level_words, titles
from hengxi.stats.thin import thin

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
    """One group (or everything): what each variable counts as in its rows."""

    at: str | None
    columns: list[Column]
    names: list[str]
    scores: list[Scores]
    counts: Floats | None
    pairs: list[Pair]
    kept: dict[tuple[str, int | str], Any] = field(default_factory=dict)
    """What was computed once for a column."""
    samples: dict[tuple[int, ...], tuple[list[Floats], Floats]] = field(default_factory=dict)
    """Of columns of few values: small tables of counts."""

    @cached_property
    def _tables(self) -> few_values.Pairs:
        return few_values.Pairs([one.few for one in self.scores], self.counts)

    def sample(self, *which: int) -> tuple[list[Floats], Floats | None]:
        """The cases in which all of these have a value: their rows, or their distinct values with counts."""
        if any(self.scores[i].few is None for i in which):
            return self.rows(*which)
        if which not in self.samples:
            self.samples[which] = self._counted(*dict.fromkeys(which), times=len(which))
        return self.samples[which]

    def _counted(self, *which: int, times: int) -> tuple[list[Floats], Floats]:
        if len(which) == 2:
            x, y, f = self._tables.sample(*which)
            return [x, y], f
        few = self.scores[which[0]].few
        assert few is not None
        x, f = few_values.sample(few, self.counts)
        return [x] * times, f

    def size(self, i: int) -> int:
        """Cases that have a value of column i."""
        if ("size", i) not in self.kept:
            (x,), f = self.sample(i)
            self.kept["size", i] = size(x, f)
        return int(self.kept["size", i])

    def rows(self, *which: int) -> tuple[list[Floats], Floats | None]:
        """The rows where all of these have a value."""
        if all(self.is_whole(i) for i in which):
            return [self.scores[i].numbers for i in which], self.counts
        kept = self._known(*which)
        found = [self.scores[i].numbers.compress(kept) for i in which]
        return found, None if self.counts is None else self.counts.compress(kept)

    def some_rows(self, most: int, *which: int) -> tuple[list[Floats], bool]:
        """At most so many of these rows, evenly taken; and whether there are more."""
        places = np.flatnonzero(self._known(*which))
        shown = thin(places.size, most=most)
        return [self.scores[i].at(places[shown]) for i in which], shown.size < places.size

    def _known(self, *which: int) -> Any:
        kept = self.scores[which[0]].known
        for i in which[1:]:
            kept = kept & self.scores[i].known
        return kept if self.counts is None else kept & (self.counts > 0)

    def is_whole(self, i: int) -> bool:
        """Has every case a value here? Then all pairs of such columns use the same cases."""
        if ("whole", i) not in self.kept:
            idle = self.counts is not None and not (self.counts > 0).all()
            self.kept["whole", i] = not idle and self.scores[i].is_whole
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
        """Pearson or Spearman from what each whole column needs only once; None where the pair has its own cases, or
        a small table."""
        if method == "kendall" or not (self.is_whole(i) and self.is_whole(j)):
            return None
        if self.scores[i].few is not None and self.scores[j].few is not None:
            return None
        if ("matrix", method) not in self.kept:
            self.kept["matrix", method] = self._matrix(method)
        places, found = self.kept["matrix", method]
        return settled(float(found[places[i], places[j]]))

    def _matrix(self, method: str) -> tuple[dict[int, int], Floats]:
        """All whole columns with each other: the place of each in the matrix, and the matrix."""
        places = range(len(self.columns))
        whole = [k for k in places if self.is_whole(k) and self.moments(k).least < self.moments(k).most]
        values, known = [self.scores[k].numbers for k in whole], [self.moments(k) for k in whole]
        if method == "spearman":
            values = [ranks(x, self.counts) for x in values]
            known = [moments(x, self.counts, shape=False) for x in values]
        return {k: place for place, k in enumerate(whole)}, matrix(values, self.counts, known)

    @property
    def known(self) -> list[Pair]:
        return [pair for pair in self.pairs if pair.found is not None]


def _read(form: Any, column: Column, field: str) -> Scores:
    found = scores(column)
    if found is not None:
        return found
    remedies: list[MethodRemedy | SetRemedy] = []
    fit = [one.id for one in getattr(form, field) if scores(one) is not None]
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
    every = np.ones(len(columns[0]), dtype=bool)
    if form.missing == "listwise":
        for one in values:
            every &= one.known
    used = every & _paired(values, len(form.variables))
    if form.group is not None:
        used &= form.group.codes >= 0
    report.used(int(np.count_nonzero(used)), None if counts is None else float(counts[used].sum()))
    parts: list[tuple[str | None, Any]] = [(None, every)]
    if form.group is not None:
        words = level_words(form.group.levels)
        parts = [(w, every & form.group.where(lv)) for w, lv in zip(words, form.group.levels, strict=True)]
    made = [_block(form, at, rows, columns, values, counts, report) for at, rows in parts]
    if not any(block.known for block in made):
        _refuse(form, columns, made)
    return [block for block in made if block.known]


def _paired(values: list[Scores], first: int) -> Any:
    """Rows that have a value of both variables of some pair; `first` of the variables are X."""
    if first < len(values):
        return _some(values[:first])[0] & _some(values[first:])[0]
    return _some(values)[1]


def _some(values: list[Scores]) -> tuple[Any, Any]:
    """Rows with a value of one of them at least, and of two."""
    one = values[0].known.copy()
    two = np.zeros_like(one)
    for more in values[1:]:
        two |= one & more.known
        one |= more.known
    return one, two


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
    values: list[Scores],
    counts: Floats | None,
    report: Report,
) -> Block:
    named = titles(columns)
    whole = bool(rows.all())
    block = Block(
        at, columns, [named[c.id] for c in columns], values if whole else [v.among(rows) for v in values],
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
