from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Diagonal,
    Form,
    Method,
    NextStep,
    Points,
    Reference,
    Refusal,
    Report,
    SetRemedy,
    Silent,
    Table,
    choice,
    confidence,
    figure,
    filled,
    integer,
    interval,
    num,
    number,
    percent,
    pvalue,
    role,
    text,
)
from hengxi.stats import intraclass
from hengxi.stats.histogram import histogram
from hengxi.stats.moments import Floats
from hengxi.stats.names import number_words
from hengxi.stats.normality import normality

SCALES = {"difference": "差值", "percent": "百分差", "ratio": "比值（对数）"}
ACROSS = {"mean": "两法均值", "a": "方法A", "b": "方法B"}
DRAWN = 900


@dataclass(frozen=True)
class Limits:
    """Bias and limits of agreement on the scale of the differences (logarithms for ratios).

    `subjects`: codes where a subject was measured several times; the limits then hold the spread between and within.
    """

    d: Floats
    k: float
    level: float
    subjects: Any = None

    @property
    def n(self) -> int:
        return self.d.size

    @cached_property
    def bias(self) -> float:
        return float(self.d.mean())

    @cached_property
    def sd(self) -> float:
        """Of the differences; with repeats √(between + within) of a one-way analysis (Bland & Altman 2007)."""
        if self.subjects is None:
            return float(self.d.std(ddof=1))
        within, between = self.components
        return float(np.sqrt(within + between))

    @cached_property
    def components(self) -> tuple[float, float]:
        """Variance within and between subjects; a negative estimate counts as 0."""
        _, place = np.unique(self.subjects, return_inverse=True)
        sizes = np.bincount(place).astype(float)
        means = np.bincount(place, self.d) / sizes
        groups, n = sizes.size, float(self.n)
        within = float(np.sum((self.d - means[place]) ** 2)) / (n - groups)
        between = float(sizes @ (means - self.bias) ** 2) / (groups - 1)
        spread = (n**2 - float(sizes @ sizes)) / ((groups - 1) * n)
        return within, max(0.0, (between - within) / spread)

    @property
    def ends(self) -> tuple[float, float]:
        return self.bias - self.k * self.sd, self.bias + self.k * self.sd

    def around(self, value: float, factor: float) -> tuple[float, float] | None:
        """t interval with the standard error SD·√factor; none for repeats, whose rows are not independent."""
        if self.subjects is not None:
            return None
        half = float(stats.t.isf((1 - self.level) / 2, self.n - 1)) * self.sd * float(np.sqrt(factor))
        return value - half, value + half

    @property
    def intervals(self) -> tuple[tuple[float, float] | None, ...]:
        """Of the bias, the lower and the upper limit."""
        factor = 1 / self.n + self.k**2 / (2 * (self.n - 1))
        low, high = self.ends
        return self.around(self.bias, 1 / self.n), self.around(low, factor), self.around(high, factor)


