from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Column, Form, MethodRemedy, Refusal, Report, role
from hengxi.families.control.gage import Variances
from hengxi.methods.quality_control._shared import gage
from hengxi.stats.nested import Nested


class GageRrNested(gage.GageStudy):
    """Each operator measures parts of his own: for measurements that destroy the part."""

    title, title_en = "量具R&R（嵌套）", "Gage R&R (nested)"
    tier = "member"
    purpose = "破坏性测量时测量系统变异占多少"
    aliases = ("破坏性测量", "嵌套量具研究", "destructive gage", "nested gage R&R", "MSA")
    references = ("aiag2010", "snedecor1967", "henderson1953", "satterthwaite1946")
    conventions = (
        "部件嵌套于操作者，都作随机效应；操作者用部件（操作者）的均方检验，部件用重复性的均方检验。",
        "读数个数不等时方差分量由期望均方解出（Henderson 方法一），*F* 的分母由均方合成（Satterthwaite）。",
        "负的方差分量按 0 处理，合计用处理以后的值。",
        "再现性就是操作者之间的变异；没有操作者与部件的交互。",
        "ndc = 1.41 × 部件间标准差 ÷ 量具标准差，截去小数，至少为 1。",
    )
    min_rows = 8
    nested = True

    class Input(Form):
        measure: Column = role("测量值", "定量")
        part: Column = role("部件（嵌套于操作者）", "任意", hint="同一批里很像的几件算一个部件，重复测量就测这几件")
        operator: Column = role("操作者", "任意")
        study_sigma: float = gage.study_sigma()
        tolerance: float | None = gage.tolerance()

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        y = gage.judge(form)
        part, operator = np.asarray(form.part.codes), np.asarray(form.operator.codes)
        _judge(form, part, operator)
        # One order of the rows: sums then round alike whatever the file's.
        order = np.lexsort((y, part, operator))
        y, part, operator = y[order], part[order], operator[order]
        found = Nested(y - y.mean(), [operator, part])
        for name, level in zip(("操作者", "部件（操作者）"), found.levels(), strict=True):
            F, p = (None, None) if np.isnan(level.F) else (level.F, level.p)
            report.row(cls.anova, source=name, df=round(level.df), ss=level.ss, ms=level.ms, F=F, p=p)
        report.row(cls.anova, source="重复性", df=round(found.df_error), ss=found.error, ms=found.mse)
        total = float(((y - y.mean()) ** 2).sum())
        report.row(cls.anova, source="合计", df=y.size - 1, ss=total, total=True)
        if not found.is_balanced:
            report.note(cls.anova, "各操作者的部件数或读数不等，*F* 的分母由均方合成。")
        (people, parts), repeat = found.components()
        cls.write(report, form, Variances(repeat, float(people), None, float(parts)))
        people_names, part_names = form.operator.labels, form.part.labels
        groups = [
            (people_names[int(operator[part == p][0])], part_names[p], y[part == p])
            for p in sorted(range(len(part_names)), key=lambda p: (int(operator[part == p][0]), p))
        ]  # fmt: skip
        cls.draw(report, form, groups)
        report.say(
            "嵌套研究假定同一部件的几次读数测的是同样的东西。若它们之间有真实的差别，这个差别会算进重复性，量具看起来会偏差。"
        )
        return report


def _judge(form: Any, part: Any, operator: Any) -> None:
    count = np.bincount(part)
    low, high = np.full(count.size, operator.size), np.full(count.size, -1)
    np.minimum.at(low, part, operator)
    np.maximum.at(high, part, operator)
    twice = np.flatnonzero(low != high)
    if twice.size:
        words = "部件“{p}”出现在多个操作者下，应使用交叉研究；不是同一件时请给它们不同的编号"
        carry = ["measure", "part", "operator", "study_sigma", "tolerance"]
        remedy = MethodRemedy(title="改用交叉量具 R&R", method="quality_control/gage_rr", carry=carry)
        raise Refusal(
            "data.crossed", words, field="part", column=form.part.id, p=form.part.labels[int(twice[0])],
            remedies=[remedy],
        )  # fmt: skip
    if count.max() < 2:
        words = "每个部件只有 1 个读数，无法估计重复性，请每个部件至少测 2 次"
        raise Refusal("data.single", words, field="measure", column=form.measure.id)
    if count.size == len(form.operator.levels):
        words = "每个操作者只有 1 个部件，分不开操作者和部件，请每人至少测 2 个部件"
        raise Refusal("data.one_part", words, field="part", column=form.part.id)
