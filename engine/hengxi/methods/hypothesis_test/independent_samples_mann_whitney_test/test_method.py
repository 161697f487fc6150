"""Refusals, exact p against enumeration, bounded work on large tables, frequencies."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from hengxi.testing import Trial, check, records, said

SLEEP = pd.read_csv(Path(__file__).parent / "example.csv")
FORM = {"group": "药物", "variables": ["增加睡眠小时"]}
TRIAL = Trial("hypothesis_test/independent_samples_mann_whitney_test", SLEEP, FORM, {"增加睡眠小时": "定量"})


def two(a: list[float], b: list[float]) -> pd.DataFrame:
    return pd.DataFrame({"药物": ["甲"] * len(a) + ["乙"] * len(b), "增加睡眠小时": a + b})


def test_three_groups_and_equal_values_are_refused() -> None:
    refusal = TRIAL.refused(SLEEP.assign(药物=["甲", "乙", "丙", "甲"] * 5))
    assert "Mann-Whitney 检验需要恰好两组，当前为 3 组" in refusal.text
    assert "全部观测相同，无法排秩" in TRIAL.refused(SLEEP.assign(增加睡眠小时=1)).text


@pytest.mark.parametrize(("a", "b"), [([1, 2, 2, 5], [2, 3, 3, 6, 7]), ([1, 1, 1], [1, 2]), ([4], [1, 2, 3, 3])])
def test_exact_p_counts_every_way_to_share_out_the_cases(a: list[float], b: list[float]) -> None:
    ranks = stats.rankdata(a + b)
    middle, seen = len(a) * (len(ranks) + 1) / 2, ranks[: len(a)].sum()
    sums = np.array([sum(part) for part in combinations(ranks, len(a))])
    (row,) = records(TRIAL.report(two(a, b)), "result")
    assert row["exact"] == pytest.approx(np.mean(np.abs(sums - middle) >= abs(seen - middle) - 1e-9), rel=1e-12)
    (row,) = records(TRIAL.report(two(a, b), alternative="greater"), "result")
    assert row["exact"] == pytest.approx(np.mean(sums >= seen - 1e-9), rel=1e-12)


def test_too_few_cases_for_any_small_p_are_said() -> None:
    assert check(TRIAL.report(two([1.0, 2], [3.0, 4])), "样本量")["state"] == "fail"


def test_an_exact_p_that_would_take_too_long_is_drawn_and_said() -> None:
    rng = np.random.default_rng(1)
    (row,) = records(
        TRIAL.report(two([*rng.normal(0, 1, 900)], [*rng.normal(0.1, 1, 900)]), p_method="exact"), "result"
    )
    assert row["exact"] is None and "蒙特卡洛" in row["how"] and row["p"] == pytest.approx(row["asymptotic"], abs=0.02)


def test_frequencies_stand_for_repeated_rows() -> None:
    counted = SLEEP.assign(次数=[1, 2] * 10)
    (row,) = records(TRIAL.report(counted, weight="次数"), "result")
    (whole,) = records(TRIAL.report(counted.loc[counted.index.repeat(counted["次数"])]), "result")
    assert (row["U"], row["exact"]) == (whole["U"], pytest.approx(whole["exact"], rel=1e-12))


def test_groups_that_do_not_overlap_have_no_interval_of_the_correlation() -> None:
    report = TRIAL.report(two([1.0, 2, 3, 4, 5, 6], [11.0, 12, 13, 14, 15]))
    row = records(report, "effects")[0]
    assert row["value"] == -1 and row["low"] is None and "“甲”" not in said(report)
