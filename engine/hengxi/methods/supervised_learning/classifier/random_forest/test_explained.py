"""SHAP, learning curve, search, groups, files and the map of a forest: what must hold. Numbers are the oracle's."""

from __future__ import annotations

import csv
import io
import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest

from hengxi.contract import Refusal
from hengxi.prepare import run_on_frame
from hengxi.stats.learning import proximity, shapley

pytestmark = pytest.mark.slow

PATH = "supervised_learning/classifier/random_forest"
IRIS = pd.read_csv(Path(__file__).parent / "example.csv")
CHURN = pd.read_csv(Path(__file__).parent / "oracle-churn.csv")
X = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
FORM: dict[str, Any] = {"y": "species", "x": X, "n_estimators": 10, "cv_folds": 0}
KINDS = {"species": "定类", "人": "定类", "流失": "定类", "性别": "定类", "合约": "定类"}


def made(frame: pd.DataFrame = IRIS, **form: Any) -> list[dict[str, Any]]:
    kinds = {name: kind for name, kind in KINDS.items() if name in frame}
    report = run_on_frame(PATH, frame, {**FORM, **form}, measures=kinds, strict=True)
    elements: list[dict[str, Any]] = report["parts"][0]["elements"]
    return elements


def rows(elements: list[dict[str, Any]], name: str) -> list[list[Any]]:
    return [row for e in elements if e["type"] == "table" and e["name"] == name for row in e["rows"]]


def said(elements: list[dict[str, Any]], words: str) -> bool:
    return any(words in e["text"] + str(e["facts"]) for e in elements if e["type"] in ("text", "check", "warning"))


# ---- SHAP ----------------------------------------------------------------------------------------------------------
def test_steps_of_a_case_lead_from_the_mean_to_its_probability() -> None:
    lines = rows(made(), "case")
    for before, line in itertools.pairwise(lines[:-1]):
        assert line[3] == before[4] and line[3] + line[2] == pytest.approx(line[4], abs=1e-12)
    assert lines[-2][4] == pytest.approx(lines[-1][4], abs=1e-12)
    assert [abs(line[2]) for line in lines[1:-1]] == sorted((abs(line[2]) for line in lines[1:-1]), reverse=True)


def by_hand(forest: Any, x: np.ndarray, c: int) -> list[float]:
    """Mean of no variable, then the Shapley values, by their definition over all coalitions; no library."""
    p = x.size

    def expected(tree: Any, known: frozenset[int], node: int = 0) -> float:
        left, right = int(tree.children_left[node]), int(tree.children_right[node])
        if left < 0:
            shares = tree.value[node][0]
            return float(shares[c] / shares.sum())
        j = int(tree.feature[node])
        if j in known:
            return expected(tree, known, left if np.float32(x[j]) <= tree.threshold[node] else right)
        a, b = (float(tree.weighted_n_node_samples[side]) for side in (left, right))
        return (a * expected(tree, known, left) + b * expected(tree, known, right)) / (a + b)

    sets = [frozenset(s) for k in range(p + 1) for s in itertools.combinations(range(p), k)]
    of = {s: float(np.mean([expected(one.tree_, s) for one in forest.estimators_])) for s in sets}
    found = [of[frozenset()]]
    for j in range(p):
        others = [s for s in sets if j not in s]
        weights = [math.factorial(len(s)) * math.factorial(p - len(s) - 1) / math.factorial(p) for s in others]
        found.append(sum(w * (of[s | {j}] - of[s]) for w, s in zip(weights, others, strict=True)))
    return found


