"""The tables of a logistic regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Report
from hengxi.families.regression.tables import finite, new_cases, unusual_cases
from hengxi.families.regression.words import HUGE, ratio
from hengxi.methods.statistical._shared.logistic_model import Model
from hengxi.stats.classification import Confusion, Groups, Roc, confusion, hosmer_lemeshow, roc
from hengxi.stats.collinearity import vif
from hengxi.stats.logistic_effects import Bend, Cases, box_tidwell, case_measures
from hengxi.stats.margins import margins
from hengxi.stats.proportions import wilson

UNEVEN = 2


@dataclass(frozen=True)
class Found:
    """What more than one part of the report reads."""

    roc: Roc
    groups: Groups
    confusion: Confusion
    cases: Cases
    bends: list[Bend]
    unjudged: list[str]
    vif: Any
    listed: int


def write(report: Report, cls: Any, model: Model) -> Found:
    coding(report, cls, model)
    path(report, cls, model)
    summary(report, cls, model)
    inflation = coefficients(report, cls, model)
    term_tests(report, cls, model)
    # Needs the variables themselves: done before the probabilities and what is made of them take their memory.
    bends, unjudged = linearity(report, cls, model)
    model.form.y.let_go()
    groups = fit_groups(report, cls, model)
    curve = discrimination(report, cls, model)
    cut = classes(report, cls, model)
    effects(report, cls, model)
    measures = case_measures(model.data, model.fit)
    listed = outliers(report, cls, model, measures)
    if model.form.predict_at:
        note = "区间先在 logit 上按 Wald 法求出（{level:percent} CI），再换成概率。"
        new_cases(report, cls.predicted, model, note)
    return Found(curve, groups, cut, measures, bends, unjudged, inflation, listed)


def coding(report: Report, cls: Any, model: Model) -> None:
    n, f = model.n, model.data.counts
    for one, count, code in ((model.other, n - model.events, 0), (model.event, model.events, 1)):
        report.row(cls.outcome, level=one.label, code=code, n=count, share=count / n)
    report.note(cls.outcome, "事件水平为“{e}”，系数和 OR 都指“{y}”为“{e}”的可能。", e=model.event.label, y=model.y)
    any_coded = False
    for factor in model.used:
        if not factor.labels:
            continue
        any_coded = True
        codes = np.asarray(factor.codes)
        for k, label in enumerate(factor.labels):
            at = codes == k
            cases, events = float(f[at].sum()), float(f[at & (model.data.y > 0)].sum())
            report.row(
                cls.coding,
                variable=factor.name,
                level=label,
                code="参照" if k == factor.reference else f"{factor.name}：{label} = 1",
                n=round(cases),
                events=round(events),
                rate=events / cases,
            )
    if not any_coded:
        report.skip(cls.coding, "模型里没有定类自变量")


def path(report: Report, cls: Any, model: Model) -> None:
    for step in model.steps:
        report.row(
            cls.steps, number=step.number, action=step.action, term=step.term, chi2=step.chi2, df=step.df, p=step.p,
            aic=step.aic,
        )  # fmt: skip
    if model.form.method == "enter":
        return
    if not model.steps:
        report.skip(cls.steps, "全部自变量都留在模型里，没有一步进入或剔除")
    else:
        report.note(cls.steps, "χ² 为该步前后两个模型的似然比；含某变量的交互项在模型里时，该变量不剔除。")


def summary(report: Report, cls: Any, model: Model) -> None:
    chi2, df, p = model.overall
    minus2 = -2 * model.fit.log_likelihood
    cells: dict[str, Any] = {}
    if not model.fit.firth:
        n, null = model.n, model.null_likelihood
        snell = -float(np.expm1((minus2 + 2 * null) / n))
        cells = {
            "aic": minus2 + 2 * model.data.k,
            "bic": minus2 + float(np.log(n)) * model.data.k,
            "mcfadden": 1 - model.fit.log_likelihood / null,
            "snell": snell,
            "nagelkerke": snell / -float(np.expm1(2 * null / n)),
        }
    report.row(
        cls.summary, n=model.n, events=model.events, minus2=max(0.0, minus2), minus2_null=-2 * model.null_likelihood,
        chi2=chi2, df=df, p=p, **cells,
    )  # fmt: skip
    if model.fit.firth:
        report.note(
            cls.summary,
            "χ² 为惩罚似然比，不等于两个 −2LL 之差；−2LL 为 Firth 估计处未加惩罚的值，零模型只含常数项；"
            "AIC、BIC 与伪 *R*² 以最大似然为前提，不给。",
        )
    else:
        report.note(
            cls.summary,
            "零模型只含常数项；似然比 χ² 是两个 −2LL 之差。伪 *R*² 不是“解释的变异”，不能与线性回归的 *R*² 相比。",
        )


def coefficients(report: Report, cls: Any, model: Model) -> Any:
    inflation = vif(model.plain)
    any_huge = False
    for i, name in enumerate(model.names):
        low, high = model.interval(i)
        profile = model.profiles[i - 1] if i else None
        any_huge |= high >= HUGE
        report.row(
            cls.coefficients,
            name=name,
            b=model.b[i],
            se=model.se[i],
            wald=model.wald[i],
            df=1,
            p=model.p[i],
            odds=ratio(model.b[i]),
            low=ratio(low),
            high=ratio(high),
            profile_low=None if profile is None else ratio(profile[0]),
            profile_high=None if profile is None else ratio(profile[1]),
            lr_p=model.profile_p(i - 1) if i else None,
            vif=inflation[i - 1] if i else None,
        )
    chi2, df, p = model.overall
    kind = "Firth 惩罚似然" if model.fit.firth else "最大似然"
    report.note(
        cls.coefficients,
        f"*N* = {{n:integer}}，事件（“{{y}}”为“{{e}}”）{{k:integer}} 例；{kind}估计；"
        "似然比 χ²({df:integer}) = {x:num}，*p* {p:peq}。OR = exp(*B*)，区间为 {level:percent} CI。",
        n=model.n, y=model.y, e=model.event.label, k=model.events, df=df, x=chi2, p=p, level=model.level,
    )  # fmt: skip
    if model.references:
        report.note(cls.coefficients, "定类自变量的参照水平：{told}。", told="；".join(model.references))
    if model.reads_profile:
        report.note(cls.coefficients, "Firth 估计时结论读轮廓似然的区间和似然比 *p*；Wald 的两列只供对照。")
    if not model.profiled:
        report.note(
            cls.coefficients,
            "轮廓似然的区间和 *p* 未给：行数 × 系数个数³ 超过 {m:integer}，请读 Wald 的。",
            m=model.most_work,
        )
    elif any(one is None for one in model.profiles):
        report.note(cls.coefficients, "空缺的轮廓似然区间：似然在这一侧降不到界限，区间没有这一端。")
    if any_huge:
        report.note(cls.coefficients, "∞ 表示 OR 超出可表示的范围；自变量的单位很大时请换一个单位。")
    if model.form.method != "enter":
        report.note(cls.coefficients, "自变量经逐步选择，*p* 值和区间偏乐观；最好在另一份数据上验证。")
    if model.form.freq is not None:
        report.note(cls.coefficients, "加权：频数权重“{w}”。", w=model.form.freq.title)
    return inflation


def term_tests(report: Report, cls: Any, model: Model) -> None:
    for term in model.design.terms:
        wald, wald_p = model.joint_wald(term)
        chi2, p = model.ratio(term.columns) if model.profiled else (None, None)
        report.row(cls.terms_tests, name=term.name, df=term.width, wald=wald, wald_p=wald_p, lr=chi2, p=p)
    report.note(
        cls.terms_tests,
        "每项在其余各项之后：该项的全部系数同时为 0。定类自变量读这里的整体检验，不挑其中一个水平；"
        + ("似然比为惩罚似然比。" if model.fit.firth else "两种检验不一致时读似然比。"),
    )


def fit_groups(report: Report, cls: Any, model: Model) -> Groups:
    data = model.data
    found = hosmer_lemeshow(model.probabilities, data.y, data.counts, int(model.form.hl_groups))
    for i in range(found.n.size):
        n, events, expected = float(found.n[i]), float(found.events[i]), float(found.expected[i])
        low, high = wilson(events, n, model.level)
        report.row(
            cls.fit_groups, number=i + 1, n=round(n), events=round(events), expected=expected,
            others=round(n - events), others_expected=max(0.0, n - expected), mean=expected / n, rate=events / n,
            low=low, high=high,
        )  # fmt: skip
    if found.p is None:
        report.skip(cls.hosmer, "预测概率的不同取值太少，分不出 3 组，Hosmer-Lemeshow 检验无从计算")
    else:
        report.row(cls.hosmer, groups=found.n.size, chi2=found.chi2, df=found.df, p=found.p)
        tied = "相同的预测概率多，各组例数不等，事件水平对调后分组和 χ² 也会变。"
        uneven = float(found.n.max() - found.n.min()) > UNEVEN
        ending = "分组数不同结果也会不同，请连同校准图一起看。" + (tied if uneven else "")
        report.note(cls.hosmer, f"*df* = 实际组数 − 2；{ending}")
    report.note(
        cls.fit_groups,
        "按预测概率的分位数（R 的第 7 类）分为 {g:integer} 组（设定 {w:integer} 组），相同的概率在同一组；"
        "实际比例的区间为 Wilson 的 {level:percent} CI。",
        g=found.n.size, w=int(model.form.hl_groups), level=model.level,
    )  # fmt: skip
    return found


def discrimination(report: Report, cls: Any, model: Model) -> Roc:
    found = roc(model.probabilities, model.data.y, model.data.counts, model.level)
    report.row(cls.discrimination, auc=found.auc, se=found.se, low=found.low, high=found.high)
    report.note(
        cls.discrimination,
        "AUC 是随机取一个事件、一个非事件时，事件的预测概率较高的概率（相等算一半）；区间用 DeLong 法，"
        "{level:percent} CI。这是训练样本内的结果，用于新数据会差一些。",
        level=model.level,
    )
    if found.se is None:
        single = min(model.events, model.n - model.events) == 1
        why = "事件或非事件只有 1 例，" if single else "两类的预测概率没有重叠或全都相同，DeLong 法"
        report.note(cls.discrimination, f"{why}给不出反映抽样误差的标准误，AUC 的区间未给。")
    return found


def classes(report: Report, cls: Any, model: Model) -> Confusion:
    cut = confusion(model.probabilities, model.data.y, model.data.counts, float(model.form.cutoff))
    rows = (
        (model.other.label, cut.true_negative, cut.false_positive, cut.specificity),
        (model.event.label, cut.false_negative, cut.true_positive, cut.sensitivity),
    )
    for label, no, yes, right in rows:
        report.row(cls.classes, actual=label, no=round(no), yes=round(yes), right=right)
    report.row(
        cls.accuracy, sensitivity=cut.sensitivity, specificity=cut.specificity, accuracy=cut.accuracy,
        precision=cut.precision, f1=cut.f1, brier=cut.brier,
    )  # fmt: skip
    report.note(
        cls.classes,
        "预测概率 ≥ {c:num} 判为“{e}”。这是训练样本内的结果，偏乐观。",
        c=float(model.form.cutoff), e=model.event.label,
    )  # fmt: skip
    report.note(
        cls.accuracy,
        "全部判为多数类的准确率为 {base:percent1}，准确率要与它相比。"
        "Brier 为预测概率与结局（0/1）之差的均方，越小越好。"
        + ("没有一行被判为事件，无法计算精确率。" if cut.precision is None else ""),
        base=max(model.events, model.n - model.events) / model.n,
    )
    return cut


def effects(report: Report, cls: Any, model: Model) -> None:
    from scipy import stats

    for one in margins(model.design, model.plain, model.fit, model.data.counts):
        factor = model.design.factors[one.factor]
        name = factor.name if one.level is None else f"{factor.name}：{factor.labels[one.level]}"
        low, high = one.ends(model.reach)
        p = None if one.z is None else float(2 * stats.norm.sf(abs(one.z)))
        report.row(cls.effects, name=name, value=one.value, se=one.se, z=one.z, p=p, low=low, high=high)
    report.note(
        cls.effects,
        "先按每行自己的取值算，再平均：定量自变量是多 1 个单位时概率的变化率，"
        "定类的是从参照水平换成该水平时概率的差。"
        "标准误用 delta 法。",
    )


def linearity(report: Report, cls: Any, model: Model) -> tuple[list[Bend], list[str]]:
    single = [term.factors[0] for term in model.design.terms if len(term.factors) == 1 and term.numeric]
    judged: list[int] = []
    unjudged: list[int] = []
    for k in single:
        values = np.asarray(model.design.factors[k].values)
        several = np.unique(values[:1000]).size > 2 or np.unique(values).size > 2
        (judged if float(values.min()) > 0 and several else unjudged).append(k)
    bends, failed = box_tidwell(model.design, model.data, model.fit, judged) if not model.fit.firth else ([], judged)
    for bend in bends:
        report.row(cls.linearity, name=model.design.factors[bend.factor].name, wald=bend.wald, df=1, p=bend.p)
    names = [model.design.factors[k].name for k in sorted({*unjudged, *failed})]
    if not bends:
        none = "没有可作 Box-Tidwell 检验的自变量（须为取值多于两个的正数）"
        report.skip(cls.linearity, "Firth 估计不作 Box-Tidwell 检验" if model.fit.firth else none)
    else:
        report.note(cls.linearity, "各变量的 *x* ln *x* 一起加入模型，分别作 Wald 检验。")
        if names:
            report.note(
                cls.linearity, "未检验：{told}（有 0 或负数，只有两个取值，或与其余各列重合）。", told="、".join(names)
            )
    return bends, names


def outliers(report: Report, cls: Any, model: Model, found: Cases) -> int:
    def cells(rows: np.ndarray[Any, np.dtype[np.int64]]) -> list[dict[str, Any]]:
        return [
            {
                "observed": (model.event if model.data.y[r] else model.other).label,
                "fitted": float(model.fit.p[r]),
                "standardized": finite(found.standardized[r]),
                "leverage": float(found.leverage[r]),
                "cook": finite(found.cook[r]),
            }
            for r in rows
        ]

    words = ("标准化残差", "标准化 Pearson 残差")
    return unusual_cases(report, cls.outliers, model, found.standardized, found.cook, model.n, cells, words)