class BlandAltman(Method):
    title, title_en = "Bland-Altman一致性分析", "Bland-Altman agreement"
    family, tier = "医学统计", "standard"
    purpose = "两种测量方法是否可互换，差值的一致性界限多宽？"
    aliases = ("一致性界限", "LoA", "方法比较", "偏倚", "一致性相关系数", "CCC", "Lin", "差值图", "重复性")
    references = ("bland1986", "bland2007", "lin1989", "mcgraw1996")
    conventions = (
        "差值 = A − B；百分差 = 100 × (A − B) ÷ 两法均值；比值在对数上计算，再换回 A ÷ B。",
        "界限 = 平均差 ± k × 标准差；界限的标准误取 SD·√(1/n + k²/(2(n − 1)))，区间用 t(n − 1)。",
        "有重复测量时，标准差 = √(个体间方差 + 个体内方差)，由单因素方差分析估计；这时不给区间。",
        "CCC 用 Lin（1989），区间经 Fisher z 变换；ICC 为双向、绝对一致、单次测量。",
        "重复性系数 = 1.96 × √(Σ(A − B)²/n)，把偏倚也算在内。",
        "比例偏倚：差值对两法均值的直线，检验斜率为 0。",
    )
    min_rows = 3

    class Input(Form):
        a: Column = role("方法A", "定量")
        b: Column = role("方法B", "定量")
        subject: Column | None = role("个体（重复测量时，选填）", "任意")
        scale: str = choice("差值尺度", SCALES)
        xaxis: str = choice("横轴", ACROSS)
        k: float = number("界限倍数", 1.96, least=1, most=3, hint="1.96 对应 95% 的差值")
        limit: float | None = number(
            "临床可接受的差", None, above=0, auto="不判断", hint="与差值同一尺度；比值填最大的倍数，如 1.2"
        )
        conf_level: float = confidence()

    result = Table(
        "一致性",
        measure=text("项目"),
        value=num("估计"),
        ci=interval("CI", "low", "high", around="value"),
        place="main",
    )
    counts = Table(
        "界限内外", n=integer("*N*"), inside=integer("界限内"), outside=integer("界限外"), share=percent("界限外占比"),
        place="main",
    )  # fmt: skip
    components = Table(
        "方差成分", within=num("个体内方差", least=0), between=num("个体间方差", least=0), subjects=integer("个体"),
        when={"subject": filled},
    )  # fmt: skip
    agreement = Table(
        "一致性系数", name=text("系数"), value=num("值", least=-1, most=1, decimals=3),
        ci=interval("CI", "low", "high", around="value"), place="main",
    )  # fmt: skip
    repeat = Table("重复性系数", value=num("重复性系数", least=0))
    slope = Table(
        "比例偏倚", slope=num("斜率"), se=num("标准误", least=0), t=num("*t*"), df=integer("*df*"), p=pvalue(),
        claim=Silent("told by its check"),
    )  # fmt: skip
    points = Points("差值", row=integer("行号"), across=num("横轴"), difference=num("差值"))
    plot = Chart("Bland-Altman 图", "point", of=points, x="across", y="difference", row="row", place="main")
    pairs = Points("两法", row=integer("行号"), a=num("方法A"), b=num("方法B"))
    scatter = Chart("散点与等值线", "point", of=pairs, x="a", y="b", row="row", over=[Diagonal()])
    bins = Points("差值的分组", low=num("下界"), high=num("上界"), n=integer("个数"))
    bars = Chart("差值直方图", "histogram", of=bins, low="low", high="high", count="n")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.a.title}与{form.b.title}的一致性"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        pair = [form["a"], form["b"]]
        return [
            NextStep(title="看两种方法的相关", method="descriptive/correlation", form={"variables": pair}),
            NextStep(title="检验平均差（配对 t）", method="hypothesis_test/paired_sample_t_test", form={}),
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        a, b = form.a.numbers, form.b.numbers
        cls._judge(form, a, b)
        limits = Limits(_differences(form, a, b), form.k, form.conf_level, _subjects(form))
        back = np.exp if form.scale == "ratio" else (lambda value: value)
        low, high = (float(back(end)) for end in limits.ends)
        bias = float(back(limits.bias))
        cls._results(report, form, limits, back)
        outside = int(((limits.d < limits.ends[0]) | (limits.d > limits.ends[1])).sum())
        n = limits.n
        report.row(cls.counts, n=n, inside=n - outside, outside=outside, share=outside / n)
        cls._agreement(report, form, a, b)
        cls._proportional(report, form, a, b, limits)
        cls._normal(report, form, limits)
        cls._draw(report, form, a, b, limits, (bias, low, high))
        cls._say(report, form, limits, (bias, low, high))
        return report

    @classmethod
    def _judge(cls, form: Any, a: Floats, b: Floats) -> None:
        if np.array_equal(a, b):
            raise Refusal(
                "data.constant", "“{a}”与“{b}”的数据完全相同，看不出差别，请核对是否选错了列", field="b", also=["a"],
                column=form.b.id, a=form.a.title, b=form.b.title,
            )  # fmt: skip
        for key, column in (("a", form.a), ("b", form.b)):
            x = column.numbers
            if np.abs(x).max() > 1e150 or 0 < np.ptp(x) < 1e-150:
                raise Refusal(
                    "data.magnitude", "“{v}”的数值过大或过小，请换一个单位", field=key, column=column.id,
                    v=column.title,
                )  # fmt: skip
            if form.scale == "ratio" and (x <= 0).any():
                raise Refusal(
                    "data.positive", "比值尺度要求测量值为正：“{v}”里有 {value}，请改用差值或去掉这些行", field=key,
                    column=column.id, v=column.title, value=number_words(float(x[x <= 0][0])),
                    remedies=[SetRemedy(title="改用差值", set={"scale": "difference"})],
                )  # fmt: skip
        if form.scale == "percent" and (a + b == 0).any():
            raise Refusal(
                "data.zero", "有一行两法的均值为 0，算不出百分差，请改用差值", field="scale",
                remedies=[SetRemedy(title="改用差值", set={"scale": "difference"})],
            )  # fmt: skip
        if form.limit is not None and form.scale == "ratio" and form.limit <= 1:
            raise Refusal("data.range", "比值的可接受倍数须大于 1，如 1.2", field="limit")

    @classmethod
    def _results(cls, report: Report, form: Any, limits: Limits, back: Any) -> None:
        share = number_words(round(100 * float(1 - 2 * stats.norm.sf(form.k)), 1))
        names = {
            "difference": "平均差（A − B）", "percent": "平均百分差（%）", "ratio": "平均比值（A ÷ B，几何平均）",
        }  # fmt: skip
        values = (limits.bias, *limits.ends)
        for measure, value, ci in zip(
            (names[form.scale], "界限下端", "界限上端"), values, limits.intervals, strict=True
        ):
            ends: dict[str, Any] = {} if ci is None else {"low": float(back(ci[0])), "high": float(back(ci[1]))}
            report.row(cls.result, measure=measure, value=float(back(value)), **ends)
        report.row(cls.result, measure="标准差（对数）" if form.scale == "ratio" else "标准差", value=limits.sd)
        report.note(
            cls.result, "差值近似正态时，约 {share:text}% 的差值落在两个界限之间。CI 的置信水平为 {level:percent}。",
            share=share, level=form.conf_level,
        )  # fmt: skip
        if limits.subjects is not None:
            within, between = limits.components
            report.row(
                cls.components, within=within, between=between, subjects=int(np.unique(limits.subjects).size)
            )  # fmt: skip
            report.note(cls.result, "同一个体测了多次，各行不独立，不给区间。")

    @classmethod
    def _agreement(cls, report: Report, form: Any, a: Floats, b: Floats) -> None:
        n = a.size
        report.row(cls.repeat, value=1.96 * float(np.sqrt(np.mean((a - b) ** 2))))
        if np.ptp(a) == 0 or np.ptp(b) == 0:
            report.skip(cls.agreement, "有一种方法的值全部相同，没有相关")
            return
        r = float(np.clip(np.corrcoef(a, b)[0, 1], -1, 1))
        z = float(stats.norm.isf((1 - form.conf_level) / 2))
        va, vb, gap = float(a.var()), float(b.var()), float(a.mean() - b.mean())
        c = 2 * r * float(np.sqrt(va * vb)) / (va + vb + gap**2)
        shift = gap**2 / float(np.sqrt(va * vb))
        low, high = None, None
        if 0 < abs(r) < 1 and abs(c) < 1 and n > 3:
            variance = (
                (1 - r**2) * c**2 * (1 - c**2) / r**2 + 2 * c**3 * (1 - c) * shift / r - c**4 * shift**2 / (2 * r**2)
            ) / (n - 2)
            half = z * float(np.sqrt(max(variance, 0.0))) / (1 - c**2)
            low, high = float(np.tanh(np.arctanh(c) - half)), float(np.tanh(np.arctanh(c) + half))
        report.row(cls.agreement, name="CCC（Lin）", value=c, low=low, high=high)
        ends: dict[str, Any] = {}
        if abs(r) < 1 and n > 3:
            half = z / float(np.sqrt(n - 3))
            ends = {"low": float(np.tanh(np.arctanh(r) - half)), "high": float(np.tanh(np.arctanh(r) + half))}
        report.row(cls.agreement, name="Pearson *r*", value=r, **ends)
        icc = intraclass.agreement(intraclass.layout(np.column_stack([a, b])), False, form.conf_level, 0.0)
        report.row(cls.agreement, name="ICC（绝对一致）", value=icc.value, low=icc.low, high=icc.high)
        report.note(cls.agreement, "相关高不等于一致：B 总是 A 的两倍时，*r* 也是 1。请先看界限。")
        if form.subject is not None:
            report.note(cls.agreement, "这些系数没有考虑重复测量，只作参考。")

    @classmethod
    def _proportional(cls, report: Report, form: Any, a: Floats, b: Floats, limits: Limits) -> None:
        x = (np.log(a) + np.log(b)) / 2 if form.scale == "ratio" else (a + b) / 2
        n = x.size
        cx, cd = x - x.mean(), limits.d - limits.bias
        sxx = float(cx @ cx)
        if sxx <= 0 or n < 4:
            report.skip(cls.slope, "两法的均值都相同或个案太少，看不出比例偏倚")
            return
        slope = float(cx @ cd) / sxx
        rest = cd - slope * cx
        se = float(np.sqrt(float(rest @ rest) / (n - 2) / sxx))
        t = slope / se if se > 0 else None
        p = None if t is None else float(2 * stats.t.sf(abs(t), n - 2))
        report.row(cls.slope, slope=slope, se=se, t=t, df=n - 2, p=p)
        found = p is not None and p < 1 - form.conf_level
        remedies = [SetRemedy(title="改用比值尺度", set={"scale": "ratio"})] if (
            found and form.scale == "difference" and (a > 0).all() and (b > 0).all()
        ) else []  # fmt: skip
        facts: dict[str, Any] = {} if p is None else {"slope": slope, "p": p}
        report.check(
            "比例偏倚", "care" if found else "pass",
            "差值随测量值的大小改变（斜率 {slope:num}，*p* {p:peq}），一对固定的界限说不清楚。" if found
            else "没有发现差值随测量值的大小改变" + ("（斜率 {slope:num}，*p* {p:peq}）。" if facts else "。"),
            remedies=remedies, **facts,
        )  # fmt: skip

    @classmethod
    def _normal(cls, report: Report, form: Any, limits: Limits) -> None:
        test = normality(limits.d)
        if test is None:
            return
        bad = test.p < 0.05
        report.check(
            "差值的正态性", "care" if bad else "pass",
            "{name:text} *p* {p:peq}。" + (
                "差值偏离正态，界限之间的比例可能不是标出的那么多，请看直方图和界限外的个数。" if bad
                else "没有发现差值偏离正态。"
            ), name=test.name, p=test.p,
        )  # fmt: skip

    @classmethod
    def _draw(
        cls, report: Report, form: Any, a: Floats, b: Floats, limits: Limits, lines: tuple[float, float, float]
    ) -> None:
        shown = np.unique(np.linspace(0, a.size - 1, min(a.size, DRAWN)).round().astype(int))
        numbers = form.a.row_numbers
        across = {"mean": (a + b) / 2, "a": a, "b": b}[form.xaxis]
        y = np.exp(limits.d) if form.scale == "ratio" else limits.d
        report.add_rows(cls.points, {"row": numbers[shown], "across": across[shown], "difference": y[shown]})
        report.add_rows(cls.pairs, {"row": numbers[shown], "a": a[shown], "b": b[shown]})
        thinned = (int(shown.size), int(a.size)) if shown.size < a.size else None
        names = {"difference": "A − B", "percent": "百分差（%）", "ratio": "A ÷ B"}
        bias, low, high = lines
        over = [
            Reference(y=bias, label="平均"), Reference(y=low, label="下界限"), Reference(y=high, label="上界限")
        ]  # fmt: skip
        report.chart(
            cls.plot, titles={"x": ACROSS[form.xaxis], "y": names[form.scale]}, thinned=thinned, over=over
        )  # fmt: skip
        report.chart(cls.scatter, titles={"x": form.a.title, "y": form.b.title}, thinned=thinned)
        report.note(cls.scatter, "斜线是两法完全相等的位置。")
        bins = histogram(limits.d)
        for left, right, count in zip(bins.edges[:-1], bins.edges[1:], bins.counts, strict=True):
            report.row(cls.bins, low=float(left), high=float(right), n=int(count))

    @classmethod
    def _say(cls, report: Report, form: Any, limits: Limits, lines: tuple[float, float, float]) -> None:
        bias, low, high = lines
        ratio = form.scale == "ratio"
        unit = "%" if form.scale == "percent" else ""
        facts: dict[str, Any] = {"a": form.a.title, "b": form.b.title, "low": low, "high": high, "n": limits.n}
        facts |= {"bias": bias if ratio else abs(bias)}
        if ratio:
            first = "“{a:text}”平均是“{b:text}”的 {bias:num} 倍"
        elif bias == 0:
            first = "“{a:text}”与“{b:text}”平均没有差别（相差 {bias:num}）"
        else:
            first = "“{a:text}”平均比“{b:text}”" + ("高" if bias > 0 else "低") + f" {{bias:num}}{unit}"
        span = f"；一致性界限为 {{low:num}}{unit} 到 {{high:num}}{unit}。"
        report.lead(first + span, [figure("界限", "{low:num} 到 {high:num}"), figure("个案", "{n:integer}")], **facts)
        report.say(
            "界限说明同一次测量换一种方法，结果会差多少：大约在这两个数之间。"
            "两种方法能不能换用，看这个差在实际中要不要紧，不看 *p* 值。", voice="student",
        )  # fmt: skip
        report.say(
            "用 Bland-Altman 法比较两种方法（*N* = {n:integer}）。" + first + span, voice="paper", **facts
        )  # fmt: skip
        report.say(first + span, voice="brief", **{key: value for key, value in facts.items() if key != "n"})
        if form.limit is not None:
            cls._verdict(report, form, limits, low, high)

    @classmethod
    def _verdict(cls, report: Report, form: Any, limits: Limits, low: float, high: float) -> None:
        ratio = form.scale == "ratio"
        floor, ceiling = (1 / form.limit, form.limit) if ratio else (-form.limit, form.limit)
        _, below, above = limits.intervals
        back = np.exp if ratio else (lambda value: value)
        within = floor <= low and high <= ceiling
        sure = within and below is not None and above is not None and (
            floor <= float(back(below[0])) and float(back(above[1])) <= ceiling
        )  # fmt: skip
        words = (
            "界限连同它的区间都在可接受的差之内（{floor:num} 到 {ceiling:num}）。" if sure
            else "界限在可接受的差之内（{floor:num} 到 {ceiling:num}），但界限的区间超出了它，个案再多些才说得准。"
            if within and below is not None
            else "界限在可接受的差之内（{floor:num} 到 {ceiling:num}）。" if within
            else "界限超出了可接受的差（{floor:num} 到 {ceiling:num}），两种方法不宜直接换用。"
        )  # fmt: skip
        report.check(
            "可接受的差", "pass" if sure else "care" if within else "fail", words, floor=floor, ceiling=ceiling
        )  # fmt: skip


def _differences(form: Any, a: Floats, b: Floats) -> Floats:
    if form.scale == "ratio":
        return np.asarray(np.log(a) - np.log(b), dtype=float)
    return a - b if form.scale == "difference" else 200 * (a - b) / (a + b)


def _subjects(form: Any) -> Any:
    if form.subject is None:
        return None
    _, codes = np.unique(np.asarray(form.subject.values), return_inverse=True)
    groups = np.unique(codes).size
    if groups == codes.size:
        raise Refusal(
            "data.single", "“{v}”里每个个体只有一行，没有重复测量，请不要填“个体”", field="subject",
            column=form.subject.id, v=form.subject.title,
        )  # fmt: skip
    if groups < 2:
        raise Refusal(
            "data.few", "“{v}”只有一个个体，至少要有 2 个", field="subject", column=form.subject.id,
            v=form.subject.title,
        )  # fmt: skip
    return codes
