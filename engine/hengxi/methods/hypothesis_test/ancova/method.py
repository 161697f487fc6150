from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from scipy import special

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Points,
    Report,
    Table,
    choice,
    claim,
    estimates,
    flag,
    integer,
    interval,
    num,
    number,
    pvalue,
    role,
    stat,
    text,
    weight,
)
from hengxi.methods.hypothesis_test._shared import design
from hengxi.methods.hypothesis_test._shared.design import Design
from hengxi.methods.hypothesis_test._shared.design_method import (
    CONVENTIONS,
    MOST_POINTS,
    REFERENCES,
    LinearDesign,
    squares_choice,
    study_of,
)
from hengxi.methods.hypothesis_test._shared.design_words import Words
from hengxi.stats.linear_design import Confounded, LinearModel, Term
from hengxi.stats.moments import Floats
from hengxi.stats.names import with_unit


class Ancova(LinearDesign):
    """Groups compared at the mean of covariates; whether their slopes are parallel is tested beside."""

    title, title_en = "协方差分析", "ANCOVA"
    rescaled = (("y",),)
    purpose = "扣除协变量影响后，各组均值是否有差异"
    aliases = ("ANCOVA", "调整均值", "控制前测", "前后测控制组设计", "平行性检验", "斜率齐性", "Johnson-Neyman")
    conventions = (
        *CONVENTIONS,
        "平行性检验：在模型里加入全部“因素 × 协变量”，逐项检验。",
        "参数估计以各因素的第一个类别为参照。",
        "Johnson-Neyman 界限：两组之差的逐点置信区间端点恰为 0 的协变量取值，其余协变量取均值。",
    )
    references = (*REFERENCES, "johnson1936")

    class Input(Form):
        y: Column = role("因变量Y", "定量")
        factors: list[Column] = role("固定因素X", "定类", min=1, max=2, levels=(2, None))
        covariates: list[Column] = role("协变量", "定量", min=1, max=5)
        weight: Column | None = weight("频数权重（选填）", kind="frequency", whole=True)
        ss_type: str = squares_choice(("III", "II"))
        slope_test: bool = flag("平行性（交互）检验", True)
        post_hoc: str = choice(
            "调整均值比较校正", {"none": "LSD", "bonferroni": "Bonferroni", "sidak": "Sidak", "tukey": "Tukey"},
            default="bonferroni",
        )  # fmt: skip
        conf_level: float = number("置信水平", 0.95, least=0.5, most=0.999, percent=True)

    baseline = Table(
        "各组的协变量", cell=text("组"), covariate=text("协变量"), n=integer("*n*"), mean=num("均值"),
        sd=num("标准差", least=0),
    )  # fmt: skip
    slopes = Table(
        "平行性检验", term=text("因素 × 协变量"), ss=num("平方和", least=0), df=num("*df*1"), df_error=num("*df*2"),
        F=num("*F*", least=0), p=pvalue(), when={"slope_test": True},
        claim=claim("named", stat("*F*", "F", "df", "df_error"), names=("term",), outcome="y"),
    )  # fmt: skip
    regions = Table(
        "Johnson-Neyman界限", covariate=text("协变量"), first=text("水平I"), second=text("水平J"), low=num("下界"),
        high=num("上界"), region=text("差异有统计学意义的范围"), when={"slope_test": True},
    )  # fmt: skip
    parameters = Table(
        "参数估计", name=text("项"), b=num("*B*"), se=num("标准误", least=0, around="b"), t=num("*t*"), df=num("*df*"),
        p=pvalue(), ci=interval("CI", "low", "high", around="b"), claim=estimates(stat("*t*", "t", "df")),
    )  # fmt: skip
    lines = Points("各组的回归线", group=text("组"), x=num("协变量"), y=num("因变量"))
    line_plot = Chart("各组的回归线", "line", of=lines, x="x", y="y", series="group", place="main")
    cases = Points("个案", group=text("组"), x=num("协变量"), y=num("因变量"))
    case_plot = Chart("协变量与因变量", "point", of=cases, x="x", y="y", series="group", place="detail")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        study = study_of(form)
        k = len(study.factors)
        terms = design.estimable(report, study, design.interactions(k, k))
        covariates: list[Term] = [(k + j,) for j in range(len(study.covariates))]
        fitted = design.fit(
            study, [*terms, *covariates], form.ss_type, form.conf_level, "没有剩余的误差自由度，请增加样本或减少协变量"
        )
        words = AncovaWords(fitted, cls.title)
        cls._baseline(report, fitted)
        cls.fill(report, "lsd" if form.post_hoc == "none" else form.post_hoc, fitted, words)
        cls._parameters(report, fitted)
        sloped = cls._slopes(report, fitted, words) if form.slope_test else None
        cls._lines(report, fitted, sloped)
        cls.finish(report, fitted, words)
        words.check_slopes(report)
        return report

    @classmethod
    def _baseline(cls, report: Report, fitted: Design) -> None:
        study, cells = fitted.study, fitted.study.cells
        for j, name in enumerate(study.covariates):
            z, scale = cells.z[:, j], cells.z_scales[j]
            means = cells.sums(z) / cells.n
            within = cells.sums((z - means[cells.of_row]) ** 2)
            for i in range(cells.n.size):
                n = float(cells.n[i])
                report.row(
                    cls.baseline, cell=study.level(study.everything, cells.levels[i]), covariate=name, n=round(n),
                    mean=scale.value(float(means[i])),
                    sd=scale.back(float(np.sqrt(within[i] / (n - 1)))) if n > 1 else None,
                )  # fmt: skip

    @classmethod
    def _parameters(cls, report: Report, fitted: Design) -> None:
        """Coefficients against the first level of each factor, the constant where covariates are 0."""
        study, model, scale = fitted.study, fitted.model, fitted.study.cells.y_scales[0]
        k = len(study.factors)
        combos, weights = model.margin(study.everything)
        place = {combo: i for i, combo in enumerate(combos)}
        zero = np.zeros(model.p)
        rows: list[tuple[str, Floats, int | None]] = []
        for term, columns in zip(fitted.terms, model.columns, strict=True):
            if term[0] >= k:
                z = study.cells.z_scales[term[0] - k]
                slope = np.zeros(model.p)
                slope[columns] = 1
                zero[columns] = -float(np.ldexp(z.anchor + z.offset, -z.up))
                rows.append((study.name(term), slope, z.up))
        first = weights[place[(0,) * k]]
        listed = [("常数", first + zero, None)]
        for term in (one for one in fitted.terms if one[0] < k):
            for codes in np.ndindex(*(study.cells.sizes[m] - 1 for m in term)):
                levels = [code + 1 for code in codes]
                total = np.zeros(model.p)
                for size in range(len(term) + 1):
                    for chosen in combinations(range(len(term)), size):
                        combo = [0] * k
                        for at in chosen:
                            combo[term[at]] = levels[at]
                        total += (-1) ** (len(term) - size) * weights[place[tuple(combo)]]
                names = [f"{study.factors[m]}：{study.labels[m][code]}" for m, code in zip(term, levels, strict=True)]
                listed.append((" × ".join(names), total, None))
        reach = fitted.t_reach()
        for name, coefficients, up in [*listed, *rows]:
            one = model.estimates(coefficients[None, :])[0]
            power = scale.up - (up or 0)
            with np.errstate(over="ignore", under="ignore"):
                b, se = (float(np.ldexp(v, power)) for v in (one.value, one.se))
            b = scale.value(one.value) if name == "常数" else b
            t = b / se if name == "常数" else one.value / one.se
            report.row(
                cls.parameters, name=name, b=b, se=se, t=t, df=model.df,
                p=min(1.0, 2 * float(special.stdtr(model.df, -abs(t)))), low=b - reach * se, high=b + reach * se,
            )  # fmt: skip
        report.note(cls.parameters, "各因素以第一个类别为参照；常数是参照组在协变量为 0 时的估计值。")

    @classmethod
    def _slopes(cls, report: Report, fitted: Design, words: AncovaWords) -> LinearModel | None:
        study = fitted.study
        k = len(study.factors)
        crossed: list[Term] = [(f, k + j) for f in range(k) for j in range(len(study.covariates))]
        try:
            model = LinearModel(study.cells, [*fitted.terms, *crossed])
        except Confounded:
            model = None
        if model is None or model.df < 1:
            reason = "有的组例数太少或协变量在组内没有变异，斜率无法比较"
            report.skip(cls.slopes, reason)
            report.skip(cls.regions, reason)
            return None
        for term, one in list(zip(model.terms, model.tests("II", fitted.level), strict=True))[len(fitted.terms) :]:
            words.slopes.append((study.name(term), one))
            report.row(
                cls.slopes, term=study.name(term), ss=study.cells.y_scales[0].back(one.ss, 2), df=one.df,
                df_error=one.df_error, F=one.F, p=one.p,
            )  # fmt: skip
            if one.p < fitted.alpha:
                cls._regions(report, fitted, model, term)
        if words.is_parallel:
            report.skip(cls.regions, "没有发现斜率不同，不需要界限")
        else:
            report.note(
                cls.regions, "水平I 与水平J 的差异在协变量的哪一段有统计学意义（逐点，未校正）；其余协变量取均值。"
            )
        return model

    @classmethod
    def _regions(cls, report: Report, fitted: Design, model: LinearModel, term: Term) -> None:
        """Where the pointwise interval of a difference of two levels touches 0: roots of a parabola."""
        study = fitted.study
        factor, scale = term[0], study.cells.z_scales[term[1] - len(study.factors)]
        _, weights = model.margin((factor,))
        slopes = np.zeros_like(weights)
        columns = model.columns[model.terms.index(term)]
        size = study.cells.sizes[factor]
        slopes[:, columns] = np.vstack((np.eye(size - 1), -np.ones(size - 1)))
        reach = float(special.stdtrit(model.df, (1 + fitted.level) / 2)) ** 2
        for i, j in combinations(range(size), 2):
            both = np.vstack((weights[i] - weights[j], slopes[i] - slopes[j]))
            c, s = both @ model.beta[:, 0]
            v = model.covariance(both)
            parabola = [s * s - reach * v[1, 1], 2 * (c * s - reach * v[0, 1]), c * c - reach * v[0, 0]]
            root = parabola[1] ** 2 - 4 * parabola[0] * parabola[2]
            low = high = None
            region = "任何取值" if parabola[0] > 0 else "没有"
            if root > 0 and parabola[0] != 0:
                ends = sorted((-parabola[1] + sign * float(np.sqrt(root))) / (2 * parabola[0]) for sign in (-1, 1))
                low, high = (scale.value(end) for end in ends)
                region = "小于下界或大于上界" if parabola[0] > 0 else "下界与上界之间"
            labels = study.labels[factor]
            report.row(
                cls.regions, covariate=study.name((term[1],)), first=labels[i], second=labels[j], low=low, high=high,
                region=region,
            )  # fmt: skip

    @classmethod
    def _lines(cls, report: Report, fitted: Design, sloped: LinearModel | None) -> None:
        """Cases and lines of each group along the first covariate; slopes of their own where they were tested."""
        study, cells = fitted.study, fitted.study.cells
        model = sloped or fitted.model
        z, scale_y, scale_z = cells.z[:, 0], cells.y_scales[0], cells.z_scales[0]
        fits = model.fitted() if cells.q == 1 else None
        for i in range(cells.n.size):
            rows = np.flatnonzero(cells.of_row == i)
            name = study.level(study.everything, cells.levels[i])
            order = rows[np.lexsort((cells.y[rows, 0], z[rows]))]
            most = max(2, MOST_POINTS // cells.n.size)
            shown = order[np.unique(np.linspace(0, order.size - 1, most).astype(np.int64))]
            report.add_rows(
                cls.cases,
                {
                    "group": [name] * shown.size,
                    "x": [scale_z.value(float(v)) for v in z[shown]],
                    "y": [scale_y.value(float(v)) for v in cells.y[shown, 0]],
                },
            )
            for row in {int(order[0]): None, int(order[-1]): None} if fits is not None else ():
                assert fits is not None
                report.row(cls.lines, group=name, x=scale_z.value(float(z[row])), y=scale_y.value(float(fits[row])))
        titles = {"x": study.covariates[0], "y": with_unit(study.y, study.unit)}
        if fits is None:
            report.skip(cls.lines, "有多个协变量，回归线不在一个平面上")
        else:
            report.chart(cls.line_plot, titles=titles)
        report.chart(cls.case_plot, titles=titles)


class AncovaWords(Words):
    """Slopes first: where they differ, the difference of adjusted means is that at one value only."""

    def __init__(self, fitted: Design, title: str) -> None:
        super().__init__(fitted, title)
        self.slopes: list[tuple[str, Any]] = []

    @property
    def is_parallel(self) -> bool:
        return all(one.p >= self.alpha for _, one in self.slopes)

    def conclusion(self) -> str:
        if self.is_parallel:
            return super().conclusion()
        name, worst = min(self.slopes, key=lambda one: float(one[1].p))
        self.facts |= {"slope": name, "slope_p": worst.p}
        return (
            "各组的斜率不同（“{slope}” *p* {slope_p:peq}）：组间差异随协变量而变，调整均值的比较只在协变量均值处成立，"
            "请看回归线图和 Johnson-Neyman 界限。在协变量均值处，" + super().conclusion()
        )

    def details(self) -> list[tuple[str, dict[str, Any]]]:
        told = super().details()
        k = len(self.design.study.factors)
        for term, one in zip(self.design.terms, self.design.tests, strict=True):
            if term[0] >= k:
                verdict = "有关" if one.p < self.alpha else "没有发现关系，控制它没有减少多少误差"
                facts = {"cov": self.design.study.name(term), "y": self.design.study.y, "cp": one.p, "ce": one.eta}
                told.append((f"协变量“{{cov}}”与“{{y}}”{verdict}（*p* {{cp:peq}}，偏 η² = {{ce:num}}）。", facts))
        return told

    def check_slopes(self, report: Report) -> None:
        if not self.slopes:
            return
        name, worst = min(self.slopes, key=lambda one: float(one[1].p))
        state, ending = ("pass", "没有发现斜率不同，可以比较调整均值。")
        if not self.is_parallel:
            state, ending = "fail", "斜率不同，协方差分析的前提不成立：组间差异要按协变量的取值分段说明。"
        report.check(
            "回归斜率齐性", "pass" if state == "pass" else "fail",
            "“{name}”：*F*({df1:integer}, {df2:integer}) = {F:num}，*p* {p:peq}。" + ending,
            name=name, F=worst.F, df1=worst.df, df2=worst.df_error, p=worst.p,
        )  # fmt: skip
