"""Refusals of the one-sample t test, its bootstrap, and several variables at once."""

from pathlib import Path

import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, said

LIGHT = pd.read_csv(Path(__file__).parent / "example.csv")
TRIAL = Trial(
    "hypothesis_test/single_sample_t_test", LIGHT, {"variables": ["速度"], "test_value": 734.5}, {"速度": "定量"}
)


def test_a_variable_that_does_not_vary_is_refused() -> None:
    refusal = TRIAL.refused(LIGHT.assign(速度=5))
    assert refusal.code == "data.constant" and "“速度”没有变异" in refusal.text and "t检验无法进行" in refusal.text


def test_one_case_is_refused() -> None:
    assert "2" in TRIAL.refused(LIGHT.head(1)).text


def test_two_cases_are_enough() -> None:
    (row,) = records(TRIAL.report(LIGHT.head(2)), "result")
    assert row["df"] == 1 and row["n"] == 2


def test_the_bootstrap_interval_lies_around_the_difference_and_comes_again() -> None:
    (row,) = records(TRIAL.report(bootstrap=True), "result")
    assert (
        row["boot_low"] == pytest.approx(row["low"], rel=0.02)
        and row["boot_low"] < row["difference"] < row["boot_high"]
    )
    assert records(TRIAL.report(bootstrap=True), "result") == [row]
    (bounded,) = records(TRIAL.report(bootstrap=True, alternative="greater"), "result")
    assert bounded["boot_high"] == "inf"


def test_frequencies_stand_for_repeated_rows() -> None:
    counted = LIGHT.groupby("速度").size().rename("次数").reset_index()
    (row,) = records(TRIAL.report(counted, weight="次数"), "result")
    (whole,) = records(TRIAL.report(), "result")
    assert row["t"] == pytest.approx(whole["t"], rel=1e-12) and row["n"] == 100


def test_many_variables_are_told_together_with_corrected_p() -> None:
    frame = pd.DataFrame({f"题{i}": LIGHT["速度"] + 10 * i for i in range(8)})
    report = TRIAL.report(frame, dict.fromkeys(frame, "定量"), variables=list(frame), test_value=852)
    assert len(records(report, "result")) == 8
    assert "检验了 {m:integer} 个变量" in said(report) and check(report, "多个变量")["state"] in ("pass", "care")
