from __future__ import annotations

import numpy as np
from scipy import special, stats

from hengxi.contract import (
    Column,
    Form,
    FrozenLimits,
    Level,
    Report,
    SetRemedy,
    Silent,
    Table,
    flag,
    integer,
    num,
    pvalue,
    role,
)
from hengxi.methods.quality_control._shared import chart, counts
from hengxi.methods.quality_control._shared.chart import Bools, Panel, by_phase


class CChart(chart.Freezes, chart.ControlChart):
    """Defects in units of one size."""

    title, title_en = "缺陷数控制图（C）", "C chart"
    tier = "standard"
    purpose = "等单位面积或数量的缺陷数是否受控"
    aliases = ("C图", "缺陷数", "泊松控制图", "SPC", "c chart")
    references = ("montgomery2013", "nelson1984", "gbt17989")
    conventions = (
        "中心线 = c̄；标准误 √c̄；下限不低于 0。",
        "精确概率限：泊松分布两侧各 1 − Φ(k) 的分位数。",
        "离散度检验：χ² = Σ(c − c̄)²/c̄，自由度 m − 1，右侧 *p*。",
    )
    measured = "defects"
    min_rows = 2

    class Input(Form):
        defects: Column = role("缺陷数", "定量")
        label: Column | None = role("子组标识（选填）", "任意", use="label")
        phase: Column | None = role("阶段变量（选填）", "定类", hint="各阶段分别计算控制限")
        frozen_limits: FrozenLimits | None = chart.frozen_limits()
        baseline: Level | None = chart.baseline()
        exact: bool = flag("泊松精确概率限", False, hint="平均缺陷数小时比 3σ 限准")
        rules: list[str] = chart.rules()
        rule_set: str = chart.rule_set()
        k_sigma: float = chart.k_sigma()
        center: float | None = chart.known_centre()
        exclude: bool = chart.exclude()

    dispersion = Table(
        "离散度检验", variance=num("方差", least=0), mean=num("均值"), ratio=num("方差/均值", least=0),
        chi2=num("χ²", least=0), df=integer("*df*"), p=pvalue(), place="detail",
        claim=Silent("检验的是前提，不是结论"),
    )  # fmt: skip

    sized = False

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        chart.check_rules(report, form)
        form = cls.settled(form, np.ones(1, dtype=np.int64))
        data = counts.read(form, form.defects, np.ones(len(form.defects)), "缺陷数")

        run, data = data.run, counts.estimated(form, data)

        def estimate(kept: Bools) -> list[Panel]:
            rates = counts.rate(form, data, kept)
            counts.judge_rate(rates, "缺陷数", "defects")
            c = by_phase(data.run.phases, rates)
            tail = float(special.ndtr(-form.k_sigma))
            ends = [stats.poisson.ppf(share, c) for share in (tail, 1 - tail)] if form.exact else [None, None]
            return [Panel("缺陷数", data.count, c, np.sqrt(c), lower=0.0, lcl=ends[0], ucl=ends[1])]

        cls.write(report, form, run, estimate)
        x = data.count
        mean, variance = float(x.mean()), float(x.var(ddof=1))
        chi2, df = (x.size - 1) * variance / mean, x.size - 1
        p = float(special.chdtrc(df, chi2))
        report.row(cls.dispersion, variance=variance, mean=mean, ratio=variance / mean, chi2=chi2, df=df, p=p)
        over = p < 0.05
        report.check(
            "泊松分布", "care" if over else "pass",
            "方差是均值的 {ratio:num} 倍（*p* {p:peq}）。"
            + ("缺陷聚集，泊松控制限偏窄，会误报。" if over else "与泊松分布相符。"),
            ratio=variance / mean, p=p,
        )  # fmt: skip
        if mean < 1:
            report.check(
                "平均缺陷数", "care",
                "平均缺陷数 {m:num} 不到 1，3σ 控制限很不准，请打开“泊松精确概率限”，或者把单位取大。",
                remedies=[SetRemedy(title="用泊松精确概率限", set={"exact": True})], m=mean,
            )  # fmt: skip
        return report
