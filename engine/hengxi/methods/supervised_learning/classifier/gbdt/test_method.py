"""What is particular to gradient boosting of classes. Numbers are the oracle's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import GradientBoostingClassifier

from hengxi.methods.supervised_learning._shared import gbdt
from hengxi.prepare import answers, run_on_frame, trained
from hengxi.testing import Trial, check, records, warnings

pytestmark = pytest.mark.slow

PATH = "supervised_learning/classifier/gbdt"
DATA = pd.read_csv(Path(__file__).parent / "example.csv").sample(frac=1, random_state=1).reset_index(drop=True)
FORM: dict[str, Any] = {
    "y": "species", "x": ["sepal_length", "sepal_width", "petal_length", "petal_width"], "n_estimators": 12,
    "cv_folds": 0, "shap": False,
}  # fmt: skip
TRIAL = Trial(PATH, DATA, FORM, {"species": "定类"}, strict=False)
TWO = DATA[DATA["species"] != "setosa"].reset_index(drop=True)
ROWS = slice(0, int(len(DATA) - np.ceil(0.05 * len(DATA) - 1e-9)))


@pytest.mark.parametrize("loss", ["log_loss", "exponential"])
def test_a_stored_model_answers_like_the_library(loss: str) -> None:
    data = DATA if loss == "log_loss" else TWO
    own = FORM | {"train_ratio": 0.95, "shuffle": False, "stratify": False, "loss": loss}
    stored = trained(PATH, data, own, measures={"species": "定类"})
    rows = data.iloc[: int(len(data) - np.ceil(0.05 * len(data) - 1e-9))]
    library = GradientBoostingClassifier(n_estimators=12, loss=loss, random_state=20240101).fit(
        rows[FORM["x"]].to_numpy(), rows[FORM["y"]].to_numpy()
    )
    x = data[FORM["x"]].to_numpy()
    assert np.allclose(answers(stored)(x), library.predict_proba(x), rtol=1e-10)


def test_long_tables_are_learned_by_histograms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gbdt, "MOST_EXACT", 50)
    report = TRIAL.report(shap=True)
    assert records(report, "evaluation")[0]["accuracy"] > 0.8
    assert "直方图算法" in str(report)


def test_the_exponential_loss_wants_two_classes() -> None:
    assert "指数损失只支持二分类" in TRIAL.refused(loss="exponential").text


def test_the_seed_alone_decides() -> None:
    first, same, other = (TRIAL.report(seed=seed, subsample=0.5) for seed in (5, 5, 6))
    assert records(first, "evaluation") == records(same, "evaluation") != records(other, "evaluation")


def test_early_stopping_ends_before_the_last_round() -> None:
    report = TRIAL.report(n_estimators=300, learning_rate=0.5, n_iter_no_change=5)
    assert records(report, "rounds")[0]["used"] < 300 and "早停" in check(report, "轮数")["text"]


def test_too_many_rounds_are_told() -> None:
    assert "请减少轮数" in check(TRIAL.report(n_estimators=200, learning_rate=0.5), "轮数")["text"]


def test_stopped_in_the_trial_of_early_stopping_is_said() -> None:
    form = FORM | {"n_estimators": 400, "n_iter_no_change": 5}
    made = run_on_frame(PATH, DATA, form, measures={"species": "定类"}, progress=lambda *_: False)
    assert made["stopped"] and "run.trial_kept" in warnings(made["parts"][0]["elements"])
    assert "run.trial_kept" not in warnings(TRIAL.report(n_iter_no_change=5))
