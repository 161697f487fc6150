"""What is particular to support vector machines: strategies, calibration, convergence, storing."""

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
PATH = "supervised_learning/classifier/svm"
IRIS = pd.read_csv(HERE / "example.csv")
CHURN = pd.read_csv(HERE / "oracle-churn.csv")
X = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
FORM: dict[str, Any] = {"y": "species", "x": X, "cv_folds": 0, "shap": False}
TRIAL = Trial(PATH, IRIS, FORM, {"species": "定类"}, strict=False)
WORDS = {"流失": "定类", "性别": "定类", "合约": "定类"}
OTHER = Trial(PATH, CHURN, FORM | {"y": "流失", "x": ["月费", "合约"], "event": "是"}, WORDS, strict=False)


def test_planes_of_several_classes_have_their_coefficients() -> None:
    for decision, words in (("ovr", "setosa 对 其余"), ("ovo", "setosa 对 virginica")):
        report = TRIAL.report(kernel="linear", decision=decision)
        assert words in str(cells(report, "coefficients")) and "有几个分界面" in str(report)


def test_machines_that_stop_early_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(support, "MOST_STEPS", 3)
    report = TRIAL.report(standardize=False)
    assert "训练未收敛" in str(check(report, "收敛")) and "标准化自变量" in str(check(report, "收敛"))


def test_calibration_knows_the_shares_where_decisions_tell_nothing() -> None:
    positive = np.arange(40) < 10
    a, b = support.platt(np.zeros(40), positive, None)
    assert 1 / (1 + np.exp(b)) == pytest.approx((10 * 11 / 12 + 30 / 32) / 40) and a == 0
    a, _ = support.platt(np.where(positive, 2.0, -2.0), positive, None)
    assert a < 0


def test_a_class_of_one_training_row_is_calibrated_by_the_machine_itself() -> None:
    x = np.random.default_rng(1).normal(size=(20, 2))
    params = {"C": 1.0, "kernel": "rbf", "gamma": "scale", "degree": 3, "tol": 1e-3, "standardize": True}
    model = support.learn_classes(params | {"decision": "ovr"}, x, np.arange(20) // 19, None, 3, 1, lambda *_: True)
    shares = model.answers(x)
    assert not shares[:, 2].any() and np.allclose(shares.sum(axis=1), 1)


@pytest.mark.parametrize("decision", ["ovr", "ovo"])
@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "sigmoid"])
def test_a_stored_model_answers_like_the_library(kernel: str, decision: str) -> None:
    from sklearn.svm import SVC

    form = {"y": "species", "x": X, "kernel": kernel, "decision": decision}
    handle = trained(PATH, IRIS, form, measures={"species": "定类"})
    shares = answers(handle)(IRIS[X].to_numpy())
    assert np.allclose(shares.sum(axis=1), 1)
    x, y = IRIS[X].to_numpy()[50:], np.repeat([0, 1], 50)
    params = {"C": 1.0, "kernel": kernel, "gamma": "scale", "degree": 3, "tol": 1e-5, "standardize": False}
    model = support.learn_classes(params | {"decision": decision}, x, y, None, 2, 1, lambda *_: True)
    assert np.allclose(model.decisions(x)[:, 0], SVC(kernel=kernel, tol=1e-5).fit(x, y).decision_function(x))


def test_many_rows_are_told_to_take_the_linear_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    from hengxi.methods.supervised_learning._shared import machines

    monkeypatch.setattr(machines, "LONG", 50)
    assert "线性核" in str(check(TRIAL.report(), "用时"))


def test_words_gaps_searches_and_rare_classes() -> None:
    frame = CHURN.assign(空=[None if i % 4 == 0 else float(i % 5) for i in range(len(CHURN))], 常数=1.0)
    for encode in ("onehot", "ordinal", "target"):
        report = OTHER.report(frame, x=["月费", "空", "合约", "性别", "常数"], missing="mean", encode=encode)
        assert cells(report, "vectors")
    assert cells(OTHER.report(tune="random", tune_trials=5, cv_folds=2, kernel="linear"), "trials")
    rare = IRIS.assign(species=["罕见", "罕见", *IRIS["species"][2:]])
    assert TRIAL.refused(rare, cv_folds=5).code == "data.rare_class"
