"""Refusals about σ; one value is enough."""

from pathlib import Path

import pandas as pd

from hengxi.testing import Trial, check, records

LIGHT = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = {"速度": "定量", "试验组": "定类"}
FORM = {"variables": ["速度"], "test_value": 734.5, "sigma": [80]}
TRIAL = Trial("hypothesis_test/z_test", LIGHT, FORM, KINDS)


def test_sigma_must_be_there_positive_and_one_a_sample() -> None:
    assert any(fault.field == "sigma" for fault in TRIAL.refused(sigma=[]).faults)
    assert any(fault.field == "sigma" for fault in TRIAL.refused(sigma=[0]).faults)
    refusal = TRIAL.refused(group="试验组", groups=[1, 2])
    assert "双样本Z检验需要两个总体标准差" in refusal.text
    assert "只需要一个" in TRIAL.refused(sigma=[80, 70]).text


def test_three_groups_are_refused() -> None:
    assert "双样本Z检验需要恰好两组，当前为 5 组" in TRIAL.refused(group="试验组", sigma=[80, 80]).text


def test_one_value_is_enough() -> None:
    report = TRIAL.report(LIGHT.head(1))
    (row,) = records(report, "result")
    assert row["z"] == (850 - 734.5) / 80 and check(report, "总体标准差")["state"] == "unknown"
