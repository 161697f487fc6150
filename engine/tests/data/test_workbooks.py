"""Workbooks besides xlsx: xls of old Excel and WPS, ods."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import statsmodels

from hengxi.data import previewing
from hengxi.data.refusal import DataRefusal
from tests.data.conftest import Import, leftovers

XLS = Path(statsmodels.__file__).parent / "datasets/macrodata/src/macrodata.xls/macrodata.xls"
"""A workbook of Excel 97–2003 that comes with a library."""


def refused(read: Import, content: bytes | Path, name: str, **options: Any) -> DataRefusal:
    with pytest.raises(DataRefusal) as caught:
        read(content, name, **options)
    return caught.value


def cell(value: Any, repeat: str = "") -> str:
    if value is None:
        return f"<table:table-cell{repeat}/>"
    if isinstance(value, str):
        return f'<table:table-cell office:value-type="string"{repeat}><text:p>{value}</text:p></table:table-cell>'
    return f'<table:table-cell office:value-type="float" office:value="{value}"{repeat}/>'


def ods(rows: list[list[Any]], extra: str = "", head: str = "", manifest: str = "") -> bytes:
    body = "".join(f"<table:table-row>{''.join(cell(v) for v in row)}</table:table-row>" for row in rows)
    names = " ".join(
        f'xmlns:{key}="urn:oasis:names:tc:opendocument:xmlns:{key}:1.0"' for key in ("office", "table", "text")
    )
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?>{head}<office:document-content {names}><office:body>'
        f'<office:spreadsheet><table:table table:name="数据">{body}{extra}</table:table></office:spreadsheet>'
        "</office:body></office:document-content>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", manifest or "<manifest/>")
    return out.getvalue()


SIMPLE: list[list[Any]] = [["姓名", "分数"], ["张三", 1.5], ["李四", 2], ["王五", None]]


def without(book: bytes, entry: str, body: str = "spreadsheet") -> bytes:
    """The same zip without an entry, as some programs write it."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name != entry:
                new.writestr(name, old.read(name).replace(b"office:spreadsheet", f"office:{body}".encode()))
    return out.getvalue()


def test_an_ods_that_does_not_say_its_kind_is_known_by_its_content(read: Import) -> None:
    answer = read(without(ods(SIMPLE), "mimetype"), "数据.ods")
    assert answer["report"]["kind"] == "ods" and answer["table"].text("c1").tolist() == ["张三", "李四", "王五"]
    assert refused(read, without(ods(SIMPLE), "mimetype", "text"), "信.ods").code in ("file.type", "file.mismatch")


def test_ods(read: Import) -> None:
    answer = read(ods(SIMPLE), "数据.ods")
    assert answer["report"]["kind"] == "ods" and answer["rows"] == 3
    assert answer["table"].text("c1").tolist() == ["张三", "李四", "王五"]
    assert answer["table"].numeric("c2")[:2].tolist() == [1.5, 2]


@pytest.mark.parametrize(
    "extra",
    [
        '<table:table-row table:number-rows-repeated="1048000">' + cell(1) + cell(2) * 60 + "</table:table-row>",
        "<table:table-row>" + cell(1, ' table:number-columns-repeated="100000"') + "</table:table-row>",
        '<table:table-row table:number-rows-repeated="1048000"/><table:table-row>'
        + cell(None, ' table:number-columns-repeated="9999"') + cell(1) + "</table:table-row>",
    ],
)  # fmt: skip
def test_repeats_that_stand_for_millions_of_cells(read: Import, home: Path, extra: str) -> None:
    assert refused(read, ods(SIMPLE, extra), "a.ods").code in ("xlsx.range", "xlsx.reference")
    assert leftovers(home) == []


def test_empty_repeats_at_the_end_are_harmless(read: Import) -> None:
    extra = '<table:table-row table:number-rows-repeated="1048570">' + cell(
        None, ' table:number-columns-repeated="16384"'
    )
    assert read(ods(SIMPLE, extra + "</table:table-row>"), "a.ods")["rows"] == 3


def test_ods_with_declarations_or_encryption(read: Import) -> None:
    assert refused(read, ods(SIMPLE, head='<!DOCTYPE a [<!ENTITY b "c">]>'), "a.ods").code == "xlsx.dtd"
    assert refused(read, ods(SIMPLE, manifest="<m:encryption-data/>"), "a.ods").code == "ods.encryption"


