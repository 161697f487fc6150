"""Refusals of intervals, limits, and where nothing is left to die."""

import pandas as pd

from hengxi.testing import Trial, records

FRAME = pd.DataFrame(
    {"月": [1.0, 3, 5, 7, 12, 13, 24, 30], "结局": ["死亡", "存活"] * 4, "组": ["甲"] * 4 + ["乙"] * 4}
)
TRIAL = Trial(
    "medical/life_table", FRAME, {"time": "月", "status": "结局"}, {"月": "定量", "结局": "定类", "组": "定类"}
)


def test_intervals_are_neither_too_wide_nor_too_many() -> None:
    assert "区间宽度 40 超过最长随访时间 30" in TRIAL.refused(width=40).text
    assert "区间有 3,001 个，最多 500 个" in TRIAL.refused(width=0.01).text


def test_a_time_at_an_edge_belongs_to_the_interval_that_begins_there() -> None:
    rows = records(TRIAL.report(), "life")
    assert [row["entering"] for row in rows] == [8, 4, 2]
    assert [row["events"] for row in rows] == [2, 1, 1]


def test_beyond_the_limit_all_are_censored_there() -> None:
    (row,) = records(TRIAL.report(most=12, width=12), "medians")
    assert row["events"] == 3
    assert "上限 0.5 之前没有事件" in TRIAL.refused(most=0.5).text


def test_when_all_have_died_the_survival_is_nothing() -> None:
    rows = records(TRIAL.report(FRAME.assign(结局="死亡")), "life")
    assert rows[-1]["survival"] == 0 and rows[-1]["se"] == 0


def test_at_the_limit_who_comes_through_counts_whole_and_an_event_there_counts() -> None:
    rows = records(TRIAL.report(most=12, width=5), "life")
    assert [row["start"] for row in rows] == [0, 5, 10]
    last = rows[-1]
    assert (last["entering"], last["events"], last["censored"], last["exposed"]) == (4, 1, 0, 4)
    assert last["density"] * 2 == last["dying"] * rows[1]["survival"]
