import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

FRAME = pd.DataFrame({"组": list("甲甲甲乙乙乙丙丙丙"), "值": [1.0, 2, 4, 3, 5, 9, 2, 2.5, 3]})
TRIAL = Trial(
    "hypothesis_test/variance_homogeneity", FRAME, {"group": "组", "variables": ["值"]}, {"组": "定类", "值": "定量"}
)
ALL = ["levene", "brown_forsythe", "levene_trimmed", "bartlett", "fligner", "f", "hartley", "cochran"]


def test_a_group_of_one_is_refused_by_name() -> None:
    assert "“丙”只有 1 个有效值" in TRIAL.refused(FRAME.iloc[:7]).text


def test_a_group_without_variance_takes_what_asks_for_normal_values() -> None:
    frame = FRAME.assign(值=[1.0, 2, 4, 5, 5, 5, 2, 2.5, 3])
    report = TRIAL.report(frame, tests=ALL)
    assert warnings(report) == ["data.constant_group"]
    given = {row["test"]: row["p"] for row in records(report, "result")}
    assert given["Bartlett"] is None and given["Hartley Fmax"] is None and given["Levene（均值）"] is not None


def test_what_is_read_does_not_depend_on_p() -> None:
    rows = records(TRIAL.report(tests=ALL), "result")
    assert [row["test"] for row in rows if row["read"]] == ["Levene（中位数）"]
    assert [row["read"] for row in records(TRIAL.report(tests=["bartlett", "hartley"]), "result")] == ["采用", ""]


def test_a_test_of_two_groups_is_left_out_of_three() -> None:
    rows = {row["test"]: row for row in records(TRIAL.report(tests=["f", "levene"]), "result")}
    assert rows["F比（两组）"]["verdict"] == "未给" and rows["Levene（均值）"]["p"] is not None


def test_two_equal_groups_have_fmax_of_the_f_test() -> None:
    """With two groups Hartley's ratio is the two-sided F of two variances."""
    rows = records(TRIAL.report(FRAME.iloc[:6], tests=["f", "hartley"]), "result")
    assert rows[0]["p"] == pytest.approx(rows[1]["p"], rel=1e-8)
