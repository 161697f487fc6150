from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import special

from hengxi.contract import (
    Band,
    Chart,
    Column,
    ColumnInfo,
    Diagonal,
    Form,
    Line,
    Method,
    NextStep,
    Points,
    Reference,
    Refusal,
    Report,
    SetRemedy,
    Table,
    claim,
    figure,
    filled,
    integer,
    many,
    more,
    num,
    number,
    pvalue,
    role,
    stat,
    text,
    values_column,
    weight,
)
from hengxi.methods.descriptive._shared.sample_parts import Part, sample_parts
from hengxi.stats import boxes
from hengxi.stats.frequencies import frequencies
from hengxi.stats.goodness import OfNormal, normal_places
from hengxi.stats.histogram import histogram
from hengxi.stats.moments import Moments, Ordered, expand, moments
from hengxi.stats.names import listed
from hengxi.stats.normality import SHAPIRO_MOST, Normality, jarque_bera, shapiro

TESTS = {
    "shapiro": "Shapiro-Wilk", "lilliefors": "K-S（Lilliefors 校正）", "ks": "K-S（参数已知）",
    "ad": "Anderson-Darling", "jb": "Jarque-Bera", "dagostino": "D'Agostino K²", "cvm": "Cramér-von Mises",
}  # fmt: skip
SKEWED, PEAKED = 3.0, 10.0
"""Kline (2015): beyond these the shape is called extreme."""
DRAWN, COARSE = 500, 10
MUCH = 200
"""From here small departures have small p values."""


