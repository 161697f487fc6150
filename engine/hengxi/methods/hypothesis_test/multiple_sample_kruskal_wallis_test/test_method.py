"""Refusals, empty groups, Monte Carlo, equivalence with two groups."""

from pathlib import Path

import pandas as pd
import pytest
from scipy import stats

from hengxi.testing import Trial, records, said, warnings

AIR = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = {"月": "定类", "臭氧": "定量", "风速": "定量"}
TRIAL = Trial("hypothesis_test/multiple_sample_kruskal_wallis_test", AIR, {"group": "月", "variables": ["臭氧"]}, KINDS)


def test_one_group_and_equal_values_are_refused() -> None:
    assert "分组变量至少需要 2 个类别" in TRIAL.refused(AIR[AIR["月"] == 5]).text
    assert "全部观测值相同，H统计量无定义" in TRIAL.refused(AIR.assign(臭氧=1)).text


def test_a_group_without_values_is_left_out_and_named() -> None:
    frame = AIR.assign(臭氧=AIR["臭氧"].where(AIR["月"] != 6))
    report = TRIAL.report(frame, variables=["臭氧"])
    assert len(records(report, "mean_ranks")) == 4
    frame = AIR.assign(风速=AIR["风速"].where(AIR["月"] != 6))
    report = TRIAL.report(frame, variables=["臭氧", "风速"])
    assert {row["group"] for row in records(report, "mean_ranks")} == {"5", "6", "7", "8", "9"} and not warnings(report)


def test_the_drawn_p_lies_near_the_other_and_comes_again() -> None:
    few = AIR.groupby("月").head(6)
    (row,) = records(TRIAL.report(few, p_method="monte_carlo"), "result")
    (plain,) = records(TRIAL.report(few), "result")
    assert row["p"] == pytest.approx(plain["p"], abs=0.05) and "蒙特卡洛" in row["how"]
    assert records(TRIAL.report(few, p_method="monte_carlo"), "result") == [row]


def test_two_groups_give_mann_whitney() -> None:
    two = AIR[AIR["月"].isin([5, 8])].dropna(subset=["臭氧"])
    (row,) = records(TRIAL.report(two), "result")
    a, b = (two["臭氧"][two["月"] == month] for month in (5, 8))
    wanted = stats.mannwhitneyu(a, b, use_continuity=False, method="asymptotic").pvalue
    assert row["p"] == pytest.approx(wanted, rel=1e-9)
    assert "事后比较" in said(TRIAL.report(two))
