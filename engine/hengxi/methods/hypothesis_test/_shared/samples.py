"""Samples of a form, ready to be computed with: one, a pair, two groups, many groups, repeated measurements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hengxi.contract import Column, Level, Refusal, StepRemedy
from hengxi.methods.hypothesis_test._shared import two_levels
from hengxi.methods.hypothesis_test._shared.many_groups import MOST_GROUPS
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats, Moments, Ordered, drop_empty, moments
from hengxi.stats.names import level_words, unit_of, unit_words
from hengxi.stats.normality import Normality, normality
from hengxi.stats.parted import samples_of


@dataclass(frozen=True)
class Sample:
    """Values of one sample; a value may stand for several cases (`counts`)."""

    name: str
    x: Floats
    counts: Floats | None = None
    anchor: float | None = None
    """What the mean is counted from; the same in samples that are compared."""

    @cached_property
    def n(self) -> int:
        return self.x.size if self.counts is None else round(float(self.counts.sum()))

    @cached_property
    def moments(self) -> Moments:
        return moments(self.x, self.counts, self.anchor)

    @cached_property
    def ordered(self) -> Ordered:
        return Ordered.of(self.x, self.counts)

    @cached_property
    def shape(self) -> Normality | None:
        return normality(self.x, self.counts)

    @cached_property
    def quartiles(self) -> tuple[float, float, float]:
        """P25, median, P75 (Hyndman-Fan type 6)."""
        q1, median, q3 = self.ordered.quantiles([0.25, 0.5, 0.75], kind=6)
        return q1, median, q3

    @property
    def median(self) -> float:
        return self.quartiles[1]


@dataclass(frozen=True)
class Pairs:
    """Two measurements of the same cases and their differences, first minus second."""

    first: Sample
    second: Sample
    difference: Sample
    unit: str


@dataclass(frozen=True)
class Groups:
    """Samples of one variable by the levels of another; `empty`: labels of groups without any value."""

    y: str
    unit: str
    by: str
    samples: list[Sample]
    empty: list[str]

    @property
    def n(self) -> int:
        return sum(sample.n for sample in self.samples)

    @property
    def weighted(self) -> bool:
        return self.samples[0].counts is not None


def unit(column: Column) -> str:
    """As it follows a number, or empty."""
    return unit_words(unit_of(column))


def one(form: Any, least: int = 2) -> Sample:
    """The variable `form.variables`; refuses fewer than `least` cases."""
    column = form.variables
    return single(column, column.numbers, frequencies(form.weight), column.title, least)


def pairs(form: Any, least: int = 2) -> Pairs:
    """`form.pairs_a` and `form.pairs_b` of the same rows; refuses fewer than `least` pairs."""
    a, b, counts = form.pairs_a, form.pairs_b, frequencies(form.weight)
    first, second = (single(c, c.numbers, counts, c.title, least) for c in (a, b))
    with np.errstate(over="ignore", invalid="ignore"):
        values = snapped(first.x - second.x, max(_reach(first.x), _reach(second.x)))
    difference = Sample("差值", values, first.counts)
    judge_range(a, [difference], field="pairs_a")
    return Pairs(first, second, difference, unit(a))


def snapped(difference: Floats, scale: float) -> Floats:
    """Differences without what binary rounding left: 0.3 − 0.2 and 0.2 − 0.1 are tied (12 digits of `scale`)."""
    if not 1e-280 < scale < 1e280:
        return difference
    rounded: Floats = np.round(difference, min(12 - int(np.ceil(np.log10(scale))), 290))
    return rounded


def two(form: Any, test: str, least: int = 2) -> Groups:
    """The two levels of `form.group` that `form.groups` names, or that there are; `test`: its name in a refusal."""
    many = f"{test}检验需要恰好两组，当前为 {{k}} 组：请在“比较的两组”中选两组，或改用多组的检验（变量“{{v}}”）"
    return _groups(form, list(two_levels.chosen(form, many, two_levels.RANKS)), least)


def several(form: Any, least: int = 1) -> Groups:
    """All levels of `form.group`; empty ones are named, a group with fewer than `least` cases is refused."""
    column = form.group
    known = column.distinct_least
    k = known if known > MOST_GROUPS else len(column.levels)
    if k > MOST_GROUPS:
        raise Refusal(
            "role.levels", "“{v}”有至少 {k} 个取值，请先分箱或合并类别（最多 {most} 个组）", field="group",
            column=column.id, v=column.title, k=k, most=MOST_GROUPS,
            remedies=[StepRemedy(title="合并类别", step="data_processing/value_coding", columns=[column.id])],
        )  # fmt: skip
    found = _groups(form, column.levels, least)
    if len(found.samples) < 2:
        raise Refusal(
            "role.levels", "分组变量至少需要 2 个类别：“{v}”在“{y}”有值的行里只有一个类别，请换一个分组变量",
            field="group", column=column.id, v=column.title, y=found.y,
        )  # fmt: skip
    return found


def repeated(form: Any) -> list[Sample]:
    """`form.variables`: several measurements of the same cases, in the order of the form."""
    return [single(column, column.numbers, None, column.title, 2) for column in form.variables]


def _groups(form: Any, levels: Sequence[Level], least: int) -> Groups:
    column, words = form.variables, level_words(levels)
    places = {level.value: level.code for level in form.group.levels}
    codes = [places[level.value] for level in levels]
    parts = samples_of(column.numbers, frequencies(form.weight), form.group.codes, codes)
    samples, empty = list[Sample](), list[str]()
    anchor: float | None = None
    for word, (x, counts) in zip(words, parts, strict=True):
        anchor = anchor if anchor is not None or x.size == 0 else float(x[0])
        sample = Sample(word, x, counts, anchor)
        if sample.n == 0 and len(levels) > 2:
            empty.append(word)
            continue
        if sample.n < least:
            raise Refusal(
                "data.few", "组“{g}”在“{y}”上有效样本不足 {least} 个（现有 {n} 个），请另选一组、合并类别或换一个变量",
                field="group", also=["variables"], column=form.group.id, g=word, y=column.title, n=sample.n,
                least=least,
            )  # fmt: skip
        samples.append(sample)
    judge_range(column, samples)
    return Groups(column.title, unit(column), form.group.title, samples, empty)


def single(column: Column, values: Floats, counts: Floats | None, name: str, least: int = 1) -> Sample:
    """`values` of a column, or made from it; refuses fewer than `least` and numbers out of range."""
    sample = Sample(name, *drop_empty(values, counts))
    if sample.n < least:
        raise Refusal(
            "data.few", "“{v}”有效样本不足 {least} 个（现有 {n} 个），请换一个变量或放宽筛选", column=column.id,
            v=name, n=sample.n, least=least,
        )  # fmt: skip
    judge_range(column, [sample], field=None)
    return sample


def _reach(x: Floats) -> float:
    return float(np.max(np.abs(x)))


SMALLEST = 1e-300


def judge_range(column: Column, samples: Sequence[Sample], field: str | None = "variables") -> None:
    """Refuses numbers whose differences or squares leave the range of a double."""
    ends = [end for s in samples if s.n for end in (float(s.x.min()), float(s.x.max()))]
    with np.errstate(over="ignore", invalid="ignore"):
        reach = max(ends) - min(ends) if ends else 0.0
    small = 0 < reach < SMALLEST
    if small or not np.isfinite(reach) or max(map(abs, ends), default=0.0) > 1e300:
        raise Refusal(
            "data.magnitude",
            "“{y}”的数值过小，差值小于可表示的数，请先换一个单位（如乘以 10 的若干次方）"
            if small
            else "“{y}”的数值过大，差值超出了可表示的范围，请先换一个单位（如除以 10 的若干次方）",
            field=field, column=column.id, y=column.title,
        )  # fmt: skip