@pytest.mark.parametrize("class_weight", ["none", "balanced"])
def test_values_are_those_of_the_definition_and_add_up(monkeypatch: pytest.MonkeyPatch, class_weight: str) -> None:
    """Weighted classes move the start of the steps away from the classes' shares: it is no mean of answers."""
    from hengxi.methods.supervised_learning._shared import explained, learner

    held: dict[str, Any] = {}

    def spy(*given: Any) -> Any:
        held["task"], held["fit"], held["proba"] = given[0], given[1], given[3]
        held["found"] = explained.explain(*given)
        return held["found"]

    monkeypatch.setattr(learner, "explain", spy)
    uneven = IRIS[(IRIS["species"] != "setosa") | (IRIS.index < 10)]
    elements = made(uneven, max_depth=3, class_weight=class_weight, x=X[:3])
    task, fit, one = held["task"], held["fit"], held["found"]
    coded = fit.coding.apply(task.x)
    for place, row in enumerate(one.rows[:4]):
        for c in range(task.k):
            start, *values = by_hand(fit.learner.library, coded[row], c)
            assert one.base[c] == pytest.approx(start, abs=1e-14)
            assert one.values[place, :, c] == pytest.approx(values, abs=1e-14)
            assert start + sum(values) == pytest.approx(held["proba"][row, c], abs=1e-14)
    answers = held["proba"][task.train].mean(axis=0)
    assert np.abs(one.base - answers).max() > (0.1 if class_weight == "balanced" else 1e-4)
    note = next(e for e in elements if e.get("about") == "case")
    assert "不看任何变量时的平均概率" in note["text"]


def test_the_row_asked_for_is_explained_and_one_that_took_no_part_is_refused() -> None:
    elements = made(shap_case=7)
    note = next(e for e in elements if e.get("about") == "case")
    assert note["facts"]["row"] == 7
    gaps = IRIS.assign(petal_width=IRIS["petal_width"].where(IRIS.index != 6))
    with pytest.raises(Refusal) as caught:
        made(gaps, shap_case=7)
    assert caught.value.code == "data.row" and "第 7 行没有参与分析" in caught.value.text


def test_two_classes_are_explained_by_the_event_and_levels_by_boxes() -> None:
    form = {"y": "流失", "x": ["月费", "性别"], "event": "是"}
    elements = made(CHURN, **form)
    assert {row[0] for row in rows(elements, "shap_bars")} == {"是"}
    assert {row[0] for row in rows(elements, "dependence")} == {"月费"}
    assert {row[0] for row in rows(elements, "by_level")} == {"性别"}
    assert said(elements, "另一类的正好相反")


def test_a_variable_of_several_columns_is_one_variable() -> None:
    frame = CHURN.assign(合约=CHURN["合约"].astype(str))
    found = rows(made(frame, y="流失", x=["合约", "月费"], event="是"), "shap_means")
    assert {row[0] for row in found} == {"合约", "月费"} and all(row[1] > 0 for row in found)


def test_large_forests_explain_fewer_rows_and_never_more_than_there_are() -> None:
    assert shapley.rows_to_explain(2_000, 45) == 45
    assert shapley.rows_to_explain(2_000, 10_000) == shapley.MOST_ROWS
    assert shapley.rows_to_explain(100_000, 10_000) == 100
    assert shapley.rows_to_explain(10**9, 10_000) == shapley.LEAST_ROWS


def test_a_sample_of_the_rows_is_explained_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapley, "MOST_ROWS", 20)
    elements = made()
    note = next(e for e in elements if e.get("about") == "shap_means")
    assert (note["facts"]["n"], note["facts"]["of"]) == (20, 45) and note["facts"]["error"] < 1e-9
    assert said(elements, "抽取的行由随机种子决定")


def test_switched_off_nothing_of_it_stands_there() -> None:
    assert not any("shap" in str(e.get("name")) or e.get("name") == "swarm" for e in made(shap=False))


# ---- learning curve ------------------------------------------------------------------------------------------------
def test_the_curve_ends_in_the_cross_validation() -> None:
    elements = made(cv_folds=5)
    curve, folds = rows(elements, "curve"), rows(elements, "folds")
    assert [row[0] for row in curve] == sorted(row[0] for row in curve) and curve[-1][0] == 84
    assert curve[-1][3] == pytest.approx(folds[-2][2], abs=1e-12)
    assert curve[-1][4] == pytest.approx(folds[-1][2], abs=1e-12)


def test_noise_is_told_as_overfitting_with_a_remedy() -> None:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"a": rng.normal(size=200), "species": rng.choice(["甲", "乙"], 200)})
    check = next(e for e in made(frame, x=["a"], cv_folds=4) if e["type"] == "check" and e["title"] == "学习曲线")
    assert check["state"] == "care" and check["text"].startswith("过拟合")
    assert ("记住了训练数据" in check["text"]) == (check["facts"]["train"] > 0.99)
    assert check["remedies"][0]["set"] == {"min_samples_leaf": 5}


