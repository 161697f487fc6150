"""Refusals; plans are rotatable or orthogonal as promised; what the surface is is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hengxi.families.design.quadratic import box_behnken, composite
from hengxi.testing import Trial, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
NAMES = ["温度", "时间", "液料比"]
KINDS = dict.fromkeys([*NAMES, "得率"], "定量")
TRIAL = Trial("quality_control/response_surface", FRAME, {"response": ["得率"], "factors": NAMES}, KINDS)
PLAN = Trial("quality_control/response_surface", None, {"task": "create"})


def test_one_factor_is_refused() -> None:
    assert "响应面至少需要 2 个因子" in TRIAL.refused(factors=["温度"]).text
    assert "响应面至少需要 2 个因子" in PLAN.refused(names=[{"id": "r1", "name": "温", "low": 1, "high": 2}]).text


def test_too_few_runs_are_refused_with_both_numbers() -> None:
    assert "观测 8 少于二次模型参数 10 个" in TRIAL.refused(FRAME[6:14]).text


def test_two_levels_are_refused() -> None:
    two = FRAME.assign(温度=np.where(np.arange(20) % 2 == 0, 55, 65))
    assert "因子“温度”只有 2 个水平，无法估计平方项" in TRIAL.refused(two).text


def test_factors_that_move_together_are_refused_by_term() -> None:
    assert "分不开" in TRIAL.refused(FRAME.assign(时间=FRAME["温度"] * 2)).text


def test_an_analysis_without_response_offers_the_plan() -> None:
    assert "请放入响应变量，或选择“生成设计表”" in TRIAL.refused(response=[]).text


def test_a_target_must_be_given() -> None:
    assert "目标值" in TRIAL.refused(goal="target").text


def test_box_behnken_of_two_or_eight_is_refused() -> None:
    for k in (2, 8):
        assert "只有 3 到 7 个因子" in PLAN.refused(design="bbd", n_factors=k).text


def test_a_level_point_outside_the_region_is_said() -> None:
    x = (FRAME[NAMES] - [60, 30, 20]) / [5, 10, 4]
    far = 10 * x["温度"] - x["温度"] ** 2 - x["时间"] ** 2 - x["液料比"] ** 2 + np.arange(20) % 3 / 10
    report = TRIAL.report(FRAME.assign(得率=far))
    assert "data.outside" in warnings(report) and "在试验区域的边上" in said(report)
    distance = np.sqrt(sum(row["coded"] ** 2 for row in records(report, "optimum") if row["kind"] == "因子"))
    assert distance == pytest.approx(8**0.25, rel=1e-3)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6, 7, 8])
def test_rotatable_plans_predict_equally_well_at_equal_distance(k: int) -> None:
    coded, _, alpha = composite(k, "rotatable", 4)
    fourth, mixed = (coded[:, 0] ** 4).sum(), (coded[:, 0] ** 2 * coded[:, 1] ** 2).sum()
    assert fourth == pytest.approx(3 * mixed) and alpha > 1


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_orthogonal_plans_have_uncorrelated_squares(k: int) -> None:
    squares = composite(k, "orthogonal", 3)[0] ** 2
    assert np.asarray(np.corrcoef(squares.T))[0, 1] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("k", "runs"), [(3, 12), (4, 24), (5, 40), (6, 48), (7, 56)])
def test_box_behnken_sizes_and_balance(k: int, runs: int) -> None:
    made = box_behnken(k, 0)
    assert made is not None and len(made[0]) == runs
    assert np.allclose(made[0].T @ made[0], (made[0] ** 2).sum() / k * np.eye(k))
