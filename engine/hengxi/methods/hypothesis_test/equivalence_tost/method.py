from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Level,
    Points,
    Reference,
    Refusal,
    Report,
    Table,
    choice,
    claim,
    counted,
    figure,
    interval,
    num,
    number,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import sample_checks, samples, two_levels
from hengxi.methods.hypothesis_test._shared.comparison import Comparison, axis, interval_figure
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT
from hengxi.methods.hypothesis_test._shared.samples import Sample
from hengxi.stats import equivalence
from hengxi.stats.equivalence import Contrast, OneSided
from hengxi.stats.frequencies import frequencies
from hengxi.stats.names import number_words
from hengxi.stats.proportions import Two

DESIGNS = {"one": "单样本", "independent": "独立", "paired": "配对", "proportion": "两率"}
HYPOTHESES = {"equivalence": "等价", "noninferiority": "非劣", "superiority": "优效"}
BOUNDS = {"raw": "原始单位", "cohen_d": "标准化d", "ratio": "比值（对数）"}
TWO = ("independent", "proportion")
PROVED = {"equivalence": "可以认为等价", "noninferiority": "可以认为非劣", "superiority": "可以认为优效"}
UNPROVED = {"equivalence": "不能认为等价", "noninferiority": "不能认为非劣", "superiority": "不能认为优效"}
Means = tuple[Sample, ...]


@dataclass(frozen=True)
class Asked:
    """The contrast in the scale it is computed in; `ratio`: that scale is the logarithm."""

    contrast: Contrast
    label: str
    ratio: bool
    deciding: OneSided
    """The test whose p is that of the whole: of equivalence the larger of two."""

    def shown(self, value: float) -> float:
        return float(np.exp(value)) if self.ratio else value


