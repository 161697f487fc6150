"""What is particular to AdaBoost.R2. Numbers are the oracle's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import AdaBoostRegressor
from sklearn.tree import DecisionTreeRegressor

from hengxi.prepare import answers, trained
from hengxi.testing import Trial, check, records

pytestmark = pytest.mark.slow

PATH = "supervised_learning/regression/adaboost"
DATA = pd.read_csv(Path(__file__).parent / "example.csv").astype({"disp": float, "hp": float, "wt": float})
FORM: dict[str, Any] = {"y": "mpg", "x": ["disp", "hp", "wt"], "n_estimators": 12, "cv_folds": 0, "shap": False}
TRIAL = Trial(PATH, DATA, FORM, {}, strict=False)


@pytest.mark.parametrize("loss", ["linear", "square", "exponential"])
def test_a_stored_model_answers_like_the_library(loss: str) -> None:
    stored = trained(PATH, DATA, FORM | {"train_ratio": 0.95, "shuffle": False, "loss": loss}, measures={})
    rows = DATA.iloc[: int(len(DATA) - np.ceil(0.05 * len(DATA) - 1e-9))]
    base = DecisionTreeRegressor(max_depth=3)
    library = AdaBoostRegressor(base, n_estimators=12, loss=loss, random_state=20240101).fit(
        rows[FORM["x"]].to_numpy(dtype=np.float32), rows[FORM["y"]].to_numpy()
    )
    x = DATA[FORM["x"]].to_numpy(dtype=np.float32)
    assert np.allclose(answers(stored)(x.astype(float)).ravel(), library.predict(x), rtol=1e-12)


def test_the_rounds_end_where_every_row_is_known() -> None:
    step = pd.DataFrame({"x": np.arange(40.0), "z": np.tile([1.0, 2.0], 20), "y": np.repeat([1.0, 5.0], 20)})
    report = TRIAL.report(step, {"y": "定量"}, y="y", x=["x", "z"], base_depth=2)
    assert "已完全拟合训练行" in check(report, "提前停止")["text"]


def test_a_first_tree_that_is_too_bad_is_kept_and_told() -> None:
    rng = np.random.default_rng(2)
    noise = pd.DataFrame({"x": rng.integers(0, 2, 60).astype(float), "y": rng.choice([0.0, 1.0], 60)})
    report = TRIAL.report(noise, {"y": "定量", "x": "定量"}, y="y", x=["x"], base_depth=1, loss="linear", seed=3)
    rows = records(report, "course")
    if rows[0]["loss"] is None:
        assert "只有一棵树" in check(report, "基学习器")["text"]
    else:
        assert rows[0]["loss"] < 0.5


def test_the_seed_alone_decides() -> None:
    first, same, other = (TRIAL.report(seed=seed) for seed in (5, 5, 6))
    assert records(first, "evaluation") == records(same, "evaluation") != records(other, "evaluation")
