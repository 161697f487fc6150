"""Refusals of the test of rates, groups without events, large counts."""

import pandas as pd
import pytest

from hengxi.testing import Trial, records

FRAME = pd.DataFrame({"组": ["甲"] * 3 + ["乙"] * 3, "次": [3, 5, 4, 1, 0, 2], "时": [10.0, 12, 9, 11, 10, 10]})
TRIAL = Trial(
    "hypothesis_test/poisson_rate_test", FRAME, {"events": "次", "exposure": "时"}, {"次": "定量", "时": "定量"}
)


def test_events_are_whole_and_exposure_is_positive() -> None:
    assert "“次”里有 −1" in TRIAL.refused(FRAME.assign(次=[-1, 5, 4, 1, 0, 2])).text
    assert "事件数必须是非负整数" in TRIAL.refused(FRAME.assign(次=[1.5, 5, 4, 1, 0, 2])).text
    assert "暴露量必须大于0" in TRIAL.refused(FRAME.assign(时=[0.0, 12, 9, 11, 10, 10])).text


def test_groups_without_events() -> None:
    assert "两组都没有发生事件" in TRIAL.refused(FRAME.assign(次=0), group="组").text
    none = FRAME.assign(次=[3, 5, 4, 0, 0, 0])
    (row,) = records(TRIAL.report(none, group="组"), "result")
    assert row["value"] == "inf" and row["high"] == "inf" and row["low"] > 1 and row["p"] < 0.01
    assert "Wald 法不能用" in TRIAL.refused(none, group="组", method="wald").text


def test_three_groups_want_two_chosen() -> None:
    frame = FRAME.assign(组=["甲", "乙", "丙"] * 2)
    assert "请在“比较的两组”中选两组" in TRIAL.refused(frame, group="组").text
    assert "丙 ÷ 甲" in records(TRIAL.report(frame, group="组", groups=["丙", "甲"]), "result")[0]["measure"]


def test_a_single_row_has_no_dispersion() -> None:
    assert "每组只有一行" in str(TRIAL.report(FRAME.iloc[:1]))


@pytest.mark.parametrize("method", ["exact", "mid_p", "score", "wald"])
def test_ways_agree_for_many_events(method: str) -> None:
    frame = FRAME.assign(次=FRAME["次"] * 10**6 + 10**7)
    (row,) = records(TRIAL.report(frame, method=method, rate0=10**6), "result")
    (exact,) = records(TRIAL.report(frame, rate0=10**6), "result")
    assert row["low"] == pytest.approx(exact["low"], rel=1e-4) and row["p"] < 1e-8
