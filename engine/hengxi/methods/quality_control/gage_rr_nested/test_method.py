"""Refusals of the nested gage study; what it shares with the crossed one."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
FORM = {"measure": "强度", "part": "批", "operator": "操作者"}
TRIAL = Trial("quality_control/gage_rr_nested", FRAME, FORM, {"强度": "定量"})


def variance(elements: list[dict[str, object]], source: str) -> float:
    return next(float(row["variance"]) for row in records(elements, "components") if row["source"] == source)


def test_a_part_of_two_operators_is_named_and_offers_the_crossed_study() -> None:
    both = FRAME.assign(批=FRAME["批"].where(FRAME.index != 29, "批01"))
    refusal = TRIAL.refused(both)
    assert "部件“批01”出现在多个操作者下" in refusal.text and refusal.faults[0].remedies


def test_single_readings_single_parts_and_one_operator_are_refused() -> None:
    assert "每个部件只有 1 个读数" in TRIAL.refused(FRAME[::2]).text
    assert "每个操作者只有 1 个部件" in TRIAL.refused(FRAME.assign(批=FRAME["操作者"])).text
    assert "只有 1 名操作者" in TRIAL.refused(FRAME[FRAME["操作者"] == "甲"]).text


def test_components_of_a_balanced_study_follow_from_mean_squares() -> None:
    elements = TRIAL.report()
    ms = {row["source"]: row["ms"] for row in records(elements, "anova")}
    assert variance(elements, "重复性") == pytest.approx(ms["重复性"])
    assert variance(elements, "部件间") == pytest.approx((ms["部件（操作者）"] - ms["重复性"]) / 2)


def test_operators_alike_have_a_component_of_zero_that_is_said() -> None:
    level = FRAME.groupby("操作者")["强度"].transform("mean")
    elements = TRIAL.report(FRAME.assign(强度=np.round(FRAME["强度"] - level, 6)))
    assert "data.negative" in warnings(elements) and variance(elements, "再现性") == 0
