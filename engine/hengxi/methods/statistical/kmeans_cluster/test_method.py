"""Branches and refusals of k-means clustering, and what must not change its classes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans

from hengxi.contract import Refusal
from hengxi.prepare import Request, plain, read_table, run_on_frame, run_request  # type: ignore[attr-defined]
from hengxi.stats.partition import exchange, partition, settle, silhouettes, total_squares
from hengxi.stats.restarts import Rows
from hengxi.testing import Trial, cells, check, said

PATH = "statistical/kmeans_cluster"
IRIS = pd.read_csv(Path(__file__).parent / "example.csv")
X = ["萼片长", "萼片宽", "花瓣长", "花瓣宽"]
MEASURES = {"编号": "文本", **dict.fromkeys(X, "定量")}


TRIAL = Trial(PATH, IRIS, {"x": X}, MEASURES)
report, refused = TRIAL.report, TRIAL.refused


def has(elements: list[dict[str, Any]], name: str) -> bool:
    return any(e.get("name") == name for e in elements if e["type"] in ("table", "chart"))


# ---- refusals ------------------------------------------------------------------------------------------------------
def test_a_constant_variable_is_refused_by_name() -> None:
    refusal = refused(IRIS.assign(高=5.0), x=[*X, "高"])
    assert refusal.code == "role.constant" and "变量“高”没有变化，不能用于聚类" in refusal.text


@pytest.mark.parametrize(("values", "k"), [([1, 2, 3] * 10, 3), ([1, 2, 3] * 10, 5), ([1, 2] * 15, 2)])
def test_as_many_classes_as_different_cases_are_refused(values: list[int], k: int) -> None:
    refusal = refused(pd.DataFrame({"高": values}), x=["高"], k=k)
    assert refusal.code == "data.few_distinct" and "聚类数不能大于等于不同样本数" in refusal.text
    assert f"只有 {len(set(values))} 个不同的样本" in refusal.text
    most = len(set(values)) - 1
    assert [one.title for one in refusal.faults[0].remedies] == ([f"聚类数改为 {most}"] if most > 1 else [])


@pytest.mark.parametrize("kind", ["frequency", "sampling", "precision"])
def test_weights_are_refused_by_kind(kind: str) -> None:
    with pytest.raises(Refusal) as caught:
        run_on_frame(PATH, IRIS.assign(权=2), {"x": X}, weight={"column": "权", "kind": kind})
    assert caught.value.code == "weight.kind" and "也不支持其他加权" in caught.value.text


def test_two_different_cases_cannot_be_compared() -> None:
    assert refused(pd.DataFrame({"高": [1, 2] * 10}), x=["高"], k_rule="auto").code == "data.few_distinct"


# ---- the partition -------------------------------------------------------------------------------------------------
def test_classes_are_numbered_by_size_and_then_by_the_first_centre() -> None:
    assert [row[1] for row in cells(report(scale="none"), "sizes")] == [62, 50, 38, 150]
    frame = pd.DataFrame({"甲": [9.0, 9.1, 9.2, 0.0, 0.1, 0.2, 5.0, 5.1], "乙": [1.0, 2, 3, 1, 2, 3, 1, 2]})
    elements = report(frame, x=["甲", "乙"], scale="none")
    centres = cells(elements, "centres")[0]
    assert centres[1][0] == pytest.approx(0.1) and centres[2][0] == pytest.approx(9.1)


def test_an_empty_class_is_left_out() -> None:
    u = np.array([[0.0], [0.1], [5.0], [5.1]])
    found = settle(u, np.array([0, 0, 2, 2]), 3)
    assert found.k == 2 and found.emptied == 1 and found.sizes.tolist() == [2, 2]


def test_exchange_goes_below_what_lloyd_leaves() -> None:
    """Telgarsky & Vattani's point: with 1 and 3 cases, the border of a class of one lies elsewhere."""
    u = np.array([[0.0], [2.0], [3.6]])
    start = np.array([0, 1, 1])
    value, labels, _ = exchange(u, start, 2)
    assert value <= 1.28 + 1e-12 and np.bincount(labels).min() >= 1
    rng = np.random.default_rng(0)
    v = rng.normal(size=(200, 3))
    found = partition(v, 5, 5, 1)
    again, _, _ = exchange(v, found.labels, 5)
    assert again == pytest.approx(found.within, rel=1e-12)


