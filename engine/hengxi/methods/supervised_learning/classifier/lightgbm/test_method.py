"""What is particular to LightGBM of classes. Numbers are the oracle's."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.methods.supervised_learning._shared.lgbm import LgbmLearner, LightModel
from hengxi.prepare import answers, trained
from hengxi.testing import Trial, check, records

pytestmark = pytest.mark.slow

PATH = "supervised_learning/classifier/lightgbm"
DATA = pd.read_csv(Path(__file__).parent / "example.csv").sample(frac=1, random_state=1).reset_index(drop=True)
FORM: dict[str, Any] = {
    "y": "species", "x": ["sepal_length", "sepal_width", "petal_length", "petal_width"], "n_estimators": 12,
    "cv_folds": 0, "shap": False,
}  # fmt: skip
TRIAL = Trial(PATH, DATA, FORM, {"species": "定类"}, strict=False)
GAPS = DATA.mask(np.random.default_rng(3).random(DATA.shape) < 0.1).assign(species=DATA["species"])
PARAMS: dict[str, Any] = {
    "n_estimators": 9, "learning_rate": 0.3, "num_leaves": 6, "max_depth": -1, "min_child_samples": 3, "subsample": 0.8,
    "colsample_bytree": 1.0, "reg_alpha": 0.1, "reg_lambda": 1.0, "native_cat": True, "shuffle": True,
}  # fmt: skip


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("kind", ["gbdt", "dart", "rf"])
def test_the_model_answers_explains_and_is_stored_alike(kind: str, k: int) -> None:
    data = GAPS if k == 3 else GAPS[GAPS["species"] != "setosa"].reset_index(drop=True)
    x = np.column_stack([data[FORM["x"]].to_numpy(), np.arange(len(data)) % 3])
    y = pd.factorize(data["species"])[0]
    x[:, 4] = (x[:, 4] + 2 * y) % 7
    kinds = np.array([0, 0, 0, 0, 7])
    grown = LgbmLearner.boost(
        PARAMS | {"boosting_type": kind}, Rows(x, y, None, k, np.arange(5), kinds), 5, lambda *_: True, ""
    )
    model = grown.model
    assert isinstance(model, LightModel) and (k == 2 or "==" in str(model.booster.dump_model()))
    assert np.allclose(list(model.stages(x))[-1], model.answers(x))
    assert LgbmLearner.explainer(grown, x, k).error(model.scores(x)) < 1e-9
    again = LgbmLearner.restored(LgbmLearner.stored(grown), k)
    assert np.array_equal(again.model.answers(x), model.answers(x))
    if kind == "rf":
        theirs = model.booster.predict(x)
        theirs = theirs if k == 3 else np.column_stack([1 - theirs, theirs])
        assert np.allclose(model.answers(x), theirs)


def test_a_stored_model_answers_gaps() -> None:
    stored = trained(PATH, GAPS, FORM, measures={"species": "定类"})
    assert np.isfinite(answers(stored)(np.full((1, 4), np.nan))).all()


def test_a_forest_wants_samples() -> None:
    assert "要求样本采样率小于 1" in TRIAL.refused(boosting_type="rf").text


def test_small_tables_have_small_leaves() -> None:
    assert "自动下调" in check(TRIAL.report(), "叶子的最小样本数")["text"]
    assert "叶子的最小样本数" not in str([e.get("title") for e in TRIAL.report(min_child_samples=5)])


def test_many_levels_need_no_coding() -> None:
    many = pd.concat([DATA] * 4, ignore_index=True)
    many["号"] = [f"类{i % 220}" for i in range(len(many))]
    report = TRIAL.report(many, {"号": "定类"}, x=[*FORM["x"], "号"])
    assert records(report, "evaluation")
    assert "目标编码" in TRIAL.refused(many, {"号": "定类"}, x=[*FORM["x"], "号"], native_cat=False).text


def test_a_machine_without_openmp_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    assert "libgomp1" in TRIAL.refused().text


def test_the_seed_alone_decides() -> None:
    first, same, other = (TRIAL.report(seed=seed, subsample=0.5) for seed in (5, 5, 6))
    assert records(first, "evaluation") == records(same, "evaluation") != records(other, "evaluation")