@pytest.mark.parametrize("keep", [0.4, 0.8])
def test_truncated(read: Import, keep: float) -> None:
    for content, name in ((ods(SIMPLE), "a.ods"), (XLS.read_bytes(), "a.xls")):
        assert refused(read, content[: int(len(content) * keep)], name).code == "xlsx.damaged"


def test_xls(read: Import) -> None:
    answer = read(XLS, "macrodata.xls", settings={"sheet": "Quarterly"}, on_doubt="text")
    assert answer["report"]["kind"] == "xls" and answer["rows"] > 200
    gdp = next(c for c in answer["table"].meta.columns if "GDPC96" in c.name)
    assert answer["table"].numeric(gdp.id)[0] == pytest.approx(1772.204)
    seen = previewing.preview(XLS, "macrodata.xls", {"sheet": "Quarterly"})
    assert seen["candidates"]["sheet"] == ["README", "Monthly", "Quarterly"]


def test_a_far_cell_in_xls(read: Import) -> None:
    content = XLS.read_bytes()
    number = content.index(b"\x03\x02\x0e\x00")  # a NUMBER record of 14 bytes
    far = content[: number + 4] + b"\xff\xff\xff\xff" + content[number + 8 :]
    assert refused(read, far, "a.xls").code in ("xlsx.range", "xlsx.reference")


@pytest.mark.slow
def test_flipped_bytes_never_end_in_a_traceback(read: Import) -> None:
    for content, name in ((ods(SIMPLE), "a.ods"), (XLS.read_bytes(), "a.xls")):
        for place in range(520, len(content), max(len(content) // 30, 1)):
            broken = content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :]
            try:
                read(broken, name, on_doubt="text")
            except DataRefusal as error:
                assert error.text


@pytest.mark.parametrize(
    "content", [b"<html><table><tr><td>1</td></tr></table></html>", b'<?xml version="1.0"?><Workbook/>']
)
def test_pages_called_xls(read: Import, content: bytes) -> None:
    assert "网页" in refused(read, content, "成绩.xls").text


def test_a_heading_merged_to_the_last_column_is_the_header(read: Import) -> None:
    sheet = openpyxl.Workbook()
    page = sheet.active
    for row in (["组", None, "分数", None], ["甲", "a", 1, 2], ["乙", "b", 3, 4]):
        page.append(row)
    page.merge_cells("A1:B1")
    page.merge_cells("C1:D1")
    out = io.BytesIO()
    sheet.save(out)
    answer = read(out.getvalue(), "a.xlsx")
    assert [column.name for column in answer["table"].meta.columns] == ["组", "列2", "分数", "列4"]
    assert answer["rows"] == 2 and answer["table"].numeric("c3").tolist() == [1, 3]


@pytest.mark.parametrize("gone", [10, 200, 900])
def test_a_workbook_with_a_hole_is_refused(read: Import, home: Path, tmp_path: Path, gone: int) -> None:
    """The directory at the end is whole, and points before the beginning of what is left."""
    book = openpyxl.Workbook()
    book.active.append(["a", "b"])
    book.active.append([1, 2])
    book.save(tmp_path / "a.xlsx")
    raw = (tmp_path / "a.xlsx").read_bytes()
    assert refused(read, raw[:40] + raw[40 + gone :], "a.xlsx").code == "xlsx.damaged"
    whole = ods(SIMPLE)
    assert refused(read, whole[:400] + whole[400 + gone // 10 :], "a.ods").code == "xlsx.damaged"
    assert leftovers(home) == []


def test_a_damaged_manifest_is_refused(read: Import, home: Path) -> None:
    """It is unpacked by the library, which has an error of its own for this."""
    book = bytearray(
        ods(SIMPLE, manifest="<manifest>" + "".join(f"<entry n='{i}'/>" for i in range(200)) + "</manifest>")
    )
    start = bytes(book).index(b"META-INF/manifest.xml") + len("META-INF/manifest.xml")
    book[start : start + 60] = bytes([255] * 60)
    assert refused(read, bytes(book), "a.ods").code == "xlsx.damaged"
    assert leftovers(home) == []
