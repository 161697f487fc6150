"""All arrays are orthogonal; interactions stand in the columns the tables say; refusals."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hengxi.families.design.arrays import arrays, place
from hengxi.testing import Trial, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
NAMES = ["温度", "时间", "用碱量"]
KINDS = {"转化率": "定量", **dict.fromkeys(NAMES, "定类")}
TRIAL = Trial("quality_control/orthogonal_design", FRAME, {"response": ["转化率"], "factors": NAMES}, KINDS)
PLAN = Trial("quality_control/orthogonal_design", None, {"task": "create"})


@pytest.mark.parametrize("key", list(arrays()))
def test_every_pair_of_columns_holds_all_pairs_of_levels_equally_often(key: str) -> None:
    array = arrays()[key]
    assert key.split("_")[0] == f"L{array.runs}"
    for i, j in combinations(range(len(array.sizes)), 2):
        _, counts = np.unique(array.table[:, [i, j]], axis=0, return_counts=True)
        assert len(counts) == array.sizes[i] * array.sizes[j] and len(set(counts.tolist())) == 1


@pytest.mark.parametrize("key", [key for key, array in arrays().items() if array.vectors])
def test_an_interaction_is_explained_by_its_columns(key: str) -> None:
    array = arrays()[key]
    for i, j in list(combinations(range(len(array.sizes)), 2))[:40]:
        columns = array.interaction(i, j)
        assert columns is not None and len(columns) == array.field - 1 and not {i, j} & set(columns)
        # Within a level of the interaction's columns and of i, j is settled.
        cells = np.unique(array.table[:, [i, columns[0]]], axis=0)
        both = np.unique(array.table[:, [i, columns[0], j]], axis=0)
        assert len(cells) == len(both)


def test_textbook_interactions() -> None:
    known = arrays()
    assert known["L8"].interaction(0, 1) == [2] and known["L8"].interaction(2, 4) == [5]
    assert known["L27"].interaction(0, 4) == [5, 6] and known["L27"].interaction(1, 4) == [7, 10]
    assert known["L9"].interaction(0, 1) == [2, 3]


def test_columns_that_are_not_orthogonal_are_refused() -> None:
    refusal = TRIAL.refused(FRAME[:8])
    assert "不正交，极差分析结果不可比" in refusal.text and refusal.faults[0].remedies


def test_no_array_for_so_much_is_refused() -> None:
    assert "没有能安排 3 个因素" in PLAN.refused(levels=[5, 4, 3]).text
    assert "没有能安排" in PLAN.refused(array="L9", levels=[3, 3, 3, 3, 3]).text


def test_full_tables_have_no_error_and_say_so() -> None:
    frame = FRAME.assign(空=[1, 2, 3, 3, 1, 2, 2, 3, 1])
    report = TRIAL.report(frame, {**KINDS, "空": "定类"}, factors=[*NAMES, "空"])
    assert "data.saturated" in warnings(report) and all(row["F"] is None for row in records(report, "variance"))


def test_interactions_are_read_and_refused_by_name() -> None:
    assert "“温度×压力”读不懂" in TRIAL.refused(interactions="温度×压力").text
    assert "分不开" in TRIAL.refused(interactions="温度×时间").text
    assert "取值须为 2 到 5 个不同的水平" in PLAN.refused(names=[{"id": "r1", "name": "温", "values": "80,80"}]).text


def test_what_the_directions_need() -> None:
    assert "望目时请填目标值" in TRIAL.refused(better="nominal").text
    assert "望大的信噪比要求" in TRIAL.refused(FRAME.assign(转化率=FRAME["转化率"] - 40), sn_ratio=True).text
    assert "算不出信噪比" in TRIAL.refused(better="nominal", target=50, sn_ratio=True).text
    assert "请放入响应变量" in TRIAL.refused(response=[]).text


def test_a_placing_never_puts_two_things_in_a_column() -> None:
    found = place(arrays()["L16_2"], [2] * 5, [(0, 1), (0, 2), (3, 4)])
    assert found is not None
    taken = [*found.factors, *(c for columns in found.interactions for c in columns)]
    assert len(taken) == len(set(taken)) and len(found.empty) == 15 - len(taken)
