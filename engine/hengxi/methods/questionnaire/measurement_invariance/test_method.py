"""Branches and refusals of measurement invariance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal
from hengxi.testing import Elements, Trial, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
FACTORS = [
    {"id": "b1", "name": "空间", "columns": ["x1", "x2", "x3"]},
    {"id": "b2", "name": "文字", "columns": ["x4", "x5", "x6"]},
]
TRIAL = Trial("questionnaire/measurement_invariance", FRAME, {"factors": FACTORS, "group": "school"})
KINDS = {**{f"x{i}": "定量" for i in range(1, 10)}, "school": "定类"}


def report(frame: pd.DataFrame = FRAME, **form: Any) -> Elements:
    return TRIAL.report(frame, KINDS, **form)


def refused(frame: pd.DataFrame = FRAME, **form: Any) -> Refusal:
    return TRIAL.refused(frame, KINDS, **form)


def test_one_group_and_eleven_groups_are_refused() -> None:
    assert refused(FRAME.assign(school="甲")).code == "role.levels"
    assert refused(FRAME.assign(school=np.arange(len(FRAME)) % 11)).code == "role.levels"


def test_an_item_constant_in_a_group_is_refused_by_both_names() -> None:
    frame = FRAME.copy()
    frame.loc[frame["school"] == "Pasteur", "x2"] = 5
    text = refused(frame).text
    assert "在组“Pasteur”中题项“x2”为常数，无法估计" in text


def test_a_group_smaller_than_the_items_is_refused_by_name() -> None:
    few = pd.concat([FRAME[FRAME["school"] == "Pasteur"], FRAME[FRAME["school"] != "Pasteur"].head(5)])
    assert "“Grant-White”组：" in refused(few).text


def test_copies_of_one_group_are_strictly_invariant() -> None:
    one = FRAME[FRAME["school"] == "Pasteur"]
    twins = pd.concat([one, one.assign(school="另一组")], ignore_index=True)
    rows = records(report(twins), "compared")
    assert all(abs(row["dchi2"]) < 1e-6 for row in rows[1:])
    assert all(row["b"] == pytest.approx(0, abs=1e-7) for row in records(report(twins), "means"))
    assert "达到严格等值" in said(report(twins))


def test_a_shifted_item_breaks_the_scalar_level_and_heads_the_list() -> None:
    one = FRAME[FRAME["school"] == "Pasteur"]
    shifted = pd.concat([one, one.assign(school="另一组", x5=one["x5"] + 1)], ignore_index=True)
    elements = report(shifted)
    assert records(elements, "releases")[0]["parameter"] == "“x5”的截距"
    again = report(shifted, partial=[{"for": "x5", "intercept": True}])
    assert "达到严格等值" in said(again)


def test_the_marker_item_cannot_be_released() -> None:
    assert "model.marker" in warnings(report(partial=[{"for": "x1", "loading": True}]))


def test_units_of_an_item_do_not_matter_to_the_fit() -> None:
    for a, b in zip(
        records(report(), "compared"), records(report(FRAME.assign(x2=FRAME["x2"] * 1000)), "compared"), strict=True
    ):
        assert a["chi2"] == pytest.approx(b["chi2"], rel=1e-7)
