"""Parquet, Feather and Arrow: types are kept, promises are not believed."""

from __future__ import annotations

import datetime as dt
import io
import struct
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from hengxi.data import previewing
from hengxi.data.clock import is_clock
from hengxi.data.columnar import reading
from hengxi.data.refusal import DataRefusal
from tests.data.conftest import Import, leftovers

TABLE = pa.table(
    {
        "整数": pa.array([1, 2, None], pa.int32()),
        "小数": pa.array([1.5, float("nan"), float("inf")], pa.float32()),
        "定点": pa.array([Decimal("12.30"), None, Decimal("-0.05")], pa.decimal128(10, 2)),
        "等级": pa.DictionaryArray.from_arrays(pa.array([1, 0, None], pa.int8()), ["高", "低"]),
        "日期": pa.array([dt.date(2024, 1, 2)] * 3),
        "时刻": pa.array([dt.datetime(2024, 1, 2, 3, 4, 5)] * 3, pa.timestamp("ns", "Asia/Shanghai")),
        "真假": [True, False, None],
        "编号": pa.array([9007199254740993, 2, 3], pa.int64()),
        "列表": [[1], [2], []],
        "文本": ["a", "", "丙"],
        "时长": pa.array([1500, None, 2000], pa.duration("ms")),
    }
)


def written(kind: str, table: pa.Table = TABLE) -> bytes:
    out = io.BytesIO()
    if kind == "parquet":
        pq.write_table(table, out)
    else:
        feather.write_feather(table, out)
    return out.getvalue()


def refused(read: Import, content: bytes | Path, name: str) -> DataRefusal:
    with pytest.raises(DataRefusal) as caught:
        read(content, name)
    return caught.value


@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_types(read: Import, kind: str) -> None:
    answer = read(written(kind), f"a.{kind}")
    table = answer["table"]
    columns = {c.name: c for c in table.meta.columns}
    assert answer["report"]["kind"] == kind
    assert {n: c.storage for n, c in columns.items()} == {
        "整数": "int", "小数": "float", "定点": "float", "等级": "text", "日期": "date", "时刻": "datetime",
        "真假": "bool", "编号": "text", "文本": "text", "时长": "float",
    }  # fmt: skip
    assert [w["code"] for w in answer["report"]["warnings"]] == ["columnar.nested", "numbers.infinite"]
    assert table.text("c8").tolist() == ["9007199254740993", "2", "3"]
    assert table.numeric("c3")[0] == 12.3 and np.isnan(table.numeric("c2")[1:]).all()
    assert [level.value for level in columns["等级"].levels] == ["高", "低"]
    assert table.text("c6")[0] == "2024-01-02 11:04:05", "local time of its zone"
    assert table.text(columns["文本"].id).tolist() == ["a", None, "丙"]
    assert columns["时长"].unit == "秒" and table.numeric(columns["时长"].id)[0] == 1.5


def test_an_ordered_category_of_pandas(read: Import) -> None:
    frame = pd.DataFrame({"学历": pd.Categorical(["高中", "本科"], ["本科", "高中", "硕士"], ordered=True)})
    out = io.BytesIO()
    frame.to_parquet(out)
    column = read(out.getvalue(), "a.parquet")["table"].meta.columns[0]
    assert [level.value for level in column.levels] == ["本科", "高中", "硕士"] and column.ordered


def test_categories_that_are_not_declared_ordered_stand_in_the_order_of_their_words(read: Import) -> None:
    """pandas sorts categories by the alphabet: 中, 低, 高."""
    frame = pd.DataFrame({"收入": pd.Categorical(["低", "中", "高"], ["中", "低", "高"])})
    out = io.BytesIO()
    frame.to_parquet(out)
    column = read(out.getvalue(), "a.parquet")["table"].meta.columns[0]
    assert column.ordered and [(level.value, level.count) for level in column.levels] == [
        ("低", 1),
        ("中", 1),
        ("高", 1),
    ]


def test_categories_of_polars_and_times_of_day(read: Import, tmp_path: Path) -> None:
    """Polars writes the words of its categories as views, its times in billionths of a second."""
    frame = pl.DataFrame(
        {
            "等级": pl.Series(["低", "高", None], dtype=pl.Enum(["低", "中", "高"])),
            "类": pl.Series(["x", "y", "x"], dtype=pl.Categorical),
            "时": [dt.time(1, 2, 3), dt.time(4, 5, 6, 500_000), dt.time(0)],
        }
    )
    frame.write_ipc(tmp_path / "a.feather")
    table = read(tmp_path / "a.feather", "a.feather")["table"]
    assert [level.label for level in table.meta.columns[0].levels] == ["低", "中", "高"]
    assert table.text("c1").tolist() == ["低", "高", None] and table.text("c2").tolist() == ["x", "y", "x"]
    assert table.numeric("c3").tolist() == [3723, 14_706.5, 0] and is_clock(table.meta.columns[2])


