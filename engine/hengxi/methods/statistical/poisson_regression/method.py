from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    ColumnInfo,
    MethodRemedy,
    NextStep,
    Report,
    SetRemedy,
    Silent,
    Table,
    choice,
    claim,
    figure,
    integer,
    num,
    pvalue,
    stat,
)
from hengxi.contract.report import more
from hengxi.families.regression import next_steps
from hengxi.families.regression.words import Sentence
from hengxi.methods.statistical._shared.count_method import CONVENTIONS, CountForm, CountRegression, CountWords
from hengxi.methods.statistical._shared.count_model import CountModel, build_model
from hengxi.stats.likelihood_fit import Poisson

SPREAD, ALPHA, MANY_ZEROS = 1.5, 0.05, 1.5
NEGATIVE = "statistical/negative_binomial_regression"


class PoissonRegression(CountRegression):
    """Maximum likelihood with a log link; robust or quasi-Poisson errors where the counts spread further."""

    title, title_en = "泊松回归", "Poisson regression"
    purpose = "次数、例数这样的计数与哪些因素有关，发生率比多大"
    aliases = ("计数回归", "Poisson", "发生率比", "IRR", "次数", "暴露量", "人时", "过离散", "对数线性")
    references = ("cameron2013", "cameron1990", "kleiber2016", "harrell2015", "cook1977")
    conventions = (
        *CONVENTIONS,
        "准泊松的离散参数为 Pearson χ²/*df*，标准误乘其平方根，检验仍用正态分布（与 SPSS、Stata 相同，R 用 t 分布）。",
        "整体检验：经典标准误时为似然比，其余为 Wald。McFadden *R*² 与似然比 χ² 都以只含常数项的模型为零模型。",
        "过离散检验为 Cameron-Trivedi 的单侧检验，备择为方差 = c·均值，c > 1。",
    )

    class Input(CountForm):
        se_type: str = choice("标准误", {"classic": "经典", "robust": "稳健", "quasi": "准泊松"})

    summary = Table(
        "拟合优度", layout="record", n=integer("*N*"), deviance=num("偏差", least=0),
        pearson=num("Pearson χ²", least=0), df=integer("残差 *df*"), ratio=num("Pearson χ²/*df*", least=0),
        ll=num("对数似然"), chi2=num("χ²（整体检验）", least=0), chi2_df=integer("χ² 的 *df*"), p=pvalue(),
        mcfadden=num("McFadden *R*²", most=1), aic=num("AIC"), bic=num("BIC"), place="detail",
        claim=claim("model", stat("χ²", "chi2", "chi2_df"), effect="mcfadden", outcome="y"),
    )  # fmt: skip
    spread = Table(
        "过离散检验", layout="record", dispersion=num("离散参数 c", least=0), z=num("*z*"), p=pvalue("*p*（单侧）"),
        claim=Silent("the spread of the counts is told by its check"),
    )  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        other = next_steps.instead("次数很分散时：负二项回归", NEGATIVE, form, "exposure", "terms", "reference")
        path = "statistical/poisson_regression"
        return [other, *next_steps.crossed(path, form), next_steps.stratified(path, form)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        model = build_model(form, Poisson(), "泊松回归")
        spread = overdispersion(model)
        Words(model, spread).write(report)
        listed = cls.write(report, model)
        cls._summary(report, model, spread)
        cls._judge(report, model, spread)
        cls.check(report, model, listed)
        return report

    @classmethod
    def _summary(cls, report: Report, model: CountModel, spread: Spread | None) -> None:
        chi2, df, p = model.tested
        report.row(
            cls.summary, n=model.n, deviance=model.deviance, pearson=model.pearson, df=model.residual_df,
            ratio=model.spread, ll=model.log_likelihood, chi2=chi2, chi2_df=df, p=p, mcfadden=model.mcfadden,
            aic=model.aic, bic=model.bic,
        )  # fmt: skip
        kind = "似然比检验" if model.kind == "classic" else "按所选标准误的 Wald 检验"
        report.note(
            cls.summary, f"整体检验是{kind}：全部自变量的系数同时为 0。Pearson χ²/*df* 约为 1 时，方差与均值相符。"
        )
        if spread is None:
            report.skip(cls.spread, "拟合值与次数完全一致，无从检验")
        else:
            report.row(cls.spread, dispersion=spread.dispersion, z=spread.z, p=spread.p)
            report.note(cls.spread, "Cameron-Trivedi 检验。c = 1 是泊松分布，c > 1 是过离散。")

    @classmethod
    def _judge(cls, report: Report, model: CountModel, spread: Spread | None) -> None:
        state = "care" if is_wide(model, spread) else "pass"
        ending = "没有发现过离散。"
        remedies: list[Any] = []
        if state == "care" and model.kind != "classic":
            ending = "次数比泊松分布更分散；所选标准误已考虑。"
        elif state == "care":
            ending = "次数比泊松分布更分散，经典标准误偏小，*p* 值也偏小。"
            keys = ["y", "x", "exposure"]
            remedies = [
                MethodRemedy(title="改用负二项回归", method=NEGATIVE, carry=keys),
                SetRemedy(title="改用稳健标准误", set={"se_type": "robust"}),
            ]
        test = "；Cameron-Trivedi *z* = {z:num}，*p* {p:peq}" if spread else ""
        facts = {"z": spread.z, "p": spread.p} if spread else {}
        report.check(
            "过离散",
            state,  # type: ignore[arg-type]
            f"Pearson χ²/*df* = {{ratio:num}}{test}。{ending}",
            more=more(
                "泊松回归要求方差等于均值。",
                f"Pearson χ²/*df* = {{ratio:num}}{test}。",
                "参考标准：大于 1.5 或检验显著时，经典标准误偏小，容易把巧合当成规律。系数本身影响不大。",
                "改用负二项回归，或用稳健、准泊松标准误；也可能是漏了重要的自变量。",
            ),
            remedies=remedies,
            ratio=model.spread,
            **facts,
        )
        seen = float(np.sum(model.fit.rows.y == 0))
        expected = float(np.sum(np.exp(-model.fit.mean)))
        many = seen > MANY_ZEROS * expected and seen - expected > 2 * np.sqrt(expected + 1)
        ending = "零太多，可能有一部分对象根本不会发生：看负二项回归能否拟合。" if many else "零的个数与模型相符。"
        if not many and seen < expected / MANY_ZEROS and expected - seen > 2 * np.sqrt(expected):
            ending = "零比模型期望的少，请看悬根图。"
        report.check(
            "零的个数",
            "care" if many else "pass",
            "观测到 {seen:integer} 个零，模型期望 {expected:num1} 个。" + ending,
            more=more(
                "有的数据里零特别多，例如一年没有去过医院的人。", "观测 {seen:integer} 个，期望 {expected:num1} 个。",
                "零太多时模型把其余次数也估偏了。", "先试负二项回归；仍不合适时，用零膨胀模型。",
            ),
            seen=seen, expected=expected,
        )  # fmt: skip


@dataclass(frozen=True)
class Spread:
    """Cameron and Trivedi's test that the variance is c times the mean; one-sided, c above 1."""

    dispersion: float
    z: float
    p: float


def overdispersion(model: CountModel) -> Spread | None:
    """None where the fit leaves nothing over."""
    y, mean = model.fit.rows.y, model.fit.mean
    beside = ((y - mean) ** 2 - y) / mean
    sd = float(np.std(beside, ddof=1))
    if not sd > 0:
        return None
    z = float(np.sqrt(y.size) * beside.mean() / sd)
    return Spread(float(beside.mean()) + 1, z, float(stats.norm.sf(z)))


def is_wide(model: CountModel, spread: Spread | None) -> bool:
    return model.spread > SPREAD or (spread is not None and spread.p < ALPHA)


class Words(CountWords):
    def __init__(self, model: CountModel, spread: Spread | None) -> None:
        super().__init__(model, "泊松回归", {"ratio": model.spread, "total": float(model.fit.rows.y.sum())})
        self.is_wide = is_wide(model, spread)

    def warning(self) -> str:
        if not self.is_wide or self.model.kind != "classic":
            return ""
        return "次数比泊松分布更分散，这里的 *p* 值和区间偏乐观，请以稳健标准误或负二项回归为准。"

    def student(self) -> list[Sentence]:
        warning = self.warning()
        return [*super().student(), *([(warning, {})] if warning else [])]

    def figures(self) -> list[Any]:
        name = "似然比" if self.model.kind == "classic" else "Wald"
        return [
            figure("整体检验", "*p* {p:peq}", f"{name} χ²({{df:integer}}) = {{chi2:num}}"),
            figure("Pearson χ²/*df*", "{ratio:num}", "约为 1 时没有过离散"),
            figure("次数", "{total:integer}", "{n:integer} 行，平均 {mean:num} 次"),
        ]

    def paper(self) -> list[Sentence]:
        opening, *rest = super().paper()
        text, facts = opening
        return [(text + "Pearson χ²/*df* = {ratio:num}。", facts), *rest]

    def next(self) -> str:
        if self.is_wide and self.model.kind == "classic":
            return "下一步：用同样的变量作负二项回归，看结论变不变。"
        if not self.is_found:
            return "下一步：看样本是否太少，或换上更有关的自变量；观察的时间长短不一时，别忘了放入暴露量。"
        return "下一步：在“试算”里代入一行，看预测的平均次数；怀疑两个自变量互相配合，在“模型项”里加交互项。"
