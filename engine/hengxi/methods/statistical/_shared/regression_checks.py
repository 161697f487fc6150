"""Checks that say the same of every regression."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report, more
from hengxi.contract.shapes import State
from hengxi.stats.collinearity import vif
from hengxi.stats.linear_fit import EPS, Basis
from hengxi.stats.moments import Floats

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


def influence_check(report: Report, cook: Floats, row_numbers: Floats, listed: int) -> None:
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
