"""Branches and refusals of missing values, and what is left alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.data.build import table_of
from hengxi.data.meta import Level, Missing
from hengxi.methods.data_processing._shared import fill
from hengxi.methods.data_processing._shared.chained import Series, impute
from hengxi.testing import Trial

PATH = "data_processing/missing_value"
FRAME = pd.DataFrame(
    {
        "x": [1.0, None, 3.0, 6.0, None],
        "g": list("甲甲乙乙乙"),
        "词": ["好", None, "坏", "好", None],
        "z": [2.0, 4, 6, 8, 10],
    }
)


TRIAL = Trial(PATH, FRAME, {"variables": ["x"]}, {"x": "定量", "z": "定量"})
report, refused = TRIAL.document, TRIAL.refused


def element(made: dict[str, Any], name: str) -> dict[str, Any]:
    return next(e for e in made["parts"][0]["elements"] if e.get("name") == name)


def values(made: dict[str, Any], place: int = -1) -> list[Any]:
    return [None if row is None else row[place] for row in element(made, "data")["step"]["preview"]["after"]]


def warnings(made: dict[str, Any]) -> list[str]:
    return [e["code"] for e in made["parts"][0]["elements"] if e["type"] == "warning"]


# ---- refusals ------------------------------------------------------------------------------------------------------
def test_nothing_missing_is_nothing_to_do() -> None:
    assert refused(variables=["z"]).text == "所选变量没有缺失值，无需处理"


@pytest.mark.parametrize("method", ["mean", "median", "linear", "regression", "em"])
def test_categories_have_no_mean(method: str) -> None:
    refusal = refused(variables=["词", "x"], method=method)
    assert "“词”是定类变量，不能用" in refusal.text and "请用众数" in refusal.text
    assert refusal.faults[0].remedies[0].set == {"method": "mode"}  # type: ignore[union-attr]


def test_an_empty_variable_cannot_be_filled() -> None:
    assert "全部缺失" in refused(FRAME.assign(x=np.nan)).text
    assert refused(filter="{c4} = 4").text == "“x”全部缺失，无法填补"


def test_no_row_left() -> None:
    frame = pd.DataFrame({"x": [1.0, None], "y": [None, 2.0]})
    assert refused(frame, variables=["x", "y"], method="drop_rows").text == "删除含缺失的行后没有剩余数据"


@pytest.mark.parametrize("method", ["knn", "regression", "em", "mice"])
def test_one_variable_has_no_neighbours(method: str) -> None:
    assert refused(method=method).text == "该方法至少需要 2 个变量"


def test_a_gap_in_the_middle_is_not_called_an_end_where_points_are_too_few() -> None:
    made = report(pd.DataFrame({"x": [1.0, None, 3.0]}), {"x": "定量"}, method="polynomial", order_k=3)
    warning = next(e for e in made["parts"][0]["elements"] if e.get("code") == "fill.left")
    assert "有值的点不足 4 个的缺失无法插值" in warning["text"]


def test_a_constant_must_fit() -> None:
    assert "“无”不是数字" in refused(method="constant", value="无").text


def test_no_column_to_drop() -> None:
    assert "无需删除" in refused(method="drop_columns", max_missing_rate=0.9).text


def test_rows_are_not_dropped_under_an_active_filter() -> None:
    assert refused(method="drop_rows", filter="{c4} > 2").code == "data.filtered"


# ---- branches ------------------------------------------------------------------------------------------------------
def test_within_groups_and_within_an_active_filter() -> None:
    assert values(report(group=["g"])) == [1, 1, 3, 6, 4.5]
    assert values(report(filter="{c4} >= 4")) == [None, 4.5, 3, 6, 4.5]
    replaced = report(filter="{c4} >= 4", mode="replace")
    assert values(replaced) == [1, 4.5, 3, 6, 4.5] and element(replaced, "data")["changed"] == 2


def test_rows_without_a_group_are_left() -> None:
    made = report(FRAME.assign(g=["甲", None, "乙", "乙", "乙"]), group=["g"])
    assert values(made) == [1, None, 3, 6, 4.5] and "fill.left" in warnings(made)


def test_ends_are_not_extrapolated() -> None:
    made = report(method="linear")
    assert values(made) == [1, 2, 3, 6, None] and "fill.left" in warnings(made)


def test_order_decides_what_is_before() -> None:
    frame = FRAME.assign(z=[5.0, 4, 3, 2, 1])
    assert values(report(frame, method="forward", order="z")) == [1, 3, 3, 6, None]
    assert values(report(frame, method="backward", order="z")) == [1, 1, 3, 6, 6]


def test_texts() -> None:
    assert values(report(variables=["词"], method="mode")) == ["好", "好", "坏", "好", "好"]
    assert values(report(variables=["词"], method="forward")) == ["好", "好", "坏", "好", "好"]
    assert values(report(variables=["词"], method="constant", value="未答"))[1] == "未答"
    near = report(variables=["词"], predictors=["z"], method="knn", k=1)
    assert values(near) == ["好", "好", "坏", "好", "好"]


def test_random_values_come_from_the_variable_and_repeat_with_the_seed() -> None:
    one, other = (values(report(method="random", seed=5)) for _ in range(2))
    assert one == other and set(one) <= {1, 3, 6}


def test_an_indicator_stands_beside_or_alone() -> None:
    assert values(report(method="indicator")) == [0, 1, 0, 0, 1]
    made = report(indicator=True)
    assert [one["name"] for one in element(made, "data")["columns"]] == ["x_填补", "x_缺失"]


def test_declared_and_given_codes_are_missing() -> None:
    table = table_of({"x": [1, 99, 3, -1, 5]}, {"x": "定量"})
    column = table.meta.columns[0]
    column.missing = Missing(values=[99])
    made = report(table, user_missing="-1", mode="replace")
    assert values(made) == [1, 3, 3, 3, 5] and element(made, "data")["changed"] == 2


def test_codes_that_could_not_be_filled_stay_codes() -> None:
    table = table_of({"x": [99, 1, 99, 3]}, {"x": "定量"})
    table.meta.columns[0].missing = Missing(values=[99])
    assert values(report(table, method="linear", mode="replace")) == [99, 1, 2, 3]


def test_labels_come_along() -> None:
    table = table_of({"x": [1, None, 2, 1]}, {"x": "定类"})
    table.meta.columns[0].levels = [Level(value=v, label=w) for v, w in ((1, "是"), (2, "否"))]
    made = report(table, method="mode")
    row = element(made, "result")["rows"][0]
    assert "是" in row and element(made, "data")["columns"][0]["measure"] == "定类"


def test_columns_beyond_the_rate_go() -> None:
    made = report(variables=["x", "z"], method="drop_columns", max_missing_rate=0.3)
    step = element(made, "data")["step"]
    assert [one["name"] for one in step["removed"]] == ["x"] and step["columns_after"] == 3


def test_rows_with_gaps_go() -> None:
    made = report(method="drop_rows")
    assert values(made, 0) == [1, None, 3, 6, None] and element(made, "data")["rows"] == 3


# ---- copies --------------------------------------------------------------------------------------------------------
def test_copies_stand_one_below_the_other_and_differ_only_in_the_gaps() -> None:
    made = report(variables=["x", "词"], predictors=["z"], method="mice", m=3, iterations=2)
    step = element(made, "data")["step"]
    assert step["rows_after"] == 15 and [one["name"] for one in step["added"]] == ["_imp_"]
    assert [one["cells"] for one in step["changed"]] == [6, 6]
    assert values(made)[:5] == [1, 1, 1, 1, 1] and values(made, 1)[0] == 1
    same = report(variables=["x", "词"], predictors=["z"], method="mice", m=3, iterations=2)
    assert element(same, "data")["step"] == step


def test_matching_takes_values_that_were_seen_and_keeps_a_strong_relation() -> None:
    rng = np.random.default_rng(8)
    z = rng.normal(size=200)
    x = 3 * z + rng.normal(size=200) * 0.1
    gone = rng.random(200) < 0.3
    series = [Series(np.where(gone, np.nan, x), gone), Series(z, np.zeros(200, dtype=bool))]
    chain = impute(series, 3, 5, np.random.default_rng(1), lambda done, of: True)
    for copy in chain.copies:
        assert set(copy[0][gone]) <= set(x[~gone])
        assert np.corrcoef(copy[0][gone], x[gone])[0, 1] > 0.98


def test_categories_are_drawn_by_their_chances() -> None:
    rng = np.random.default_rng(9)
    z = rng.normal(size=600)
    codes = (z + rng.normal(size=600) * 0.5 > 0).astype(float) + (z > 1)
    gone = rng.random(600) < 0.4
    series = [Series(np.where(gone, 0.0, codes), gone, levels=3), Series(z, np.zeros(600, dtype=bool))]
    chain = impute(series, 5, 2, np.random.default_rng(2), lambda done, of: True)
    shares = np.mean(
        [np.bincount(copy[0][gone].astype(int), minlength=3) / gone.sum() for copy in chain.copies], axis=0
    )
    truth = np.bincount(codes[gone].astype(int), minlength=3) / gone.sum()
    assert np.abs(shares - truth).max() < 0.06


def test_a_polynomial_is_not_continued_beyond_its_points() -> None:
    """Far from the nearest known points on one side: a line stays between its neighbours."""
    at = np.array([0.0, 1.0, 2.0, 10.0])
    y = np.array([0.0, 5.0, np.nan, 6.0])
    assert fill.polynomial(at, y, 1)[2] == pytest.approx(5 + 1 / 9)
    assert 0 <= fill.polynomial(at, y, 2)[2] <= 10


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("forward", "，向前填充了 {f0"),
        ("regression", "，用回归填补了 {f0"),
        ("knn", "，用 KNN 填补了 {f0"),
        ("mean", "，用均值填补了 {f0"),
    ],
)
def test_what_was_done_is_said_as_one_says_it(method: str, words: str) -> None:
    lead = next(e for e in report(method=method, variables=["x", "z"])["parts"][0]["elements"] if e["type"] == "lead")
    assert words in lead["text"]


# ---- the look ahead ------------------------------------------------------------------------------------------------
def test_the_look_shows_rows_that_are_filled_beside_their_source() -> None:
    xs = [float(i) for i in range(1, 31)]
    xs[24] = float("nan")
    made = report(pd.DataFrame({"x": xs}), method="median")
    look = element(made, "data")["step"]["preview"]
    assert look["after"][look["rows"].index(25)] == [None, 15.0]
