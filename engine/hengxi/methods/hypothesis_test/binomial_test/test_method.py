import pandas as pd

from hengxi.testing import Trial, records

FRAME = pd.DataFrame({"结果": ["是", "否", "是", "是", "不清楚", "是", None]})
TRIAL = Trial("hypothesis_test/binomial_test", FRAME, {"variables": ["结果"]})


def test_more_than_two_categories_ask_for_one() -> None:
    refusal = TRIAL.refused()
    assert "“结果”有 3 个类别，请指定目标类别" in refusal.text and refusal.faults[0].field == "success"
    (row,) = records(TRIAL.report(success="是"), "result")
    assert (row["count"], row["n"]) == (4, 6)


def test_a_proportion_of_0_or_1_is_no_hypothesis() -> None:
    for p0 in (0, 1):
        assert TRIAL.refused(p0=p0, success="是").faults[0].field == "p0"


def test_all_alike_reach_the_end_of_the_interval() -> None:
    (row,) = records(TRIAL.report(FRAME.assign(结果="是")), "result")
    assert row["share"] == 1 and row["high"] == 1 and 0 < row["low"] < 1
    (other,) = records(TRIAL.report(FRAME.assign(结果=[1, 0, 1, 1, 0, 1, None]), measures={"结果": "定类"}), "result")
    assert other["category"] == "1"
