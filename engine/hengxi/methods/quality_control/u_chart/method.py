from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Column, Form, FrozenLimits, Level, Report, Table, choice, num, role
from hengxi.methods.quality_control._shared import chart, counts
from hengxi.methods.quality_control._shared.chart import Bools, Floats, Panel, by_phase


class UChart(chart.Freezes, chart.ControlChart):
    """Defects a unit, with limits by number of units, by their mean, or Laney's."""

    title, title_en = "单位缺陷数控制图（U）", "U chart"
    tier = "standard"
    purpose = "单位产品缺陷数是否受控（单位数可不等）"
    aliases = ("U图", "单位缺陷", "Laney U'", "DPU", "SPC", "u chart")
    references = ("montgomery2013", "laney2002", "nelson1984", "gbt17989")
    conventions = (
        "中心线 = 缺陷总数 ÷ 单位总数；标准误 √(ū/u)；下限不低于 0。",
        "Laney：标准误乘 σz，σz = 标准化值的平均移动极差/d2(2)。",
    )
    measured = "defects"
    min_rows = 2

    class Input(Form):
        defects: Column = role("缺陷数", "定量")
        units: Column = role("检验单位数", "定量")
        label: Column | None = role("子组标识（选填）", "任意", use="label")
        phase: Column | None = role("阶段变量（选填）", "定类", hint="各阶段分别计算控制限")
        frozen_limits: FrozenLimits | None = chart.frozen_limits()
        baseline: Level | None = chart.baseline()
        limits: str = choice(
            "控制限", {"variable": "按各组单位数", "average": "按平均单位数", "laney": "Laney（过离散校正）"}
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
        counts.judge_sizes(form.units, "units", "检验单位数必须大于 0")
        data = counts.read(form, form.defects, form.units.numbers, "缺陷数")
        run, data = data.run, counts.estimated(form, data)
        phases = data.run.phases

        def spread(rates: Floats) -> Floats:
            units = np.full(data.size.size, data.size.mean()) if form.limits == "average" else data.size
            return np.sqrt(by_phase(phases, rates) / units)

        def estimate(kept: Bools) -> list[Panel]:
            rates = counts.rate(form, data, kept)
            counts.judge_rate(rates, "缺陷数", "defects")
            u, se = by_phase(phases, rates), spread(rates)
            if form.limits == "laney":
                se = se * by_phase(phases, counts.laney(form, data, rates, se, kept))
            return [Panel("单位缺陷数", data.count / data.size, u, se, lower=0.0)]

        cls.write(report, form, run, estimate, rests=lambda kept: counts.standards(form, data, kept, spread))
        everything = chart.base_of(form, run.phases)
        rates = counts.rate(form, data, everything)
        own = np.sqrt(by_phase(phases, rates) / data.size)
        ratio = float(counts.sigma_z(data, rates, own, everything).mean())
        counts.check_dispersion(report, cls.dispersion, ratio, form.limits == "laney")
        return report