def test_a_model_that_may_not_learn_is_told_as_underfitting() -> None:
    elements = made(min_samples_leaf=60, cv_folds=2)
    check = next(e for e in elements if e["type"] == "check" and e["title"] == "学习曲线")
    assert check["text"].startswith("欠拟合")


def few_of_a_kind(rng: np.random.Generator) -> pd.DataFrame:
    """Four in a hundred are of the second kind."""
    return pd.DataFrame({"a": rng.normal(size=200), "species": ["甲"] * 192 + ["乙"] * 8})


def test_a_perfect_model_of_a_rare_class_is_neither_underfitted_nor_overfitted() -> None:
    frame = few_of_a_kind(np.random.default_rng(4))
    frame["a"] += np.where(frame["species"] == "乙", 20, 0)
    check = next(e for e in made(frame, x=["a"], cv_folds=4) if e["type"] == "check" and e["title"] == "学习曲线")
    assert (check["facts"]["train"], check["facts"]["cross"]) == (1, 1) and check["facts"]["base"] > 0.95
    assert check["state"] == "pass" and "没有明显的过拟合或欠拟合" in check["text"]


def test_noise_beside_a_rare_class_is_overfitting_though_few_points_are_lost() -> None:
    elements = made(few_of_a_kind(np.random.default_rng(4)), x=["a"], cv_folds=4)
    check = next(e for e in elements if e["type"] == "check" and e["title"] == "学习曲线")
    assert check["facts"]["gap"] < 10 and check["state"] == "care" and check["text"].startswith("过拟合")


def test_the_conclusion_says_how_many_of_a_rare_class_are_found() -> None:
    frame = few_of_a_kind(np.random.default_rng(4))
    elements = made(frame, x=["a"])
    lead = next(e for e in elements if e["type"] == "lead")
    confusion = [row for row in rows(elements, "cells") if row[0] == "乙"]
    hits = next(row[2] for row in confusion if row[1] == "乙")
    assert "找出了 {hits:integer} 行" in lead["text"] and lead["facts"]["rows"] == 2 and lead["facts"]["hits"] == hits
    assert "找出了" not in next(e for e in made() if e["type"] == "lead")["text"]


def test_too_few_test_rows_are_no_verdict_where_the_folds_give_one() -> None:
    rng = np.random.default_rng(8)
    frame = pd.DataFrame({"a": rng.normal(size=200)})
    frame["species"] = np.where(frame["a"] + rng.normal(size=200) > 0, "甲", "乙")
    form = {"x": ["a"], "train_ratio": 0.85, "min_samples_leaf": 10, "max_depth": 3}
    lead = next(e for e in made(frame, cv_folds=5, **form) if e["type"] == "lead")
    assert "没有明显更好" in lead["text"] and "再看交叉验证" in lead["text"]
    assert lead["facts"]["m"] == 170 and lead["facts"]["from"] > 0.51
    assert "交叉验证" not in next(e for e in made(frame, **form) if e["type"] == "lead")["text"]


def test_a_question_as_a_name_is_said_by_what_it_asks() -> None:
    frame = IRIS.rename(columns={"petal_width": "5、您的花瓣宽度是多少？"})
    lead = next(e for e in made(frame, x=["petal_length", "5、您的花瓣宽度是多少？"]) if e["type"] == "lead")
    top = lead["facts"]["top"]
    assert "花瓣宽度" in top and "“5" not in top and "您的" not in top


def test_without_folds_there_is_no_curve_and_it_is_said() -> None:
    assert said(made(), "学习曲线需要交叉验证")


# ---- search --------------------------------------------------------------------------------------------------------
def test_the_bayesian_search_is_the_same_again_and_never_tries_twice() -> None:
    form = {"tune": "tpe", "tune_trials": 12, "cv_folds": 2, "shap": False, "save_model": False}
    one, other = (rows(made(**form), "trials") for _ in range(2))
    assert one == other and len({row[1] for row in one}) == len(one) == 12


def test_the_best_trial_scores_as_the_cross_validation_that_follows() -> None:
    elements = made(tune="tpe", tune_trials=6, cv_folds=3, shap=False)
    assert rows(elements, "trials")[0][2] == pytest.approx(rows(elements, "folds")[-2][4], abs=1e-12)


