"""Meeting a saved model on another table: by name, by hand, and what does not fit. Numbers are the oracle's."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal
from hengxi.prepare import read_table, report_on, run_on_frame, trained

pytestmark = pytest.mark.slow

PATH = "supervised_learning/classifier/classifier_predict"
FOREST = "supervised_learning/classifier/random_forest"
NEW = pd.read_csv(Path(__file__).parent / "example.csv")
IRIS = pd.read_csv(Path(__file__).parents[1] / "random_forest/example.csv")
CHURN = pd.read_csv(Path(__file__).parents[1] / "random_forest/oracle-churn.csv")
KINDS = {"species": "定类", "性别": "定类", "流失": "定类"}


@cache
def iris_model() -> Any:
    form = {"y": "species", "x": list(IRIS.columns[:4]), "n_estimators": 20, "cv_folds": 0}
    return trained(FOREST, IRIS, form, "鸢尾", measures={"species": "定类"})


@cache
def churn_model(missing: str = "listwise") -> Any:
    form = {"y": "流失", "x": ["月费", "性别"], "event": "是", "n_estimators": 20, "cv_folds": 0, "missing": missing}
    return trained(FOREST, CHURN, form, "流失", measures={"性别": "定类", "流失": "定类"})


def report(frame: pd.DataFrame = NEW, kept: Any = None, **form: Any) -> list[dict[str, Any]]:
    handle = kept or iris_model()
    kinds = {name: kind for name, kind in KINDS.items() if name in frame}
    made = run_on_frame(PATH, frame, {"model": {"model_id": 1}, **form}, measures=kinds, kept={"model": handle})
    elements: list[dict[str, Any]] = made["parts"][0]["elements"]
    return elements


def refused(frame: pd.DataFrame, kept: Any = None, **form: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        report(frame, kept, **form)
    return caught.value


def rows(elements: list[dict[str, Any]], name: str) -> list[list[Any]]:
    return [row for e in elements if e["type"] == "table" and e["name"] == name for row in e["rows"]]


def test_without_a_model_it_says_what_to_do_first() -> None:
    with pytest.raises(Refusal) as caught:
        report_on(PATH, read_table(NEW, {}), {"model": {"model_id": 9}})
    assert caught.value.code == "model.gone" and "未找到该模型，请先训练并保存" in caught.value.text


def test_missing_variables_are_named_all_at_once() -> None:
    refusal = refused(NEW.drop(columns=["sepal_width", "petal_width"]))
    assert refusal.code == "model.columns" and "“sepal_width”、“petal_width”" in refusal.text


def test_variables_of_other_names_are_matched_by_hand() -> None:
    renamed = NEW.rename(columns={"petal_width": "花瓣宽"})
    by_hand: dict[str, Any] = {"model": {"model_id": 1, "columns": {"x4": "花瓣宽"}}}
    assert rows(report(renamed, **by_hand), "predictions") == rows(report(), "predictions")


def test_a_text_where_the_model_wants_a_number_is_refused() -> None:
    refusal = refused(NEW.assign(petal_width=[f"宽{i}" for i in range(len(NEW))]))
    assert refusal.code == "model.measure" and "变量“petal_width”应为定量" in refusal.text
    assert "请改变它的类型，或在“已保存模型”下指定别的变量" in refusal.text
    assert [one.title for one in refusal.faults[0].remedies] == ["改变类型"]


def test_further_columns_and_the_order_of_columns_do_not_matter() -> None:
    other = NEW[NEW.columns[::-1]].assign(多余=1)
    assert rows(report(other), "predictions") == rows(report(), "predictions")


def test_an_unseen_level_is_marked_or_filled_as_asked() -> None:
    frame = CHURN.iloc[:30].assign(性别=["未知", *CHURN["性别"][1:30]])
    status = [row[3] for row in rows(report(frame, churn_model()), "predictions")]
    assert status[0] == "未见过的类别" and set(status[1:]) == {"成功"}
    filled = rows(report(frame, churn_model("mean"), unseen="missing"), "predictions")
    assert filled[0][1] is not None and filled[0][3] == "成功"
    assert rows(report(frame, churn_model(), unseen="missing"), "predictions")[0][3] == "缺少变量值"


def test_levels_are_met_by_value_whatever_their_order() -> None:
    turned = CHURN.iloc[::-1].reset_index(drop=True)
    straight = [row[2] for row in rows(report(CHURN, churn_model()), "predictions")]
    assert [row[2] for row in rows(report(turned, churn_model()), "predictions")] == straight[::-1]


def test_nothing_to_predict_is_refused_with_the_reason() -> None:
    strange = refused(CHURN.assign(性别="F"), churn_model()).text
    assert "“性别”的取值“F”在训练数据里没有出现过（训练时的取值如“女”、“男”）；请核对取值的写法" in strange
    empty = refused(NEW.assign(sepal_width=np.nan))
    assert empty.code == "data.empty" and "变量“sepal_width”全部缺失；请换一份数据" in empty.text
    assert refused(NEW.assign(sepal_width=np.nan).iloc[:0]).code in ("data.empty", "data.filtered", "model.measure")


def test_the_threshold_counts_from_itself_on() -> None:
    before = [row[2] for row in rows(report(CHURN, churn_model()), "predictions") if row[1] == "是"]
    edge = float(np.median(before))
    after = [row[2] for row in rows(report(CHURN, churn_model(), threshold=edge), "predictions") if row[1] == "是"]
    assert after == [p for p in before if p >= edge] and edge in after


def test_truth_of_other_classes_is_refused_and_partly_other_ones_left_out() -> None:
    frame = NEW.assign(其他=["甲", "乙"] * 18 + ["甲"])
    other = refused(frame, y_true="其他").faults[0]
    assert (other.code, other.field) == ("data.classes", "y_true")
    by_name = refused(NEW.assign(species=["甲", "乙"] * 18 + ["甲"])).faults[0]
    assert (by_name.code, by_name.field, by_name.remedies) == ("data.classes", "compare", other.remedies)
    some = NEW.assign(species=["rosea", *NEW["species"][1:]])
    elements = report(some)
    assert [e["code"] for e in elements if e["type"] == "warning"] == ["data.classes"]
    assert rows(elements, "evaluation")[0][1] == len(NEW) - 3


def test_without_truth_nothing_is_scored_and_said() -> None:
    elements = report(NEW.drop(columns="species"))
    assert not rows(elements, "evaluation") and rows(elements, "counts")
    assert not rows(report(compare=False), "evaluation")


def test_an_empty_column_of_the_target_is_what_is_to_be_predicted() -> None:
    elements = report(NEW.assign(species=None))
    assert not rows(elements, "evaluation") and rows(elements, "counts") == rows(report(), "counts")


def test_a_new_table_holds_the_models_variables_and_the_answers() -> None:
    element = next(e for e in report(append=True) if e["type"] == "data" and e["name"] == "made")
    assert element["table"] and element["rows"] == len(NEW)
    names = [column["name"] for column in element["columns"]]
    assert names[:5] == ["行号", *IRIS.columns[:4]] and names[-1] == "预测状态"


def test_drift_is_told_where_it_is_more_than_chance() -> None:
    moved = pd.concat([IRIS] * 4, ignore_index=True)
    moved["petal_width"] += 1.5
    check = next(e for e in report(moved) if e["type"] == "check")
    assert check["state"] == "care" and check["facts"]["names"] == "petal_width"
    same = next(e for e in report(pd.concat([IRIS] * 4, ignore_index=True)) if e["type"] == "check")
    assert same["state"] == "pass"


def test_three_voices_say_what_was_predicted_and_what_the_score_is_worth() -> None:
    scored = report()
    voices = {e["voice"]: e["text"] for e in scored if e["type"] == "text" and e.get("voice")}
    assert set(voices) == {"student", "paper", "brief"} and "每 100 行大约判对" in voices["brief"]
    worth = next(e for e in scored if e["type"] == "check" and e["title"] == "没有参与训练")
    assert worth["state"] == "unknown"
    blind = report(NEW.drop(columns=["species"]))
    voices = {e["voice"]: e["text"] for e in blind if e["type"] == "text" and e.get("voice")}
    assert "没有真实类别可比" in voices["paper"] and "判对" not in voices["brief"]
    assert not [e for e in blind if e["type"] == "check" and e["title"] == "没有参与训练"]
