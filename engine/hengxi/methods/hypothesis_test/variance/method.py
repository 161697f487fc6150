from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Diagonal,
    Form,
    Level,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    Silent,
    Table,
    choice,
    claim,
    combo,
    confidence,
    counted,
    flag,
    integer,
    interval,
    level,
    num,
    numbers,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import many_group_checks, many_tests, next_steps, post_hoc
from hengxi.methods.hypothesis_test._shared.many_group_words import Words
from hengxi.methods.hypothesis_test._shared.many_groups import ManyGroups
from hengxi.methods.hypothesis_test._shared.many_variables import Outcome, extremes, together
from hengxi.methods.hypothesis_test._shared.post_hoc import PairTest
from hengxi.methods.hypothesis_test._shared.sample_checks import ALPHA
from hengxi.methods.hypothesis_test._shared.two_group_checks import LEVENE
from hengxi.stats import boxes, one_way
from hengxi.stats.moments import Ordered
from hengxi.stats.names import with_unit
from hengxi.stats.normality import TESTED_MOST, normality
from hengxi.stats.one_way import Ranks, Share
from hengxi.stats.two_groups import Ratio

ROWS = {"fisher": "组间（经典 F）", "welch": "Welch F", "brown_forsythe": "Brown-Forsythe F"}
DEGREES = ("一次", "二次", "三次", "四次", "五次")
QQ_POINTS = 1000
PAIRWISE = tuple(key for key in post_hoc.TITLES if key != "dunnett")


