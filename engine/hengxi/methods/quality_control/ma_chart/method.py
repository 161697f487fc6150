from __future__ import annotations

import numpy as np

from hengxi.contract import Column, Form, FrozenLimits, Refusal, Report, Table, integer, num, role
from hengxi.methods.quality_control._shared import chart, smoothed, variables
from hengxi.methods.quality_control._shared.chart import Bools, Panel


class MaChart(chart.Freezes, chart.SingleRun):
    """Moving averages of w points; the first w − 1 rest on fewer."""

    title, title_en = "移动平均控制图（MA）", "Moving average chart"
    tier = "member"
    rescaled = (("measures",),)
    purpose = "小偏移下移动平均是否受控"
    aliases = ("MA图", "移动平均", "滑动平均", "SPC", "moving average chart")
    references = ("montgomery2013",)
    conventions = (
        "移动平均为最近 w 个点（子组均值）的平均；前 w − 1 个点用已有的点平均，控制限较宽。",
        *smoothed.CONVENTIONS,
    )
    missing = "keep"
    min_rows = 2

    class Input(Form):
        measures: list[Column] = role("测量值（单值或子组）", "定量", max=25, hint="按时间先后；多列时每行一个子组")
        subgroup: Column | None = role("子组变量（选填）", "任意")
        frozen_limits: FrozenLimits | None = chart.frozen_limits()
        span: int = integer("移动跨度 w", 3, least=2, most=20)
        k_sigma: float = chart.k_sigma()
        center: float | None = chart.known_centre()
        sigma: float | None = chart.known_sigma()

    values = Table("观测与移动平均", index=integer("序号"), x=num("观测"), average=num("移动平均"), place="detail")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = smoothed.values(report, form)
        if form.span > len(data):
            text = "移动跨度 {w} 不能大于数据个数 {n}"
            raise Refusal("data.few", text, field="span", also=["measures"], w=form.span, n=len(data))
        form = cls.settled(form, data.n)
        spread, centre = smoothed.sigma(form, data), smoothed.centre(form.center, data)
        x, weights = data.mean - centre, 1 / data.n
        width = np.minimum(np.arange(1, x.size + 1), form.span)
        average = centre + _last(x, form.span) / width
        se = spread * np.sqrt(_last(weights, form.span)) / width

        def estimate(kept: Bools) -> list[Panel]:
            return [Panel("移动平均", average, np.full(average.size, centre), se, reach=form.span)]

        cls.write(report, form, variables.run_of(data), estimate, lambda kept: np.array([spread]))
        report.add_rows(cls.values, {"index": np.arange(1, x.size + 1), "x": data.mean, "average": average})
        return report


def _last(x: chart.Floats, span: int) -> chart.Floats:
    """Sum of the last `span` values, fewer at the beginning."""
    padded = np.concatenate([np.zeros(span - 1), x])
    return np.asarray(np.lib.stride_tricks.sliding_window_view(padded, span).sum(axis=1))
