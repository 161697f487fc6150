"""A design knows how it is analysed once its table is filled in: nothing has to be put in again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, cells, records

FACTORS = [{"id": f"r{i}", "name": name, "low": low, "high": high} for i, (name, low, high) in enumerate(
    [("温度", "160", "180"), ("时间", "10", "20"), ("催化剂", "甲", "乙")], 1)]  # fmt: skip


def planned(method: str, **form: Any) -> tuple[dict[str, Any], pd.DataFrame]:
    """The form of the analysis, with names in place of ids, and the table as a person fills it in."""
    elements = Trial(
        f"quality_control/{method}", None, {**({} if method == "uniform_design" else {"task": "create"}), **form}
    ).report()
    made = next(one for one in elements if one["type"] == "data")
    names = {column["id"]: column["name"] for column in made["columns"]}
    table = pd.DataFrame(made["preview"], columns=list(names.values()))
    start = made["filled"]["form"]
    y = np.random.default_rng(3).normal(50, 1, len(table))
    for column in start["response"]:
        table[names[column]] = y + 3.0 * np.arange(len(table))
    named = {
        key: [names[one] for one in value] if isinstance(value, list) else names.get(value, value)
        for key, value in start.items()
    }
    return {"path": made["filled"]["path"], "form": named}, table


def test_a_factorial_design_is_analysed_with_its_factors_levels_and_blocks() -> None:
    start, table = planned("factorial_doe", names=FACTORS, blocks=2)
    assert start == {
        "path": "quality_control/factorial_doe",
        "form": {"task": "analyze", "response": ["响应"], "factors": ["温度", "时间", "催化剂"], "block": "区组"},
    }
    report = Trial(start["path"], table, start["form"], {"区组": "定类"}).report()
    assert [row["name"] for row in records(report, "effects")][:3] == ["温度", "时间", "催化剂"]
    levels = {(row["factor"], row["level"]) for row in records(report, "cells")}
    assert {("温度", "160"), ("温度", "180"), ("催化剂", "甲"), ("催化剂", "乙")} <= levels
    assert "区组" in {str(cell).strip() for row in cells(report, "variance") for cell in row}


@pytest.mark.parametrize(
    ("method", "form", "path", "factors"),
    [
        ("response_surface", {"n_factors": 2}, "quality_control/response_surface", ["A", "B"]),
        ("orthogonal_design", {"levels": [2, 2, 2]}, "quality_control/orthogonal_design", ["A", "B", "C"]),
        ("uniform_design", {}, "quality_control/response_surface", None),
    ],
)
def test_other_designs_lead_to_the_analysis_that_fits_them(
    method: str, form: dict[str, Any], path: str, factors: list[str] | None
) -> None:
    start, table = planned(method, **form)
    assert start["path"] == path and start["form"]["task"] == "analyze"
    assert factors is None or start["form"]["factors"] == factors
    assert set(start["form"]["factors"]) | set(start["form"]["response"]) <= set(table.columns)
