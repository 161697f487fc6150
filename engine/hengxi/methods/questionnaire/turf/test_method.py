"""What is particular to TURF: what counts as reached, the search, conditions, refusals."""

import itertools

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records, said

RNG = np.random.default_rng(5)
FRAME = pd.DataFrame(RNG.integers(0, 2, (20, 6)), columns=list("甲乙丙丁戊己"))
TRIAL = Trial("questionnaire/turf", FRAME, {"items": list(FRAME.columns), "k_max": 3}, dict.fromkeys(FRAME, "定量"))


def test_brute_force_finds_the_same() -> None:
    values = FRAME.to_numpy()
    best = max(values[:, list(one)].any(axis=1).sum() for one in itertools.combinations(range(6), 2))
    assert records(TRIAL.report(), "best")[1]["n"] == best


def test_reach_grows_and_grows_less() -> None:
    rows = records(TRIAL.report(k_max=6), "best")
    assert all(row["gain"] >= 0 for row in rows[1:])


def test_greedy_is_within_its_bound() -> None:
    exact = records(TRIAL.report(), "best")[-1]["n"]
    assert records(TRIAL.report(search="greedy"), "best")[-1]["n"] >= 0.63 * exact


def test_more_products_than_there_are_is_refused() -> None:
    assert "组合规模不能超过产品数（6 个）" in TRIAL.refused(k_max=7).text


def test_scores_need_a_threshold() -> None:
    assert "请设置触达阈值" in TRIAL.refused(FRAME * 5).text


def test_nobody_reached_is_refused() -> None:
    assert "没有人达到" in TRIAL.refused(FRAME * 0).text


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ({"forced": "庚"}, "没有叫“庚”的产品"),
        ({"forced": "甲、乙、丙、丁"}, "必选产品有 4 个"),
        ({"excluded_pairs": "甲"}, "两个一对"),
        ({"k_min": 3, "k_max": 2}, "最小组合数不能大于"),
        ({"forced": "甲、乙", "excluded_pairs": "甲＋乙"}, "没有满足必选和互斥条件"),
        ({"forced": "甲、乙", "excluded_pairs": "甲+乙", "search": "greedy"}, "没有满足必选和互斥条件"),
    ],
)
def test_conditions_that_cannot_hold_are_refused(form: dict[str, object], text: str) -> None:
    assert text in TRIAL.refused(**form).text  # type: ignore[arg-type]


def test_too_many_combinations_are_refused_or_searched_greedily() -> None:
    wide = pd.DataFrame(RNG.integers(0, 2, (30, 60)), columns=[f"p{i}" for i in range(60)])
    kinds = dict.fromkeys(wide.columns, "定量")
    form = {"items": list(wide.columns), "k_min": 6, "k_max": 6}
    assert "超过穷举的上限" in TRIAL.refused(wide, kinds, search="exhaustive", **form).text
    assert "不保证是最优" in said(TRIAL.report(wide, kinds, depth=6, **form))
