"""Branches and refusals of the forest, and what a forest must be however it was grown. Numbers are the oracle's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier

from hengxi.contract import Refusal, SetRemedy
from hengxi.methods.supervised_learning._shared import fitting
from hengxi.prepare import answers, read_table, report_on, run_on_frame, trained
from hengxi.stats.learning import forests
from hengxi.stats.learning.splits import train_and_test
from hengxi.testing import Trial, cells, warnings

pytestmark = pytest.mark.slow

PATH = "supervised_learning/classifier/random_forest"
IRIS = pd.read_csv(Path(__file__).parent / "example.csv")
X = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
FORM: dict[str, Any] = {"y": "species", "x": X, "n_estimators": 20, "cv_folds": 0}


TRIAL = Trial(PATH, IRIS, FORM, {"species": "定类"}, strict=False)
report, refused = TRIAL.report, TRIAL.refused


def offered(refusal: Refusal) -> list[dict[str, Any]]:
    return [one.set for one in refusal.faults[0].remedies if isinstance(one, SetRemedy)]


# ---- refusals ------------------------------------------------------------------------------------------------------
def test_a_class_smaller_than_the_folds_is_named_with_ways_out() -> None:
    frame = IRIS.assign(species=["罕见", "罕见", *IRIS["species"][2:]])
    refusal = refused(frame, cv_folds=5)
    assert refusal.code == "data.rare_class"
    assert "类别“罕见”只有 2 个样本，少于交叉验证折数 5，请减少折数或合并类别" in refusal.text
    assert offered(refusal) == [{"cv_folds": 2}, {"cv_folds": 0}]


def test_a_class_of_one_case_cannot_be_stratified() -> None:
    refusal = refused(IRIS.assign(species=["孤例", *IRIS["species"][1:]]))
    assert refusal.code == "data.rare_class" and "类别“孤例”只有 1 个样本" in refusal.text
    assert offered(refusal) == [{"stratify": False}]


def test_one_class_only_is_refused() -> None:
    refusal = refused(IRIS.iloc[:50])
    assert refusal.code == "role.levels" and "species" in refusal.text


def test_a_copy_of_the_outcome_is_taken_for_a_leak() -> None:
    copy = IRIS["species"].map({"setosa": "甲", "versicolor": "乙", "virginica": "丙"})
    refusal = refused(IRIS.assign(抄本=copy), {"抄本": "定类"}, x=["petal_width", "抄本"])
    assert refusal.code == "data.leak" and "变量“抄本”与因变量完全一致，疑似泄漏，请移除" in refusal.text


def test_three_hundred_levels_want_another_coding() -> None:
    frame = pd.concat([IRIS, IRIS, IRIS], ignore_index=True).assign(编号=[f"号{i % 300}" for i in range(450)])
    refusal = refused(frame, {"编号": "定类"}, x=["petal_width", "编号"])
    assert refusal.code == "data.levels" and "变量“编号”有 300 个水平，请改用目标编码或合并水平" in refusal.text
    assert cells(report(frame, {"编号": "定类"}, x=["petal_width", "编号"], encode="target"), "evaluation")


def test_texts_are_refused_with_the_step_that_helps() -> None:
    frame = IRIS.assign(意见=[f"第 {i} 份的回答" for i in range(150)])
    refusal = refused(frame, {"意见": "文本"}, x=["petal_width", "意见"])
    assert refusal.code == "data.text" and "“意见”是文本" in refusal.text


def test_a_constant_is_left_out_and_said_and_nothing_else_is_refused() -> None:
    assert warnings(report(IRIS.assign(常数=1.0), x=[*X, "常数"])) == ["data.constant"]
    assert "自变量“常数”都没有变化" in refused(IRIS.assign(常数=1.0), x=["常数"]).text


def test_out_of_bag_needs_the_bootstrap() -> None:
    assert "“袋外评估”需要开启“有放回采样”" in refused(bootstrap=False).text


def test_one_fold_and_fewer_rows_than_twenty_are_refused() -> None:
    assert refused(cv_folds=1).code == "data.folds"
    assert refused(IRIS.iloc[::10]).code == "data.few"


def test_more_folds_than_groups_are_refused() -> None:
    frame = IRIS.assign(人=[f"人{i % 4}" for i in range(150)])
    refusal = refused(frame, {"人": "定类"}, cv_group="人", cv_folds=5)
    assert refusal.code == "data.groups" and "只有 3 组" in refusal.text


# ---- what a forest must be -----------------------------------------------------------------------------------------
def fitted(**form: Any) -> Any:
    return trained(PATH, IRIS, {**FORM, **form}, measures={"species": "定类"})


def places(part: str) -> np.ndarray[Any, Any]:
    y = IRIS["species"].astype("category").cat.codes.to_numpy().astype(np.int64)
    return train_and_test(150, 0.7, True, y, 20240101)[0 if part == "train" else 1]


def test_a_stored_forest_answers_like_the_library() -> None:
    x, y = IRIS[X].to_numpy(), IRIS["species"].to_numpy()
    train = places("train")
    library = RandomForestClassifier(20, random_state=20240101).fit(x[train], y[train])
    assert np.array_equal(answers(fitted())(x), library.predict_proba(x))
    shares = {row[0]: row[1] for row in cells(report(), "importance")}
    assert [shares[name] for name in X] == pytest.approx(library.feature_importances_.tolist(), rel=1e-12)


def test_the_seed_alone_decides() -> None:
    one, same, other = (cells(report(seed=s), "evaluation") for s in (5, 5, 6))
    assert one == same and one != other


def test_balanced_weights_are_those_of_the_library() -> None:
    frame = IRIS.iloc[30:].reset_index(drop=True)
    handle = trained(PATH, frame, {**FORM, "class_weight": "balanced", "shuffle": False}, measures={"species": "定类"})
    x, y = frame[X].to_numpy(), frame["species"].to_numpy()
    library = RandomForestClassifier(20, random_state=20240101, class_weight="balanced").fit(x[:84], y[:84])
    found = answers(handle)(x)
    assert np.allclose(found[:, : library.n_classes_], library.predict_proba(x), atol=1e-12)


def test_one_tree_of_all_rows_splits_as_rpart_does() -> None:
    """R 4.2.2 rpart(Species ~ ., iris, minsplit = 2, cp = 0, maxdepth = 2): petal length < 2.45, petal width < 1.75.

    Leaves of 50, 54 and 46 with 0, 5 and 1 errors.
    """
    doubled = pd.concat([IRIS, IRIS], ignore_index=True)  # half trains, half tests: all rows of iris train
    form = {"n_estimators": 10, "bootstrap": False, "oob_score": False, "max_features": "all", "max_depth": 2}
    form |= {"train_ratio": 0.5, "shuffle": False, "stratify": False}
    handle = trained(PATH, doubled, {**FORM, **form}, measures={"species": "定类"})
    shares = answers(handle)(IRIS[X].to_numpy())
    leaves, sizes = np.unique(np.round(shares, 12), axis=0, return_counts=True)
    found = {int(n): sorted(leaf.tolist()) for leaf, n in zip(leaves, sizes, strict=True)}
    assert found[50] == [0, 0, 1]
    assert found[54] == pytest.approx([0, 5 / 54, 49 / 54]) and found[46] == pytest.approx([0, 1 / 46, 45 / 46])


def test_importance_finds_what_matters_and_nothing_else() -> None:
    rng = np.random.default_rng(8)
    n = 400
    frame = pd.DataFrame(
        {"信号": rng.normal(size=n), "噪声": rng.normal(size=n), "定类噪声": rng.choice(["甲", "乙"], n)}
    )
    frame["y"] = np.where(frame["信号"] + 0.3 * rng.normal(size=n) > 0, "是", "否")
    found = {
        row[0]: row
        for row in cells(report(frame, {"y": "定类", "定类噪声": "定类"}, y="y", x=list(frame)[:3]), "importance")
    }
    assert next(iter(found)) == "信号" and found["信号"][2] > 0.3
    assert abs(found["噪声"][2]) < 0.05 and abs(found["定类噪声"][2]) < 0.05
    assert sum(row[1] for row in found.values()) == pytest.approx(1)


def test_huge_and_tiny_numbers_give_the_same_forest() -> None:
    plain = cells(report(), "evaluation")
    for factor in (2.0**900, 2.0**-900):
        scaled = IRIS.assign(**{name: IRIS[name] * factor for name in X})
        assert cells(report(scaled), "evaluation") == plain


def test_gaps_are_filled_from_the_training_rows() -> None:
    frame = IRIS.assign(petal_width=IRIS["petal_width"].where(IRIS.index % 7 != 0))
    assert len(cells(report(frame), "predictions")) < 45
    assert len(cells(report(frame, missing="median"), "predictions")) == 45
    handle = trained(PATH, frame, {**FORM, "missing": "median"}, measures={"species": "定类"})
    known = frame["petal_width"].to_numpy()[places("train")]
    assert handle.card.features[3].fill == pytest.approx(np.nanmedian(known))


def test_stopping_keeps_the_trees_that_stand_and_says_what_was_left_out() -> None:
    form = {**FORM, "n_estimators": 2000, "cv_folds": 5}
    made = run_on_frame(PATH, IRIS, form, measures={"species": "定类"}, progress=lambda *_: False)
    elements = made["parts"][0]["elements"]
    assert made["stopped"] and cells(elements, "evaluation") and not cells(elements, "folds")
    assert any(e["type"] == "text" and "按要求停止" in str(e["facts"]) for e in elements)
    assert len(cells(elements, "errors")) == 10


def test_a_search_reports_its_trials_and_uses_the_best() -> None:
    elements = report(tune="random", tune_trials=5, cv_folds=2, n_estimators=10)
    trials = cells(elements, "trials")
    means = [row[2] for row in trials]
    assert len(trials) == 5 and means == sorted(means, reverse=True)
    assert any(row[2] == "搜索" for row in cells(elements, "settings"))


def test_quotes_and_braces_in_names_do_no_harm() -> None:
    strange = "{a}\"'=1+1"
    frame = IRIS.rename(columns={"petal_width": strange}).assign(
        species=IRIS["species"].str.replace("setosa", "=cmd|x")
    )
    elements = report(frame, x=["petal_length", strange])
    assert strange in {row[0] for row in cells(elements, "importance")}


def test_a_model_says_what_it_needs() -> None:
    card = fitted().card
    assert [one.name for one in card.features] == X and card.rows == 105
    assert [one.label for one in card.target.classes or []] == ["setosa", "versicolor", "virginica"]
    assert card.scores.keys() == {"准确率", "F1", "AUC"}


def test_without_a_server_no_model_is_kept_but_told_of() -> None:
    made = report_on(PATH, read_table(IRIS, {"species": "定类"}), FORM)
    model = next(e for e in made.parts[0].elements if e["type"] == "model")
    assert model["kept"] is None and model["model_id"] is None


# ---- many rows -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("bootstrap", [True, False])
def test_many_rows_bound_each_tree_and_say_what_is_left_out(bootstrap: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forests, "MOST_DRAWN", 60)
    monkeypatch.setattr(fitting, "MOST_CROSSED", 60)
    monkeypatch.setattr(fitting, "MOST_SEARCHED", 50)
    heard: list[Any] = []
    grow = forests.grow

    def listen(*given: Any) -> Any:
        heard.append(grow(*given))
        return heard[-1]

    monkeypatch.setattr(forests, "grow", listen)
    found = report(cv_folds=3, bootstrap=bootstrap, oob_score=bootstrap, shap=False)
    assert len(heard) == 1, "no fold was trained"
    assert all(tree.tree_.weighted_n_node_samples[0] == 60 for tree in heard[0].estimators_)
    said = str([e["facts"] for e in found if e["type"] == "text"]) + str(
        [e["text"] for e in found if e["type"] == "text"]
    )
    assert "不做交叉验证与学习曲线" in said and ("有放回地抽取" if bootstrap else "随机抽取的同样") in said
    assert [row[0] for row in cells(found, "evaluation")][:2] == ["测试集", "训练集"]
    assert bool(cells(found, "oob")) == bootstrap


def test_a_search_on_many_rows_tries_a_part_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "MOST_CROSSED", 60)
    monkeypatch.setattr(fitting, "MOST_SEARCHED", 50)
    sizes: list[int] = []
    grow = forests.grow

    def listen(forest: Any, x: Any, *rest: Any) -> Any:
        sizes.append(len(x))
        return grow(forest, x, *rest)

    monkeypatch.setattr(forests, "grow", listen)
    report(cv_folds=2, tune="random", tune_trials=5, shap=False)
    assert sizes == [25] * 10 + [105]


def test_a_model_that_is_worse_than_guessing_names_no_variables() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {"a": rng.normal(size=120), "b": rng.normal(size=120), "y": rng.permutation(["甲"] * 90 + ["乙"] * 30)}
    )
    elements = report(frame, y="y", x=["a", "b"], n_estimators=20, max_depth=None)
    lead = next(e for e in elements if e["type"] == "lead")
    assert lead["facts"]["accuracy"] < lead["facts"]["base"]
    assert "还没有它准" in lead["text"] and "主要依靠" not in lead["text"]


def test_a_class_that_says_that_nothing_happened_is_told_and_named() -> None:
    two = IRIS.assign(species=np.where(IRIS["species"] == "setosa", "有", "无"))
    elements = report(two)
    assert "data.event" in warnings(elements)
    lead = next(e for e in elements if e["type"] == "lead")
    assert next(one for one in lead["figures"] if one["title"] == "F1")["note"] == "正类“{event}”"
    assert lead["facts"]["event"] == "无"
    assert "data.event" not in warnings(report(two, event="有"))
