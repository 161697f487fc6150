from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hengxi.contract import Column, Form, FrozenLimits, Level, Report, Table, choice, integer, num, role
from hengxi.families.control.constants import c4
from hengxi.families.control.subgroups import Subgroups, read
from hengxi.methods.quality_control._shared import chart, variables


class XbarS(chart.Freezes, chart.ControlChart):
    """X̄ and S with limits from s̄/c4 or the pooled standard deviation."""

    title, title_en = "均值-标准差控制图（X̄-S）", "X-bar and S chart"
    tier = "standard"
    rescaled = (("measures",),)
    purpose = "计量型子组（n 较大或不等）的均值和标准差是否受控"
    aliases = ("Xbar-S", "均值标准差图", "休哈特控制图", "SPC", "xbar s chart")
    references = ("montgomery2013", "nelson1984", "gbt17989")
    conventions = (
        "c4 由 Γ 函数算出，不取表值。",
        "σ̂ = s/c4(n) 的平均；合并标准差为 √(ΣSS/Σ(n − 1))，不再除以 c4。",
        "标准差图只判准则 1–4：标准差的分布不对称，区域准则不适用。",
        "触发准则的点是图形的最后一点；落在控制限上的点不算超出。",
    )
    missing = "keep"
    min_rows = 2

    class Input(Form):
        measures: list[Column] = role(
            "测量值", "定量", max=100, hint="一列测量值，另填子组变量或子组大小；或者每列一个样品，每行一个子组"
        )
        subgroup: Column | None = role("子组变量（选填）", "任意")
        phase: Column | None = role("阶段变量（选填）", "定类", hint="各阶段分别计算控制限")
        frozen_limits: FrozenLimits | None = chart.frozen_limits()
        baseline: Level | None = chart.baseline()
        size: int = integer("子组大小", 10, least=2, most=100, hint="只有一列测量值、没有子组变量时，每几行一个子组")
        sigma_method: str = choice("σ 的估计", {"sbar": "s̄/c4", "pooled": "合并标准差"})
        rules: list[str] = chart.rules()
        rule_set: str = chart.rule_set()
        k_sigma: float = chart.k_sigma()
        center: float | None = chart.known_centre()
        sigma: float | None = chart.known_sigma()
        exclude: bool = chart.exclude()

    constants = Table(
        "控制图常数", n=integer("子组大小 *n*"), c4=num("c4"), A3=num("A3"), B3=num("B3"), B4=num("B4"), place="detail"
    )

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        chart.check_rules(report, form)
        data = read(report, form, form.size)
        variables.judge(report, data, "无法计算标准差，请改用单值-移动极差控制图")
        way = {"sbar": "sd", "pooled": "pooled"}[form.sigma_method]

        run, form = variables.run_of(data), cls.settled(form, data.n)
        data = replace(data, phases=chart.frozen(form, data.phases))

        def sigma(kept: chart.Bools) -> chart.Floats:
            return variables.sigma_of(form, data, kept, way)

        def estimate(kept: chart.Bools) -> list[chart.Panel]:
            spread = sigma(kept)
            variables.judge_sigma(spread, data.phases.names)
            centre = variables.centre_of(form, data, kept)
            return [variables.mean_panel(data, centre, spread), variables.sd_panel(data, spread)]

        cls.write(report, form, run, estimate, sigma)
        cls._constants(report, form, data)
        return report

    @classmethod
    def _constants(cls, report: Report, form: Any, data: Subgroups) -> None:
        for n in np.unique(data.n[data.n > 1]).tolist():
            mean = c4(n)
            width = form.k_sigma * float(np.sqrt(1 - mean**2)) / mean
            report.row(
                cls.constants, n=n, c4=mean, A3=form.k_sigma / (mean * np.sqrt(n)), B3=max(0.0, 1 - width), B4=1 + width
            )
