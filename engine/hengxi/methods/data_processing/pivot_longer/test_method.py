"""Names taken apart, kinds, gaps, and names that are taken."""

from __future__ import annotations

from typing import Any

import pandas as pd

from hengxi.testing import Trial, records, warnings

FRAME = pd.DataFrame({"号": [1, 2, 3], "压_前": [5.0, None, 7.0], "压_后": [6.0, 8.0, None], "率_前": [1.0, 2.0, 3.0],
                      "名": list("甲乙丙")})  # fmt: skip
TRIAL = Trial("data_processing/pivot_longer", FRAME, {"variables": ["压_前", "压_后"], "id": ["号"]})
report, refused = TRIAL.report, TRIAL.refused


def after(elements: list[Any]) -> list[Any]:
    rows: list[Any] = next(e for e in elements if e["type"] == "data")["step"]["preview"]["after"]
    return rows


def test_rows_of_one_case_stay_together() -> None:
    assert [row[-2:] for row in after(report())[:4]] == [["压_前", 5], ["压_后", 6], ["压_前", None], ["压_后", 8]]


def test_a_measure_that_a_turn_lacks_is_empty() -> None:
    made = report(variables=["压_前", "压_后", "率_前"], layout="value")
    kept = {row["variable"]: (row["n"], row["missing"]) for row in records(made, "columns")}
    assert kept == {"号": (6, 0), "时点": (6, 0), "压": (4, 2), "率": (3, 3)}


def test_kinds_that_differ_are_refused() -> None:
    """堆叠变量类型不同 → “{a}”与“{b}”类型不同，请先统一"""
    refusal = refused(variables=["压_前", "名"])
    assert "“压_前”是数值，“名”是文本" in refusal.text and refusal.faults[0].remedies


def test_a_name_that_is_taken_is_refused() -> None:
    """新列名与标识重名 → 列名“{v}”已被使用"""
    assert "列名“号”已被使用" in refused(values_to="号").text
    assert refused(names_to="x", values_to="x").code == "data.name_taken"


def test_a_name_without_the_separator_is_refused() -> None:
    assert "不能按“-”拆成两部分" in refused(layout="parts", sep="-").text


def test_without_an_identifier_it_warns_and_all_gaps_leave_nothing() -> None:
    assert warnings(report(id=[])) == ["data.no_id"]
    empty = pd.DataFrame({"号": [1.0, 2.0], "压_前": [1.0, None], "压_后": [None, 2.0]})
    assert next(e for e in report(empty, drop_missing=True) if e["type"] == "data")["rows"] == 2
