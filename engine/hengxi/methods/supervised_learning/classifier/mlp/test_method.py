"""What is particular to perceptrons: layers, stopping, early stopping, storing. Numbers are the oracle's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.methods.supervised_learning._shared.perceptron import sizes_of
from hengxi.prepare import answers, run_on_frame, trained
from hengxi.stats.learning import networks
from hengxi.testing import Trial, cells, check

HERE = Path(__file__).parent
PATH = "supervised_learning/classifier/mlp"
IRIS = pd.read_csv(HERE / "example.csv")
CHURN = pd.read_csv(HERE / "oracle-churn.csv")
X = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
FORM: dict[str, Any] = {"y": "species", "x": X, "cv_folds": 0, "shap": False, "hidden_layers": "6", "max_iter": 60}
TRIAL = Trial(PATH, IRIS, FORM, {"species": "定类"}, strict=False)
WORDS = {"流失": "定类", "性别": "定类", "合约": "定类"}
OTHER = Trial(PATH, CHURN, FORM | {"y": "流失", "x": ["月费", "合约"], "event": "是"}, WORDS, strict=False)
SETTINGS: dict[str, Any] = {
    "activation": "tanh", "solver": "lbfgs", "alpha": 0.0, "learning_rate_init": 0.001, "max_iter": 2000,
    "early_stopping": False, "batch": "auto", "standardize": False,
}  # fmt: skip


@pytest.mark.parametrize("written", ["", "a", "10,0", "10;5", "-3", "1.5", "2000", "1,1,1,1,1,1"])
def test_layers_that_are_no_list_are_refused(written: str) -> None:
    if written:
        refusal = TRIAL.refused(hidden_layers=written)
        assert refusal.code == "data.layers" and "用逗号分隔的正整数，如 100,50" in refusal.text
    assert sizes_of(written) is None


def test_layers_may_be_parted_by_commas_of_both_kinds() -> None:
    assert sizes_of("100，50") == sizes_of(" 100, 50 ") == (100, 50)
    assert len(cells(TRIAL.report(hidden_layers="5，3"), "layers")) == 5


def test_exclusive_or_is_learned() -> None:
    x = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    y = np.array([0, 1, 1, 0])
    model = networks.learn(SETTINGS, (4,), x, y, None, 2, 1, lambda *_: True)
    assert model.answers(x).argmax(axis=1).tolist() == y.tolist()


def test_a_class_without_rows_is_never_answered() -> None:
    x = np.random.default_rng(1).normal(size=(60, 2))
    model = networks.learn(SETTINGS, (3,), x, np.repeat([0, 2, 3], 20), None, 5, 1, lambda *_: True)
    shares = model.answers(x)
    assert not shares[:, [1, 4]].any() and np.allclose(shares.sum(axis=1), 1)


def test_stopped_in_the_middle_keeps_what_was_learned() -> None:
    asked: list[int] = []

    def stop(done: float, of: float, text: str = "", best: float | None = None) -> bool:
        asked.append(1)
        return len(asked) < 20

    form = FORM | {"max_iter": 5000, "cv_folds": 5, "solver": "sgd"}
    report = run_on_frame(PATH, IRIS, form, measures={"species": "定类"}, progress=stop)
    assert "按要求停止" in str(report) and len(asked) < 60


def test_early_stopping_keeps_rows_back_where_there_are_enough() -> None:
    report = TRIAL.report(early_stopping=True)
    assert cells(report, "checked")
    few = IRIS.iloc[::6].reset_index(drop=True)
    assert "行数太少，没有另留行来早停" in str(TRIAL.report(few, early_stopping=True))


@pytest.mark.parametrize("activation", ["relu", "tanh", "logistic", "identity"])
def test_a_stored_model_answers_like_the_library(activation: str) -> None:
    from sklearn.neural_network import MLPClassifier

    form = FORM | {"activation": activation, "shap": False}
    x = IRIS[X].to_numpy()
    assert np.allclose(answers(trained(PATH, IRIS, form, measures={"species": "定类"}))(x).sum(axis=1), 1)
    y = pd.factorize(IRIS["species"])[0]
    own = networks.learn(
        SETTINGS | {"activation": activation, "max_iter": 50}, (5, 4), x, y, None, 3, 7, lambda *_: True
    )
    library = MLPClassifier((5, 4), activation=activation, solver="lbfgs", alpha=0, max_iter=50, random_state=7)
    assert np.allclose(own.answers(x), library.fit(x, y).predict_proba(x), atol=1e-10)


def test_words_gaps_searches_and_rare_classes() -> None:
    frame = CHURN.assign(空=[None if i % 4 == 0 else float(i % 5) for i in range(len(CHURN))], 常数=1.0)
    for encode in ("onehot", "ordinal", "target"):
        report = OTHER.report(frame, x=["月费", "空", "合约", "性别", "常数"], missing="mean", encode=encode)
        assert cells(report, "layers")
    assert "sgd" in str(OTHER.report(solver="sgd", batch="32"))
    assert cells(OTHER.report(tune="random", tune_trials=5, cv_folds=2), "trials")
    rare = IRIS.assign(species=["罕见", "罕见", *IRIS["species"][2:]])
    assert TRIAL.refused(rare, cv_folds=5).code == "data.rare_class"
    assert check(TRIAL.report(), "收敛")