def test_row_groups(read: Import) -> None:
    values = np.arange(1000.0)
    out = io.BytesIO()
    pq.write_table(pa.table({"x": values}), out, row_group_size=100)
    assert read(out.getvalue(), "a.parquet")["table"].numeric("c1").tolist() == values.tolist()


def test_only_nested_columns(read: Import) -> None:
    assert refused(read, written("parquet", pa.table({"a": [[1]]})), "a.parquet").code == "columnar.nested"


def test_a_billion_rows_in_few_bytes(read: Import, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_ROWS", 1000)
    content = written("parquet", pa.table({"x": np.zeros(5000)}))
    assert refused(read, content, "a.parquet").code == "columnar.size"
    assert refused(read, written("feather", pa.table({"x": pa.nulls(5000)})), "a.feather").code == "columnar.damaged"
    assert leftovers(home) == []


def lie(content: bytes, old: int, new: int) -> bytes:
    """Every count `old` in the footer (a Thrift varint) replaced by `new` of the same length."""

    def varint(number: int) -> bytes:
        number, out = number * 2, b""
        while number > 127:
            out, number = out + bytes([number & 127 | 128]), number >> 7
        return out + bytes([number])

    start = len(content) - 8 - struct.unpack("<I", content[-8:-4])[0]
    assert varint(old) in content[start:] and len(varint(old)) == len(varint(new))
    return content[:start] + content[start:].replace(varint(old), varint(new))


def test_a_footer_that_lies(read: Import, home: Path) -> None:
    content = written("parquet", pa.table({"x": np.arange(12345.0)}))
    assert refused(read, lie(content, 12345, 16000), "a.parquet").code == "columnar.damaged"
    assert leftovers(home) == []


@pytest.mark.parametrize("kind", ["parquet", "feather"])
@pytest.mark.parametrize("keep", [0.2, 0.6, 0.99])
def test_truncated(read: Import, kind: str, keep: float) -> None:
    content = written(kind)
    assert refused(read, content[: int(len(content) * keep)], f"a.{kind}").code == "columnar.damaged"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_flipped_bytes_never_end_in_a_traceback(read: Import, kind: str) -> None:
    content = written(kind)
    for place in range(8, len(content), max(len(content) // 60, 1)):
        broken = content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :]
        try:
            read(broken, f"a.{kind}", on_doubt="text")
        except DataRefusal as error:
            assert error.text


@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_preview(home: Path, kind: str) -> None:
    path = home / "uploads" / "p"
    path.write_bytes(written(kind))
    seen = previewing.preview(path, f"a.{kind}")
    assert seen["rows"][0][0] == 1 and len(seen["columns"]) == 10


def test_an_index_without_a_name_is_named_and_bare_row_numbers_are_left_out(read: Import, tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": range(6)}, index=list("abcdef"))

    def of(table: pa.Table) -> tuple[list[str], list[str]]:
        path = tmp_path / "i.parquet"
        pq.write_table(table, path)
        answer = read(path, "i.parquet")
        return [c.name for c in answer["table"].meta.columns], [w["code"] for w in answer["report"]["warnings"]]

    assert of(pa.Table.from_pandas(frame)) == (["x", "索引"], ["columnar.index"])
    numbered = frame.reset_index(drop=True)
    assert of(pa.Table.from_pandas(numbered, preserve_index=True)) == (["x"], ["columnar.row_numbers"])
    kept = numbered[numbered.x != 2]
    assert of(pa.Table.from_pandas(kept)) == (["x", "索引"], ["columnar.index"]), "gaps tell which rows were kept"
    bare = pa.Table.from_pandas(numbered, preserve_index=True).select(["__index_level_0__"])
    assert of(bare) == (["索引"], ["columnar.index"]), "nothing else is there"


def test_periods_of_pandas_are_their_first_days_and_other_ones_are_told(read: Import, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    periods = {unit: pd.PeriodIndex(["2024-05", "1969-12", "NaT"], freq=unit) for unit in ("M", "Q", "Y", "W")}
    pd.DataFrame(periods).to_parquet(path)
    table = read(path, "a.parquet")["table"]
    shown = [table.text(column.id).tolist() for column in table.meta.columns[:3]]
    assert shown == [
        ["2024-05-01", "1969-12-01", None],
        ["2024-04-01", "1969-10-01", None],
        ["2024-01-01", "1969-01-01", None],
    ]
    assert table.meta.columns[3].storage == "int" and "序号" in table.meta.columns[3].why


def test_universal_ids_are_texts(read: Import, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    cells = pa.array([bytes(range(16)), None], pa.binary(16))
    pq.write_table(pa.table({"u": pa.ExtensionArray.from_storage(pa.uuid(), cells), "x": [1, 2]}), path)
    answer = read(path, "a.parquet")
    assert answer["table"].text("c1").tolist() == ["00010203-0405-0607-0809-0a0b0c0d0e0f", None]
    assert answer["report"]["warnings"] == []
