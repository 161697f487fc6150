"""Refusals about parameters and values; frequencies."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records

LIGHT = pd.read_csv(Path(__file__).parent / "example.csv")
TRIAL = Trial("hypothesis_test/ks_one_sample", LIGHT, {"variables": ["速度"]}, {"速度": "定量"})


def test_parameters_must_be_as_many_as_the_distribution_has() -> None:
    refusal = TRIAL.refused(parameters="given", param_values=[800])
    assert "正态分布需要 2 个参数（均值、标准差）" in refusal.text
    assert "参数不合适" in TRIAL.refused(parameters="given", param_values=[800, 0]).text
    assert "参数不合适" in TRIAL.refused(distribution="uniform", parameters="given", param_values=[9, 1]).text


def test_values_a_distribution_cannot_have_are_refused() -> None:
    assert "泊松分布要求非负整数" in TRIAL.refused(LIGHT / 7, distribution="poisson").text
    assert "指数分布要求非负数" in TRIAL.refused(LIGHT - 900, distribution="expon").text
    assert "没有变异" in TRIAL.refused(LIGHT.assign(速度=5)).text


def test_a_drawn_p_comes_again_and_is_small_where_the_fit_is_bad() -> None:
    frame = pd.DataFrame({"速度": np.r_[np.zeros(30), np.arange(1.0, 31)]})
    (row,) = records(TRIAL.report(frame, distribution="expon"), "result")
    assert row["p"] < 0.01 and "模拟 2000 个样本" in row["how"]
    assert records(TRIAL.report(frame, distribution="expon"), "result") == [row]


def test_frequencies_stand_for_repeated_rows() -> None:
    counted = LIGHT.groupby("速度").size().rename("次数").reset_index()
    (row,) = records(TRIAL.report(counted, weight="次数"), "result")
    (whole,) = records(TRIAL.report(), "result")
    assert row["D"] == pytest.approx(whole["D"], rel=1e-12) and row["n"] == 100
