"""Profiles of columns: their numbers against numpy's, and what is seen to be a scale or the code of a case."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hengxi.data.build import table_of
from hengxi.data.profile import mean_sd, number_profile
from tests.data.conftest import Import


def test_profile_of_numbers() -> None:
    found = number_profile(np.array([1.0, 2, 2, 3, np.nan, 10]))
    assert (found.n, found.missing, found.distinct, found.min, found.max) == (5, 1, 4, 1, 10)
    assert (found.mean, found.median, found.q1, found.q3) == (3.6, 2, 2, 3)
    assert found.whole and found.positive and not found.unique
    assert sum(b.count for b in found.histogram) == 5
    assert (found.top[0].value, found.top[0].count) == (2, 2)


def test_large_means_do_not_eat_the_spread() -> None:
    mean, sd = mean_sd(np.array([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16]))
    assert (mean, sd) == (1e9 + 10, pytest.approx(np.sqrt(30)))
    assert mean_sd(np.array([5.0])) == (5, None)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.one_of(st.integers(-1000, 1000).map(float), st.floats(-1e6, 1e6)), min_size=1, max_size=200))
def test_profiles_agree_with_numpy(values: list[float]) -> None:
    data = np.array(values)
    found = number_profile(data)
    assert found.n == len(data) and found.distinct == len(np.unique(data))
    assert (found.q1, found.median, found.q3) == pytest.approx(tuple(np.quantile(data, [0.25, 0.5, 0.75])), rel=1e-12)
    assert found.mean == pytest.approx(float(np.mean(data)), rel=1e-9, abs=1e-9)
    assert sum(b.count for b in found.histogram) == len(data)


def test_dates_have_a_range_and_no_mean() -> None:
    table = table_of({"d": [dt.date(2024, 1, 5), dt.date(1999, 12, 31), None]})
    found = table.meta.columns[0].profile
    assert (found.min, found.max, found.mean, found.missing) == ("1999-12-31", "2024-01-05", None, 1)
    assert table.text("c1").tolist() == ["2024-01-05", "1999-12-31", None]


def test_most_frequent_values_of_many_come_in_order_of_value_where_they_tie() -> None:
    data = np.concatenate((np.arange(20_000.0), [7.0, 7.0, 19_000.0, 500.0]))
    top = number_profile(np.random.default_rng(1).permutation(data)).top
    assert [(one.value, one.count) for one in top[:4]] == [(7, 3), (500, 2), (19_000, 2), (0, 1)]
    assert [one.value for one in top[3:]] == [0, 1, 2, 3, 4, 5, 6]


def test_scales_and_identifiers_are_flagged(read: Import) -> None:
    rows = "".join(
        f"{i + 1},{i % 5 + 1},{(i * 2) % 5 + 1},{(i * 3) % 5 + 1},{i % 2},{1000 + i * 7}\n" for i in range(40)
    )
    columns = read("序号,Q1,Q2,Q3,是否,收入\n" + rows)["table"].meta.columns
    assert columns[0].flags == ["标识"]
    assert [c.flags for c in columns[1:4]] == [["量表"]] * 3
    assert columns[4].measure == "定类" and columns[5].flags == []


@pytest.mark.parametrize(
    ("name", "cells", "is_code"),
    [
        ("学号", [20_210_000 + 37 * i for i in range(40)], True),
        ("case id", [3 * i + 5 for i in range(40)], True),
        ("账户", [62_170_000 + 91 * i for i in range(40)], True),
        ("手机", [13_900_000_000 + 7919 * i for i in range(40)], True),
        ("受访者", list(range(1, 41)), True),
        ("登记", [f"A{i:03d}" for i in range(40)], True),
        ("档案", [f"{i:06d}" for i in range(100_000, 100_040)], True),
        ("年", list(range(1985, 2025)), False),
        ("月收入", [3000 + 137 * i for i in range(40)], False),
        ("体重（克）", [51_000 + 311 * i for i in range(40)], False),
        ("常住人口", [10_234_567 + 1_000_003 * i for i in range(40)], False),
        ("拨款", [10_234_567 + 2_000_003 * i for i in range(40)], False),
        ("手机话费", [20 + 13 * i for i in range(40)], False),
        ("consumer price index", [100 + 3 * i for i in range(40)], False),
        ("身高", [f"{150 + i / 4}cm" for i in range(40)], False),
        ("重", [f"{50 + i / 4}kg" for i in range(40)], False),
    ],
)
def test_codes_are_told_from_measurements(read: Import, name: str, cells: list[object], is_code: bool) -> None:
    column = read(f"{name},x\n" + "".join(f"{cell},{i}\n" for i, cell in enumerate(cells)))["table"].meta.columns[0]
    assert (column.flags == ["标识"]) is is_code, column.why
