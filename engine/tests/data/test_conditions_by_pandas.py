"""Every operator of a filter, over every kind of column, against pandas on the file as another program reads it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from hengxi.data import store
from hengxi.data.evaluate import rows_where
from hengxi.data.importing import import_table
from hengxi.data.table import Table

ROWS = 240
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
DAY, MOMENT = date(2024, 2, 3), datetime(2024, 2, 3, 12, 30)
VALUES: dict[str, list[Any]] = {
    "plain": [0, 1.5, -2.25, 7],
    "labelled": [1, 2, 3],
    "discrete": [1, 5, 99],
    "ranged": [-3, 0, 8, 99],
    "day": [DAY, date(1999, 1, 1)],
    "moment": [MOMENT, datetime(2024, 2, 3)],
    "word": ["甲", "乙", '丙"丁', ""],
    "coded": ["a", "拒答"],
    "picked": [0, 1],
}
CODES: dict[str, Callable[[Any], bool]] = {
    "discrete": lambda v: v == 99,
    "ranged": lambda v: v == 99 or -9 <= v <= -1,
    "coded": lambda v: v == "拒答",
}


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(20240203)

    def some(values: list[Any], gaps: float = 0.1) -> list[Any]:
        picked = [values[i] for i in rng.integers(0, len(values), ROWS)]
        return [None if gap else value for value, gap in zip(picked, rng.random(ROWS) < gaps, strict=True)]

    return pd.DataFrame(
        {
            "plain": pd.Series(some([0, 1.5, -2.25, 7, 1e-9]), dtype=float),
            "labelled": pd.Series(some([1, 2, 3, 4]), dtype=float),
            "discrete": pd.Series(some([1, 2, 5, 99]), dtype=float),
            "ranged": pd.Series(some([-9, -3, -1, 0, 4, 8, 99]), dtype=float),
            "day": some([DAY + timedelta(days=d) for d in (-30, -1, 0, 1, 60)]),
            "moment": some([MOMENT, MOMENT + timedelta(seconds=1), datetime(2024, 2, 3), datetime(2030, 1, 1)]),
            "word": [value or "" for value in some(["甲", "乙", '丙"丁', "甲 乙"])],
            "coded": [value or "" for value in some(["a", "b", "拒答"])],
            "picked": pd.Series(some([0, 1]), dtype=float),
        }
    )


@pytest.fixture(scope="module")
def table(frame: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Imported once: its cells are read through the data folder, which stays in place for all of this file."""
    folder = tmp_path_factory.mktemp("data")
    path = folder / "a.sav"
    labels = {"labelled": {1: "男", 2: "女", 3: "其他"}, "discrete": {1: "好", 99: "拒答"}, "ranged": {-3: "跳过"}}
    missing = {"discrete": [99], "ranged": [{"lo": -9, "hi": -1}, 99], "coded": ["拒答"]}
    pyreadstat.write_sav(frame, str(path), variable_value_labels=labels, missing_ranges=missing)  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HENGXI_DATA", str(folder))
        key = "t_" + "1" * 32
        assert import_table(path, "a.sav", target_dir=store.table_path(key))["state"] == "done"
        yield Table.open(key)


def told(value: Any) -> str:
    """As the rows of a filter write it."""
    if isinstance(value, datetime):
        return f'"{value:%Y-%m-%d %H:%M:%S}"'
    if isinstance(value, str | date):
        return '"' + str(value).replace('"', '""') + '"'
    return str(value)


def columns_of(frame: pd.DataFrame, name: str) -> tuple[pd.Series[Any], pd.Series[Any]]:
    """Cells that can be compared, and which of them are answers."""
    cells = frame[name]
    if name in ("day", "moment"):
        cells = pd.to_datetime(cells)
    filled = cells.notna() & (cells != "")
    code = CODES.get(name, lambda _: False)
    return cells, filled & ~cells.map(lambda v: bool(code(v)))


def kept(table: Table, name: str, condition: str) -> list[bool]:
    column = next(c.id for c in table.meta.columns if c.name == name)
    rows: list[bool] = rows_where(table, condition.replace("{}", f"{{{column}}}")).tolist()
    return rows


CASES = [(name, sign, value) for name, values in VALUES.items() for sign in COMPARE for value in values]


@pytest.mark.parametrize(("name", "sign", "value"), CASES)
def test_comparisons(frame: pd.DataFrame, table: Table, name: str, sign: str, value: Any) -> None:
    cells, answers = columns_of(frame, name)
    other = pd.Timestamp(value) if isinstance(value, date) else value
    wanted = [bool(a) and bool(COMPARE[sign](v, other)) for v, a in zip(cells, answers, strict=True)]
    assert kept(table, name, f"{{}} {sign} {told(value)}") == wanted
    # What is no answer is neither met nor not met, as in SPSS: its opposite does not keep it either.
    opposite = [bool(a) and not met for a, met in zip(answers, wanted, strict=True)]
    assert kept(table, name, f"not ({{}} {sign} {told(value)})") == opposite
    # Taken away is only what meets the condition: gaps and codes stay.
    dropped = kept(table, name, f"not nvl(({{}} {sign} {told(value)}), 1 = 0)")
    assert dropped == [not met for met in wanted]


@pytest.mark.parametrize("name", VALUES)
def test_lists_gaps_and_codes(frame: pd.DataFrame, table: Table, name: str) -> None:
    cells, answers = columns_of(frame, name)
    filled = cells.notna() & (cells != "")
    some = VALUES[name][1:]
    list_of = f"({', '.join(map(told, some))})"
    members = [pd.Timestamp(v) if isinstance(v, date) else v for v in some]
    isin = cells.isin(members)
    assert kept(table, name, f"{{}} in {list_of}") == (answers & isin).tolist()
    assert kept(table, name, f"not ({{}} in {list_of})") == (answers & ~isin).tolist()
    assert kept(table, name, f"value({{}}) in {list_of}") == (filled & isin).tolist()
    assert kept(table, name, f"not (value({{}}) in {list_of})") == (filled & ~isin).tolist()
    assert kept(table, name, "missing({})") == (~answers).tolist()
    assert kept(table, name, "not missing({})") == answers.tolist()


@pytest.mark.parametrize("formula", ["value({c1} + 1) > 0", "value(1) > 0", "value({c1} > 0) = 1", "lag({c1} > 0)"])
def test_only_a_variable_has_a_value_as_entered(table: Table, formula: str) -> None:
    from hengxi.data.refusal import DataRefusal

    with pytest.raises(DataRefusal) as caught:
        rows_where(table, formula)
    assert caught.value.code == "formula.type"
