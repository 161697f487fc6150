import pandas as pd
import pytest

from hengxi.testing import Trial, records, said, warnings

FRAME = pd.DataFrame({"组": list("甲甲甲甲乙乙乙乙丙丙丙丙"), "值": [1.0, 2, 4, 3, 5, 9, 7, 8, 2, 2.5, 3, 3.2]})
TRIAL = Trial("hypothesis_test/welch_anova", FRAME, {"group": "组", "variables": ["值"]}, {"组": "定类", "值": "定量"})


def test_one_group_is_refused() -> None:
    assert TRIAL.refused(FRAME.iloc[:4]).code == "role.levels"


def test_a_group_without_variance_is_left_out_and_named() -> None:
    report = TRIAL.report(FRAME.assign(值=[1.0, 2, 4, 3, 5, 5, 5, 5, 2, 2.5, 3, 3.2]))
    assert warnings(report) == ["data.constant_group"] and "已剔除该组" in said(report)
    assert {row["group"] for row in records(report, "groups")} == {"甲", "丙"}


def test_too_few_groups_are_left() -> None:
    refusal = TRIAL.refused(FRAME.assign(值=[1.0, 2, 4, 3, 5, 5, 5, 5, 2, 2, 2, 2]))
    assert refusal.code == "data.constant" and "“乙”、“丙”" in refusal.text


def test_two_groups_give_welchs_t() -> None:
    (row,) = records(TRIAL.report(FRAME.iloc[:8], tests=["welch"]), "result")
    (pair,) = records(TRIAL.report(FRAME.iloc[:8], tests=["welch"]), "pairs")
    assert row["F"] == pytest.approx(pair["t"] ** 2) and row["p"] == pytest.approx(pair["p"])


def test_the_lead_names_only_pairs_that_differ() -> None:
    quiet = TRIAL.report(FRAME.assign(值=[1.0, 2, 4, 3, 1.5, 2, 4, 3, 2, 2.5, 3, 3.2]))
    assert "没有发现明显差异" in said(quiet) and "高于" not in said(quiet)
