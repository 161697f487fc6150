from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special, stats

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Line,
    Method,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    confidence,
    few_of,
    figure,
    integer,
    num,
    number,
    percent,
    role,
    text,
)
from hengxi.stats.histogram import histogram
from hengxi.stats.moments import moments
from hengxi.stats.normality import normality

MOST_N = 10_000_000


class ToleranceInterval(Method):
    """Normal (Howe two-sided, exact one-sided) or by order statistics (Wilks)."""

    title, title_en = "统计容差区间", "Tolerance interval"
    family, tier = "质量控制", "standard"
    rescaled = (("measure",),)
    purpose = "以给定把握包含给定比例总体的区间是什么"
    aliases = ("容忍区间", "容许区间", "tolerance interval", "k系数", "覆盖比例")
    references = ("howe1969", "wilks1941", "montgomery2013")
    conventions = (
        "正态双侧：Howe（1969）近似 k = z√(ν(1 + 1/n)/χ²)：z 为 (1 + P)/2 分位数，χ² 为 ν = n − 1 的 1 − γ 分位数。",
        "正态单侧：k = 非中心 t 的 γ 分位数/√n，非中心参数 z√n，精确。",
        "非参数：次序统计量 x(r) 与 x(n + 1 − r) 之间的比例服从 Beta 分布，取仍达到置信水平的最大的 r。",
    )
    missing = "each"
    min_rows = 2

    class Input(Form):
        measure: Column = role("测量值", "定量", each=True)
        coverage: float = number("包含比例", 0.95, least=0.5, most=0.9999, percent=True)
        conf_level: float = confidence()
        side: str = choice("单双侧", {"two": "双侧", "lower": "只要下限", "upper": "只要上限"})
        method: str = choice("方法", {"normal": "正态", "nonparametric": "非参数（次序统计量）"})

    result = Table(
        "容差区间", method=text("方法"), n=integer("*n*"), mean=num("均值"), sd=num("标准差", least=0), k=num("k 系数"),
        low=num("下限"), high=num("上限"), reached=percent("达到的置信水平"), place="main",
    )  # fmt: skip
    sizes = Table("非参数法需要的最小样本量", side=text("单双侧"), least=integer("最小 *n*"), place="detail")
    bins = Points("直方图", low=num("下限"), high=num("上限"), n=integer("频数"))
    curve = Points("正态曲线", x=num("取值"), y=num("频数"))
    plot = Chart(
        "直方图与正态曲线", "histogram", of=bins, low="low", high="high", count="n",
        over=[Line(curve, x="x", y="y", label="正态曲线")], place="main",
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.about}的容差区间"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        x = form.measure.numbers
        x = x[~np.isnan(x)]
        m = moments(x)
        if not m.sd > 0 or not np.isfinite(m.sd):
            text_ = "“{v}”没有变异（全部相同），容差区间没有意义，请核对数据"
            raise Refusal("data.constant", text_, field="measure", column=form.measure.id, v=form.measure.title)
        if form.method == "normal":
            k = factor(m.n, form.coverage, form.conf_level, form.side)
            low = None if form.side == "upper" else m.mean - k * m.sd
            high = None if form.side == "lower" else m.mean + k * m.sd
            report.row(cls.result, method="正态", n=m.n, mean=m.mean, sd=m.sd, k=k, low=low, high=high, reached=None)
        else:
            low, high = cls._by_order(report, form, x, m)
        for side in ("two", "lower"):
            least = least_n(form.coverage, form.conf_level, side)
            report.row(cls.sizes, side="双侧" if side == "two" else "单侧", least=least)
        cls._draw(report, form, x, m)
        cls._say(report, form, low, high)
        if form.method == "normal":
            cls._normality(report, x)
        return report

    @classmethod
    def _by_order(cls, report: Report, form: Any, x: Any, m: Any) -> tuple[float | None, float | None]:
        rank = deepest(m.n, form.coverage, form.conf_level, form.side)
        if rank == 0:
            least = least_n(form.coverage, form.conf_level, form.side)
            raise Refusal(
                "data.few", "样本量 {n} 不足以达到所需的置信水平，至少需要 {m}；数据接近正态时可用正态法",
                field="method", column=form.measure.id, n=m.n, m=least,
                remedies=[SetRemedy(title="改用正态法", set={"method": "normal"})],
            )  # fmt: skip
        ordered = np.sort(x)
        low = None if form.side == "upper" else float(ordered[rank - 1])
        high = None if form.side == "lower" else float(ordered[-rank])
        out = 2 * rank if form.side == "two" else rank
        reached = float(special.betaincc(m.n - out + 1, out, form.coverage))
        report.row(
            cls.result, method="非参数", n=m.n, mean=m.mean, sd=m.sd, k=None, low=low, high=high, reached=reached
        )
        report.note(cls.result, "从每一端数第 {r:integer} 个值为界。", r=rank)
        return low, high

    @classmethod
    def _draw(cls, report: Report, form: Any, x: Any, m: Any) -> None:
        found = histogram(x)
        report.add_rows(cls.bins, {"low": found.edges[:-1], "high": found.edges[1:], "n": found.counts})
        at = np.linspace(found.edges[0], found.edges[-1], 100)
        height = m.n * found.width * np.exp(-(((at - m.mean) / m.sd) ** 2) / 2) / (m.sd * np.sqrt(2 * np.pi))
        report.add_rows(cls.curve, {"x": at, "y": height})
        report.chart(cls.plot, titles={"x": form.measure.title})

    @classmethod
    def _say(cls, report: Report, form: Any, low: float | None, high: float | None) -> None:
        where = (
            "在 {low:num} 到 {high:num} 之间" if low is not None and high is not None
            else "不低于 {low:num}" if low is not None else "不高于 {high:num}"
        )  # fmt: skip
        facts = {key: value for key, value in (("low", low), ("high", high)) if value is not None}
        report.lead(
            "有 {level:percent} 的把握，至少 {share:percent} 的“{y}”" + where + "。",
            figures=(figure("包含比例", "{share:percent}", "把握 {level:percent}"),), y=form.measure.title,
            level=form.conf_level, share=form.coverage, **facts,
        )  # fmt: skip
        report.say("容差区间说的是单个产品落在哪里；均值的置信区间说的是平均水平在哪里，前者宽得多。")
        report.say("它由样本算出，不是规格：和规格限比较，才知道产品合不合格。")

    @classmethod
    def _normality(cls, report: Report, x: Any) -> None:
        shape = normality(x)
        if shape is None:
            report.check("正态性", "unknown", "样本太小或太大，没有做正态性检验；正态法要求数据正态，请看直方图。")
            return
        bad = shape.p < 0.05
        report.check(
            "正态性", "fail" if bad else "pass",
            "{name} *p* {p:peq}。"
            + ("偏离正态，正态法的区间不可信，请改用非参数法。" if bad else "没有发现明显偏离正态。"),
            remedies=[SetRemedy(title="改用非参数法", set={"method": "nonparametric"})] if bad else [],
            name=shape.name, p=shape.p,
        )  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        names = [str(row.cells["variable"]) for row in report.rows_of(cls.result)]
        report.lead("给出了“{names}”等 {k} 个变量的容差区间，见表。", names=few_of(names), k=str(len(names)))


