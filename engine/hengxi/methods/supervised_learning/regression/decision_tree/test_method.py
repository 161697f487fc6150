"""What is particular to a regression tree; what trees share is tested beside 决策树分类."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hengxi.contract import SetRemedy
from hengxi.prepare import answers, trained
from hengxi.testing import Trial, check, records

PATH = "supervised_learning/regression/decision_tree"
CARS = pd.read_csv(Path(__file__).parent / "example.csv")
FORM: dict[str, Any] = {"y": "mpg", "x": ["disp", "hp", "wt"], "cv_folds": 0, "shap": False}
TRIAL = Trial(PATH, CARS, FORM, {}, strict=False)


def test_predictions_are_means_of_the_leaves() -> None:
    values = {round(row["value"], 9) for row in records(TRIAL.report(max_depth=2), "rules")}
    stored = trained(PATH, CARS, FORM | {"max_depth": 2})
    assert {round(float(value), 9) for value in answers(stored)(CARS[FORM["x"]].to_numpy(float)).ravel()} <= values


def test_poisson_wants_no_negative_outcome() -> None:
    refusal = TRIAL.refused(CARS.assign(mpg=CARS["mpg"] - 20), criterion="poisson")
    assert refusal.code == "data.negative" and "不小于 0" in refusal.text
    remedies = [remedy.set for remedy in refusal.faults[0].remedies if isinstance(remedy, SetRemedy)]
    assert remedies == [{"criterion": "squared_error"}]


def test_values_beyond_the_training_rows_are_told() -> None:
    frame = CARS.sort_values("mpg").reset_index(drop=True)
    text = check(TRIAL.report(frame, shuffle=False), "预测的范围")
    assert text["state"] == "care" and "本模型预测不到那里" in text["text"]


def test_huge_and_tiny_outcomes_are_refused() -> None:
    for factor in (1e120, 1e-130):
        assert TRIAL.refused(CARS.assign(mpg=CARS["mpg"] * factor)).code == "data.large"


def test_the_median_leaf_of_the_absolute_error() -> None:
    rows = records(TRIAL.report(criterion="absolute_error", max_depth=1), "rules")
    assert len(rows) == 2 and all(np.isfinite(row["value"]) for row in rows)
