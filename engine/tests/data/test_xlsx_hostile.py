"""Workbooks that would harm, are damaged or locked: refused by name, or read without what harms."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from msoffcrypto.format.ooxml import OOXMLFile

from hengxi.data import previewing
from hengxi.data.refusal import DataRefusal
from tests.data.conftest import Import, leftovers
from tests.data.workbook_files import SHEET, SIMPLE, book, refused, repacked


def test_one_cell_at_the_far_corner(read: Import, home: Path) -> None:
    far = repacked(book(SIMPLE), SHEET, lambda xml: xml.replace(b'r="A2"', b'r="XFD1048576"', 1))
    error = refused(read, far)
    assert error.code == "xlsx.range" and error.facts["rows"] == 1_048_576
    assert leftovers(home) == []


@pytest.mark.parametrize("attack", [b'r = "ZZZZ99"', b"r='A99999999'"])
def test_absurd_references(read: Import, attack: bytes) -> None:
    hostile = repacked(book(SIMPLE), SHEET, lambda xml: xml.replace(b'r="A2"', attack, 1))
    assert refused(read, hostile).code in ("xlsx.reference", "xlsx.range")


def test_zip_bomb(read: Import) -> None:
    bomb = repacked(book(SIMPLE), SHEET, lambda xml: xml.replace(b"<sheetData>", b"<sheetData>" + b" " * (8 << 20)))
    assert refused(read, bomb).code == "xlsx.bomb"


def test_a_part_larger_than_it_claims(read: Import) -> None:
    content = bytearray(book([["a"], *[[f"x{i}"] for i in range(2000)]]))
    info = next(i for i in zipfile.ZipFile(io.BytesIO(bytes(content))).infolist() if i.filename == SHEET)
    claimed = info.file_size.to_bytes(4, "little")
    lie = (10).to_bytes(4, "little")
    assert content.count(claimed) >= 1
    assert refused(read, bytes(content).replace(claimed, lie)).code in ("xlsx.bomb", "xlsx.damaged")


def test_entity_declarations(read: Import) -> None:
    evil = repacked(
        book(SIMPLE), SHEET, lambda xml: xml.replace(b"<worksheet", b"<!DOCTYPE a [<!ENTITY b 'c'>]><worksheet", 1)
    )
    assert refused(read, evil).code == "xlsx.dtd"


def test_names_that_climb(read: Import) -> None:
    out = io.BytesIO(book(SIMPLE))
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("xl/../../evil", "x")
    assert refused(read, out.getvalue()).code == "xlsx.bomb"


@pytest.mark.parametrize("keep", [0.3, 0.7, 0.98])
def test_truncated(read: Import, home: Path, keep: float) -> None:
    content = book([[f"c{j}" for j in range(5)], *[[i * j for j in range(5)] for i in range(300)]])
    assert refused(read, content[: int(len(content) * keep)]).code == "xlsx.damaged"
    assert leftovers(home) == []


def test_flipped_bytes_never_end_in_a_traceback(read: Import) -> None:
    content = book([[f"c{j}" for j in range(5)], *[[i * j for j in range(5)] for i in range(50)]])
    for place in range(30, len(content), max(len(content) // 40, 1)):
        broken = content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :]
        try:
            read(broken, "a.xlsx", on_doubt="text")
        except DataRefusal as error:
            assert error.text


def test_containers_and_other_documents(read: Import) -> None:
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600
    assert refused(read, ole + "EncryptedPackage".encode("utf-16-le") + b"\0\0").code == "xlsx.damaged"
    assert refused(read, ole + "WordDocument".encode("utf-16-le")).code == "file.type"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("word/document.xml", "<a/>")
    assert refused(read, out.getvalue(), "报告.docx").code == "file.type"


def locked(content: bytes, password: str) -> bytes:
    out = io.BytesIO()
    OOXMLFile(io.BytesIO(content)).encrypt(password, out)
    return out.getvalue()


@pytest.mark.slow
def test_a_password_is_asked_for_and_checked(read: Import, home: Path) -> None:
    content = locked(book(SIMPLE), "秘密 1")
    assert refused(read, content).code == "file.password"
    wrong = refused(read, content, password="秘密")
    assert wrong.code == "file.password.wrong" and "密码不正确" in wrong.text
    assert leftovers(home) == []
    table = read(content, "数据.xlsx", password="秘密 1")["table"]
    assert table.text("c1").tolist() == ["张三", "李四", "王五"]
    path = home / "uploads" / "w"
    path.write_bytes(content)
    assert previewing.preview(path, "数据.xlsx", password="秘密 1")["rows"][0][0] == "张三"
    plain = book(SIMPLE)[:400]
    assert not [p for p in home.rglob("*") if p.is_file() and p.read_bytes()[:400] == plain], "nothing decrypted stays"


def test_the_guard_looks_into_a_decrypted_workbook(read: Import) -> None:
    far = repacked(book(SIMPLE), SHEET, lambda xml: xml.replace(b'r="A2"', b'r="XFD1048576"', 1))
    assert refused(read, locked(far, "a"), password="a").code == "xlsx.range"


@pytest.mark.slow
def test_a_damaged_locked_workbook(read: Import) -> None:
    content = locked(book(SIMPLE), "a")
    for place in range(600, len(content), 700):
        broken = content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :]
        try:
            read(broken, "a.xlsx", password="a", on_doubt="text")
        except DataRefusal as error:
            assert error.text


def test_macros_are_never_looked_at(read: Import) -> None:
    out = io.BytesIO(book(SIMPLE))
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("xl/vbaProject.bin", b"\xff" * 100)
    assert read(out.getvalue(), "数据.xlsm")["rows"] == 3
