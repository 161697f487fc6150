"""What is particular to a tree that can be read. Numbers are the oracle's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

from hengxi.prepare import answers, trained
from hengxi.testing import Trial, check, records

PATH = "supervised_learning/classifier/decision_tree"
IRIS = pd.read_csv(Path(__file__).parent / "example.csv")
X = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
FORM: dict[str, Any] = {"y": "species", "x": X, "cv_folds": 0, "shap": False}
TRIAL = Trial(PATH, IRIS, FORM, {"species": "定类"}, strict=False)


def conditions(**form: Any) -> list[str]:
    return [row["condition"] for row in records(TRIAL.report(**form), "rules")]


def test_a_stored_tree_answers_like_the_library() -> None:
    rows = pd.DataFrame(np.repeat(IRIS.to_numpy(), 1, axis=0), columns=IRIS.columns).astype(dict.fromkeys(X, float))
    stored = trained(PATH, rows, FORM, measures={"species": "定类"})
    shares = answers(stored)(rows[X].to_numpy())
    assert shares.shape == (150, 3) and np.allclose(shares.sum(axis=1), 1)
    again = trained(PATH, rows, FORM, measures={"species": "定类"})
    assert np.array_equal(answers(again)(rows[X].to_numpy()), shares)


def test_rules_name_levels_and_not_codes() -> None:
    frame = IRIS.assign(色=np.where(IRIS["petal_width"] > 1.7, "红", np.where(IRIS["petal_width"] > 0.8, "黄", "蓝")))
    named = records(TRIAL.report(frame, {"色": "定类"}, x=["色"]), "rules")
    assert [row["condition"] for row in named][1:] == ["色 不是“蓝”，色 是“黄”", "色 是“蓝”"]
    two = frame.assign(色=frame["色"].replace("蓝", "黄"))
    assert {row["condition"] for row in records(TRIAL.report(two, {"色": "定类"}, x=["色"]), "rules")} == {
        "色 是“红”",
        "色 是“黄”",
    }


def test_cuts_are_told_in_six_digits() -> None:
    assert any("petal_length ≤ 2.6" in text and "2.59999" not in text for text in conditions(max_depth=2))


def test_leaves_of_more_than_half_the_rows_are_refused() -> None:
    refusal = TRIAL.refused(min_samples_leaf=60)
    assert refusal.code == "data.leaf" and "60 超过训练集 105 行的一半，树无法分裂" in refusal.text


def test_a_tree_that_did_not_split_is_told() -> None:
    assert "树没有分裂" in check(TRIAL.report(ccp_alpha=1.0), "树的大小")["text"]


def test_a_deep_tree_is_drawn_to_the_level_that_fits() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({f"x{i}": rng.normal(size=400) for i in range(3)}).assign(类=rng.integers(0, 2, 400))
    trial = Trial(PATH, frame, FORM | {"y": "类", "x": ["x0", "x1", "x2"]}, {"类": "定类"}, strict=False)
    report = trial.report()
    assert len(records(report, "drawn")) <= 63 < len(records(report, "rules")) * 2


def test_the_library_grows_the_same_tree() -> None:
    tree = DecisionTreeClassifier(max_depth=2, random_state=20240101).fit(IRIS[X], IRIS["species"])
    assert tree.get_n_leaves() == len(conditions(max_depth=2, train_ratio=0.95))
