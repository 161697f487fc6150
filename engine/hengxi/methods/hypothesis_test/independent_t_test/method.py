from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Level,
    Method,
    NextStep,
    Points,
    Report,
    Silent,
    Table,
    alternative,
    choice,
    claim,
    combo,
    confidence,
    counted,
    flag,
    integer,
    interval,
    many,
    num,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import (
    many_tests,
    next_steps,
    sample_checks,
    two_group_checks,
    two_group_words,
    two_levels,
)
from hengxi.methods.hypothesis_test._shared.many_variables import Outcome, together
from hengxi.methods.hypothesis_test._shared.pair import Pair
from hengxi.stats import boxes, effect_size, two_groups
from hengxi.stats.names import with_unit
from hengxi.stats.normality import TESTED_MOST, normality

EFFECTS = {"cohen_d": "Cohen's d", "hedges_g": "Hedges' g", "glass_delta": "Glass's Δ", "cles": "优势概率"}


class IndependentTTest(Method):
    """Both rows are always shown (Student, Welch); the conclusion reads the one chosen, Welch unless told otherwise.

    A homogeneity test decides only when the user asks for it: testing first distorts the level of the second test
    (Zimmerman 2004; Delacre, Lakens & Leys 2017).
    """

    title, title_en = "独立样本t检验", "Independent-samples t test"
    family, tier = "差异性分析", "standard"
    rescaled = (("variables",),)
    purpose = "两个独立组的均值是否有差异"
    aliases = (
        "t检验",
        "t test",
        "两独立样本",
        "成组t检验",
        "比较两组",
        "比较两组差异",
        "两组均值比较",
        "Welch",
        "Cohen d",
        "Levene",
        "方差齐性",
        "效应量",
    )
    references = (
        "student1908", "welch1947", "delacre2017", "levene1960", "brown1974", "zimmerman2004", "cohen1988",
        "hedges1981", "mcgraw1992", "shapiro1965", "lilliefors1967", "west1995", "holm1979",
    )  # fmt: skip
    conventions = (
        "标准差、方差以 n − 1 为分母。",
        "均值差 = 第一组 − 第二组；组的先后照所选次序，未选时按取值标签，没有标签时按首次出现（数值从小到大）。",
        "偏度、峰度为校正后的 G1、G2（与 SPSS、Excel 相同），正态时为 0。",
        "正态性用 Shapiro-Wilk（3 到 5000 例），更多时用 Lilliefors；超过 50000 例不做检验，看偏度和峰度。",
        "统计用全部个案；图中每组最多画 200 个点，按大小均匀抽取。",
        "Levene 检验以均值为中心，Brown-Forsythe 以中位数为中心。",
        "四分位数按 (n + 1)p 插值（Hyndman-Fan 第 6 类，与 SPSS 相同）；箱线图用 Tukey 折叶点，须端不超过 1.5 倍箱长。",
        "Cohen's d 以合并标准差为分母，区间由 Student t 的非中心 t 分布反解；Hedges' g 用精确 Γ 校正；"
        "Glass's Δ 以第二组标准差为分母。",
        "表中的 *p* 不做多重比较校正；一次检验三个以上变量时，前提检验里另列 Holm 校正后的 *p*。",
    )
    weights = ("frequency",)
    missing = "each"
    min_rows = 4
    pool = True

    class Input(Form):
        group: Column = role("分组变量X", "定类")
        variables: Column = role("检验变量Y", "定量", each=True)
        weight: Column | None = counted()
        groups: list[Level] = two_levels.field("超过两类时须选出两类；均值差 = 第一个 − 第二个")
        test: str = choice(
            "t检验形式", {"welch": "Welch", "student": "等方差", "auto": "依Levene自动"},
            hint="结论采用所选的一行；两行都列出",
        )  # fmt: skip
        alternative: str = alternative("大于、小于都指第一组对第二组")
        conf_level: float = confidence()
        effect: list[str] = many(
            "效应量", {"cohen_d": "Cohen d", "hedges_g": "Hedges g", "glass_delta": "Glass Δ", "cles": "优势概率"},
            default=("cohen_d", "hedges_g"),
        )  # fmt: skip
        equal_check: str = choice(
            "自动判断所依据的齐性检验",
            {"levene_mean": "Levene（均值）", "levene_median": "Brown-Forsythe", "f": "F检验"},
            when={"test": "auto"},
        )
        robust: bool = flag("另加Mann-Whitney U检验", False, advanced=True, hint="作为稳健替代列在旁边，不替换 t 检验")

    comparison = Table(
        "两组比较", group=text("组别"), n=integer("*n*"),
        mean_sd=combo("*M* ± *SD*", "mean_sd", "mean", "sd"), t=num("*t*"), df=num("*df*"), p=pvalue(),
        difference=combo("均值差 [CI]", "estimate_ci", "diff", "low", "high"),
        d=combo("Cohen's *d* [CI]", "estimate_ci", "effect", "effect_low", "effect_high"),
        merge=("t", "df", "p", "difference", "d"), place="main",
        claim=claim("groups", stat("*t*", "t", "df"), effect="d", outcome="variables", by="group"),
    )  # fmt: skip
    descriptives = Table(
        "分组描述统计", group=text("组别"), n=integer("样本量"), mean=num("均值"),
        sd=num("标准差", least=0), se=num("标准误", least=0), ci=interval("均值CI", "low", "high", around="mean"),
        median=num("中位数"), q1=num("P25"), q3=num("P75"),
    )  # fmt: skip
    cases = Points("个案", group=text("组别"), value=num("取值"))
    contrast = Points("均值差", label=text("比较"), y=num("均值差"), low=num("下限"), high=num("上限"))
    plot = Chart(
        "两组的取值、均值与均值差", "interval", of=descriptives, x="group", y="mean", low="low", high="high",
        raw=(cases, "group", "value"), contrast=(contrast, "label", "y", "low", "high"), place="main",
    )  # fmt: skip
    result = Table(
        "独立样本t检验结果", test=text("检验"), read=text("采用"), t=num("*t*"),
        df=num("*df*"), p=pvalue(), difference=num("均值差"), se=num("标准误", least=0),
        ci=interval("CI", "low", "high", around="difference"),
        claim=claim(
            "groups", stat("*t*", "t", "df"), effect="difference", interval="ci", outcome="variables", by="group",
            read="read",
        ),
    )  # fmt: skip
    effects = Table(
        "效应量", effect=text("效应量"), value=num("估计"),
        ci=interval("CI", "low", "high", around="value", inside=False), when={"effect": tuple(EFFECTS)},
    )  # fmt: skip
    shape = Table(
        "各组分布", group=text("组别"), skewness=num("偏度"), skewness_se=num("偏度标准误", least=0),
        kurtosis=num("峰度"), kurtosis_se=num("峰度标准误", least=0), test=text("正态性检验"),
        statistic=num("统计量"), p=pvalue(),
        claim=Silent("normality is told by its check"),
    )  # fmt: skip
    homogeneity = Table(
        "方差齐性检验", test=text("检验"), F=num("*F*", least=0), df1=integer("*df*1"),
        df2=integer("*df*2"), p=pvalue(),
        claim=claim("named", stat("*F*", "F", "df1", "df2"), names=("test",), outcome="variables"),
    )  # fmt: skip
    rank = Table(
        "稳健替代：Mann-Whitney U检验", U=num("*U*", least=0), z=num("*z*"), p=pvalue(),
        share=num("第一组较大的概率", least=0, most=1), how=text("*p* 的算法"), when={"robust": True},
        claim=claim("groups", stat("*U*", "U"), beside=("z",), outcome="variables", by="group"),
    )  # fmt: skip
    spread = Points(
        "箱线", group=text("组别"), min=num("须下端"), q1=num("下折叶点"), median=num("中位数"), q3=num("上折叶点"),
        max=num("须上端"), outliers=text("离群值"), density=text("密度"),
    )  # fmt: skip
    box = Chart(
        "箱线图与小提琴图", "box", of=spread, x="group", min="min", q1="q1", median="median", q3="q3", max="max",
        outliers="outliers", density="density", place="detail",
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"按{form.group.title}比较{form.about}"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        return next_steps.after_two_groups(form, columns)

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        pair = Pair.of(form, *two_levels.chosen(form))
        student = two_groups.student(pair.a, pair.b, form.alternative, form.conf_level)
        welch = two_groups.welch(pair.a, pair.b, form.alternative, form.conf_level)
        checks = two_group_checks.homogeneity(pair, form)
        name = two_group_checks.chosen(form, checks)
        read = welch if name == "Welch" else student
        d = effect_size.cohen_d(pair.a, pair.b, form.alternative, form.conf_level)
        cles = effect_size.superiority(pair.a, pair.b, form.alternative, form.conf_level)

        cls._comparison(report, pair, read, d)
        cls._descriptives(report, pair, form.conf_level)
        cls._contrast(report, pair, read)
        for test, row in (("Student", student), ("Welch", welch)):
            report.row(
                cls.result, test=test, read="采用" if test == name else "", t=row.t, df=row.df, p=row.p,
                difference=row.difference, se=row.se, low=row.low, high=row.high,
            )  # fmt: skip
            report.estimate(
                cls.result, "均值差", f"{pair.first} − {pair.second}，{test}", row.difference, row.se, row.df,
                level=form.conf_level, side=form.alternative, read=test == name,
            )  # fmt: skip
        cls._effects(report, pair, form, d, cles)
        shapes = cls._shape(report, pair)
        for test, found in checks.items():
            F, df1, df2, p = (found.F, found.df1, found.df2, found.p) if found else (None,) * 4
            report.row(cls.homogeneity, test=test, F=F, df1=df1, df2=df2, p=p)
        ranks = cls._rank(report, pair, form) if form.robust else None

        words = two_group_words.Words(pair, form, name, read, d, cles)
        words.write(report)
        words.notes(report, cls)
        two_group_checks.report_all(report, pair, form, name, shapes, checks, read, ranks)
        return report

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        found = {row.cells["variable"]: row.cells["p"] for row in report.rows_of(cls.comparison)}
        alpha = 1 - form["conf_level"]
        many_tests.family(report, {name: p for name, p in found.items() if p is not None}, alpha)
        cls._together(report, form["alternative"], alpha)

    @classmethod
    def _together(cls, report: Report, side: str, alpha: float) -> None:
        """The conclusion of many variables: the first group against the second."""
        rows = report.rows_of(cls.comparison)
        first, second = rows[0].cells["group"], rows[1].cells["group"]
        claim = "平均值有差异"
        if side != "two_sided":
            claim = f"“{first}”组的平均值{'高于' if side == 'greater' else '低于'}“{second}”组"
        outcomes = {}
        for row in rows[::2]:
            diff = row.cells["diff"]
            words = f"“{{g}}”组{'高' if diff > 0 else '低'} {{size:num}}"
            outcomes[row.cells["variable"]] = Outcome(row.cells["p"], words, {"g": first, "size": abs(diff)})
        together(report, outcomes, alpha, f"比较“{first}”组与“{second}”组", claim)

    @classmethod
    def _comparison(cls, report: Report, pair: Pair, read: two_groups.TTest, d: effect_size.Effect) -> None:
        shared: dict[str, Any] = {
            "t": read.t, "df": read.df, "p": read.p, "diff": read.difference, "low": read.low,
            "high": read.high, "effect": d.value, "effect_low": d.low, "effect_high": d.high,
        }  # fmt: skip
        for group, m in pair.both:
            report.row(cls.comparison, group=group, n=m.n, mean=m.mean, sd=m.sd, **shared)

    @classmethod
    def _descriptives(cls, report: Report, pair: Pair, conf_level: float) -> None:
        for (group, m), ordered in zip(pair.both, pair.ordered, strict=True):
            low, high = m.mean_interval(conf_level)
            q1, median, q3 = ordered.quantiles([0.25, 0.5, 0.75], kind=6)
            report.row(
                cls.descriptives, group=group, n=m.n, mean=m.mean, sd=m.sd, se=m.se, low=low,
                high=high, median=median, q1=q1, q3=q3,
            )  # fmt: skip
            report.estimate(cls.descriptives, "均值", group, m.mean, m.se, m.n - 1, level=conf_level, tested=False)
            values = boxes.evenly(ordered)
            report.add_rows(cls.cases, {"group": [group] * values.size, "value": values})
            shape = boxes.box(ordered)
            report.row(
                cls.spread, group=group, min=shape.low, q1=shape.q1, median=shape.median, q3=shape.q3,
                max=shape.high, outliers=shape.outliers, density=boxes.density(ordered, m.sd),
            )  # fmt: skip

    @classmethod
    def _contrast(cls, report: Report, pair: Pair, read: two_groups.TTest) -> None:
        label = f"{pair.first} − {pair.second}"
        report.chart(cls.plot, titles={"y": with_unit(pair.y, pair.unit)})
        report.row(cls.contrast, label=label, y=read.difference, low=read.low, high=read.high)

    @classmethod
    def _effects(cls, report: Report, pair: Pair, form: Any, d: effect_size.Effect, cles: effect_size.Effect) -> None:
        made: dict[str, effect_size.Effect | None] = {
            "cohen_d": d,
            "hedges_g": effect_size.hedges_g(d, pair.a.n + pair.b.n - 2),
            "cles": cles,
        }
        if "glass_delta" in form.effect:
            made["glass_delta"] = effect_size.glass_delta(pair.a, pair.b, form.alternative, form.conf_level)
        for key in form.effect:
            found = made[key]
            value, low, high = (found.value, found.low, found.high) if found else (None,) * 3
            report.row(cls.effects, effect=EFFECTS[key], value=value, low=low, high=high)
            if found is None:
                report.note(cls.effects, "Glass's Δ 未给：第二组“{group}”没有变异，标准差为 0。", group=pair.second)

    @classmethod
    def _shape(cls, report: Report, pair: Pair) -> list[Any]:
        found = [normality(x, counts) for x, counts in pair.samples]
        for (group, m), test in zip(pair.both, found, strict=True):
            report.row(
                cls.shape, group=group, skewness=m.skewness, skewness_se=m.skewness_se,
                kurtosis=m.kurtosis, kurtosis_se=m.kurtosis_se, test=test.name if test else "—",
                statistic=test.statistic if test else None, p=test.p if test else None,
            )  # fmt: skip
        if any(sample_checks.untested(m) for _, m in pair.both):
            report.note(
                cls.shape, "超过 {most:integer} 例的组不做正态性检验：再小的偏离也会有很小的 *p*，请看偏度和峰度。",
                most=TESTED_MOST,
            )  # fmt: skip
        return found

    @classmethod
    def _rank(cls, report: Report, pair: Pair, form: Any) -> two_groups.RankTest:
        (x, fx), (z, fz) = pair.samples
        found = two_groups.mann_whitney(x, z, fx, fz, form.alternative)
        how = "精确分布" if found.exact else "正态近似，结校正，不做连续性校正"
        report.row(cls.rank, U=found.u, z=found.z, p=found.p, share=found.superiority, how=how)
        if found.z is None:
            report.note(cls.rank, "样本小且没有相同的值，*p* 由精确分布得出，不经过 *z*。")
        return found
