"""What stays, what it is called, in which order; and what is refused."""

from __future__ import annotations

from typing import Any

import pandas as pd

from hengxi.testing import Elements, Trial, records

FRAME = pd.DataFrame({"甲": [1.0, 2.0, 3.0], "乙": [7.0, 7.0, None], "丙": list("xyz"), "丁": [None, None, 4.0]})
TRIAL = Trial("data_processing/rename_select", FRAME)
report, refused = TRIAL.report, TRIAL.refused


def step(elements: Elements) -> dict[str, Any]:
    found: dict[str, Any] = next(e for e in elements if e["type"] == "data")["step"]
    return found


def test_names_change_and_cells_do_not() -> None:
    made = report(variables=["甲", "丙"], action="rename", mapping=[{"for": "丙", "name": "字"}])
    assert [one["name"] for one in step(made)["reworded"]] == ["字"] and step(made)["cells"] == 0
    assert [row["state"] for row in records(made, "changes")] == ["保留", "改名"]


def test_two_names_may_change_places() -> None:
    swap = [{"for": "甲", "name": "丙"}, {"for": "丙", "name": "甲"}]
    made = step(report(variables=["甲", "丙"], action="rename", mapping=swap))
    assert [one["name"] for one in made["reworded"]] == ["丙", "甲"]


def test_constants_and_gaps_are_found() -> None:
    every = list(FRAME)
    assert [one["name"] for one in step(report(variables=every, action="drop_constant"))["removed"]] == ["乙", "丁"]
    made = report(variables=every, action="drop_high_missing", threshold=0.4)
    assert [one["name"] for one in step(made)["removed"]] == ["丁"]
    assert refused(variables=["甲"], action="drop_constant").code == "data.nothing"


def test_one_column_must_stay() -> None:
    """删除后没有列 → 至少需要保留一列"""
    assert "至少需要保留一列" in refused(variables=list(FRAME), action="drop").text


def test_a_name_that_is_taken_is_refused() -> None:
    """改名后重名 → 列名“{v}”重复"""
    assert "列名“乙”重复" in refused(variables=["甲"], action="rename", mapping=[{"for": "甲", "name": "乙"}]).text
