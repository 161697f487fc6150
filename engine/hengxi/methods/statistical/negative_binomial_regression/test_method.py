"""Refusals of negative binomial regression, and how its two variances agree with each other and with Poisson's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, said

VISITS = pd.read_csv(Path(__file__).parent / "example.csv")
FORM = {"y": "就诊次数", "x": ["年龄", "慢病", "医保"], "exposure": "观察月数"}
TRIAL = Trial("statistical/negative_binomial_regression", VISITS, FORM, {"就诊次数": "定量"})
report, refused = TRIAL.report, TRIAL.refused


@pytest.mark.parametrize("kind", ["nb2", "nb1"])
def test_counts_that_do_not_spread_are_sent_to_poisson(kind: str) -> None:
    even = VISITS.assign(就诊次数=np.tile([2, 3, 2, 3, 3], 50))
    refusal = refused(even, exposure=None, type=kind)
    assert refusal.code == "data.even" and "没有过离散（方差不大于均值），离散参数 α 的估计趋于 0" in refusal.text
    assert [remedy.title for remedy in refusal.faults[0].remedies] == ["改用泊松回归"]


def test_what_is_no_count_is_refused() -> None:
    refusal = refused(VISITS.assign(就诊次数=VISITS["就诊次数"] + 0.5))
    assert refusal.code == "data.count" and "计数因变量须为非负整数" in refusal.text


@pytest.mark.parametrize("kind", ["nb2", "nb1"])
def test_the_gain_over_poisson_is_told_with_the_variance_chosen(kind: str) -> None:
    elements = report(type=kind)
    found = check(elements, "过离散")
    assert found["state"] == "pass" and "用负二项是对的" in found["text"]
    against = records(elements, "against")[0]
    assert against["chi2"] == pytest.approx(2 * (against["ll"] - against["poisson"]), rel=1e-12)
    assert ("偏差" in said(elements)) is False
    assert (records(elements, "summary")[0]["deviance"] is None) == (kind == "nb1")


@pytest.mark.parametrize("kind", ["nb2", "nb1"])
def test_expected_frequencies_add_up(kind: str) -> None:
    rows = records(report(type=kind), "frequencies")
    assert sum(row["observed"] for row in rows) == 250
    assert sum(row["expected"] for row in rows) == pytest.approx(250, abs=3)


def test_a_weak_spread_is_said_to_need_no_negative_binomial() -> None:
    rng = np.random.default_rng(12)
    frame = pd.DataFrame({"次数": rng.negative_binomial(60, 60 / 63, 150), "温度": rng.normal(size=150)})
    trial = Trial("statistical/negative_binomial_regression", frame, {"y": "次数", "x": ["温度"]}, {"次数": "定量"})
    elements = trial.report()
    assert "泊松回归就够了" in check(elements, "过离散")["text"]
    assert "没有发现" in elements[0]["text"]
