"""What is particular to a forest of regression trees. Numbers are the oracle's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestRegressor

from hengxi.prepare import answers, trained
from hengxi.testing import Trial, records

pytestmark = pytest.mark.slow

PATH = "supervised_learning/regression/random_forest"
DATA = pd.read_csv(Path(__file__).parent / "example.csv").astype({"disp": float, "hp": float, "wt": float})
FORM: dict[str, Any] = {"y": "mpg", "x": ["disp", "hp", "wt"], "n_estimators": 12, "cv_folds": 0, "shap": False}
TRIAL = Trial(PATH, DATA, FORM, {}, strict=False)


def test_a_stored_forest_answers_like_the_library() -> None:
    stored = trained(PATH, DATA, FORM | {"train_ratio": 0.95, "shuffle": False}, measures={})
    rows = DATA.iloc[: int(len(DATA) - np.ceil(0.05 * len(DATA) - 1e-9))]
    library = RandomForestRegressor(12, max_features="sqrt", random_state=20240101).fit(
        rows[FORM["x"]].to_numpy(), rows[FORM["y"]].to_numpy()
    )
    x = DATA[FORM["x"]].to_numpy()
    assert np.allclose(answers(stored)(x).ravel(), library.predict(x), rtol=1e-12)


def test_the_seed_alone_decides() -> None:
    first, same, other = (TRIAL.report(seed=seed) for seed in (5, 5, 6))
    assert records(first, "evaluation") == records(same, "evaluation") != records(other, "evaluation")


def test_out_of_bag_needs_the_bootstrap() -> None:
    assert "“袋外评估”需要开启“有放回采样”" in TRIAL.refused(bootstrap=False, oob_score=True).text


def test_poisson_wants_no_negative_outcome() -> None:
    refusal = TRIAL.refused(DATA.assign(mpg=DATA["mpg"] - 20), criterion="poisson")
    assert refusal.code == "data.negative" and "不小于 0" in refusal.text


def test_the_span_of_the_trees_holds_their_mean() -> None:
    for row in records(TRIAL.report(), "spans"):
        assert row["low"] <= row["predicted"] <= row["high"]
