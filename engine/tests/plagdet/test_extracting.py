"""Texts of files, good and bad: what cannot be read is said."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

from hengxi.data import store
from hengxi.data.refusal import DataRefusal
from hengxi.plagdet import extracting, word
from hengxi.plagdet.extracting import Extracted
from hengxi.plagdet.parts import find_parts
from tests.plagdet.conftest import MAIN, docx, paragraph, pdf

Upload = Callable[[bytes], str]


def text_of(upload: Upload, content: bytes) -> Extracted:
    return extracting.extract(store.compared_path(upload(content)), "文", lambda share: None)


def refusal_of(upload: Upload, content: bytes) -> str:
    with pytest.raises(DataRefusal) as caught:
        text_of(upload, content)
    return caught.value.code


def test_a_docx_with_tables_boxes_and_notes(upload: Upload) -> None:
    compatible = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    maths = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    body = (
        paragraph("正文")
        + f"<w:tbl><w:tr><w:tc>{paragraph('一格')}</w:tc><w:tc>{paragraph('二格')}</w:tc></w:tr></w:tbl>"
        + f'<mc:AlternateContent xmlns:mc="{compatible}"><mc:Choice>{paragraph("文本框")}</mc:Choice>'
        + f"<mc:Fallback>{paragraph('文本框')}</mc:Fallback></mc:AlternateContent>"
        + f'<w:p><m:oMath xmlns:m="{maths}"><m:r><w:t>公式</w:t></m:r></m:oMath></w:p>'
        + f"<w:del>{paragraph('删去')}</w:del>"
        + paragraph("白字", '<w:color w:val="FFFFFF"/>')
        + paragraph("小字", '<w:sz w:val="2"/>')
        + paragraph("末")
    )
    notes = f'<w:footnotes xmlns:w="{MAIN}"><w:footnote>{paragraph("脚注")}</w:footnote></w:footnotes>'
    found = text_of(upload, docx(body, footnotes=notes))
    assert found.text.split() == ["正文", "一格", "二格", "文本框", "末", "脚注"]
    assert found.notes == {"hidden": 4, "formulas": 1, "deleted": 1}


def test_page_numbers_of_the_contents_of_word_are_read(upload: Upload) -> None:
    number = "<w:r><w:rPr><w:webHidden/></w:rPr><w:tab/><w:t>12</w:t></w:r>"
    entry = f"<w:p><w:r><w:t>第一章 绪论</w:t></w:r>{number}</w:p>"
    found = text_of(upload, docx(paragraph("目录") + entry))
    assert found.text == "目录\n第一章 绪论\t12\n"
    assert found.notes == {}
    assert [part.kind for part in find_parts(found.text)[0]] == ["contents"]


def test_what_was_changed_counts_as_it_is_now(upload: Upload) -> None:
    was_white = '<w:rPrChange><w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:rPrChange>'
    moved = f"<w:moveFrom>{paragraph('移动')}</w:moveFrom><w:moveTo>{paragraph('移动')}</w:moveTo>"
    found = text_of(upload, docx(paragraph("黑字", was_white) + moved))
    assert found.text.split() == ["黑字", "移动"]
    assert found.notes == {"deleted": 1}


def test_a_docx_that_unpacks_beyond_all_bounds_is_refused(upload: Upload) -> None:
    assert refusal_of(upload, docx(paragraph("甲" * 3_000_000))) in {"file.bomb", "text.long"}
    assert refusal_of(upload, docx(" " * (250 << 20))) == "file.bomb"


def test_a_size_that_the_zip_understates_is_found_out(upload: Upload, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word, "MOST_UNPACKED", 1000)
    monkeypatch.setattr(word, "_checked", lambda entries, name: entries)
    assert refusal_of(upload, docx(paragraph("甲" * 5000))) == "file.bomb"


def test_entities_are_refused(upload: Upload) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as book:
        entities = '<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
        content = (
            f'{entities}<w:document xmlns:w="{MAIN}"><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>'
        )
        book.writestr("word/document.xml", content)
    assert refusal_of(upload, out.getvalue()) == "file.dtd"


def test_what_is_no_docx(upload: Upload) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as book:
        book.writestr("xl/workbook.xml", "<a/>")
    assert refusal_of(upload, out.getvalue()) == "file.type"
    assert refusal_of(upload, docx("<w:p>")) == "file.damaged"
    assert refusal_of(upload, docx(paragraph("正文"))[:200]) == "file.damaged"


def test_a_pdf_with_text_and_one_empty_page(upload: Upload) -> None:
    found = text_of(upload, pdf("Regression is not causation", "", "Third page"))
    assert "Regression is not causation" in found.text
    assert (found.notes, found.pages) == ({"pages": 1}, [2])


def test_scanned_encrypted_and_broken_pdfs_are_told_apart(upload: Upload) -> None:
    assert refusal_of(upload, pdf("", "")) == "file.scanned"
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf("secret"))))
    writer.encrypt("open", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    assert refusal_of(upload, out.getvalue()) == "file.encrypted"
    assert refusal_of(upload, b"%PDF-1.7\nnothing of a file") == "file.damaged"


def test_a_pdf_of_ten_thousand_pages_ends_in_a_text(upload: Upload) -> None:
    assert refusal_of(upload, pdf(*["a"] * (extracting.MOST_PAGES + 1))) == "file.pages"


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_plain_text_in_any_encoding(upload: Upload, codec: str) -> None:
    assert text_of(upload, "统计分析\r\n方法".encode(codec)).text == "统计分析\n方法"


def test_mixed_encodings_are_read_line_by_line_and_told(upload: Upload) -> None:
    found = text_of(upload, "第一行\n".encode() + "第二行\n".encode("gb18030") + "第三行".encode())
    assert found.text == "第一行\n第二行\n第三行"
    assert found.notes == {"mixed": 1}


def test_what_is_no_text(upload: Upload, tmp_path: Path) -> None:
    assert refusal_of(upload, b"") == "file.empty"
    assert refusal_of(upload, b"\x89PNG\r\n\x1a\n\0\0\0") == "file.type"
    assert refusal_of(upload, bytes(range(1, 32)) * 40) == "file.type"
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000)
    assert refusal_of(upload, ole) == "file.doc"
    with pytest.raises(DataRefusal, match=r"file\.absent"):
        extracting.extract(tmp_path / "none", "文", lambda share: None)


@pytest.mark.parametrize("error", [NotImplementedError, ZeroDivisionError, AssertionError, RecursionError])
def test_a_pdf_its_reader_stumbles_over_is_damaged(
    upload: Upload, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def stumble(*_: object) -> None:
        raise error

    monkeypatch.setattr(extracting, "_pages", stumble)
    assert refusal_of(upload, pdf("Some text")) == "file.damaged"
