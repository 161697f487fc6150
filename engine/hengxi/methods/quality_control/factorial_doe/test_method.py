"""Refusals of plans and of analyses; a plan keeps what it promises: balance, blocks, resolution."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.families.design.two_level import GENERATORS, blocked, fraction, plackett_burman, smallest
from hengxi.testing import Trial, cells, records, said

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
NAMES = ["温度", "浓度", "催化剂"]
TRIAL = Trial("quality_control/factorial_doe", FRAME, {"response": ["产率"], "factors": NAMES}, {"产率": "定量"})
PLAN = Trial("quality_control/factorial_doe", None, {"task": "create"})
RESOLUTIONS = {(5, 3): 3, (6, 4): 4, (8, 4): 4, (9, 4): 3, (8, 6): 5, (7, 5): 4, (9, 7): 6, (11, 7): 5, (12, 7): 4}
"""NIST e-Handbook, 5.3.3.4.7."""


def test_a_third_level_is_refused_with_its_count() -> None:
    refusal = TRIAL.refused(FRAME.assign(温度=[1, 2, 4, 1, 2, 4, 1, 2]))
    assert "“温度”有 3 个水平" in refusal.text and "恰好 2 个（中心点除外）" in refusal.text


def test_a_middle_level_that_is_no_centre_run_is_refused() -> None:
    assert "“温度”有 3 个水平" in TRIAL.refused(FRAME.assign(温度=[160, 170, 180, 160, 170, 180, 160, 180])).text


def test_an_analysis_without_response_offers_the_plan() -> None:
    refusal = TRIAL.refused(response=[])
    assert "请放入响应变量，或选择“生成设计表”" in refusal.text
    assert refusal.faults[0].remedies[0].set == {"task": "create"}  # type: ignore[union-attr]


def test_a_saturated_model_is_judged_by_lenth() -> None:
    report = TRIAL.report(max_order=3)
    assert "Lenth" in said(report) and all(row["p"] is None for row in records(report, "effects"))


def test_a_fraction_there_is_none_of_is_refused() -> None:
    assert "4 个因子没有分辨度 III 以上的 1/4 分式设计" in PLAN.refused(n_factors=4, fraction="quarter").text


@pytest.mark.parametrize("form", [{"n_factors": 15}, {"n_factors": 9, "replicates": 4}])
def test_plans_nobody_can_run_are_refused(form: dict[str, Any]) -> None:
    assert "超过 512 次" in PLAN.refused(**form).text


@pytest.mark.parametrize("form", [{"blocks": 3}, {"blocks": 8}, {"blocks": 2, "fraction": "plackett_burman"}])
def test_blocks_that_would_take_main_effects_are_refused(form: dict[str, Any]) -> None:
    assert "个区组" in PLAN.refused(**form).text


def test_words_have_no_middle() -> None:
    named = [{"id": "r1", "name": "厂", "low": "甲", "high": "乙"}, {"id": "r2", "name": "温", "low": "1", "high": "2"}]
    assert "没有中心点" in PLAN.refused(names=named, center_points=3).text
    wrong = [{**named[0], "high": "甲"}, named[1]]
    assert "低水平与高水平相同" in PLAN.refused(names=wrong).text
    assert "请对调" in PLAN.refused(names=[named[0], {**named[1], "low": "3"}]).text
    assert "至少要 2 个因子" in PLAN.refused(names=named[:1]).text


def test_order_is_random_by_seed_and_within_blocks() -> None:
    form: dict[str, Any] = {"n_factors": 4, "blocks": 4, "center_points": 1}
    one, again, other = (cells(PLAN.report(seed=seed, **form), "design") for seed in (1, 1, 2))
    assert one == again and one != other
    blocks = [row["block"] for row in records(PLAN.report(**form), "design")]
    assert blocks == sorted(blocks) and len(blocks) == 20


@pytest.mark.parametrize(("k", "q"), list(GENERATORS))
def test_fractions_are_orthogonal_and_of_the_published_resolution(k: int, q: int) -> None:
    made = fraction(k, q)
    assert made is not None and np.allclose(made.coded.T @ made.coded, made.runs * np.eye(k))
    assert (made.resolution or 0) >= 3 and made.resolution == RESOLUTIONS.get((k, q), made.resolution)
    pairs = [np.prod(made.coded[:, list(pair)], axis=1) for pair in combinations(range(k), 2)]
    clear = np.allclose(made.coded.T @ np.column_stack(pairs), 0)
    assert clear == (made.resolution != 3)


def test_small_sizes() -> None:
    for k in range(2, 16):
        made = plackett_burman(k)
        assert np.allclose(made.T @ made, len(made) * np.eye(k))
    best = smallest(7, 4)
    assert best is not None and best.runs == 16
    full = fraction(4, 4)
    assert full is not None
    found = blocked(full, 4)
    assert found is not None and sorted(word.bit_count() for word in found.words) == [2, 3, 3]
