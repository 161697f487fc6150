"""Refusals, drawn against complete, the interval of a drawn p, order of rows."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from hengxi.testing import Trial, check, records, said

FRAME = pd.DataFrame(
    {
        "组": list("甲" * 6 + "乙" * 5),
        "值": [1.0, 3, 2, 5, 4, 9, 6, 8, 7, 12, 6],
        "前": [2.0, 2, 3, 4, 6, 5, 7, 6, 9, 9, 8],
    }
)
TRIAL = Trial("hypothesis_test/permutation_test", FRAME, {"group": "组", "variables": ["值"]},
              {"组": "定类", "值": "定量", "前": "定量"})  # fmt: skip


def test_what_a_design_needs_is_asked_for() -> None:
    assert TRIAL.refused(n_resamples=500).faults[0].code == "number.range"
    assert "请放入配对变量" in TRIAL.refused(design="paired", group=None).text
    assert "请放入分组变量" in TRIAL.refused(group=None).text
    assert "需要恰好两组" in TRIAL.refused(FRAME.assign(组=list("甲乙丙丁" * 2 + "甲乙丙"))).text


def test_constants_are_refused() -> None:
    assert "全部观测相同" in TRIAL.refused(FRAME.assign(值=1.0)).text
    assert "完全相同" in TRIAL.refused(FRAME.assign(前=FRAME["值"]), design="paired", pair="前").text
    assert "没有变异" in TRIAL.refused(FRAME.assign(前=1.0), design="correlation", pair="前").text


def test_drawn_p_and_interval_lie_near_the_complete_ones() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(0, 1, 40), rng.normal(0.5, 1, 45)
    frame = pd.DataFrame({"组": ["甲"] * 40 + ["乙"] * 45, "值": [*x, *y]})
    (row,) = records(TRIAL.report(frame), "result")
    near = stats.ttest_ind(x, y)
    ends = near.confidence_interval(0.95)
    assert row["of"] == 10_000 and row["p"] == pytest.approx(near.pvalue, abs=0.01)
    assert (row["low"], row["high"]) == pytest.approx((ends.low, ends.high), abs=0.05)
    hits = row["extreme"] - 1
    assert row["p_low"] == pytest.approx(stats.beta.ppf(0.025, hits, 9999 - hits + 1))
    assert row["p_high"] == pytest.approx(stats.beta.ppf(0.975, hits + 1, 9999 - hits))


def test_unequal_spread_leads_to_welch() -> None:
    held = check(TRIAL.report(FRAME.assign(值=[5.0, 5.1, 5.2, 5.1, 5, 5, 1, 9, 2, 12, 3])), "离散程度相近")
    assert held["state"] == "care" and held["remedies"][0]["set"] == {"statistic": "t"}


def test_two_pairs_of_equal_differences_never_show_anything() -> None:
    frame = pd.DataFrame({"值": [3.0, 4, 5], "前": [1.0, 2, 3]})
    report = TRIAL.report(frame, design="paired", group=None, pair="前")
    assert check(report, "排列次数")["state"] == "fail" and records(report, "result")[0]["p"] == 0.25
    assert "没有发现" in said(report)


def test_a_million_rows_are_sent_to_the_t_test() -> None:
    frame = pd.DataFrame({"组": np.resize(["甲", "乙"], 300_000), "值": np.arange(300_000) % 7})
    refusal = TRIAL.refused(frame)
    assert "改用" in refusal.text and refusal.faults[0].remedies[0].title == "改用独立样本 t 检验"
