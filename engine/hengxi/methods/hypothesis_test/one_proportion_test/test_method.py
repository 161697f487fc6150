import pandas as pd

from hengxi.testing import Trial, check, records, warnings

FRAME = pd.DataFrame({"满意": ["是"] * 15 + ["否"] * 10})
TRIAL = Trial("hypothesis_test/one_proportion_test", FRAME, {"variables": ["满意"]})


def test_a_category_nobody_chose_is_refused_by_name() -> None:
    refusal = TRIAL.refused(success="也许")
    assert refusal.faults[0].field == "success" and "也许" in refusal.text


def test_a_small_expectation_reads_the_exact_test_and_leads_to_it() -> None:
    report = TRIAL.report(p0=0.1)
    (row,) = records(report, "result")
    assert warnings(report) == ["data.exact"] and row["z"] is None and "精确" in row["test"]
    assert check(report, "样本量")["remedies"][0]["method"] == "hypothesis_test/binomial_test"


def test_wald_has_no_statistic_where_all_are_alike() -> None:
    report = TRIAL.report(FRAME.assign(满意="是"), method="wald")
    assert warnings(report) == ["data.exact"] and records(report, "result")[0]["z"] is None


def test_categories_in_words_or_codes_give_the_same() -> None:
    (coded,) = records(TRIAL.report(pd.DataFrame({"满意": [1] * 15 + [0] * 10}), measures={"满意": "定类"}), "result")
    (words,) = records(TRIAL.report(), "result")
    assert {**coded, "category": ""} == {**words, "category": ""}
