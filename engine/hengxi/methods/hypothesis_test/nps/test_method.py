"""What is particular to the net promoter score: its scale, its cuts, groups that cannot be compared."""

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, cells, records, said, warnings

FRAME = pd.DataFrame({"分": [10, 9, 8, 6, 0, 10, 9, 7, 5, 10] * 3, "组": ["甲", "乙"] * 15, "日": range(30)})
TRIAL = Trial("hypothesis_test/nps", FRAME, {"score": ["分"]}, {"分": "定量", "组": "定类"})


def test_a_score_beyond_the_scale_is_refused() -> None:
    refused = TRIAL.refused(FRAME.assign(分=[11] + [5] * 29))
    assert "推荐分须在 0 到 10 之间，“分”里发现“11”" in refused.text


def test_a_small_group_is_warned_of() -> None:
    report = TRIAL.report(FRAME.assign(组=["甲"] * 25 + ["乙"] * 5), group="组")
    assert warnings(report) == ["data.few"]


def test_zero_is_beyond_a_scale_from_one() -> None:
    assert "须在 1 到 10 之间" in TRIAL.refused(scale="1-10").text


def test_one_group_with_scores_is_refused() -> None:
    frame = FRAME.assign(分=np.where(FRAME["组"] == "甲", FRAME["分"], np.nan))
    assert "只有一组" in TRIAL.refused(frame, group="组").text


def test_many_groups_are_refused_and_a_dozen_are_not_paired() -> None:
    wide = pd.DataFrame({"分": [9, 3] * 70, "组": [f"g{i}" for i in range(70)] * 2})
    assert "最多 60 类" in TRIAL.refused(wide, group="组").text
    assert not records(TRIAL.report(wide[wide["组"].isin([f"g{i}" for i in range(20)])], group="组"), "pairs")


def test_the_three_kinds_add_up_and_the_score_is_their_difference() -> None:
    (row,) = records(TRIAL.report(), "nps")
    assert row["promoters"] + row["passives"] + row["detractors"] == row["n"] == 30
    assert row["nps"] == pytest.approx(100 * (row["promoter_share"] - row["detractor_share"]))


def test_numbers_as_groups_are_a_trend() -> None:
    assert len(cells(TRIAL.report(FRAME.assign(日=FRAME["日"] % 3), group="日"), "periods")) == 3


def test_nobody_above_is_said() -> None:
    assert "推荐的人不比贬损的人多" in said(TRIAL.report(FRAME.assign(分=[0] * 29 + [8])))


def test_fractional_scores_with_many_values_have_no_distribution() -> None:
    frame = pd.DataFrame({"分": np.linspace(0, 10, 400)})
    assert not records(TRIAL.report(frame), "distribution")


def test_a_score_without_values_is_refused() -> None:
    assert TRIAL.refused(FRAME.assign(次=0), weight="次").text
