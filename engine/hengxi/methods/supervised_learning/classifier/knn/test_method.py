"""What is particular to neighbours as a classifier; the neighbours themselves are tested beside K近邻回归."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from hengxi.testing import Trial, cells, check

PATH = "supervised_learning/classifier/knn"
IRIS = pd.read_csv(Path(__file__).parent / "example.csv")
X = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
FORM: dict[str, Any] = {"y": "species", "x": X, "cv_folds": 0, "shap": False}
TRIAL = Trial(PATH, IRIS, FORM, {"species": "定类"}, strict=False)


def titles(report: Any) -> list[str]:
    return [element["title"] for element in report if element["type"] == "check"]


def test_more_neighbours_than_training_rows_are_refused() -> None:
    refusal = TRIAL.refused(n_neighbors=150)
    assert refusal.code == "data.k" and "K 不能大于训练样本数 105" in refusal.text


def test_an_even_number_of_two_classes_may_tie() -> None:
    two = IRIS[IRIS["species"] != "setosa"].reset_index(drop=True)
    assert check(TRIAL.report(two, n_neighbors=4), "平票")
    assert "平票" not in titles(TRIAL.report(two, n_neighbors=5))


def test_unequal_units_without_scaling_are_told_with_the_way_out() -> None:
    frame = IRIS.assign(petal_length=IRIS["petal_length"] * 1000)
    assert check(TRIAL.report(frame, standardize=False), "量纲")
    assert "量纲" not in titles(TRIAL.report(frame))


def test_class_weights_move_the_shares() -> None:
    frame = IRIS.iloc[30:].reset_index(drop=True)
    plain, balanced = (
        cells(TRIAL.report(frame, n_neighbors=25, class_weight=kind), "predictions") for kind in ("none", "balanced")
    )
    assert plain != balanced


def test_a_class_smaller_than_the_folds_is_refused() -> None:
    frame = IRIS.assign(species=["罕见", "罕见", *IRIS["species"][2:]])
    assert TRIAL.refused(frame, cv_folds=5).code == "data.rare_class"


def test_variables_beyond_twelve_have_no_shapley_values_and_it_is_said() -> None:
    frame = IRIS.assign(**{f"v{i}": IRIS["petal_width"] ** (i + 2) for i in range(10)})
    report = TRIAL.report(frame, x=[*X, *(f"v{i}" for i in range(10))], shap=True)
    assert "逐个组合计算太久" in str(report)
