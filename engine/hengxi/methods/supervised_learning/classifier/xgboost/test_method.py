"""What is particular to XGBoost of classes. Numbers are the oracle's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.methods.supervised_learning._shared.xgb import XgbLearner
from hengxi.prepare import answers, trained
from hengxi.stats.learning import boosted
from hengxi.testing import Trial, check, records

pytestmark = pytest.mark.slow

PATH = "supervised_learning/classifier/xgboost"
DATA = pd.read_csv(Path(__file__).parent / "example.csv").sample(frac=1, random_state=1).reset_index(drop=True)
FORM: dict[str, Any] = {
    "y": "species", "x": ["sepal_length", "sepal_width", "petal_length", "petal_width"], "n_estimators": 12,
    "cv_folds": 0, "shap": False,
}  # fmt: skip
TRIAL = Trial(PATH, DATA, FORM, {"species": "定类"}, strict=False)
GAPS = DATA.mask(np.random.default_rng(3).random(DATA.shape) < 0.1).assign(species=DATA["species"])
PARAMS: dict[str, Any] = {
    "n_estimators": 9, "learning_rate": 0.3, "max_depth": 3, "subsample": 1.0, "colsample_bytree": 1.0,
    "min_child_weight": 1.0, "reg_alpha": 0.1, "reg_lambda": 1.0, "gamma": 0.2, "shuffle": True,
    "early_stopping_rounds": 0,
}  # fmt: skip


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("kind", ["gbtree", "dart", "gblinear"])
def test_the_model_read_from_json_answers_like_the_library(kind: str, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Single precision inside the library; stored and read again the answers are the very same."""
    import xgboost

    kept: dict[str, Any] = {}
    train = xgboost.train

    def hear(*args: Any, **more: Any) -> Any:
        kept["model"] = train(*args, **more)
        kept["data"] = args[1]
        return kept["model"]

    monkeypatch.setattr(xgboost, "train", hear)
    data = GAPS if k == 3 else GAPS[GAPS["species"] != "setosa"]
    x = data[FORM["x"]].to_numpy()
    y = pd.factorize(data["species"])[0]
    none = np.zeros(4, dtype=np.int64)
    grown = XgbLearner.boost(PARAMS | {"booster": kind}, Rows(x, y, None, k, none, none), 5, lambda *_: True, "")
    theirs = kept["model"].predict(kept["data"])
    theirs = theirs if k == 3 else np.column_stack([1 - theirs, theirs])
    assert np.allclose(grown.model.answers(x), theirs, atol=2e-6)
    again = boosted.unpack(boosted.pack(grown.model), k)
    assert np.array_equal(again.answers(x), grown.model.answers(x))
    shap = boosted.shap(grown.model, x)
    assert shap.error(grown.model.scores(x)) < 1e-9


def test_gaps_are_the_models_own_also_later() -> None:
    stored = trained(PATH, GAPS, FORM, measures={"species": "定类"})
    new = np.full((1, 4), np.nan)
    assert np.isfinite(answers(stored)(new)).all()
    assert all(feature.gaps for feature in stored.card.features)


def test_a_linear_model_has_no_trees() -> None:
    assert "gblinear没有树结构，已跳过" in str(TRIAL.report(booster="gblinear", shap=True))


def test_the_seed_alone_decides() -> None:
    first, same, other = (TRIAL.report(seed=seed, subsample=0.5) for seed in (5, 5, 6))
    assert records(first, "evaluation") == records(same, "evaluation") != records(other, "evaluation")


def test_early_stopping_that_never_came_is_told() -> None:
    assert "早停没有用上" in check(TRIAL.report(n_estimators=3, early_stopping_rounds=5), "轮数")["text"]
