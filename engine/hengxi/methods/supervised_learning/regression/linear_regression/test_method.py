"""What is particular to linear models: refusals, collinear columns, penalties, storing. Numbers are the oracle's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import SetRemedy
from hengxi.prepare import answers, trained
from hengxi.testing import Trial, cells, check, warnings

HERE = Path(__file__).parent
PATH = "supervised_learning/regression/linear_regression"
CARS = pd.read_csv(HERE / "example.csv")
RENT = pd.read_csv(HERE / "oracle-rent.csv")
FORM: dict[str, Any] = {"y": "mpg", "x": ["disp", "hp", "wt"], "cv_folds": 0, "shap": False}
TRIAL = Trial(PATH, CARS, FORM, {}, strict=False)
OTHER = Trial(PATH, RENT, FORM | {"y": "月租", "x": ["面积", "区"]}, {"区": "定类", "装修": "定类"}, strict=False)


def test_more_columns_than_rows_are_refused_without_a_penalty() -> None:
    wide = CARS.assign(**{f"v{i}": np.cos(CARS["mpg"] * (i + 1)) for i in range(25)})
    refusal = TRIAL.refused(wide, x=[f"v{i}" for i in range(25)])
    assert refusal.code == "data.columns" and "25 列" in refusal.text and "22 行" in refusal.text
    assert [one.set for one in refusal.faults[0].remedies if isinstance(one, SetRemedy)] == [{"penalty": "ridge"}]
    assert cells(TRIAL.report(wide, x=[f"v{i}" for i in range(25)], penalty="lasso"), "plain")


def test_a_column_that_is_a_sum_of_others_is_told() -> None:
    report = TRIAL.report(CARS.assign(和=CARS["disp"] + CARS["hp"]), x=["disp", "hp", "和"])
    assert "data.collinear" in warnings(report) and "系数不唯一" in str(report)


def test_residuals_that_grow_are_told() -> None:
    rng = np.random.default_rng(5)
    x = np.linspace(1, 50, 300)
    frame = pd.DataFrame({"x": x, "y": 2 * x + x * rng.normal(size=300)})
    assert "稳健标准误" in str(check(TRIAL.report(frame, y="y", x=["x"]), "残差等方差"))


def test_a_search_may_bring_a_penalty() -> None:
    report = TRIAL.report(x=["disp", "hp", "wt", "qsec", "drat"], tune="random", tune_trials=5, cv_folds=3)
    assert cells(report, "plain") or cells(report, "coefficients")


@pytest.mark.parametrize("penalty", ["none", "ridge", "lasso", "elastic"])
def test_a_stored_model_answers_alike(penalty: str) -> None:
    handle = trained(PATH, CARS, {"y": "mpg", "x": FORM["x"], "penalty": penalty})
    assert answers(handle)(CARS[FORM["x"]].to_numpy(dtype=float)).shape == (32, 1)


def test_words_gaps_and_constant_columns() -> None:
    frame = RENT.assign(常数=3.0)
    for encode in ("onehot", "ordinal", "target"):
        report = OTHER.report(frame, x=["面积", "区", "装修", "常数"], missing="mean", encode=encode)
        assert cells(report, "coefficients") and "data.constant" in warnings(report)


def test_bad_outcomes_are_refused() -> None:
    assert TRIAL.refused(CARS.assign(mpg=20.0)).code in ("data.constant", "role.constant")
    assert TRIAL.refused(CARS.assign(公里=CARS["mpg"] * 0.425), x=["disp", "公里"]).code == "data.leak"
    assert TRIAL.refused(CARS.iloc[:15]).code == "data.few"
    frame = pd.concat([CARS] * 8, ignore_index=True)
    frame = frame.assign(编号=[f"号{i}" for i in range(len(frame))])
    assert TRIAL.refused(frame, {"编号": "定类"}, x=["disp", "编号"]).code == "data.levels"
