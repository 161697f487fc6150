"""Files made on the spot, in a temporary HENGXI_DATA; Chinese-looking text made of random words."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
import pytest

from hengxi.data import store

MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
LENGTHS = {1: 0.4507, 2: 0.4711, 3: 0.0547, 4: 0.0235}
"""Of words as they occur in running Chinese text."""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HENGXI_DATA", str(tmp_path))
    (tmp_path / "plagdet").mkdir()
    return tmp_path


@pytest.fixture
def upload() -> Callable[[bytes], str]:
    """Puts bytes where uploads for a comparison lie; gives their key."""
    count = iter(range(1000))

    def put(content: bytes) -> str:
        key = f"p_{next(count):032x}"
        store.compared_path(key).write_bytes(content)
        return key

    return put


def docx(body: str, **parts: str) -> bytes:
    """`body`: the children of w:body; `parts`: whole further parts, `footnotes=…`."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("[Content_Types].xml", "<Types/>")
        book.writestr("word/document.xml", f'<w:document xmlns:w="{MAIN}"><w:body>{body}</w:body></w:document>')
        for name, content in parts.items():
            book.writestr(f"word/{name}.xml", content)
    return out.getvalue()


def paragraph(text: str, properties: str = "") -> str:
    return f"<w:p><w:r><w:rPr>{properties}</w:rPr><w:t>{escape(text)}</w:t></w:r></w:p>"


def pdf(*pages: str) -> bytes:
    """Pages of Latin text, one line each, as bare a file as can be."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>")
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for number, text in enumerate(pages):
        content = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET" if text else ""
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{content}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    return out + f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF".encode()


class Prose:
    """Words of random characters, drawn by the frequencies of a language."""

    def __init__(self, seed: int, words: int = 40_000) -> None:
        self.random = np.random.default_rng(seed)
        lengths = self.random.choice(list(LENGTHS), words, p=list(LENGTHS.values()))
        self.words = ["".join(map(chr, self.random.integers(0x4E00, 0x9000, length))) for length in lengths]
        weights = 1 / (np.arange(words) + 20.0)
        self.steps = np.cumsum(weights / weights.sum())

    def word(self) -> str:
        return self.words[int(np.searchsorted(self.steps, self.random.random()))]

    def sentence(self) -> list[str]:
        return [self.word() for _ in range(int(self.random.integers(6, 25)))]

    def paragraph(self) -> list[list[str]]:
        return [self.sentence() for _ in range(int(self.random.integers(4, 9)))]

    def text(self, characters: int) -> str:
        out = ""
        while len(out) < characters:
            out += written(self.paragraph()) + "\n"
        return out


def written(sentences: list[list[str]]) -> str:
    return "".join(f"{''.join(words)}。" for words in sentences)
