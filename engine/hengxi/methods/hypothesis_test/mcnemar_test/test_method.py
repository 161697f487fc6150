import pandas as pd

from hengxi.testing import Trial, records, said, warnings

FRAME = pd.DataFrame({"前": list("是是是否否否否是"), "后": list("是否否否是否否否")})
TRIAL = Trial("hypothesis_test/mcnemar_test", FRAME, {"before": "前", "after": "后"})


def test_different_categories_are_refused_by_name() -> None:
    refusal = TRIAL.refused(FRAME.assign(后=list("有无无无有无无无")))
    assert "类别集合必须相同" in refusal.text and "“是”" in refusal.text and refusal.faults[0].remedies


def test_nobody_changed() -> None:
    assert "没有发生变化的配对" in TRIAL.refused(FRAME.assign(后=FRAME["前"])).text


def test_a_category_one_of_them_never_used_is_counted_as_none() -> None:
    rows = records(TRIAL.report(FRAME.assign(后="否")), "result")
    assert [row["read"] for row in rows] == ["", "", "采用", ""]


def test_equal_changes_both_ways_have_p_of_one() -> None:
    report = TRIAL.report(FRAME.assign(后=list("是否是否是否否是")))
    (exact,) = [row for row in records(report, "result") if row["read"]]
    assert exact["p"] == 1 and "没有发现明显变化" in said(report)


def test_three_categories_ignore_methods_for_two_and_say_so() -> None:
    frame = pd.DataFrame({"前": list("甲乙丙甲乙丙甲乙"), "后": list("乙乙丙丙甲丙甲丙")})
    report = TRIAL.report(frame, method="exact")
    assert warnings(report) == ["data.left_out"] and records(report, "result")[0]["test"].startswith("Bowker")


def test_many_categories_are_refused() -> None:
    frame = pd.DataFrame({"前": [f"c{i}" for i in range(200)], "后": [f"c{i}" for i in range(200)]})
    assert "先合并类别" in TRIAL.refused(frame, measures={"前": "定类", "后": "定类"}).text
