from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    Table,
    figure,
    filled,
    integer,
    interval,
    num,
    percent,
    role,
    text,
    values_column,
    words,
)
from hengxi.contract.fields.ready import confidence
from hengxi.methods.descriptive._shared.sample_parts import HUGE
from hengxi.stats import boxes
from hengxi.stats.histogram import histogram
from hengxi.stats.moments import Floats, Ordered, moments
from hengxi.stats.names import level_words, sharing
from hengxi.stats.thin import thin

REGRESSIVE, PROGRESSIVE = 1.03, 0.98
"""Outside these the price-related differential tells of a bias (IAAO, 2013)."""


@dataclass(frozen=True)
class Ratios:
    """Ratios of one group with what they were made of."""

    label: str
    top: Floats
    bottom: Floats

    @property
    def x(self) -> Floats:
        return self.top / self.bottom


class RatioStatistics(Method):
    """Level and uniformity of a ratio, in each group and in all rows."""

    title, title_en = "比率统计", "Ratio statistics"
    family, tier = "描述性分析", "standard"
    purpose = "两个定量变量之比的水平与均匀性如何（如评估价/成交价）"
    aliases = ("比率研究", "评估比率", "离散系数", "COD", "PRD", "价格相关微分", "集中指数")
    references = ("iaao2013", "cochran1977")
    conventions = (
        "比率 = 分子 ÷ 分母；分母小于等于 0 的行剔除。",
        "加权均值 = 分子之和 ÷ 分母之和；其区间按比率估计量的线性化方差（Cochran，1977）和自由度 n − 1 的 t 分布。",
        "均值的区间用 t 分布；中位数的区间用次序统计量（二项分布），实际置信水平不低于所选，例数太少时不给。",
        "COD = AAD ÷ 中位数，PRD = 均值 ÷ 加权均值（IAAO，2013）；标准差以 n − 1 为分母。",
        "以中位数为中心的变异系数，离差平方和也除以 n − 1。",
        "集中指数 = 比率落在区间内（含两端）的行所占的份额。",
        "中位数、均值或加权均值不大于 0 时，以它为分母的系数没有意义，不给。",
    )

    class Input(Form):
        numerator: Column = role("分子", "定量")
        denominator: Column = role("分母", "定量")
        group: Column | None = role("分组变量（选填）", "定类", levels=(1, 50))
        conf_level: float = confidence()
        between: str = words("集中指数区间", "0.8,1.2", hint="写成“下限,上限”", longest=50)

    result = Table(
        "比率统计", group=text("组别", when={"group": filled}), n=integer("*n*"), mean=num("均值"),
        mean_ci=interval("均值 CI", "mean_low", "mean_high", around="mean"), median=num("中位数"),
        median_ci=interval("中位数 CI", "median_low", "median_high", around="median"), weighted=num("加权均值"),
        weighted_ci=interval("加权均值 CI", "weighted_low", "weighted_high", around="weighted"), least=num("最小值"),
        most=num("最大值"), sd=num("标准差", least=0), place="main",
    )  # fmt: skip
    evenness = Table(
        "均匀性", group=text("组别", when={"group": filled}), cod=percent("离散系数 COD", most=None),
        prd=num("价格相关微分 PRD", least=0), aad=num("平均绝对偏差 AAD", least=0),
        cv_mean=percent("变异系数（均值）", most=None), cv_median=percent("变异系数（中位数）", most=None),
        inside=percent("集中指数"), place="main",
    )  # fmt: skip
    bins = Points("比率分布", low=num("下限"), high=num("上限"), n=integer("行数"))
    hist = Chart("比率直方图", "histogram", of=bins, low="low", high="high", count="n", place="main")
    pairs = Points("分子与分母", denominator=num("分母"), numerator=num("分子"))
    scatter = Chart("分子-分母散点图", "point", of=pairs, x="denominator", y="numerator", place="detail")
    spread = Points(
        "箱线", group=text("组别"), min=num("须下端"), q1=num("下折叶点"), median=num("中位数"), q3=num("上折叶点"),
        max=num("须上端"), outliers=values_column("离群值"), when={"group": filled},
    )  # fmt: skip
    box = Chart(
        "分组箱线图", "box", of=spread, x="group", min="min", q1="q1", median="median", q3="q3", max="max",
        outliers="outliers", place="detail", when={"group": filled},
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.numerator.title}与{form.denominator.title}之比"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"variables": [form["numerator"], form["denominator"]]}
        return [
            NextStep(title="看分子和分母各自的分布", method="descriptive/descriptive_statistics", form=start),
            NextStep(title="看两者的相关", method="descriptive/correlation", form=start),
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        low, high = _bounds(form.between)
        whole, parts = _ratios(report, form)
        for part in [*parts, whole]:
            cls._rows(report, part, form, low, high)
        cls._draw(report, whole, parts, form)
        report.note(cls.evenness, "集中指数的区间为 {low:num} 到 {high:num}（含两端）。", low=low, high=high)
        report.note(cls.result, "CI 的置信水平为 {level:percent}。", level=form.conf_level)
        _words(report, form, whole, parts)
        return report

    @classmethod
    def _rows(cls, report: Report, part: Ratios, form: Any, low: float, high: float) -> None:
        x, total = part.x, part.label == "全体" and form.group is not None
        level: dict[str, Any] = {"n": x.size, **_levels(part), "least": float(x.min()), "most": float(x.max())}
        if x.size > 1:
            level |= {"sd": moments(x).sd, **_intervals(part, form.conf_level)}
        label = part.label if form.group else None
        report.row(cls.result, group=label, total=total, **level)
        inside = float(np.mean((x >= low) & (x <= high)))
        report.row(cls.evenness, group=label, total=total, **_evenness(part), inside=inside)

    @classmethod
    def _draw(cls, report: Report, whole: Ratios, parts: list[Ratios], form: Any) -> None:
        shape = histogram(whole.x)
        report.add_rows(cls.bins, {"low": shape.edges[:-1], "high": shape.edges[1:], "n": shape.counts})
        shown = thin(whole.top.size)
        report.add_rows(cls.pairs, {"denominator": whole.bottom[shown], "numerator": whole.top[shown]})
        thinned = (shown.size, whole.top.size) if shown.size < whole.top.size else None
        axes = {"x": form.denominator.title, "y": form.numerator.title}
        report.chart(cls.scatter, titles=axes, thinned=thinned)
        for part in parts:
            b = boxes.box(Ordered.of(part.x))
            report.row(
                cls.spread, group=part.label, min=b.low, q1=b.q1, median=b.median, q3=b.q3, max=b.high,
                outliers=b.outliers,
            )  # fmt: skip


# ---- what goes in --------------------------------------------------------------------------------------------------
def _bounds(written: str) -> tuple[float, float]:
    try:
        low, high = (float(end) for end in written.replace("，", ",").split(","))
    except ValueError:
        low, high = 1.0, 0.0
    if not -HUGE < low < high < HUGE:
        raise Refusal(
            "option.bounds", "集中指数区间应写成“下限,上限”，下限小于上限，例如 0.8,1.2；现在是“{t}”", field="between",
            t=written,
        )  # fmt: skip
    return low, high


def _ratios(report: Report, form: Any) -> tuple[Ratios, list[Ratios]]:
    top, bottom = form.numerator.numbers, form.denominator.numbers
    known = ~(form.numerator.missing | form.denominator.missing)
    if form.group is not None:
        known &= form.group.codes >= 0
    positive = known & (bottom > 0)
    name = form.denominator.title
    if not positive.any():
        raise Refusal(
            "data.denominator", "分母必须为正数：“{v}”没有大于 0 的值，比率无法计算；请检查分子、分母是否放反",
            field="denominator", column=form.denominator.id, v=name,
        )  # fmt: skip
    lost = np.flatnonzero(known & ~positive)
    if lost.size:
        report.warn(
            "data.denominator", "“{v}”有 {n:integer} 行小于等于 0（最前的是第 {r} 行）；分母须为正数，这些行已剔除。",
            v=name, r=int(form.denominator.row_numbers[lost[0]]), n=int(lost.size), columns=[form.denominator],
        )  # fmt: skip
    whole = Ratios("全体", top[positive], bottom[positive])
    _refuse_extreme(form, whole)
    if form.group is None:
        return whole, []
    parts = []
    for code, label in enumerate(level_words(form.group.levels)):
        here = positive & (form.group.codes == code)
        if here.any():
            parts.append(Ratios(label, top[here], bottom[here]))
        if here.sum() < 2:
            report.warn(
                "data.few", "组“{g}”只有 {n:integer} 个比率，没有标准差和区间。", g=label, n=int(here.sum()),
                columns=[form.group],
            )  # fmt: skip
    return whole, parts


def _refuse_extreme(form: Any, whole: Ratios) -> None:
    if whole.top.size < 2:
        raise Refusal("data.few", "有效的比率只有 1 个，至少要 2 个；请检查缺失和分母", field="denominator")
    sizes = (float(np.abs(whole.top).max()), float(whole.bottom.max()), float(1 / whole.bottom.min()))
    with np.errstate(over="ignore"):
        largest = max(*sizes, float(np.abs(whole.x).max()))
    if not largest < HUGE:
        raise Refusal(
            "data.magnitude", "“{a}”或“{b}”的数值过大或过小，比率超出可计算的范围；请换一个单位", field="numerator",
            also=["denominator"], a=form.numerator.title, b=form.denominator.title,
        )  # fmt: skip


# ---- numbers -------------------------------------------------------------------------------------------------------
def _levels(part: Ratios) -> dict[str, float]:
    weighted = float(part.top.sum()) / float(part.bottom.sum())
    return {"mean": moments(part.x).mean, "median": Ordered.of(part.x).median, "weighted": weighted}


def _intervals(part: Ratios, conf: float) -> dict[str, float]:
    x, n = part.x, part.x.size
    mean_low, mean_high = moments(x).mean_interval(conf)
    weighted = _levels(part)["weighted"]
    residuals = part.top - weighted * part.bottom
    se = float(np.sqrt(np.sum(residuals**2) / (n - 1) / n)) / float(part.bottom.mean())
    reach = float(stats.t.isf((1 - conf) / 2, n - 1)) * se
    ends = {"mean_low": mean_low, "mean_high": mean_high}
    ends |= {"weighted_low": weighted - reach, "weighted_high": weighted + reach}
    below = int(stats.binom.ppf((1 - conf) / 2, n, 0.5))
    if below >= 1:
        ordered = np.sort(x)
        ends |= {"median_low": float(ordered[below - 1]), "median_high": float(ordered[n - below])}
    return ends


def _evenness(part: Ratios) -> dict[str, Any]:
    x, at = part.x, _levels(part)
    mean, median, weighted = at["mean"], at["median"], at["weighted"]
    away = x - median
    aad = float(np.abs(away).mean())
    varies = x.size > 1
    return {
        "aad": aad,
        "cod": aad / median if median > 0 else None,
        "prd": mean / weighted if mean > 0 and weighted > 0 else None,
        "cv_mean": moments(x).sd / mean if varies and mean > 0 else None,
        "cv_median": float(np.sqrt(np.sum(away**2) / (x.size - 1))) / median if varies and median > 0 else None,
    }


# ---- words ---------------------------------------------------------------------------------------------------------
def _words(report: Report, form: Any, whole: Ratios, parts: list[Ratios]) -> None:
    even = _evenness(whole)
    facts: dict[str, Any] = {"a": form.numerator.title, "b": form.denominator.title, "n": whole.x.size}
    facts |= {**_levels(whole), "cod": even["cod"], "prd": even["prd"]}
    said = "“{a}”与“{b}”之比的中位数为 {median:num}"
    middle = figure("中位数", "{median:num}")
    if even["cod"] is None or even["prd"] is None:
        report.lead(f"{said}。", [middle], **facts)
        text_ = "比率的中位数、均值或加权均值不大于 0，以它为分母的系数没有意义，表中空着。"
        report.warn("data.nonpositive", text_, columns=[form.numerator])
        return
    report.lead(
        f"{said}，离散系数 COD 为 {{cod:percent}}，价格相关微分 PRD 为 {{prd:num}}。",
        [middle, figure("COD", "{cod:percent}"), figure("PRD", "{prd:num}")], **facts,
    )  # fmt: skip
    report.say(_bias(even["prd"]), prd=even["prd"])
    cods = [(part.label, cod) for part in parts if part.x.size > 1 and (cod := _evenness(part)["cod"]) is not None]
    if len(cods) > 1:
        top = max(cod for _, cod in cods)
        which = sharing([label for label, _ in cods], [cod for _, cod in cods], top)
        report.say("各组里离散系数最大的是“{which}”（{top:percent}）。", which=which, top=top)
    report.say(
        "COD 是比率离中位数平均有多远，占中位数的份额；越小，各行的比率越接近。",
        voice="student",
    )
    report.say(
        "{a}与{b}之比的中位数 = {median:num}，均值 = {mean:num}，加权均值 = {weighted:num}；"
        "COD = {cod:percent}，PRD = {prd:num}，*n* = {n:integer}。", voice="paper", **facts,
    )  # fmt: skip


def _bias(prd: float) -> str:
    if prd > REGRESSIVE:
        return "PRD 为 {prd:num}，大于 1.03：分母大的行比率往往偏低（累退）。"
    if prd < PROGRESSIVE:
        return "PRD 为 {prd:num}，小于 0.98：分母大的行比率往往偏高（累进）。"
    return "PRD 为 {prd:num}，在 0.98 到 1.03 之间：没有看出比率随分母的大小偏高或偏低。"
