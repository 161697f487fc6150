import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, said

FRAME = pd.DataFrame({"组": list("甲甲甲甲乙乙乙乙丙丙丙"), "值": [1.0, 2, 4, 3, 5, 9, 7, 8, 2, 2.5, 3]})
FORM = {"group": "组", "variables": ["值"]}
TRIAL = Trial("hypothesis_test/post_hoc", FRAME, FORM, {"组": "定类", "值": "定量"})
VARIANCE = Trial("hypothesis_test/variance", FRAME, FORM, {"组": "定类", "值": "定量"})


def test_two_groups_are_sent_to_the_t_test() -> None:
    refusal = TRIAL.refused(FRAME.iloc[:8])
    assert "两组请用t检验" in refusal.text and refusal.faults[0].remedies


def test_a_control_that_is_no_group_is_refused() -> None:
    assert "对照组" in TRIAL.refused(methods=["dunnett"], control="丁").text


@pytest.mark.parametrize("how", ["tukey", "holm", "duncan", "games_howell", "dunnett_t3"])
def test_pairs_are_those_of_the_analysis_of_variance(how: str) -> None:
    mine, other = records(TRIAL.report(methods=[how]), "pairs"), records(VARIANCE.report(post_hoc=how), "pairs")
    for key in ("difference", "se", "t", "df", "p", "low", "high", "d"):
        assert [row[key] for row in mine] == [row[key] for row in other]


def test_gabriel_is_hochberg_where_sizes_are_equal() -> None:
    rows = records(TRIAL.report(FRAME.iloc[:10].drop([3, 7]), methods=["hochberg_gt2", "gabriel"]), "pairs")
    first = [row for row in rows if {row["first"], row["second"]} == {"甲", "乙"}]
    assert first[0]["p"] == pytest.approx(first[1]["p"], rel=1e-12)


def test_the_conclusion_reads_a_test_that_holds_the_error_rate() -> None:
    report = TRIAL.report(methods=["lsd", "scheffe"])
    assert "按 Scheffe 比较" in said(report).replace("{how}", "Scheffe")
    assert check(TRIAL.report(methods=["lsd"]), "多重比较")["state"] == "care"


def test_groups_of_a_subset_do_not_differ() -> None:
    report = TRIAL.report(methods=["tukey"])
    assert all(row["p"] is None or row["p"] >= 0.05 for row in records(report, "subsets"))
