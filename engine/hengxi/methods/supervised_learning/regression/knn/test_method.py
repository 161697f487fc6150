"""What is particular to neighbours: ties, weights, distances, refusals. Numbers are the oracle's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import SetRemedy
from hengxi.methods.supervised_learning._shared.neighbours import Neighbours, averages, gower
from hengxi.prepare import answers, trained
from hengxi.stats.learning.scaling import Scaling
from hengxi.testing import Trial, cells, warnings

PATH = "supervised_learning/regression/knn"
CARS = pd.read_csv(Path(__file__).parent / "example.csv")
FORM: dict[str, Any] = {"y": "mpg", "x": ["disp", "hp", "wt"], "cv_folds": 0, "shap": False}
TRIAL = Trial(PATH, CARS, FORM, {}, strict=False)


def near(x: list[float], y: list[float], k: int, **more: Any) -> Neighbours:
    columns = np.array(x)[:, None]
    settings: dict[str, Any] = {"weight": None, "by_distance": False, "metric": "euclidean"} | more
    return Neighbours(Scaling.learn(columns, False), columns, np.array(y)[:, None], k=k, **settings)


def test_equal_distances_take_the_first_rows_whatever_the_search_does() -> None:
    model = near([1.0, -1.0, 1.0, -1.0, 5.0], [10.0, 20.0, 30.0, 40.0, 99.0], 3)
    assert model.nearest(np.array([[0.0]]))[1].tolist() == [[0, 1, 2]]
    assert model.answers(np.array([[0.0]])).item() == pytest.approx(20.0)


def test_a_row_at_distance_zero_answers_alone_by_distance() -> None:
    model = near([0.0, 0.0, 1.0], [10.0, 20.0, 90.0], 3, by_distance=True)
    assert model.answers(np.array([[0.0]])).item() == pytest.approx(15.0)


def test_neighbours_without_weight_count_alike() -> None:
    weights = np.zeros((1, 2))
    assert averages(np.array([[1.0], [3.0]]), weights, np.array([[0, 1]])).ravel().tolist() == [1.0, 2.0]


def test_a_category_counts_one_in_gowers_distance() -> None:
    x = np.array([[0.0, 1.0, 0.0, 0.0], [10.0, 0.0, 1.0, 0.0]])
    scaled = gower(x, np.array([0, 1, 1, 1])).apply(x)
    assert np.abs(scaled[0] - scaled[1]).sum() == pytest.approx(2.0)


def test_a_stored_model_answers_alike_and_a_broken_one_is_refused() -> None:
    stored = trained(PATH, CARS, FORM)
    x = CARS[FORM["x"]].to_numpy(dtype=float)
    model = near([0.0, 1.0, 2.0], [1.0, 2.0, 3.0], 2)
    assert answers(stored)(x).shape == (32, 1)
    assert np.array_equal(Neighbours.unpack(model.pack()).answers(x[:, :1]), model.answers(x[:, :1]))
    with pytest.raises(ValueError, match="no neighbours"):
        Neighbours.unpack(model.pack() | {"near.kinds": np.array([0, 0, 9])})


# ---- bad input -----------------------------------------------------------------------------------------------------
def test_more_neighbours_than_training_rows_are_refused_with_a_remedy() -> None:
    refusal = TRIAL.refused(n_neighbors=25)
    assert refusal.code == "data.k" and "K 不能大于训练样本数 22（现在是 25）" in refusal.text
    remedies = refusal.faults[0].remedies
    assert [remedy.set for remedy in remedies if isinstance(remedy, SetRemedy)] == [{"n_neighbors": 5}]


def test_a_constant_outcome_is_refused() -> None:
    refusal = TRIAL.refused(CARS.assign(mpg=20.0))
    assert refusal.code in ("data.constant", "role.constant") and "mpg" in refusal.text


def test_the_outcome_in_another_unit_is_a_leak() -> None:
    refusal = TRIAL.refused(CARS.assign(公里=CARS["mpg"] * 0.425), x=["disp", "公里"])
    assert refusal.code == "data.leak" and "变量“公里”与因变量完全一致，疑似泄漏，请移除" in refusal.text


def test_too_few_rows_and_folds_are_refused() -> None:
    assert TRIAL.refused(CARS.iloc[:15]).code == "data.few"
    assert TRIAL.refused(cv_folds=1).code == "data.folds"
    assert TRIAL.refused(cv_folds=20).code == "data.folds"
    assert TRIAL.refused(tune="grid", cv_folds=0).code == "data.folds"


def test_a_constant_predictor_is_left_out_and_said() -> None:
    assert "data.constant" in warnings(TRIAL.report(CARS.assign(常数=1.0), x=["disp", "常数"]))


def test_two_hundred_levels_want_another_coding() -> None:
    frame = pd.concat([CARS] * 8, ignore_index=True)
    frame = frame.assign(编号=[f"号{i}" for i in range(len(frame))])
    refusal = TRIAL.refused(frame, {"编号": "定类"}, x=["disp", "编号"])
    assert refusal.code == "data.levels"
    assert cells(TRIAL.report(frame, {"编号": "定类"}, x=["disp", "编号"], encode="target"), "evaluation")
