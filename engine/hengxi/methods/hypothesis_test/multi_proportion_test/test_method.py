import pandas as pd

from hengxi.testing import Trial, check, records, warnings

FRAME = pd.DataFrame(
    {"组": list("甲甲甲乙乙乙丙丙丙丁"), "有效": ["是", "是", "否", "否", "否", "是", "是", "是", "是", None]}
)
TRIAL = Trial("hypothesis_test/multi_proportion_test", FRAME, {"group": "组", "y": ["有效"]})


def test_one_group_is_refused() -> None:
    assert "组" in TRIAL.refused(FRAME.assign(组="甲")).text


def test_a_category_the_variable_does_not_have_is_refused() -> None:
    assert "也许" in TRIAL.refused(success="也许").text


def test_many_answers_ask_for_the_one_counted() -> None:
    frame = FRAME.assign(有效=list("是否不否是是是否不是"))
    assert "“有效”有 3 个类别，请指定目标类别" in TRIAL.refused(frame).text


def test_small_counts_lead_to_fisher() -> None:
    report = TRIAL.report()
    assert check(report, "期望频数")["remedies"][0]["method"] == "hypothesis_test/fisher_exact_test"
    assert len(records(report, "pairs")) == 3 and warnings(report) == []


def test_hundreds_of_groups_are_compared_together_only() -> None:
    frame = pd.DataFrame({"组": [f"g{i % 60}" for i in range(600)], "有效": ["是", "否", "否"] * 200})
    assert records(TRIAL.report(frame, measures={"组": "定类"}), "pairs") == []