def test_a_restart_is_that_of_the_library() -> None:
    u = np.random.default_rng(2).normal(3.0, 1.0, size=(150, 3))
    rows = Rows(u, 4)
    for seed in range(5):
        theirs = KMeans(4, n_init=2, random_state=seed, max_iter=1000, tol=0.0).fit(u).labels_
        assert np.array_equal(rows.restarts(2, seed), theirs)


def test_many_cases_say_how_many_restarts_were_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hengxi.stats.partition.EXACT", 100)
    monkeypatch.setattr("hengxi.stats.restarts.CELLS", 400)
    elements = report(scale="none", n_init=8)
    note = next(e for e in elements if "再用全部个案迭代" in e.get("text", ""))
    assert (note["facts"]["drawn"], note["facts"]["runs"]) == (150, 8) and 1 <= note["facts"]["whole"] <= 9
    assert [row[1] for row in cells(elements, "sizes")] == [62, 50, 38, 150]
    assert "抽取的 {drawn:integer} 例" in said(elements)
    monkeypatch.undo()
    assert "{drawn" not in said(report(scale="none"))


def test_silhouette_of_a_class_of_one_is_0() -> None:
    u = np.array([[0.0], [0.1], [9.0]])
    assert silhouettes(u, [np.array([0, 0, 1])])[0][2] == 0.0


def test_large_offsets_cost_no_digits() -> None:
    a, b = (
        cells(report(scale="none"), "evaluation")[0],
        cells(report(IRIS.assign(**(IRIS[X] + 1e8)), scale="none"), "evaluation")[0],
    )
    assert a[3] == pytest.approx(b[3], rel=1e-6) and a[5] == pytest.approx(b[5], rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1e-300, 1e-140, 1e140, 1e300])
@pytest.mark.parametrize("kind", ["z", "range", "none"])
def test_extreme_magnitudes_give_the_same_classes(scale: float, kind: str) -> None:
    elements = report(IRIS.assign(**(IRIS[X] * scale)), scale=kind)
    assert [row[1] for row in cells(elements, "sizes")] == [row[1] for row in cells(report(scale=kind), "sizes")]
    if kind == "none" and not 1e-200 < scale < 1e200:
        assert cells(elements, "evaluation")[0][3] is None and "请给变量换一个单位" in said(elements)


def test_row_order_and_names_of_rows_do_not_matter() -> None:
    shuffled = IRIS.sample(frac=1, random_state=3).reset_index(drop=True)
    assert cells(report(), "centres") == cells(report(shuffled), "centres")
    assert cells(report(), "sizes") == cells(report(shuffled), "sizes")


# ---- options -------------------------------------------------------------------------------------------------------
def test_the_automatic_k_has_the_largest_silhouette() -> None:
    elements = report(k_rule="auto", n_init=5)
    compared = cells(elements, "comparison")
    best = max(compared[1:], key=lambda row: row[3])
    assert cells(elements, "evaluation")[0][2] == best[0] == 2 and has(elements, "elbow")
    assert "平均轮廓系数最大的 K" in said(elements)


def test_without_a_comparison_there_is_neither_table_nor_elbow() -> None:
    assert not has(report(), "comparison") and not has(report(), "elbow")


def test_raw_units_that_differ_are_offered_standardisation() -> None:
    found = check(report(IRIS.assign(萼片长=IRIS["萼片长"] * 100), scale="none"), "量纲")
    assert found["state"] == "care" and found["remedies"][0]["set"] == {"scale": "z"}


