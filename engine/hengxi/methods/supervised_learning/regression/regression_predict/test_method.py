"""What is particular to predicting with a saved regressor. Numbers are the oracle's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal, SetRemedy
from hengxi.prepare import run_on_frame, trained
from hengxi.stats.learning.value_scores import margin
from hengxi.testing import records

PATH = "supervised_learning/regression/regression_predict"
FOLDER = Path(__file__).parent
NEW = pd.read_csv(FOLDER / "example.csv")
CARS = pd.read_csv(FOLDER.parent / "knn" / "example.csv")
X = ["cyl", "disp", "hp", "wt"]
FORM: dict[str, Any] = {"y": "mpg", "x": X, "n_neighbors": 3, "cv_folds": 0, "shap": False}
MODEL = trained("supervised_learning/regression/knn", CARS, FORM)
COLUMNS = {f"x{j + 1}": name for j, name in enumerate(X)}


def predicted(frame: pd.DataFrame = NEW, **form: Any) -> Any:
    whole = {"model": {"model_id": 1, "columns": COLUMNS}, **form}
    return run_on_frame(PATH, frame, whole, kept={"model": MODEL})["parts"][0]["elements"]


def refused(frame: pd.DataFrame = NEW, **form: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        predicted(frame, **form)
    return caught.value


def test_the_margin_is_the_place_of_the_conformal_quantile() -> None:
    residual = np.arange(1.0, 20.0)
    assert margin(residual, 0.9) == 18.0 and margin(residual, 0.95) == 19.0
    assert margin(residual[:18], 0.95) is None


def test_intervals_hold_the_share_of_new_rows_they_promise() -> None:
    rng = np.random.default_rng(3)
    held = []
    for _ in range(1000):
        errors = rng.standard_t(3, 60)
        width = margin(np.abs(errors[:59]), 0.9)
        assert width is not None
        held.append(abs(errors[59]) <= width)
    assert 0.88 <= np.mean(held) <= 0.92


def test_a_level_the_test_rows_are_too_few_for_is_refused() -> None:
    refusal = refused(interval="95")
    assert refusal.code == "data.margin" and "至少要 19 行测试集" in refusal.text
    remedies = [remedy.set for remedy in refusal.faults[0].remedies if isinstance(remedy, SetRemedy)]
    assert remedies == [{"interval": "none"}]


def test_rows_with_gaps_have_no_prediction_and_say_so() -> None:
    rows = records(predicted(), "predictions")
    assert rows[3]["predicted"] is None and rows[3]["status"] == "缺少变量值"
    assert all(row["predicted"] is not None for place, row in enumerate(rows) if place != 3)


def test_no_row_to_predict_is_refused() -> None:
    refusal = refused(NEW.assign(hp=np.nan))
    assert refusal.code == "data.empty" and "hp" in refusal.text


def test_true_values_only_where_nothing_was_predicted_are_refused() -> None:
    frame = NEW.assign(mpg=[20.0 if place == 3 else None for place in range(10)])
    refusal = refused(frame)
    assert refusal.code == "data.few" and "都没有得到预测" in refusal.text


def test_predictions_can_be_a_table_of_their_own() -> None:
    made = next(e for e in predicted(append=True) if e["type"] == "data" and e["name"] == "made")
    assert made["table"] and made["rows"] == len(NEW)
    assert [column["name"] for column in made["columns"]] == ["行号", *X, "预测值", "预测状态"]


def test_true_values_beyond_computing_are_refused() -> None:
    assert refused(NEW.assign(mpg=NEW["mpg"] * 1e200)).code == "data.large"
