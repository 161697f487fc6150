from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Report,
    Table,
    claim,
    figure,
    integer,
    interval,
    many,
    num,
    number,
    pvalue,
    role,
    stat,
    text,
    weight,
)
from hengxi.methods.hypothesis_test._shared.group_report import GroupReport, chi_bounds
from hengxi.methods.hypothesis_test._shared.many_groups import ManyGroups
from hengxi.stats import location, one_way, spread_tests
from hengxi.stats.normality import normality
from hengxi.stats.two_groups import variance_ratio

TESTS = {
    "levene": "Levene（均值）", "brown_forsythe": "Levene（中位数）", "levene_trimmed": "Levene（截尾）",
    "bartlett": "Bartlett", "fligner": "Fligner-Killeen", "f": "F比（两组）", "hartley": "Hartley Fmax",
    "cochran": "Cochran C",
}  # fmt: skip
ORDER = ("brown_forsythe", "levene", "levene_trimmed", "fligner", "bartlett", "f", "hartley", "cochran")
"""The first of those chosen is read: robust tests before those that ask for normal values."""
FRAGILE = ("bartlett", "f", "hartley", "cochran")


@dataclass(frozen=True)
class Result:
    value: float
    p: float
    df1: float | None = None
    df2: float | None = None
    kind: str = "F"


