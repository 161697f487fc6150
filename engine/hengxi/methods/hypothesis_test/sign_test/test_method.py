"""Refusals, zeros, pairs beside single variables."""

from pathlib import Path

import pandas as pd
import pytest

from hengxi.testing import Trial, records

MAIZE = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = {"异花授粉": "定量", "自花授粉": "定量"}
TRIAL = Trial("hypothesis_test/sign_test", MAIZE, {"variable": ["异花授粉"], "pair": ["自花授粉"]}, KINDS)


def test_differences_that_are_all_zero_are_refused() -> None:
    assert "所有差值为0，符号检验无法进行" in TRIAL.refused(MAIZE.assign(自花授粉=MAIZE["异花授粉"])).text


def test_another_number_of_partners_is_refused() -> None:
    assert "变量个数必须相同" in TRIAL.refused(variable=["异花授粉", "自花授粉"]).text


def test_a_pair_is_the_difference_against_the_test_value() -> None:
    difference = pd.DataFrame({"异花授粉": MAIZE["异花授粉"] - MAIZE["自花授粉"]})
    (paired,) = records(TRIAL.report(test_value=20), "result")
    (single,) = records(TRIAL.report(difference, pair=[], test_value=20), "result")
    assert {**paired, "variable": None} == {**single, "variable": None}


def test_frequencies_stand_for_repeated_rows() -> None:
    (row,) = records(TRIAL.report(MAIZE.assign(次数=[1, 2, 3] * 5), weight="次数"), "result")
    (whole,) = records(TRIAL.report(MAIZE.loc[MAIZE.index.repeat([1, 2, 3] * 5)]), "result")
    assert row["S"] == whole["S"] and row["p"] == pytest.approx(whole["p"], rel=1e-12)
