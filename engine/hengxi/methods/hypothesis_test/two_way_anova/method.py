from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    Form,
    Report,
    SetRemedy,
    Silent,
    Table,
    claim,
    flag,
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
    REFERENCES,
    LinearDesign,
    post_hoc_choice,
    squares_choice,
    study_of,
)
from hengxi.methods.hypothesis_test._shared.design_words import Words
from hengxi.stats.linear_design import Tested


class TwoWayAnova(LinearDesign):
    """Two factors, their interaction, covariates beside them; simple effects where they interact."""

    title, title_en = "双因素方差分析", "Two-way ANOVA"
    rescaled = (("y",),)
    purpose = "两个因素及其交互作用对定量结果有无影响"
    aliases = ("两因素方差分析", "二因素方差分析", "交互作用", "简单效应", "two-way ANOVA", "析因设计", "双因子")
    conventions = (
        *CONVENTIONS,
        "简单效应：固定一个因素的水平，用全模型的误差检验另一个因素（与 emmeans::joint_tests 相同），*p* 不校正。",
    )
    references = (*REFERENCES, "mackinnon1985")

    class Input(Form):
        y: Column = role("因变量Y", "定量")
        factors: list[Column] = role("因素X", "定类", min=2, max=2, levels=(2, None))
        covariates: list[Column] = role("协变量（选填）", "定量", min=0, max=None)
        weight: Column | None = weight("频数权重（选填）", kind="frequency", whole=True)
        interaction: bool = flag("交互效应", True)
        ss_type: str = squares_choice()
        post_hoc: str = post_hoc_choice()
        simple_effects: bool = flag("简单效应分析", True, when={"interaction": True})
        hc: bool = flag("异方差稳健F（HC3）", False, advanced=True, hint="方差不齐时对照用，列在旁边")
        conf_level: float = number("置信水平", 0.95, least=0.8, most=0.999, percent=True, hint="显著性水平 = 1 − 此值")

    simple = Table(
        "简单效应", fixed=text("固定"), tested=text("检验"), ss=num("平方和", least=0), df=num("*df*1"),
        df_error=num("*df*2"), F=num("*F*", least=0), p=pvalue(), eta=num("偏η²", least=0, most=1),
        when={"interaction": True, "simple_effects": True},
        claim=claim("named", stat("*F*", "F", "df", "df_error"), effect="eta", names=("tested", "fixed"), outcome="y"),
    )  # fmt: skip
    robust = Table(
        "异方差稳健F（HC3）", source=text("差异来源"), F=num("*F*", least=0), df=num("*df*1"), df_error=num("*df*2"),
        p=pvalue(), when={"hc": True}, claim=Silent("stands beside the classic F for comparison"),
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        study = study_of(form)
        wanted = [(0,), (1,), (0, 1)] if form.interaction else [(0,), (1,)]
        terms = design.estimable(report, study, wanted)
        covariates = [(2 + j,) for j in range(len(study.covariates))]
        crowded = (
            "每个组合只有 1 个观测，没有重复观测，无法检验交互效应，请取消交互项"
            if (0, 1) in terms
            else "没有剩余的误差自由度，无法检验，请增加样本"
        )
        remedies = [SetRemedy(title="取消交互项", set={"interaction": False})] if (0, 1) in terms else []
        fitted = design.fit(study, [*terms, *covariates], form.ss_type, form.conf_level, crowded, remedies)
        words = TwoWayWords(fitted, cls.title)
        words.robust_field, words.robust_on = "hc", form.hc
        cls.fill(report, form.post_hoc, fitted, words)
        if form.interaction and form.simple_effects:
            cls._simple(report, fitted, words)
        if form.hc:
            cls._robust(report, fitted)
        cls.finish(report, fitted, words)
        return report

    @classmethod
    def _simple(cls, report: Report, fitted: Design, words: TwoWayWords) -> None:
        if (0, 1) not in fitted.terms:
            report.skip(cls.simple, "模型没有交互项，各水平下的效应都等于主效应")
            return
        study, scale = fitted.study, fitted.study.cells.y_scales[0]
        combos, weights = fitted.model.margin((0, 1))
        at = np.array(combos)
        for fixed, tested in ((1, 0), (0, 1)):
            for code, label in enumerate(study.labels[fixed]):
                rows = weights[at[:, fixed] == code]
                one = fitted.model.wald(rows[:-1] - rows[-1], fitted.level)
                words.simple.append((fixed, code, one))
                report.row(
                    cls.simple, fixed=f"{study.factors[fixed]} = {label}", tested=study.factors[tested],
                    ss=scale.back(one.ss, 2), df=one.df, df_error=one.df_error, F=one.F, p=one.p, eta=one.eta,
                )  # fmt: skip
        report.note(cls.simple, "误差用全模型的误差均方；*p* 没有因检验多次而校正。")

    @classmethod
    def _robust(cls, report: Report, fitted: Design) -> None:
        covariance = fitted.model.hc3()
        if covariance is None:
            report.skip(cls.robust, "有的组合只有 1 例，HC3 算不出来")
            return
        for i, term in enumerate(fitted.terms):
            F, p = fitted.model.robust_test(i, covariance)
            report.row(
                cls.robust, source=fitted.study.name(term), F=F, df=fitted.tests[i].df, df_error=fitted.model.df, p=p
            )
        report.note(cls.robust, "系数的协方差用 HC3，不假定等方差；按类型III 的假设作 Wald 检验。")


class TwoWayWords(Words):
    """With simple effects where the factors interact."""

    def __init__(self, fitted: Design, title: str) -> None:
        super().__init__(fitted, title)
        self.simple: list[tuple[int, int, Tested]] = []
        if (0, 1) in fitted.terms:
            self.advice = "请先看简单效应和交互作用图"

    def details(self) -> list[tuple[str, dict[str, Any]]]:
        joint = self.found(self.design.joint)
        told = [self._simple_of(fixed) for fixed in (1, 0)] if joint and self.simple else []
        # Differences averaged over the other factor mislead where the factors interact.
        return told or super().details()

    def _simple_of(self, fixed: int) -> tuple[str, dict[str, Any]]:
        study = self.design.study
        facts: dict[str, Any] = {"fixed": study.factors[fixed], "tested": study.factors[1 - fixed]}
        parts: list[str] = []
        for f, code, one in self.simple:
            if f != fixed or len(parts) >= 6:
                continue
            facts |= {f"l{code}": study.labels[fixed][code], f"p{code}": one.p, f"e{code}": one.eta}
            verdict = "差异有统计学意义" if one.p < self.alpha else "没有发现明显差异"
            parts.append(f"“{{l{code}}}”时{verdict}（*p* {{p{code}:peq}}，偏 η² = {{e{code}:num}}）")
        rest = "；其余见简单效应表" if len(study.labels[fixed]) > len(parts) else ""
        return f"简单效应，“{{fixed}}”固定时看“{{tested}}”：{'；'.join(parts)}{rest}。", facts
