"""Names that collide, gaps, merged categories, and how many are too many."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, cells, records

FRAME = pd.DataFrame({
    "组": ["甲", "乙", "丙", "甲", None, "丙"], "组_乙": [1.0] * 6, "一": ["同"] * 6,
    "其": ["其他", "其他", "少", "其他", "稀", "其他"],
})  # fmt: skip
KINDS = {"一": "定类", "其": "定类", "组": "定类"}
TRIAL = Trial("data_processing/dummy_variable", FRAME, {"variables": ["组"]}, KINDS)
report, refused = TRIAL.report, TRIAL.refused


def step(**form: Any) -> dict[str, Any]:
    found: dict[str, Any] = next(e for e in report(**form) if e["type"] == "data")["step"]
    return found


def test_a_name_that_is_taken_is_changed_and_gaps_stay_gaps() -> None:
    made = step()
    assert [one["name"] for one in made["added"]] == ["组_乙_2", "组_丙"] or len(
        {o["name"] for o in made["added"]}
    ) == 2
    assert "组_乙" not in [one["name"] for one in made["added"]]
    assert [row[-2:] for row in made["preview"]["after"]] == [[0, 0], [1, 0], [0, 1], [0, 0], [None, None], [0, 1]]


def test_a_category_called_others_is_not_the_merged_one() -> None:
    found = report(variables=["其"], min_freq=2, coding="onehot")
    assert [row[0] for row in cells(found, "coding")] == ["其他", "其他（2）"]


def test_gaps_as_a_category_or_as_zero() -> None:
    assert records(report(missing="own"), "summary")[0]["levels"] == 4
    assert [row[-1] for row in step(missing="zero")["preview"]["after"]][4] == 0


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"variables": ["一"]}, "“一”只有一个类别，编码后全为常数"),
        ({"min_freq": 2}, ""),
        ({"min_freq": 9}, "只有一个类别"),
        ({"min_freq": 2, "reference": [{"for": "组", "level": "乙"}]}, "已并入其他"),
        ({"reference": [{"for": "组", "level": "丁"}]}, "丁"),
    ],
)
def test_what_cannot_be_coded(form: dict[str, Any], words: str) -> None:
    """只有一个类别、参照水平不存在 → 参照水平“{r}”不在“{v}”中"""
    if form == {"min_freq": 2}:
        assert records(report(**form), "summary")[0]["merged"] == 1
    elif form == {"min_freq": 9}:
        assert refused(coding="onehot", **form).code == "role.levels"
    else:
        assert words in refused(**form).faults[0].text


def test_too_many_categories_are_refused_with_their_number() -> None:
    """类别过多 → “{v}”有 {k} 个类别，会产生 {k} 列，请先合并"""
    frame = pd.DataFrame({"城": [f"城{i}" for i in range(101)] * 2})
    found = refused(frame, {"城": "定类"}, variables=["城"])
    assert "“城”有 101 个类别，会产生 101 列，请先合并" in found.faults[0].text
