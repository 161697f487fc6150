from __future__ import annotations

import numpy as np

from hengxi.contract import Column, Form, FrozenLimits, Level, MethodRemedy, Refusal, Report, integer, role
from hengxi.methods.quality_control._shared import chart, counts
from hengxi.methods.quality_control._shared.chart import Bools, Panel, by_phase


class NpChart(chart.Freezes, chart.ControlChart):
    """Number of defective pieces in samples of one size."""

    title, title_en = "不合格品数控制图（NP）", "NP chart"
    tier = "standard"
    purpose = "等量子组的不合格品数是否受控"
    aliases = ("NP图", "不良品数控制图", "SPC", "np chart")
    references = ("montgomery2013", "nelson1984", "gbt17989")
    conventions = ("中心线 = np̄；标准误 √(np̄(1 − p̄))；下限不低于 0，上限不高于 n。",)
    measured = "defectives"
    min_rows = 2

    class Input(Form):
        defectives: Column = role("不合格品数", "定量")
        label: Column | None = role("子组标识（选填）", "任意", use="label")
        phase: Column | None = role("阶段变量（选填）", "定类", hint="各阶段分别计算控制限")
        frozen_limits: FrozenLimits | None = chart.frozen_limits()
        baseline: Level | None = chart.baseline()
        size: int = integer("子组大小", 50, least=1, most=1_000_000, hint="每个子组检验的件数；各组不等时用 P 图")
        rules: list[str] = chart.rules()
        rule_set: str = chart.rule_set()
        k_sigma: float = chart.k_sigma()
        center: float | None = chart.known_centre()
        exclude: bool = chart.exclude()

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        chart.check_rules(report, form)
        size = np.full(len(form.defectives), float(form.size))
        data = counts.read(form, form.defectives, size, "不合格品数")
        over = data.count > form.size
        if over.any():
            row = int(np.asarray(form.defectives.row_numbers)[over][0])
            raise Refusal(
                "data.over", "第 {at} 行不合格品数大于子组大小 {n}，请核对；各组检验数不等时用 P 图",
                field="defectives", also=["size"], column=form.defectives.id, row=row, at=row, n=form.size,
                remedies=[MethodRemedy(title="改用 P 图", method="quality_control/p_chart", carry=["defectives"])],
            )  # fmt: skip
        form = cls.settled(form, np.round(size).astype(np.int64))
        if form.center is not None and not 0 < form.center < form.size:
            raise Refusal("data.centre", "已知中心值是平均不合格品数，须在 0 与子组大小之间", field="center")

        run, data = data.run, counts.estimated(form, data)

        def estimate(kept: Bools) -> list[Panel]:
            rates = (
                counts.rate(form, data, kept)
                if form.center is None
                else np.full(len(data.run.phases.names), form.center / form.size)
            )
            counts.judge_rate(rates, "不合格品数", "defectives", most=1)
            p = by_phase(data.run.phases, rates)
            return [Panel("不合格品数", data.count, form.size * p, np.sqrt(form.size * p * (1 - p)), 0.0, form.size)]

        (panel,) = cls.write(report, form, run, estimate)
        expected = float(panel.cl[0])
        report.check(
            "正态近似", "care" if expected < 5 else "pass",
            "每组预期 {m:num} 件不合格品"
            + ("，少于 5 件，3σ 控制限不准，请加大子组。" if expected < 5 else "，近似可用。"),
            m=expected,
        )  # fmt: skip
        return report