def factor(n: int, coverage: float, level: float, side: str) -> float:
    """k of mean ± k sd; Howe (1969) two-sided, exact noncentral t one-sided."""
    df = n - 1
    if side == "two":
        z = float(special.ndtri((1 + coverage) / 2))
        return z * float(np.sqrt(df * (1 + 1 / n) / stats.chi2.ppf(1 - level, df)))
    z = float(special.ndtri(coverage))
    return float(stats.nct.ppf(level, df, z * np.sqrt(n)) / np.sqrt(n))


def deepest(n: int, coverage: float, level: float, side: str) -> int:
    """Greatest r whose order statistics still reach the confidence; 0 where even the extremes do not."""
    ends = 2 if side == "two" else 1

    def reaches(rank: int) -> bool:
        out = ends * rank
        return out <= n and float(special.betaincc(n - out + 1, out, coverage)) >= level

    if not reaches(1):
        return 0
    low, high = 1, n // ends
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if reaches(middle) else (low, middle - 1)
    return low


def least_n(coverage: float, level: float, side: str) -> int:
    """Smallest sample whose extremes (two-sided) or whose extreme (one-sided) reach the confidence."""
    low, high = 1, MOST_N
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if deepest(middle, coverage, level, side) > 0 else (middle + 1, high)
    return low
