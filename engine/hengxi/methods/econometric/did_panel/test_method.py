"""Refusals of difference-in-differences, its ways to name the treated, and what must not be done unseen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, said, warnings

HERE = Path(__file__).parent
CITIES, STEPS = pd.read_csv(HERE / "example.csv"), pd.read_csv(HERE / "oracle-steps.csv")
FORM: dict[str, Any] = {
    "y": "产值", "treat": "政策后", "time": {"column": "年份", "frequency": None}, "entity": "城市", "placebo": 0
}  # fmt: skip
TRIAL = Trial("econometric/did_panel", CITIES, FORM, {"年份": "时间", "政策后": "定类", "处理": "定类"})
STAGED = Trial(
    "econometric/did_panel", STEPS,
    {"y": "评分", "treat": "首次", "time": {"column": "月", "frequency": None}, "entity": "店", "placebo": 0},
    {"月": "时间", "首次": "定量", "评分": "定量"},
)  # fmt: skip
report, refused = TRIAL.report, TRIAL.refused


def test_three_ways_to_name_the_treated_give_the_same() -> None:
    since = CITIES.assign(首次=np.where(CITIES["处理"] == 1, 2015, 0))
    found = [
        records(elements, "effects")[0]["effect"]
        for elements in (
            report(), report(treat="处理", policy_time="2015"), report(since, {"首次": "定量"}, treat="首次")
        )
    ]  # fmt: skip
    assert found[1:] == pytest.approx([found[0]] * 2, rel=1e-12)


@pytest.mark.parametrize(
    ("change", "form", "code", "words"),
    [
        ({"政策后": CITIES["年份"] >= 2015}, {}, "data.no_control", "所有个体都被处理，缺少对照组"),
        ({"政策后": 0}, {}, "data.no_control", "缺少对照组"),
        ({}, {"treat": "处理"}, "data.policy_time", "请填政策从哪一期开始"),
        ({}, {"treat": "处理", "policy_time": "2010"}, "data.no_before", "处理组没有政策前观测"),
        ({}, {"treat": "处理", "policy_time": "2055"}, "moment.outside", "不在数据的时间里"),
        (
            {"政策后": CITIES["政策后"].where(CITIES["年份"] != 2018, 0)},
            {},
            "data.reversal",
            "在处理后又变为未处理",
        ),
        ({"年份": 2015}, {"entity": None, "treat": "处理"}, "role.constant", "年份"),
        ({"产值": 3.0}, {}, "data.constant", "没有变化"),
        ({}, {"entity": None, "design": "twfe", "treat": "处理", "policy_time": "2015"}, "data.units", "请放入个体"),
    ],
)
def test_data_without_a_comparison_are_refused_by_name(
    change: dict[str, Any], form: dict[str, Any], code: str, words: str
) -> None:
    frame = CITIES.assign(**{key: value * 1 if key == "政策后" else value for key, value in change.items()})
    refusal = refused(frame, **form)
    assert refusal.code == code and words in refusal.text


def test_a_unit_measured_twice_in_a_period_is_refused() -> None:
    assert refused(pd.concat([CITIES, CITIES.tail(1)])).code == "timeline.duplicate"


def test_adoption_at_several_times_never_falls_to_two_way_effects_unseen() -> None:
    elements = STAGED.report()
    assert check(elements, "处理时点")["state"] == "pass"
    assert "对照用" in records(elements, "effects")[1]["model"]
    asked = STAGED.report(design="twfe")
    assert check(asked, "处理时点")["state"] == "care" and "系数可能有偏" in said(asked)
    assert STAGED.refused(design="classic").code == "data.staggered"
    parts = records(elements, "bacon_table")
    assert sum(row["weight"] for row in parts[:-1]) == pytest.approx(1)


def test_without_units_never_treated_those_not_yet_treated_are_compared() -> None:
    elements = STAGED.report(STEPS[STEPS["首次"] > 0])
    assert "对照是尚未处理的个体" in said(elements)
    late = [row for row in records(elements, "group_times") if row["cohort"] == "7" and row["period"] in ("7", "8")]
    assert late == []


def test_units_treated_from_the_start_are_left_out_and_counted() -> None:
    always = STEPS.assign(首次=STEPS["首次"].replace(5, 1))
    assert "data.always_treated" in warnings(STAGED.report(always))


def test_trends_that_differ_before_come_first_in_the_conclusion() -> None:
    drift = CITIES.assign(产值=CITIES["产值"] + CITIES["处理"] * (CITIES["年份"] - 2010) * 2)
    elements = report(drift)
    assert elements[0]["text"].startswith("处理前两组的趋势已经不同") and check(elements, "平行趋势")["state"] == "fail"


def test_a_control_that_does_not_vary_in_time_is_named_and_left_out() -> None:
    frame = CITIES.assign(沿海=np.where(CITIES["城市"].str.len() > 2, 1.5, 0.5))
    elements = report(frame, x=["沿海", "人口"])
    assert "data.absorbed" in warnings(elements) and "“沿海”" in said(elements) + str(elements)


def test_chance_placebos_centre_on_zero_and_bootstrap_agrees_with_clusters() -> None:
    elements = report(placebo=400)
    row, effect = records(elements, "placebo_table")[0], records(elements, "effects")[0]
    assert abs(row["mean"]) < 0.15 and 0.5 * effect["se"] < row["sd"] < 2 * effect["se"] and row["p"] < 0.01
    boot = records(report(se="bootstrap"), "effects")[0]
    assert boot["se"] == pytest.approx(effect["se"], rel=0.15)
    staged = records(STAGED.report(placebo=100), "placebo_table")[0]
    assert abs(staged["mean"]) < 0.1


def test_few_clusters_are_told() -> None:
    few = CITIES[CITIES["城市"].isin(["城1", "城2", "城3", "城31", "城32", "城33"])]
    assert check(report(few), "聚类数")["state"] == "care"
