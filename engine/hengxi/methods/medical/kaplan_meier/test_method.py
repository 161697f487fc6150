"""Refusals of survival data, curves that never come down, thinning, agreement of weights and rows."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records

FRAME = pd.DataFrame(
    {
        "月": [2.0, 3, 3, 5, 8, 9, 11, 12, 15, 20],
        "结局": ["死亡", "存活", "死亡", "死亡", "存活", "死亡", "死亡", "存活", "死亡", "存活"],
        "组": ["甲", "乙"] * 5,
    }
)
TRIAL = Trial(
    "medical/kaplan_meier", FRAME, {"time": "月", "status": "结局"}, {"月": "定量", "结局": "定类", "组": "定类"}
)


def test_times_and_states_are_judged() -> None:
    assert "“月”有 1 行为负（如 −2）" in TRIAL.refused(FRAME.assign(月=[-2.0, *FRAME["月"][1:]])).text
    assert "“月”全是 0" in TRIAL.refused(FRAME.assign(月=0.0)).text
    assert "结局“结局”没有出现事件" in TRIAL.refused(FRAME.assign(结局="删失")).text
    three = FRAME.assign(结局=["死亡", "存活", "失访"] * 3 + ["死亡"])
    assert "有 3 种取值，请在“事件取值”里选出哪一种算事件" in TRIAL.refused(three).text
    (row,) = records(TRIAL.report(three, event="死亡"), "summary")
    assert (row["events"], row["censored"]) == (4, 6)


def test_the_word_for_death_is_the_event_wherever_it_stands() -> None:
    for words in ({"死亡": "1", "存活": "0"}, {"死亡": "是", "存活": "否"}, {"死亡": "复发", "存活": "未复发"}):
        (row,) = records(TRIAL.report(FRAME.assign(结局=FRAME["结局"].map(words))), "summary")
        assert row["events"] == 6


def test_a_curve_above_a_half_has_no_median_and_says_so() -> None:
    few = FRAME.assign(结局=["死亡"] + ["存活"] * 9)
    report = TRIAL.report(few)
    assert records(report, "survival")[0]["median"] is None
    assert "没有达到中位生存时间：到最后一次随访（{t:text}）时" in str(report)


def test_a_group_without_events_is_named() -> None:
    report = TRIAL.report(FRAME.assign(结局=["死亡", "存活"] * 5), group="组")
    assert "没有发生事件，中位生存时间没有达到" in str(report)
    assert records(report, "result")[0]["p"] < 0.05


def test_the_limit_of_the_mean_lies_within_the_follow_up() -> None:
    assert "超过了最短一组的最长随访 15" in TRIAL.refused(tau=18, group="组").text
    assert records(TRIAL.report(tau=3), "areas")[0]["rmst"] == 2.9


def test_rounding_does_not_part_equal_times() -> None:
    frame = pd.DataFrame({"月": [0.1 + 0.2, 0.3, 0.5, 0.7], "结局": ["死亡", "存活", "死亡", "死亡"]})
    assert [row["n"] for row in records(TRIAL.report(frame), "life")] == [4, 2, 1]


def test_long_curves_are_thinned_and_end_where_they_end() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"月": rng.exponential(10, 3000).round(4), "结局": rng.choice(["死亡", "存活"], 3000)})
    points = records(TRIAL.report(frame), "points")
    assert len(points) <= 1000 and points[-1]["time"] == frame["月"].max()


def test_two_words_for_events_are_asked_about() -> None:
    two = FRAME.assign(结局=["复发", "死亡"] * 5)
    assert "“复发”“死亡”都像事件" in TRIAL.refused(two).text
    assert records(TRIAL.report(two, event="死亡"), "summary")[0]["events"] == 5


def test_groups_that_share_no_time_of_events_are_not_compared() -> None:
    tied = pd.DataFrame({"月": [5.0] * 4, "结局": ["死亡"] * 4, "组": ["甲", "甲", "乙", "乙"]})
    told = str(TRIAL.report(tied, group="组"))
    assert "各组无法比较：每个有事件的时间上" in told and "Log-rank 检验适用" not in told


def test_weights_near_nothing_still_compare() -> None:
    rows = pd.DataFrame({"月": np.arange(1.0, 21), "结局": "死亡", "组": ["甲", "乙"] * 10})
    assert len(records(TRIAL.report(rows, group="组", tests=["fh"], rho=10, gamma=10), "result")) == 1


def test_groups_that_share_no_stratum_add_up() -> None:
    """survival 3.5: survdiff of either stratum alone, 0.615384615385."""
    rows = pd.DataFrame(
        {"月": [1.0, 2, 3, 4] * 2, "结局": "死亡", "组": list("甲乙甲乙丙丁丙丁"), "层": list("一一一一二二二二")}
    )
    first = records(TRIAL.report(rows, {"层": "定类"}, group="组", strata="层"), "result")[0]
    assert first["df"] == 2 and abs(first["chi2"] - 2 * 0.615384615385) < 1e-9


def test_one_and_two_are_asked_about() -> None:
    numbers = FRAME.assign(结局=FRAME["结局"].map({"死亡": 2, "存活": 1}))
    assert "看不出“结局”的“1”和“2”哪一种是事件" in TRIAL.refused(numbers).text
    (row,) = records(TRIAL.report(numbers, event=2), "summary")
    assert row["events"] == 6
