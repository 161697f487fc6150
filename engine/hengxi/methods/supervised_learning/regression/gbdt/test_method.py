"""What is particular to gradient boosting of numbers. Numbers are the oracle's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import GradientBoostingRegressor

from hengxi.methods.supervised_learning._shared import gbdt
from hengxi.prepare import answers, trained
from hengxi.testing import Trial, check, records

pytestmark = pytest.mark.slow

PATH = "supervised_learning/regression/gbdt"
DATA = pd.read_csv(Path(__file__).parent / "example.csv").astype({"disp": float, "hp": float, "wt": float})
FORM: dict[str, Any] = {"y": "mpg", "x": ["disp", "hp", "wt"], "n_estimators": 12, "cv_folds": 0, "shap": False}
TRIAL = Trial(PATH, DATA, FORM, {}, strict=False)


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "huber", "quantile"])
def test_a_stored_model_answers_like_the_library(loss: str) -> None:
    stored = trained(PATH, DATA, FORM | {"train_ratio": 0.95, "shuffle": False, "loss": loss}, measures={})
    rows = DATA.iloc[: int(len(DATA) - np.ceil(0.05 * len(DATA) - 1e-9))]
    library = GradientBoostingRegressor(n_estimators=12, loss=loss, random_state=20240101).fit(
        rows[FORM["x"]].to_numpy(), rows[FORM["y"]].to_numpy()
    )
    x = DATA[FORM["x"]].to_numpy()
    assert np.allclose(answers(stored)(x).ravel(), library.predict(x), rtol=1e-10)


def test_the_textbook_stumps() -> None:
    """Li Hang, example 8.2: squared losses of the training rows after one and six stumps on ten points (twice here)."""
    y = np.array([5.56, 5.70, 5.91, 6.40, 6.80, 7.05, 8.90, 8.70, 9.00, 9.05])
    x = np.arange(1.0, 11)
    for rounds, loss in ((1, 1.93), (2, 0.80), (3, 0.48), (6, 0.17)):
        library = GradientBoostingRegressor(n_estimators=rounds, learning_rate=1, max_depth=1).fit(x[:, None], y)
        model = gbdt.model_of(library, 1, "squared_error")
        assert abs(np.sum((model.answers(x[:, None])[:, 0] - y) ** 2) - loss) < 0.006


@pytest.mark.parametrize("loss", ["squared_error", "quantile", "huber"])
def test_long_tables_are_learned_by_histograms(monkeypatch: pytest.MonkeyPatch, loss: str) -> None:
    monkeypatch.setattr(gbdt, "MOST_EXACT", 20)
    report = TRIAL.report(loss=loss, min_samples_leaf=2)
    assert ("没有直方图算法" if loss == "huber" else "改用直方图算法") in str(report)


def test_the_seed_alone_decides() -> None:
    first, same, other = (TRIAL.report(seed=seed, subsample=0.5) for seed in (5, 5, 6))
    assert records(first, "evaluation") == records(same, "evaluation") != records(other, "evaluation")


def test_a_median_has_no_two_lines() -> None:
    report = TRIAL.report(loss="quantile", alpha=0.5)
    assert "重合" in str(report) and "不是平均值" in check(report, "预测的是什么")["text"]
