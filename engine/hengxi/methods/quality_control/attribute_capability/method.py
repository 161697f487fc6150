from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special, stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Points,
    Reference,
    Refusal,
    Report,
    Silent,
    Table,
    choice,
    confidence,
    figure,
    integer,
    interval,
    num,
    number,
    pvalue,
    role,
    rows_column,
    text,
)
from hengxi.families.control.rules import RULES
from hengxi.methods.quality_control._shared import counts
from hengxi.methods.quality_control._shared.chart import DRAWN, Bools, Floats, Panel
from hengxi.stats import poisson_rates
from hengxi.stats.histogram import histogram
from hengxi.stats.proportions import clopper_pearson

MILLION = 1e6
FEW = 25


@dataclass(frozen=True)
class Rate:
    """A rate per unit with its bounds; `per`: opportunities in a unit."""

    value: float
    low: float
    high: float
    per: int
    binomial: bool

    def each(self) -> tuple[float, float, float]:
        return self.value, self.low, self.high


class AttributeCapability(Method):
    """Defectives or defects per unit with exact intervals, DPMO, yields, Z and sigma level."""

    title, title_en = "计数型过程能力", "Attribute capability (DPMO, sigma level)"
    family, tier = "质量控制", "standard"
    purpose = "不合格率、缺陷率对应多少 DPMO 与西格玛水平"
    aliases = ("DPMO", "西格玛水平", "DPU", "直通率", "RTY", "一次合格率", "FTY", "六西格玛")
    references = ("clopper1934", "garwood1936", "montgomery2013")
    conventions = (
        "不合格率 = Σ不合格品数/Σ检验数，区间用 Clopper-Pearson 精确法。",
        "DPU = Σ缺陷数/Σ单位数，区间用 Garwood 的泊松精确法；DPO = DPU/单位机会数，DPMO = 10⁶ DPO。",
        "一次合格率：二项为 1 − 不合格率，泊松为 e^(−DPU)。直通率：(1 − DPO)^单位机会数。",
        "Z = Φ⁻¹(1 − DPO)（二项用不合格率），西格玛水平 = Z + 漂移；1.5 的漂移是惯例，不由数据得出。",
        "没有不合格记录时给单侧置信上限。",
        "批间一致：χ² = Σ(观测 − 预期)²/方差，自由度为批数 − 1。",
    )
    row_order = True

    class Input(Form):
        count: Column = role("不合格数/缺陷数", "定量")
        size: Column = role("检验数/单位数", "定量")
        type: str = choice("类型", {"binomial": "二项（不合格品）", "poisson": "泊松（缺陷）"})
        opportunities: int = integer(
            "单位机会数", 1, least=1, most=1_000_000, when={"type": "poisson"}, hint="一个单位上有多少处可能出缺陷"
        )
        shift: float = number("西格玛漂移", 1.5, least=0, most=3)
        conf_level: float = confidence()

    summary = Table(
        "能力汇总",
        measure=text("指标"),
        value=num("值"),
        ci=interval("CI", "low", "high", around="value"),
        place="main",
    )
    homogeneity = Table(
        "各批是否一致", batches=integer("批数"), chi2=num("*χ*²", least=0), df=integer("*df*"), p=pvalue(),
        ratio=num("*χ*²/*df*", least=0), beyond=integer("失控批数"), claim=Silent("检验的是前提，不是过程能力"),
    )  # fmt: skip
    running = Points("累积率", index=integer("批"), y=num("累积率"))
    cumulative = Chart("累积率", "line", of=running, x="index", y="y", place="main")
    drawn = Points(
        "控制图数据",
        index=integer("序号"),
        value=num("取值"),
        cl=num("中心线 CL"),
        lcl=num("下限 LCL"),
        ucl=num("上限 UCL"),
        signal=text("判异"),
        rows=rows_column("数据行"),
    )
    control = Chart(
        "控制图", "control", of=drawn, index="index", value="value", cl="cl", ucl="ucl", lcl="lcl", signal="signal",
        rows="rows", place="main",
    )  # fmt: skip
    by_size = Points("率与样本量", x=num("检验数"), y=num("率"))
    spread = Chart("率与样本量", "point", of=by_size, x="x", y="y")
    bins = Points("率的分布", low=num("下限"), high=num("上限"), n=num("批数"))
    hist = Chart("率的分布", "histogram", of=bins, low="low", high="high", count="n")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.count.title}的过程能力"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        if form["type"] == "binomial":
            start = {"defectives": form["count"], "size": form["size"]}
            return [NextStep(title="看哪些批失控（不合格品率控制图）", method="quality_control/p_chart", form=start)]
        start = {"defects": form["count"], "units": form["size"]}
        return [NextStep(title="看哪些批失控（单位缺陷数控制图）", method="quality_control/u_chart", form=start)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        binomial = form.type == "binomial"
        counts.judge_sizes(form.size, "size", "检验数必须大于 0" if binomial else "单位数必须大于 0")
        size = form.size.numbers
        data = counts.read(form, form.count, size, "不合格品数" if binomial else "缺陷数")
        _judge(form, binomial)
        total, n = float(data.count.sum()), float(size.sum())
        if not n < 1e15 or not total < 1e15:
            raise Refusal("data.range", "合计太大，请核对数据", field="size", column=form.size.id)
        rate = _rate(form, total, n, binomial)
        if total == 0:
            report.warn("data.zero", "没有不合格记录，仅能给出置信上限。")
        for name, value in (("检验数" if binomial else "单位数", n), ("不合格品数" if binomial else "缺陷数", total)):
            report.row(cls.summary, measure=f"{name}合计", value=value)
        dpmo, z = cls._summary(report, form, rate)
        share = data.count / size
        mean = rate.value
        variance = mean * (1 - mean) / size if binomial else mean / size
        panel = Panel(
            "不合格品率" if binomial else "DPU", share, np.full(share.size, mean), np.sqrt(variance), lower=0.0,
            upper=1.0 if binomial else np.inf,
        )  # fmt: skip
        beyond = panel.beyond(3)
        cls._homogeneity(report, share, mean, variance, beyond)
        cls._draw(report, form, data.count, size, panel)
        cls._say(report, form, rate, n, dpmo, z)
        few = share.size < FEW
        report.check(
            "批数", "care" if few else "pass",
            "共 {k:integer} 批" + ("，不足 25 批，累积率可能还没有稳定，请看累积率图。" if few else "，够用。"),
            k=share.size,
        )  # fmt: skip
        return report

    @classmethod
    def _summary(cls, report: Report, form: Any, rate: Rate) -> tuple[float, float | None]:
        """Rows of the table; gives DPMO and Z. Rates fall as yields rise, so their bounds change places."""
        k, binomial = rate.per, rate.binomial
        dpo = [value / k for value in rate.each()]

        def good(value: float) -> float:
            return 1 - value if binomial else float(np.exp(-value))

        rows: list[tuple[str, list[float]]] = [("平均不合格率" if binomial else "DPU", list(rate.each()))]
        rows += [("PPM", [MILLION * v for v in dpo])] if binomial else [("DPO", dpo)]
        rows += [
            ("DPMO", [MILLION * v for v in dpo]),
            ("一次合格率", [good(v) for v in (rate.value, rate.high, rate.low)]),
            ("直通率 RTY", [(1 - v) ** k if v < 1 else 0.0 for v in (dpo[0], dpo[2], dpo[1])]),
        ]
        z = [-float(special.ndtri(min(v, 1.0))) for v in (dpo[0], dpo[2], dpo[1])]
        rows += [("Z", z), ("西格玛水平", [value + form.shift for value in z])]
        for name, values in rows:
            value, low, high = (v if np.isfinite(v) else None for v in values)
            report.row(cls.summary, measure=name, value=value, low=low, high=high)
        if not np.isfinite(z).all():
            report.note(cls.summary, "率为 0 或 1 的一端没有有限的 Z，空着。")
        return MILLION * dpo[0], z[0] if np.isfinite(z[0]) else None

    @classmethod
    def _homogeneity(cls, report: Report, share: Floats, mean: float, variance: Floats, beyond: Bools) -> None:
        df = share.size - 1
        if df == 0 or not (variance > 0).all():
            report.skip(cls.homogeneity, "只有 1 批，或者率为 0 或 1")
            return
        chi2 = float(((share - mean) ** 2 / variance).sum())
        p = float(stats.chi2.sf(chi2, df))
        report.row(
            cls.homogeneity, batches=share.size, chi2=chi2, df=df, p=p, ratio=chi2 / df, beyond=int(beyond.sum())
        )
        uneven = p < 0.05
        report.check(
            "各批一致", "care" if uneven or beyond.any() else "pass",
            "{k:integer} 批超出控制限；批间差异检验 *p* {p:peq}。"
            + ("各批的率不一致，平均的能力不能代表以后，区间也偏窄。" if uneven else "各批的率没有发现明显的差异。"),
            k=int(beyond.sum()), p=p,
        )  # fmt: skip

    @classmethod
    def _draw(cls, report: Report, form: Any, count: Floats, size: Floats, panel: Panel) -> None:
        n = count.size
        name = "不合格品率" if form.type == "binomial" else "DPU"
        cumulated = np.cumsum(count) / np.cumsum(size)
        low, high = panel.limits(3)
        at = np.arange(max(0, n - DRAWN), n)
        thinned = (DRAWN, n) if n > DRAWN else None
        report.add_rows(cls.running, {"index": at + 1, "y": cumulated[at]})
        report.chart(
            cls.cumulative, titles={"x": "批", "y": f"累积{name}"}, thinned=thinned,
            over=[Reference(y=float(cumulated[-1]), label="平均")],
        )  # fmt: skip
        cells = {"value": panel.value, "cl": panel.cl, "lcl": low, "ucl": high}
        beyond = panel.beyond(3)
        signal = [RULES["nelson1"] if beyond[i] else None for i in at]
        rows = [[int(row)] for row in form.size.row_numbers[at]]
        shown = {key: column[at] for key, column in cells.items()}
        report.add_rows(cls.drawn, {"index": at + 1, **shown, "signal": signal, "rows": rows})
        report.chart(cls.control, titles={"x": "批", "y": name}, thinned=thinned)
        report.add_rows(cls.by_size, {"x": size[at], "y": panel.value[at]})
        report.chart(cls.spread, titles={"x": form.size.title, "y": name}, thinned=thinned)
        found = histogram(panel.value)
        report.add_rows(cls.bins, {"low": found.edges[:-1], "high": found.edges[1:], "n": found.counts})
        report.chart(cls.hist, titles={"x": name, "y": "批数"})

    @classmethod
    def _say(cls, report: Report, form: Any, rate: Rate, n: float, dpmo: float, z: float | None) -> None:
        what = "不合格品" if rate.binomial else "缺陷"
        facts: dict[str, Any] = {
            "unit": "件" if rate.binomial else "个机会",
            "level": form.conf_level,
            "high": MILLION * rate.high / rate.per,
            "n": n,
        }
        if rate.value == 0:
            report.lead(
                "检验了 {n:num} 个单位，没有发现{what}；每百万{unit}不超过 {high:num} 个（{level:percent} 置信上限）。",
                (figure("DPMO 上限", "{high:num}"),), what=what, **facts,
            )  # fmt: skip
        else:
            facts |= {} if z is None else {"sigma": z + form.shift}
            report.lead(
                "每百万{unit}有 {dpmo:num} 个{what}（{level:percent} CI {low:num} 到 {high:num}）"
                + ("。" if z is None else "，西格玛水平 {sigma:num}。"),
                (figure("DPMO", "{dpmo:num}"),) if z is None
                else (figure("DPMO", "{dpmo:num}"), figure("西格玛水平", "{sigma:num}", "漂移 {shift:num}")),
                dpmo=dpmo, what=what, low=MILLION * rate.low / rate.per, shift=form.shift,
                **facts,
            )  # fmt: skip
        report.say("西格玛水平是 Z 加上约定的漂移；和别人比较时先核对漂移是否相同，直接比 Z 更清楚。")


def _judge(form: Any, binomial: bool) -> None:
    count, size = form.count.numbers, form.size.numbers
    rows = np.asarray(form.count.row_numbers)
    if binomial and (size != np.round(size)).any():
        row = int(rows[size != np.round(size)][0])
        raise Refusal(
            "data.size", "第 {at} 行的检验数不是整数，请改为件数", field="size", column=form.size.id, row=row, at=row
        )
    if binomial and (count > size).any():
        row = int(rows[count > size][0])
        words = "第 {at} 行不合格数大于检验数，请核对；数的是缺陷时把“类型”改为泊松"
        raise Refusal("data.over", words, field="count", column=form.count.id, row=row, at=row)
    if not binomial and count.sum() >= size.sum() * form.opportunities:
        words = "平均每个机会不止一个缺陷，请把“单位机会数”填为一个单位上可能出缺陷的处数"
        raise Refusal("data.over", words, field="opportunities", also=["count"])


def _rate(form: Any, total: float, n: float, binomial: bool) -> Rate:
    """The pooled rate; of no defects at all the upper bound is one-sided."""
    level = form.conf_level
    if not binomial:
        side = "two_sided" if total > 0 else "less"
        low, high = poisson_rates.interval("exact", int(total), level, side)
        return Rate(total / n, low / n, high / n, form.opportunities, binomial)
    low, high = clopper_pearson(total, n, level) if total > 0 else (0.0, -float(np.expm1(np.log1p(-level) / n)))
    return Rate(total / n, low, high, 1, binomial)
