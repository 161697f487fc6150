from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    MethodRemedy,
    Points,
    Reference,
    Refusal,
    Report,
    Table,
    alternative,
    claim,
    combo,
    confidence,
    figure,
    flag,
    integer,
    interval,
    num,
    number,
    pvalue,
    stat,
)
from hengxi.interpret import cohen1988
from hengxi.methods.hypothesis_test._shared import sample_checks, samples
from hengxi.methods.hypothesis_test._shared.comparison import OneSample, axis
from hengxi.methods.hypothesis_test._shared.finding import Estimate, Finding
from hengxi.methods.hypothesis_test._shared.samples import Sample
from hengxi.stats import effect_size, two_groups
from hengxi.stats.histogram import histogram
from hengxi.stats.moments import expand
from hengxi.stats.names import number_words

BOOTSTRAP_MOST = 20_000
DRAWS = 2000


class SingleSampleTTest(OneSample):
    title, title_en = "单样本t检验", "One-sample t test"
    rescaled = (("variables", "test_value"),)
    purpose = "一个总体的均值是否等于给定值"
    aliases = ("t检验", "单样本", "与标准值比较", "与常模比较", "均值检验", "one sample t test", "Cohen d")
    references = ("student1908", "cohen1988", "hedges1981", "shapiro1965", "lilliefors1967", "west1995", "holm1979")
    conventions = (
        "标准差以 n − 1 为分母；均值差 = 样本均值 − 检验值。",
        "Cohen's d = 均值差 ÷ 标准差，区间由非中心 t 分布反解；Hedges' g 用精确 Γ 校正。",
        "四分位数按 (n + 1)p 插值（Hyndman-Fan 第 6 类，与 SPSS 相同）。",
        "正态性用 Shapiro-Wilk（3 到 5000 例），更多时用 Lilliefors；超过 50000 例不做检验。",
        "自助法区间为百分位区间，重抽 2000 次，种子见设置；超过 20000 例不做。",
        "一次检验三个以上变量时，前提检验里另列 Holm 校正后的 *p*。",
    )
    random = True

    pool = True

    class Input(OneSample.Input):
        test_value: float = number("检验值", 0, hint="拿样本均值和它比较")
        alternative: str = alternative("大于、小于都指样本均值对检验值")
        conf_level: float = confidence()
        assume_check: bool = flag("正态性检验", True)
        bootstrap: bool = flag("自助法区间", False, advanced=True, hint="不要求正态，另列一个均值差的区间")

    result = Table(
        "单样本t检验结果", n=integer("*n*"), mean_sd=combo("*M* ± *SD*", "mean_sd", "mean", "sd"), value=num("检验值"),
        t=num("*t*"), df=integer("*df*"), p=pvalue(), difference=num("均值差"), se=num("标准误", least=0),
        ci=interval("均值差 CI", "low", "high", around="difference"),
        boot=interval("自助法 CI", "boot_low", "boot_high", when={"bootstrap": True}),
        d=combo("Cohen's *d* [CI]", "estimate_ci", "effect", "effect_low", "effect_high"), g=num("Hedges' *g*"),
        place="main",
        claim=claim("value", stat("*t*", "t", "df"), effect="d", interval="ci", outcome="variables", against="value"),
    )  # fmt: skip
    bins = Points("直方图", low=num("下限"), high=num("上限"), count=num("频数"))
    shape = Chart("取值的分布", "histogram", of=bins, low="low", high="high", count="count", place="detail")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        sample = samples.one(form)
        m = sample.moments
        if m.sd == 0:
            raise Refusal(
                "data.constant", "“{v}”没有变异（全部相同），t检验无法进行，请核对数据或换一个变量",
                field="variables", column=form.variables.id, v=sample.name,
            )  # fmt: skip
        test = two_groups.one_sample(m, form.test_value, form.alternative, form.conf_level)
        d = effect_size.one_sample_d(m, test.t, form.alternative, form.conf_level)
        boot = cls._bootstrap(report, sample, form) if form.bootstrap else (None, None)
        report.row(
            cls.result, n=m.n, mean=m.mean, sd=m.sd, value=form.test_value, t=test.t, df=m.n - 1, p=test.p,
            difference=test.difference, se=test.se, low=test.low, high=test.high, effect=d.value, effect_low=d.low,
            effect_high=d.high, g=effect_size.hedges_g(d, m.n - 1).value,
            boot_low=boot[0], boot_high=boot[1],
        )  # fmt: skip
        report.estimate(
            cls.result, "均值差", f"样本均值 − {number_words(form.test_value)}", test.difference, test.se, m.n - 1,
            level=form.conf_level, side=form.alternative,
        )  # fmt: skip
        side = "" if form.alternative == "two_sided" else "单侧检验给单侧区间，另一端为无穷。"
        report.note(
            cls.result, "均值差 = 样本均值 − 检验值；CI 的置信水平为 {level:percent}。" + side, level=form.conf_level
        )
        cls.describe(report, [sample], "mean", form.conf_level)
        unit = samples.unit(form.variables)
        mark = Reference(y=form.test_value, label="检验值")
        report.chart(cls.plot, titles=axis(sample.name, unit), over=[mark])
        bins = histogram(sample.x, sample.counts)
        report.add_rows(cls.bins, {"low": bins.edges[:-1], "high": bins.edges[1:], "count": bins.counts})
        report.chart(cls.shape, titles={"x": sample.name}, over=[Reference(x=form.test_value, label="检验值")])
        cls._say(report, form, sample, test, d, unit)
        if form.assume_check:
            other = "hypothesis_test/single_sample_wilcoxon_test"
            remedy = MethodRemedy(title="改用单样本 Wilcoxon 检验", method=other, carry=["variables", "test_value"])
            sample_checks.normality(report, [sample_checks.Shape.of(sample)], [remedy], alone="检验变量")
        least = effect_size.detectable_one(m.n, form.alternative, form.conf_level)
        sample_checks.size_for_mean(report, m.n, least, 1 - form.conf_level)
        return report

    @classmethod
    def _bootstrap(cls, report: Report, sample: Sample, form: Any) -> tuple[float | None, float | None]:
        """Percentiles of the mean of samples drawn with replacement."""
        if sample.n > BOOTSTRAP_MOST:
            report.note(
                cls.result, "超过 {most:integer} 例不做自助法：这时均值的 t 区间已经可靠。", most=BOOTSTRAP_MOST
            )
            return None, None
        x = expand(sample.x, sample.counts)
        drawn = np.array([x[form.rng.integers(0, x.size, x.size)].mean() for _ in range(DRAWS)]) - form.test_value
        alpha = (1 - form.conf_level) / (2 if form.alternative == "two_sided" else 1)
        low, high = np.quantile(drawn, [alpha, 1 - alpha])
        report.note(cls.result, "自助法 CI 为百分位区间，重抽 {draws:integer} 次。", draws=DRAWS)
        ends = {"greater": (float(low), np.inf), "less": (-np.inf, float(high))}
        return ends.get(form.alternative, (float(low), float(high)))

    @classmethod
    def _say(cls, report: Report, form: Any, sample: Sample, test: Any, d: effect_size.Effect, unit: str) -> None:
        m, word = sample.moments, "高于" if test.difference > 0 else "低于"
        asked = f"“{{y}}”的平均值{'低于' if form.alternative == 'less' else '高于'} {{value}}"
        Finding(
            test="单样本 *t* 检验",
            statistic="*t*({df:integer}) = {t:num}",
            p=test.p,
            level=form.conf_level,
            side=form.alternative,
            shown=f"“{{y}}”的平均值为 {{mean:num}}{{unit}}，{word}检验值 {{value}}",
            asked=asked,
            nothing="没有发现“{y}”的平均值与检验值 {value} 有明显差异",
            compared="“{y}”的平均值与检验值 {value}",
            observed="“{y}”的平均值为 {mean:num}{unit}（*n* = {n:integer}，*SD* = {sd:num}），检验值为 {value}",
            estimate=Estimate("均值差", test.difference, test.low, test.high, unit=unit),
            effect="Cohen's *d* = {d:num}",
            strength=cohen1988.difference(d.value),
            figures=(figure("效应量", "*d* = {d:num}", "均值差是标准差的多少倍"),),
            facts={
                "y": sample.name, "mean": m.mean, "sd": m.sd, "n": m.n, "unit": unit, "t": test.t, "df": m.n - 1,
                "value": number_words(form.test_value), "d": d.value,
            },
        ).write(report)  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        value = number_words(form["test_value"])
        cls.conclude(report, form, cls.result, f"把平均值与检验值 {value} 比较", "平均值与检验值有差异")
