from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Column, Form, FrozenLimits, Refusal, Report, Table, flag, integer, num, number, role
from hengxi.families.control import run_lengths
from hengxi.methods.quality_control._shared import chart, smoothed, variables
from hengxi.methods.quality_control._shared.chart import Bools, Floats, Panel


class EwmaChart(chart.Freezes, chart.SingleRun):
    """Exponentially weighted moving averages with exact or steady limits."""

    title, title_en = "指数加权移动平均控制图（EWMA）", "EWMA chart"
    tier = "standard"
    purpose = "能否及早发现小的均值偏移"
    aliases = ("EWMA", "指数加权", "小偏移", "SPC", "ewma chart")
    references = ("roberts1959", "crowder1987", "montgomery2013")
    conventions = (
        "z(i) = λx(i) + (1 − λ)z(i − 1)，从目标值起算；子组时 x 为子组均值。",
        "控制限按各点的方差逐点计算；选“稳态限”时用 i → ∞ 的方差。",
        "ARL：稳态限、单值、从目标值起算，解积分方程得到；ARL1 为均值偏移 1σ。",
        *smoothed.CONVENTIONS,
    )
    missing = "keep"
    min_rows = 2

    class Input(Form):
        measures: list[Column] = role("测量值（单值或子组）", "定量", max=25, hint="按时间先后；多列时每行一个子组")
        subgroup: Column | None = role("子组变量（选填）", "任意")
        frozen_limits: FrozenLimits | None = chart.frozen_limits()
        lam: float = number("平滑系数 λ", 0.2, least=0.01, most=1, hint="越小越能发现小的偏移，常用 0.05 到 0.3")
        L: float = number("控制限宽度 L", 3, least=1, most=5)
        target: float | None = chart.target()
        steady: bool = flag("稳态限", False)
        sigma: float | None = chart.known_sigma()

    parameters = Table(
        "参数与平均链长", lam=num("λ"), L=num("L"), target=num("目标值"), sigma=num("σ̂", least=0),
        arl0=num("ARL0（无偏移）", least=0), arl1=num("ARL1（偏移 1σ）", least=0), place="main",
    )  # fmt: skip
    values = Table("观测与 EWMA", index=integer("序号"), x=num("观测"), z=num("EWMA"), place="detail")

    centre_field = "target"

    @classmethod
    def width(cls, form: Any) -> float:
        return float(form.L)

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = smoothed.values(report, form)
        if len(data) < 2:
            raise Refusal("data.few", "至少需要 2 个点", field="measures")
        form = cls.settled(form, data.n)
        spread, target = smoothed.sigma(form, data), smoothed.centre(form.target, data)
        z, variance = _averages(data.mean, data.n, form.lam, target)
        if form.steady:
            variance = form.lam / (2 - form.lam) / data.n
        se = spread * np.sqrt(variance)

        def estimate(kept: Bools) -> list[Panel]:
            return [Panel("EWMA", z, np.full(z.size, target), se)]

        cls.write(report, form, variables.run_of(data), estimate, lambda kept: np.array([spread]))
        report.row(
            cls.parameters, lam=form.lam, L=form.L, target=target, sigma=spread,
            arl0=run_lengths.ewma(form.lam, form.L), arl1=run_lengths.ewma(form.lam, form.L, 1.0),
        )  # fmt: skip
        report.add_rows(cls.values, {"index": np.arange(1, z.size + 1), "x": data.mean, "z": z})
        return report


def _averages(x: Floats, n: Any, lam: float, start: float) -> tuple[Floats, Floats]:
    """z and its variance in units of σ²: v(i) = λ²/n(i) + (1 − λ)² v(i − 1)."""
    z, variance = np.empty(x.size), np.empty(x.size)
    held, spread = start, 0.0
    for i in range(x.size):
        held = lam * float(x[i]) + (1 - lam) * held
        spread = lam * lam / float(n[i]) + (1 - lam) ** 2 * spread
        z[i], variance[i] = held, spread
    return z, variance
