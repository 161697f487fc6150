"""Directions, gaps, words: the order of the rows, and what is refused."""

from __future__ import annotations

from typing import Any

import pandas as pd

from hengxi.testing import Trial, cells, said

FRAME = pd.DataFrame(
    {"姓名": ["赵一", "李二", None, "安三", "李二"], "分": [3.0, 1.0, 2.0, None, 1.0], "级": list("低高中低高")}
)
TRIAL = Trial("data_processing/sort", FRAME)
report, refused = TRIAL.report, TRIAL.refused


def order(**form: Any) -> list[int]:
    return [row[1] for row in cells(report(**form), "top")]


def way(column: str, direction: str) -> dict[str, str]:
    return {"for": column, "direction": direction}


def test_gaps_stay_at_the_chosen_end_whatever_the_direction() -> None:
    assert order(keys=["分"]) == [2, 5, 3, 1, 4]
    assert order(keys=["分"], orders=[way("分", "desc")]) == [1, 3, 2, 5, 4]
    assert order(keys=["分"], na_position="first") == [4, 2, 5, 3, 1]


def test_equal_rows_keep_their_order_in_both_directions() -> None:
    assert order(keys=["姓名"], orders=[way("姓名", "desc")])[1:3] == [2, 5]


def test_pinyin_puts_an_before_li_before_zhao() -> None:
    assert order(keys=["姓名"]) == [4, 2, 5, 1, 3]


def test_an_ordered_category_goes_by_its_order() -> None:
    frame = FRAME.assign(级=pd.Categorical(FRAME["级"], ["低", "中", "高"], ordered=True))
    assert [row[1] for row in cells(report(frame, keys=["级"]), "top")] == [1, 4, 3, 2, 5]


def test_a_sorted_table_says_so() -> None:
    assert "次序没有变" in said(report(pd.DataFrame({"x": [1.0, 2.0, 3.0]}), keys=["x"]))


def test_a_direction_of_a_variable_that_is_not_sorted_is_refused() -> None:
    """升降序个数不符 → 排序方向需与排序变量一一对应"""
    assert refused(keys=["分"], orders=[way("姓名", "desc")]).faults[0].field == "orders"


def test_a_filter_in_force_is_refused() -> None:
    assert refused(keys=["分"], filter="{c2} > 1").code == "data.filtered"