class VarianceHomogeneity(GroupReport):
    """Eight tests side by side; the conclusion reads one fixed in advance by what it asks of the data."""

    title, title_en = "方差齐性检验", "Homogeneity of variance"
    rescaled = (("variables",),)
    purpose = "各组方差是否相等"
    aliases = ("方差齐性", "Levene", "Bartlett", "Fligner", "Brown-Forsythe", "Hartley", "Cochran C", "等方差检验")
    references = (
        "levene1960", "brown1974", "bartlett1937", "fligner1976", "hartley1950", "cochran1941", "west1995",
    )  # fmt: skip
    conventions = (
        "标准差、方差以 n − 1 为分母。",
        "Levene 检验：对到组中心的距离作方差分析；中心取均值、中位数，或两端各去 5% 的截尾均值。",
        "Hartley Fmax 的 *p* 由数值积分得出，各组例数可以不同；Cochran C 的 *p* 是 Bonferroni 上界，要求例数相同。",
        "F 比以方差较大的一组为分子，*p* 为双侧。",
    )

    class Input(Form):
        group: Column = role("分组变量X", "定类")
        variables: Column = role("检验变量Y", "定量", each=True)
        weight: Column | None = weight("频数权重（选填）", kind="frequency", whole=True)
        tests: list[str] = many(
            "检验方法", TESTS, default=("levene", "brown_forsythe", "bartlett"), min=1,
            hint="结论优先采用 Levene（中位数），其次 Levene（均值）",
        )  # fmt: skip
        conf_level: float = number("置信水平", 0.95, least=0.8, most=0.999, percent=True, hint="显著性水平 = 1 − 此值")

    result = Table(
        "方差齐性检验", test=text("方法"), read=text("采用"), F=num("*F*", least=0), chi2=num("χ²", least=0),
        ratio=num("统计量", least=0), df1=num("*df*1"), df2=num("*df*2"), p=pvalue(), verdict=text("结论"),
        place="main",
        claim=claim(
            "named", stat("*F*", "F", "df1", "df2"), stat("χ²", "chi2", "df1"), names=("test",), outcome="variables",
            read="read",
        ),
    )  # fmt: skip
    sds = Table(
        "各组标准差", group=text("组别"), n=integer("*n*"), sd=num("标准差", least=0),
        ci=interval("CI", "low", "high", around="sd"), place="main",
    )  # fmt: skip
    sd_plot = Chart("各组标准差与置信区间", "interval", of=sds, x="group", y="sd", low="low", high="high", place="main")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        groups = cls.read(report, form)
        found = cls._tests(report, groups, form.tests)
        alpha = 1 - form.conf_level
        known = [key for key in ORDER if found.get(key) is not None]
        read = known[0] if known else None
        for key in form.tests:
            one = found[key]
            if one is None:
                report.row(cls.result, test=TESTS[key], read="", verdict="未给")
                continue
            cells: dict[str, Any] = {{"F": "F", "chi2": "chi2"}.get(one.kind, "ratio"): one.value}
            report.row(
                cls.result, test=TESTS[key], read="采用" if key == read else "", df1=one.df1, df2=one.df2, p=one.p,
                verdict="方差不齐" if one.p < alpha else "未发现不齐", **cells,
            )  # fmt: skip
        for name, m in zip(groups.names, groups.each, strict=True):
            low, high = chi_bounds(m.sd, m.n - 1.0, form.conf_level)
            report.row(cls.sds, group=name, n=m.n, sd=m.sd, low=low, high=high)
        report.note(cls.sds, "CI 的置信水平为 {level:percent}，假定各组正态（χ² 分布）。", level=form.conf_level)
        cls.describe(report, groups, form.conf_level)
        cls._words(report, groups, form, read, found)
        return report

    @classmethod
    def _tests(cls, report: Report, groups: ManyGroups, chosen: list[str]) -> dict[str, Result | None]:
        still = [name for name, m in zip(groups.names, groups.each, strict=True) if m.sd == 0]
        made: dict[str, Result | None] = {}
        for key in chosen:
            if still and key in FRAGILE:
                made[key] = None
            else:
                made[key] = cls._test(groups, key)
        if still and any(key in FRAGILE for key in chosen):
            report.warn(
                "data.constant_group", "组{names}的方差为 0，{tests}不可用。",
                names="".join(f"“{name}”" for name in still),
                tests="、".join(TESTS[key] for key in chosen if key in FRAGILE),
            )  # fmt: skip
        reasons = {
            "f": "F 比只用于两组。", "cochran": "Cochran C 要求各组例数相同。",
            "fligner": "Fligner-Killeen 在超过 50000 例或距离全部相同时不做。",
        }  # fmt: skip
        for key, reason in reasons.items():
            if made.get(key, True) is None and not (still and key in FRAGILE):
                report.note(cls.result, reason)
        return made

    @classmethod
    def _test(cls, groups: ManyGroups, key: str) -> Result | None:
        if key in ("levene", "brown_forsythe", "levene_trimmed"):
            middles = {
                "levene": lambda: [(m.anchor, m.centre) for m in groups.each],
                "brown_forsythe": lambda: [(one.median, 0.0) for one in groups.ordered],
                "levene_trimmed": lambda: [(location.trimmed_mean(x, f), 0.0) for x, f in groups.samples],
            }[key]()
            ratio = one_way.levene(groups.samples, middles)
            return Result(ratio.F, ratio.p, ratio.df1, ratio.df2) if ratio else None
        if key in ("bartlett", "fligner"):
            if key == "fligner" and groups.n > one_way.FLIGNER_MOST:
                return None
            chi = (
                one_way.bartlett(groups.each)
                if key == "bartlett"
                else one_way.fligner(groups.samples, [one.median for one in groups.ordered])
            )
            return Result(chi.value, chi.p, chi.df, kind="chi2") if chi else None
        if key == "f":
            if groups.k != 2:
                return None
            large, small = sorted(groups.each, key=lambda m: -m.sd)
            two = variance_ratio(large, small)
            return Result(two.F, two.p, two.df1, two.df2) if two else None
        share = spread_tests.fmax(groups.each) if key == "hartley" else spread_tests.cochran(groups.each)
        return Result(*share, kind="ratio") if share else None

    @classmethod
    def _words(
        cls, report: Report, groups: ManyGroups, form: Any, read: str | None, found: dict[str, Result | None]
    ) -> None:
        ends = sorted(zip([m.sd for m in groups.each], groups.names, strict=True))
        facts: dict[str, Any] = {
            "y": groups.y, "k": groups.k, "s1": ends[-1][0], "s2": ends[0][0], "top": ends[-1][1],
            "bottom": ends[0][1], "unit": groups.unit, "alpha": 1 - form.conf_level,
        }  # fmt: skip
        one = found[read] if read else None
        sizes = "样本中标准差最大的是“{top}”组（{s1:num}{unit}），最小的是“{bottom}”组（{s2:num}{unit}）"
        if one is None:
            report.lead("所选的检验都算不出来：{k:integer} 个组的“{y}”，" + sizes + "。", **facts)
            return
        facts |= {"p": one.p, "test": TESTS[str(read)], "value": one.value}
        unequal = one.p < facts["alpha"]
        if unequal:
            lead = "{k:integer} 个组的“{y}”方差不齐，差异有统计学意义（{test}，*p* {p:peq}）：" + sizes + "。"
        else:
            lead = "没有发现 {k:integer} 个组的“{y}”方差不齐（{test}，*p* {p:peq}）：" + sizes + "。"
        report.lead(lead, [figure("检验", "*p* {p:peq}", "{test}")], **facts)
        advice = (
            "比较均值时请用不要求等方差的方法，如 Welch 方差分析与 Games-Howell。"
            if unequal
            else "没有发现不等于相等：样本小时查不出差别。比较均值时仍可直接用 Welch 方差分析，它不要求方差相等。"
        )
        report.say(advice, voice="student")
        verdict = "方差不齐" if unequal else "没有发现方差不齐"
        symbol = {"F": "*F*", "chi2": "χ²"}.get(one.kind, "统计量")
        report.say(
            f"{{test}}检验：各组“{{y}}”{verdict}，{symbol} = {{value:num}}，*p* {{p:peq}}。", voice="paper", **facts
        )
        cls._normal(report, groups, [key for key, value in found.items() if value is not None])

    @classmethod
    def _normal(cls, report: Report, groups: ManyGroups, tests: list[str]) -> None:
        """Tests that ask for normal values say so where the values are not."""
        test, skewness = normality(*groups.residuals), groups.residual_shape[0]
        fragile = [TESTS[key] for key in tests if key in FRAGILE]
        off = test is not None and test.p < 0.05
        shape = "残差偏度 {skew:num}" if skewness is not None else "残差偏度无法计算"
        tested = "，{which} *p* {p:peq}" if test else ""
        if not fragile:
            ending = "所选检验不要求正态。"
        elif off:
            ending = "不太正态，{fragile}会把不正态误当作方差不齐，请看 Levene（中位数）或 Fligner-Killeen。"
        else:
            ending = "近似正态，{fragile}可以用。"
        report.check(
            "正态性", "care" if off and fragile else "pass", f"{shape}{tested}。{ending}", skew=skewness,
            which=test.name if test else "", p=test.p if test else None, fragile="、".join(fragile),
        )  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        rows = [row.cells for row in report.rows_of(cls.result) if row.cells["read"] == "采用"]
        p = {cells["variable"]: cells["p"] for cells in rows}
        cls.conclude(report, form, p, "比较各组的方差", "各组方差不齐")
