from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    ColumnInfo,
    NextStep,
    Report,
    Silent,
    Table,
    choice,
    claim,
    figure,
    integer,
    interval,
    num,
    pvalue,
    stat,
    text,
)
from hengxi.contract.report import more
from hengxi.families.regression import next_steps
from hengxi.families.regression.words import Sentence
from hengxi.methods.statistical._shared.count_method import CONVENTIONS, CountForm, CountRegression, CountWords
from hengxi.methods.statistical._shared.count_model import CountModel, build_model
from hengxi.stats.likelihood_fit import NegativeBinomial1, NegativeBinomial2, Poisson, maximise

POISSON = "statistical/poisson_regression"


class NegativeBinomialRegression(CountRegression):
    """Maximum likelihood of coefficients and α together; NB2 (variance μ + αμ²) or NB1 (variance μ + αμ)."""

    title, title_en = "负二项回归", "Negative binomial regression"
    slug = "negative-binomial"
    purpose = "方差大于均值的计数与哪些因素有关，发生率比多大"
    aliases = ("NB回归", "NB2", "NB1", "过离散", "计数回归", "发生率比", "IRR", "次数", "离散参数")
    references = ("cameron2013", "lawless1987", "self1987", "kleiber2016", "harrell2015", "cook1977")
    conventions = (
        *CONVENTIONS,
        "NB2 的方差为 μ + αμ²，θ = 1/α；NB1 的方差为 μ + αμ。α 与系数一起求最大似然。",
        "NB2 的系数标准误用期望信息矩阵（与 R 的 glm.nb 相同），NB1 用观测信息矩阵。",
        "α 的区间先在 ln α 上按 Wald 法求出，再取指数；θ 的区间是它的倒数。",
        "α = 0 在边界上，与泊松比较的 *p* 取 χ²(1) 的一半。NB1 不给偏差。",
        "整体检验：经典标准误时为似然比，稳健时为 Wald。",
    )

    class Input(CountForm):
        type: str = choice("方差形式", {"nb2": "NB2（μ + αμ²）", "nb1": "NB1（μ + αμ）"})
        se_type: str = choice("标准误", {"classic": "经典", "robust": "稳健"})

    summary = Table(
        "模型拟合", layout="record", n=integer("*N*"), ll=num("对数似然"), chi2=num("χ²（整体检验）", least=0),
        chi2_df=integer("χ² 的 *df*"), p=pvalue(), mcfadden=num("McFadden *R*²", most=1), aic=num("AIC"),
        bic=num("BIC"), deviance=num("偏差", least=0), pearson=num("Pearson χ²", least=0), df=integer("残差 *df*"),
        place="detail",
        claim=claim("model", stat("χ²", "chi2", "chi2_df"), effect="mcfadden", outcome="y"),
    )  # fmt: skip
    shape = Table(
        "离散参数", name=text("参数"), value=num("估计", least=0), se=num("标准误", least=0, around="value"),
        ci=interval("CI", "low", "high", around="value"),
    )  # fmt: skip
    against = Table(
        "与泊松回归比较", layout="record", poisson=num("泊松的对数似然"), ll=num("负二项的对数似然"),
        chi2=num("似然比 χ̄²", least=0), p=pvalue(), poisson_aic=num("泊松的 AIC"), aic=num("负二项的 AIC"),
        claim=Silent("which model fits is told by the check of the spread"),
    )  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        other = next_steps.instead("与泊松回归比较系数", POISSON, form, "exposure", "terms", "reference")
        path = "statistical/negative_binomial_regression"
        return [*next_steps.crossed(path, form), next_steps.stratified(path, form), other]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        family = NegativeBinomial2() if form.type == "nb2" else NegativeBinomial1()
        model = build_model(form, family, "负二项回归")
        compared = compare(model)
        Words(model, compared).write(report)
        listed = cls.write(report, model)
        cls._summary(report, model)
        cls._shape(report, model)
        cls._against(report, model, compared)
        cls.check(report, model, listed)
        return report

    @classmethod
    def _summary(cls, report: Report, model: CountModel) -> None:
        chi2, df, p = model.tested
        deviance = None if model.form.type == "nb1" else model.deviance
        report.row(
            cls.summary, n=model.n, ll=model.log_likelihood, chi2=chi2, chi2_df=df, p=p, mcfadden=model.mcfadden,
            aic=model.aic, bic=model.bic, deviance=deviance, pearson=model.pearson, df=model.residual_df,
        )  # fmt: skip
        kind = "似然比检验" if model.kind == "classic" else "按稳健标准误的 Wald 检验"
        report.note(cls.summary, f"整体检验是{kind}：全部自变量的系数同时为 0。零模型只含常数项和 α。")

    @classmethod
    def _shape(cls, report: Report, model: CountModel) -> None:
        alpha, (low, high) = model.fit.shape, alpha_interval(model)
        se = model.fit.shape_se
        report.row(cls.shape, name="α", value=alpha, se=alpha * se, low=low, high=high)
        report.row(cls.shape, name="θ = 1/α", value=1 / alpha, se=se / alpha, low=1 / high, high=1 / low)
        form = "μ + αμ²" if model.form.type == "nb2" else "μ + αμ"
        report.note(
            cls.shape,
            f"方差 = {form}；α 越大越分散，α = 0 是泊松分布。区间为 {{level:percent}} CI。",
            level=model.level,
        )

    @classmethod
    def _against(cls, report: Report, model: CountModel, compared: Compared) -> None:
        report.row(
            cls.against, poisson=compared.poisson, ll=model.log_likelihood, chi2=compared.chi2, p=compared.p,
            poisson_aic=-2 * compared.poisson + 2 * model.fit.rows.k, aic=model.aic,
        )  # fmt: skip
        report.note(cls.against, "检验 α = 0；α 不能小于 0，所以 *p* 取 χ²(1) 的一半。")
        wide = compared.p < 0.05
        ending = "次数过离散，用负二项是对的。" if wide else "没有发现过离散，泊松回归就够了，两者的系数应当相近。"
        report.check(
            "过离散",
            "pass",
            "与泊松回归比较：χ̄² = {chi2:num}，*p* {p:peq}。" + ending,
            more=more(
                "负二项回归比泊松回归多一个离散参数 α。", "似然比 χ̄² = {chi2:num}，*p* {p:peq}。",
                "显著说明次数比泊松分布更分散，泊松回归的 *p* 值会偏小。",
                "不显著时两种回归的结论应当相同，可以只报告泊松回归。",
            ),
            chi2=compared.chi2, p=compared.p,
        )  # fmt: skip


