"""Two or more groups of one variable, ready to be computed with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hengxi.contract import Level, MethodRemedy, Refusal, Report, StepRemedy, Table
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Moments, Ordered, levelled, moments
from hengxi.stats.names import level_words, unit_of, unit_words
from hengxi.stats.one_way import OneWay, shape_within
from hengxi.stats.parted import Sample, samples_of

MOST_GROUPS = 50


@dataclass(frozen=True)
class ManyGroups:
    y: str
    unit: str
    """As it follows a number, or empty."""
    levels: list[Level]
    names: list[str]
    samples: list[Sample]
    each: list[Moments]
    whole: OneWay
    empty: list[str]
    """Groups that have no value of this variable."""

    @property
    def k(self) -> int:
        return len(self.names)

    @property
    def n(self) -> int:
        return sum(m.n for m in self.each)

    @property
    def weighted(self) -> bool:
        return self.samples[0][1] is not None

    @property
    def order(self) -> list[int]:
        """Groups from the highest mean to the lowest."""
        return sorted(range(self.k), key=lambda i: -self.each[i].centre)

    def level_with(self, i: int) -> str:
        """Group `i` with those of the same mean, to stand in “ ”: 甲”、“乙."""
        mean = self.each[i].centre
        return "”、“".join(name for name, m in zip(self.names, self.each, strict=True) if m.centre == mean)

    def pool(self, report: Report, table: Table) -> None:
        """For the copies of a multiple imputation: the classical F is Wald's test that all means are the first one."""
        whole, unit = self.whole, float(np.ldexp(1.0, self.whole.up))
        shares = 1 / whole.n
        with np.errstate(over="ignore", invalid="ignore"):
            apart = unit * (whole.centres[1:] - whole.centres[0])
            spread = unit * unit * whole.mse * (shares[0] + np.diag(shares[1:]))
        report.joint(table, "各组均值的差异，经典F", self.names, apart, spread, whole.df2, read=True)

    @cached_property
    def ordered(self) -> list[Ordered]:
        return [Ordered.of(x, f) for x, f in self.samples]

    @cached_property
    def residuals(self) -> Sample:
        """Distances from the group means, with their frequencies."""
        found = np.empty(sum(x.size for x, _ in self.samples))
        at = 0
        for (x, _), m in zip(self.samples, self.each, strict=True):
            part = np.subtract(x, m.anchor, out=found[at : at + x.size])
            part -= m.centre
            at += x.size
        counts = [f for _, f in self.samples if f is not None]
        return found, np.concatenate(counts) if counts else None

    @cached_property
    def residual_shape(self) -> tuple[float | None, float | None]:
        """Skewness and kurtosis of the residuals, from those of the groups where they are known."""
        found = shape_within(self.each)
        if found is not None:
            return found
        whole = moments(*self.residuals)
        return whole.skewness, whole.kurtosis

    @classmethod
    def of(cls, form: Any) -> ManyGroups:
        """Refuses what has no F: one group, a group of one, no variation inside any group, too large numbers."""
        # Before a million levels are read and put in order for it.
        least = form.group.distinct_least
        k = least if least > MOST_GROUPS else len(form.group.levels)
        if k > MOST_GROUPS:
            about = "至少 " if k == least and form.group.distinct_known is None else " "
            raise Refusal(
                "role.levels", "“{v}”有{about}{k} 个取值，请先分箱（最多 {most} 个组）", field="group",
                column=form.group.id, v=form.group.title, k=k, about=about, most=MOST_GROUPS,
                remedies=[StepRemedy(title="合并类别", step="data_processing/value_coding", columns=[form.group.id])],
            )  # fmt: skip
        words = level_words(form.group.levels)
        found, empty = [], []
        codes = [one.code for one in form.group.levels]
        parts = samples_of(form.variables.numbers, frequencies(form.weight), form.group.codes, codes)
        for level, word, (x, f) in zip(form.group.levels, words, parts, strict=True):
            n = x.size if f is None else round(float(f.sum()))
            if n == 0:
                empty.append(word)
                continue
            if n == 1:
                _refuse_single(form, word)
            found.append((level, word, (x, f)))
        if len(found) < 2:
            raise Refusal(
                "role.levels", "分组变量“{v}”只有一个类别，无法做方差分析（检验变量“{y}”）", field="group",
                column=form.group.id, v=form.group.title, y=form.variables.title,
            )  # fmt: skip
        levels, names, samples = (list(part) for part in zip(*found, strict=True))
        each = _moments(form, samples)
        whole = OneWay.of(each)
        return cls(
            form.variables.title, unit_words(unit_of(form.variables)), levels, names, samples, each, whole, empty
        )


def _moments(form: Any, samples: list[Sample]) -> list[Moments]:
    column = form.variables
    anchor = float(samples[0][0][0])
    with np.errstate(over="ignore", invalid="ignore"):
        each = levelled([moments(x, f, anchor) for x, f in samples])
        reach = max(m.most for m in each) - min(m.least for m in each)
        finite = np.isfinite([reach, *(v for m in each for v in (m.centre, m.sd, m.mean))])
    if not finite.all():
        raise Refusal(
            "data.magnitude",
            "“{y}”的数值过大，差值超出了可表示的范围，请先换一个单位（如除以 10 的若干次方）",
            field="variables", column=column.id, y=column.title,
        )  # fmt: skip
    if all(m.sd == 0 for m in each):
        raise Refusal(
            "data.constant",
            "“{y}”的组内方差为 0，F 值无定义，请核对数据或换一个检验变量",
            field="variables",
            column=column.id,
            y=column.title,
        )
    return each


def _refuse_single(form: Any, word: str) -> None:
    raise Refusal(
        "data.few",
        "组“{g}”只有 1 个有效值，无法估计组内方差，请合并或排除该组（检验变量“{y}”）",
        field="group", also=["variables"], column=form.group.id, g=word, y=form.variables.title,
        remedies=[
            StepRemedy(title="合并类别", step="data_processing/value_coding", columns=[form.group.id]),
            StepRemedy(title="排除该组", step="data_processing/filter", columns=[form.group.id]),
            MethodRemedy(
                title="改用 Kruskal-Wallis 检验", carry=["group", "variables"],
                method="hypothesis_test/multiple_sample_kruskal_wallis_test",
            ),
        ],
    )  # fmt: skip
