from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    Form,
    FrozenLimits,
    Refusal,
    Report,
    Table,
    choice,
    flag,
    integer,
    num,
    number,
    role,
    text,
)
from hengxi.families.control import run_lengths
from hengxi.families.control.subgroups import Subgroups
from hengxi.methods.quality_control._shared import chart, smoothed, variables
from hengxi.methods.quality_control._shared.chart import Bools, Floats, Panel, Standard

LEAST = 5


class CusumChart(chart.Freezes, chart.SingleRun):
    """Tabular CUSUM, or the V-mask on the last point."""

    title, title_en = "累积和控制图（CUSUM）", "CUSUM chart"
    tier = "standard"
    purpose = "均值的小偏移从何时开始"
    aliases = ("CUSUM", "累积和", "V型罩", "变点", "SPC", "cusum chart")
    references = ("page1954", "lucas1982", "brook1972", "montgomery2013")
    conventions = (
        "C⁺(i) = max(0, C⁺(i − 1) + (x − T)√n/σ − k)，C⁻ 同理；以 σ/√n 为单位，超过 h 报警。",
        "变点 = 报警点之前累积和最后一次为 0 的点；N 为自那以后的点数。",
        "快速初始响应：两侧从 h/2 起算。",
        "ARL：双侧，解积分方程得到；ARL1 为均值偏移 1σ/√n。",
        *smoothed.CONVENTIONS,
    )
    missing = "keep"

    class Input(Form):
        measures: list[Column] = role("测量值（单值或子组）", "定量", max=25, hint="按时间先后；多列时每行一个子组")
        subgroup: Column | None = role("子组变量（选填）", "任意")
        frozen_limits: FrozenLimits | None = chart.frozen_limits()
        form: str = choice("形式", {"tabular": "表列", "vmask": "V 型罩"})
        k: float = number("参考值 k（σ 倍）", 0.5, least=0, most=3, hint="取要发现的偏移的一半")
        h: float = number("决策区间 h（σ 倍）", 5, least=1, most=20)
        target: float | None = chart.target()
        fir: bool = flag("快速初始响应", False, when={"form": "tabular"}, hint="开机就偏移时报警更快")
        sigma: float | None = chart.known_sigma()

    parameters = Table(
        "参数与平均链长", target=num("目标值"), sigma=num("σ̂", least=0), k=num("*k*"), h=num("*h*"),
        arl0=num("ARL0（无偏移）", least=0), arl1=num("ARL1（偏移 1σ）", least=0), place="main",
    )  # fmt: skip
    sums = Table(
        "累积和", index=integer("序号"), x=num("观测"), up=num("C⁺", least=0), up_n=integer("N⁺"),
        down=num("C⁻", least=0), down_n=integer("N⁻"), alarm=text("报警"), place="detail",
    )  # fmt: skip
    changes = Table(
        "变点估计", side=text("方向"), alarm=integer("首次报警"), change=integer("变化前的最后一点"),
        shift=num("之后的均值"), place="main",
    )  # fmt: skip

    centre_field = "target"

    @classmethod
    def width(cls, form: Any) -> float:
        return float(form.h)

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = smoothed.values(report, form)
        if len(data) < LEAST:
            raise Refusal("data.few", "累积和图至少需要 5 个点，现在有 {n} 个", field="measures", n=len(data))
        form = cls.settled(form, data.n)
        spread, target = smoothed.sigma(form, data), smoothed.centre(form.target, data)
        with np.errstate(over="ignore"):
            z = (data.mean - target) * np.sqrt(data.n) / spread
        head = form.h / 2 if form.fir else 0.0
        up, up_n = smoothed.cumulated(z - form.k, head)
        down, down_n = smoothed.cumulated(-z - form.k, head)

        def estimate(kept: Bools) -> list[Panel]:
            zero, limit = np.zeros(z.size), np.full(z.size, float(form.h))
            one = np.ones(z.size)
            if form.form == "vmask":
                total = np.cumsum(z)
                reach = form.h + form.k * np.arange(z.size - 1, -1, -1)
                return [Panel("累积和", total, zero, one, ucl=total[-1] + reach, lcl=total[-1] - reach)]
            return [
                Panel("C⁺（偏大）", up, zero, one, lower=0.0, ucl=limit),
                Panel("C⁻（偏小）", -down, zero, one, upper=0.0, lcl=-limit),
            ]

        cls.write(
            report, form, variables.run_of(data), estimate, lambda kept: np.array([spread]),
            lambda kept: [Standard(target, spread)],
        )  # fmt: skip
        report.row(
            cls.parameters, target=target, sigma=spread, k=form.k, h=form.h,
            arl0=run_lengths.cusum(form.k, form.h, head=head), arl1=run_lengths.cusum(form.k, form.h, 1.0, head),
        )  # fmt: skip
        alarm = np.full(z.size, None, dtype=object)
        alarm[down > form.h], alarm[up > form.h] = "偏小", "偏大"
        report.add_rows(
            cls.sums,
            {
                "index": np.arange(1, z.size + 1), "x": data.mean, "up": up, "up_n": up_n.astype(int), "down": down,
                "down_n": down_n.astype(int), "alarm": alarm,
            },
        )  # fmt: skip
        cls._changes(report, data, {"偏大": (up, up_n), "偏小": (down, down_n)}, form.h)
        return report

    @classmethod
    def _changes(cls, report: Report, data: Subgroups, sides: dict[str, tuple[Floats, Floats]], h: float) -> None:
        """Where the sum that first crosses the limit last left zero."""
        first = False
        for side, (sums, lengths) in sides.items():
            crossed = np.flatnonzero(sums > h)
            if crossed.size == 0:
                continue
            at = int(crossed[0])
            change = at + 1 - int(lengths[at])
            after = slice(change, at + 1)
            mean = float(np.average(data.mean[after], weights=data.n[after]))
            report.row(cls.changes, side=side, alarm=at + 1, change=change, shift=mean)
            report.say(
                "{side}：第 {alarm:integer} 点首次报警，均值大约从第 {change:integer} 点后变化，之后约为 {shift:num}。",
                side=side, alarm=at + 1, change=change, shift=mean,
            )  # fmt: skip
            first = True
        if not first:
            report.skip(cls.changes, "没有报警")
