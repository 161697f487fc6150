"""Keys of two tables: gaps, repeats, kinds, relations; what a replay does with the other table."""

from __future__ import annotations

from typing import Any

import pandas as pd

from hengxi.contract import Refusal
from hengxi.testing import Elements, Trial, other_tables, records, warnings

LEFT = pd.DataFrame({"号": [1.0, 2.0, 3.0, 3.0, None], "班": list("甲乙丙丁戊")})
RIGHT = pd.DataFrame(
    {"号": [3, 1, 9, 3], "分": [80.0, None, 60.0, 90.0], "班": list("abcd"), "字": ["3", "1", "9", "3"]}
)
KEYS = [{"left": "号", "right": "c1"}]


TRIAL = Trial("data_processing/merge_files", LEFT, {"right": {"vid": 1}, "keys": KEYS}, {"班": "定类"})


def report(left: pd.DataFrame = LEFT, right: pd.DataFrame = RIGHT, **form: Any) -> Elements:
    return TRIAL.report(left, kept={"right": other_tables(right)}, **form)


def refused(left: pd.DataFrame = LEFT, right: pd.DataFrame = RIGHT, **form: Any) -> Refusal:
    return TRIAL.refused(left, kept={"right": other_tables(right)}, **form)


def after(elements: Elements) -> list[Any]:
    step = next(e for e in elements if e["type"] == "data")["step"]
    return [row for row in step["preview"]["after"] if row]


def test_a_gap_meets_no_gap_and_a_key_that_comes_twice_comes_twice() -> None:
    gaps = RIGHT.assign(号=[3.0, None, 9.0, 3.0])
    assert after(report(right=gaps)) == [
        [1, None, None, None, 2], [2, None, None, None, 2], [3, 80, "a", "3", 1], [3, 90, "d", "3", 1],
        [3, 80, "a", "3", 1], [3, 90, "d", "3", 1], [None, None, None, None, 2],
    ]  # fmt: skip


def test_rows_of_the_other_table_alone_bring_their_key() -> None:
    made = report(how="outer")
    assert after(made)[-1] == [9, 60, "c", "9", 3] and warnings(made) == ["data.many_to_many"]


def test_names_that_are_taken_get_the_suffix() -> None:
    names = [row["variable"] for row in records(report(suffix="_另"), "columns")]
    assert names == ["分", "班_另", "字", "_merge"]


def test_keys_of_different_kinds_are_refused_by_name() -> None:
    """关键字类型不同 → “{a}”是数值而“{b}”是文本，无法匹配"""
    refusal = refused(keys=[{"left": "号", "right": "c4"}], right=RIGHT.assign(字=["S3", "S1", "S9", "S3"]))
    assert "“号”是数值而另一份数据的“字”是文本，无法匹配" in refusal.text and refusal.faults[0].remedies


def test_a_relation_that_does_not_hold_names_the_key() -> None:
    """违反1对1 → 关键字“{k}”在另表出现 {n} 次"""
    assert "关键字“3”在另表出现 2 次" in refused(validate="many_to_one").text
    assert "关键字“3”在本表出现 2 次" in refused(validate="one_to_many").text


def test_no_key_in_common_is_refused() -> None:
    """没有任何匹配 → 两表没有一个相同的关键字"""
    assert "两表没有一个相同的关键字" in refused(right=RIGHT.assign(号=[11, 12, 13, 14])).text


def test_every_row_with_every_row_is_bounded() -> None:
    """多对多膨胀 → 合并后将有 {n} 行，超过上限，请检查关键字"""
    same = pd.DataFrame({"号": [1.0] * 6000, "班": "甲"})
    assert "36,000,000 行" in refused(left=same, right=same).text


def test_a_table_that_is_not_there_and_an_empty_one() -> None:
    assert refused(right=RIGHT.iloc[:0]).code == "dataset.empty"
    assert TRIAL.refused(kept={"right": other_tables(RIGHT)}, right={"vid": 8}).code == "dataset.gone"
