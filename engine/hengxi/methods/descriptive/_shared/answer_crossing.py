"""A question of which several options may be chosen against categories: counts, shares of each category, and a test of
each option. One χ² of the whole table would count a person once for every option chosen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hengxi.contract import AnswerSet, Column, Level, Refusal, Report
from hengxi.methods.descriptive._shared.crossing import MOST_CELLS, Cross
from hengxi.methods.descriptive._shared.crossing_tables import TOTAL, exact_name
from hengxi.stats.answer_sets import answers
from hengxi.stats.moments import Floats
from hengxi.stats.multiple import adjust
from hengxi.stats.names import level_words

PEOPLE = "人数"
"""The line, or column, that shares of cases are taken of."""


@dataclass(frozen=True)
class AnswerCross:
    """`table`: options × categories; `people`: cases of each category in the base."""

    of: AnswerSet
    by: Column
    name: str
    group: str
    in_rows: bool
    layer: str | None
    options: list[str]
    levels: list[Level]
    groups: list[str]
    table: Floats
    people: Floats
    outside: float
    form: Any

    @property
    def at(self) -> str:
        return f"{self.name} × {self.group}" if self.in_rows else f"{self.group} × {self.name}"

    @property
    def n(self) -> float:
        return float(self.people.sum())

    @cached_property
    def shares(self) -> Floats:
        """Of the people of each category, how many chose the option."""
        found: Floats = self.table / self.people
        return found

    @cached_property
    def tests(self) -> list[Cross | None]:
        """Chosen or not against the categories; None where nobody or everybody chose the option."""
        return [self._test(option, row) for option, row in zip(self.options, self.table, strict=True)]

    def _test(self, option: str, row: Floats) -> Cross | None:
        table = np.vstack([row, self.people - row])
        if (table.sum(axis=1) <= 0).any():
            return None
        return Cross(
            table=table, conf_level=self.form.conf_level, with_exact=self.form.exact, draws=self.form.mc_draws,
            seed=self.form.seed, x=self.by, y=self.by, row=option, column=self.group, layer=self.layer,
            rows=["选", "不选"], columns=self.groups, row_levels=[], column_levels=self.levels, missing=self.outside,
            form=self.form,
        )  # fmt: skip

    @cached_property
    def corrected(self) -> list[float | None]:
        """p by Holm over the options that could be tested."""
        held = iter(adjust([one.p for one in self.tests if one is not None], "holm"))
        return [None if one is None else next(held) for one in self.tests]

    @property
    def least_p(self) -> float | None:
        """The smallest of them tests whether any option has to do with the categories."""
        return min((p for p in self.corrected if p is not None), default=None)

    @property
    def found(self) -> list[int]:
        """Options whose shares differ."""
        alpha = 1 - self.form.conf_level
        return [i for i, p in enumerate(self.corrected) if p is not None and p < alpha]


def cross_answers(
    of: AnswerSet, by: Column, names: dict[str, str], in_rows: bool, held: Any, counts: Floats | None,
    layer: str | None, form: Any,
) -> AnswerCross | None:  # fmt: skip
    """None where fewer than two categories are left, or nobody chose anything. `held`: a mask of rows, or None."""
    found = answers(of, names[of.id])
    whole = np.ones(len(by), dtype=bool) if held is None else held
    inside = found.base(form.set_base) & (by.codes >= 0) & whole
    k = len(by.levels)

    def counted(rows: Any) -> Floats:
        weights = None if counts is None else counts[rows]
        return np.bincount(by.codes[rows], weights=weights, minlength=k).astype(float)

    people = counted(inside)
    kept = np.flatnonzero(people > 0)
    if kept.size < 2:
        return None
    if kept.size * len(found.options) > MOST_CELLS:
        raise Refusal(
            "data.cells", "“{x}”与“{y}”的交叉表有 {r}×{c} 个单元格，请合并类别",
            field="rows", also=["columns"], column=by.id,
            x=names[of.id], y=names[by.id], r=len(found.options), c=int(kept.size),
        )  # fmt: skip
    table = np.array([counted(inside & chosen)[kept] for chosen in found.chosen]).reshape(-1, kept.size)
    if table.sum() == 0:
        return None
    every = float(whole.sum()) if counts is None else float(counts[whole].sum())
    levels = [by.levels[i] for i in kept]
    return AnswerCross(
        of, by, names[of.id], names[by.id], in_rows, layer, found.options, levels, level_words(levels), table,
        people[kept], every - float(people.sum()), form,
    )  # fmt: skip


def tables(report: Report, cls: Any, one: AnswerCross, at: str | None) -> None:
    _counts(report, cls, one, at)
    for option, test, p in zip(one.options, one.tests, one.corrected, strict=True):
        if test is None:
            report.row(cls.option_tests, at=at, layer=one.layer, option=option, test="不能检验")
            continue
        chi = test.yates if test.read == "yates" else test.pearson if test.read == "pearson" else None
        report.row(
            cls.option_tests, at=at, layer=one.layer, option=option, test=_test_name(test),
            value=None if chi is None else chi.value, df=None if chi is None else chi.df, p=test.p, holm=p,
            v=test.v.value,
        )  # fmt: skip


def _test_name(test: Cross) -> str:
    if test.read == "exact":
        return exact_name(test)
    return "连续校正 χ²" if test.read == "yates" else "Pearson χ²"


def _counts(report: Report, cls: Any, one: AnswerCross, at: str | None) -> None:
    """Shares are always within a category, whichever way the table lies."""
    whole = np.column_stack([one.table, one.table.sum(axis=1)])
    responses, people = whole.sum(axis=0), np.append(one.people, one.n)
    heads: list[Any] = [*one.levels, TOTAL]

    def cell(n: float, j: int) -> dict[str, Any]:
        of = responses[j]
        return {"n": n, "responses": n / of if of > 0 else None, "cases": n / people[j]}

    if one.in_rows:
        for option, line in zip(one.options, whole, strict=True):
            wide = {head: cell(n, j) for j, (head, n) in enumerate(zip(heads, line, strict=True))}
            report.row(cls.choices, at=at, layer=one.layer, level=option, wide=wide)
        wide = {head: cell(n, j) for j, (head, n) in enumerate(zip(heads, responses, strict=True))}
        report.row(cls.choices, at=at, layer=one.layer, level=TOTAL, total=True, wide=wide)
        wide = {head: {"n": n} for head, n in zip(heads, people, strict=True)}
        report.row(cls.choices, at=at, layer=one.layer, level=PEOPLE, total=True, wide=wide)
        return
    for j, name in enumerate([*one.groups, TOTAL]):
        wide = {option: cell(n, j) for option, n in zip(one.options, whole[:, j], strict=True)}
        wide |= {TOTAL: cell(responses[j], j), PEOPLE: {"n": people[j]}}
        report.row(cls.choices, at=at, layer=one.layer, level=name, total=name == TOTAL, wide=wide)


def chart(report: Report, cls: Any, one: AnswerCross, at: str | None) -> None:
    for option, shares in zip(one.options, one.shares, strict=True):
        for group, share in zip(one.groups, shares, strict=True):
            report.row(cls.reach, at=at, option=option, cases=float(share), series=group)
    report.chart(cls.reached, at=at, titles={"x": one.name, "y": "普及率", "series": one.group})
