"""Which row of a group stays, and the refusals."""

from __future__ import annotations

import pandas as pd

from hengxi.testing import Trial, cells, element

FRAME = pd.DataFrame({"人": ["甲", "乙", "甲", None, None, "丙"], "额": [1.0, 5.0, None, 2.0, 2.0, 9.0]})
TRIAL = Trial("data_processing/dedupe", FRAME, {"keys": ["人"]})
report, refused = TRIAL.report, TRIAL.refused


def test_empty_cells_are_alike() -> None:
    assert [row[2:] for row in cells(report(), "detail")] == [[2, "1、3", "1"], [2, "4、5", "4"]]


def test_the_largest_stays_and_a_gap_is_never_the_largest() -> None:
    assert [row[4] for row in cells(report(keep="max", by="额"), "detail")] == ["1", "4"]
    assert [row[4] for row in cells(report(keep="last"), "detail")] == ["3", "5"]
    assert [row[4] for row in cells(report(keep="none"), "detail")] == ["无", "无"]


def test_marks_leave_the_rows() -> None:
    step = next(e for e in report(action="flag") if e["type"] == "data")["step"]
    assert step["rows_after"] == 6 and [one["name"] for one in step["added"]] == ["重复标记", "重复组号"]
    assert [row[-2:] for row in step["preview"]["after"]] == [[0, 1], [0, None], [1, 1], [0, 2], [1, 2], [0, None]]


def test_nothing_to_do_makes_no_version() -> None:
    """没有重复 → 没有发现重复记录，未生成新版本"""
    assert refused(keys=["人", "额"], frame=FRAME.iloc[[0, 1, 5]]).text == "没有发现重复记录，未生成新版本"


def test_all_of_them_twice_leave_nothing() -> None:
    twice = pd.DataFrame({"人": ["甲", "甲", "乙", "乙"], "额": 1.0})
    assert refused(twice, keep="none").code == "data.none_left"


def test_the_first_hundred_groups_are_listed() -> None:
    many = pd.DataFrame({"人": [f"p{i}" for i in range(300)] * 2})
    made = report(many)
    assert len(element(made, "detail")["rows"]) == 100 and cells(made, "result")[0][1:4] == [600, 300, 300]
