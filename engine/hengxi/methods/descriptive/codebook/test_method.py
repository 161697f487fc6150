"""What is particular to the overview: repeated rows, constants, identifiers, missing ones, measures of every kind."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, element, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = {**dict.fromkeys(["臭氧", "日照", "风速", "气温", "天数"], "定量"), "时段": "定类"}
TRIAL = Trial("descriptive/codebook", FRAME, {"variables": list(FRAME.columns)}, KINDS)
report, refused = TRIAL.report, TRIAL.refused


def test_nothing_chosen_and_no_rows_are_refused() -> None:
    assert refused(variables=[]).code == "role.required"
    assert "没有" in refused(FRAME.iloc[:0]).text


def test_repeated_rows_are_those_pandas_finds() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "a": rng.integers(0, 4, 300),
            "b": rng.choice(np.array(["x", "y", None], dtype=object), 300),
            "c": rng.integers(0, 3, 300),
        }
    )
    frame["c"] = frame["c"].where(frame["c"] > 0)
    elements = report(frame, {"a": "定量", "b": "定类", "c": "定量"}, variables=["a", "b", "c"])
    (row,) = element(elements, "overview")["rows"]
    assert row[2] == int(frame.duplicated().sum()) and row[3] == int(frame.notna().all(axis=1).sum())


def test_constants_identifiers_and_gaps_are_remarked() -> None:
    frame = pd.DataFrame({"号": [f"u{i}" for i in range(40)], "同": ["甲"] * 40, "缺": [1.0, None] * 20})
    rows = {
        row["name"]: row
        for row in records(report(frame, {"号": "定类", "同": "定类"}, variables=["号", "同", "缺"]), "listing")
    }
    assert rows["号"]["remark"] == "唯一值超过一半" and rows["同"]["remark"] == "只有一个取值"
    assert "缺失超过两成" in rows["缺"]["remark"]


def test_many_classes_are_summed_in_one_row() -> None:
    frame = pd.DataFrame({"类": [f"c{i % 300}" for i in range(900)]})
    rows = records(report(frame, {"类": "定类"}, variables=["类"], max_levels=5), "categories")
    assert len(rows) == 6 and rows[-1]["level"] == "其余 295 类" and rows[-1]["n"] == 885


def test_dates_have_a_first_and_a_last() -> None:
    frame = pd.DataFrame({"日": [date(2024, 3, 5), date(2024, 1, 2), None]})
    (row,) = records(report(frame, {"日": "时间"}, variables=["日"]), "spans")
    assert row["first"].startswith("2024-01-02") and row["last"].startswith("2024-03-05")


def test_values_beyond_squaring_are_named() -> None:
    frame = FRAME.assign(臭氧=FRAME["臭氧"] * 1e300)
    assert warnings(report(frame)) == ["data.magnitude"]


def test_many_variables_keep_the_report_small() -> None:
    frame = pd.DataFrame({f"v{i}": np.arange(30) % (i % 7 + 2) for i in range(300)})
    elements = report(frame, dict.fromkeys(frame.columns, "定量"), variables=list(frame.columns))
    assert len([e for e in elements if e["type"] == "chart" and e["kind"] == "histogram"]) == 12
    assert check(elements, "缺失")["state"] == "pass"
