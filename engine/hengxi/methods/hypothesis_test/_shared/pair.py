"""Two groups of one variable, ready to be computed with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hengxi.contract import Level, Refusal
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Moments, Ordered, levelled, moments
from hengxi.stats.names import level_words, unit_of, unit_words
from hengxi.stats.parted import Sample, samples_of

SMALLEST = 1e-305
"""Standard deviations below this lose their digits, and standard errors become 0."""


@dataclass(frozen=True)
class Pair:
    y: str
    unit: str
    """As it follows a number, or empty."""
    first: str
    second: str
    samples: tuple[Sample, Sample]
    a: Moments
    b: Moments

    @property
    def both(self) -> list[tuple[str, Moments]]:
        return [(self.first, self.a), (self.second, self.b)]

    @property
    def weighted(self) -> bool:
        return self.samples[0][1] is not None

    @property
    def n(self) -> int:
        return self.a.n + self.b.n

    @cached_property
    def ordered(self) -> tuple[Ordered, Ordered]:
        (x, fx), (z, fz) = self.samples
        return Ordered.of(x, fx), Ordered.of(z, fz)

    @classmethod
    def of(cls, form: Any, first: Level, second: Level) -> Pair:
        """Refuses what has no t: too few cases, no variation at all, numbers beyond the range of a double."""
        column = form.variables
        counts = frequencies(form.weight)
        samples = []
        words = level_words([first, second])
        places = {one.value: one.code for one in form.group.levels}
        parts = samples_of(column.numbers, counts, form.group.codes, [places[one.value] for one in (first, second)])
        for (x, f), word in zip(parts, words, strict=True):
            n = x.size if f is None else round(float(f.sum()))
            if n < 2:
                raise Refusal(
                    "data.few",
                    "组“{g}”在“{y}”上有效样本不足 2 个（现有 {n} 个），请另选两组或换一个变量",
                    field="group",
                    also=["variables"],
                    column=form.group.id,
                    g=word,
                    y=column.title,
                    n=n,
                )
            samples.append((x, f))
        anchor = float(samples[0][0][0])
        with np.errstate(over="ignore", invalid="ignore"):
            a, b = levelled([moments(x, f, anchor) for x, f in samples])
            reach = max(a.most, b.most) - min(a.least, b.least)
            finite = np.isfinite([reach, a.centre, b.centre, a.centre - b.centre, a.sd, b.sd, a.mean, b.mean])
        least = 0 < max(a.sd, b.sd) < SMALLEST
        if least or not finite.all():
            raise Refusal(
                "data.magnitude",
                "“{y}”的数值过小，标准误小于可表示的数，请先换一个单位（如乘以 10 的若干次方）"
                if least
                else "“{y}”的数值过大，差值超出了可表示的范围，请先换一个单位（如除以 10 的若干次方）",
                field="variables",
                column=column.id,
                y=column.title,
            )
        if a.sd == 0 and b.sd == 0:
            raise Refusal(
                "data.constant",
                "“{y}”在两组内部均无变异，t 值无定义，请核对数据或换一个检验变量",
                field="variables",
                column=column.id,
                y=column.title,
            )
        return cls(column.title, unit_words(unit_of(column)), words[0], words[1], (samples[0], samples[1]), a, b)
