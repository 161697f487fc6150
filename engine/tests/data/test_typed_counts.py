"""Counts typed by hand: the table they become, what is refused, and that the tests of counts read it as rows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from hengxi.data import typed_counts
from hengxi.data.refusal import DataRefusal
from hengxi.data.table import Table
from hengxi.jobs.analysis import plain
from hengxi.prepare import report_on

TREATMENT = {"name": "疗法", "levels": ["新药", "对照"]}
OUTCOME = {"name": "结果", "levels": ["有效", "无效", "恶化"]}
COUNTS = [30, 10, 5, 18, 22, 9]


@pytest.fixture
def typed(home: Path, keys: Callable[[], str]) -> Callable[..., Table]:
    def make(factors: list[dict[str, Any]], counts: list[Any]) -> Table:
        key = keys()
        typed_counts.make(key, {"factors": factors, "counts": counts})
        return Table.open(key)

    return make


Make = Callable[..., Table]


def test_counts_become_a_row_for_each_combination(typed: Make) -> None:
    table = typed([TREATMENT, OUTCOME], COUNTS)
    names = [column.name for column in table.meta.columns]
    assert names == ["疗法", "结果", "频数"]
    rows = [[table.cells(column.id, range(6))[i] for column in table.meta.columns] for i in range(6)]  # type: ignore[arg-type]
    assert rows == [[*pair, n] for pair, n in zip(product(TREATMENT["levels"], OUTCOME["levels"]), COUNTS, strict=True)]
    assert [column.measure for column in table.meta.columns] == ["定类", "定类", "定量"]


def test_categories_keep_the_order_they_were_typed_in(typed: Make) -> None:
    table = typed(
        [{"name": "程度", "levels": ["重", "轻", "中"]}, {"name": "剂量", "levels": ["10", "5", "0"]}], [1] * 9
    )
    levels = [[level.value for level in column.levels or []] for column in table.meta.columns[:2]]
    assert levels == [["重", "轻", "中"], [10, 5, 0]]


@pytest.mark.parametrize(
    ("levels", "stored"),
    [
        (["1", "2"], "int"),
        (["0.5", "1"], "float"),
        (["01", "02"], "text"),
        (["1", "1.0"], "text"),
        (["无", "NA"], "text"),
    ],
)
def test_only_what_is_written_as_a_number_is_one(typed: Make, levels: list[str], stored: str) -> None:
    table = typed([{"name": "甲", "levels": levels}], [3, 4])
    column = table.meta.columns[0]
    assert column.storage == stored and column.measure == "定类"
    assert [level.count for level in column.levels or []] == [1, 1]


def test_names_that_meet_are_told_apart(typed: Make) -> None:
    table = typed([{"name": "频数", "levels": ["高", "低"]}], [3, 4])
    assert len({column.name for column in table.meta.columns}) == 2


BAD: list[tuple[Any, Any, str, str]] = [
    ([], [], "factors", "1 到 3"),
    ([{"name": "甲", "levels": ["a"]}], [1], "levels", "至少要有 2 个类别"),
    ([{"name": "甲", "levels": ["a", "a"]}], [1, 2], "twice", "都叫“a”"),
    ([{"name": "甲", "levels": ["a", " "]}], [1, 2], "empty", "没有名称"),
    ([{"name": "甲", "levels": ["a", "b"]}], [1], "size", "收到 1 个频数"),
    ([{"name": "甲", "levels": ["a", "b"]}], [1, -1], "whole", "第 2 格"),
    ([{"name": "甲", "levels": ["a", "b"]}], [1.5, 1], "whole", "第 1 格"),
    ([{"name": "甲", "levels": ["a", "b"]}], [True, 1], "whole", "第 1 格"),
    ([{"name": "甲", "levels": ["a", "b"]}], [10**10, 1], "whole", "整数"),
    ([{"name": "甲", "levels": ["a", "b"]}], [0, 0], "zero", "全部是 0"),
    ([{"name": "甲", "levels": [str(i) for i in range(201)]}], [1] * 201, "levels", "最多 200"),
    ([{"name": c, "levels": [str(i) for i in range(100)]} for c in "甲乙"], [1] * 10_000, "cells", "最多 4,000 格"),
]


@pytest.mark.parametrize(("factors", "counts", "code", "text"), BAD)
def test_what_is_no_table_of_counts_is_refused(typed: Make, factors: Any, counts: Any, code: str, text: str) -> None:
    with pytest.raises(DataRefusal, match=text) as caught:
        typed(factors, counts)
    assert caught.value.code == f"counts.{code}"


RATER = ["轻", "中", "重"]
GRADES = [{"name": "甲", "levels": RATER}, {"name": "乙", "levels": RATER}]
AGREED = [20, 3, 1, 2, 15, 4, 0, 5, 10]
DOSES = [{"name": "剂量", "levels": ["0", "1", "2"]}, {"name": "结局", "levels": ["否", "是"]}]
STRATA = [{"name": "中心", "levels": ["一", "二"]}, TREATMENT, {"name": "好转", "levels": ["是", "否"]}]
TWO = [TREATMENT, {"name": "好转", "levels": ["是", "否"]}]
METHODS: list[tuple[str, list[Any], list[int], dict[str, Any]]] = [
    ("chi_square_test", [TREATMENT, OUTCOME], COUNTS, {"x": "c1", "y": ["c2"]}),
    ("fisher_exact_test", TWO, [9, 2, 3, 8], {"x": "c1", "y": ["c2"]}),
    (
        "mcnemar_test",
        [{**one, "levels": ["是", "否"]} for one in TWO],
        [20, 5, 12, 30],
        {"before": "c1", "after": "c2"},
    ),
    ("kappa", GRADES, AGREED, {"rater1": "c1", "rater2": "c2"}),
    ("weighted_kappa", GRADES, AGREED, {"rater1": "c1", "rater2": "c2", "order": RATER}),
    ("cmh_test", STRATA, [9, 4, 6, 8, 12, 5, 7, 9], {"x": "c2", "y": "c3", "strata": ["c1"]}),
    ("chisquare_goodness_fit", [OUTCOME], [20, 14, 30], {"variable": "c1"}),
    ("cochran_armitage_trend", DOSES, [20, 3, 17, 6, 12, 10], {"group": "c1", "y": ["c2"]}),
    ("two_proportion_test", TWO, [19, 12, 13, 18], {"group": "c1", "y": ["c2"]}),
]


@pytest.mark.parametrize(("key", "factors", "counts", "form"), METHODS, ids=[one[0] for one in METHODS])
def test_a_test_of_counts_reads_the_typed_table_as_rows(
    typed: Make, key: str, factors: list[Any], counts: list[int], form: dict[str, Any]
) -> None:
    """The weight of the version does it: the same numbers as from the rows that were counted."""
    table = typed(factors, counts)
    path = f"hypothesis_test/{key}"
    weight = {"column": table.meta.columns[-1].id, "kind": "frequency"}
    weighted = plain(report_on(path, table, form, weight=weight))
    columns = {c.name: table.cells(c.id, range(table.rows)) for c in table.meta.columns[:-1]}  # type: ignore[arg-type]
    rows = pd.DataFrame(columns).loc[lambda frame: frame.index.repeat(counts)].reset_index(drop=True)
    from tests.support.oracle import table_from

    counted = plain(report_on(path, table_from(rows, dict.fromkeys(columns, "定类")), form))
    assert _numbers(weighted) == pytest.approx(_numbers(counted), rel=1e-9)
    assert weighted["sample"]["weighted"] == sum(counts)


def _numbers(report: dict[str, Any]) -> list[float]:
    """p values and statistics of all tables shown, in order."""
    found: list[float] = []
    for element in report["parts"][0]["elements"]:
        if element["type"] == "table" and not element["hidden"]:
            keys = [i for i, column in enumerate(element["columns"]) if column["format"] in ("pvalue", "num")]
            found += [row[i] for row in element["rows"] for i in keys if isinstance(row[i], int | float)]
    assert found
    return found
