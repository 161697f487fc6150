"""Refusals, whole agreement, gaps."""

from pathlib import Path

import pandas as pd

from hengxi.testing import Trial, records, said

RUNS = pd.read_csv(Path(__file__).parent / "example.csv")
NAMES = ["外绕", "窄角", "宽角"]
TRIAL = Trial(
    "hypothesis_test/multiple_paired_sample_friedman_test", RUNS, {"variables": NAMES}, dict.fromkeys(NAMES, "定量")
)


def test_two_conditions_and_rows_without_any_difference_are_refused() -> None:
    assert TRIAL.refused(variables=NAMES[:2]).faults[0].code == "role.few"
    same = RUNS.assign(窄角=RUNS["外绕"], 宽角=RUNS["外绕"])
    assert "各对象在所有条件下评分相同，无法排秩" in TRIAL.refused(same).text


def test_rows_with_gaps_are_left_out() -> None:
    frame = RUNS.assign(窄角=RUNS["窄角"].where(RUNS["队员"] > 2))
    (row,) = records(TRIAL.report(frame), "result")
    (other,) = records(TRIAL.report(RUNS[RUNS["队员"] > 2]), "result")
    assert row == other and row["n"] == 20


def test_whole_agreement_has_an_infinite_f() -> None:
    frame = pd.DataFrame({"外绕": [1.0, 2, 3, 4], "窄角": [2.0, 3, 4, 5], "宽角": [3.0, 4, 5, 6]})
    report = TRIAL.report(frame, variant=["iman_davenport", "quade"])
    (row,) = records(report, "result")
    assert row["w"] == 1 and [one["statistic"] for one in records(report, "others")] == [None, None]
    assert "所有对象的排序完全一致" in said(report)
