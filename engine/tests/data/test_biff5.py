"""Workbooks of Excel 5 and 95: their texts are bytes of a code page."""

from __future__ import annotations

from pathlib import Path

import pytest

from hengxi.data import previewing
from hengxi.data.refusal import DataRefusal
from tests.data.conftest import Import
from tests.data.hand_biff5 import biff5

ROWS = [["編號", "性別", "日期"], [1.0, "男", 45001.0], [2.0, "女", 45002.0], [3.5, "男", 45003.0]]


@pytest.mark.parametrize(("codec", "codepage"), [("gb18030", 936), ("big5", 950), ("cp949", 949), ("cp932", 932)])
def test_texts_of_two_bytes_a_letter(read: Import, tmp_path: Path, codec: str, codepage: int) -> None:
    path = tmp_path / "a.xls"
    path.write_bytes(biff5(ROWS, "資料", codec, codepage))
    table = read(path, "a.xls")["table"]
    assert [column.name for column in table.meta.columns] == ["編號", "性別", "日期"]
    assert table.text("c2").tolist() == ["男", "女", "男"]
    assert table.numeric("c1").tolist() == [1, 2, 3.5]
    assert table.text("c3").tolist() == ["2023-03-16", "2023-03-17", "2023-03-18"]
    seen = previewing.preview(path, "a.xls", settings={"sheet": "資料"})
    assert seen["candidates"]["sheet"] == ["資料"] and seen["rows"][0][1] == "男"


def test_texts_of_one_byte_a_letter(read: Import) -> None:
    content = biff5([["é", "b", "c"], [1.0, "€x", 45001.0], [2.0, "z", 45002.0]], "Feuil1", "cp1252", 1252)
    table = read(content, "a.xls")["table"]
    assert table.meta.columns[0].name == "é" and table.text("c2").tolist() == ["€x", "z"]


def test_what_the_reader_panics_at_is_damaged(read: Import, tmp_path: Path) -> None:
    """The place of the sheet lies beyond the end of the workbook."""
    content = bytearray(biff5([["a", "b", "c"], [1.0, "x", 45001.0]], "S", "cp1252", 1252))
    content[content.index(b"\x85\0\x08\0") + 7] = 1
    path = tmp_path / "a.xls"
    path.write_bytes(content)
    for asked in (read, previewing.preview):
        with pytest.raises(DataRefusal) as caught:
            asked(path, "a.xls")
        assert caught.value.code == "xlsx.damaged"
