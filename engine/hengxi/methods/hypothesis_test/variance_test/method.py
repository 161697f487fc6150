from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Level,
    MethodRemedy,
    Points,
    Refusal,
    Report,
    Table,
    alternative,
    claim,
    confidence,
    counted,
    figure,
    filled,
    integer,
    interval,
    num,
    number,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import samples, two_levels
from hengxi.methods.hypothesis_test._shared.comparison import Comparison, axis, interval_figure
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT, UNASSIGNED, Estimate, Finding
from hengxi.methods.hypothesis_test._shared.samples import Sample
from hengxi.stats import two_groups, variances
from hengxi.stats.names import number_words

LEVENE = {"levene_mean": "Levene（均值）", "levene_median": "Brown-Forsythe（中位数）"}


class VarianceTest(Comparison):
    """χ² of one variance, F of two; Levene and Bonett's interval beside them for values that are not normal."""

    title, title_en = "方差检验", "Variance test (one and two samples)"
    family, tier = "样本量与其他检验", "standard"
    rescaled = (("variables",),)
    purpose = "一个方差是否等于给定值，两个方差是否相等"
    aliases = ("F检验", "卡方检验方差", "标准差检验", "方差比", "Bonett", "精度比较", "var.test")
    references = ("bonett2006", "levene1960", "brown1974", "shapiro1965", "lilliefors1967", "holm1979")
    conventions = (
        "标准差、方差以 n − 1 为分母；方差比 = 第一组 ÷ 第二组。",
        "双侧 *p* 为较小一侧的两倍（与 R 的 var.test 相同）；单侧检验给单侧区间。",
        "Bonett 区间不要求正态：峰度以截尾均值为中心，每侧截尾 1/(2√(n − 4))；不足 5 例时不给。",
        "Levene 检验以均值为中心，Brown-Forsythe 以中位数为中心，都是双侧。",
    )

    class Input(Form):
        variables: Column = role("检验变量Y", "定量", each=True)
        group: Column | None = role("分组变量（双样本，选填）", "定类")
        weight: Column | None = counted()
        groups: list[Level] = two_levels.field("超过两类时须选出两类；方差比 = 第一个 ÷ 第二个")
        sigma0: float = number("检验标准差", 1, above=0, hint="没有分组变量时用：拿样本的标准差和它比较")
        alternative: str = alternative("大于、小于指样本对检验标准差，或第一组对第二组")
        conf_level: float = confidence()

    result = Table(
        "方差检验结果", test=text("检验"), chi2=num("χ²", least=0), F=num("*F*", least=0), df1=integer("*df*1"),
        df2=integer("*df*2"), p=pvalue(), measure=text("估计"), value=num("值", least=0),
        ci=interval("CI", "low", "high", around="value"), place="main",
        claim=claim(
            "named", stat("χ²", "chi2", "df1"), stat("*F*", "F", "df1", "df2"), names=("test",), interval="ci",
        ),
    )  # fmt: skip
    spreads = Table(
        "标准差与方差的区间", sample=text("样本"), how=text("区间的算法"), n=integer("*n*"), sd=num("标准差", least=0),
        sd_ci=interval("标准差 CI", "sd_low", "sd_high", around="sd"), variance=num("方差", least=0),
        variance_ci=interval("方差 CI", "low", "high", around="variance"), merge=("sample", "n", "sd", "variance"),
        place="main",
    )  # fmt: skip
    robust = Table(
        "不要求正态的检验", test=text("检验"), F=num("*F*", least=0), df1=integer("*df*1"), df2=integer("*df*2"),
        p=pvalue(), when={"group": filled},
        claim=claim("named", stat("*F*", "F", "df1", "df2"), names=("test",), outcome="variables"),
    )  # fmt: skip
    bars = Points("标准差与区间", sample=text("样本"), sd=num("标准差"), low=num("下限"), high=num("上限"))
    deviations = Chart("标准差区间图", "interval", of=bars, x="sample", y="sd", low="low", high="high", place="main")
    plot = interval_figure()

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.about}的方差检验"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        if form.group is None:
            held, unit = [samples.one(form)], samples.unit(form.variables)
        else:
            groups = samples.two(form, "F")
            held, unit = groups.samples, groups.unit
        cls._judge(form, held)
        if len(held) == 1:
            test = variances.chi_square(held[0].moments, form.sigma0, form.alternative, form.conf_level)
            report.row(
                cls.result, test="χ²（一个方差）", chi2=test.value, df1=test.df[0], p=test.p, measure="标准差",
                value=held[0].moments.sd, low=float(np.sqrt(test.low)), high=float(np.sqrt(test.high)),
            )  # fmt: skip
        else:
            test = variances.ratio(held[0].moments, held[1].moments, form.alternative, form.conf_level)
            report.row(
                cls.result, test="F（两个方差）", F=test.value, df1=test.df[0], df2=test.df[1], p=test.p,
                measure=f"方差比（{held[0].name} ÷ {held[1].name}）", value=test.estimate, low=test.low, high=test.high,
            )  # fmt: skip
            cls._robust(report, held)
        report.note(cls.result, "CI 的置信水平为 {level:percent}。", level=form.conf_level)
        cls._spreads(report, form, held)
        cls.describe(report, held, "mean", form.conf_level)
        report.chart(cls.plot, titles=axis(form.variables.title, unit))
        if len(held) == 1:
            cls._say_single(report, form, held[0], test, unit)
        else:
            cls._say_pair(report, form, held, test, unit)
        cls._normality(report, form, held)
        return report

    @classmethod
    def _judge(cls, form: Any, held: list[Sample]) -> None:
        for sample in held:
            if sample.moments.sd == 0:
                where = "" if form.group is None else f"组“{sample.name}”里的"
                raise Refusal(
                    "data.constant", "{where}“{v}”没有变异（全部相同），方差检验无法进行，请核对数据或换一个变量",
                    field="variables", column=form.variables.id, where=where, v=form.variables.title,
                )  # fmt: skip

    @classmethod
    def _robust(cls, report: Report, held: list[Sample]) -> None:
        a, b = held
        middles: dict[str, tuple[two_groups.Middle, two_groups.Middle]] = {
            "levene_mean": ((a.moments.anchor, a.moments.centre), (b.moments.anchor, b.moments.centre)),
            "levene_median": ((a.median, 0.0), (b.median, 0.0)),
        }
        for key, name in LEVENE.items():
            test = two_groups.levene(a.x, b.x, a.counts, b.counts, middles[key])
            if test is None:
                report.note(cls.robust, f"{name}：各组内的离差全部相同，算不出来。")
            else:
                report.row(cls.robust, test=name, F=test.F, df1=test.df1, df2=test.df2, p=test.p)

    @classmethod
    def _spreads(cls, report: Report, form: Any, held: list[Sample]) -> None:
        """Two-sided intervals, whatever the alternative."""
        for sample in held:
            m = sample.moments
            normal = variances.chi_square(m, m.sd, "two_sided", form.conf_level)
            ends = variances.bonett(sample.x, sample.counts, m, "two_sided", form.conf_level)
            for how, found in (("χ²（要求正态）", (normal.low, normal.high)), ("Bonett（不要求正态）", ends)):
                if found is None:
                    report.note(cls.spreads, "不足 5 例，没有给出 Bonett 区间。")
                    continue
                low, high = found
                report.row(
                    cls.spreads, sample=sample.name, how=how, n=m.n, sd=m.sd, sd_low=float(np.sqrt(low)),
                    sd_high=float(np.sqrt(high)), variance=m.sd**2, low=low, high=high,
                )  # fmt: skip
            low, high = ends or (normal.low, normal.high)
            report.row(cls.bars, sample=sample.name, sd=m.sd, low=float(np.sqrt(low)), high=float(np.sqrt(high)))

    @classmethod
    def _say_single(cls, report: Report, form: Any, sample: Sample, test: variances.Test, unit: str) -> None:
        sd, less = sample.moments.sd, form.alternative == "less"
        Finding(
            test="方差的 χ² 检验", statistic="χ²({df:integer}) = {chi2:num}", p=test.p, level=form.conf_level,
            side=form.alternative,
            shown=f"“{{y}}”的标准差为 {{sd:num}}{{unit}}，{'大于' if sd > form.sigma0 else '小于'}检验标准差 {{value}}",
            asked=f"“{{y}}”的标准差{'小于' if less else '大于'} {{value}}",
            nothing="没有发现“{y}”的标准差与检验标准差 {value} 有明显差异",
            compared="“{y}”的标准差与 {value}",
            observed="“{y}”的标准差为 {sd:num}{unit}（*n* = {n:integer}），检验标准差为 {value}",
            estimate=Estimate(
                "标准差", sd, float(np.sqrt(test.low)), float(np.sqrt(test.high)), form.sigma0, unit
            ),
            caution=INDEPENDENT,
            facts={
                "y": sample.name, "sd": sd, "unit": unit, "value": number_words(form.sigma0), "n": sample.n,
                "df": test.df[0], "chi2": test.value,
            },
        ).write(report)  # fmt: skip

    @classmethod
    def _say_pair(cls, report: Report, form: Any, held: list[Sample], test: variances.Test, unit: str) -> None:
        a, b = held
        less = form.alternative == "less"
        Finding(
            test="两个方差的 *F* 检验", statistic="*F*({df1:integer}, {df2:integer}) = {F:num}", p=test.p,
            level=form.conf_level, side=form.alternative,
            shown=f"“{{first}}”组的“{{y}}”比“{{second}}”组{'分散' if test.value > 1 else '集中'}",
            asked=f"“{{first}}”组的“{{y}}”比“{{second}}”组{'集中' if less else '分散'}",
            nothing="没有发现“{first}”组与“{second}”组“{y}”的方差有明显差异",
            compared="“{first}”组（*n* = {n1:integer}）与“{second}”组（*n* = {n2:integer}）“{y}”的方差",
            observed="“{first}”组的标准差为 {s1:num}{unit}，“{second}”组为 {s2:num}{unit}",
            estimate=Estimate("方差比", test.estimate, test.low, test.high, 1.0),
            figures=(figure("标准差", "{s1:num}{unit}", "“{second}”组为 {s2:num}{unit}"),),
            caution=INDEPENDENT + UNASSIGNED,
            facts={
                "y": form.variables.title, "unit": unit, "first": a.name, "second": b.name, "n1": a.n, "n2": b.n,
                "s1": a.moments.sd, "s2": b.moments.sd, "F": test.value, "df1": test.df[0], "df2": test.df[1],
            },
        ).write(report)  # fmt: skip

    @classmethod
    def _normality(cls, report: Report, form: Any, held: list[Sample]) -> None:
        """Of a variance no number of cases makes up for long tails, as it does for a mean."""
        shapes = [(sample, sample.shape) for sample in held]
        tested = [(sample, shape) for sample, shape in shapes if shape is not None]
        if len(tested) < len(shapes):
            report.check("正态性", "unknown", "样本太小或太大，没有做正态性检验；方差检验要求正态，请看箱线图。")
            return
        sample, shape = min(tested, key=lambda pair: pair[1].p)
        bad = shape.p < 0.05
        other = "Levene 检验" if form.group is not None else "Bonett 区间"
        report.check(
            "正态性", "fail" if bad else "pass",
            "“{g}”{w} *p* {p:peq}。"
            + (
                f"不正态，而本检验对此很敏感，样本再大也不会好转，请以 {other}为准。" if bad
                else "没有发现明显偏离正态；本检验对长尾很敏感，请再看箱线图。"
            ),
            remedies=[
                MethodRemedy(
                    title="改用方差齐性检验", method="hypothesis_test/variance_homogeneity",
                    carry=["group", "variables"],
                )
            ] if bad and form.group is not None else [],
            g=sample.name, w=shape.name, p=shape.p,
        )  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        if form.get("group") is None:
            value = number_words(form["sigma0"])
            cls.conclude(report, form, cls.result, f"把标准差与 {value} 比较", "标准差与检验标准差有差异")
        else:
            cls.conclude(report, form, cls.result, "比较两组的方差", "方差有差异")
