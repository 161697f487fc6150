"""What is particular to support vector regression: the tube, refusals, storing. Numbers are the oracle's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.prepare import answers, trained
from hengxi.stats.learning import support
from hengxi.testing import Trial, cells, check

HERE = Path(__file__).parent
PATH = "supervised_learning/regression/svm"
CARS = pd.read_csv(HERE / "example.csv")
RENT = pd.read_csv(HERE / "oracle-rent.csv")
FORM: dict[str, Any] = {"y": "mpg", "x": ["disp", "hp", "wt"], "cv_folds": 0, "shap": False}
TRIAL = Trial(PATH, CARS, FORM, {}, strict=False)
OTHER = Trial(PATH, RENT, FORM | {"y": "月租", "x": ["面积", "区"]}, {"区": "定类", "装修": "定类"}, strict=False)


def test_a_tube_that_holds_all_rows_is_refused() -> None:
    refusal = TRIAL.refused(epsilon=5)
    assert refusal.code == "data.epsilon" and "没有支持向量" in refusal.text and "减小 ε" in refusal.text


def test_a_tube_wider_than_the_outcome_is_told() -> None:
    assert "退化" in str(check(TRIAL.report(epsilon=1.3), "带宽"))
    assert "退化" in str(check(TRIAL.report(epsilon=6.5, standardize_y=False), "带宽"))


def test_machines_that_stop_early_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(support, "MOST_STEPS", 2)
    assert "训练未收敛" in str(check(TRIAL.report(), "收敛"))


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
@pytest.mark.parametrize("scaled", [True, False])
def test_a_stored_model_answers_like_the_library(kernel: str, scaled: bool) -> None:
    from sklearn.svm import SVR

    form = {"y": "mpg", "x": FORM["x"], "kernel": kernel, "standardize_y": scaled}
    x = CARS[FORM["x"]].to_numpy(dtype=float)
    assert answers(trained(PATH, CARS, form))(x).shape == (32, 1)
    y = CARS["mpg"].to_numpy()
    z = (x - x.mean(axis=0)) / x.std(axis=0, ddof=1)
    params = {"C": 1.0, "epsilon": 0.1, "kernel": kernel, "gamma": "scale", "degree": 3, "tol": 1e-3}
    own = support.learn_values(params | {"standardize": True, "standardize_y": scaled}, x, y, None).answers(x)[:, 0]
    if scaled:
        own = (own - y.mean()) / y.std(ddof=1)
        y = (y - y.mean()) / y.std(ddof=1)
    assert np.allclose(own, SVR(kernel=kernel).fit(z, y).predict(z), atol=1e-9)


def test_words_gaps_searches_and_bad_outcomes() -> None:
    frame = RENT.assign(常数=3.0)
    for encode in ("onehot", "ordinal", "target"):
        report = OTHER.report(frame, x=["面积", "区", "装修", "常数"], missing="mean", encode=encode)
        assert cells(report, "vectors")
    assert cells(OTHER.report(tune="random", tune_trials=5, cv_folds=2, kernel="linear"), "trials")
    assert TRIAL.refused(CARS.assign(公里=CARS["mpg"] * 0.425), x=["disp", "公里"]).code == "data.leak"
    assert TRIAL.refused(CARS.iloc[:15]).code == "data.few"
