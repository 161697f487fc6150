"""A column kept as text at the import, read as numbers or dates later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hengxi.data import edits
from hengxi.data.evaluate import expression
from hengxi.data.refusal import DataRefusal
from hengxi.data.table import Table
from tests.data.conftest import Import

Keys = Callable[[], str]


def _kept(read: Import, cells: list[str]) -> str:
    content = "x,y\n" + "".join(f'"{cell}",1\n' for cell in cells)
    key: str = read(content, answers={"c1": "text"}, on_doubt="text")["key"]
    return key


def _edited(key: str, keys: Keys, **change: Any) -> tuple[Table, list[dict[str, Any]]]:
    made = keys()
    answer = edits.edit(key, {"table": made, "columns": [{"id": "c1", **change}]})
    return Table.open(made), answer["warnings"]


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["12%", "30%", "5.5%"], [0.12, 0.3, 0.055]),
        (["3万", "1.2亿", "500"], [30_000, 120_000_000, 500]),
        (["￥1,200", "￥35", "￥8"], [1200, 35, 8]),
        (["(5)", "7", "（8）"], [-5, 7, -8]),
        (["1,234.5", "22,000", "3"], [1234.5, 22_000, 3]),
    ],
)
def test_numbers_are_read_by_the_readings_of_the_import(
    read: Import, keys: Keys, cells: list[str], values: list[float]
) -> None:
    table, warnings = _edited(_kept(read, cells), keys, measure="定量")
    assert np.allclose(table.numeric("c1"), values, rtol=1e-12)
    assert [one["code"] for one in warnings] == ["edit.reading"]


def test_back_to_text_all_is_as_it_was(read: Import, keys: Keys) -> None:
    key = _kept(read, ["12%", "30%", "不详"])
    made = keys()
    edits.edit(key, {"table": made, "columns": [{"id": "c1", "measure": "定量"}]})
    table, _ = _edited(made, keys, measure="文本")
    assert table.text("c1").tolist() == ["12%", "30%", "不详"]


def test_two_readings_of_the_same_cells_are_asked_for(read: Import, keys: Keys) -> None:
    key = _kept(read, ["1,234", "5,678", "9,012"])
    with pytest.raises(DataRefusal) as caught:
        _edited(key, keys, measure="定量")
    assert caught.value.code == "edit.reading"
    choices = {one["key"]: one["preview"][0]["after"] for one in caught.value.facts["choices"]}
    assert choices == {"thousands": 1234, "comma_decimal": 1.234}
    for way, size in (("comma_decimal", 0.001), ("thousands", 1)):
        table, _ = _edited(key, keys, measure="定量", reading=way)
        assert np.allclose(table.numeric("c1"), np.array([1234, 5678, 9012]) * size, rtol=1e-12)


def test_dates_are_read_with_days_in_digits_and_serial_numbers(read: Import, keys: Keys) -> None:
    table, _ = _edited(_kept(read, ["2024-04-05", "20240406", "45389", "April 8, 2024"]), keys, measure="时间")
    assert table.numeric("c1").tolist() == [19_818, 19_819, 19_820, 19_821]


def test_a_new_variable_reads_them_too(read: Import) -> None:
    table = Table.open(_kept(read, ["12%", "1,200", "3万", "x"]))
    assert np.array_equal(expression(table, "number({c1})").values, [0.12, 1200, 30_000, np.nan], equal_nan=True)
    days = Table.open(_kept(read, ["20240405", "April 6, 2024", "13/04/2024", "x"]))
    assert np.array_equal(expression(days, "datevalue({c1})").values, [19_818, 19_819, 19_826, np.nan], equal_nan=True)