class NormalityTest(Method):
    """Sorted once a sample; all tests read the same order. Each p answers to the formula named in the conventions."""

    title, title_en = "正态性检验", "Normality test"
    family, tier = "描述性分析", "standard"
    rescaled = (("variables",),)
    purpose = "定量变量（或各组）是否可视为来自正态总体"
    aliases = (
        "正态分布检验", "Shapiro-Wilk", "夏皮罗", "K-S检验", "Kolmogorov-Smirnov", "Lilliefors", "Anderson-Darling",
        "Jarque-Bera", "QQ图", "PP图", "偏度峰度检验",
    )  # fmt: skip
    references = (
        "shapiro1965", "royston1995", "lilliefors1967", "dallal1986", "stephens1986", "jarque1987", "dagostino1990",
        "kline2015", "blom1958", "kolmogorov1933",
    )  # fmt: skip
    conventions = (
        "Shapiro-Wilk 用 Royston（1995）的算法，只用于 3 到 5000 例；更多时改用 Lilliefors，并以图形和偏度、峰度为准。",
        "Lilliefors 的 p 用 Dallal 与 Wilkinson（1986）的公式，大于 0.1 时用 Stephens 的公式；至少 5 例。",
        "Anderson-Darling、Cramér-von Mises 的 p 用 Stephens（1986）的公式；这两种和 D'Agostino 的 K² 至少 8 例。",
        "Jarque-Bera 用除以 n 的矩，p 由 χ²(2) 得出（Jarque 与 Bera，1987），小样本偏差较大。",
        "K-S（参数已知）的均值和标准差由您给定；不足 100 例且无相同值时用精确 p，否则用 Kolmogorov（1933）的极限分布。",
        "偏度、峰度为校正后的 G1、G2（与 SPSS、Excel 相同），正态时为 0；标准差以 n − 1 为分母。",
        "Q-Q 图的理论分位数用 Blom（1958）的位置 (i − 3/8)/(n + 1/4)，阴影为 95% 逐点区间。",
    )
    weights = ("frequency",)
    missing = "each"
    min_rows = 3

    class Input(Form):
        variables: Column = role("分析变量", "定量", each=True)
        group: Column | None = role("分组变量（选填）", "定类", levels=(1, 30))
        weight: Column | None = weight("频数权重（选填）", kind="frequency", whole=True)
        tests: list[str] = many("检验方法", TESTS, default=("shapiro", "lilliefors", "jb", "ad"), min=1)
        mean: float = number("已知均值", 0, when={"tests": "ks"})
        sd: float = number("已知标准差", 1, above=0, when={"tests": "ks"})
        alpha: float = number("显著性水平", 0.05, least=0.001, most=0.2)
        plots: list[str] = many(
            "图形",
            {"hist": "直方图叠加正态曲线", "qq": "Q-Q图", "pp": "P-P图", "detrended": "去趋势Q-Q图", "box": "箱线图"},
            default=("hist", "qq", "pp"),
        )  # fmt: skip

    result = Table(
        "正态性检验结果", group=text("组别", when={"group": filled}), test=text("检验"), n=integer("*n*"),
        statistic=num("统计量", least=0), p=pvalue(), to=text("比较的分布"),
        verdict=text("结论"), read=text("采用"), merge=("group",), place="main",
        claim=claim(
            "distribution", stat("统计量", "statistic"), outcome="variables", against="to", names=("test",),
            within="group", read="read",
        ),
    )  # fmt: skip
    described = Table(
        "描述", group=text("组别", when={"group": filled}), n=integer("样本量"), median=num("中位数"),
        mean=num("平均值"), sd=num("标准差", least=0), skewness=num("偏度"), kurtosis=num("峰度"), place="main",
    )  # fmt: skip
    bins = Points("直方图", low=num("下限"), high=num("上限"), n=integer("频数"), when={"plots": "hist"})
    curve = Points("正态曲线", x=num("取值"), y=num("频数"), when={"plots": "hist"})
    hist = Chart(
        "直方图与正态曲线", "histogram", of=bins, low="low", high="high", count="n",
        over=[Line(curve, x="x", y="y", label="正态曲线")], place="main", when={"plots": "hist"},
    )  # fmt: skip
    quantiles = Points(
        "Q-Q", x=num("理论分位数"), y=num("观测值"), low=num("下限"), high=num("上限"), line=num("直线"),
        away=num("偏离（标准差）"), when={"plots": ("qq", "detrended")},
    )  # fmt: skip
    qq = Chart(
        "Q-Q图", "point", of=quantiles, x="x", y="y", place="main", when={"plots": "qq"},
        over=[Line(quantiles, x="x", y="line"), Band(quantiles, x="x", low="low", high="high", label="95% 逐点区间")],
    )  # fmt: skip
    shares = Points("P-P", x=num("经验累积概率"), y=num("正态累积概率"), when={"plots": "pp"})
    pp = Chart("P-P图", "point", of=shares, x="x", y="y", over=[Diagonal()], place="main", when={"plots": "pp"})
    detrended = Chart(
        "去趋势Q-Q图", "point", of=quantiles, x="x", y="away", over=[Reference(y=0)], place="main",
        when={"plots": "detrended"},
    )  # fmt: skip
    spread = Points(
        "箱线", group=text("组别"), min=num("须下端"), q1=num("下折叶点"), median=num("中位数"), q3=num("上折叶点"),
        max=num("须上端"), outliers=values_column("离群值"), when={"plots": "box"},
    )  # fmt: skip
    box = Chart(
        "箱线图", "box", of=spread, x="group", min="min", q1="q1", median="median", q3="q3", max="max",
        outliers="outliers", place="main", when={"plots": "box"},
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{f'按{form.group.title}分组的' if form.group else ''}{form.about}的正态性"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"variables": form["variables"], "group": form.get("group"), "weight": form.get("weight")}
        described = NextStep(
            title="看均值、中位数和离散程度（描述性统计）", method="descriptive/descriptive_statistics", form=start
        )
        group = form.get("group")
        if group is None:
            return [described]
        test = "independent_t_test" if columns[group].profile.distinct == 2 else "variance"
        compare = NextStep(title="比较各组的平均值", method=f"hypothesis_test/{test}", form=start)
        return [compare, described]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        parts = sample_parts(form.variables, form.group, frequencies(form.weight))
        usable = [part for part in parts if part.n >= 3 and part.varies]
        if not usable:
            raise cls._refusal(form, parts[0] if len(parts) == 1 else max(parts, key=lambda part: part.n))
        cls._left_out(report, form, [part for part in parts if part not in usable])
        found = [cls._part(report, part, form) for part in usable]
        if not any(read for _, _, read in found):
            raise Refusal(
                "data.few", "“{v}”的例数太少，所选的检验都不能做；可加选 Shapiro-Wilk（至少 3 例）", field="tests",
                remedies=[SetRemedy(title="加选 Shapiro-Wilk", set={"tests": ["shapiro", *form.tests]})],
                v=form.variables.title,
            )  # fmt: skip
        cls._words(report, form, usable, found)
        return report

    @staticmethod
    def _refusal(form: Any, part: Part) -> Refusal:
        column = form.variables
        if part.n < 3:
            words = "“{v}”有效样本仅 {n} 个，正态性检验（Shapiro-Wilk）至少需要3个；请换一个变量或合并各组"
            return Refusal("data.few", words, field="variables", column=column.id, v=column.title, n=part.n)
        words = "“{v}”没有变异（或数值过大、过小），无法检验正态性；请换一个变量或换一个单位"
        return Refusal("role.constant", words, field="variables", column=column.id, v=column.title)

    @staticmethod
    def _left_out(report: Report, form: Any, parts: list[Part]) -> None:
        if parts:
            report.warn(
                "data.dropped_group", "“{v}”的{which}有效值不足 3 个或没有变异，没有检验。", v=form.variables.title,
                which=listed([str(part.label) for part in parts], 5, "组"), columns=[form.group],
            )  # fmt: skip

    @classmethod
    def _part(cls, report: Report, part: Part, form: Any) -> tuple[Moments, dict[str, Normality], str]:
        m = moments(part.x, part.counts)
        sample = OfNormal(part.x, part.counts, m)
        asked = list(form.tests)
        if m.n > SHAPIRO_MOST and "shapiro" in asked:
            asked = ["lilliefors", *(key for key in asked if key not in ("shapiro", "lilliefors"))]
            text = "样本量大于5000，Shapiro-Wilk 的 *p* 不准，已以 K-S（Lilliefors）与图形为准。"
            report.warn("data.many", text, columns=[form.variables])
        made = {key: test for key in asked if (test := _test(key, part, sample, m, form)) is not None}
        if missing := [TESTS[key] for key in asked if key not in made]:
            report.note(cls.result, "没有给出{which}：例数太少。", which=listed(missing, 9, "种"))
        order = ("shapiro", "lilliefors", "ad", "dagostino", "cvm", "jb", "ks")
        read = next((key for key in order if key in made), "")
        for key, test in made.items():
            verdict = "偏离" if test.p < form.alpha else "没有发现偏离"
            report.row(
                cls.result, group=part.label, test=TESTS[key], n=m.n, statistic=test.statistic, p=test.p,
                to="正态分布", verdict=verdict, read="采用" if key == read else "",
            )  # fmt: skip
        middle = Ordered.of(part.x, part.counts).median
        report.row(
            cls.described, group=part.label, n=m.n, median=middle, mean=m.mean, sd=m.sd, skewness=m.skewness,
            kurtosis=m.kurtosis,
        )  # fmt: skip
        cls._draw(report, part, sample, form)
        return m, made, read

    # ---- figures ---------------------------------------------------------------------------------------------------
    @classmethod
    def _draw(cls, report: Report, part: Part, sample: OfNormal, form: Any) -> None:
        m, asked, at = sample.m, set(form.plots), part.label
        axis = {"x": form.variables.title}
        if "hist" in asked:
            found = histogram(part.x, part.counts)
            report.add_rows(cls.bins, {"low": found.edges[:-1], "high": found.edges[1:], "n": found.counts}, at=at)
            x = np.linspace(found.edges[0], found.edges[-1], 100)
            height = m.n * found.width * np.exp(-(((x - m.mean) / m.sd) ** 2) / 2) / (m.sd * np.sqrt(2 * np.pi))
            report.add_rows(cls.curve, {"x": x, "y": height}, at=at)
            report.chart(cls.hist, at=at, titles=axis)
        place, some = normal_places(sample.ends, m.n), _some(sample.values.size)
        z = special.ndtri(place[some])
        if asked & {"qq", "detrended"}:
            line = m.mean + m.sd * z
            half = 1.959963984540054 * m.sd * np.sqrt(place[some] * (1 - place[some]) / m.n)
            half /= np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
            points = {"x": z, "y": sample.values[some], "low": line - half, "high": line + half, "line": line}
            report.add_rows(cls.quantiles, {**points, "away": sample.z[some] - z}, at=at)
            report.chart(cls.qq, at=at, titles={"y": form.variables.title})
            report.chart(cls.detrended, at=at)
        if "pp" in asked:
            report.add_rows(cls.shares, {"x": place[some], "y": special.ndtr(sample.z[some])}, at=at)
            report.chart(cls.pp, at=at)
        if "box" in asked:
            shape = boxes.box(Ordered.of(part.x, part.counts))
            report.row(
                cls.spread, group=part.label or form.variables.title, min=shape.low, q1=shape.q1, median=shape.median,
                q3=shape.q3, max=shape.high, outliers=shape.outliers,
            )  # fmt: skip
            report.chart(cls.box, titles={"y": form.variables.title})

    # ---- words -----------------------------------------------------------------------------------------------------
    @classmethod
    def _words(cls, report: Report, form: Any, parts: list[Part], found: list[Any]) -> None:
        m, made, read = found[0]
        facts: dict[str, Any] = {"v": form.variables.title, "n": m.n, "g1": m.skewness, "g2": m.kurtosis}
        away = [part for part, (_, made, read) in zip(parts, found, strict=True) if _departs(made, read, form)]
        if form.group is None:
            test = made[read]
            facts |= {"test": TESTS[read], "p": test.p, "statistic": test.statistic}
            verdict = "偏离正态分布" if away else "没有发现明显偏离正态分布"
            figures = [figure("*p*", "{p:pvalue}", TESTS[read]), figure("样本量", "{n:integer}")]
            if m.kurtosis is not None:
                figures += [figure("偏度", "{g1:num}"), figure("峰度", "{g2:num}")]
            report.lead(f"“{{v}}”{verdict}（{{test}}，*p* {{p:peq}}）。{_mild(m) if away else ''}", figures, **facts)
            report.say(
                "“{v}”的 {test} 检验：统计量 = {statistic:num3}，*p* {p:peq}，*n* = {n:integer}。",
                voice="paper",
                **facts,
            )
        else:
            which = listed([str(part.label) for part in away], 5, "组")
            text = "“{v}”在{which}偏离正态分布。" if away else "“{v}”在各组都没有发现明显偏离正态分布。"
            report.lead(text, **facts, which=which)
        if away:
            report.say(
                "偏离正态时，平均值和标准差不足以说明分布；可同时报告中位数，比较各组可用秩检验。", voice="student"
            )
        report.say("没有发现偏离，不等于就是正态：样本小时，明显的偏离也可能查不出来。请同时看图。", voice="student")
        _checks(report, parts, found, form)


def _departs(made: dict[str, Normality], read: str, form: Any) -> bool:
    return bool(read) and made[read].p < form.alpha


def _mild(m: Moments) -> str:
    if m.skewness is None or m.kurtosis is None or abs(m.skewness) >= SKEWED or abs(m.kurtosis) >= PEAKED:
        return ""
    return "偏度的绝对值小于 3、峰度的绝对值小于 10，虽不绝对正态但可接受（Kline，2015）。"


def _checks(report: Report, parts: list[Part], found: list[Any], form: Any) -> None:
    most = max(m.n for m, _, _ in found)
    distinct = min(np.unique(part.x).size for part in parts)
    report.check(
        "取值的精细程度", "care" if distinct < COARSE else "pass",
        "不同的取值最少只有 {k:integer} 个。"
        + ("取值太粗，检验容易判为偏离，请以图形为准。" if distinct < COARSE else ""),
        k=distinct,
    )  # fmt: skip
    large = most >= MUCH
    report.check(
        "样本量",
        "care" if large else "pass",
        "最多的一组有 {n:integer} 例。" if form.group else "样本有 {n:integer} 例。",
        more=more(
            "样本越大，越小的偏离也会有很小的 *p*；样本小时，明显的偏离也可能查不出来。",
            "最多 {n:integer} 例。",
            "大样本的 t 检验和方差分析对偏离不敏感，因为用的是均值。",
            "例数多时先看 Q-Q 图、偏度和峰度，不只看 *p*。" if large else "例数不多时，*p* 与图形一起看。",
        ),
        n=most,
    )


def _test(key: str, part: Part, sample: OfNormal, m: Moments, form: Any) -> Normality | None:
    match key:
        case "shapiro":
            return shapiro(expand(part.x, part.counts))
        case "lilliefors":
            return sample.lilliefors()
        case "ks":
            return sample.given(form.mean, form.sd)
        case "ad":
            return sample.anderson()
        case "jb":
            return jarque_bera(m)
        case "dagostino":
            return sample.dagostino()
        case _:
            return sample.cramer()


def _some(size: int) -> Any:
    """Places of points to draw: all, or evenly spaced with both ends."""
    return np.arange(size) if size <= DRAWN else np.unique(np.linspace(0, size - 1, DRAWN).astype(np.int64))
