"""Checks that say the same of every regression."""

from __future__ import annotations

import numpy as np

from hengxi.contract import Report, more
from hengxi.contract.shapes import State
from hengxi.stats.moments import Floats


def influence_check(report: Report, cook: Floats, row_numbers: Floats, listed: int) -> None:
    """Whether one case alone changes the result.

    `cook` and `row_numbers` are (n,), of the fitted cases; `listed` is how many the table of unusual cases shows.
    """
    known = np.nan_to_num(cook, nan=0.0)
    place = int(known.argmax())
    top = float(known[place])
    state: State = "care" if top > 1 or bool(np.isnan(cook).any()) else "pass"
    ending = "有个案单独就能明显改变结果，请核对。" if state == "care" else "没有哪一个个案单独左右结果。"
    told = "有 {k:integer} 例超出列示界限（见异常个案表）。" if listed else "没有个案超出列示界限。"
    report.check(
        "异常个案",
        state,
        "最大 Cook 距离 {cook:num}（第 {row:integer} 行）。" + told + ending,
        more=more(
            "Cook 距离表示去掉一个个案后全部系数变动多大。",
            "最大的是第 {row:integer} 行，Cook 距离 {cook:num}；" + told,
            "参考标准：大于 1 的个案影响很大（Cook，1977）；4/n 只是用来列出值得看一眼的个案。",
            "核对是否录入错误；没有错误就不要删，可同时报告去掉前后的结果。",
        ),
        cook=top,
        row=int(row_numbers[place]),
        k=listed,
    )
