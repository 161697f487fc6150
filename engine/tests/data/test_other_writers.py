"""Files as other programs write them: names of rows, moments with a zone, infinities, old line ends, exact decimals."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hengxi.data.refusal import DataRefusal
from tests.data.conftest import Import


def said(answer: dict[str, Any]) -> list[str]:
    return [warning["code"] for warning in answer["report"]["warnings"]]


@pytest.mark.parametrize("sign", [",", " ", "\t"])
def test_names_of_rows_have_no_heading(read: Import, sign: str) -> None:
    """write.table of R."""
    lines = [['"mpg"', '"cyl"'], ['"Mazda RX4"', "21", "6"], ['"Datsun 710"', "22.8", "4"], ['"Fiat"', "30", "4"]]
    answer = read("".join(sign.join(line) + "\n" for line in lines), "m.txt")
    table = answer["table"]
    assert [column.name for column in table.meta.columns] == ["行名", "mpg", "cyl"]
    assert table.text("c1").tolist() == ["Mazda RX4", "Datsun 710", "Fiat"]
    assert table.numeric("c2").tolist() == [21, 22.8, 30]


def test_rows_that_are_longer_for_another_reason_are_still_asked_about(read: Import) -> None:
    with pytest.raises(DataRefusal) as failed:
        read("a,b\n1,2,3\n1,5,6\n")
    assert failed.value.code == "csv.ragged"
    titled = read("调查,某年\n编号,x,y\nA,1,2\nB,3,4\n")["table"]
    assert [column.name for column in titled.meta.columns] == ["编号", "x", "y"] and titled.rows == 2


@pytest.mark.parametrize("zone", ["Z", "+00:00", "+08:00", "+08"])
@pytest.mark.parametrize("sign", ["T", " "])
def test_moments_with_a_zone_keep_the_clock(read: Import, zone: str, sign: str) -> None:
    answer = read("t,x\n" + "".join(f"2024-03-0{i}{sign}10:05:00.250{zone},{i}\n" for i in range(1, 4)))
    assert answer["table"].meta.columns[0].storage == "datetime"
    assert answer["table"].text("c1").tolist()[0].startswith("2024-03-01 10:05:00")


def test_moments_of_two_zones_stay_text(read: Import) -> None:
    answer = read("t,x\n2024-03-01T10:00:00Z,1\n2024-03-01T10:00:00+08:00,2\n")
    column = answer["table"].meta.columns[0]
    assert column.storage == "text" and "时区" in column.why


def test_returns_alone_end_lines_beside_breaks_in_cells(read: Import) -> None:
    answer = read('a,b\r"一\n二",1\r三,2\r四,3\r')
    assert answer["table"].text("c1").tolist() == ["一\n二", "三", "四"]


def test_infinities_are_missing_and_told(read: Import, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["x"], [1.5], [7e307], [2.5]):
        book.active.append(row)
    book.save(tmp_path / "b.xlsx")
    with ZipFile(tmp_path / "b.xlsx") as old, ZipFile(tmp_path / "a.xlsx", "w") as new:
        for one in old.namelist():  # fifteen digits of the largest double are more than it
            new.writestr(one, old.read(one).replace(b"7e+307", b"1.79769313486232E+308"))
    pq.write_table(pa.table({"x": [1.0, np.inf, -np.inf, np.nan]}), tmp_path / "a.parquet")
    for name, count, n in (("a.xlsx", 1, 2), ("a.parquet", 2, 1)):
        answer = read(tmp_path / name, name)
        assert said(answer) == ["numbers.infinite"]
        assert answer["report"]["warnings"][0]["facts"] == {"count": count}
        assert answer["table"].meta.columns[0].profile.n == n


def test_sums_beyond_the_largest_number_are_no_fault(read: Import, tmp_path: Path) -> None:
    largest = 1.7976931348623157e308
    pq.write_table(pa.table({"x": [largest, largest, -largest, 1.0]}), tmp_path / "a.parquet")
    assert read(tmp_path / "a.parquet", "a.parquet")["table"].numeric("c1").tolist() == [largest, largest, -largest, 1]
    records = json.dumps([{"x": largest}, {"x": largest}, {"x": -largest}])
    assert read(records, "a.json")["table"].numeric("c1").tolist() == [largest, largest, -largest]


def test_numbers_too_large_for_json_are_named(read: Import) -> None:
    with pytest.raises(DataRefusal) as failed:
        read('[{"x": 1e999}]', "a.json")
    assert failed.value.code == "json.number"


def test_decimals_are_the_nearest_doubles(read: Import, tmp_path: Path) -> None:
    cells = [Decimal("-2632035.51"), Decimal("5503450.06"), None, Decimal("0.10")]
    pq.write_table(pa.table({"x": pa.array(cells, pa.decimal128(20, 2))}), tmp_path / "a.parquet")
    found = read(tmp_path / "a.parquet", "a.parquet")["table"].numeric("c1")
    assert found[[0, 1, 3]].tolist() == [-2632035.51, 5503450.06, 0.1] and np.isnan(found[2])


def test_unsigned_numbers_keep_their_digits(read: Import, tmp_path: Path) -> None:
    big = [1234567890123456789, 18446744073709551615]
    columns = {"a": [1, 2], "b": [1, big[0]], "c": big}
    table = pa.table({name: pa.array(cells, pa.uint64()) for name, cells in columns.items()})
    pq.write_table(table, tmp_path / "a.parquet")
    read_table = read(tmp_path / "a.parquet", "a.parquet")["table"]
    assert [column.storage for column in read_table.meta.columns] == ["int", "text", "text"]
    assert read_table.text("c2").tolist() == ["1", str(big[0])]
    assert read_table.text("c3").tolist() == [str(cell) for cell in big]


def test_line_ends_that_were_made_windows_twice_are_line_ends(read: Import) -> None:
    table = read(b"a,b\r\r\n1,2\r\r\n3,4\r\r\n")["table"]
    assert table.numeric("c1").tolist() == [1, 3] and table.numeric("c2").tolist() == [2, 4]


@pytest.mark.parametrize(("mark", "codec"), [(b"\xff\xfe\0\0", "utf-32-le"), (b"\0\0\xfe\xff", "utf-32-be")])
def test_four_bytes_a_character_are_named(read: Import, mark: bytes, codec: str) -> None:
    with pytest.raises(DataRefusal) as caught:
        read(mark + "a,b\n1,2\n".encode(codec))
    assert "UTF-32" in caught.value.text and "另存为 UTF-8" in caught.value.text


def test_invisible_signs_are_no_part_of_a_name(read: Import) -> None:
    """A sign that turns the direction makes one name look like another; the joiner of an emoji is part of it."""
    answer = read("\ufeff\u200b姓名,a\u202eb,\u2066c\u2069,👨\u200d👩,姓名\u200f\n1,2,3,4,5\n")
    names = [column.name for column in answer["table"].meta.columns]
    assert names == ["姓名", "ab", "c", "👨\u200d👩", "姓名_2"]