class Variance(Method):
    """Three F tests always stand side by side; the conclusion reads the one chosen, Welch unless told otherwise."""

    title, title_en = "单因素方差分析", "One-way ANOVA"
    family, tier = "差异性分析", "standard"
    rescaled = (("variables",),)
    purpose = "三个及以上独立组的均值是否有差异，差异在哪些组之间"
    aliases = (
        "方差分析",
        "三个班",
        "几个班",
        "几个组",
        "ANOVA",
        "F检验",
        "多组均值比较",
        "三组均值比较",
        "多重比较",
        "事后比较",
        "事后检验",
        "Tukey",
        "LSD",
        "Bonferroni",
        "Games-Howell",
        "Levene",
        "方差齐性",
    )
    references = (
        "fisher1925", "welch1951", "brown1974b", "delacre2019", "levene1960", "brown1974", "bartlett1937",
        "fligner1976", "tukey1949", "kramer1956", "games1976", "dunnett1955", "dunnett1980", "scheffe1953",
        "holm1979", "duncan1955", "piepho2004", "steiger2004", "cohen1988", "kruskal1952", "shapiro1965",
        "lilliefors1967", "west1995",
    )  # fmt: skip
    conventions = (
        "标准差、方差以 n − 1 为分母。",
        "组的先后照取值标签，没有标签时按首次出现（数值从小到大）；均值差 = 组I − 组J。",
        "Levene 检验以均值为中心，Brown-Forsythe 齐性检验以中位数为中心。",
        "Brown-Forsythe F 的自由度用 Satterthwaite 法（与 SPSS 相同）。",
        "正态性用 Shapiro-Wilk（3 到 5000 例），更多时用 Lilliefors；超过 50000 例不做检验，看偏度和峰度。",
        "偏度、峰度为校正后的 G1、G2；箱线图用 Tukey 折叶点，须端不超过 1.5 倍箱长。",
        "各组例数不等时，Tukey、SNK、Duncan 用 Tukey-Kramer 的标准误；学生化范围由数值积分得出。",
        "统计用全部个案；均值图每组最多画 200 个点，Q-Q 图最多 1000 个点，按大小均匀抽取。",
        "表中的 *p* 不因检验多个变量而校正；一次检验三个以上变量时，前提检验里另列 Holm 校正后的 *p*。",
    )
    weights = ("frequency",)
    missing = "each"
    min_rows = 4
    pool = True

    class Input(Form):
        group: Column = role("分组变量X", "定类")
        variables: Column = role("检验变量Y", "定量", each=True)
        weight: Column | None = counted()
        method: str = choice(
            "采用哪种检验",
            {"welch": "Welch", "fisher": "经典F", "brown_forsythe": "Brown-Forsythe", "auto": "依Levene自动"},
            hint="三种 F 都列出，结论采用所选的一行",
        )
        post_hoc: str = choice(
            "事后多重比较",
            {"auto": "随检验形式（经典 F 用 Tukey，否则 Games-Howell）", "none": "不做", "lsd": "LSD",
             "tukey": "Tukey HSD", "scheffe": "Scheffe", "bonferroni": "Bonferroni", "sidak": "Sidak",
             "holm": "Holm", "snk": "SNK-q", "duncan": "Duncan", "dunnett": "Dunnett（对照组）",
             "games_howell": "Games-Howell", "tamhane_t2": "Tamhane T2", "dunnett_t3": "Dunnett T3"},
            hint="LSD、SNK、Duncan 不控制整体错误率",
        )  # fmt: skip
        control: Level = level("Dunnett对照组", of="group", when={"post_hoc": "dunnett"})
        contrast: str = choice(
            "对比", {"none": "不做", "polynomial": "多项式趋势", "custom": "自定义系数"}, advanced=True,
            hint="多项式趋势假定各组间隔相等",
        )  # fmt: skip
        contrast_value: list[float] = numbers(
            "自定义对比系数", when={"contrast": "custom"}, advanced=True, hint="按组的先后每组一个，和为 0"
        )
        letters: bool = flag("字母标记法", False, when={"post_hoc": ("auto", *PAIRWISE)})
        conf_level: float = confidence(0.8, hint="显著性水平 = 1 − 此值")
        robust: bool = flag("另加Kruskal-Wallis检验", False, advanced=True, hint="作为稳健替代列在旁边，不替换方差分析")

    comparison = Table(
        "各组比较", group=text("组别"), n=integer("*n*"), mean_sd=combo("*M* ± *SD*", "mean_sd", "mean", "sd"),
        F=num("*F*", least=0), df1=integer("*df*1"), df2=num("*df*2"), p=pvalue(),
        eta=combo("η² [CI]", "estimate_ci", "eta2", "eta2_low", "eta2_high"),
        merge=("F", "df1", "df2", "p", "eta"), place="main",
        claim=claim("groups", stat("*F*", "F", "df1", "df2"), effect="eta", outcome="variables", by="group"),
    )  # fmt: skip
    descriptives = Table(
        "描述与正态性", group=text("组别"), n=integer("样本量"), mean=num("均值"), sd=num("标准差", least=0),
        se=num("标准误", least=0), ci=interval("均值CI", "low", "high", around="mean"), test=text("正态性检验"),
        statistic=num("统计量"), p=pvalue(),
        claim=Silent("normality is told by its check"),
    )  # fmt: skip
    cases = Points("个案", group=text("组别"), value=num("取值"))
    plot = Chart(
        "各组的取值、均值与置信区间", "interval", of=descriptives, x="group", y="mean", low="low", high="high",
        raw=(cases, "group", "value"), place="main",
    )  # fmt: skip
    anova = Table(
        "方差分析结果", source=text("差异来源"), read=text("采用"), ss=num("平方和", least=0), df=num("*df*1"),
        df_error=num("*df*2"), ms=num("均方", least=0), F=num("*F*", least=0), p=pvalue(),
        claim=claim("groups", stat("*F*", "F", "df", "df_error"), outcome="variables", by="group", read="read"),
    )  # fmt: skip
    effects = Table(
        "效应量", effect=text("效应量"), value=num("估计", least=0),
        ci=interval("CI", "low", "high", around="value", inside=False),
    )  # fmt: skip
    homogeneity = Table(
        "方差齐性检验", test=text("检验"), F=num("*F*", least=0), chi2=num("χ²", least=0), df1=integer("*df*1"),
        df2=integer("*df*2"), p=pvalue(),
        claim=claim(
            "named", stat("*F*", "F", "df1", "df2"), stat("χ²", "chi2", "df1"), names=("test",), outcome="variables",
        ),
    )  # fmt: skip
    pairs = Table(
        "事后多重比较", first=text("组I"), second=text("组J"), difference=num("均值差", stars="p"),
        se=num("标准误", least=0), t=num("*t*"), df=num("*df*"), p=pvalue("校正 *p*"),
        ci=interval("CI", "low", "high", around="difference"), d=num("Cohen's *d*"),
        when={"post_hoc": ("auto", *post_hoc.TITLES)},
        claim=claim(
            "pair", stat("*t*", "t", "df"), first="first", second="second", effect="d", outcome="variables",
        ),
    )  # fmt: skip
    subsets = Table("字母标记", group=text("组别"), mean=num("均值"), letters=text("字母"), when={"letters": True})
    contrasts = Table(
        "对比", contrast=text("对比"), form=text("标准误"), estimate=num("估计值"), se=num("标准误的值", least=0),
        t=num("*t*"), df=num("*df*"), p=pvalue(), ci=interval("CI", "low", "high", around="estimate"),
        when={"contrast": ("polynomial", "custom")},
        claim=claim(
            "named", stat("*t*", "t", "df"), effect="estimate", interval="ci", names=("contrast",),
            outcome="variables",
        ),
    )  # fmt: skip
    rank = Table(
        "稳健替代：Kruskal-Wallis检验", H=num("*H*", least=0), df=integer("*df*"), p=pvalue(),
        epsilon2=num("ε²", least=0, most=1), when={"robust": True},
        claim=claim("groups", stat("*H*", "H", "df"), effect="epsilon2", outcome="variables", by="group"),
    )  # fmt: skip
    spread = Points(
        "箱线", group=text("组别"), min=num("须下端"), q1=num("下折叶点"), median=num("中位数"), q3=num("上折叶点"),
        max=num("须上端"), outliers=text("离群值"), density=text("密度"),
    )  # fmt: skip
    box = Chart(
        "箱线图", "box", of=spread, x="group", min="min", q1="q1", median="median", q3="q3", max="max",
        outliers="outliers", density="density", place="detail",
    )  # fmt: skip
    quantiles = Points("残差分位数", theory=num("正态分位数"), sample=num("标准化残差"))
    qq_plot = Chart("残差Q-Q图", "point", of=quantiles, x="theory", y="sample", over=[Diagonal()], place="detail")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"按{form.group.title}比较{form.about}"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        return next_steps.after_many_groups(form)

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        groups = ManyGroups.of(form)
        checks = many_group_checks.homogeneity(groups)
        tests = {
            "fisher": groups.whole.fisher(),
            "welch": groups.whole.welch(),
            "brown_forsythe": groups.whole.brown_forsythe(),
        }
        name = cls._read(report, groups, form, tests, checks)
        read = tests[name]
        assert read is not None
        found = one_way.effects(groups.whole, form.conf_level)
        how = form.post_hoc
        if how == "auto":
            how = "tukey" if name == "fisher" else "games_howell"
        compared = cls._pairs(report, groups, form, how)

        cls._groups(report, groups, form, read, found["eta"])
        cls._anova(report, groups, name, tests)
        titles = {"eta": "η²", "omega": "ω²", "epsilon": "ε²", "f": "Cohen's f"}
        for key, one in found.items():
            report.row(cls.effects, effect=titles[key], value=one.value, low=one.low, high=one.high)
        for test, ratio in checks.items():
            F, df1, df2, p = (ratio.F, ratio.df1, ratio.df2, ratio.p) if ratio else (None,) * 4
            report.row(cls.homogeneity, test=test, F=F, df1=df1, df2=df2, p=p)
        for test, chi in many_group_checks.other_homogeneity(groups).items():
            report.row(
                cls.homogeneity, test=test, chi2=chi.value if chi else None, df1=chi.df if chi else None,
                p=chi.p if chi else None,
            )  # fmt: skip
        report.note(
            cls.homogeneity,
            "Bartlett 检验对偏离正态敏感；Fligner-Killeen 检验用到中位数的距离的秩，不要求正态，超过 50000 例时不做。",
        )
        if form.contrast != "none":
            cls._contrasts(report, groups, form)
        ranks = cls._rank(report, groups) if form.robust else None
        cls._qq(report, groups)

        words = Words(groups, form, name, read, found, how, compared)
        words.write(report)
        words.notes(report, cls)
        many_group_checks.report_all(report, groups, form, name, checks, how, read, ranks)
        return report

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        groups: dict[str, list[tuple[float, str]]] = {}
        p: dict[str, float] = {}
        for row in report.rows_of(cls.comparison):
            name = row.cells["variable"]
            p[name] = row.cells["p"]
            if row.cells["mean"] is not None:
                groups.setdefault(name, []).append((row.cells["mean"], row.cells["group"]))
        alpha = 1 - form["conf_level"]
        many_tests.family(report, p, alpha, "多个变量")
        outcomes = {}
        for name, found in groups.items():
            outcomes[name] = Outcome(p[name], "“{top}”组最高，“{bottom}”组最低，相差 {gap:num}", extremes(found))
        together(report, outcomes, alpha, f"比较 {max(map(len, groups.values()))} 个组", "各组平均值有差异")

    @classmethod
    def _read(
        cls,
        report: Report,
        groups: ManyGroups,
        form: Any,
        tests: dict[str, Ratio | None],
        checks: dict[str, Ratio | None],
    ) -> str:
        """The row the conclusion reads; Welch has no answer where a group has no variance."""
        if groups.empty:
            names = "、".join(f"“{name}”" for name in groups.empty)
            report.warn("data.dropped_group", "{names}组在“{y}”上没有有效值，未参与比较。", names=names, y=groups.y)
        name = form.method
        if name == "auto":
            found = checks[LEVENE]
            name = "fisher" if found is not None and found.p >= ALPHA else "welch"
        if tests[name] is None:
            still = "、".join(f"“{n}”" for n, m in zip(groups.names, groups.each, strict=True) if m.sd == 0)
            report.warn(
                "data.constant_group",
                "{names}组没有组内变异，Welch F 无法计算，结论改用 Brown-Forsythe F（同样不假定等方差）。",
                names=still,
            )
            return "brown_forsythe"
        return str(name)

    @classmethod
    def _groups(cls, report: Report, groups: ManyGroups, form: Any, read: Ratio, eta: Share) -> None:
        shared: dict[str, Any] = {
            "F": read.F, "df1": read.df1, "df2": read.df2, "p": read.p, "eta2": eta.value, "eta2_low": eta.low,
            "eta2_high": eta.high,
        }  # fmt: skip
        for name, m, sample, ordered in zip(groups.names, groups.each, groups.samples, groups.ordered, strict=True):
            report.row(cls.comparison, group=name, n=m.n, mean=m.mean, sd=m.sd, **shared)
            low, high = m.mean_interval(form.conf_level)
            test = normality(*sample)
            report.row(
                cls.descriptives, group=name, n=m.n, mean=m.mean, sd=m.sd, se=m.se, low=low, high=high,
                test=test.name if test else "—", statistic=test.statistic if test else None, p=test.p if test else None,
            )  # fmt: skip
            report.estimate(cls.descriptives, "均值", name, m.mean, m.se, m.n - 1, level=form.conf_level, tested=False)
            values = boxes.evenly(ordered)
            report.add_rows(cls.cases, {"group": [name] * values.size, "value": values})
            shape = boxes.box(ordered)
            report.row(
                cls.spread, group=name, min=shape.low, q1=shape.q1, median=shape.median, q3=shape.q3,
                max=shape.high, outliers=shape.outliers, density=boxes.density(ordered, m.sd),
            )  # fmt: skip
        if any(m.n > TESTED_MOST for m in groups.each):
            report.note(
                cls.descriptives,
                "超过 {most:integer} 例的组不做正态性检验：再小的偏离也会有很小的 *p*，请看残差的偏度、峰度和 Q-Q 图。",
                most=TESTED_MOST,
            )
        report.chart(cls.plot, titles={"y": with_unit(groups.y, groups.unit)})

    @classmethod
    def _anova(cls, report: Report, groups: ManyGroups, name: str, tests: dict[str, Ratio | None]) -> None:
        whole, classic = groups.whole, tests["fisher"]
        assert classic is not None
        groups.pool(report, cls.anova)
        squares = [whole.back(v, 2) for v in (whole.between, whole.within, whole.between + whole.within)]
        report.row(
            cls.anova, source=ROWS["fisher"], read="采用" if name == "fisher" else "", ss=squares[0], df=whole.df1,
            df_error=whole.df2, ms=whole.back(whole.between / whole.df1, 2), F=classic.F, p=classic.p,
        )  # fmt: skip
        report.row(cls.anova, source="组内", read="", ss=squares[1], df=whole.df2, ms=whole.back(whole.mse, 2))
        report.row(cls.anova, source="总计", read="", ss=squares[2], df=whole.total - 1, total=True)
        for key in ("welch", "brown_forsythe"):
            found = tests[key]
            F, df1, df2, p = (found.F, found.df1, found.df2, found.p) if found else (None,) * 4
            report.row(cls.anova, source=ROWS[key], read="采用" if name == key else "", df=df1, df_error=df2, F=F, p=p)
        if tests["welch"] is None:
            report.note(cls.anova, "有的组没有组内变异，Welch F 的权数为无穷大，未给。")
        if None in squares:
            report.note(cls.anova, "平方和超出了可表示的范围，未给；*F* 与 *p* 不受影响。")

    @classmethod
    def _pairs(cls, report: Report, groups: ManyGroups, form: Any, how: str) -> list[PairTest]:
        if how == "none":
            return []
        control = None
        if how == "dunnett":
            control = next((i for i, one in enumerate(groups.levels) if one.value == form.control.value), None)
            if control is None:
                raise Refusal(
                    "level.absent", "对照组“{g}”在“{y}”上没有有效值，请另选对照组", field="control", also=["variables"],
                    column=form.group.id, g=form.control.label, y=groups.y,
                )  # fmt: skip
        found = post_hoc.compare(groups, how, form.conf_level, control)
        for pair in found:
            report.row(
                cls.pairs, first=groups.names[pair.first], second=groups.names[pair.second],
                difference=pair.difference, se=pair.se, t=pair.t, df=pair.df, p=pair.p, low=pair.low, high=pair.high,
                d=pair.d,
            )  # fmt: skip
            if pair.difference is not None and pair.se is not None:
                report.estimate(
                    cls.pairs, "均值差", f"{groups.names[pair.first]} − {groups.names[pair.second]}", pair.difference,
                    pair.se, pair.df, level=form.conf_level, holm=True,
                )  # fmt: skip
        if any(pair.p is None for pair in found):
            report.note(cls.pairs, "两组都没有组内变异时，它们的比较没有标准误，未给。")
        if form.letters and how != "dunnett":
            marks = post_hoc.letters(groups, found, 1 - form.conf_level)
            for i in groups.order:
                report.row(cls.subsets, group=groups.names[i], mean=groups.each[i].mean, letters=marks[i])
            report.note(
                cls.subsets, "按均值从高到低；有相同字母的两组之间未发现差异（α = {alpha:alpha}），不等于两组相同。",
                alpha=1 - form.conf_level,
            )  # fmt: skip
        return found

    @classmethod
    def _contrasts(cls, report: Report, groups: ManyGroups, form: Any) -> None:
        for title, weights in cls._weights(groups, form):
            for equal in (True, False):
                found = one_way.contrast(groups.whole, weights, form.conf_level, equal)
                label = "等方差" if equal else "不等方差"
                if found is None:
                    report.note(cls.contrasts, "有一个对比所涉及的组都没有组内变异，不等方差的一行未给。")
                    continue
                back = groups.whole.back
                report.row(
                    cls.contrasts, contrast=title, form=label, estimate=back(found.estimate), se=back(found.se),
                    t=found.t, df=found.df, p=found.p, low=back(found.low), high=back(found.high),
                )  # fmt: skip
        report.note(
            cls.contrasts,
            "估计值 = Σ 系数 × 组均值，系数按组的先后；CI 的置信水平为 {level:percent}，各对比之间未校正。"
            + ("系数为正交归一的多项式，假定各组间隔相等。" if form.contrast == "polynomial" else "系数：{weights}。"),
            level=form.conf_level, weights="、".join(f"{v:g}".replace("-", "−") for v in form.contrast_value or []),
        )  # fmt: skip

    @classmethod
    def _weights(cls, groups: ManyGroups, form: Any) -> list[tuple[str, Any]]:
        if form.contrast == "polynomial":
            return [(DEGREES[i], weights) for i, weights in enumerate(one_way.polynomial(groups.k, len(DEGREES)))]
        given = np.array(form.contrast_value or [], dtype=float)
        top = float(np.abs(given).max()) if given.size else 0.0
        if given.size != groups.k or top == 0 or abs(float(given.sum())) > 1e-9 * top:
            raise Refusal(
                "data.contrast", "“自定义对比系数”须有 {k} 个（每组一个，按组的先后：{names}），和为 0，且不全为 0",
                field="contrast_value", also=["group"], column=form.group.id, k=groups.k, names="、".join(groups.names),
            )  # fmt: skip
        return [("自定义", given)]

    @classmethod
    def _rank(cls, report: Report, groups: ManyGroups) -> Ranks | None:
        found = one_way.kruskal(groups.samples)
        if found is not None:
            report.row(cls.rank, H=found.H, df=found.df, p=found.p, epsilon2=found.epsilon2)
            report.note(cls.rank, "*H* 经结校正，*p* 由 χ² 近似得出；ε² = *H*/(*N* − 1)。")
        return found

    @classmethod
    def _qq(cls, report: Report, groups: ManyGroups) -> None:
        sd = float(np.ldexp(np.sqrt(groups.whole.mse), groups.whole.up))
        if not np.isfinite(sd) or sd == 0:
            report.skip(cls.quantiles, "数值过大或过小，画不出来；请给检验变量换一个单位")
            return
        x = boxes.evenly(Ordered.of(*groups.residuals), QQ_POINTS) / sd
        n = groups.n
        places = np.arange(n) if n <= QQ_POINTS else np.unique(np.linspace(0, n - 1, QQ_POINTS).astype(np.int64))
        # Blom's plotting positions, as SPSS.
        theory = stats.norm.ppf((places + 1 - 0.375) / (n + 0.25))
        report.add_rows(cls.quantiles, {"theory": theory, "sample": x})
        if places.size < n:
            report.chart(cls.qq_plot, thinned=(int(places.size), n))
        report.note(cls.qq_plot, "点越贴近对角线，残差越接近正态；残差除以合并标准差，绘图位置用 Blom 公式。")
