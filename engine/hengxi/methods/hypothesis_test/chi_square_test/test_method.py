import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records, said, warnings

FRAME = pd.DataFrame(
    {"组": ["甲"] * 30 + ["乙"] * 30, "结果": (["好"] * 20 + ["差"] * 10) + (["好"] * 8 + ["差"] * 22)}
)
TRIAL = Trial("hypothesis_test/chi_square_test", FRAME, {"x": "组", "y": ["结果"]})


def test_one_group_alone_is_refused() -> None:
    assert "组" in TRIAL.refused(FRAME.assign(组="甲")).text


def test_a_variable_of_one_category_is_left_out_and_named() -> None:
    report = TRIAL.report(FRAME.assign(同="是"), y=["结果", "同"], measures={"同": "定类"})
    assert warnings(report) == ["role.levels"]
    assert "“同”只有一个类别" in TRIAL.refused(FRAME.assign(同="是"), y=["同"], measures={"同": "定类"}).text


def test_hundreds_of_values_ask_for_bins() -> None:
    frame = pd.DataFrame({"组": ["甲", "乙"] * 200, "值": np.arange(400.0)})
    refusal = TRIAL.refused(frame, y=["值"], measures={"值": "定类"})
    assert "“值”有 400 个取值" in refusal.text and refusal.faults[0].remedies


def test_a_large_sparse_table_is_drawn_at_random_and_says_so() -> None:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"组": rng.integers(0, 9, 90).astype(str), "结果": rng.integers(0, 9, 90).astype(str)})
    report = TRIAL.report(frame, mc_resamples=999)
    (read,) = [row for row in records(report, "tests") if row["read"]]
    assert "蒙特卡洛 999 次" in read["test"] and read["low"] <= read["p"] <= read["high"]
    assert "已改用蒙特卡洛精确" in check(report, "期望频数")["text"]


def test_the_correction_is_for_two_by_two_and_a_sparse_table_offers_fisher() -> None:
    frame = pd.DataFrame({"组": ["甲", "乙", "丙"] * 4, "结果": ["好", "差"] * 6})
    report = TRIAL.report(frame, method="yates")
    assert "连续校正只用于 2×2 表" in said(report)
    found = check(report, "期望频数")
    assert found["state"] == "fail" and found["remedies"][0]["method"] == "hypothesis_test/fisher_exact_test"


def test_a_category_of_no_weight_is_left_out_and_named() -> None:
    frame = pd.DataFrame(
        {"组": ["甲", "乙", "甲", "乙", "甲"], "结果": ["好", "好", "差", "差", "中"], "数": [9, 4, 8, 7, 0]}
    )
    assert warnings(TRIAL.report(frame, weight="数")) == ["data.empty_level"]


def test_the_same_numbers_as_the_test_of_association() -> None:
    other = Trial("descriptive/chi_square", FRAME, {"x": "组", "y": ["结果"]}).report()
    for name in ("tests", "effects", "cells"):
        assert records(other, name) == records(TRIAL.report(), name)