@dataclass(frozen=True)
class Compared:
    """With a Poisson regression of the same columns: its log-likelihood, and the test of α = 0."""

    poisson: float
    chi2: float
    p: float


def compare(model: CountModel) -> Compared:
    poisson = maximise(model.fit.rows, Poisson()).value
    chi2 = max(0.0, 2 * (model.log_likelihood - poisson))
    return Compared(poisson, chi2, float(stats.chi2.sf(chi2, 1)) / 2)


def alpha_interval(model: CountModel) -> tuple[float, float]:
    """Wald's on ln α."""
    half = model.reach * model.fit.shape_se
    return float(model.fit.shape * np.exp(-half)), float(model.fit.shape * np.exp(half))


class Words(CountWords):
    def __init__(self, model: CountModel, compared: Compared) -> None:
        low, high = alpha_interval(model)
        more_facts = {"shape": model.fit.shape, "shape_low": low, "shape_high": high}
        super().__init__(model, "负二项回归", more_facts | {"over": compared.chi2, "over_p": compared.p})

    def figures(self) -> list[Any]:
        name = "似然比" if self.model.kind == "classic" else "Wald"
        return [
            figure("整体检验", "*p* {p:peq}", f"{name} χ²({{df:integer}}) = {{chi2:num}}"),
            figure("离散参数 α", "{shape:num}", "{level:percent} CI {shape_low:num} 到 {shape_high:num}"),
            figure("平均次数", "{mean:num}", "{n:integer} 行，方差 {variance:num}"),
        ]

    def student(self) -> list[Sentence]:
        *parts, _ = super().student()
        spread = (
            "最后看离散：泊松分布要求方差等于均值，负二项分布不要求。α = {shape:num}，α 越大越分散。"
            "与泊松回归比较的 *p* {over_p:peq}。"
        )
        return [*parts, (spread, {})]

    def paper(self) -> list[Sentence]:
        opening, *rest = super().paper()
        kind = "NB2" if self.model.form.type == "nb2" else "NB1"
        shape = f"离散参数 α = {{shape:num}}（{kind}，{{level:percent}} CI {{shape_low:num}} 到 {{shape_high:num}}），"
        over = "与泊松回归比较的似然比 χ̄² = {over:num}，*p* {over_p:peq}。"
        return [(opening[0] + shape + over, opening[1]), *rest]

    def next(self) -> str:
        if not self.is_found:
            return "下一步：看样本是否太少，或换上更有关的自变量；观察的时间长短不一时，别忘了放入暴露量。"
        return "下一步：在“试算”里代入一行，看预测的平均次数；看悬根图里零和大的次数拟合得怎样。"
