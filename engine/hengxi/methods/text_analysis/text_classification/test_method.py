"""What is particular to text classification: labels missing, alone, few or rare; what is predicted and saved."""

from pathlib import Path

import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
TRIAL = Trial(
    "text_analysis/text_classification", FRAME, {"text": "body", "y": "topic", "model": "bayes"},
    {"title": "定类", "body": "文本", "topic": "定类"},
)  # fmt: skip
report, refused = TRIAL.report, TRIAL.refused


def test_no_label_is_refused() -> None:
    frame = FRAME.assign(topic=None)
    refusal = refused(frame)
    assert "topic" in refusal.text or "类别" in refusal.text


def test_labels_only_on_rows_without_words_are_refused() -> None:
    frame = FRAME.copy()
    frame["topic"] = None
    frame.loc[[0, 1], ["body", "topic"]] = [["！！", "甲"], ["？？", "乙"]]
    assert "类别列全为空" in refused(frame).text


def test_one_class_is_refused() -> None:
    frame = FRAME.copy()
    frame["topic"] = "体育"
    assert refused(frame).code in {"data.one_class", "role.levels"} or "两个" in refused(frame).text


def test_fewer_than_twenty_labels_are_refused() -> None:
    frame = FRAME.copy()
    frame.loc[frame.index >= 20, "topic"] = None
    assert "至少需要20行" in refused(frame, cv_folds=2).text


def test_a_class_smaller_than_the_folds_is_refused_with_fewer_folds() -> None:
    frame = FRAME.copy()
    frame.loc[frame.index[:3], "topic"] = "旅游"
    refusal = refused(frame)
    assert "类别“旅游”只有3行，少于折数5" in refusal.text and refusal.faults[0].remedies


def test_a_rare_class_is_said_to_be_unreliable() -> None:
    frame = FRAME.copy()
    frame.loc[frame.index[:6], "topic"] = "旅游"
    assert check(report(frame), "每类的标注")["state"] == "care"


def test_labels_by_chance_are_not_better_than_the_baseline() -> None:
    frame = FRAME.assign(topic=(["甲"] * 40 + ["乙"] * 20))
    frame["body"] = ["球队赢得比赛"] * 30 + ["银行下调利率"] * 30
    frame["topic"] = (["甲", "乙", "甲"] * 20)[:60]
    assert check(report(frame), "比基线好")["state"] == "fail"


@pytest.mark.parametrize("features", ["words", "chars", "both"])
def test_every_unlabelled_row_is_predicted(features: str) -> None:
    elements = report(features=features)
    assert len(records(elements, "predicted")) == int(FRAME["topic"].isna().sum())


def test_labelled_rows_without_words_are_told() -> None:
    frame = FRAME.copy()
    at = frame["topic"].notna().idxmax()
    frame.loc[at, "body"] = "！！！"
    assert "data.wordless" in warnings(report(frame))


def test_all_labelled_leaves_nothing_to_predict() -> None:
    frame = FRAME.dropna(subset=["topic"])
    elements = report(frame)
    assert records(elements, "predicted") == [] and records(elements, "ask") == []


def test_predictions_are_saved() -> None:
    data = next(e for e in report() if e["type"] == "data")
    assert [column["name"] for column in data["columns"]] == ["预测类别", "预测概率", "待人工"]


def test_a_class_too_small_for_the_svm_is_refused_with_another_model() -> None:
    labels = ["稀" if i < 3 else "甲" if i % 2 else "乙" for i in range(len(FRAME))]
    for model in ("svm", "auto"):
        refusal = refused(FRAME.assign(topic=labels), model=model, cv_folds=3)
        assert refusal.code == "data.rare_svm" and refusal.faults[0].remedies
    assert report(FRAME.assign(topic=labels), model="logistic", cv_folds=3)
