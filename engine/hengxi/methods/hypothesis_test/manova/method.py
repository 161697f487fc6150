from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    Silent,
    Table,
    adjustment,
    claim,
    confidence,
    flag,
    integer,
    num,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import design
from hengxi.methods.hypothesis_test._shared import manova_words as words
from hengxi.methods.hypothesis_test._shared.design import Study
from hengxi.methods.hypothesis_test._shared.manova_words import Found
from hengxi.stats import linear_design, multivariate_tests
from hengxi.stats.covariances import dependent
from hengxi.stats.linear_design import Confounded, LinearModel, Term
from hengxi.stats.moments import Floats
from hengxi.stats.multiple import adjust
from hengxi.stats.multivariate_normality import mardia, whitened
from hengxi.stats.multivariate_tests import TITLES, BoxM

MOST_SCORES = 1000


class Manova(Method):
    """Several outcomes at once over groups; then each alone, and the direction in which the groups differ most."""

    title, title_en = "多元方差分析", "MANOVA"
    family, tier = "方差分析", "standard"
    purpose = "多个因变量的均值向量在组间是否有差异"
    aliases = ("MANOVA", "多变量方差分析", "多因变量方差分析", "Wilks", "Pillai", "Hotelling迹", "Roy最大根", "MANCOVA")
    references = (
        "pillai1955", "wilks1932", "rao1951", "roy1953", "hotelling1931", "box1949", "mardia1970", "levene1960",
        "holm1979", "cohen1988",
    )  # fmt: skip
    conventions = (
        "因素按和为 0 编码，类型III 平方和与交叉积矩阵；各效应的误差是全模型的误差矩阵。",
        "Wilks Λ 的 F 用 Rao（1951）近似；Hotelling-Lawley 迹的 F 用 Pillai 近似（与 SPSS、R 相同，"
        "statsmodels 用 McKeon 近似而不同）；Roy 最大根的 F 是上界。",
        "偏 η²：Pillai 迹为 V/s，Wilks 为 1 − Λ^(1/s)，Hotelling 为 (T/s)/(T/s + 1)，Roy 为 θ/(1 + θ)；"
        "s 为因变量个数与效应自由度中较小的。",
        "Box M 按 .001 判断：小于它、或算不出来时采用 Pillai 迹，否则采用 Wilks Λ。",
        "单变量 *p* 在每个效应之内按因变量个数校正。",
        "典型变量：组内合并方差为 1，载荷最大的因变量取正号；结构系数是组内相关。",
        "Mardia 检验用模型的残差，协方差以 n 为分母。",
        "任何一个变量有缺失的行整行不用。",
    )
    min_rows = 4

    class Input(Form):
        y: list[Column] = role("因变量", "定量", min=2, max=20)
        factors: list[Column] = role("因素", "定类", min=1, max=3, levels=(2, None))
        covariates: list[Column] = role("协变量（选填）", "定量", min=0, max=5)
        interaction: bool = flag("交互效应", True)
        univariate: bool = flag("后续单变量方差分析", True)
        adjust: str = adjustment("bonferroni", "none", "bonferroni", "holm", when={"univariate": True})
        conf_level: float = confidence()

    many = Table(
        "多变量检验", source=text("差异来源"), criterion=text("统计量"), value=num("值", least=0),
        F=num("*F*", least=0), df1=num("*df*1"), df2=num("*df*2"), p=pvalue(), eta=num("偏η²", least=0, most=1),
        read=text("采用"), place="main", merge=("source",),
        claim=claim(
            "named", stat("*F*", "F", "df1", "df2"), effect="eta", names=("source", "criterion"), read="read",
        ),
    )  # fmt: skip
    single = Table(
        "单变量效应", source=text("差异来源"), outcome=text("因变量"), ss=num("平方和", least=0), df=num("*df*1"),
        df_error=num("*df*2"), F=num("*F*", least=0), p=pvalue(), adjusted=pvalue("校正 *p*"),
        eta=num("偏η²", least=0, most=1), place="main", merge=("source",), when={"univariate": True},
        claim=claim(
            "named", stat("*F*", "F", "df", "df_error"), p="adjusted", effect="eta", names=("source", "outcome"),
        ),
    )  # fmt: skip
    cells = Table(
        "描述", outcome=text("因变量"), group=text("组"), n=integer("*n*"), mean=num("均值"), sd=num("标准差", least=0),
        merge=("outcome",),
    )  # fmt: skip
    profile = Points("均值剖面的点", x=text("因变量"), series=text("组"), y=num("标准化均值"))
    profile_plot = Chart("均值剖面图", "line", of=profile, x="x", y="y", series="series", place="main")
    canonical = Table(
        "典型变量", source=text("差异来源"), axis=text("典型变量"), root=num("特征值", least=0),
        share=percent("占比"), r=num("典型相关", least=0, most=1), merge=("source",),
    )  # fmt: skip
    loadings = Table(
        "典型变量的系数", source=text("差异来源"), axis=text("典型变量"), outcome=text("因变量"),
        weight=num("标准化系数"), structure=num("结构系数", least=-1, most=1), merge=("source", "axis"),
    )  # fmt: skip
    scores = Points("典型判别得分", group=text("组"), x=num("典型变量 1"), y=num("典型变量 2"))
    score_plot = Chart("典型判别得分图", "point", of=scores, x="x", y="y", series="group", place="detail")
    box = Table(
        "协方差齐性（Box M）", layout="record", m=num("Box *M*"), chi2=num("χ²"), chi2_p=pvalue("χ² 的 *p*"),
        F=num("*F*"), df1=integer("*df*1"), df2=num("*df*2"), p=pvalue(), claim=Silent("told by its check"),
    )  # fmt: skip
    shapes = Table(
        "残差的多元正态性（Mardia）", test=text("检验"), value=num("系数"), statistic=num("统计量"),
        df=integer("*df*"), p=pvalue(), claim=Silent("told by its check"),
    )  # fmt: skip
    spread = Table(
        "各因变量的方差齐性（Levene）", outcome=text("因变量"), F=num("*F*", least=0), df1=integer("*df*1"),
        df2=integer("*df*2"), p=pvalue(), claim=Silent("told by its check"),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"按{'、'.join(one.title for one in form.factors)}比较 {len(form.y)} 个因变量"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        return [
            NextStep(title="看各变量是否联合正态（多元正态性检验）", method="descriptive/multivariate_normality",
                     form={"variables": form["y"]}),
            NextStep(title="逐个因变量做单因素方差分析", method="hypothesis_test/variance",
                     form={"group": form["factors"][0], "variables": form["y"]}, seek=["group"]),
        ]  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        study = Study.of(form.y, form.factors, form.covariates, None)
        k = len(study.factors)
        terms = design.estimable(report, study, design.interactions(k, k if form.interaction else 1))
        covariates: list[Term] = [(k + j,) for j in range(len(study.covariates))]
        model = cls._fit(form, study, [*terms, *covariates])
        found = Found(study, model, form.conf_level)
        found.box = cls._box(report, study)
        cls._cells(report, study)
        cls._many(report, found)
        if form.univariate:
            cls._single(report, found, form.adjust)
        cls._canonical(report, found)
        cls._mardia(report, found)
        cls._levene(report, found)
        words.write(report, found, cls.title, form)
        return report

    @classmethod
    def _fit(cls, form: Any, study: Study, terms: list[Term]) -> LinearModel:
        p = len(form.y)
        for j, scale in enumerate(study.cells.y_scales):
            if not -480 < scale.up < 480:
                raise Refusal(
                    "data.magnitude", "“{v}”的数值过大或过小，请换一个单位", field="y", column=form.y[j].id,
                    v=form.y[j].title,
                )  # fmt: skip
        try:
            model = LinearModel(study.cells, terms)
        except Confounded as found:
            raise Refusal(
                "data.collinear", "“{v}”与其余因素或协变量完全混杂，效应无法分开，请移去", field="factors",
                v=study.name(found.term),
            ) from None  # fmt: skip
        if model.df < p:
            raise Refusal(
                "data.few", "误差自由度 {df} 少于因变量个数 {p}，多变量检验算不出来；请减少因变量或增加样本", field="y",
                df=int(model.df), p=p,
            )  # fmt: skip
        whole, size = np.diag(model.whole), np.diag(model.error)
        for j in map(int, np.flatnonzero(size <= 1e-24 * whole)):
            raise Refusal(
                "data.constant", "“{v}”在组内没有变异（取值全部相同或被分组完全决定），请去掉它", field="y",
                column=form.y[j].id, v=form.y[j].title,
            )  # fmt: skip
        at = dependent(model.error / np.sqrt(np.outer(size, size)))
        if at is not None:
            raise Refusal(
                "data.collinear", "因变量之间完全共线，请删除“{v}”：它可以由前面的因变量算出来", field="y",
                column=form.y[at].id, v=form.y[at].title,
            )  # fmt: skip
        return model

    # ---- tables ----------------------------------------------------------------------------------------------------
    @classmethod
    def _box(cls, report: Report, study: Study) -> BoxM | None:
        cells, groups = study.cells, study.groups
        of_row = groups.of_cell[cells.of_row]
        p = cells.r
        few = np.flatnonzero(groups.n <= p)
        if few.size:
            name, n = study.level(study.everything, groups.levels[few[0]]), round(float(groups.n[few[0]]))
            report.warn(
                "data.few", "组“{g}”样本量 {n:integer} 不大于因变量个数 {p:integer}，Box M 不可算，"
                "结论采用 Pillai 迹。",
                g=name, n=n, p=p,
            )  # fmt: skip
            report.skip(cls.box, "有一组的样本量不大于因变量个数")
            return None
        covariances = [np.cov(cells.y[of_row == g], rowvar=False) for g in range(groups.n.size)]
        found = multivariate_tests.box_m(list(groups.n), covariances)
        if found is None:
            report.skip(cls.box, "有一组的因变量之间完全共线或没有变异")
            return None
        report.row(
            cls.box, m=found.m, chi2=found.chi2, chi2_p=found.chi2_p, F=found.F, df1=found.df1, df2=found.df2,
            p=found.p,
        )  # fmt: skip
        return found

    @classmethod
    def _cells(cls, report: Report, study: Study) -> None:
        cells, groups = study.cells, study.groups
        sds = np.sqrt((groups.within.sum(axis=0) + 0) / max(cells.total - groups.n.size, 1))
        for j, name in enumerate(study.outcomes):
            for g in range(groups.n.size):
                word = study.level(study.everything, groups.levels[g])
                report.row(
                    cls.cells, outcome=name, group=word, n=round(float(groups.n[g])),
                    mean=cells.y_scales[j].value(float(groups.means[g, j])), sd=cells.sd(groups, g, j),
                )  # fmt: skip
                report.row(cls.profile, x=name, series=word, y=float(groups.means[g, j]) / float(sds[j]))
        report.chart(cls.profile_plot, titles={"x": "因变量", "y": "离总均值的标准差数"})
        report.note(cls.profile_plot, "各因变量单位不同，所以画离总均值多少个组内标准差；线越分开，各组差别越大。")

    @classmethod
    def _many(cls, report: Report, found: Found) -> None:
        for term, hypothesis in zip(found.model.terms, found.hypotheses, strict=True):
            name = found.study.name(term)
            width = len(found.model.columns[found.model.terms.index(term)])
            for one in multivariate_tests.criteria(hypothesis, found.model.error, width, found.model.df):
                read = one.key == found.read
                if read:
                    found.many.append((term, name, one))
                report.row(
                    cls.many, source=name, criterion=TITLES[one.key], value=one.value, F=one.F, df1=one.df1,
                    df2=one.df2, p=one.p, eta=one.eta, read="采用" if read else None,
                )  # fmt: skip
        report.note(cls.many, "效应自由度为 1 时四种结果相同。Roy 最大根的 *F* 是上界，其余情况下 *p* 偏小。")

    @classmethod
    def _single(cls, report: Report, found: Found, how: str) -> None:
        study, model = found.study, found.model
        tests = [model.tests("III", found.level, j) for j in range(len(study.outcomes))]
        for i, term in enumerate(model.terms):
            ps = adjust([one[i].p for one in tests], how)
            for j, (name, p) in enumerate(zip(study.outcomes, ps, strict=True)):
                one = tests[j][i]
                found.single.append((term, name, one, p))
                report.row(
                    cls.single, source=study.name(term), outcome=name, ss=study.cells.y_scales[j].back(one.ss, 2),
                    df=one.df, df_error=one.df_error, F=one.F, p=one.p, adjusted=p, eta=one.eta,
                )  # fmt: skip

    @classmethod
    def _canonical(cls, report: Report, found: Found) -> None:
        study, model = found.study, found.model
        drawn = None
        for term, hypothesis, columns in zip(model.terms, found.hypotheses, model.columns, strict=True):
            if max(term) >= len(study.factors):
                continue
            roots, axes = cls._axes(hypothesis, model.error, model.df)
            s = min(len(columns), len(study.outcomes))
            sd = np.sqrt(np.diag(model.error) / model.df)
            inner = model.error / model.df
            for a in range(s):
                report.row(
                    cls.canonical, source=study.name(term), axis=f"第 {a + 1}", root=float(roots[a]),
                    share=float(roots[a] / roots[:s].sum()) if roots[:s].sum() > 0 else None,
                    r=float(np.sqrt(roots[a] / (1 + roots[a]))),
                )  # fmt: skip
                for j, name in enumerate(study.outcomes):
                    report.row(
                        cls.loadings, source=study.name(term), axis=f"第 {a + 1}", outcome=name,
                        weight=float(axes[j, a] * sd[j]),
                        structure=float(np.clip(inner[j] @ axes[:, a] / sd[j], -1, 1)),
                    )  # fmt: skip
            if drawn is None and s > 1 and len(term) == 1:
                drawn = (term, axes)
        if drawn is None:
            report.skip(cls.scores, "效应只有一个典型变量（两组），画不出平面图")
            return
        term, axes = drawn
        values = study.cells.y @ axes[:, :2]
        rows = np.unique(np.linspace(0, len(values) - 1, min(len(values), MOST_SCORES)).astype(int))
        codes = study.cells.levels[study.cells.of_row, term[0]]
        report.add_rows(
            cls.scores,
            {
                "group": [study.labels[term[0]][c] for c in codes[rows]],
                "x": values[rows, 0],
                "y": values[rows, 1],
            },
        )
        report.chart(cls.score_plot, thinned=(rows.size, len(values)) if rows.size < len(values) else None)
        report.note(cls.score_plot, "按“{f}”求的前两个典型变量；组与组的点分得越开，差别越大。", f=study.name(term))

    @staticmethod
    def _axes(hypothesis: Floats, error: Floats, df: float) -> tuple[Floats, Floats]:
        """Roots of H E⁻¹ from the largest down, and vectors a with a'(E/df)a = 1, the largest loading positive."""
        size = np.sqrt(np.diag(error))
        values, vectors = np.linalg.eigh(error / np.outer(size, size))
        half = vectors / np.sqrt(values)
        roots, turned = np.linalg.eigh(half.T @ (hypothesis / np.outer(size, size)) @ half)
        axes = (half @ turned)[:, ::-1]
        loads = (error / np.outer(size, size)) @ axes
        sign = np.sign(loads[np.abs(loads).argmax(axis=0), np.arange(loads.shape[1])])
        return np.maximum(roots[::-1], 0.0), axes / size[:, None] * np.sqrt(df) * np.where(sign == 0, 1, sign)

    @classmethod
    def _mardia(cls, report: Report, found: Found) -> None:
        r = np.column_stack([found.model.residuals(j) for j in range(len(found.study.outcomes))])
        covariance = r.T @ r / len(r)
        sd = np.sqrt(np.diag(covariance))
        if len(r) > 20_000:
            report.skip(cls.shapes, "超过 20000 行，不做检验")
            return
        found.mardia = mardia(whitened(r / sd, covariance / np.outer(sd, sd)))
        for one in found.mardia:
            report.row(cls.shapes, test=one.name, value=one.value, statistic=one.statistic, df=one.df, p=one.p)

    @classmethod
    def _levene(cls, report: Report, found: Found) -> None:
        study = found.study
        for j, name in enumerate(study.outcomes):
            one = linear_design.levene(study.cells, study.groups, found.model.residuals(j))
            if one is not None:
                found.levene.append((name, one))
                report.row(cls.spread, outcome=name, F=one.F, df1=one.df, df2=one.df_error, p=one.p)
        if not found.levene:
            report.skip(cls.spread, "每组的例数太少，Levene 检验算不出来")
