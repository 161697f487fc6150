from pathlib import Path

import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
Y = list(FRAME.columns[:4])
TRIAL = Trial("hypothesis_test/manova", FRAME, {"y": Y, "factors": ["品种"]}, dict.fromkeys([*Y, "和", "协"], "定量"))


def test_one_outcome_is_refused() -> None:
    assert "因变量" in TRIAL.refused(y=Y[:1]).text


def test_an_outcome_that_is_a_sum_of_others_is_refused_by_name() -> None:
    frame = FRAME.assign(和=FRAME[Y[0]] + FRAME[Y[1]])
    refusal = TRIAL.refused(frame, y=[*Y[:2], "和"])
    assert refusal.code == "data.collinear" and "请删除“和”" in refusal.text


def test_an_outcome_constant_within_groups_is_refused_by_name() -> None:
    frame = FRAME.assign(花萼长=FRAME.品种.map({"setosa": 1.0, "versicolor": 2.0, "virginica": 3.0}))
    assert "“花萼长”在组内没有变异" in TRIAL.refused(frame).text


def test_a_small_group_has_no_box_m_and_pillai_is_read() -> None:
    report = TRIAL.report(pd.concat([FRAME.iloc[:3], FRAME.iloc[50:]]))
    assert "data.few" in warnings(report) and check(report, "协方差齐性")["state"] == "unknown"
    assert {row["criterion"] for row in records(report, "many") if row["read"]} == {"Pillai 迹"}


def test_two_groups_give_hotelling_with_four_equal_tests_and_no_plane() -> None:
    report = TRIAL.report(FRAME.iloc[:100])
    tests = records(report, "many")
    assert np.allclose([row["F"] for row in tests], 625.458321, rtol=1e-7) and records(report, "scores") == []


def test_too_few_cases_are_refused() -> None:
    assert TRIAL.refused(FRAME.iloc[[0, 1, 50, 51, 100, 101]]).code == "data.few"


def test_unit_and_origin_do_not_matter() -> None:
    moved = FRAME.assign(花瓣长=FRAME.花瓣长 * 1e9 + 1e12, 花萼宽=FRAME.花萼宽 * -1e-7)
    a, b = (records(one, "many") for one in (TRIAL.report(), TRIAL.report(moved)))
    assert np.allclose([row["F"] for row in a], [row["F"] for row in b], rtol=1e-5)


def test_an_interaction_comes_before_the_main_effects() -> None:
    rng = np.random.default_rng(1)
    frame = FRAME.assign(协=rng.normal(size=150), 批=np.tile(["甲", "乙"], 75))
    frame.loc[(frame.批 == "甲") & (frame.品种 == "setosa"), Y[0]] += 3
    report = TRIAL.report(frame, factors=["品种", "批"], covariates=["协"])
    assert said(report).startswith("“{t0}”有交互作用") and "不要单独解释有关的主效应" in said(report)
    assert len(records(TRIAL.report(frame, factors=["品种", "批"], interaction=False), "many")) == 8
