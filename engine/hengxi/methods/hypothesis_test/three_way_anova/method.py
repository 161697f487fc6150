from __future__ import annotations

from hengxi.contract import Column, Form, Report, SetRemedy, flag, number, role, weight
from hengxi.methods.hypothesis_test._shared import design
from hengxi.methods.hypothesis_test._shared.design_method import (
    LinearDesign,
    post_hoc_choice,
    squares_choice,
    study_of,
)
from hengxi.methods.hypothesis_test._shared.design_words import Words


class ThreeWayAnova(LinearDesign):
    """Three factors with their interactions of two and, where asked for, of all three."""

    title, title_en = "三因素方差分析", "Three-way ANOVA"
    rescaled = (("y",),)
    purpose = "三个因素及其二阶、三阶交互对定量结果有无影响"
    aliases = ("三因子方差分析", "三阶交互", "2×2×2析因设计", "three-way ANOVA", "三因素析因设计")

    class Input(Form):
        y: Column = role("因变量Y", "定量")
        factors: list[Column] = role("因素X", "定类", min=3, max=3, levels=(2, None))
        covariates: list[Column] = role("协变量（选填）", "定量", min=0, max=None)
        weight: Column | None = weight("频数权重（选填）", kind="frequency", whole=True)
        two_way: bool = flag("二阶交互", True)
        three_way: bool = flag("三阶交互", False, when={"two_way": True}, hint="每个组合至少要有 2 例")
        ss_type: str = squares_choice()
        post_hoc: str = post_hoc_choice()
        conf_level: float = number("置信水平", 0.95, least=0.8, most=0.999, percent=True, hint="显著性水平 = 1 − 此值")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        study = study_of(form)
        order = 3 if form.two_way and form.three_way else 2 if form.two_way else 1
        terms = design.estimable(report, study, design.interactions(3, order))
        covariates = [(3 + j,) for j in range(len(study.covariates))]
        saturated = "没有剩余的误差自由度，无法检验，请取消二阶交互或增加样本"
        remedies = [SetRemedy(title="取消二阶交互", set={"two_way": False})] if order > 1 else []
        if (0, 1, 2) in terms:
            saturated = "模型饱和、误差自由度为0，请取消三阶交互"
            remedies = [SetRemedy(title="取消三阶交互", set={"three_way": False})]
        fitted = design.fit(study, [*terms, *covariates], form.ss_type, form.conf_level, saturated, remedies)
        words = Words(fitted, cls.title)
        words.advice = "请先看交互作用图和交互的边际均值"
        cls.fill(report, form.post_hoc, fitted, words)
        cls.finish(report, fitted, words)
        return report
