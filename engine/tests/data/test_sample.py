"""Rows behind the account of a sample."""

from __future__ import annotations

import numpy as np

from hengxi.data.build import table_of
from hengxi.data.sample import sample_mask
from hengxi.data.table import Table


def table() -> Table:
    return table_of({"x": [1, 2, None, 4, None], "y": [5, None, 7, 8, None], "w": [1, 0, 2, None, 1]})


def places(**ask: object) -> list[int]:
    found: list[int] = np.flatnonzero(sample_mask(table(), ask)).tolist()
    return found


def test_used_rows_have_a_value_in_every_column_that_counts() -> None:
    assert places(set="used", columns=["c1", "c2"]) == [0, 3]
    assert places(set="used", columns=[]) == [0, 1, 2, 3, 4]


def test_missing_rows_are_told_apart_by_column() -> None:
    assert places(set="missing", columns=["c1", "c2"]) == [1, 2, 4]
    assert places(set="missing", columns=["c1", "c2"], only="c1") == [2, 4]
    assert places(set="missing", columns=["c1"], only="c2") == []


def test_a_weight_counts_only_where_it_is_positive() -> None:
    assert places(set="used", columns=["c3"], weight="c3") == [0, 2, 4]
    assert places(set="missing", columns=["c3"], weight="c3") == [1, 3]


def test_a_condition_that_is_missing_is_not_met() -> None:
    keep = {"condition": "{c1} > 1", "filter_type": "keep"}
    drop = {"condition": "{c1} > 1", "filter_type": "drop"}
    assert places(set="filtered", filter=keep) == [0, 2, 4]
    assert places(set="filtered", filter=drop) == [1, 3]
    assert places(set="used", filter=drop, columns=["c2"]) == [0, 2]


def test_rows_of_levels_that_are_not_compared_are_filtered_out_and_gaps_stay_gaps() -> None:
    chosen = {"column": "c1", "values": [1, 4]}
    assert places(set="filtered", chosen=chosen) == [1]
    assert places(set="missing", chosen=chosen, columns=["c1"]) == [2, 4]
    assert places(set="used", chosen=chosen, columns=["c1"]) == [0, 3]


def test_of_several_variables_a_row_is_out_where_all_are_missing() -> None:
    assert places(set="missing", columns=[], either=["c1", "c2"]) == [4]
    assert places(set="missing", columns=["c3"], either=["c1", "c2"]) == [3, 4]
    assert places(set="missing", columns=[], either=["c1", "c2"], only="c2") == [1, 4]
