"""Refusals, the edge of α, many p values."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, cells, records, said, warnings

FRAME = pd.DataFrame({"名": ["甲", "乙", "丙"], "p": [0.01, 0.5, 0.2]})
TRIAL = Trial("hypothesis_test/p_value_adjustment", FRAME, {"p_values": "p"}, {"p": "定量", "名": "文本"})


def test_what_is_no_p_value_is_refused_with_its_row() -> None:
    assert "第 2 行p值不在0到1之间（1.2）" in TRIAL.refused(FRAME.assign(p=[0.1, 1.2, -3])).text
    assert TRIAL.refused(FRAME.assign(p=[np.nan] * 3)).text


def test_an_adjusted_p_equal_to_alpha_is_not_below_it() -> None:
    """0.1 / 3 times 3 is 0.1 in one order of rounding and less in another."""
    rows = records(TRIAL.report(FRAME.assign(p=[0.1 / 3, 0.9, 1]), methods=["bonferroni"], alpha=0.1), "summary")
    assert [row["count"] for row in rows] == [1, 0]


def test_one_p_value_needs_no_correction() -> None:
    report = TRIAL.report(FRAME.head(1), label="名", methods=["holm", "hommel", "fdr_by"])
    (row,) = records(report, "result")
    assert row["holm"] == row["hommel"] == row["fdr_by"] == 0.01 and row["label"] == "甲"


def test_a_million_are_listed_to_the_thousandth_and_hommel_is_left_out() -> None:
    p = np.random.default_rng(1).uniform(size=30_000)
    report = TRIAL.report(pd.DataFrame({"p": p}), methods=["hommel", "fdr_bh"])
    assert warnings(report) == ["data.size"] and len(cells(report, "result")) == 1000
    assert "Hommel 法最多用于" in said(report)
    assert np.all(np.diff([row["p"] for row in records(report, "result")]) >= 0)
