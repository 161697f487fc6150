"""What is particular to logistic models: separation, penalties, classes absent from a fold, storing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import SetRemedy
from hengxi.prepare import answers, trained
from hengxi.stats.learning import logits
from hengxi.testing import Trial, cells, check

HERE = Path(__file__).parent
PATH = "supervised_learning/classifier/logistic_regression"
CANCER = pd.read_csv(HERE / "example.csv")
CHURN = pd.read_csv(HERE / "oracle-churn.csv")
FORM: dict[str, Any] = {"y": "diagnosis", "x": ["radius", "texture"], "event": "恶性", "cv_folds": 0, "shap": False}
TRIAL = Trial(PATH, CANCER, FORM, {"diagnosis": "定类"}, strict=False)
WORDS = {"流失": "定类", "性别": "定类", "合约": "定类"}
OTHER = Trial(PATH, CHURN, FORM | {"y": "流失", "x": ["月费", "合约"], "event": "是"}, WORDS, strict=False)
SETTINGS = {"penalty": "none", "C": 1.0, "l1_ratio": 0.5, "max_iter": 1000, "standardize": True}


def test_classes_told_apart_without_a_fault_want_a_penalty() -> None:
    frame = CANCER.assign(gap=np.where(CANCER["diagnosis"] == "恶性", 5.0, 0.0) + CANCER["texture"] / 100)
    refusal = TRIAL.refused(frame, x=["radius", "gap"])
    assert refusal.code == "data.separated" and "最大似然估计不存在" in refusal.text and "L2" in refusal.text
    assert [one.set for one in refusal.faults[0].remedies if isinstance(one, SetRemedy)] == [{"penalty": "l2"}]
    assert cells(TRIAL.report(frame, x=["radius", "gap"], penalty="l2"), "plain")


def test_a_level_of_one_class_only_is_quasi_separation() -> None:
    frame = CHURN.assign(标记=["有" if y == "是" and i % 3 == 0 else "无" for i, y in enumerate(CHURN["流失"])])
    report = OTHER.report(frame, WORDS | {"标记": "定类"}, x=["月费", "标记"])
    assert "Firth" in str(check(report, "完全分离"))


def test_the_event_turns_the_signs() -> None:
    one, other = (cells(TRIAL.report(event=event), "coefficients") for event in ("恶性", "良性"))
    assert [row[2] for row in one] == pytest.approx([-row[2] for row in other])  # series, name, b


def test_penalties_agree_where_they_meet() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(120, 4))
    y = rng.integers(0, 3, 120)
    ends = [SETTINGS | {"penalty": "elastic", "l1_ratio": ratio} for ratio in (0.0, 1.0)]
    for kind, settings in zip(("l2", "l1"), ends, strict=True):
        own = logits.learn(SETTINGS | {"penalty": kind}, x, y, None, 3, []).answers(x)
        assert np.allclose(own, logits.learn(settings, x, y, None, 3, []).answers(x), atol=1e-9)


def test_many_coefficients_take_the_way_without_second_derivatives(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=(200, 5))
    y = (x[:, 0] + rng.normal(size=200) > 0).astype(int)
    whole = logits.learn(SETTINGS | {"penalty": "l2"}, x, y, None, 2, []).answers(x)
    monkeypatch.setattr(logits, "MOST_UNKNOWNS", 2)
    assert np.allclose(logits.learn(SETTINGS | {"penalty": "l2"}, x, y, None, 2, []).answers(x), whole, atol=1e-4)


def test_a_class_without_rows_is_never_answered() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(60, 2)), np.repeat([0, 2], 30)
    shares = logits.learn(SETTINGS, x, y, None, 3, []).answers(x)
    assert not shares[:, 1].any() and np.allclose(shares.sum(axis=1), 1)


@pytest.mark.parametrize("penalty", ["none", "l2", "l1", "elastic"])
def test_a_stored_model_answers_alike(penalty: str) -> None:
    form = {"y": "diagnosis", "x": ["radius", "texture"], "penalty": penalty}
    handle = trained(PATH, CANCER, form, measures={"diagnosis": "定类"})
    shares = answers(handle)(CANCER[["radius", "texture"]].to_numpy(dtype=float))
    assert np.allclose(shares.sum(axis=1), 1)


def test_words_gaps_searches_and_rare_classes() -> None:
    frame = CHURN.assign(空=[None if i % 4 == 0 else float(i % 5) for i in range(len(CHURN))], 常数=1.0)
    for encode in ("onehot", "ordinal", "target"):
        report = OTHER.report(frame, x=["月费", "空", "合约", "性别", "常数"], missing="mean", encode=encode)
        assert cells(report, "coefficients")
    assert cells(OTHER.report(tune="grid", tune_trials=5, cv_folds=3), "trials")
    rare = CANCER.assign(diagnosis=["罕见", "罕见", *CANCER["diagnosis"][2:]])
    assert TRIAL.refused(rare, cv_folds=5, event=None).code == "data.rare_class"
