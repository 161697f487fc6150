"""Refusals, exact p against enumeration, ties broken by rounding, zeros."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from hengxi.testing import Trial, records, said

KINDS = {"前": "定量", "后": "定量"}
TRIAL = Trial("hypothesis_test/paired_sample_wilcoxon_test", None, {"pairs_a": ["前"], "pairs_b": ["后"]}, KINDS)


def pairs(differences: list[float]) -> pd.DataFrame:
    base = np.arange(len(differences)) / 10
    return pd.DataFrame({"前": base + differences, "后": base})


def test_few_pairs_and_equal_measurements_are_refused() -> None:
    assert "完整配对仅 4 对，至少需要5对" in TRIAL.refused(pairs([1, 2, 3, 4])).text
    assert "所有配对差值均为0" in TRIAL.refused(pairs([0] * 6)).text


@pytest.mark.parametrize("zeros", ["wilcox", "pratt"])
def test_exact_p_counts_all_signs(zeros: str) -> None:
    d = np.array([0.1, 0.2, -0.1, 0.3, 0, 0.3, 0.2, 0.5])
    ranks = stats.rankdata(np.abs(d) if zeros == "pratt" else np.abs(d[d != 0]))
    ranks, moving = (ranks[d != 0] if zeros == "pratt" else ranks), d[d != 0]
    sums = np.array([ranks @ np.array(signs) for signs in product((0, 1), repeat=moving.size)])
    seen, middle = ranks[moving > 0].sum(), ranks.sum() / 2
    (row,) = records(TRIAL.report(pairs([*d]), zero_method=zeros), "result")
    assert row["positive"] == seen
    assert row["exact"] == pytest.approx(np.mean(np.abs(sums - middle) >= abs(seen - middle) - 1e-9), rel=1e-12)


def test_frequencies_stand_for_repeated_pairs() -> None:
    frame = pairs([1, 2, -3, 4, 5, 6]).assign(次数=[1, 2, 3, 1, 2, 1])
    (row,) = records(TRIAL.report(frame, weight="次数"), "result")
    (whole,) = records(TRIAL.report(frame.loc[frame.index.repeat(frame["次数"])]), "result")
    assert row["exact"] == pytest.approx(whole["exact"], rel=1e-12) and row["n"] == 10


def test_differences_of_one_sign_have_no_interval_of_the_correlation() -> None:
    report = TRIAL.report(pairs([1, 2, 3, 4, 5, 6.5]))
    assert records(report, "effects")[0]["low"] is None and "差值全部同号" in said(report) + str(report)
