"""Days and moments in the ways of programs and people."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest

from hengxi.data.levels import word_order
from hengxi.data.workbook.guard import Sheet
from hengxi.data.workbook.xls_guard import _walk
from tests.data.conftest import Import
from tests.data.test_workbooks import ods


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        (["04-MAR-2024", "31-Dec-1999"], ["2024-03-04", "1999-12-31"]),
        (["4 Mar 2024", "29FEB2000"], ["2024-03-04", "2000-02-29"]),
        (["Mar 04, 2024", "Dec 31, 1999"], ["2024-03-04", "1999-12-31"]),
        (["04MAR2024:10:05:06", "31DEC1999:23:59:59"], ["2024-03-04 10:05:06", "1999-12-31 23:59:59"]),
        (["2024年3月4日 10时5分", "1999年12月31日23时9分"], ["2024-03-04 10:05:00", "1999-12-31 23:09:00"]),
        (["2024年3月4日10时5分6秒", "2024年3月5日10时5分7秒"], ["2024-03-04 10:05:06", "2024-03-05 10:05:07"]),
    ],
)
def test_a_month_or_an_hour_in_words_is_read(read: Import, cells: list[str], shown: list[str]) -> None:
    table = read("d\tx\n" + "".join(f"{cell}\t1\n" for cell in cells))["table"]
    assert table.meta.columns[0].measure == "时间"
    assert [str(value).replace("T", " ").removesuffix(".000000") for value in table.text("c1")] == shown


@pytest.mark.parametrize("days", [["24-03-04", "99-12-31", "00-02-29"], ["04-Mar-2024", "31-Dec-1999", "29-Feb-2000"]])
def test_days_are_no_bands_of_numbers(days: list[str]) -> None:
    """Their order would be that of the first number."""
    assert word_order(days) is None
    assert word_order(["2.5-3.5", "1.5-2.5", "<1.5"]) == ["<1.5", "1.5-2.5", "2.5-3.5"]


def test_eight_digits_under_a_heading_of_dates_become_dates_beside_them(read: Import) -> None:
    answer = read("编号,出生日期,入学日期,代码\n1,19880308,20060901,19880308\n2,20000229,20189999,20000229\n")
    columns = {column.name: column for column in answer["table"].meta.columns}
    assert columns["出生日期"].storage == "int", "what was written stays"
    made = columns["出生日期(日期)"]
    assert (made.measure, made.storage) == ("时间", "date")
    assert (made.profile.min, made.profile.max) == ("1988-03-08", "2000-02-29")
    assert "入学日期(日期)" not in columns, "one cell is no day"
    assert "代码(日期)" not in columns, "the heading promises none"


def test_weeks_of_stata_are_dates(read: Import, tmp_path: Path) -> None:
    """52 in every year, as pandas reads them too."""
    path = tmp_path / "w.dta"
    days = pd.to_datetime(["2024-03-04", "1999-12-27", "1955-01-01"])
    pd.DataFrame({"w": days}).to_stata(path, convert_dates={"w": "tw"}, write_index=False)
    wanted = [str(day.date()) for day in pd.read_stata(path)["w"]]
    table = read(path, "w.dta")["table"]
    assert [str(value) for value in table.text("c1")] == wanted


def test_a_workbook_says_which_numbers_it_could_not_keep(read: Import, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["身份证号", "质量"])
    for i in range(3):
        book.active.append([110105194912310000 + i, 6.02e23])
    book.save(tmp_path / "a.xlsx")
    told = [column["why"] for column in read(tmp_path / "a.xlsx", "a.xlsx")["report"]["columns"]]
    assert "表格软件只保存前 15 位" in told[0] and "15 位" not in told[1]


def test_formulas_and_errors_of_old_workbooks_are_counted_with_their_place() -> None:
    def record(kind: int, body: bytes) -> bytes:
        return struct.pack("<HH", kind, len(body)) + body

    def formula(row: int, kind: int) -> bytes:
        return record(6, struct.pack("<HHH", row, 1, 0) + bytes([kind, 0, 7, 0, 0, 0, 255, 255]) + bytes(8))

    data = record(0x0809, bytes(16)) + formula(1, 3) + formula(2, 3) + formula(3, 2) + formula(4, 0)
    (found,) = _walk(data, "a.xls", lambda _: None)
    assert found == Sheet(rows=5, columns=2, formulas=2, errors=1, first_formula="B2", first_error="B4")


ODS_TIME = '<table:table-row><table:table-cell office:value-type="time" office:time-value="{}"/></table:table-row>'


def test_ods_tells_errors_and_long_times(read: Import) -> None:
    wrong = '<table:table-cell office:value-type="string" office:string-value="" calcext:value-type="error"/>'
    extra = "".join(ODS_TIME.format(f"PT{hours}H05M30S") for hours in (25, 100))
    book = ods([["时长", "x"]], extra + f"<table:table-row><table:table-cell/>{wrong}</table:table-row>")
    answer: dict[str, Any] = read(_declared(book), "a.ods")
    assert answer["table"].numeric("c1").tolist()[:2] == [90_330, 360_330]
    assert any("1 个单元格（如 B4）是错误值" in warning["text"] for warning in answer["report"]["warnings"])


def _declared(book: bytes) -> bytes:
    """With the name space of the errors."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            text = old.read(entry).replace(b"xmlns:office=", b'xmlns:calcext="urn:calcext" xmlns:office=')
            new.writestr(entry.filename, text)
    return out.getvalue()
