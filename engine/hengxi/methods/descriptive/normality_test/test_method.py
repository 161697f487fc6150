"""What is particular to tests of normality: few and many cases, ties, groups that cannot be tested."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.stats.goodness import OfNormal, kolmogorov_p
from hengxi.stats.moments import moments
from hengxi.testing import Trial, check, element, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
TRIAL = Trial("descriptive/normality_test", FRAME, {"variables": ["速度"]}, {"速度": "定量"})
report, refused = TRIAL.report, TRIAL.refused


def test_fewer_than_three_values_are_refused_with_the_number() -> None:
    frame = pd.DataFrame({"速度": [1.0, 2.0, None, None]})
    refusal = refused(frame)
    assert refusal.code in ("data.few", "data.rows_few") or "2" in refusal.text
    frame = pd.DataFrame({"速度": [1.0, 2.0, 3.0, 4.0, 5.0], "组": ["甲", "甲", "乙", "乙", "丙"]})
    assert "有效样本仅 2 个" in refused(frame, {"速度": "定量", "组": "定类"}, group="组").text


def test_tests_that_need_eight_cases_say_so() -> None:
    refusal = refused(FRAME.iloc[:6], tests=["ad"])
    assert refusal.code == "data.few" and refusal.faults[0].remedies


def test_equal_values_are_refused() -> None:
    assert "没有变异" in refused(FRAME.assign(速度=3.0)).text


def test_one_group_that_cannot_be_tested_is_left_out_by_name() -> None:
    frame = FRAME.assign(速度=np.where(FRAME["试验组"] == "第2组", 800, FRAME["速度"]))
    elements = report(frame, group="试验组")
    assert warnings(elements) == ["data.dropped_group"]
    assert "第2组" not in {row["group"] for row in records(elements, "result")}


def test_above_five_thousand_lilliefors_is_read() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"速度": rng.normal(size=5001)})
    elements = report(frame, tests=["shapiro", "jb"])
    rows = {row["test"]: row for row in records(elements, "result")}
    assert "Shapiro-Wilk" not in rows and rows["K-S（Lilliefors 校正）"]["read"] == "采用"
    assert "样本量大于5000" in said(elements)
    assert len(element(elements, "quantiles")["rows"]) == 500


def test_five_answers_are_too_coarse() -> None:
    frame = pd.DataFrame({"速度": [1, 2, 3, 4, 5] * 12})
    assert check(report(frame), "取值的精细程度")["state"] == "care"


def test_repeated_values_count_as_frequencies() -> None:
    frame = FRAME.assign(次数=np.arange(100) % 4)
    long = FRAME.loc[np.repeat(FRAME.index, frame["次数"])]
    every = ["shapiro", "lilliefors", "ks", "ad", "jb", "dagostino", "cvm"]
    form: dict[str, Any] = {"tests": every, "mean": 850.0, "sd": 80.0}
    a = records(TRIAL.report(frame, weight="次数", **form), "result")
    b = records(TRIAL.report(long, **form), "result")
    for one, other in zip(a, b, strict=True):
        assert one["statistic"] == pytest.approx(other["statistic"], rel=1e-10)
        assert one["p"] == pytest.approx(other["p"], rel=1e-8)


def test_p_falls_with_the_distance_and_stays_a_probability() -> None:
    assert kolmogorov_p(0.0, 50, False) == 1
    x = np.concatenate([np.zeros(400), np.array([1e6])]) + np.random.default_rng(2).normal(size=401)
    sample = OfNormal(x, None, moments(x))
    for test in (sample.anderson(), sample.cramer(), sample.dagostino(), sample.lilliefors()):
        assert test is not None and 0 <= test.p < 1e-6
