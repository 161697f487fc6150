"""Refusals: nothing on one side of the median; groups that vanish."""

import pandas as pd

from hengxi.testing import Trial, records, warnings

FRAME = pd.DataFrame({"组": list("甲甲甲甲乙乙乙乙"), "值": [1.0, 2, 3, 4, 3, 4, 5, 6]})
TRIAL = Trial("hypothesis_test/median_test", FRAME, {"group": "组", "variables": ["值"]}, {"值": "定量"})


def test_values_that_all_equal_the_median_are_refused() -> None:
    assert "全部观测等于中位数，无法构成频数表" in TRIAL.refused(FRAME.assign(值=3), ties="ignore").text
    assert "没有观测大于总中位数，无法检验" in TRIAL.refused(FRAME.assign(值=[1, 2, 3, 3, 3, 3, 3, 3])).text


def test_a_group_without_values_is_named() -> None:
    frame = pd.concat([FRAME, pd.DataFrame({"组": ["丙"] * 2, "值": [None, None]})]).assign(别=1.0)
    report = TRIAL.report(frame, {"值": "定量", "别": "定量"}, variables=["值"])
    assert len(records(report, "counts")) == 2 and warnings(report) in ([], ["data.dropped_group"])


def test_ties_go_where_they_are_put() -> None:
    frame = FRAME.assign(值=[1, 2, 3, 3, 3, 4, 5, 6])
    above = {
        way: sum(row["above"] for row in records(TRIAL.report(frame, ties=way), "counts"))
        for way in ("below", "above", "ignore")
    }
    assert above == {"below": 3, "above": 6, "ignore": 3}
