"""What a comparison of models must know of every learner there is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi import registry
from hengxi.methods.supervised_learning._shared import comparison
from hengxi.methods.supervised_learning._shared.learner import Learner
from hengxi.testing import Trial, check, warnings

COMPARE = ("supervised_learning/classifier/auto_model_compare", "supervised_learning/regression/auto_model_compare")


@pytest.mark.parametrize("path", COMPARE)
def test_every_learner_of_the_group_can_be_chosen_and_has_its_place(path: str) -> None:
    method: Any = registry.load(path)
    learners = method.learners()
    options = {one.key for one in method.Input.fields["own"].options}
    assert len(learners) >= 10 and all(issubclass(one, Learner) for one in learners.values())
    assert set(learners) <= options and set(learners) <= set(comparison.SIMPLICITY)
    assert "auto_model_compare" not in learners


def test_fellows_are_the_others_of_the_group() -> None:
    found = registry.load(COMPARE[0]).fellows()
    assert "classifier_predict" in found and "auto_model_compare" not in found
    assert found["knn"] is registry.load("supervised_learning/classifier/knn")


@pytest.fixture(scope="module")
def planted() -> pd.DataFrame:
    """An outcome of noise and one honest variable; an id, a near copy of the outcome, and a day that knows it."""
    rng = np.random.default_rng(12)
    x = rng.normal(size=200)
    value = x + rng.normal(size=200)
    sick = np.where(value > 0, "是", "否")
    return pd.DataFrame({
        "患病": sick, "数值": value, "x": x, "编号": np.arange(10_001, 10_201),
        "代码": [f"P{i:04d}" for i in range(200)],
        "确诊费": np.where(value > 0, 900, 100) + rng.normal(size=200), "近似": value + rng.normal(size=200) / 100,
        "日期": pd.date_range("2024-01-01", periods=200),
    })  # fmt: skip


LEAKS = [
    ("supervised_learning/classifier/logistic_regression", "患病", {"penalty": "l2"}),
    ("supervised_learning/regression/linear_regression", "数值", {}),
]


@pytest.mark.parametrize(("path", "y", "more"), LEAKS)
def test_planted_leaks_are_named(path: str, y: str, more: dict[str, Any], planted: pd.DataFrame) -> None:
    form = {"y": y, "cv_folds": 0, "shap": False} | more
    trial = Trial(path, planted, form, {"患病": "定类"}, strict=False)
    numbered = trial.report(x=["x", "编号"])
    assert "data.identifier" in warnings(numbered) and "编号" in str(numbered)
    named = trial.report(None, {"代码": "定类"}, x=["x", "代码"], encode="target")
    assert "data.identifier" in warnings(named)
    near = "确诊费" if y == "患病" else "近似"
    assert near in str(check(trial.report(x=["x", near]), "疑似泄漏"))
    assert "日期" in str(check(trial.report(x=["x", "日期"]), "时间泄漏"))
    copied = trial.refused(planted.assign(翻=planted[y]), {"翻": "定类"} if y == "患病" else {}, x=["x", "翻"])
    assert copied.code == "data.leak" and "翻" in copied.text
    honest = trial.report(planted.assign(z=planted["x"] ** 2), x=["x", "z"])
    assert "疑似泄漏" not in str(honest) and "data.identifier" not in warnings(honest)
