from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Column, Form, FrozenLimits, Level, Refusal, Report, Table, choice, num, role
from hengxi.methods.quality_control._shared import chart, counts
from hengxi.methods.quality_control._shared.chart import Bools, Floats, Panel, by_phase


class PChart(chart.Freezes, chart.ControlChart):
    """Share of defective pieces, with limits by size, by mean size, Laney's, or standardised."""

    title, title_en = "不合格品率控制图（P）", "P chart"
    tier = "standard"
    purpose = "不合格品率是否受控（子组大小可不等）"
    aliases = ("P图", "不良率控制图", "Laney P'", "SPC", "p chart")
    references = ("montgomery2013", "laney2002", "nelson1984", "gbt17989")
    conventions = (
        "中心线 = 不合格品总数 ÷ 检验总数；标准误 √(p̄(1 − p̄)/n)；下限不低于 0，上限不高于 1。",
        "Laney：标准误乘 σz，σz = 标准化值的平均移动极差/d2(2)。",
        "标准化：画 Z = (p − p̄)/标准误，控制限 ±kσ。",
    )
    measured = "defectives"
    min_rows = 2

    class Input(Form):
        defectives: Column = role("不合格品数", "定量")
        size: Column = role("检验数", "定量")
        label: Column | None = role("子组标识（选填）", "任意", use="label")
        phase: Column | None = role("阶段变量（选填）", "定类", hint="各阶段分别计算控制限")
        frozen_limits: FrozenLimits | None = chart.frozen_limits()
        baseline: Level | None = chart.baseline()
        limits: str = choice(
            "控制限",
            {
                "variable": "按各组检验数",
                "average": "按平均检验数",
                "laney": "Laney（过离散校正）",
                "standardized": "标准化 Z",
            },
        )
        rules: list[str] = chart.rules()
        rule_set: str = chart.rule_set()
        k_sigma: float = chart.k_sigma()
        center: float | None = chart.known_centre()
        exclude: bool = chart.exclude()

    dispersion = Table("离散程度", sigma_z=num("σz", least=0), place="detail")

    sized = False

    @classmethod
    def kind_of(cls, form: Any) -> tuple[str | None, str]:
        return ("laney", "Laney 控制限") if form.limits == "laney" else (None, "没有离散校正的控制限")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        chart.check_rules(report, form)
        form = cls.settled(form, np.ones(1, dtype=np.int64))
        counts.judge_sizes(form.size, "size", "检验数必须大于 0")
        data = counts.read(form, form.defectives, form.size.numbers, "不合格品数")
        _judge(form)
        run, data = data.run, counts.estimated(form, data)
        phases = data.run.phases

        def spread(rates: Floats) -> Floats:
            p = by_phase(phases, rates)
            size = np.full(data.size.size, data.size.mean()) if form.limits == "average" else data.size
            return np.sqrt(p * (1 - p) / size)

        def estimate(kept: Bools) -> list[Panel]:
            rates = counts.rate(form, data, kept)
            counts.judge_rate(rates, "不合格品数", "defectives", most=1)
            p, se = by_phase(phases, rates), spread(rates)
            share = data.count / data.size
            if form.limits == "standardized":
                ones = np.ones(share.size)
                return [Panel("标准化值 Z", (share - p) / se, 0 * ones, ones)]
            if form.limits == "laney":
                se = se * by_phase(phases, counts.laney(form, data, rates, se, kept))
            return [Panel("不合格品率", share, p, se, lower=0.0, upper=1.0)]

        cls.write(report, form, run, estimate, rests=lambda kept: counts.standards(form, data, kept, spread))
        everything = chart.base_of(form, run.phases)
        rates = counts.rate(form, data, everything)
        own = np.sqrt(by_phase(phases, rates) * (1 - by_phase(phases, rates)) / data.size)
        ratio = float(counts.sigma_z(data, rates, own, everything).mean())
        counts.check_dispersion(report, cls.dispersion, ratio, form.limits == "laney")
        expected = float((by_phase(phases, rates) * data.size).min())
        report.check(
            "正态近似", "care" if expected < 5 else "pass",
            "每组预期的不合格品最少 {m:num} 件"
            + ("，少于 5 件，3σ 控制限不准，请加大检验数。" if expected < 5 else "，近似可用。"),
            m=expected,
        )  # fmt: skip
        return report


def _judge(form: PChart.Input) -> None:
    over = form.defectives.numbers > form.size.numbers
    if over.any():
        row = int(np.asarray(form.defectives.row_numbers)[over][0])
        text = "第 {at} 行不合格品数大于检验数，请核对"
        raise Refusal("data.over", text, field="defectives", column=form.defectives.id, row=row, at=row)
    if form.center is not None and not 0 < form.center < 1:
        raise Refusal("data.centre", "已知中心值是不合格品率，须在 0 与 1 之间", field="center")
