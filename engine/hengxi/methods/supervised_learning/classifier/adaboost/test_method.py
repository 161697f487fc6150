"""What is particular to AdaBoost of classes. Numbers are the oracle's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from hengxi.methods.supervised_learning._shared.ada import AdaLearner
from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.prepare import answers, trained
from hengxi.testing import Trial, records

pytestmark = pytest.mark.slow

PATH = "supervised_learning/classifier/adaboost"
DATA = pd.read_csv(Path(__file__).parent / "example.csv").sample(frac=1, random_state=1).reset_index(drop=True)
FORM: dict[str, Any] = {
    "y": "species", "x": ["sepal_length", "sepal_width", "petal_length", "petal_width"], "n_estimators": 12,
    "cv_folds": 0, "shap": False,
}  # fmt: skip
TRIAL = Trial(PATH, DATA, FORM, {"species": "定类"}, strict=False)


class Plain(AdaLearner):
    """Without the form."""

    library, tree = AdaBoostClassifier, DecisionTreeClassifier


@pytest.mark.parametrize("k", [2, 3])
def test_a_stored_model_answers_like_the_library(k: int) -> None:
    data = DATA if k == 3 else DATA[DATA["species"] != "setosa"].reset_index(drop=True)
    own = FORM | {"train_ratio": 0.95, "shuffle": False, "stratify": False}
    stored = trained(PATH, data, own, measures={"species": "定类"})
    rows = data.iloc[: int(len(data) - np.ceil(0.05 * len(data) - 1e-9))]
    library = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=12, random_state=20240101).fit(
        rows[FORM["x"]].to_numpy(dtype=np.float32), rows[FORM["y"]].to_numpy()
    )
    x = data[FORM["x"]].to_numpy(dtype=np.float32)
    order = [list(library.classes_).index(c) for c in pd.unique(data["species"])] if k == 2 else slice(None)
    got = answers(stored)(x.astype(float))
    theirs = library.predict_proba(x)
    assert np.allclose(np.sort(got, axis=1), np.sort(theirs[:, order], axis=1), rtol=1e-10)


def test_the_textbook_example() -> None:
    """Li Hang, example 8.1: errors, α, cuts and no training errors after three rounds."""
    y = np.array([1, 1, 1, 0, 0, 0, 1, 1, 1, 0])
    x = np.arange(10.0)[:, None]
    none = np.zeros(1, dtype=np.int64)
    params = {"n_estimators": 3, "learning_rate": 1.0, "base_depth": 1}
    grown = Plain.boost(params, Rows(x, y, None, 2, none, none), 5, lambda *_: True, "")
    model: Any = grown.model
    assert np.allclose(grown.library.estimator_errors_, [0.3, 0.2143, 0.1818], atol=1e-4)
    assert np.allclose(model.weights / 2, [0.4236, 0.6496, 0.7520], atol=1e-4)
    assert [tree.threshold[0] for tree in model.forest.trees] == [2.5, 8.5, 5.5]
    assert (model.answers(x).argmax(axis=1) == y).all()


def test_a_stump_no_better_than_chance_is_refused() -> None:
    """Two questions that only tell together: exclusive or."""
    a, b = np.tile([0, 0, 1, 1], 15), np.tile([0, 1, 0, 1], 15)
    data = pd.DataFrame({"甲": a, "乙": b, "类": np.where(a ^ b, "异", "同")})
    refused = TRIAL.refused(data, {"类": "定类"}, y="类", x=["甲", "乙"], train_ratio=0.8, shuffle=False)
    assert "第1轮就不优于随机猜测" in refused.text
    assert records(TRIAL.report(data, {"类": "定类"}, y="类", x=["甲", "乙"], base_depth=2), "evaluation")


def test_the_seed_alone_decides() -> None:
    first, same, other = (TRIAL.report(seed=seed) for seed in (5, 5, 6))
    assert records(first, "evaluation") == records(same, "evaluation") != records(other, "evaluation")
