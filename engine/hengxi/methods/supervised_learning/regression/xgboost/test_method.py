"""What is particular to XGBoost of numbers. Numbers are the oracle's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.methods.supervised_learning._shared.xgb import XgbLearner
from hengxi.stats.learning import boosted
from hengxi.testing import Trial, records

pytestmark = pytest.mark.slow

PATH = "supervised_learning/regression/xgboost"
DATA = pd.read_csv(Path(__file__).parent / "example.csv").astype({"disp": float, "hp": float, "wt": float})
FORM: dict[str, Any] = {"y": "mpg", "x": ["disp", "hp", "wt"], "n_estimators": 12, "cv_folds": 0, "shap": False}
TRIAL = Trial(PATH, DATA, FORM, {}, strict=False)
PARAMS: dict[str, Any] = {
    "n_estimators": 1, "learning_rate": 0.5, "max_depth": 1, "subsample": 1.0, "colsample_bytree": 1.0,
    "min_child_weight": 1.0, "reg_alpha": 0.0, "reg_lambda": 1.0, "gamma": 0.0, "shuffle": True,
    "objective": "reg:squarederror",
}  # fmt: skip


class Plain(XgbLearner):
    """Without the form."""

    @classmethod
    def objective_of(cls, params: dict[str, Any]) -> str:
        return str(params["objective"])


def grown(x: Any, y: Any, **params: Any) -> boosted.Boosted:
    none = np.zeros(x.shape[1], dtype=np.int64)
    return Plain.boost(PARAMS | params, Rows(x, y, None, 1, none, none), 5, lambda *_: True, "").model


def test_the_textbook_stump() -> None:
    """Li Hang, example 8.2: one stump, η = 0.5, λ = 1: 6.848286 and 7.949200 by the formula."""
    y = np.array([5.56, 5.70, 5.91, 6.40, 6.80, 7.05, 8.90, 8.70, 9.00, 9.05])
    got = grown(np.arange(1.0, 11)[:, None], y).answers(np.array([[1.0], [10.0]]))[:, 0]
    assert np.allclose(got, [6.848286, 7.949200], atol=1e-6)


@pytest.mark.parametrize("objective", ["reg:squarederror", "reg:absoluteerror", "count:poisson", "reg:gamma"])
def test_the_model_read_from_json_answers_like_the_library(objective: str) -> None:
    import xgboost

    x, y = DATA[FORM["x"]].to_numpy(), DATA["mpg"].to_numpy()
    ours = grown(x, y, objective=objective, n_estimators=8, max_depth=3)
    log = ours.link == "log"
    base, scale = (0.0, 1.0) if log else (ours.base[0], ours.factors[0])
    data = xgboost.DMatrix(x.astype(np.float32), label=(y - base) / scale)
    data.set_base_margin(np.full(len(y), np.log(y.mean()) if log else 0.0))
    given = {"objective": objective, "eta": 0.5, "max_depth": 3, "tree_method": "hist", "nthread": 1}
    library = xgboost.train(given, data, 8)
    assert np.allclose(ours.answers(x)[:, 0], base + scale * library.predict(data), rtol=1e-6)


def test_far_and_large_outcomes_keep_their_digits() -> None:
    x, y = DATA[FORM["x"]].to_numpy(), DATA["mpg"].to_numpy()
    near = grown(x, y, n_estimators=10, max_depth=3, reg_alpha=0.5, gamma=0.5).answers(x)[:, 0]
    far = grown(x, y + 1e9, n_estimators=10, max_depth=3, reg_alpha=0.5, gamma=0.5).answers(x)[:, 0]
    assert np.allclose(near, far - 1e9, atol=1e-4)


def test_objectives_that_want_positive_outcomes() -> None:
    data = DATA.assign(mpg=DATA["mpg"] - DATA["mpg"].min())
    assert "要求因变量为正" in TRIAL.refused(data, objective="reg:gamma").text
    assert "不小于 0" in TRIAL.refused(data.assign(mpg=data["mpg"] - 1), objective="count:poisson").text
    assert "单精度" in TRIAL.refused(data.assign(mpg=data["mpg"] * 1e40), objective="count:poisson").text
    assert records(TRIAL.report(data, objective="count:poisson"), "evaluation")
