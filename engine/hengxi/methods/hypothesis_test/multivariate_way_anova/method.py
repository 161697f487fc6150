from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    Form,
    Refusal,
    Report,
    SetRemedy,
    Table,
    Terms,
    filled,
    integer,
    num,
    number,
    percent,
    role,
    terms,
    text,
    weight,
)
from hengxi.methods.hypothesis_test._shared import design
from hengxi.methods.hypothesis_test._shared.design import Design, Study
from hengxi.methods.hypothesis_test._shared.design_method import (
    CONVENTIONS,
    REFERENCES,
    LinearDesign,
    post_hoc_choice,
    squares_choice,
)
from hengxi.methods.hypothesis_test._shared.design_words import Words
from hengxi.stats.linear_design import Term


class MultivariateWayAnova(LinearDesign):
    """Two to ten factors with the interactions named, random factors (blocks) and covariates beside them."""

    title, title_en = "多因素方差分析", "N-way ANOVA"
    rescaled = (("y",),)
    purpose = "两个及以上因素的主效应与指定交互对定量结果有无影响"
    aliases = ("N因素方差分析", "多因子方差分析", "析因设计", "一般线性模型", "GLM", "UNIANOVA", "随机因素", "方差分量")
    conventions = (
        *CONVENTIONS,
        "随机因素只作主效应；固定因素在随机因素之内比较，以误差均方为分母（与把它当区组相同）。",
        "方差分量用方差分析法（Henderson 方法三）：期望均方中的 k 由其余各项之外的投影算出；负的估计记作 0。",
    )
    references = (*REFERENCES, "henderson1953")

    class Input(Form):
        y: Column = role("因变量Y", "定量")
        factors: list[Column] = role("固定因素X", "定类", min=2, max=10, levels=(2, None))
        random: list[Column] = role("随机因素（选填）", "定类", min=0, max=3, levels=(2, None), hint="如区组、批次")
        covariates: list[Column] = role("协变量（选填）", "定量", min=0, max=None)
        weight: Column | None = weight("频数权重（选填）", kind="frequency", whole=True)
        model: Terms = terms("模型", of="factors", order=5)
        ss_type: str = squares_choice()
        post_hoc: str = post_hoc_choice()
        conf_level: float = number("置信水平", 0.95, least=0.8, most=0.999, percent=True, hint="显著性水平 = 1 − 此值")

    info = Table("因素信息", factor=text("因素"), kind=text("类型"), level=text("水平"), n=integer("*n*"))
    components = Table(
        "随机效应方差分量", component=text("分量"), variance=num("方差", least=0), share=percent("占比"),
        ms=num("均方", least=0), expected=text("期望均方"), k=num("系数 k", least=0), when={"random": filled},
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        study = Study.of([form.y], [*form.factors, *form.random], form.covariates, form.weight, blocks=len(form.random))
        fixed, k = len(form.factors), len(study.factors)
        wanted = cls._wanted(form)
        kept = design.estimable(report, study, wanted)
        every = [*kept, *((i,) for i in range(fixed, k)), *((k + j,) for j in range(len(study.covariates)))]
        saturated = "没有剩余的误差自由度，无法检验，请减少交互项或增加样本"
        remedies = [SetRemedy(title="改为仅主效应", set={"model": {"preset": "main"}})] if len(wanted) > fixed else []
        fitted = design.fit(study, every, form.ss_type, form.conf_level, saturated, remedies)
        words = Words(fitted, cls.title)
        words.advice = "请先看交互作用图和交互的边际均值"
        cls._info(report, study, fixed)
        cls.fill(report, form.post_hoc, fitted, words)
        if form.random:
            cls._components(report, fitted, fixed)
        cls.finish(report, fitted, words)
        return report

    @classmethod
    def _wanted(cls, form: Any) -> list[Term]:
        place = {one.id: i for i, one in enumerate(form.factors)}
        made: list[Term] = []
        for term in form.model.terms:
            members = tuple(sorted({place[one.id] for one in term.columns}))
            if term.nested or len(members) < len(term.columns):
                raise Refusal(
                    "terms.unknown", "效应项“{t}”不能用：这里只有主效应和交互；嵌套的因素请用嵌套方差分析",
                    field="model", t=term.name,
                )  # fmt: skip
            made.append(members)
        made = sorted(dict.fromkeys(made), key=lambda one: (len(one), one))
        for members in made:
            absent = [m for m in members if (m,) not in made]
            if absent:
                raise Refusal(
                    "terms.unknown", "交互项“{t}”里的“{a}”没有主效应，请把它的主效应也加入模型", field="model",
                    t=" × ".join(form.factors[m].title for m in members), a=form.factors[absent[0]].title,
                )  # fmt: skip
        return made

    @classmethod
    def _info(cls, report: Report, study: Study, fixed: int) -> None:
        for m, name in enumerate(study.factors):
            counts = np.bincount(study.cells.levels[:, m], weights=study.cells.n, minlength=study.cells.sizes[m])
            for label, n in zip(study.labels[m], counts, strict=True):
                report.row(cls.info, factor=name, kind="固定" if m < fixed else "随机", level=label, n=round(float(n)))

    @classmethod
    def _components(cls, report: Report, fitted: Design, fixed: int) -> None:
        """From mean squares beside all other terms, whatever type the tests have."""
        study, model = fitted.study, fitted.model
        scale = study.cells.y_scales[0]
        squares = model.squares("III")
        found = []
        for m in range(fixed, len(study.factors)):
            i = fitted.terms.index((m,))
            ms, k = float(squares[i][0, 0]) / len(model.columns[i]), model.weight_of(i)
            found.append((study.factors[m], ms, k, max(0.0, (ms - model.mse()) / k)))
        whole = sum(one[3] for one in found) + model.mse()
        for name, ms, k, variance in found:
            report.row(
                cls.components, component=name, variance=scale.back(variance, 2), share=variance / whole,
                ms=scale.back(ms, 2), expected="σ² + k·σ²（该因素）", k=k,
            )  # fmt: skip
        report.row(
            cls.components, component="误差", variance=scale.back(model.mse(), 2), share=model.mse() / whole,
            ms=scale.back(model.mse(), 2), expected="σ²",
        )  # fmt: skip
        report.note(cls.components, "方差 =（均方 − 误差均方）/ k，小于 0 时记作 0；均方是考虑其余各项之后的。")
