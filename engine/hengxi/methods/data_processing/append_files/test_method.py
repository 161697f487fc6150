"""Names, places, kinds that clash, and labels that go along."""

from __future__ import annotations

from typing import Any

import pandas as pd

from hengxi.contract import Refusal
from hengxi.testing import Elements, Trial, other_tables, records, warnings

ONE = pd.DataFrame({"名": ["甲", None], "数": [1.0, 2.5]})
TWO = pd.DataFrame({"数": [3, 4], "另": ["x", "y"]})
THREE = pd.DataFrame({"名": ["丙"], "数": ["5件"]})


TRIAL = Trial("data_processing/append_files", ONE)


def given(others: tuple[pd.DataFrame, ...]) -> dict[str, Any]:
    return {"kept": {"files": other_tables(*others)}, "files": [{"vid": i + 1} for i in range(len(others))]}


def report(*others: pd.DataFrame, **form: Any) -> Elements:
    return TRIAL.report(**{**given(others), **form})


def refused(*others: pd.DataFrame, **form: Any) -> Refusal:
    return TRIAL.refused(**{**given(others), **form})


def test_columns_meet_by_name_and_gaps_are_said() -> None:
    made = report(TWO, ONE)
    assert [(row["variable"], row["n"], row["missing"]) for row in records(made, "columns")] == [
        ("名", 2, 4), ("数", 6, 0), ("另", 2, 4), ("来源", 6, 0)]  # fmt: skip
    assert [row["lacking"] for row in records(made, "result")] == ["另", "名", "另"]


def test_columns_in_common_only_and_a_difference_that_stops() -> None:
    assert [row["variable"] for row in records(report(TWO, unmatched="intersect"), "columns")] == ["数", "来源"]
    assert "列“名”不是每份数据都有" in refused(TWO, unmatched="error").text
    assert "没有一列同名" in refused(TWO.rename(columns={"数": "z"})).text


def test_kinds_that_differ_stop_or_become_text() -> None:
    """同名列类型冲突 → 列“{v}”在两表中类型不同，已转为文本/请先转换"""
    assert "列“数”在本表中是数值，在“表1”中是文本" in refused(THREE).text
    assert warnings(report(THREE, conflict="text")) == ["data.kinds"]


def test_places_need_as_many_columns() -> None:
    """按位置时列数不同 → 两表列数不同，不能按位置追加"""
    assert "两表列数不同（本表 2 列，“表1”1 列）" in refused(TWO[["数"]], match="position").text
    made = report(pd.DataFrame({"a": ["丁"], "b": [9]}), match="position")
    assert [row["n"] for row in records(made, "columns")] == [2, 3, 3]


def test_nothing_chosen_and_one_chosen_twice() -> None:
    """未选文件 → 请至少选择一个要追加的文件"""
    assert refused().code == "dataset.required"
    assert refused(TWO, files=[{"vid": 1}, {"vid": 1}]).code == "dataset.twice"
