"""Refusals of two methods, scales, repeats."""

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records

FRAME = pd.DataFrame(
    {"甲": [10.0, 12, 15, 11, 18, 20], "乙": [11.0, 12, 14, 12, 17, 22], "人": ["a", "a", "b", "b", "c", "c"]}
)
TRIAL = Trial("medical/bland_altman", FRAME, {"a": "甲", "b": "乙"}, {"甲": "定量", "乙": "定量", "人": "定类"})


def test_equal_columns_say_that_a_column_was_chosen_twice() -> None:
    assert "的数据完全相同" in TRIAL.refused(FRAME.assign(乙=FRAME["甲"])).text


def test_scales_want_what_they_can_compute() -> None:
    refused = TRIAL.refused(FRAME.assign(乙=[0.0, *FRAME["乙"][1:]]), scale="ratio")
    assert "比值尺度要求测量值为正：“乙”里有 0" in refused.text
    assert "均值为 0" in TRIAL.refused(FRAME.assign(甲=[-11.0, *FRAME["甲"][1:]]), scale="percent").text
    assert "须大于 1" in TRIAL.refused(scale="ratio", limit=0.9).text


def test_subjects_come_more_than_once() -> None:
    assert "没有重复测量" in TRIAL.refused(FRAME.assign(人=list("abcdef")), subject="人").text
    assert "只有一个个体" in TRIAL.refused(FRAME.assign(人="a"), subject="人").text


def test_exchanging_the_methods_turns_the_limits() -> None:
    def limits(a: str, b: str) -> list[float]:
        return [row["value"] for row in records(TRIAL.report(a=a, b=b), "result")[:3]]

    here, there = limits("甲", "乙"), limits("乙", "甲")
    assert there == pytest.approx([-here[0], -here[2], -here[1]])


def test_numbered_subjects_are_subjects_too() -> None:
    frame = FRAME.assign(人=[1, 1, 2, 2, 3, 3])
    named = records(TRIAL.report(subject="人"), "result")
    numbered = records(TRIAL.report(frame, {"人": "定量"}, subject="人"), "result")
    assert [row["value"] for row in named] == [row["value"] for row in numbered]


def test_long_tables_draw_some_points() -> None:
    rng = np.random.default_rng(2)
    a = rng.normal(50, 5, 5000)
    frame = pd.DataFrame({"甲": a, "乙": a + rng.normal(0, 1, 5000), "人": "a"})
    assert len(records(TRIAL.report(frame), "points")) == 900
