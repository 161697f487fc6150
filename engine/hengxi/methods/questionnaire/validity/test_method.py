"""Branches and refusals of validity."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal
from hengxi.testing import Elements, Trial, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
BLOCKS = [
    {"id": f"b{i}", "name": name, "columns": [f"x{3 * i - 2}", f"x{3 * i - 1}", f"x{3 * i}"]}
    for i, name in ((1, "空间"), (2, "文字"), (3, "速度"))
]
LOOSE = [{"id": "loose", "name": None, "columns": list(FRAME.columns)}]
TRIAL = Trial("questionnaire/validity", FRAME, {"items": BLOCKS, "n_boot": 200})


def report(frame: pd.DataFrame = FRAME, **form: Any) -> Elements:
    return TRIAL.report(frame, dict.fromkeys(frame.columns, "定量"), **form)


def refused(frame: pd.DataFrame = FRAME, **form: Any) -> Refusal:
    return TRIAL.refused(frame, dict.fromkeys(frame.columns, "定量"), **form)


def test_fewer_than_three_items_are_refused() -> None:
    assert "至少需要3个题项" in refused(items=[{**BLOCKS[0], "columns": ["x1", "x2"]}]).text


def test_no_more_rows_than_items_are_refused() -> None:
    assert "样本量等于题项数" in refused(FRAME.head(9)).text and "样本量小于题项数" in refused(FRAME.head(8)).text


def test_an_item_twice_in_the_data_is_refused_by_name() -> None:
    refusal = refused(FRAME.assign(x3=FRAME["x1"] * 2))
    assert refusal.code == "data.singular" and "“x1”与“x3”完全重复" in refusal.text


def test_without_dimensions_there_is_no_ave() -> None:
    elements = report(items=LOOSE)
    assert not records(elements, "convergent") and "没有预设维度" in str(elements)


def test_reversed_items_change_nothing_that_is_absolute() -> None:
    one, other = report(), report(FRAME.assign(x2=10 - FRAME["x2"]))
    for table, keys in (("convergent", ("ave", "alpha", "omega")), ("htmt", ("htmt", "htmt2"))):
        for a, b in zip(records(one, table), records(other, table), strict=True):
            assert [a[key] for key in keys] == pytest.approx([b[key] for key in keys], rel=1e-7)


def test_intervals_hold_the_ratio_and_narrow_with_more_rows() -> None:
    few, many = report(), report(pd.concat([FRAME] * 4, ignore_index=True))
    for a, b in zip(records(few, "htmt"), records(many, "htmt"), strict=True):
        assert a["low"] < a["htmt"] < a["high"]
        assert 0.3 < (b["high"] - b["low"]) / (a["high"] - a["low"]) < 0.7


def test_dimensions_of_one_factor_are_said() -> None:
    rng = np.random.default_rng(5)
    f = rng.normal(size=200)
    frame = pd.DataFrame({f"q{i}": f + rng.normal(size=200) for i in range(1, 7)})
    blocks = [
        {"id": f"b{k}", "name": n, "columns": [f"q{3 * k + i}" for i in (1, 2, 3)]} for k, n in ((0, "甲"), (1, "乙"))
    ]
    elements = report(frame, items=blocks)
    assert {row["verdict"] for row in records(elements, "placed")} == {"与别的维度同一因子"}
    assert "区分不开的维度" in said(elements)


def test_a_confirmatory_model_without_solution_leaves_the_rest() -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.normal(size=(80, 4)), columns=list("abcd"))
    blocks = [{"id": "b1", "name": "甲", "columns": ["a", "b"]}, {"id": "loose", "name": None, "columns": ["c", "d"]}]
    elements = report(frame, items=blocks)
    assert "model.unconfirmed" in warnings(elements) and records(elements, "adequacy")
