"""What is particular to extremely randomised classification trees. Numbers are the oracle's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import ExtraTreesClassifier

from hengxi.prepare import answers, trained
from hengxi.testing import Trial, check, records

pytestmark = pytest.mark.slow

PATH = "supervised_learning/classifier/extra_tree"
DATA = pd.read_csv(Path(__file__).parent / "example.csv").sample(frac=1, random_state=1).reset_index(drop=True)
FORM: dict[str, Any] = {
    "y": "species", "x": ["sepal_length", "sepal_width", "petal_length", "petal_width"], "n_estimators": 12,
    "cv_folds": 0, "shap": False,
}  # fmt: skip
TRIAL = Trial(PATH, DATA, FORM, {"species": "定类"}, strict=False)


def test_a_stored_forest_answers_like_the_library() -> None:
    stored = trained(
        PATH, DATA, FORM | {"train_ratio": 0.95, "shuffle": False, "stratify": False}, measures={"species": "定类"}
    )
    rows = DATA.iloc[: int(len(DATA) - np.ceil(0.05 * len(DATA) - 1e-9))]
    library = ExtraTreesClassifier(12, max_features="sqrt", max_leaf_nodes=50, random_state=20240101).fit(
        rows[FORM["x"]].to_numpy(), rows[FORM["y"]].to_numpy()
    )
    x = DATA[FORM["x"]].to_numpy()
    assert np.allclose(answers(stored)(x), library.predict_proba(x), rtol=1e-12)


def test_the_seed_alone_decides() -> None:
    first, same, other = (TRIAL.report(seed=seed) for seed in (5, 5, 6))
    assert records(first, "evaluation") == records(same, "evaluation") != records(other, "evaluation")


def test_out_of_bag_needs_the_bootstrap() -> None:
    assert "“袋外评估”需要开启“有放回采样”" in TRIAL.refused(bootstrap=False, oob_score=True).text


def test_few_trees_are_told() -> None:
    assert "换一个随机种子结果会变" in check(TRIAL.report(), "树的数量")["text"]
