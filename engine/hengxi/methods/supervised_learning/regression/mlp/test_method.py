"""What is particular to perceptrons: layers, stopping, early stopping, storing. Numbers are the oracle's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.prepare import answers, trained
from hengxi.stats.learning import networks
from hengxi.testing import Trial, cells, check

HERE = Path(__file__).parent
PATH = "supervised_learning/regression/mlp"
CURVE = pd.read_csv(HERE / "example.csv")
RENT = pd.read_csv(HERE / "oracle-rent.csv")
FORM: dict[str, Any] = {"y": "y", "x": ["x1", "x2"], "cv_folds": 0, "shap": False, "hidden_layers": "6", "max_iter": 80}
TRIAL = Trial(PATH, CURVE, FORM, {}, strict=False)
OTHER = Trial(PATH, RENT, FORM | {"y": "月租", "x": ["面积", "区"]}, {"区": "定类", "装修": "定类"}, strict=False)


@pytest.mark.parametrize("written", ["a", "10,0", "10;5", "2000"])
def test_layers_that_are_no_list_are_refused(written: str) -> None:
    refusal = TRIAL.refused(hidden_layers=written)
    assert refusal.code == "data.layers" and "用逗号分隔的正整数，如 100,50" in refusal.text


def test_weights_that_grow_without_bound_are_refused() -> None:
    frame = CURVE.assign(x1=CURVE["x1"] * 1e150)
    refusal = TRIAL.refused(
        frame, standardize=False, standardize_y=False, solver="sgd", learning_rate_init=1, activation="identity"
    )
    assert refusal.code == "data.diverged" and "发散" in refusal.text


def test_bends_are_learned() -> None:
    report = TRIAL.report(hidden_layers="20,10", solver="lbfgs", max_iter=1000)
    assert float(cells(report, "evaluation")[0][7]) > 0.9  # R² of the test rows


@pytest.mark.parametrize("scaled", [True, False])
def test_a_stored_model_answers_like_the_library(scaled: bool) -> None:
    from sklearn.neural_network import MLPRegressor

    x, y = CURVE[["x1", "x2"]].to_numpy(), CURVE["y"].to_numpy()
    assert answers(trained(PATH, CURVE, FORM | {"standardize_y": scaled}))(x).shape == (len(CURVE), 1)
    settings: dict[str, Any] = {
        "activation": "relu", "solver": "adam", "alpha": 1e-4, "learning_rate_init": 0.01, "max_iter": 30,
        "early_stopping": False, "standardize": False, "standardize_y": scaled,
    }  # fmt: skip
    own = networks.learn(settings, (5, 4), x, y, None, None, 7, lambda *_: True).answers(x)[:, 0]
    if scaled:
        centre, spread = y.mean(), y.std(ddof=1)
        own, y = (own - centre) / spread, (y - centre) / spread
    library = MLPRegressor(hidden_layer_sizes=(5, 4), learning_rate_init=0.01, max_iter=30, random_state=7)
    assert np.allclose(own, library.fit(x, y).predict(x), atol=1e-10)


def test_words_gaps_early_stopping_and_bad_outcomes() -> None:
    frame = RENT.assign(常数=3.0)
    for encode in ("onehot", "ordinal", "target"):
        report = OTHER.report(frame, x=["面积", "区", "装修", "常数"], missing="mean", encode=encode)
        assert cells(report, "layers")
    assert cells(TRIAL.report(early_stopping=True), "checked")
    assert TRIAL.refused(CURVE.assign(倍=CURVE["y"] * 3), x=["x1", "倍"]).code == "data.leak"
    assert TRIAL.refused(CURVE.iloc[:15]).code == "data.few"
    assert check(TRIAL.report(), "参数与样本")