# ---- groups --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("shuffle", [True, False])
def test_a_group_never_trains_and_tests(shuffle: bool) -> None:
    frame = IRIS.assign(人=[f"人{(i * 7) % 30}" for i in range(150)])
    test = {row[0] for row in rows(made(frame, cv_group="人", shuffle=shuffle, cv_folds=3), "predictions")}
    people = frame["人"].to_numpy()
    outside = {people[i] for i in range(150) if i + 1 not in test}
    assert test and not outside & {people[row - 1] for row in test}


def test_one_group_alone_is_refused_and_a_class_left_out_is_told() -> None:
    with pytest.raises(Refusal) as caught:
        made(IRIS.assign(人="人1"), cv_group="人")
    assert caught.value.code in ("data.groups", "role.levels")
    assert said(made(IRIS.sort_values("species"), train_ratio=0.5, shuffle=False, stratify=False), "训练集里没有类别")


# ---- files and the map ---------------------------------------------------------------------------------------------
def test_both_files_hold_every_test_row_with_all_probabilities(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[str, bytes] = {}
    from hengxi.contract.report import Report

    original = Report.file
    monkeypatch.setattr(
        Report, "file", lambda self, e, name, b: (kept.update({name: b}), original(self, e, name, b))[1]
    )
    elements = made()
    lines = list(csv.reader(io.StringIO(kept["测试集预测.csv"].decode("utf-8-sig"))))
    book = openpyxl.load_workbook(io.BytesIO(kept["测试集预测.xlsx"]), read_only=True)
    cells = [list(row) for row in book.active.iter_rows(values_only=True)]
    assert lines[0] == cells[0] == ["行号", "真实值", "预测值", "概率_setosa", "概率_versicolor", "概率_virginica"]
    assert len(lines) == len(cells) == 46
    for line, row in zip(lines[1:], cells[1:], strict=True):
        assert [float(v) for v in line[3:]] == row[3:] and sum(row[3:]) == pytest.approx(1)
    assert [row[0] for row in cells[1:]] == [row[0] for row in rows(elements, "predictions")]


def test_a_map_that_counts_training_rows_says_so() -> None:
    assert said(made(n_estimators=10), "同类会聚得过紧") and not said(made(n_estimators=10), "说明模型分得清")
    assert said(made(n_estimators=150), "说明模型分得清")


def test_rows_out_of_bag_are_compared_by_the_interval_of_the_test_rows() -> None:
    check = next(e for e in made() if e["type"] == "check" and e["title"] == "切分是否稳定")
    facts = check["facts"]
    assert check["state"] == "pass" and facts["low"] <= facts["oob"] <= facts["high"]
    assert facts["gap"] == pytest.approx(100 * abs(facts["oob"] - facts["test"]))
    rng = np.random.default_rng(8)
    # The rows come in two halves: in the first the petals tell the kind, in the second they are noise.
    frame = IRIS.sample(frac=1, random_state=1).reset_index(drop=True)
    frame.loc[105:, X] = rng.permutation(frame.loc[105:, X].to_numpy())
    unlike = made(frame, shuffle=False, stratify=False)
    check = next(e for e in unlike if e["type"] == "check" and e["title"] == "切分是否稳定")
    assert check["state"] == "care" and check["facts"]["oob"] > check["facts"]["high"]


def test_rows_of_one_kind_lie_together() -> None:
    points = rows(made(n_estimators=50), "near")
    places = {name: np.array([row[1:] for row in points if row[0] == name]) for name in {row[0] for row in points}}
    setosa = places.pop("setosa")
    spread = np.linalg.norm(setosa - setosa.mean(axis=0), axis=1).mean()
    assert all(np.linalg.norm(other.mean(axis=0) - setosa.mean(axis=0)) > 5 * spread for other in places.values())


def test_large_samples_have_no_map_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proximity, "MOST_ROWS", 100)
    assert said(made(), "样本量超过 100 行，不画邻近度图")


def test_many_rows_are_followed_only_so_far_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from hengxi.methods.supervised_learning._shared import learning_curve

    monkeypatch.setattr(learning_curve, "MOST_TRAINED", 50)
    elements = made(cv_folds=3)
    assert [row[0] for row in rows(elements, "curve")] == [15, 20, 35, 50, 70]
    note = next(e for e in elements if e.get("about") == "curve" and "k" in e["facts"])
    assert note["facts"]["k"] == 50
