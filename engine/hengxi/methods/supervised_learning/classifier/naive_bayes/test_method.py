"""What is particular to naive Bayes: refusals of its variants, priors, the check of independence, storing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.prepare import answers, trained
from hengxi.testing import Trial, cells, check

HERE = Path(__file__).parent
PATH = "supervised_learning/classifier/naive_bayes"
IRIS = pd.read_csv(HERE / "example.csv")
CHURN = pd.read_csv(HERE / "oracle-churn.csv")
X = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
FORM: dict[str, Any] = {"y": "species", "x": X, "cv_folds": 0, "shap": False}
TRIAL = Trial(PATH, IRIS, FORM, {"species": "定类"}, strict=False)
WORDS = {"流失": "定类", "性别": "定类", "合约": "定类"}
OTHER = Trial(PATH, CHURN, FORM | {"y": "流失", "x": ["月费", "合约", "性别"]}, WORDS, strict=False)


def test_counts_may_not_be_negative() -> None:
    frame = IRIS.assign(sepal_width=IRIS["sepal_width"] - 3)
    for variant in ("multinomial", "complement"):
        refusal = TRIAL.refused(frame, variant=variant)
        assert refusal.code == "data.negative" and "非负计数" in refusal.text and "sepal_width" in refusal.text


def test_only_categories_suit_the_variant_of_categories() -> None:
    assert OTHER.refused(variant="categorical").code == "data.number"
    assert OTHER.refused(variant="categorical", x=["合约"], encode="target").code == "data.number"
    assert cells(OTHER.report(variant="categorical", x=["合约", "性别"]), "shares")


def test_without_smoothing_an_empty_cell_is_refused() -> None:
    frame = CHURN.assign(标记=["有" if y == "否" and i % 3 else "无" for i, y in enumerate(CHURN["流失"])])
    words = WORDS | {"标记": "定类"}
    refusal = OTHER.refused(frame, words, x=["月费", "标记"], alpha=0)
    assert refusal.code == "data.zero" and "大于 0 的平滑系数" in refusal.text and "标记" in refusal.text
    assert OTHER.refused(frame, words, x=["标记"], alpha=0, variant="bernoulli").code == "data.zero"
    assert cells(OTHER.report(frame, words, x=["月费", "标记"]), "shares")


def test_own_priors_are_as_many_as_classes() -> None:
    refusal = TRIAL.refused(prior="own", prior_values=[0.5, 0.5])
    assert refusal.code == "data.prior" and "3 个数，现有 2 个" in refusal.text
    even = TRIAL.report(prior="own", prior_values=[2, 2, 2])
    assert cells(even, "priors") == cells(TRIAL.report(prior="even"), "priors")


def test_uncorrelated_numbers_pass() -> None:
    report = TRIAL.report(x=["sepal_length", "sepal_width"])
    assert "没有超过 0.8" in str(check(report, "条件独立"))


def test_a_class_without_spread_keeps_finite_answers() -> None:
    frame = IRIS.assign(petal_width=np.where(IRIS["species"] == "setosa", 0.2, IRIS["petal_width"]))
    report = TRIAL.report(frame, var_smoothing=0, cv_folds=5)
    assert "nan" not in str(cells(report, "evaluation"))


@pytest.mark.parametrize("variant", ["mixed", "gaussian", "multinomial", "bernoulli", "complement"])
def test_a_stored_model_answers_alike(variant: str) -> None:
    handle = trained(PATH, IRIS, {"y": "species", "x": X, "variant": variant}, measures={"species": "定类"})
    shares = answers(handle)(IRIS[X].to_numpy())
    assert shares.shape == (150, 3) and np.allclose(shares.sum(axis=1), 1)


def test_a_class_smaller_than_the_folds_is_refused() -> None:
    frame = IRIS.assign(species=["罕见", "罕见", *IRIS["species"][2:]])
    assert TRIAL.refused(frame, cv_folds=5).code == "data.rare_class"


def test_columns_of_words_gaps_and_whole_numbers() -> None:
    frame = CHURN.assign(
        空=[None if i % 4 == 0 else float(i % 5) for i in range(len(CHURN))], 常数=1.0,
    )  # fmt: skip
    report = OTHER.report(frame, x=["月费", "空", "性别", "常数"], missing="mean", encode="target", cv_folds=3)
    assert cells(report, "normals")