def test_noise_is_called_noise() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(300, 8)), columns=[f"v{i}" for i in range(8)])
    elements = report(frame, x=list(frame.columns), k=5)
    assert check(elements, "类的清晰程度")["state"] == "fail" and "分类不明显" in said(elements)


def test_a_case_far_away_is_a_class_of_its_own_and_said() -> None:
    frame = IRIS.copy()
    frame.loc[0, X] = [90.0, 80.0, 90.0, 70.0]
    elements = report(frame)
    assert check(elements, "类的大小")["state"] == "care" and "没有标准差" in said(elements)


def test_saved_classes_stand_in_the_rows_of_the_file() -> None:
    data = next(e for e in report(scale="none") if e["type"] == "data")
    assert data["columns"][0]["name"] == "聚类类别" and data["changed"] == 150
    assert [row[0] for row in data["preview"]] == ["第2类"] * 8  # the first flowers are setosa
    assert not any(e["type"] == "data" for e in report(save=False))


def test_representatives_carry_their_label_and_row() -> None:
    elements = report(label="编号", scale="none")
    for row in cells(elements, "nearest"):
        assert row[2] == f"花{row[1][0]:03d}"


@pytest.mark.slow
def test_many_cases_say_what_is_sampled() -> None:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {"甲": rng.normal(size=12_000) + rng.integers(0, 2, 12_000) * 6, "乙": rng.normal(size=12_000)}
    )
    elements = report(frame, x=["甲", "乙"], k=2, n_init=2)
    assert "轮廓系数由按种子" in said(elements)
    plane = next(e for e in elements if e["type"] == "chart" and e["name"] == "plane")
    assert plane["thinned"] == {"shown": 5000, "of": 12_000}


def test_stopping_keeps_the_best_so_far() -> None:
    table = read_table(IRIS, MEASURES)
    ids = {column.name: column.id for column in table.meta.columns}
    form = {"x": [ids[name] for name in X]}
    made = plain(run_request(Request(path=PATH, form=form), table, lambda done, of, text="", best=None: done < 0.05))
    elements = made["parts"][0]["elements"]
    assert made["stopped"] and "按要求停止并保留" in said(elements)
    warning = next(e for e in elements if e["type"] == "warning")
    assert warning["code"] == "run.stopped" and warning["facts"]["where"] == "停在 K = 3 的第 2/25 次重启"


def test_splits_equal_runs_of_their_own() -> None:
    frame = IRIS.assign(组=["甲", "乙"] * 75)
    made = run_on_frame(
        PATH, frame, {"x": X}, measures={**MEASURES, "组": "定类"}, strict=True, split={"column": "组", "total": True}
    )
    first = made["parts"][0]["elements"]
    alone = report(frame[frame["组"] == "甲"][["编号", *X]].reset_index(drop=True))
    assert cells(first, "sizes") == cells(alone, "sizes") and len(made["parts"]) == 3


def test_squares_add_up() -> None:
    elements = report(k=4)
    f, eta = cells(elements, "anova")[0][1], cells(elements, "anova")[0][5]
    assert f == pytest.approx(eta / 3 / ((1 - eta) / 146), rel=1e-10)
    assert total_squares(np.array([[1.0], [3.0]])).tolist() == [2.0]


def test_no_causal_verbs() -> None:
    words = said(report()) + said(report(k_rule="auto", n_init=2))
    for verb in ("影响了", "导致", "使得", "造成", "决定了", "显著"):
        assert verb not in words


def test_the_rule_of_the_gap_stands_beside_its_greatest_value() -> None:
    rng = np.random.default_rng(4)
    groups = [rng.normal(m, s, (k, 3)) for m, s, k in ((0, 1, 40), (4, 1.2, 25), (9, 1.5, 12))]
    frame = pd.DataFrame(np.vstack(groups), columns=list("abc"))
    made = report(frame, dict.fromkeys("abc", "定量"), x=list("abc"), scale="range", compare_k=True)
    assert "Gap 在 K = {most:integer} 处最大" in said(made)
