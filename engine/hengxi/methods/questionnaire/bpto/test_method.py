"""What is particular to the brand-price trade-off: names of brands, prices that never move, refusals."""

from pathlib import Path

import pandas as pd

from hengxi.testing import Trial, records

FRAME = pd.read_csv(Path(__file__).parent / "oracle-odd.csv")
FORM = {"respondent": "人", "step": "轮", "prices": ["甲", "乙"], "choice": "选", "outside": False}
KINDS = {"人": "定类", "轮": "定量", "甲": "定量", "乙": "定量", "选": "定类"}
TRIAL = Trial("questionnaire/bpto", FRAME, FORM, KINDS)


def test_a_chosen_brand_without_a_price_is_named_by_its_row() -> None:
    frame = FRAME.astype({"甲": float})
    frame.loc[0, "甲"] = None
    assert "第 1 行所选品牌没有价格" in TRIAL.refused(frame).text


def test_a_price_that_never_moves_is_refused() -> None:
    assert "品牌“甲”价格始终不变" in TRIAL.refused(FRAME.assign(甲=9)).text


def test_an_unknown_brand_is_refused_or_counts_as_none() -> None:
    frame = FRAME.assign(选=["丁", *FRAME["选"].map({1: "甲", 2: "乙"})[1:]])
    assert "“丁”不是价格列里的品牌" in TRIAL.refused(frame).text
    assert records(TRIAL.report(frame, outside=True, model="count"), "shares")[-1]["chosen"] == 1


def test_names_that_never_match_are_refused() -> None:
    assert "对不上" in TRIAL.refused(FRAME.assign(选=FRAME["选"].map({1: "x", 2: "y"}))).text


def test_a_scenario_of_another_length_is_refused() -> None:
    assert "模拟价格有 1 个" in TRIAL.refused(scenario=[9]).text


def test_a_brand_always_chosen_has_no_estimate() -> None:
    frame = FRAME.assign(选=["甲"] * 35 + ["乙"], 甲=[8, 9] * 18, 乙=[9, 8] * 17 + [9, 1])
    assert "没有有限的估计" in TRIAL.refused(frame).text


def test_one_person_has_no_cluster() -> None:
    assert "至少要 2 位受访者" in TRIAL.refused(FRAME.assign(人=1)).text


def test_one_brand_at_a_time_is_no_choice() -> None:
    frame = FRAME.assign(
        甲=[8.0 if x == 1 else None for x in FRAME["选"]], 乙=[8.0 if x == 2 else None for x in FRAME["选"]]
    )
    assert "没有一轮有两个以上" in TRIAL.refused(frame, model="count").text