class EquivalenceTost(Comparison):
    """Is a difference small enough (equivalence), not too bad (noninferiority), or large enough (superiority)?"""

    title, title_en = "等价性检验(TOST)", "Equivalence test (TOST)"
    tier = "member"
    purpose = "差异是否小到可以认为等效(或非劣)"
    aliases = ("等效性", "非劣效", "优效", "生物等效性", "TOST", "双单侧检验", "证明没有差别", "equivalence")
    references = ("schuirmann1987", "farrington1990", "welch1947")
    conventions = (
        "等价的 *p* 是两个单侧检验中较大的一个；它小于 α，等于 1 − 2α 的区间整个落在等价界之内。",
        "非劣只用下限，优效只用上限，都以数值大为好；数值小为好时请交换两组，或给变量取负号。",
        "独立两组用 Welch 法，不要求方差相等；两率用 Farrington-Manning 得分法，区间与之一致。",
        "标准化 d：界值乘以标准差（独立两组为 √((s1² + s2²)/2)，配对为差值的标准差）。",
        "比值：取对数后检验，界值与结果都是几何均值之比。",
    )
    missing = "listwise"

    class Input(Form):
        variables: Column = role("检验变量", "定量", hint="两率时放 0、1 变量，1 表示事件发生")
        group: Column = role("分组变量（独立、两率）", "定类", when={"design": TWO})
        pair: Column = role("配对变量（配对）", "定量", when={"design": "paired"})
        weight: Column | None = counted()
        groups: list[Level] = two_levels.field("超过两类时须选出两类；差值 = 第一个 − 第二个")
        design: str = choice("设计", DESIGNS, default="independent")
        hypothesis: str = choice("假设", HYPOTHESES, hint="非劣只用下限，优效只用上限")
        lower: float = number("等价下限", -1, hint="研究之前按专业意义定好")
        upper: float = number("等价上限", 1)
        bound_type: str = choice("界值单位", BOUNDS, when={"design": ("one", "independent", "paired")})
        reference: float = number("参考值", 0, when={"design": "one"})
        alpha: float = number("显著性水平", 0.05, least=0.001, most=0.2)

    result = Table(
        "检验结果", test=text("检验"), read=text("采用"), margin=num("界值"), t=num("*t*"), z=num("*Z*"),
        df=num("*df*"), p=pvalue(), place="main",
        claim=claim("named", stat("*t*", "t", "df"), stat("*Z*", "z"), names=("test",), read="read"),
    )  # fmt: skip
    estimate = Table(
        "差值与等价界", measure=text("估计"), value=num("值"), se=num("标准误", least=0),
        ci=interval("1 − 2α 的 CI", "low", "high", around="value"), lower=num("下限"), upper=num("上限"), place="main",
    )  # fmt: skip
    usual = Table(
        "常规差异检验（对照）", t=num("*t*"), z=num("*Z*"), df=num("*df*"), p=pvalue(), value=num("估计"),
        ci=interval("1 − α 的 CI", "low", "high", around="value"),
        claim=claim("named", stat("*t*", "t", "df"), stat("*Z*", "z"), interval="ci"),
    )  # fmt: skip
    verdict = Table(
        "结论", asked=text("所问"), proved=text("检验的回答"), differs=text("常规检验"), both=text("合起来看")
    )
    reach = Points("估计与区间", name=text("估计"), y=num("值"), low=num("下限"), high=num("上限"))
    chart = Chart("等价区间图", "interval", of=reach, x="name", y="y", low="low", high="high", place="main")
    plot = interval_figure()

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.variables.title}的{HYPOTHESES[form.hypothesis]}检验"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        if form.lower >= form.upper:
            raise Refusal(
                "number.order", "等价下限必须小于上限，请改正等价下限或等价上限", field="lower", also=["upper"]
            )
        asked, held, words = cls._asked(form)
        cls._tables(report, form, asked)
        unit = "" if asked.ratio or form.design == "proportion" else samples.unit(form.variables)
        cls._say(report, form, asked, words, unit)
        if form.design == "proportion":
            for element in (cls.descriptives, cls.centres, cls.cases, cls.spread):
                report.skip(element, "0、1 变量不画分布")
            report.skip(cls.plot, "0、1 变量不画分布")
            return report
        cls.describe(report, held, "mean", 1 - form.alpha)
        report.chart(cls.plot, titles=axis(form.variables.title, unit))
        alone = {"one": "检验变量", "paired": "差值"}.get(form.design, "")
        sample_checks.normality(report, [sample_checks.Shape.of(sample) for sample in held], [], alone)
        return report

    # ---- the contrast ----------------------------------------------------------------------------------------------
    @classmethod
    def _asked(cls, form: Any) -> tuple[Asked, Means, str]:
        ratio = form.bound_type == "ratio"
        margins = cls._margins(form, ratio)
        if form.design == "proportion":
            contrast, held, words = cls._shares(form, margins)
            label = f"率差（{held[0].name} − {held[1].name}）"
        elif form.design == "independent":
            held = tuple(cls._logged(form, sample, ratio) for sample in samples.two(form, "等价性").samples)
            a, b = (sample.moments for sample in held)
            cls._judge(form, float(np.hypot(a.sd, b.sd)))
            contrast = equivalence.of_means(
                a, b, cls._scaled(form, margins, np.sqrt((a.sd**2 + b.sd**2) / 2)), form.alpha
            )
            label = f"{'几何均值之比' if ratio else '均值差'}（{held[0].name} {'÷' if ratio else '−'} {held[1].name}）"
            words = f"“{held[0].name}”组与“{held[1].name}”组的“{form.variables.title}”"
        else:
            sample, null, label, words = cls._single(form, ratio)
            held, m = (sample,), sample.moments
            cls._judge(form, m.sd)
            margins = cls._scaled(form, margins, m.sd)
            contrast = equivalence.of_t(m.anchor - null + m.centre, m.se, m.n - 1.0, margins, form.alpha)
        deciding = {"noninferiority": contrast.above, "superiority": contrast.beyond}.get(
            form.hypothesis, max(contrast.above, contrast.below, key=lambda test: test.p)
        )
        return Asked(contrast, label, ratio, deciding), held, words

    @staticmethod
    def _margins(form: Any, ratio: bool) -> tuple[float, float]:
        if not ratio:
            if form.design == "proportion" and not -1 < form.lower < form.upper < 1:
                raise Refusal(
                    "number.range",
                    "两率之差的等价界必须在 −1 与 1 之间，例如 −0.1 与 0.1",
                    field="lower",
                    also=["upper"],
                )
            return form.lower, form.upper
        if form.lower <= 0:
            raise Refusal("number.range", "比值的等价界必须大于0，例如 0.8 与 1.25", field="lower", also=["upper"])
        return float(np.log(form.lower)), float(np.log(form.upper))

    @staticmethod
    def _scaled(form: Any, margins: tuple[float, float], sd: float) -> tuple[float, float]:
        scale = float(sd) if form.bound_type == "cohen_d" else 1.0
        return margins[0] * scale, margins[1] * scale

    @staticmethod
    def _logged(form: Any, sample: Sample, ratio: bool) -> Sample:
        if not ratio:
            return sample
        if (sample.x <= 0).any():
            raise Refusal(
                "data.positive", "对数比值要求数据大于0：“{v}”里有 {value}", field="bound_type", also=["variables"],
                v=form.variables.title, value=number_words(float(sample.x.min())),
            )  # fmt: skip
        return Sample(sample.name, np.log(sample.x), sample.counts, 0.0)

    @classmethod
    def _single(cls, form: Any, ratio: bool) -> tuple[Sample, float, str, str]:
        """One sample against the reference, or the differences of pairs: the sample, its null, label and words."""
        counts, column = frequencies(form.weight), form.variables
        first = cls._logged(form, samples.single(column, column.numbers, counts, column.title, 2), ratio)
        if form.design == "one":
            if ratio and form.reference <= 0:
                raise Refusal("number.range", "比值的参考值必须大于0", field="reference")
            null = float(np.log(form.reference)) if ratio else form.reference
            value = number_words(form.reference)
            label = f"{'几何均值之比' if ratio else '均值差'}（{column.title} {'÷' if ratio else '−'} {value}）"
            return first, null, label, f"“{column.title}”与参考值 {value}"
        second = cls._logged(
            form, samples.single(form.pair, form.pair.numbers, counts, form.pair.title, 2), ratio
        )  # fmt: skip
        reach = float(max(np.abs(first.x).max(), np.abs(second.x).max()))
        difference = Sample("差值", samples.snapped(first.x - second.x, reach), first.counts)
        label = f"{'几何均值之比' if ratio else '均值差'}（{column.title} {'÷' if ratio else '−'} {form.pair.title}）"
        return difference, 0.0, label, f"“{column.title}”与“{form.pair.title}”"

    @classmethod
    def _shares(cls, form: Any, margins: tuple[float, float]) -> tuple[Contrast, Means, str]:
        held = tuple(samples.two(form, "等价性").samples)
        for sample in held:
            other = sample.x[(sample.x != 0) & (sample.x != 1)]
            if other.size:
                raise Refusal(
                    "data.values", "两率设计的检验变量只能是 0 和 1（1 表示事件发生）：“{v}”里有 {value}",
                    field="variables", column=form.variables.id, v=form.variables.title,
                    value=number_words(float(other[0])),
                )  # fmt: skip
        (a, x), (b, y) = ((sample.n, round(sample.moments.mean * sample.n)) for sample in held)
        contrast = equivalence.of_shares(Two(x, a, y, b), margins, form.alpha)
        if contrast is None:
            raise Refusal(
                "data.constant", "两组的“{v}”全部相同，两率没有变异，检验无法进行", field="variables",
                column=form.variables.id, v=form.variables.title,
            )  # fmt: skip
        return contrast, held, f"“{held[0].name}”组与“{held[1].name}”组的“{form.variables.title}”"

    @staticmethod
    def _judge(form: Any, sd: float) -> None:
        if sd == 0:
            raise Refusal(
                "data.constant", "“{v}”没有变异（全部相同），等价性检验无法进行，请核对数据或换一个变量",
                field="variables", column=form.variables.id, v=form.variables.title,
            )  # fmt: skip

    # ---- tables ----------------------------------------------------------------------------------------------------
    @classmethod
    def _tables(cls, report: Report, form: Any, asked: Asked) -> None:
        c = asked.contrast
        tests = {
            "equivalence": {"高于下限": c.above, "低于上限": c.below},
            "noninferiority": {"高于下限（非劣）": c.above},
            "superiority": {"高于上限（优效）": c.beyond},
        }[form.hypothesis]
        for name, test in tests.items():
            cells: dict[str, Any] = {"z" if c.df is None else "t": test.t}
            read = "采用" if test is asked.deciding else ""
            report.row(cls.result, test=name, read=read, margin=asked.shown(test.margin), df=c.df, p=test.p, **cells)
        if form.hypothesis == "equivalence":
            report.note(cls.result, "等价的 *p* 取两行中较大的一个（“采用”的一行）。")
        (low, high), (wide_low, wide_high) = (tuple(map(asked.shown, ends)) for ends in (c.inner, c.outer))
        value = asked.shown(c.value)
        report.row(
            cls.estimate, measure=asked.label, value=value, se=c.se, low=low, high=high,
            lower=asked.shown(c.above.margin), upper=asked.shown(c.below.margin),
        )  # fmt: skip
        if asked.ratio:
            report.note(cls.estimate, "标准误是对数尺度上的。")
        usual: dict[str, Any] = {"z" if c.df is None else "t": c.t}
        report.row(cls.usual, df=c.df, p=c.p, value=value, low=wide_low, high=wide_high, **usual)
        report.row(cls.reach, name=asked.label, y=value, low=low, high=high)
        marks = [(asked.shown(c.above.margin), "下限"), (asked.shown(c.below.margin), "上限")]
        report.chart(cls.chart, over=[Reference(y=y, label=label) for y, label in marks])

    # ---- words -----------------------------------------------------------------------------------------------------
    @classmethod
    def _say(cls, report: Report, form: Any, asked: Asked, words: str, unit: str) -> None:
        c, proved = asked.contrast, asked.deciding.p < form.alpha
        differs = c.p < form.alpha
        answer = (PROVED if proved else UNPROVED)[form.hypothesis]
        reached = (
            "差异存在，但在所问的界限之内" if form.hypothesis == "equivalence" else "差异存在，并且达到了所问的要求"
        )
        both = {
            (True, True): reached,
            (True, False): "没有发现差异，并且达到了所问的要求",
            (False, True): "差异存在，而且没有达到所问的要求",
            (False, False): "证据不足，两样都说不上，往往是样本太小",
        }[(proved, differs)]
        plain = "差异有统计学意义" if differs else "没有发现明显差异"
        report.row(cls.verdict, asked=HYPOTHESES[form.hypothesis], proved=answer, differs=plain, both=both)
        facts: dict[str, Any] = {
            "w": words, "unit": unit, "est": asked.shown(c.value), "p": asked.deciding.p,
            "low": asked.shown(c.inner[0]), "high": asked.shown(c.inner[1]),
            "level": f"{number_words(round(100 - 200 * form.alpha, 6))}%",
            "lower": asked.shown(c.above.margin), "upper": asked.shown(c.below.margin), "q": c.p,
            "alpha": form.alpha, "label": asked.label, "t": asked.deciding.t, "df": c.df,
        }  # fmt: skip
        span = "{level} CI {low:num} 到 {high:num}{unit}"
        within = "等价界 {lower:num} 到 {upper:num} 之内"
        where = {
            "equivalence": (f"整个落在{within}", f"没有整个落在{within}"),
            "noninferiority": ("下限高于非劣界 {lower:num}", "下限没有高于非劣界 {lower:num}"),
            "superiority": ("下限高于优效界 {upper:num}", "下限没有高于优效界 {upper:num}"),
        }[form.hypothesis][0 if proved else 1]  # fmt: skip
        report.lead(
            f"{{w}}{answer}（*p* {{p:peq}}）：{{label}}为 {{est:num}}{{unit}}，{span}，{where}。",
            [
                figure("估计", "{est:num}{unit}", span), figure("检验", "*p* {p:peq}", HYPOTHESES[form.hypothesis]),
                figure("常规差异检验", "*p* {q:peq}", plain),
            ], **facts,
        )  # fmt: skip
        report.say(
            "常规检验问“有没有差别”，*p* 大不能证明没有差别。这里反过来问：把区间与事先定好的界限比较。"
            f"{span}，{where}，所以{answer}。常规检验*p* {{q:peq}}，{plain}。合起来看：{both}。",
            voice="student", **facts,
        )  # fmt: skip
        statistic = "*Z* = {t:num}" if c.df is None else "*t*({df:num1}) = {t:num}"
        name = "双单侧检验（TOST）" if form.hypothesis == "equivalence" else f"{HYPOTHESES[form.hypothesis]}检验"
        report.say(
            f"采用{name}（单侧 α = {{alpha:alpha}}）比较{{w}}，{{label}}为 {{est:num}}{{unit}}（{span}），"
            f"{where}，{statistic}，*p* {{p:peq}}，{answer}。界限应在研究之前按专业意义定好。{INDEPENDENT}",
            voice="paper", **facts,
        )  # fmt: skip
