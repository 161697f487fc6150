"""Refusals, outliers, the bootstrap interval, groups that are missing."""

import pandas as pd
import pytest

from hengxi.testing import Trial, records

FRAME = pd.DataFrame(
    {"组": list("甲" * 10 + "乙" * 10), "值": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 5, 6, 7, 8, 9, 10, 11, 12, 13, 400]}
)
TRIAL = Trial("hypothesis_test/yuen_test", FRAME, {"group": "组", "variables": ["值"]}, {"值": "定量"})


def test_too_few_after_trimming_and_a_constant_middle_are_refused() -> None:
    few = TRIAL.refused(FRAME.iloc[[0, 1, 2, 10, 11, 12]], trim=0.45)
    assert "截尾后样本不足" in few.text and "每侧截去 1 个" in few.text
    constant = TRIAL.refused(FRAME.assign(值=[1] + [5] * 8 + [9, *range(10)]))
    assert "中间部分取值全部相同" in constant.text and "组“甲”" in constant.text


def test_an_outlier_does_not_move_the_trimmed_mean() -> None:
    usual = records(TRIAL.report(), "result")[0]
    far = records(TRIAL.report(FRAME.assign(值=FRAME["值"].replace(400, 40_000))), "result")[0]
    assert usual["t"] == far["t"] and usual["difference"] == pytest.approx(-4)


def test_the_bootstrap_interval_lies_around_the_difference_and_comes_again() -> None:
    (row,) = records(TRIAL.report(bootstrap_t=True), "result")
    assert row["boot_low"] < row["difference"] < row["boot_high"] and 0 <= row["boot_p"] < 0.2
    assert records(TRIAL.report(bootstrap_t=True), "result") == [row]
    (bounded,) = records(TRIAL.report(bootstrap_t=True, alternative="greater"), "result")
    assert bounded["boot_high"] == "inf" and bounded["boot_p"] > 0.8
    (other,) = records(TRIAL.report(bootstrap_t=True, alternative="less"), "result")
    assert other["boot_low"] == "-inf" and other["boot_p"] == pytest.approx(1 - bounded["boot_p"])


def test_a_group_without_values_leaves_the_others_compared() -> None:
    frame = pd.concat([FRAME, pd.DataFrame({"组": ["丙"] * 3, "值": [None] * 3})])
    elements = TRIAL.report(frame)
    assert records(elements, "omnibus")[0]["k"] == 2 and len(records(elements, "pairs")) == 1
