"""Refusals, exact against asymptotic, the reverse order."""

import numpy as np
import pandas as pd
import pytest

from hengxi.stats import ordered_trend
from hengxi.stats.blocks import within_ranks
from hengxi.testing import Trial, check, records

FRAME = pd.DataFrame({"甲": [1, 2, 1, 3, 2], "乙": [2, 3, 1, 4, 4], "丙": [5, 4, 3, 4, 6]})
TRIAL = Trial(
    "hypothesis_test/page_trend_test", FRAME, {"variables": ["甲", "乙", "丙"]}, dict.fromkeys("甲乙丙", "定量")
)


def test_two_conditions_and_equal_values_are_refused() -> None:
    assert "3" in TRIAL.refused(variables=["甲", "乙"]).text
    assert "无法排秩" in TRIAL.refused(FRAME.assign(甲=1, 乙=1, 丙=1)).text


def test_the_exact_p_of_untied_rows_sums_to_one_with_the_other_side() -> None:
    ranks = within_ranks(np.random.default_rng(3).normal(size=(4, 4)))
    up, down = (ordered_trend.page_exact(r) for r in (ranks, ranks[:, ::-1]))
    test = ordered_trend.page(ranks)
    assert up is not None and down is not None and up + down >= 1
    assert ordered_trend.page(ranks[:, ::-1]).z == pytest.approx(-test.z)


def test_many_rows_are_read_asymptotically_and_it_is_said() -> None:
    big = pd.concat([FRAME] * 50)
    (row,) = records(TRIAL.report(big, method="exact"), "result")
    assert row["how"] == "规模过大，已自动改用渐近法"
    (row,) = records(TRIAL.report(big), "result")
    assert row["how"] == "正态近似，结校正"


def test_the_order_is_shown_with_a_way_to_friedman() -> None:
    order = check(TRIAL.report(), "条件的次序")
    assert order["facts"]["order"] == "甲 → 乙 → 丙"
    assert order["remedies"][0]["method"] == "hypothesis_test/multiple_paired_sample_friedman_test"
