from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
CELLS = ["前测", "后测", "随访"]


def wide(cells: list[str]) -> dict[str, Any]:
    return {"layout": "wide", "factors": [{"name": "时间", "levels": cells}], "cells": cells}


MEASURES = {
    **dict.fromkeys(CELLS, "定量"),
    "组别": "定类",
    "编号": "定类",
    "分": "定量",
    "时间": "定类",
    "年龄": "定量",
}
TRIAL = Trial("hypothesis_test/mixed_anova", FRAME, {"measures": wide(CELLS), "between": ["组别"]}, MEASURES)


def long() -> pd.DataFrame:
    return FRAME.melt(id_vars=["编号", "组别"], value_vars=CELLS, var_name="时间", value_name="分")


LONG = {"layout": "long", "subject": "编号", "factors": ["时间"], "value": "分"}


def test_long_and_wide_tell_the_same() -> None:
    a = TRIAL.report()
    other = Trial("hypothesis_test/mixed_anova", long(), {"measures": LONG, "between": ["组别"]}, MEASURES).report()
    for one, two in zip(records(a, "inner"), records(other, "inner"), strict=True):
        assert one["F"] is None or np.isclose(one["F"], two["F"], rtol=1e-10)


def test_a_single_group_is_refused_with_the_way_out() -> None:
    refusal = TRIAL.refused(FRAME.assign(组别="甲"))
    assert "组间因素" in refusal.text and "组别" in refusal.text


def test_a_group_of_one_is_refused_by_name() -> None:
    frame = FRAME.copy()
    frame.loc[0, "组别"] = "独"
    assert "组“独”人数不足" in TRIAL.refused(frame).text


def test_a_subject_measured_twice_is_refused_by_name() -> None:
    twice = pd.concat([long(), long().head(1)])
    refusal = Trial("hypothesis_test/mixed_anova", twice, {"measures": LONG, "between": ["组别"]}, MEASURES).refused()
    assert "个体“1”在“前测”有 2 条记录" in refusal.text


def test_a_group_that_changes_within_a_subject_is_refused() -> None:
    frame = long()
    frame.loc[frame.index[-1], "组别"] = "训练组"
    refusal = Trial("hypothesis_test/mixed_anova", frame, {"measures": LONG, "between": ["组别"]}, MEASURES).refused()
    assert refusal.code == "data.varies" and "“组别”在个体“60”" in refusal.text


def test_a_gap_drops_the_subject_and_is_said() -> None:
    frame = FRAME.astype({"后测": float})
    frame.loc[[3, 40], "后测"] = None
    report = TRIAL.report(frame)
    assert "data.incomplete" in warnings(report) and check(report, "各组人数")["facts"]["least"] == 29


def test_two_levels_need_no_sphericity() -> None:
    two = Trial("hypothesis_test/mixed_anova", FRAME, {"measures": wide(CELLS[:2]), "between": ["组别"]}, MEASURES)
    report = two.report()
    assert records(report, "spheres") == [] and check(report, "球形性")["state"] == "pass"
    assert {row["correction"] for row in records(report, "inner")} == {"球形假设"}


def test_differences_without_spread_are_refused() -> None:
    assert TRIAL.refused(FRAME.assign(后测=FRAME.前测 + 1, 随访=FRAME.前测 + 2)).code == "data.constant"


def test_sphericity_not_corrected_is_a_failure_with_a_remedy() -> None:
    frame = FRAME.assign(随访=FRAME.前测 + np.tile([-40, 40, 0, 30, -30], 12))
    report = TRIAL.report(frame, correction="none")
    assert check(report, "球形性")["state"] == "fail" and check(report, "球形性")["remedies"]
    read = [row for row in records(TRIAL.report(frame), "inner") if row["read"]]
    assert {row["correction"] for row in read} == {"Greenhouse-Geisser"}


@pytest.mark.parametrize("far", [1e9, -1e12])
def test_a_shift_changes_no_test(far: float) -> None:
    moved = FRAME.assign(**{cell: FRAME[cell] + far for cell in CELLS})
    for one, two in zip(records(TRIAL.report(), "inner"), records(TRIAL.report(moved), "inner"), strict=True):
        assert one["F"] is None or np.isclose(one["F"], two["F"], rtol=1e-9)


def test_the_lead_of_an_interaction_reads_no_main_effect() -> None:
    words = said(TRIAL.report())
    assert words.startswith("“{j2_0}”与“{j2_1}”有交互作用") and "各水平的平均值差异" not in words.split("\n")[0]
