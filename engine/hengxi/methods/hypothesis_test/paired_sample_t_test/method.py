from __future__ import annotations

from typing import Any

from hengxi.contract import (
    Chart,
    Diagonal,
    MethodRemedy,
    Points,
    Refusal,
    Report,
    Silent,
    Table,
    alternative,
    claim,
    combo,
    confidence,
    figure,
    integer,
    interval,
    many,
    num,
    number,
    pvalue,
    stat,
    text,
)
from hengxi.interpret import cohen1988
from hengxi.methods.hypothesis_test._shared import sample_checks, samples
from hengxi.methods.hypothesis_test._shared.comparison import PairedSamples, axis
from hengxi.methods.hypothesis_test._shared.finding import Estimate, Finding
from hengxi.methods.hypothesis_test._shared.samples import Pairs
from hengxi.stats import effect_size, two_groups
from hengxi.stats.effect_size import Effect
from hengxi.stats.histogram import histogram
from hengxi.stats.names import number_words
from hengxi.stats.paired import paired_r, standardised
from hengxi.stats.two_groups import TTest

EFFECTS = {"dz": "Cohen's d_z", "dav": "d_av", "drm": "d_rm", "hedges_g": "Hedges' g（由 d_av）"}


class PairedSampleTTest(PairedSamples):
    title, title_en = "配对样本t检验", "Paired-samples t test"
    rescaled = (("pairs_a", "pairs_b"),)
    purpose = "同一对象两次测量（或配对）的均值是否有差异"
    aliases = ("配对t检验", "前后比较", "前测后测", "自身对照", "相关样本t检验", "paired t test", "Cohen d")
    references = (
        "student1908", "cohen1988", "lakens2013", "hedges1981", "shapiro1965", "lilliefors1967", "west1995", "holm1979",
    )  # fmt: skip
    conventions = (
        "差值 = 变量1 − 变量2；两个变量都有值的行才参与。",
        "标准差以 n − 1 为分母。",
        "d_z = 差值均值 ÷ 差值标准差，区间由非中心 t 分布反解；d_av 以两次标准差的平均数为分母，"
        "d_rm = d_z √(2(1 − r))（Lakens 2013），这两个的区间是 d_z 的区间按同一比例换算，为近似。",
        "Hedges' g 为 d_av 乘以精确 Γ 校正（df = n − 1）。",
        "一次检验三对以上时，前提检验里另列 Holm 校正后的 *p*。",
    )

    pool = True

    class Input(PairedSamples.Input):
        null_diff: float = number("差值检验值", 0, advanced=True, hint="检验差值的均值是否等于它，通常是 0")
        alternative: str = alternative("大于、小于都指变量1对变量2")
        conf_level: float = confidence()
        effect: list[str] = many(
            "效应量", {"dz": "Cohen d_z", "dav": "d_av", "drm": "d_rm", "hedges_g": "Hedges g"}, default=("dz", "dav")
        )

    result = Table(
        "配对样本t检验结果", n=integer("对数"), first=combo("变量1 *M* ± *SD*", "mean_sd", "mean1", "sd1"),
        second=combo("变量2 *M* ± *SD*", "mean_sd", "mean2", "sd2"),
        difference=combo("差值 *M* ± *SD*", "mean_sd", "diff", "diff_sd"), se=num("标准误", least=0),
        ci=interval("差值 CI", "low", "high"), t=num("*t*"), df=integer("*df*"), p=pvalue(),
        d=combo("*d*z [CI]", "estimate_ci", "effect", "effect_low", "effect_high"), place="main",
        claim=claim("named", stat("*t*", "t", "df"), effect="d", interval="ci"),
    )  # fmt: skip
    effects = Table(
        "效应量", effect=text("效应量"), value=num("估计"),
        ci=interval("CI", "low", "high", around="value", inside=False), when={"effect": tuple(EFFECTS)},
    )  # fmt: skip
    correlation = Table(
        "配对变量的相关", n=integer("对数"), r=num("*r*", least=-1, most=1), p=pvalue(),
        claim=Silent("how far pairing helps; the question is the difference"),
    )  # fmt: skip
    bins = Points("直方图", low=num("下限"), high=num("上限"), count=num("频数"))
    shape = Chart("差值的分布", "histogram", of=bins, low="low", high="high", count="count", place="detail")
    quantiles = Points("差值分位数", theory=num("正态分位数"), sample=num("标准化差值"))
    qq_plot = Chart("差值的Q-Q图", "point", of=quantiles, x="theory", y="sample", over=[Diagonal()], place="detail")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        pairs = samples.pairs(form)
        m = pairs.difference.moments
        if m.sd <= 1e-13 * max(abs(pairs.first.moments.most), abs(pairs.first.moments.least)):
            raise Refusal(
                "data.constant", "“{a}”与“{b}”所有差值相同，标准差为0，t值无定义，请核对是否放错了变量",
                field="pairs_a", also=["pairs_b"], column=form.pairs_a.id, a=pairs.first.name, b=pairs.second.name,
            )  # fmt: skip
        test = two_groups.one_sample(m, form.null_diff, form.alternative, form.conf_level)
        d = effect_size.one_sample_d(m, test.t, form.alternative, form.conf_level)
        cls._tables(report, form, pairs, test, d)
        cls.describe_pairs(report, pairs, "mean", form.conf_level)
        shift = form.null_diff
        label = f"{pairs.first.name} − {pairs.second.name}"
        report.row(cls.contrast, label=label, y=m.mean, low=test.low + shift, high=test.high + shift)
        report.chart(cls.plot, titles=axis("取值", pairs.unit))
        bins = histogram(pairs.difference.x, pairs.difference.counts)
        report.add_rows(cls.bins, {"low": bins.edges[:-1], "high": bins.edges[1:], "count": bins.counts})
        report.chart(cls.shape, titles={"x": "差值"})
        cls.draw_quantiles(report, pairs.difference, cls.quantiles)
        cls._say(report, form, pairs, test, d)
        other = "hypothesis_test/paired_sample_wilcoxon_test"
        remedy = MethodRemedy(title="改用配对 Wilcoxon 检验", method=other, carry=["pairs_a", "pairs_b"])
        sample_checks.normality(report, [sample_checks.Shape.of(pairs.difference)], [remedy], alone="差值")
        least = effect_size.detectable_one(m.n, form.alternative, form.conf_level)
        sample_checks.size_for_mean(report, m.n, least, 1 - form.conf_level)
        return report

    @classmethod
    def _tables(cls, report: Report, form: Any, pairs: Pairs, test: TTest, d: Effect) -> None:
        a, b, m = pairs.first.moments, pairs.second.moments, pairs.difference.moments
        report.row(
            cls.result, n=m.n, mean1=a.mean, sd1=a.sd, mean2=b.mean, sd2=b.sd, diff=m.mean, diff_sd=m.sd, se=test.se,
            low=test.low + form.null_diff, high=test.high + form.null_diff, t=test.t, df=m.n - 1, p=test.p,
            effect=d.value, effect_low=d.low, effect_high=d.high,
        )  # fmt: skip
        report.estimate(
            cls.result, "平均差值", f"{pairs.first.name} − {pairs.second.name}", m.mean, test.se, m.n - 1,
            null=form.null_diff, level=form.conf_level, side=form.alternative,
        )  # fmt: skip
        side = "" if form.alternative == "two_sided" else "单侧检验给单侧区间，另一端为无穷。"
        report.note(cls.result, "差值 = 变量1 − 变量2；CI 的置信水平为 {level:percent}。" + side, level=form.conf_level)
        r, p = paired_r(a, b, m)
        report.row(cls.correlation, n=m.n, r=r, p=p)
        made = standardised(d, a, b, m, r)
        for key in form.effect:
            found = made[key]
            value, low, high = (found.value, found.low, found.high) if found else (None,) * 3
            report.row(cls.effects, effect=EFFECTS[key], value=value, low=low, high=high)

    @classmethod
    def _say(cls, report: Report, form: Any, pairs: Pairs, test: TTest, d: Effect) -> None:
        a, b, m = pairs.first.moments, pairs.second.moments, pairs.difference.moments
        against = "" if form.null_diff == 0 else "与 {null_diff} "
        word = "高于" if test.difference > 0 else "低于"
        asked = f"“{{a}}”的平均值{'低于' if form.alternative == 'less' else '高于'}“{{b}}”"
        shown = f"“{{a}}”的平均值{word}“{{b}}”"
        nothing = "“{a}”与“{b}”的平均值没有发现明显差异"
        if against:
            shown = f"“{{a}}”与“{{b}}”的平均差值{word} {{null_diff}}"
            nothing = "没有发现“{a}”与“{b}”的平均差值与 {null_diff} 有明显差异"
            more = "小于" if form.alternative == "less" else "大于"
            asked = f"“{{a}}”减“{{b}}”的平均差值{more} {{null_diff}}"
        Finding(
            test="配对样本 *t* 检验",
            statistic="*t*({df:integer}) = {t:num}",
            p=test.p,
            level=form.conf_level,
            side=form.alternative,
            shown=shown,
            asked=asked,
            nothing=nothing,
            compared="“{a}”与“{b}”（{n:integer} 对）" + (f"，差值{against}比较" if against else ""),
            observed="“{a}”平均 {m1:num}{unit}（*SD* = {s1:num}），“{b}”平均 {m2:num}{unit}（*SD* = {s2:num}）",
            estimate=Estimate(
                "平均差值", m.mean, test.low + form.null_diff, test.high + form.null_diff, form.null_diff, pairs.unit
            ),
            effect="*d*z = {d:num}",
            strength=cohen1988.difference(d.value),
            figures=(figure("效应量", "*d*z = {d:num}", "平均差值是差值标准差的多少倍"),),
            caution="本检验要求各对之间互不影响，请按调查或实验方式自行判断。没有对照组时，前后变化不一定是处理造成的。",
            facts={
                "a": pairs.first.name, "b": pairs.second.name, "m1": a.mean, "s1": a.sd, "m2": b.mean, "s2": b.sd,
                "n": m.n, "unit": pairs.unit, "t": test.t, "df": m.n - 1, "d": d.value,
                "null_diff": number_words(form.null_diff),
            },
        ).write(report)  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        cls.conclude(report, form, cls.result, "比较各对变量的平均值", "平均值有差异")
