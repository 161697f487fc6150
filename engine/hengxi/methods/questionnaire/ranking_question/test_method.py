"""What is particular to ranking questions: ranks that cannot be, ties, partial answers."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, element, records

FRAME = pd.DataFrame({"甲": [1, 2, 1, 3, 1], "乙": [2, 1, 3, 1, 2], "丙": [3, 3, 2, 2, np.nan], "组": list("aabba")})
KINDS = {"甲": "定量", "乙": "定量", "丙": "定量", "组": "定类"}
TRIAL = Trial("questionnaire/ranking_question", FRAME, {"items": ["甲", "乙", "丙"]}, KINDS)


def test_ties_are_refused_with_their_row() -> None:
    assert "第 2 行存在并列名次" in TRIAL.refused(FRAME.assign(甲=[1, 1, 1, 3, 1])).text


def test_ties_have_no_plackett_luce() -> None:
    tied = FRAME.assign(甲=[1, 1, 1, 3, 1])
    assert "Plackett-Luce 不能有并列" in TRIAL.refused(tied, score="plackett_luce", ties="average").text


def test_a_rank_beyond_the_options_is_refused() -> None:
    assert "名次“9”大于选项个数 3" in TRIAL.refused(FRAME.assign(乙=[2, 1, 9, 1, 2])).text


def test_a_fraction_is_no_rank() -> None:
    assert "名次要是 1 到 3 的整数" in TRIAL.refused(FRAME.assign(乙=[2, 1, 2.5, 1, 2])).text


def test_an_option_always_first_has_no_worth() -> None:
    frame = FRAME.assign(甲=1, 乙=[2, 3, 2, 3, 2], 丙=[3, 2, 3, 2, 3])
    assert "没有有限的估计" in TRIAL.refused(frame, score="plackett_luce").text


def test_an_option_nobody_ranked_is_refused() -> None:
    frame = pd.concat([FRAME] * 2).assign(甲=1.0, 乙=2.0, 丙=np.nan)
    frame["丁"] = 3.0
    text = TRIAL.refused(frame, {"丁": "定量"}, items=["甲", "乙", "丁", "丙"], partial="missing").text
    assert "丙" in text


def test_one_answer_is_refused() -> None:
    assert "至少要 2 份" in TRIAL.refused(FRAME.iloc[:1]).text


def test_unranked_options_by_each_way() -> None:
    scores = {}
    for way in ("zero_score", "tied_last", "missing"):
        rows = records(TRIAL.report(partial=way), "scores")
        scores[way] = next(row["score"] for row in rows if row["option"] == "丙")
    assert scores == {"zero_score": 6 / 5, "tied_last": 7 / 5, "missing": 6 / 4}


def test_groups_without_a_difference_are_told() -> None:
    frame = pd.DataFrame({"甲": [1] * 4, "乙": [2] * 4, "丙": [3] * 4, "组": list("aabb")})
    report = TRIAL.report(frame, group="组")
    assert not records(report, "group_tests") and element(report, "groups")
