"""What is particular to LightGBM of numbers. Numbers are the oracle's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.methods.supervised_learning._shared.lgbm import LgbmLearner
from hengxi.stats.learning.boosted import Boosted
from hengxi.testing import Trial, check, records

pytestmark = pytest.mark.slow

PATH = "supervised_learning/regression/lightgbm"
DATA = pd.read_csv(Path(__file__).parent / "example.csv").astype({"disp": float, "hp": float, "wt": float})
FORM: dict[str, Any] = {"y": "mpg", "x": ["disp", "hp", "wt"], "n_estimators": 12, "cv_folds": 0, "shap": False}
TRIAL = Trial(PATH, DATA, FORM, {}, strict=False)
PARAMS: dict[str, Any] = {
    "n_estimators": 1, "learning_rate": 0.5, "num_leaves": 2, "max_depth": -1, "min_child_samples": 1, "subsample": 1.0,
    "reg_alpha": 0.0, "reg_lambda": 1.0, "native_cat": True, "shuffle": True, "objective": "l2", "alpha": 0.9,
}  # fmt: skip


class Plain(LgbmLearner):
    """Without the form."""

    @classmethod
    def objective_of(cls, params: dict[str, Any]) -> str:
        return str(params["objective"])


def grown(x: Any, y: Any, **params: Any) -> Boosted:
    none = np.zeros(x.shape[1], dtype=np.int64)
    return Plain.boost(PARAMS | params, Rows(x, y, None, 1, none, none), 5, lambda *_: True, "").model


def test_the_textbook_stump() -> None:
    """Li Hang, example 8.2: two leaves, η = 0.5, λ = 1: 6.848286 and 7.949200 by the formula.

    A bin holds three rows at least: each row stands three times, and λ is three.
    """
    y = np.repeat([5.56, 5.70, 5.91, 6.40, 6.80, 7.05, 8.90, 8.70, 9.00, 9.05], 3)
    got = grown(np.repeat(np.arange(1.0, 11), 3)[:, None], y, reg_lambda=3.0).answers(np.array([[1.0], [10.0]]))[:, 0]
    assert np.allclose(got, [6.848286, 7.949200], atol=1e-6)


@pytest.mark.parametrize("objective", ["l2", "huber"])
def test_far_and_large_outcomes_keep_their_digits(objective: str) -> None:
    x, y = DATA[FORM["x"]].to_numpy(), DATA["mpg"].to_numpy()
    own: dict[str, Any] = {"objective": objective, "n_estimators": 10, "num_leaves": 4, "reg_alpha": 0.5}
    near, far = (grown(x, y + shift, **own).answers(x)[:, 0] - shift for shift in (0.0, 1e9))
    assert np.allclose(near, far, atol=1e-4)


def test_counts_are_wanted_for_poisson() -> None:
    data = DATA.assign(mpg=DATA["mpg"] - 20)
    assert "不小于 0" in TRIAL.refused(data, objective="poisson").text
    assert records(TRIAL.report(objective="poisson", shap=True), "shap_means")


def test_a_quantile_is_no_mean() -> None:
    assert "不是平均值" in check(TRIAL.report(objective="quantile"), "预测的是什么")["text"]


def test_the_seed_alone_decides() -> None:
    first, same, other = (TRIAL.report(seed=seed, subsample=0.5) for seed in (5, 5, 6))
    assert records(first, "evaluation") == records(same, "evaluation") != records(other, "evaluation")
