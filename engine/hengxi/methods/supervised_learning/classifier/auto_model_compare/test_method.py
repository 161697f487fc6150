"""What is particular to comparing classifiers: each row is the single method's, budget, stop-and-keep, storing."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.methods.supervised_learning._shared import comparison
from hengxi.prepare import answers, run_on_frame, trained
from hengxi.testing import Trial, cells, check, records

HERE = Path(__file__).parent
GROUP = "supervised_learning/classifier/"
PATH = GROUP + "auto_model_compare"
CANCER = pd.read_csv(HERE / "example.csv")
IRIS = pd.read_csv(HERE / "oracle-iris.csv")
FEW = ["logistic_regression", "naive_bayes", "knn"]
FORM: dict[str, Any] = {
    "y": "species", "x": ["sepal_length", "sepal_width"], "cv_folds": 3, "candidates": "own", "own": FEW,
}  # fmt: skip
TRIAL = Trial(PATH, IRIS, FORM, {"species": "定类"}, strict=False)
WORDS = {"diagnosis": "定类"}
X = ["radius", "texture"]
OTHER = Trial(PATH, CANCER, FORM | {"y": "diagnosis", "x": X, "event": "恶性"}, WORDS, strict=False)


def board(report: Any) -> dict[str, list[Any]]:
    """Rows by the name of the model."""
    return {row[1]: row for row in cells(report, "board")}


SLOW = ["random_forest", "extra_tree", "gbdt", "mlp", "svm"]


@pytest.mark.parametrize("key", [*FEW, "decision_tree", *(pytest.param(key, marks=pytest.mark.slow) for key in SLOW)])
def test_each_row_is_what_the_method_alone_says(key: str) -> None:
    """The same folds, the same settings as the form of the method begins with."""
    form = {"y": "diagnosis", "x": X, "event": "恶性", "cv_folds": 3}
    report = run_on_frame(PATH, CANCER, form | {"candidates": "own", "own": [key]}, measures=WORDS)["parts"][0]
    alone = run_on_frame(GROUP + key, CANCER, form | {"shap": False}, measures=WORDS)["parts"][0]
    folds = {row[0]: row for row in cells(alone["elements"], "folds")}
    own = board(report["elements"])[comparison.TITLES[key]]
    assert own[2] == pytest.approx(folds["均值"][4], abs=1e-12)  # F1, macro
    assert cells(report["elements"], "evaluation")[0] == cells(alone["elements"], "evaluation")[0]


class Ticking:
    """A clock that moves so many seconds each time it is asked."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def monotonic(self) -> float:
        self.now += self.step
        return self.now


def test_when_the_time_is_up_what_was_done_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "time", Ticking(2.0))
    report = TRIAL.report(budget_s=40)
    rows = board(report)
    late = [name for name, row in rows.items() if "时间预算用完" in str(row)]
    assert late and "逻辑回归" in rows and rows["逻辑回归"][0] is not None and len(late) < len(FEW)
    assert "时间预算用完" in str(check(report, "是否做完"))


def test_a_budget_nothing_fits_in_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "time", Ticking(1000.0))
    refusal = TRIAL.refused()
    assert refusal.code == "data.budget" and "时间预算过短" in refusal.text


def test_stopped_keeps_the_models_that_are_done() -> None:
    told: list[tuple[str, float | None]] = []

    def stop(done: float, of: float, text: str = "", best: float | None = None) -> bool:
        told.append((text, best))
        return len(told) < 7

    report = run_on_frame(PATH, IRIS, FORM, measures={"species": "定类"}, progress=stop)["parts"][0]["elements"]
    assert "按要求停止" in str(check(report, "是否做完"))
    assert any("目前最好：逻辑回归" in text and best is not None for text, best in told)


def test_stopped_before_anything_is_done_is_told() -> None:
    from hengxi.contract import Refusal

    with pytest.raises(Refusal, match="停止时还没有一个模型完成"):
        run_on_frame(PATH, IRIS, FORM, measures={"species": "定类"}, progress=lambda *_, **__: False)


def test_a_model_that_refuses_is_told_with_its_reason() -> None:
    frame = CANCER.assign(gap=np.where(CANCER["diagnosis"] == "恶性", 5.0, 0.0) + CANCER["texture"] / 100)
    report = OTHER.report(frame, x=["radius", "gap"])
    row = board(report)["逻辑回归"]
    assert row[0] is None and "最大似然估计不存在" in row[-1]
    assert "不能训练" in str(check(report, "是否做完"))
    refusal = OTHER.refused(frame, x=["radius", "gap"], own=["logistic_regression"])
    assert refusal.code == "data.candidates" and "最大似然估计不存在" in refusal.text


def test_nothing_better_than_guessing_is_told() -> None:
    rng = np.random.default_rng(8)
    frame = pd.DataFrame({"y": np.repeat(["甲", "乙"], 60), "x": rng.normal(size=120)})
    report = OTHER.report(frame, {"y": "定类"}, y="y", x=["x"], event="甲", tune_metric="accuracy", own=["knn"])
    assert check(report, "是否优于基线")


def test_the_model_recommended_is_kept_and_answers_alike() -> None:
    handle = trained(PATH, IRIS, FORM, measures={"species": "定类"})
    shares = answers(handle)(IRIS[FORM["x"]].to_numpy())
    assert shares.shape == (150, 3) and np.allclose(shares.sum(axis=1), 1)
    chosen = next(row[1] for row in cells(TRIAL.report(), "board") if row[-1] == "推荐")
    key = next(key for key, title in comparison.TITLES.items() if title == chosen)
    alone = trained(GROUP + key, IRIS, {"y": "species", "x": FORM["x"]}, measures={"species": "定类"})
    assert np.allclose(shares, answers(alone)(IRIS[FORM["x"]].to_numpy()), atol=1e-12)


def test_no_learner_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison.Comparison, "learners", classmethod(lambda cls: {}))
    assert TRIAL.refused().code == "data.candidates"


def test_settings_that_a_form_hides_are_hidden_from_a_learner() -> None:
    fields = {
        "kind": SimpleNamespace(default="a", when=None), "b": SimpleNamespace(default=1, when={"kind": ("b", "c")}),
        "c": SimpleNamespace(default=2, when={"kind": "a"}),
    }  # fmt: skip
    method = SimpleNamespace(Input=SimpleNamespace(fields=fields))
    form = comparison.default_form(method, SimpleNamespace(fields={}, seed=3))
    assert (form.kind, form.b, form.c, form.seed, form.tune) == ("a", None, 2, 3, "none")


def test_bad_outcomes_and_leaks_are_refused() -> None:
    rare = IRIS.assign(species=["罕见", "罕见", *IRIS["species"][2:]])
    assert TRIAL.refused(rare).code == "data.rare_class"
    assert TRIAL.refused(IRIS.iloc[:18]).code in ("data.few", "role.levels")
    assert (
        TRIAL.refused(IRIS.assign(copy=IRIS["species"]), {"copy": "定类"}, x=["sepal_length", "copy"]).code
        == "data.leak"
    )
    assert records(TRIAL.report(), "honest")
