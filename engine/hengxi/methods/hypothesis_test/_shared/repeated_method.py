"""The report that designs with repeated measures share: tables, figures, and the order in which they are filled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, ClassVar

import numpy as np
from scipy import special, stats

from hengxi.contract import (
    Chart,
    ColumnInfo,
    Method,
    NextStep,
    Points,
    Report,
    Silent,
    Table,
    choice,
    claim,
    integer,
    interval,
    num,
    pvalue,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import post_hoc, repeated
from hengxi.methods.hypothesis_test._shared.post_hoc import Means, PairTest
from hengxi.methods.hypothesis_test._shared.repeated import Measured
from hengxi.stats import multivariate_tests
from hengxi.stats.linear_design import Cells, Tested, levene
from hengxi.stats.moments import Floats, moments
from hengxi.stats.multivariate_tests import TITLES
from hengxi.stats.names import with_unit
from hengxi.stats.normality import Normality, normality
from hengxi.stats.repeated_measures import Effect, Repeated, Sphericity

MOST_LETTERED = 20
CORRECTIONS = {"none": "球形假设", "gg": "Greenhouse-Geisser", "hf": "Huynh-Feldt", "lower": "下限"}
ADJUST = {"none": "LSD", "bonferroni": "Bonferroni", "sidak": "Sidak", "holm": "Holm"}
HALF = 0.75
"""ε below which Greenhouse-Geisser is read, above it Huynh-Feldt (Girden 1992)."""
CONVENTIONS = (
    "组间因素按和为 0 编码，类型III 平方和；协变量减去均值，所以组内效应是协变量取均值时的。",
    "Mauchly 检验的 χ² = −df·ρ·ln W，*p* 取两项展开（Anderson，2003），维数一律用对比的个数 d；"
    "R 的 mauchly.test 在第二项里误用了水平数，d > 2 时与这里相差约千分之一以内。",
    "ε：Greenhouse-Geisser 与 Huynh-Feldt（用 Lecoutre 1991 的更正，分子为误差自由度加 1；"
    "没有组间因素时与 SPSS 旧版相同，有组间因素时 SPSS 旧版不同）；大于 1 的记作 1。",
    "自动：Mauchly *p* < .05 或算不出来时校正，ε(GG) < 0.75 用 Greenhouse-Geisser，否则用 Huynh-Feldt。",
    "广义 η² 的分母为该效应与所有误差平方和之和，所有因素都当作操纵的（Olejnik 与 Algina，2003）。",
    "边际均值、简单效应和两两比较各用自己的误差（多变量法），不要求球形，与 SPSS 的 EMMEANS 相同。",
)
REFERENCES = (
    "mauchly1940", "greenhouse1959", "huynh1976", "lecoutre1991", "girden1992", "olejnik2003", "cohen1988",
    "holm1979", "shapiro1965", "lilliefors1967",
)  # fmt: skip


def correction_choice(*kinds: str) -> Any:
    titles = {"auto": "自动", **CORRECTIONS}
    return choice("球形校正", {kind: titles[kind] for kind in kinds}, hint="自动：不满足球形时按 ε 选 GG 或 HF")


def adjust_choice(*kinds: str) -> Any:
    return choice("两两比较校正", {kind: ADJUST[kind] for kind in kinds}, default="bonferroni")


@dataclass
class Within:
    """A test of an effect within subjects, and the correction its conclusion reads."""

    effect: Effect
    name: str
    sphericity: Sphericity
    read: str

    def epsilon(self, how: str) -> float:
        one = self.sphericity
        return {"none": 1.0, "gg": one.gg, "hf": one.hf, "lower": one.lower}[how]

    @property
    def p(self) -> float:
        return self.effect.p(self.epsilon(self.read))

    @property
    def df(self) -> float:
        return self.effect.df * self.epsilon(self.read)

    @property
    def df_error(self) -> float:
        return self.effect.df_error * self.epsilon(self.read)


@dataclass
class Fitted:
    """What the tables and the sentences read."""

    measured: Measured
    model: Repeated
    level: float
    how: str
    """Adjustment of pairs."""
    within: list[Within] = field(default_factory=list)
    between: list[tuple[str, Effect]] = field(default_factory=list)
    pairs: dict[str, tuple[list[str], list[PairTest]]] = field(default_factory=dict)
    """By the name of the factor: its levels and their pairs."""
    simple: list[tuple[str, str, float]] = field(default_factory=list)
    """Simple effects: what varies, where, p."""
    leveled: list[Tested | None] = field(default_factory=list)
    shapes: list[tuple[str, Any, Normality | None]] = field(default_factory=list)

    @property
    def alpha(self) -> float:
        return 1 - self.level

    @property
    def reach(self) -> float:
        return float(-special.stdtrit(self.model.df, (1 - self.level) / 2))

    @cached_property
    def grand(self) -> Floats:
        """Weights between subjects of the mean of all, groups alike."""
        return np.asarray(np.eye(self.model.model.p)[0])

    def margin(self, factors: Sequence[int]) -> list[tuple[str, Floats]]:
        """Levels between subjects with their weights."""
        study = self.measured.study
        combos, weights = self.model.model.margin(factors)
        return [(study.level(factors, combo), row) for combo, row in zip(combos, weights, strict=True)]

    def levels(self, factors: Sequence[int]) -> list[tuple[str, Floats]]:
        """Levels within subjects with their weights."""
        combos = list(product(*(range(self.measured.sizes[i]) for i in factors)))
        return [(self.measured.words(factors, combo), self.model.level(factors, combo)) for combo in combos]

    @property
    def factors(self) -> list[int]:
        """Factors between subjects that have a term."""
        terms = self.model.model.terms
        return [m for m in range(len(self.measured.study.factors)) if (m,) in terms]


class RepeatedDesign(Method):
    """Members state their form, and what they add."""

    family, tier = "方差分析", "standard"
    missing: ClassVar[Any] = "keep"
    min_rows = 2
    conventions: ClassVar[Sequence[str]] = CONVENTIONS
    references: ClassVar[Sequence[str]] = REFERENCES

    inner = Table(
        "主体内效应", source=text("差异来源"), correction=text("校正"), ss=num("平方和", least=0), df=num("*df*1"),
        df_error=num("*df*2"), ms=num("均方", least=0), F=num("*F*", least=0), p=pvalue(),
        eta=num("偏η²", least=0, most=1), ges=num("广义η²", least=0, most=1), read=text("采用"), place="main",
        merge=("source",),
        claim=claim("named", stat("*F*", "F", "df", "df_error"), effect="eta", names=("source",), read="read"),
    )  # fmt: skip
    means = Table(
        "边际均值", effect=text("因素"), level=text("水平"), mean=num("估计均值"), se=num("标准误", least=0),
        ci=interval("CI", "low", "high", around="mean"), place="main",
    )  # fmt: skip
    profile = Points(
        "均值图的点", panel=text("分面"), x=text("横轴"), series=text("线"), mean=num("估计均值"), low=num("下限"),
        high=num("上限"),
    )  # fmt: skip
    profile_plot = Chart(
        "边际均值折线图", "line", of=profile, x="x", y="mean", series="series", low="low", high="high", facet="panel",
        place="main",
    )  # fmt: skip
    cells = Table(
        "描述", group=text("组"), cell=text("测量"), n=integer("*n*"), mean=num("均值"), sd=num("标准差", least=0),
        ci=interval("CI", "low", "high", around="mean"),
    )  # fmt: skip
    spheres = Table(
        "Mauchly球形检验", source=text("组内效应"), w=num("Mauchly *W*", least=0, most=1), chi2=num("近似χ²", least=0),
        df=integer("*df*"), p=pvalue(), gg=num("ε(GG)", least=0, most=1), hf=num("ε(HF)", least=0, most=1),
        lower=num("ε 下限", least=0, most=1), claim=Silent("told by its check"),
    )  # fmt: skip
    many = Table(
        "多变量检验", source=text("差异来源"), criterion=text("统计量"), value=num("值", least=0),
        F=num("*F*", least=0), df1=num("*df*1"), df2=num("*df*2"), p=pvalue(), eta=num("偏η²", least=0, most=1),
        merge=("source",),
        claim=claim("named", stat("*F*", "F", "df1", "df2"), effect="eta", names=("source", "criterion")),
    )  # fmt: skip
    simple = Table(
        "简单效应", effect=text("比较的因素"), at_level=text("固定的水平"), F=num("*F*", least=0), df1=num("*df*1"),
        df2=num("*df*2"), p=pvalue(), place="main",
        claim=claim("named", stat("*F*", "F", "df1", "df2"), names=("effect",), within="at_level"),
    )  # fmt: skip
    pairs = Table(
        "成对比较", effect=text("因素"), at_level=text("固定的水平"), first=text("水平I"), second=text("水平J"),
        difference=num("均值差", stars="p"), se=num("标准误", least=0), t=num("*t*"), df=num("*df*"),
        p=pvalue("校正 *p*"), ci=interval("CI", "low", "high", around="difference"),
        claim=claim("pair", stat("*t*", "t", "df"), first="first", second="second", within="at_level"),
    )  # fmt: skip
    letters = Table(
        "字母标记", effect=text("因素"), level=text("水平"), mean=num("估计均值"), letters=text("字母"),
    )  # fmt: skip
    shapes = Table(
        "残差正态性", cell=text("测量"), skewness=num("偏度"), kurtosis=num("峰度"), test=text("检验"),
        statistic=num("统计量"), p=pvalue(), claim=Silent("told by its check"),
    )  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        measures = form.get("measures") or {}
        cells = [one for one in measures.get("cells") or [] if one is not None]
        if measures.get("layout") != "wide" or len(cells) < 2:
            value = measures.get("value")
            return [NextStep(title="看测量值的分布（正态性检验）", method="descriptive/normality_test",
                             form={"variables": [value] if value else []})]  # fmt: skip
        made = [NextStep(title="看各次测量是否正态（正态性检验）", method="descriptive/normality_test",
                         form={"variables": cells})]  # fmt: skip
        if len(cells) > 2:
            friedman = "hypothesis_test/multiple_paired_sample_friedman_test"
            made.insert(0, NextStep(title="不正态时的秩检验（Friedman）", method=friedman, form={"variables": cells}))
        return made

    # ---- filling ---------------------------------------------------------------------------------------------------
    @classmethod
    def start(cls, report: Report, form: Any, between: Sequence[Any] = (), covariates: Sequence[Any] = ()) -> Fitted:
        measured = repeated.read(report, form.measures, between, covariates)
        return Fitted(measured, repeated.fit(report, measured), form.conf_level, form.post_hoc)

    @classmethod
    def fill(cls, report: Report, fitted: Fitted, correction: str, simple: bool) -> None:
        cls._tests(report, fitted, correction)
        cls._cells(report, fitted)
        cls._means(report, fitted)
        cls._profile(report, fitted)
        cls._all_pairs(report, fitted)
        if simple:
            cls._simple(report, fitted)
        cls._shapes(report, fitted)

    @classmethod
    def _tests(cls, report: Report, fitted: Fitted, correction: str) -> None:
        measured, model = fitted.measured, fitted.model
        kinds = list(CORRECTIONS)
        for subset in model.subsets:
            sphere = model.sphericity(subset)
            name = measured.name(subset)
            trivial = model.contrast(subset).shape[1] == 1
            if not trivial:
                report.row(
                    cls.spheres, source=name, w=sphere.w, chi2=sphere.chi2, df=sphere.df, p=sphere.p, gg=sphere.gg,
                    hf=sphere.hf, lower=sphere.lower,
                )  # fmt: skip
            read = correction
            if trivial:
                read = "none"
            elif correction == "auto":
                spherical = sphere.p is not None and sphere.p >= 0.05
                read = "none" if spherical else "gg" if sphere.gg < HALF else "hf"
            for place in [None, *range(len(model.model.terms))]:
                effect = model.effect(subset, place)
                label = name if place is None else f"{name} × {measured.study.name(model.model.terms[place])}"
                one = Within(effect, label, sphere, read)
                fitted.within.append(one)
                for kind in kinds[:1] if trivial else kinds:
                    epsilon = one.epsilon(kind)
                    ss = model.scale.back(effect.ss, 2)
                    report.row(
                        cls.inner, source=label, correction=CORRECTIONS[kind], ss=ss, df=effect.df * epsilon,
                        df_error=effect.df_error * epsilon,
                        ms=None if ss is None else ss / (effect.df * epsilon), F=effect.F, p=effect.p(epsilon),
                        eta=effect.eta, ges=effect.generalized, read="采用" if kind == read else None,
                    )  # fmt: skip
                cls._criteria(report, fitted, subset, place, label)
            error = model.scale.back(model.spread(subset), 2)
            df = model.df * model.contrast(subset).shape[1]
            report.row(
                cls.inner, source=f"误差（{name}）", correction=CORRECTIONS["none"], ss=error, df=df,
                ms=None if error is None else error / df,
            )  # fmt: skip
        if all(len(labels) == 2 for labels in measured.levels):
            report.skip(cls.spheres, "每个组内因素只有两个水平，不需要球形假设")
        if not report.rows_of(cls.many):
            report.skip(cls.many, "个体太少（误差自由度少于对比的个数），多变量检验算不出来")
        report.note(cls.inner, "“采用”一行是结论所读的；校正只改自由度和 *p*，*F* 不变。只有两个水平的效应不需要校正。")

    @classmethod
    def _criteria(cls, report: Report, fitted: Fitted, subset: tuple[int, ...], place: int | None, label: str) -> None:
        hypothesis, error, width = fitted.model.multivariate(subset, place)
        for one in multivariate_tests.criteria(hypothesis, error, width, fitted.model.df):
            report.row(
                cls.many, source=label, criterion=TITLES[one.key], value=one.value, F=one.F, df1=one.df1, df2=one.df2,
                p=one.p, eta=one.eta,
            )  # fmt: skip
        if min(error.shape[0], width) > 1:
            report.note(cls.many, "Roy 最大根的 *F* 是上界，*p* 偏小。")

    @classmethod
    def _cells(cls, report: Report, fitted: Fitted) -> None:
        measured, model = fitted.measured, fitted.model
        study = measured.study
        groups = study.groups if study.factors else None
        of_row = groups.of_cell[study.cells.of_row] if groups else np.zeros(measured.n, dtype=np.int64)
        for g in range(groups.n.size if groups else 1):
            rows = model.values[of_row == g]
            name = study.level(study.everything, groups.levels[g]) if groups else "全部"
            for word, x in zip(measured.cell_words, rows.T, strict=True):
                n, mean = x.size, float(x.mean())
                sd = float(np.sqrt(((x - mean) ** 2).sum() / (n - 1))) if n > 1 else None
                half = None if sd is None else float(stats.t.isf((1 - fitted.level) / 2, n - 1)) * sd / n**0.5
                report.row(
                    cls.cells, group=name, cell=word, n=n, mean=model.scale.value(mean),
                    sd=None if sd is None else model.scale.back(sd),
                    low=None if half is None else model.scale.value(mean - half),
                    high=None if half is None else model.scale.value(mean + half),
                )  # fmt: skip

    @classmethod
    def _means(cls, report: Report, fitted: Fitted) -> None:
        measured = fitted.measured
        every = fitted.model.level((), ())
        for m in fitted.factors:
            for word, weights in fitted.margin((m,)):
                cls._mean(report, fitted, measured.study.factors[m], word, weights, every)
        for i, name in enumerate(measured.within):
            for word, inner in fitted.levels((i,)):
                cls._mean(report, fitted, name, word, fitted.grand, inner)
        held = "，协变量取样本均值" if measured.study.covariates else ""
        report.note(
            cls.means, f"其余因素各水平同等看待{held}；标准误用各自的误差，不要求球形。"
            "CI 的置信水平为 {level:percent}。",
            level=fitted.level,
        )  # fmt: skip

    @classmethod
    def _mean(cls, report: Report, fitted: Fitted, effect: str, word: str, between: Floats, within: Floats) -> None:
        one, scale = fitted.model.estimate(between, within), fitted.model.scale
        half = fitted.reach * one.se
        report.row(
            cls.means, effect=effect, level=word, mean=scale.value(one.value), se=scale.back(one.se),
            low=scale.value(one.value - half), high=scale.value(one.value + half),
        )  # fmt: skip

    @classmethod
    def _profile(cls, report: Report, fitted: Fitted) -> None:
        """The first factor within subjects along the axis; lines and panels by the others."""
        measured, scale = fitted.measured, fitted.model.scale
        within = list(range(min(3, len(measured.within))))
        lead = max(within, key=lambda i: (measured.sizes[i], -i))
        others = [i for i in within if i != lead]
        groups = fitted.margin(tuple(fitted.factors[:1])) if fitted.factors else [("", fitted.grand)]
        combos = list(product(*(range(measured.sizes[i]) for i in others)))
        for group, weights in groups:
            for combo in combos:
                word = measured.words(others, combo)
                for code, x in enumerate(measured.levels[lead]):
                    row = fitted.model.level((lead, *others), (code, *combo))
                    one = fitted.model.estimate(weights, row)
                    half = fitted.reach * one.se
                    series, panel = (group, word) if fitted.factors else (word, "")
                    report.row(
                        cls.profile, panel=panel, x=x, series=series or measured.outcome, mean=scale.value(one.value),
                        low=scale.value(one.value - half), high=scale.value(one.value + half),
                    )  # fmt: skip
        report.chart(
            cls.profile_plot, titles={"x": measured.within[lead], "y": with_unit(measured.outcome, measured.study.unit)}
        )
        lines = measured.study.factors[fitted.factors[0]] if fitted.factors else measured.name(others)
        report.note(
            cls.profile_plot,
            ("每条线是“{s}”的一个水平；线越不平行，交互作用越大。" if lines else "")
            + "色带为 {level:percent} 置信区间。",
            s=lines, level=fitted.level,
        )  # fmt: skip

    # ---- pairs -----------------------------------------------------------------------------------------------------
    @classmethod
    def compare(cls, fitted: Fitted, places: list[tuple[Floats, Floats]]) -> list[PairTest]:
        """Pairs of means, each (between, within); two of them differ in one of the two only."""
        model, k = fitted.model, len(places)
        centres = np.array([model.estimate(b, w).value for b, w in places])
        se = np.zeros((k, k))
        for i in range(k):
            for j in range(i + 1, k):
                (b1, w1), (b2, w2) = places[i], places[j]
                one = model.estimate(b1 - b2, w1) if w1 is w2 else model.estimate(b1, w1 - w2)
                se[i, j] = se[j, i] = one.se
        means = Means(centres, se, np.full((k, k), model.df), model.df, model.scale.back, lambda i, j: None)
        return post_hoc.compare_means(means, "lsd" if fitted.how == "none" else fitted.how, fitted.level)

    @classmethod
    def _all_pairs(cls, report: Report, fitted: Fitted) -> None:
        measured = fitted.measured
        every = fitted.model.level((), ())
        found = [
            (measured.study.factors[m], [(word, (weights, every)) for word, weights in fitted.margin((m,))])
            for m in fitted.factors
        ]
        found += [
            (name, [(word, (fitted.grand, inner)) for word, inner in fitted.levels((i,))])
            for i, name in enumerate(measured.within)
        ]
        for name, levels in found:
            words = [word for word, _ in levels]
            made = cls.compare(fitted, [place for _, place in levels])
            fitted.pairs[name] = (words, made)
            cls.pair_rows(report, name, None, words, made)
            if 2 < len(words) <= MOST_LETTERED:
                values = [fitted.model.estimate(*place).value for _, place in levels]
                order = sorted(range(len(values)), key=lambda i: -values[i])
                marks = post_hoc.letters_of(order, made, fitted.alpha)
                for i in order:
                    report.row(
                        cls.letters, effect=name, level=words[i], mean=fitted.model.scale.value(values[i]),
                        letters=marks[i],
                    )  # fmt: skip
        if not report.rows_of(cls.letters):
            report.skip(cls.letters, "没有三个以上水平的因素（或水平太多），不列字母")
        else:
            report.note(
                cls.letters, "按估计均值从高到低；"
                "有相同字母的两个水平之间未发现差异（α = {alpha:alpha}），不等于两者相同。",
                alpha=fitted.alpha,
            )  # fmt: skip
        kind = post_hoc.TITLES["lsd" if fitted.how == "none" else fitted.how]
        told = {
            "none": "LSD 不校正，不控制整体错误率。", "holm": "Holm 是逐步校正，区间取 Bonferroni 的联合 CI。",
        }.get(fitted.how, f"{kind} 在每一组比较之内校正。")  # fmt: skip
        report.note(
            cls.pairs, "均值差 = 水平I − 水平J。" + told + "CI 的置信水平为 {level:percent}。", level=fitted.level
        )

    @classmethod
    def pair_rows(cls, report: Report, name: str, at: str | None, words: list[str], pairs: list[PairTest]) -> None:
        for one in pairs:
            report.row(
                cls.pairs, effect=name, at_level=at, first=words[one.first], second=words[one.second],
                difference=one.difference, se=one.se, t=one.t, df=one.df, p=one.p, low=one.low, high=one.high,
            )  # fmt: skip

    @classmethod
    def _simple(cls, report: Report, fitted: Fitted) -> None:
        """Of each pair of factors that are crossed: one at each level of the other."""
        measured, model = fitted.measured, fitted.model
        study = measured.study
        for i, inner in enumerate(measured.within):
            contrast = model.contrast((i,))
            for m in fitted.factors:
                outer = study.factors[m]
                groups, times = fitted.margin((m,)), fitted.levels((i,))
                for word, weights in groups:
                    tested = model.same_at(weights, contrast)
                    cls._simple_row(report, fitted, inner, f"{outer} = {word}", tested)
                    made = cls.compare(fitted, [(weights, row) for _, row in times])
                    cls.pair_rows(report, inner, f"{outer} = {word}", [one for one, _ in times], made)
                rows = np.array([weights for _, weights in groups])
                for word, row in times:
                    tested = model.groups_at(rows[:-1] - rows[-1], row)
                    cls._simple_row(report, fitted, outer, f"{inner} = {word}", tested)
                    made = cls.compare(fitted, [(weights, row) for _, weights in groups])
                    cls.pair_rows(report, outer, f"{inner} = {word}", [one for one, _ in groups], made)
            for j in (j for j in range(len(measured.within)) if j != i):
                for code, word in enumerate(measured.levels[j]):
                    levels = [model.level((i, j), (c, code)) for c in range(measured.sizes[i])]
                    tested = model.same_at(fitted.grand, np.column_stack([one - levels[-1] for one in levels[:-1]]))
                    at = f"{measured.within[j]} = {word}"
                    cls._simple_row(report, fitted, inner, at, tested)
                    made = cls.compare(fitted, [(fitted.grand, row) for row in levels])
                    cls.pair_rows(report, inner, at, measured.levels[i], made)
        report.note(
            cls.simple,
            "组内因素的简单效应用多变量 *F*（Hotelling *T*²），组间因素的用该次测量自己的误差；各 *p* 没有校正。",
        )
        if not report.rows_of(cls.simple):
            report.skip(cls.simple, "只有一个因素，没有简单效应")

    @classmethod
    def _simple_row(
        cls, report: Report, fitted: Fitted, effect: str, at: str, tested: tuple[float, float, float, float] | None
    ) -> None:
        F, df1, df2, p = tested or (None,) * 4
        report.row(cls.simple, effect=effect, at_level=at, F=F, df1=df1, df2=df2, p=p)
        if p is not None:
            fitted.simple.append((effect, at, p))

    # ---- assumptions -------------------------------------------------------------------------------------------------
    @classmethod
    def _shapes(cls, report: Report, fitted: Fitted) -> None:
        for j, word in enumerate(fitted.measured.cell_words):
            residuals = fitted.model.model.residuals(j)
            shape, test = moments(residuals), normality(residuals)
            fitted.shapes.append((word, shape, test))
            report.row(
                cls.shapes, cell=word, skewness=shape.skewness, kurtosis=shape.kurtosis,
                test=test.name if test else None, statistic=test.statistic if test else None,
                p=test.p if test else None,
            )  # fmt: skip

    @classmethod
    def levene_of(cls, fitted: Fitted, outcome: int) -> Tested | None:
        """Of the residuals of one measurement over the groups."""
        cells: Cells = fitted.measured.study.cells
        return levene(cells, fitted.measured.study.groups, fitted.model.model.residuals(outcome))
