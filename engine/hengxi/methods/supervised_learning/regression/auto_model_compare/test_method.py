"""What is particular to comparing regressors; the course is tested beside the classifiers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.methods.supervised_learning._shared import comparison
from hengxi.prepare import answers, run_on_frame, trained
from hengxi.stats.learning import comparing
from hengxi.testing import Trial, cells, check

HERE = Path(__file__).parent
GROUP = "supervised_learning/regression/"
PATH = GROUP + "auto_model_compare"
CURVE = pd.read_csv(HERE / "example.csv")
CARS = pd.read_csv(HERE / "oracle-cars.csv")
FEW = ["linear_regression", "decision_tree", "knn"]
FORM: dict[str, Any] = {"y": "y", "x": ["x1", "x2"], "cv_folds": 3, "candidates": "own", "own": FEW}
TRIAL = Trial(PATH, CURVE, FORM, {}, strict=False)


SLOW = ["random_forest", "extra_tree", "gbdt", "mlp"]


@pytest.mark.parametrize("key", [*FEW, "svm", *(pytest.param(key, marks=pytest.mark.slow) for key in SLOW)])
def test_each_row_is_what_the_method_alone_says(key: str) -> None:
    form = {"y": "y", "x": ["x1", "x2"], "cv_folds": 3}
    report = run_on_frame(PATH, CURVE, form | {"candidates": "own", "own": [key]})["parts"][0]["elements"]
    alone = run_on_frame(GROUP + key, CURVE, form | {"shap": False})["parts"][0]["elements"]
    rows = {row[1]: row for row in cells(report, "board")}
    folds = {row[0]: row for row in cells(alone, "folds")}
    assert rows[comparison.TITLES[key]][2] == pytest.approx(folds["均值"][2], abs=1e-12)
    assert cells(report, "evaluation")[0] == cells(alone, "evaluation")[0]


def test_a_time_budget_nothing_fits_in_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from itertools import count
    from types import SimpleNamespace

    clock = count(0, 1000)
    monkeypatch.setattr(comparison, "time", SimpleNamespace(monotonic=lambda: float(next(clock))))
    refusal = TRIAL.refused()
    assert refusal.code == "data.budget" and "时间预算过短" in refusal.text


def test_noise_is_not_better_than_the_mean() -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"y": rng.normal(size=80), "x1": rng.normal(size=80), "x2": rng.normal(size=80)})
    report = TRIAL.report(frame, own=["decision_tree"])
    assert "没有一个模型" in str(check(report, "是否优于基线"))


def test_a_candidate_that_refuses_is_told_with_its_reason() -> None:
    wide = CARS.assign(**{f"v{i}": np.cos(CARS["mpg"] * (i + 1)) for i in range(25)})
    report = TRIAL.report(wide, y="mpg", x=[f"v{i}" for i in range(25)], cv_folds=4)
    row = next(row for row in cells(report, "board") if row[1] == "线性回归")
    assert row[0] is None and "不少于训练样本数" in row[-1]


def test_the_model_recommended_is_kept() -> None:
    handle = trained(PATH, CURVE, FORM)
    assert answers(handle)(CURVE[["x1", "x2"]].to_numpy()).shape == (len(CURVE), 1)


def test_the_correction_widens_what_folds_alone_would_say() -> None:
    values = np.array([0.1, 0.2, 0.15, 0.3, 0.25])
    one = comparing.corrected(values)
    assert one.t == pytest.approx(values.mean() / (values.std(ddof=1) * np.sqrt(1 / 5 + 1 / 4)))
    assert comparing.corrected(np.ones(4)).p is None
    assert comparing.holm([0.01, None, 0.04]) == [0.02, None, 0.04]


def test_the_simplest_within_a_standard_error_is_chosen() -> None:
    means, sds = np.array([0.90, 0.92, 0.80]), np.array([0.1, 0.1, 0.1])
    assert comparing.simplest(means, sds, [1, 9, 0], 5) == 0
    assert comparing.simplest(means, sds * 0.1, [1, 9, 0], 5) == 1


def test_bad_outcomes_are_refused() -> None:
    assert TRIAL.refused(CURVE.assign(y=2.0)).code in ("data.constant", "role.constant")
    assert TRIAL.refused(CURVE.assign(倍=CURVE["y"] * 3), x=["x1", "倍"]).code == "data.leak"
    assert TRIAL.refused(CURVE.iloc[:15]).code == "data.few"
