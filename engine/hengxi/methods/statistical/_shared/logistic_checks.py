"""Assumptions of a logistic regression: what was seen, what it does to the result, what can be done."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report, SetRemedy, more
from hengxi.contract.shapes import State
from hengxi.families.regression.checks import WHOLE, collinearity_check, influence_check, precision_warning
from hengxi.methods.statistical._shared.logistic_model import Model
from hengxi.methods.statistical._shared.logistic_tables import Found
from hengxi.stats.event import is_absence

ALPHA = 0.05


def report_all(report: Report, model: Model, found: Found) -> None:
    _event(report, model)
    precision_warning(report, model.plain, model.design.names)
    _separation(report, model)
    _size(report, model)
    _linearity(report, model, found)
    collinearity_check(report, model, model.plain, "OR", "预测的概率")
    _agreement(report, model, found)
    influence_check(report, found.cases.cook, model.form.y.row_numbers[model.rows], found.listed)


def _event(report: Report, model: Model) -> None:
    if not is_absence(model.event.label, model.other.label):
        return
    text = (
        "事件是“{y}”的“{e}”（不选时取末水平），OR 说的是“{e}”的发生比；"
        "若关心的是“{o}”，请把“事件水平”改为“{o}”，各 OR 变为倒数。"
    )
    report.warn("data.event", text, columns=[model.form.y], y=model.y, e=model.event.label, o=model.other.label)


def _separation(report: Report, model: Model) -> None:
    if not model.separated:
        report.check(
            "分离",
            "pass",
            "没有自变量（或它们的组合）能把两类完全分开。",
            more=more(
                "某个自变量（或几个合起来）能把两类分开时，系数趋于无穷，最大似然估计不存在。",
                "迭代正常收敛，没有分离。" if not model.fit.firth else "用线性规划检查，没有分离。",
                "发生分离时系数和标准误极大，Wald 检验没有意义。",
                "不需要处理。",
            ),
        )
        return
    parts: list[str] = []
    facts: dict[str, Any] = {}
    for i, (name, complete) in enumerate(model.separated[:5]):
        parts.append(f"“{{v{i}}}”{'完全' if complete else '准完全'}分离结局")
        facts[f"v{i}"] = name
    told = "；".join(parts)
    text = f"{told}，最大似然估计不存在；已改用 Firth 惩罚似然，区间与 *p* 用惩罚轮廓似然。"
    report.check(
        "分离",
        "fail",
        text,
        more=more(
            "某个自变量（或几个合起来）能把两类分开时，系数趋于无穷，最大似然估计不存在。",
            f"{told}。",
            "没有惩罚时系数和标准误极大，Wald 检验没有意义。"
            "Firth 估计是有限的，区间仍可能很宽，因为数据的信息就这么多。",
            "核对该变量是不是因变量换了个说法；不是则报告 Firth 估计，或合并行数很少的类别。",
        ),
        **facts,
    )
    report.warn("data.separation", text, **facts)


def _size(report: Report, model: Model) -> None:
    fewer, k = min(model.events, model.n - model.events), model.data.k - 1
    ratio = fewer / k
    state: State = "care" if ratio < 10 else "pass"
    firth = model.fit.firth
    remedies = [SetRemedy(title="改用 Firth 估计", set={"firth": "always"})] if state == "care" and not firth else []
    short = "已用 Firth 估计减小偏差，区间仍会很宽。" if firth else "系数可能偏大、区间不准。"
    ending = f"不足 10 例，{short}" if state == "care" else "足够。"
    report.check(
        "事件数",
        state,
        "较少的一类有 {e:integer} 例，{k:integer} 个系数，每个系数约 {ratio:"
        + ("integer" if ratio >= WHOLE else "num1")
        + "} 例。"
        + ending,
        more=more(
            "Logistic 回归的信息量由较少的一类决定，不是总例数。",
            "较少的一类 {e:integer} 例 ÷ 系数 {k:integer} 个 = {ratio:num1}。",
            "太少时系数偏离 0 更远，区间也不准。参考标准：每个系数 10 例（Peduzzi 等，1996）。",
            "减少自变量，合并类别，或改用 Firth 估计。" if not firth else "减少自变量，合并类别，或收集更多数据。",
        ),
        remedies=remedies,
        e=fewer,
        k=k,
        ratio=ratio,
    )


def _linearity(report: Report, model: Model, found: Found) -> None:
    if not found.bends:
        numbers = any(not factor.labels for factor in model.design.factors)
        why = "定量自变量含 0、负数或只有两个取值，不能作 Box-Tidwell 检验"
        why = "Firth 估计不作 Box-Tidwell 检验" if model.fit.firth else why
        told = f"{why}；请看线性性图。" if numbers else "没有定量自变量，不涉及 logit 的线性。"
        report.check("logit 线性", "unknown" if numbers else "pass", told)
        return
    worst = min(found.bends, key=lambda one: one.p)
    limit = ALPHA / len(found.bends)
    bent = worst.p < limit
    ending = "可能不是直线关系，请看线性性图，或加入二次项。" if bent else "没有发现弯曲。"
    factor = model.design.factors[worst.factor]
    column = next(c for c, f in zip(model.columns, model.design.factors, strict=True) if f is factor)
    terms = [[c.id for c in term.columns] for term in model.form.terms.terms]
    square = [column.id, column.id]
    offered = bent and square not in terms
    report.check(
        "logit 线性",
        "care" if bent else "pass",
        "Box-Tidwell：最小的 *p* {p:peq}（“{v}”，共检验 {m:integer} 个变量，界限 {limit:num}）。" + ending,
        more=more(
            "Logistic 回归要求：定量自变量每多 1，logit（发生比的对数）总是增加同样多。",
            "“{v}”的 *x* ln *x* 项：Wald χ²(1) = {x:num}，*p* {p:peq}；按 Bonferroni 与 {limit:num} 比。",
            "关系是弯的而用直线时，OR 只是平均的倍数，两端的概率会偏。",
            "看线性性图；弯曲明显时加入二次项，或把变量分段后作定类。",
        ),
        remedies=[SetRemedy(title="加入二次项", set={"terms": {"preset": "custom", "terms": [*terms, square]}})]
        if offered
        else [],
        p=worst.p,
        x=worst.wald,
        v=factor.name,
        m=len(found.bends),
        limit=limit,
    )


def _agreement(report: Report, model: Model, found: Found) -> None:
    groups = found.groups
    if groups.p is None:
        report.check("拟合", "unknown", "预测概率的不同取值太少，无法作 Hosmer-Lemeshow 检验；请看校准图。")
        return
    off = groups.p < ALPHA
    small = float(np.min(np.minimum(groups.expected, groups.n - groups.expected))) < 1
    ending = "预测概率与实际比例有差距，请看校准图差在哪一段。" if off else "没有发现预测概率与实际比例不符。"
    if small:
        ending += "有的组期望频数不到 1，检验只作参考。"
    report.check(
        "拟合",
        "care" if off else "pass",
        "Hosmer-Lemeshow χ²({df:integer}) = {x:num}，*p* {p:peq}。" + ending,
        more=more(
            "把各行按预测概率分组，比较每组的实际事件数与期望事件数。",
            "分为 {g:integer} 组，χ²({df:integer}) = {x:num}，*p* {p:peq}。",
            "样本很大时很小的差距也会报警，样本小时查不出差距；*p* 大不等于模型对。",
            "看校准图；有系统的偏离时加入交互项、二次项或遗漏的自变量。",
        ),
        df=groups.df,
        x=groups.chi2,
        p=groups.p,
        g=int(groups.n.size),
    )
