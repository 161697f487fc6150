"""Refusals of Poisson regression, what the report says of the spread of the counts, and what must not change it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, said

VISITS = pd.read_csv(Path(__file__).parent / "example.csv")
BREAKS = pd.read_csv(Path(__file__).parent / "oracle-warpbreaks.csv")
FORM = {"y": "就诊次数", "x": ["年龄", "慢病", "医保"], "exposure": "观察月数"}
TRIAL = Trial("statistical/poisson_regression", VISITS, FORM, {"就诊次数": "定量"})
report, refused = TRIAL.report, TRIAL.refused


@pytest.mark.parametrize(("value", "word"), [(-1, "−1"), (2.5, "2.5")])
def test_what_is_no_count_is_refused_by_row(value: float, word: str) -> None:
    counts = VISITS["就诊次数"].astype(float).where(VISITS.index != 6, value)
    refusal = refused(VISITS.assign(就诊次数=counts))
    assert refusal.code == "data.count" and f"“就诊次数”第 7 行为 {word}" in refusal.text


def test_an_exposure_of_zero_is_refused_by_row() -> None:
    refusal = refused(VISITS.assign(观察月数=VISITS["观察月数"].where(VISITS.index != 2, 0)), {"观察月数": "定量"})
    assert refusal.code == "data.exposure" and "暴露量必须为正，“观察月数”第 3 行为 0" in refusal.text


def test_a_level_without_events_is_refused_by_name() -> None:
    none = VISITS.assign(就诊次数=VISITS["就诊次数"].where(VISITS["医保"] != "无", 0))
    refusal = refused(none)
    assert refusal.code == "data.separation" and "“医保”为“无”的行，“就诊次数”全是 0" in refusal.text


def test_a_wide_spread_is_told_before_any_number_and_has_a_way_out() -> None:
    trial = Trial("statistical/poisson_regression", BREAKS, {"y": "断头数", "x": ["羊毛", "张力"]}, {"断头数": "定量"})
    classic = trial.report()
    found = check(classic, "过离散")
    assert found["state"] == "care" and len(found["remedies"]) == 2
    assert "这里的 *p* 值和区间偏乐观" in classic[0]["text"]
    robust = trial.report(se_type="robust")
    assert "偏乐观" not in robust[0]["text"] and check(robust, "过离散")["remedies"] == []


def test_twice_the_exposure_halves_the_rate_and_changes_nothing_else() -> None:
    once, twice = report(), report(VISITS.assign(观察月数=2 * VISITS["观察月数"]), {"观察月数": "定量"})
    a, b = records(once, "coefficients"), records(twice, "coefficients")
    assert b[0]["irr"] == pytest.approx(a[0]["irr"] / 2, rel=1e-12)
    assert [row["b"] for row in b[1:]] == pytest.approx([row["b"] for row in a[1:]], rel=1e-10)


def test_many_zeros_are_told() -> None:
    rng = np.random.default_rng(3)
    counts = np.where(rng.random(200) < 0.5, 0, rng.poisson(4, 200))
    frame = pd.DataFrame({"次数": counts, "组": rng.normal(size=200)})
    trial = Trial("statistical/poisson_regression", frame, {"y": "次数", "x": ["组"]}, {"次数": "定量"})
    elements = trial.report()
    assert check(elements, "零的个数")["state"] == "care"
    assert "没有发现“{x}”与“{y}”有明显的关系" in elements[0]["text"]
    assert "不显著”不等于没有关系" in said(elements)


def test_large_counts_are_put_into_classes() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=300)
    frame = pd.DataFrame({"人数": rng.poisson(np.exp(6 + 0.1 * x)), "温度": x})
    trial = Trial("statistical/poisson_regression", frame, {"y": "人数", "x": ["温度"]}, {"人数": "定量"})
    rows = records(trial.report(), "frequencies")
    assert len(rows) <= 40 and "–" in rows[0]["count"]
    assert sum(row["expected"] for row in rows) == pytest.approx(300, abs=2)
