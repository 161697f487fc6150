"""Numbers of more digits than a double holds: kept where the file has them, told where it has lost them."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from hengxi.data import previewing
from tests.data.conftest import Import
from tests.data.workbook_files import book

SHORT = list(range(1000, 1020))
"""Stand in a sheet for the long ones: the library that makes it rounds these itself."""
IDS = [str(110101199003070000 + place) for place in range(20)]
FULL = (r"<v>1(\d{3})</v>", r"<v>110101199003070\1</v>")
EXCEL = (r"<v>1(\d{3})</v>", r"<v>1.10101199003070E+17</v>")
LIBRE = (r"<v>1(\d{3})</v>", r"<v>110101199003070000</v>")


def _rewritten(content: bytes, pattern: str, new: str) -> bytes:
    """The workbook with its sheet's XML changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        for entry in old.namelist():
            data = old.read(entry)
            if entry.startswith("xl/worksheets/"):
                data = re.sub(pattern.encode(), new.encode(), data)
            book.writestr(entry, data)
    return out.getvalue()


def _sheet(how: tuple[str, str]) -> bytes:
    return _rewritten(book([["证件号", "分"], *([one, place] for place, one in enumerate(SHORT))]), *how)


def test_long_whole_numbers_of_a_sheet_keep_every_digit(read: Import) -> None:
    done = read(_sheet(FULL), "a.xlsx")
    assert done["table"].text("c1").tolist() == IDS
    assert done["table"].meta.columns[0].why == "20 个单元格超过 15 位数字，按编号保留为文本"
    assert not [one for one in done["report"]["warnings"] if one["code"] == "numbers.cut"]


def test_also_beside_gaps_and_empty_rows(read: Import) -> None:
    frame = pd.DataFrame({"x": [1.5, None, 2.5, None], "证件号": pd.array([1003, None, 1005, 1007], dtype="Int64")})
    out = io.BytesIO()
    frame.to_excel(out, index=False, startrow=2, startcol=1)
    table = read(_rewritten(out.getvalue(), *FULL), "a.xlsx")["table"]
    assert table.text("c2").tolist() == [IDS[3], IDS[5], IDS[7]]
    assert table.numeric("c1")[:2].tolist() == [1.5, 2.5]


def test_also_in_a_part_of_the_sheet(read: Import) -> None:
    content = _rewritten(book([["注", None, None], [None, "证件号", "分"], [None, 1003, 1], [None, 1004, 2]]), *FULL)
    done = read(content, "a.xlsx", settings={"range": "B2:C4"})
    assert done["table"].text("c1").tolist() == [IDS[3], IDS[4]]


def test_numbers_among_long_texts_keep_their_digits(read: Import) -> None:
    content = _rewritten(book([["证件号"], [1003], ["11010119900307123X"], [1005]]), *FULL)
    assert read(content, "a.xlsx")["table"].text("c1").tolist() == [IDS[3], "11010119900307123X", IDS[5]]


def test_the_preview_shows_all_digits(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(_rewritten(book([["证件号"], [1007], [1008]]), *FULL))
    assert previewing.preview(path, "a.xlsx")["rows"] == [[IDS[7]], [IDS[8]]]


@pytest.mark.parametrize("how", [EXCEL, LIBRE])
def test_digits_that_the_file_has_lost_are_told_by_the_name_of_the_column(how: tuple[str, str], read: Import) -> None:
    report = read(_sheet(how), "a.xlsx")["report"]
    (told,) = [one for one in report["warnings"] if one["code"] == "numbers.cut"]
    assert told["text"].startswith("“证件号”中有超过 15 位的数字") and told["facts"]["names"] == ["证件号"]


def test_so_are_those_that_a_library_wrote_as_doubles(read: Import) -> None:
    report = read(book([["证件号", "分"], *([int(one), 1] for one in IDS)]), "a.xlsx")["report"]
    assert [one["facts"]["names"] for one in report["warnings"] if one["code"] == "numbers.cut"] == [["证件号"]]


def test_what_was_not_compared_is_not_called_the_same(read: Import) -> None:
    text = read(_sheet(EXCEL), "a.xlsx")["report"]["check"]["text"]
    assert text.endswith("；1 个数值列合计一致，“证件号”的合计没有核对")
    check = read(_rewritten(book([["证件号"], *([one] for one in SHORT)]), *EXCEL), "b.xlsx")["report"]["check"]
    assert "一致" not in check["text"] and check["sums"] == "none"


def test_measured_numbers_stay_numbers(read: Import) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    assert sheet is not None
    for row in (["拷贝数"], [6.02214076e23], [1.5e22], [3.0]):
        sheet.append(row)
    out = io.BytesIO()
    workbook.save(out)
    done = read(out.getvalue(), "a.xlsx")
    assert done["table"].meta.columns[0].storage == "float"
    assert not [one for one in done["report"]["warnings"] if one["code"] == "numbers.cut"]
