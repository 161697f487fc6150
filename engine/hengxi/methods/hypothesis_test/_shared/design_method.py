"""The report that all factorial designs share: tables, figures, and the order in which they are filled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import special

from hengxi.contract import (
    Chart,
    ColumnInfo,
    Diagonal,
    Method,
    NextStep,
    Points,
    Reference,
    Report,
    Silent,
    Table,
    choice,
    claim,
    combo,
    integer,
    interval,
    num,
    pvalue,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import design_checks, post_hoc
from hengxi.methods.hypothesis_test._shared.design import Design, Study
from hengxi.methods.hypothesis_test._shared.design_words import Words
from hengxi.methods.hypothesis_test._shared.post_hoc import PairTest
from hengxi.stats import boxes
from hengxi.stats.linear_design import Term, levene
from hengxi.stats.moments import Ordered
from hengxi.stats.names import with_unit
from hengxi.stats.normality import normality

MOST_POINTS = 1000
MOST_CELLS = 500
SQUARES = {"III": "类型III", "II": "类型II", "I": "类型I（依放入次序）"}
POST_HOC = {
    "auto": "自动（方差齐用 Tukey，不齐用 Games-Howell）", "none": "不做", "lsd": "LSD", "tukey": "Tukey HSD",
    "scheffe": "Scheffe", "bonferroni": "Bonferroni", "sidak": "Sidak", "holm": "Holm", "snk": "SNK-q",
    "duncan": "Duncan", "dunnett": "Dunnett（对照组）", "games_howell": "Games-Howell", "tamhane_t2": "Tamhane T2",
    "dunnett_t3": "Dunnett T3",
}  # fmt: skip
CONVENTIONS = (
    "各因素按和为 0 编码；类型III 检验每个效应时，其余效应都在模型里。",
    "边际均值（最小二乘均值）：其余因素的各水平权数相同，协变量取样本均值。",
    "偏 η² 的区间由非中心 F 分布反解，为 λ/(λ + df2)；偏 ω² 小于 0 时记作 0。",
    "两两比较用边际均值和模型的误差均方；Games-Howell、Tamhane T2、Dunnett T3 用各组合自己的方差，"
    "自由度用 Satterthwaite 法。",
    "*d* 为均值差除以误差均方的平方根。",
    "齐性检验为残差对各组合的 Levene 检验（以均值为中心）。",
    "正态性检验用 Shapiro-Wilk（3 到 5000 例），更多时用 Lilliefors；超过 50000 例不做检验。",
)
REFERENCES = (
    "fisher1925", "yates1934", "levene1960", "tukey1949", "kramer1956", "games1976", "dunnett1955", "dunnett1980",
    "scheffe1953", "holm1979", "duncan1955", "piepho2004", "searle1980", "steiger2004", "olejnik2003", "cohen1988",
    "shapiro1965", "lilliefors1967", "west1995",
)  # fmt: skip


def post_hoc_choice() -> Any:
    return choice("事后多重比较", POST_HOC, hint="比较各因素的边际均值；Dunnett 的对照为第一个类别")


def squares_choice(kinds: Sequence[str] = ("III", "II", "I")) -> Any:
    return choice(
        "平方和类型", {kind: SQUARES[kind] for kind in kinds}, hint="各组合例数相同且没有协变量时，三种结果一样"
    )


class LinearDesign(Method):
    """Members state their form, the terms of their model, and what they add."""

    family = "方差分析"
    tier: ClassVar[Literal["standard", "member"]] = "standard"
    weights = ("frequency",)
    min_rows = 3
    conventions: ClassVar[Sequence[str]] = CONVENTIONS
    references: ClassVar[Sequence[str]] = REFERENCES

    anova = Table(
        "方差分析结果", source=text("差异来源"), ss=num("平方和", least=0), df=num("*df*1"), df_error=num("*df*2"),
        ms=num("均方", least=0), F=num("*F*", least=0), p=pvalue(),
        eta=combo("偏η² [CI]", "estimate_ci", "eta2", "eta2_low", "eta2_high"), omega=num("偏ω²", least=0),
        place="main",
        claim=claim("named", stat("*F*", "F", "df", "df_error"), effect="eta", names=("source",), outcome="y"),
    )  # fmt: skip
    means = Table(
        "边际均值", effect=text("因素"), level=text("水平"), n=integer("*n*"), mean=num("估计均值"),
        se=num("标准误", least=0), ci=interval("CI", "low", "high", around="mean"), place="main",
    )  # fmt: skip
    mean_plot = Chart(
        "边际均值与置信区间", "interval", of=means, x="level", y="mean", low="low", high="high", facet="effect",
        place="main",
    )  # fmt: skip
    profile = Points(
        "交互作用图的点", panel=text("分面"), x=text("横轴"), series=text("线"), mean=num("估计均值"),
        low=num("下限"), high=num("上限"),
    )  # fmt: skip
    profile_plot = Chart(
        "交互作用均值图", "line", of=profile, x="x", y="mean", series="series", low="low", high="high", facet="panel",
        place="main",
    )  # fmt: skip
    cells = Table(
        "各组合的描述", cell=text("组合"), n=integer("*n*"), mean=num("均值"), sd=num("标准差", least=0),
    )  # fmt: skip
    fitted = Table(
        "模型", layout="record", n=integer("*n*"), r2=num("R²", most=1), adjusted=num("调整R²", most=1),
        rmse=num("误差均方的平方根", least=0),
    )  # fmt: skip
    assumptions = Table(
        "方差齐性与残差正态性", test=text("检验"), F=num("*F*", least=0), df1=integer("*df*1"), df2=integer("*df*2"),
        statistic=num("统计量"), p=pvalue(), claim=Silent("told by the checks"),
    )  # fmt: skip
    joint = Table(
        "交互的边际均值", effect=text("交互"), level=text("组合"), mean=num("估计均值"), se=num("标准误", least=0),
        ci=interval("CI", "low", "high", around="mean"),
    )  # fmt: skip
    pairs = Table(
        "事后多重比较", effect=text("因素"), first=text("水平I"), second=text("水平J"),
        difference=num("均值差", stars="p"), se=num("标准误", least=0), t=num("*t*"), df=num("*df*"),
        p=pvalue("校正 *p*"), ci=interval("CI", "low", "high", around="difference"), d=num("*d*"),
        claim=claim(
            "pair", stat("*t*", "t", "df"), first="first", second="second", effect="d", within="effect", outcome="y",
        ),
    )  # fmt: skip
    letters = Table(
        "字母标记", effect=text("因素"), level=text("水平"), mean=num("估计均值"), letters=text("字母"),
    )  # fmt: skip
    quantiles = Points("残差分位数", theory=num("正态分位数"), sample=num("标准化残差"))
    qq_plot = Chart("残差Q-Q图", "point", of=quantiles, x="theory", y="sample", over=[Diagonal()], place="detail")
    scatter = Points("残差与拟合值", fitted=num("拟合值"), residual=num("标准化残差"))
    scatter_plot = Chart(
        "残差对拟合值", "point", of=scatter, x="fitted", y="residual", over=[Reference(y=0)], place="detail"
    )

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"按{'、'.join(one.title for one in form.factors)}分析{form.y.title}"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"y": form["y"], "x": [*form["factors"], *(form.get("covariates") or [])], "freq": form.get("weight")}
        one = {"group": form["factors"][0], "variables": [form["y"]], "weight": form.get("weight")}
        return [
            NextStep(
                title="只看一个因素（单因素方差分析）", method="hypothesis_test/variance", form=one, seek=["group"]
            ),
            NextStep(
                title="看各变量的系数（线性回归）", method="statistical/linear_regression", form=start, seek=["x"]
            ),
        ]

    # ---- filling ---------------------------------------------------------------------------------------------------
    @classmethod
    def fill(cls, report: Report, how: str, design: Design, words: Words) -> None:
        """Tables and figures all members have; `words` gathers what the sentences need. `how`: the post-hoc test."""
        cls._anova(report, design)
        cls._cells(report, design)
        cls._means(report, design)
        residuals = design.model.residuals()
        words.checks = design_checks.Checked.of(design, residuals)
        cls._assumptions(report, design, words.checks)
        if how == "auto":
            unequal = words.checks.is_unequal and design.is_saturated
            how = "games_howell" if unequal else "tukey"
        words.how = how
        if how != "none":
            words.pairs = cls._pairs(report, design, how)
        else:
            report.skip(cls.pairs, "没有选择事后多重比较")
            report.skip(cls.letters, "没有选择事后多重比较")
        cls._residual_plots(report, design, residuals)

    @classmethod
    def finish(cls, report: Report, design: Design, words: Words) -> None:
        words.write(report)
        words.notes(report, cls)
        design_checks.report_all(report, design, words)

    @classmethod
    def _anova(cls, report: Report, design: Design) -> None:
        study, model = design.study, design.model
        lost = False
        if design.kind == "III":
            cls._constant(report, design)
        for term, one in zip(design.terms, design.tests, strict=True):
            ss, ms = (study.cells.y_scales[0].back(v, 2) for v in (one.ss, one.ms))
            lost = lost or ss is None
            report.row(
                cls.anova, source=study.name(term), ss=ss, df=one.df, df_error=one.df_error, ms=ms, F=one.F, p=one.p,
                eta2=one.eta, eta2_low=one.eta_low, eta2_high=one.eta_high, omega=one.omega,
            )  # fmt: skip
        error, whole = float(model.error[0, 0]), float(model.whole[0, 0])
        squares = [study.cells.y_scales[0].back(v, 2) for v in (error, model.mse(), whole)]
        report.row(cls.anova, source="误差", ss=squares[0], df=model.df, ms=squares[1])
        report.row(cls.anova, source="校正总计", ss=squares[2], df=study.cells.total - 1, total=True)
        if lost or None in squares:
            report.note(cls.anova, "平方和超出了可表示的范围，未给；*F* 与 *p* 不受影响。")
        r2, adjusted = model.r2()
        report.row(cls.fitted, n=study.n, r2=r2, adjusted=adjusted, rmse=design.back(float(np.sqrt(model.mse()))))

    @classmethod
    def _constant(cls, report: Report, design: Design) -> None:
        """The constant where covariates are 0: printed since others print it; no sentence reads it."""
        model, scale = design.model, design.study.cells.y_scales[0]
        weights = np.zeros((1, model.p))
        weights[0, 0] = 1
        k = len(design.study.factors)
        for term, columns in zip(design.terms, model.columns, strict=True):
            if len(term) == 1 and term[0] >= k:
                z = design.study.cells.z_scales[term[0] - k]
                weights[0, columns] = -float(np.ldexp(z.anchor + z.offset, -z.up))
        one = model.estimates(weights)[0]
        se = scale.back(one.se) or 0.0
        with np.errstate(over="ignore"):
            F = float(np.float64(scale.value(one.value)) / se) ** 2 if se > 0 else np.inf
            ss = F * float(scale.back(model.mse(), 2) or np.inf)
        if not np.isfinite(F):
            return
        report.row(
            cls.anova, source="截距", ss=ss if np.isfinite(ss) else None, df=1, df_error=model.df,
            ms=ss if np.isfinite(ss) else None, F=F, p=float(special.fdtrc(1, model.df, F)),
        )  # fmt: skip
        report.note(cls.anova, "截距一行检验总均值是否为 0（协变量取 0），一般不用解释。")

    @classmethod
    def _cells(cls, report: Report, design: Design) -> None:
        study = design.study
        cells, groups = study.cells, study.groups
        for i in range(min(groups.n.size, MOST_CELLS)):
            report.row(
                cls.cells, cell=study.level(study.everything, groups.levels[i]), n=round(float(groups.n[i])),
                mean=cells.y_scales[0].value(float(groups.means[i, 0])), sd=cells.sd(groups, i),
            )  # fmt: skip
        more = "只有 1 例的组合没有标准差。" if (groups.n < 2).any() else ""
        if groups.n.size > MOST_CELLS:
            more += "组合太多，只列前 {most:integer} 个。"
        report.note(
            cls.cells, f"组合按 {{order}} 的次序写。{more}", order=study.name(study.everything), most=MOST_CELLS
        )

    @classmethod
    def _means(cls, report: Report, design: Design) -> None:
        study, reach = design.study, design.t_reach()
        scale = study.cells.y_scales[0]
        for i in design.mains:
            (m,) = design.terms[i]
            combos, weights = design.model.margin((m,))
            counts = np.bincount(study.cells.levels[:, m], weights=study.cells.n, minlength=len(combos))
            for (code,), one in zip(combos, design.model.estimates(weights), strict=True):
                half = reach * one.se
                report.row(
                    cls.means, effect=study.factors[m], level=study.labels[m][code], n=round(float(counts[code])),
                    mean=scale.value(one.value), se=scale.back(one.se), low=scale.value(one.value - half),
                    high=scale.value(one.value + half),
                )  # fmt: skip
        report.chart(cls.mean_plot, titles={"y": with_unit(study.y, study.unit)})
        if not design.joint:
            report.skip(cls.joint, "模型没有交互项")
            report.skip(cls.profile, "模型没有交互项，各条线必然平行")
            return
        for i in design.joint:
            combos, weights = design.model.margin(design.terms[i])
            if len(combos) > MOST_CELLS:
                continue
            for combo_codes, one in zip(combos, design.model.estimates(weights), strict=True):
                half = reach * one.se
                report.row(
                    cls.joint, effect=study.name(design.terms[i]), level=study.level(design.terms[i], combo_codes),
                    mean=scale.value(one.value), se=scale.back(one.se), low=scale.value(one.value - half),
                    high=scale.value(one.value + half),
                )  # fmt: skip
        cls._profile(report, design, cls.drawn(design))

    @classmethod
    def drawn(cls, design: Design) -> Term:
        """The interaction a figure shows: of three factors at most, the one with the smallest p."""
        fits = [i for i in design.joint if len(design.terms[i]) <= 3]
        return design.terms[min(fits, key=lambda i: (-len(design.terms[i]), design.tests[i].p))]

    @classmethod
    def _profile(cls, report: Report, design: Design, term: Term) -> None:
        study, reach = design.study, design.t_reach()
        scale = study.cells.y_scales[0]
        combos, weights = design.model.margin(term)
        # The factor of most levels along the axis: fewest lines.
        order = sorted(range(len(term)), key=lambda i: -study.cells.sizes[term[i]])
        for codes, one in zip(combos, design.model.estimates(weights), strict=True):
            words = [study.labels[term[i]][codes[i]] for i in order]
            half = reach * one.se
            panel = words[2] if len(words) > 2 else ""
            report.row(
                cls.profile, panel=panel, x=words[0], series=words[1], mean=scale.value(one.value),
                low=scale.value(one.value - half), high=scale.value(one.value + half),
            )  # fmt: skip
        names = [study.factors[term[i]] for i in order]
        report.chart(cls.profile_plot, titles={"x": names[0], "y": with_unit(study.y, study.unit)})
        report.note(
            cls.profile_plot,
            "横轴是“{x}”，每条线是“{s}”的一个水平" + ("，每格是“{panel}”的一个水平" if len(names) > 2 else "")
            + "；线越不平行，交互作用越大。色带为 {level:percent} 置信区间。",
            x=names[0], s=names[1], panel=names[2] if len(names) > 2 else "", level=design.level,
        )  # fmt: skip

    @classmethod
    def _assumptions(cls, report: Report, design: Design, checks: design_checks.Checked) -> None:
        one = checks.levene
        report.row(
            cls.assumptions, test="Levene（残差，均值）", F=one.F if one else None, df1=one.df if one else None,
            df2=one.df_error if one else None, p=one.p if one else None,
        )  # fmt: skip
        if one is None:
            report.note(
                cls.assumptions, "各组合内的残差离散程度没有变异（如每个组合只有 1 到 2 例），Levene 检验算不出来。"
            )
        if checks.normality is not None:
            found = checks.normality
            report.row(cls.assumptions, test=f"{found.name}（残差）", statistic=found.statistic, p=found.p)

    @classmethod
    def _pairs(cls, report: Report, design: Design, how: str) -> dict[Term, list[PairTest]]:
        study, found = design.study, {}
        for i in design.mains:
            term = design.terms[i]
            labels = study.labels[term[0]]
            found[term] = design.pairs(term, how)
            for pair in found[term]:
                report.row(
                    cls.pairs, effect=study.name(term), first=labels[pair.first], second=labels[pair.second],
                    difference=pair.difference, se=pair.se, t=pair.t, df=pair.df, p=pair.p, low=pair.low,
                    high=pair.high, d=pair.d,
                )  # fmt: skip
            if how != "dunnett" and len(labels) > 2:
                cls._letters(report, design, term, found[term])
        if how == "dunnett":
            report.skip(cls.letters, "只与对照组比较时没有字母标记")
        elif all(len(study.labels[design.terms[i][0]]) < 3 for i in design.mains):
            report.skip(cls.letters, "每个因素只有两个水平，不需要字母")
        return found

    @classmethod
    def _letters(cls, report: Report, design: Design, term: Term, pairs: list[PairTest]) -> None:
        _, weights = design.model.margin(term)
        values = [one.value for one in design.model.estimates(weights)]
        order = sorted(range(len(values)), key=lambda i: -values[i])
        marks = post_hoc.letters_of(order, pairs, design.alpha)
        for i in order:
            report.row(
                cls.letters, effect=design.study.name(term), level=design.study.labels[term[0]][i],
                mean=design.study.cells.y_scales[0].value(values[i]), letters=marks[i],
            )  # fmt: skip

    @classmethod
    def _residual_plots(cls, report: Report, design: Design, residuals: Any) -> None:
        cells, sd = design.study.cells, float(np.sqrt(design.model.mse()))
        n = design.study.n
        x = boxes.evenly(Ordered.of(residuals, cells.counts), MOST_POINTS) / sd
        places = np.arange(n) if n <= MOST_POINTS else np.unique(np.linspace(0, n - 1, MOST_POINTS).astype(np.int64))
        theory = special.ndtri((places + 1 - 0.375) / (n + 0.25))
        report.add_rows(cls.quantiles, {"theory": theory, "sample": x})
        report.note(cls.qq_plot, "点越贴近对角线，残差越接近正态；残差除以误差均方的平方根，绘图位置用 Blom 公式。")
        fitted = design.model.fitted()
        order = np.lexsort((residuals, fitted))
        if order.size > MOST_POINTS:
            order = order[np.unique(np.linspace(0, order.size - 1, MOST_POINTS).astype(np.int64))]
        scale = cells.y_scales[0]
        values = [scale.value(float(v)) for v in fitted[order]]
        report.add_rows(cls.scatter, {"fitted": values, "residual": residuals[order] / sd})
        for chart, shown in ((cls.qq_plot, places.size), (cls.scatter_plot, order.size)):
            if shown < max(n, residuals.size):
                report.chart(chart, thinned=(int(shown), n))


def study_of(form: Any, fields: tuple[str, str, str] = ("y", "factors", "covariates")) -> Study:
    """From a form with `y`, `factors`, and perhaps `covariates` and `weight`."""
    covariates = getattr(form, "covariates", None) or []
    return Study.of([form.y], form.factors, covariates, getattr(form, "weight", None), fields)


__all__ = ["LinearDesign", "levene", "normality", "study_of"]
