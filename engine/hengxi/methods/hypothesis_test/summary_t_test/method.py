from __future__ import annotations

from typing import Any

from hengxi.contract import (
    Chart,
    Form,
    Method,
    Reference,
    Refusal,
    Report,
    Silent,
    Table,
    alternative,
    choice,
    claim,
    confidence,
    figure,
    integer,
    interval,
    num,
    number,
    pvalue,
    stat,
    text,
)
from hengxi.interpret import cohen1988
from hengxi.stats import effect_size, two_groups
from hengxi.stats.moments import Moments
from hengxi.stats.two_groups import TTest

TWO = {"type": "two_sample"}
MOST = 10_000_000
SIDES = {"two_sided": "双侧", "greater": "单侧（大于）", "less": "单侧（小于）"}


class SummaryTTest(Method):
    """t tests from n, mean and sd alone: one sample against a value, paired differences against 0, two samples."""

    title, title_en = "摘要t检验", "t test from summary statistics"
    family, tier = "差异性分析", "standard"
    purpose = "只有样本量、均值、标准差时，两组均值是否有差异"
    aliases = ("汇总数据t检验", "由均值标准差做t检验", "summary t test", "文献数据t检验", "Hartley")
    references = ("student1908", "welch1947", "delacre2017", "cohen1988", "hedges1981")
    conventions = (
        "标准差以 n − 1 为分母；报告里给的是标准误时，先乘以 √n。",
        "均值差 = 第一组 − 第二组（或检验值）。",
        "双样本以 Welch 一行为准，等方差（Student）一行列在旁边。",
        "Cohen's d：双样本以合并标准差为分母，单样本和配对以给出的标准差为分母；区间由非中心 t 分布反解。",
        "Hedges' g 用精确 Γ 校正。",
    )
    needs_data = False
    split = False

    class Input(Form):
        type: str = choice("类型", {"two_sample": "双样本", "one_sample": "单样本", "paired": "配对（填差值的统计量）"})
        n1: int = integer("样本量1", None, least=2, most=MOST)
        mean1: float = number("均值1", None)
        sd1: float = number("标准差1", None, least=0)
        n2: int = integer("样本量2", None, least=2, most=MOST, when=TWO)
        mean2: float = number(
            "均值2（或检验值）", None, when={"type": ("two_sample", "one_sample")}, hint="单样本时填要比较的固定值"
        )
        sd2: float = number("标准差2", None, least=0, when=TWO)
        alternative: str = alternative("大于、小于都指第一组对第二组（或检验值）")
        conf_level: float = confidence()

    result = Table(
        "摘要t检验结果", test=text("检验"), read=text("采用"), t=num("*t*"), df=num("*df*"), p=pvalue(),
        difference=num("均值差"), se=num("标准误", least=0), ci=interval("CI", "low", "high", around="difference"),
        place="main", claim=claim("named", stat("*t*", "t", "df"), effect="difference", interval="ci", read="read"),
    )  # fmt: skip
    means = Table(
        "各组均值", group=text("组别"), n=integer("*n*"), mean=num("均值"), sd=num("标准差", least=0),
        se=num("标准误", least=0), ci=interval("均值CI", "low", "high", around="mean"), place="main",
    )  # fmt: skip
    plot = Chart("均值与置信区间", "interval", of=means, x="group", y="mean", low="low", high="high", place="main")
    effects = Table(
        "效应量", effect=text("效应量"), value=num("估计"),
        ci=interval("CI", "low", "high", around="value", inside=False), place="detail",
    )  # fmt: skip
    ratio = Table(
        "方差比（Hartley F）", F=num("*F*", least=1), df1=integer("*df*1"), df2=integer("*df*2"), p=pvalue(), when=TWO,
        claim=Silent("a look at an assumption, told by its check"),
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        first = _moments(form.n1, form.mean1, form.sd1)
        if form.type == "two_sample":
            second = _moments(form.n2, form.mean2, form.sd2)
            read, d, g = cls._two(report, form, first, second)
        else:
            read, d, g = cls._one(report, form, first)
        for name, effect in (("Cohen's d", d), ("Hedges' g", g)):
            report.row(cls.effects, effect=name, value=effect.value, low=effect.low, high=effect.high)
        report.chart(cls.plot, over=[] if form.type == "two_sample" else [Reference(y=_value(form))])
        cls._words(report, form, read, d)
        report.check(
            "正态性", "unknown",
            "只有统计量，看不到分布；样本小而原始数据严重偏斜时，*p* 和区间不准。有原始数据时请改用原始数据分析。",
        )  # fmt: skip
        return report

    @classmethod
    def _two(
        cls, report: Report, form: Any, a: Moments, b: Moments
    ) -> tuple[TTest, effect_size.Effect, effect_size.Effect]:
        if a.sd == 0 and b.sd == 0:
            raise Refusal("data.constant", "两组标准差均为0，t值无定义", field="sd1", also=["sd2"])
        welch = two_groups.welch(a, b, form.alternative, form.conf_level)
        student = two_groups.student(a, b, form.alternative, form.conf_level)
        cls._result(report, "Welch", welch, "采用")
        cls._result(report, "Student", student, "")
        cls._mean(report, "第一组", a, form.conf_level)
        cls._mean(report, "第二组", b, form.conf_level)
        cls._ratio(report, a, b)
        d = effect_size.cohen_d(a, b, form.alternative, form.conf_level)
        return welch, d, effect_size.hedges_g(d, a.n + b.n - 2)

    @classmethod
    def _one(cls, report: Report, form: Any, a: Moments) -> tuple[TTest, effect_size.Effect, effect_size.Effect]:
        if a.sd == 0:
            raise Refusal("data.constant", "标准差为0，t值无定义", field="sd1")
        t_test = two_groups.one_sample(a, _value(form), form.alternative, form.conf_level)
        cls._result(report, "单样本" if form.type == "one_sample" else "配对", t_test, "采用")
        cls._mean(report, "样本" if form.type == "one_sample" else "差值", a, form.conf_level)
        d = effect_size.one_sample_d(a, t_test.t, form.alternative, form.conf_level)
        return t_test, d, effect_size.hedges_g(d, a.n - 1)

    @classmethod
    def _result(cls, report: Report, test: str, found: TTest, read: str) -> None:
        report.row(
            cls.result, test=test, read=read, t=found.t, df=found.df, p=found.p, difference=found.difference,
            se=found.se, low=found.low, high=found.high,
        )  # fmt: skip

    @classmethod
    def _mean(cls, report: Report, group: str, m: Moments, level: float) -> None:
        low, high = m.mean_interval(level)
        report.row(cls.means, group=group, n=m.n, mean=m.mean, sd=m.sd, se=m.se, low=low, high=high)

    @classmethod
    def _ratio(cls, report: Report, a: Moments, b: Moments) -> None:
        """The larger variance over the smaller, two-sided (the F test of two variances)."""
        large, small = (a, b) if a.sd >= b.sd else (b, a)
        ratio = two_groups.variance_ratio(large, small)
        if ratio is None:
            report.skip(cls.ratio, "一组的标准差为 0")
            return
        report.row(cls.ratio, F=ratio.F, df1=ratio.df1, df2=ratio.df2, p=ratio.p)
        # With equal groups a ratio up to 4 hardly moves the level of Student's test; Welch's needs no equality at all.
        unequal = ratio.F >= 4
        words = "相差较大" if unequal else "相差不大"
        report.check(
            "方差齐性", "care" if unequal else "pass",
            f"较大方差是较小方差的 {{F:num}} 倍，{words}；结论读 Welch 一行，不要求方差相等。",
            F=ratio.F,
        )  # fmt: skip

    @classmethod
    def _words(cls, report: Report, form: Any, read: TTest, d: effect_size.Effect) -> None:
        what = {"two_sample": "两组均值", "one_sample": "样本均值与检验值", "paired": "配对差值的均值与 0 "}[form.type]
        found = read.p < 1 - form.conf_level
        facts: dict[str, Any] = {
            "diff": read.difference, "low": read.low, "high": read.high, "level": form.conf_level, "t": read.t,
            "df": read.df, "p": read.p, "d": d.value,
        }  # fmt: skip
        span = {
            "two_sided": "{level:percent} CI {low:num} 到 {high:num}",
            "greater": "{level:percent} 单侧置信下限 {low:num}",
            "less": "{level:percent} 单侧置信上限 {high:num}",
        }[form.alternative]
        if found:
            size = cohen1988.difference(abs(d.value))
            lead = f"{what}的差异有统计学意义：均值差 {{diff:num}}（{span}，*p* {{p:peq}}），效应{size}。"
        else:
            lead = f"没有发现{what}有明显差异（*p* {{p:peq}}）：均值差 {{diff:num}}（{span}）。"
        report.lead(lead, [figure("均值差", "{diff:num}", span), figure("*p*", "{p:pvalue}")], **facts)
        df = "{df:num1}" if form.type == "two_sample" else "{df:integer}"
        verdict = "差异有统计学意义" if found else "差异没有统计学意义"
        report.say(
            f"{_named(form)}（{SIDES[form.alternative]}）：{verdict}，*t*({df}) = {{t:num}}，*p* {{p:peq}}，"
            f"均值差 {{diff:num}}，{span}，Cohen's *d* = {{d:num}}。",
            voice="paper", **facts,
        )  # fmt: skip
        meaning = (
            "均值差的区间里没有 0，样本里的差异不像是碰巧。差多少看均值差，有没有实际意义由您的领域决定。"
            if found
            else "“没有发现”不等于没有差异：真实的差可能在区间里的任何地方，包括 0。"
        )
        report.say(meaning, voice="student")


def _moments(n: int, mean: float, sd: float) -> Moments:
    return Moments(n, 0.0, mean, sd, None, None, mean, mean)


def _value(form: Any) -> float:
    return float(form.mean2) if form.type == "one_sample" else 0.0


def _named(form: Any) -> str:
    return {"two_sample": "Welch 独立样本 *t* 检验", "one_sample": "单样本 *t* 检验", "paired": "配对样本 *t* 检验"}[
        form.type
    ]
