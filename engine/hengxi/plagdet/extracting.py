"""The text of a docx, pdf or txt file. What the file is, its bytes say; the name is only quoted."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from hengxi.data.refusal import DataRefusal
from hengxi.data.workbook import compound
from hengxi.plagdet import word

MOST_BYTES = 20 << 20
MOST_TEXT = 2_000_000
"""Characters of any kind; far beyond what may be compared."""
MOST_PAGES = 2000

Tick = Callable[[float], None]


@dataclass
class Extracted:
    """`notes`: what was left out or guessed, kind → how often; `pages`: of a pdf, those without text."""

    text: str
    notes: dict[str, int] = field(default_factory=dict)
    pages: list[int] = field(default_factory=list)


def extract(path: Path, name: str, tick: Tick) -> Extracted:
    """DataRefusal `file.*`."""
    if not path.exists():
        raise DataRefusal("file.absent", "文件已不在服务器上，请重新上传。", {})
    size = path.stat().st_size
    if size == 0:
        raise DataRefusal("file.empty", f"“{name}”是空文件（0 字节），请检查后重新上传。", {"name": name})
    if size > MOST_BYTES:
        raise DataRefusal("file.large", f"“{name}”超过 20 MB，请压缩图片或另存为纯文本后再上传。", {"name": name})
    with path.open("rb") as file:
        head = file.read(1024)
    if head.startswith(compound.MAGIC):
        raise _compound(path, name)
    if head.startswith(b"PK\x03\x04"):
        found = word.read(path, name, tick)
        return Extracted(found.text, found.notes)
    if b"%PDF-" in head:
        return _pdf(path, name, tick)
    return _plain(path.read_bytes(), name)


def _compound(path: Path, name: str) -> DataRefusal:
    head = path.read_bytes()[:8] + compound.directory(path)
    if compound.holds(head, "EncryptedPackage"):
        return encrypted(name)
    return DataRefusal("file.doc", "不支持 .doc，请在 Word 里另存为 .docx 后再上传。", {"name": name})


def encrypted(name: str) -> DataRefusal:
    return DataRefusal("file.encrypted", f"“{name}”已加密，请去掉密码后再上传。", {"name": name})


def damaged(name: str) -> DataRefusal:
    return DataRefusal("file.damaged", f"“{name}”已损坏，无法解析。请重新导出后再上传。", {"name": name})


_BROKEN = (ArithmeticError, AssertionError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError)
"""What a reader of files that are not as they should be may stumble over."""


def _pdf(path: Path, name: str, tick: Tick) -> Extracted:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, FileNotDecryptedError, PyPdfError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reader = PdfReader(io.BytesIO(path.read_bytes()), strict=False)
            if reader.is_encrypted and not reader.decrypt(""):
                raise encrypted(name)
            count = len(reader.pages)
            if count > MOST_PAGES:
                text = f"“{name}”有 {count} 页，最多 {MOST_PAGES} 页，请分开上传。"
                raise DataRefusal("file.pages", text, {"pages": count, "most": MOST_PAGES})
            pages = _pages(reader, count, tick)
    except FileNotDecryptedError as error:
        raise encrypted(name) from error
    except (*_BROKEN, PyPdfError, DependencyError) as error:
        raise damaged(name) from error
    empty = [number for number, page in enumerate(pages, 1) if not page.strip()]
    if len(empty) == count:
        text = "这份 PDF 没有文字层（多半是扫描件），请上传文字版，或先用识别软件转成文字。"
        raise DataRefusal("file.scanned", text, {"pages": count})
    return Extracted(_joined(pages), {"pages": len(empty)} if empty else {}, empty[:50])


def _pages(reader: object, count: int, tick: Tick) -> list[str]:
    pages, length = [], 0
    for number, page in enumerate(reader.pages, 1):  # type: ignore[attr-defined]
        text = page.extract_text() or ""
        length += len(text)
        if length > MOST_TEXT:
            raise long_text()
        pages.append(text)
        tick(number / count)
    return pages


def long_text() -> DataRefusal:
    return DataRefusal("text.long", "文字超过 20 万字，请分成几份上传。", {})


_BREAK = re.compile(r"(?<=[\u3400-\u9fff，、；：]) *\n *(?=[\u3400-\u9fff“《（])")


def _joined(pages: list[str]) -> str:
    """The lines of a page are cut where it ends, not where a sentence does: Han text is joined again."""
    lines = [_long_lines(page) for page in pages]
    return "\n".join(lines)


def _long_lines(page: str) -> str:
    lines = page.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    usual = sorted(len(line) for line in lines)[-max(1, len(lines) // 4)]
    out = []
    for line in lines:
        # A line about as long as the others goes on in the next one; a short one ends a paragraph.
        out.append(line if len(line) >= 0.8 * usual and len(line) > 12 else f"{line}\n")
        if out[-1] == line:
            out.append("\n" if not _BREAK.search(f"{line[-1:]}\n一") else "")
    return "".join(out)


def _plain(raw: bytes, name: str) -> Extracted:
    for mark, codec in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if raw.startswith(mark):
            return _checked(raw.decode(codec, "replace"), name)
    if b"\0" in raw:
        raise DataRefusal("file.type", f"“{name}”不是 docx、pdf 或 txt，请另存为其中一种。", {"name": name})
    for codec in ("utf-8", "gb18030"):
        try:
            return _checked(raw.decode(codec), name)
        except UnicodeDecodeError:
            continue
    return _mixed(raw, name)


def _mixed(raw: bytes, name: str) -> Extracted:
    """Parts of several files put together: line by line, each by what it is."""
    lines, other = [], 0
    for line in raw.splitlines(keepends=True):
        try:
            lines.append(line.decode("utf-8"))
        except UnicodeDecodeError:
            lines.append(line.decode("gb18030", "replace"))
            other += 1
    found = _checked("".join(lines), name)
    found.notes["mixed"] = other
    return found


def _checked(text: str, name: str) -> Extracted:
    if len(text) > MOST_TEXT:
        raise long_text()
    controls = sum(1 for char in text if char < " " and char not in "\t\n\r\f")
    if controls > len(text) / 50:
        raise DataRefusal("file.type", f"“{name}”不是 docx、pdf 或 txt，请另存为其中一种。", {"name": name})
    return Extracted(text.replace("\r\n", "\n").replace("\r", "\n"))
