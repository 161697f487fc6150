"""Checks that say the same of every regression."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report, more
from hengxi.contract.shapes import State
from hengxi.families.regression.model import Model
from hengxi.stats.collinearity import judged_as, vif, worst
from hengxi.stats.linear_fit import EPS, Basis
from hengxi.stats.moments import Floats

WHOLE = 20
"""So many cases a coefficient are told without decimals: the limit of 10 is far away."""
OVERLAP: dict[State, str] = {
    "pass": "共线性不严重。",
    "care": "自变量之间有一定相关，它们的系数不易分开解释。",
    "fail": "自变量之间高度相关，单个系数很不稳定。",
}
POWERS = "交互项、乘方与组成它的变量本来就相关，不影响预测和它自己的检验。"
DIGITS = 6
"""Digits of a coefficient that are worth telling: fewer, and the reader is warned."""


def precision_warning(report: Report, fit: Basis, names: list[str], outcome: tuple[str, float] | None = None) -> None:
    """Digits that the numbers themselves have lost, before anything was computed.

    A double holds 16 digits. Values far from 0 against their spread have used them up, and columns that are almost
    sums of others make what is left grow. `outcome` is the name and the grain of y.
    """
    grain = float(fit.grains.max())
    y, y_grain = outcome or ("", 0.0)
    error = max(grain * fit.spread, y_grain, EPS)
    digits = int(np.floor(-np.log10(error)))
    if digits >= DIGITS:
        return
    left = "系数大约只有前 {digits:integer} 位数字可靠" if digits > 0 else "系数的数字不可靠"
    facts: dict[str, Any] = {"digits": digits} if digits > 0 else {}
    if y_grain < grain * fit.spread and fit.spread > grain / EPS:
        name = names[int(vif(fit).argmax())]
        text = f"“{{v}}”几乎可由其他自变量算出，{left}：请删去它，或与相近的自变量合并。"
    else:
        name = y if y_grain >= grain * fit.spread else names[int(fit.grains.argmax())]
        text = f"“{{v}}”的各个数值只在最后几位上不同，{left}：请在原始数据里先减去一个固定的数（如最小值），再导入。"
    report.warn("data.precision", text, v=name, **facts)


def influence_check(report: Report, cook: Floats, row_numbers: Any, listed: int) -> None:
    """Whether one case alone changes the result.

    `cook` and `row_numbers` are (n,), of the fitted cases; `listed` is how many the table of unusual cases shows.
    """
    known = np.nan_to_num(cook, nan=0.0)
    place = int(known.argmax())
    top = float(known[place])
    state: State = "care" if top > 1 or bool(np.isnan(cook).any()) else "pass"
    ending = "有的行单独就能明显改变结果，请核对。" if state == "care" else "没有哪一行单独左右结果。"
    told = "值得核对的 {k:integer} 行列在“异常个案”表里。" if listed else ""
    report.check(
        "异常个案",
        state,
        "影响最大的是第 {row:integer} 行，Cook 距离 {cook:num}。" + ending + told,
        more=more(
            "Cook 距离表示去掉一行后，全部系数变动多大。",
            "最大的是第 {row:integer} 行，Cook 距离 {cook:num}。" + told,
            "参考标准：大于 1 的影响很大（Cook，1977）；大于 4/n 的只是值得看一眼。",
            "核对是否录入错误；没有错误就不要删，可同时报告去掉前后的结果。",
        ),
        cook=top,
        row=int(row_numbers[place]),
        k=listed,
    )


def collinearity_check(report: Report, model: Model, plain: Basis, symbol: str = "", outcome: str = "预测") -> None:
    """VIF of the columns beside a constant (5 care, 10 severe); `symbol` names the ratio that is read, `outcome` what
    collinearity leaves alone."""
    terms = model.design.terms
    top, first, term = worst(plain, terms)
    state: State = "fail" if top >= 10 else "care" if top >= 5 else "pass"
    ending = OVERLAP[state]
    if state != "pass" and any(len(term.factors) > 1 for term in terms):
        ending += POWERS
    report.check(
        "共线性",
        state,
        "最大 VIF = {vif:num}（“{v}”）。" + ending,
        more=more(
            f"自变量之间高度相关时，各自的{f' {symbol} ' if symbol else '系数'}难以分开。",
            f"“{{v}}”的 VIF = {{vif:num}}，由自变量之间的线性模型求得{judged_as(terms, term)}。",
            f"系数的标准误被放大，正负号也可能不稳；{outcome}不受影响。参考标准：5 注意，10 严重。",
            "删去或合并意思相近的自变量。",
        ),
        vif=top,
        v=term.name if term.width > 1 else model.design.names[first],
    )


def marginal_warning(report: Report, model: Model) -> None:
    """An interaction or power without its parts depends on the reference level and on where 0 lies."""
    alone = {term.factors[0] for term in model.design.terms if len(term.factors) == 1}
    for term in model.design.terms:
        absent = [k for k in dict.fromkeys(term.factors) if k not in alone]
        if len(term.factors) > 1 and absent:
            names = "".join(f"“{model.design.factors[k].name}”" for k in absent)
            report.warn(
                "terms.marginal",
                "模型有“{t}”，却没有主效应{names:text}：这一项不能单独解释。请把主效应也放进模型。",
                t=term.name,
                names=names,
                columns=[model.columns[k] for k in absent],
            )


def size_check(report: Report, model: Model, n: int, k: int, fit: str = "*R*² 偏高，请看调整 *R*²") -> None:
    """Cases to each coefficient beside the constant: 10 at least (Harrell, 2015); `fit` says what a small sample does
    to the measure of fit, where there is one."""
    ratio = n / k
    state: State = "care" if ratio < 10 else "pass"
    short = f"样本偏小，系数不稳{'，' if fit else ''}{fit}。"
    ending = short if state == "care" else "样本足够。"
    report.check(
        "样本量",
        state,
        f"{{n:integer}} {model.counter}、{{k:integer}} 个系数，每个系数约 {{ratio:"
        + ("integer" if ratio >= WHOLE else "num1")
        + f"}} {model.counter}。"
        + ending,
        more=more(
            "系数越多，需要的样本越大；样本小就容易把巧合当成规律。",
            f"有效样本 {{n:integer}} {model.counter}，不含常数项的系数 {{k:integer}} 个。",
            "参考标准：每个系数至少 10 到 15 例（Harrell，2015）。"
            + ("样本小时 *R*² 偏高，换一批数据会明显变差。" if fit else "样本小时系数会随样本变动很大。"),
            "减少自变量，合并定类自变量的类别，或收集更多数据。",
        ),
        n=n,
        k=k,
        ratio=ratio,
    )
