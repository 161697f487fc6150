"""Reads a document that the product has written, with other means than it was written by; prints JSON.

docx: ZIP and XML of the standard library; xlsx: openpyxl; pdf: objects, outline and text through the ToUnicode maps,
as ISO 32000 states them (enough for what browsers print: no object streams, no encryption).
"""

import json
import re
import sys
import zipfile
import zlib
from pathlib import Path
from xml.etree import ElementTree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
P = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"


# --- docx ------------------------------------------------------------------------------------------------------------


def _text(node) -> str:
    return "".join(t.text or "" for t in node.iter(f"{W}t"))


def _rules(cell) -> dict:
    borders = cell.find(f"{W}tcPr/{W}tcBorders")
    found = {} if borders is None else {b.tag[len(W) :]: b for b in borders}
    return {side: int(b.get(f"{W}sz", "0")) for side, b in found.items() if b.get(f"{W}val") not in ("none", "nil")}


def _table(table) -> dict:
    outer = table.find(f"{W}tblPr/{W}tblBorders")
    rows = []
    for row in table.findall(f"{W}tr"):
        rows.append(
            {
                "head": row.find(f"{W}trPr/{W}tblHeader") is not None,
                "cells": ["\n".join(_text(p) for p in c.findall(f"{W}p")) for c in row.findall(f"{W}tc")],
                "rules": [_rules(c) for c in row.findall(f"{W}tc")],
                "spans": [int(s.get(f"{W}val")) for s in row.iter(f"{W}gridSpan")],
            }
        )
    sides = {b.tag[len(W) :]: b.get(f"{W}val") for b in ([] if outer is None else outer)}
    return {"outer": sides, "rows": rows}


def docx(path: Path) -> dict:
    with zipfile.ZipFile(path) as archive:
        broken = archive.testzip()
        parts = {n: archive.read(n) for n in archive.namelist()}
    body = ElementTree.fromstring(parts["word/document.xml"]).find(f"{W}body")
    styles = ElementTree.fromstring(parts["word/styles.xml"])
    fonts = styles.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr/{W}rFonts")
    paragraphs = []
    for p in body.iter(f"{W}p"):
        style = p.find(f"{W}pPr/{W}pStyle")
        fields = [f.get(f"{W}instr", "").strip() for f in p.iter(f"{W}fldSimple")]
        paragraphs.append(
            {"style": None if style is None else style.get(f"{W}val"), "text": _text(p), "fields": fields}
        )
    footers = [ElementTree.fromstring(v) for n, v in parts.items() if re.match(r"word/footer\d+\.xml", n)]
    return {
        "broken": broken,
        "fonts": {k.split("}")[1]: v for k, v in fonts.attrib.items()},
        "paragraphs": paragraphs,
        "tables": [_table(t) for t in body.findall(f"{W}tbl")],
        "formulas": ["".join(t.text or "" for t in f.iter(f"{M}t")) for f in body.iter(f"{M}oMath")],
        "pictures": [d.get("descr") for d in body.iter(f"{P}docPr")],
        "page_numbers": any("PAGE" in (i.text or "") for f in footers for i in f.iter(f"{W}instrText")),
        "headings": [p["text"] for p in paragraphs if (p["style"] or "").startswith("Heading")],
    }


# --- xlsx ------------------------------------------------------------------------------------------------------------


def xlsx(path: Path) -> dict:
    import openpyxl

    book = openpyxl.load_workbook(path)
    sheets = []
    for sheet in book.worksheets:
        rows = [
            [
                {
                    "value": cell.value,
                    "type": cell.data_type,
                    "format": cell.number_format,
                    "top": cell.border.top.style,
                    "bottom": cell.border.bottom.style,
                }
                for cell in row
            ]
            for row in sheet.iter_rows()
        ]
        sheets.append({"name": sheet.title, "rows": rows, "merged": [str(r) for r in sheet.merged_cells.ranges]})
    return {"sheets": sheets}


# --- pdf -------------------------------------------------------------------------------------------------------------


class Pdf:
    def __init__(self, data: bytes) -> None:
        self.objects: dict[int, bytes] = {}
        for found in re.finditer(rb"(?:^|[\r\n])(\d+) 0 obj\b(.*?)endobj", data, re.DOTALL):
            self.objects[int(found[1])] = found[2]

    def stream(self, number: int) -> bytes:
        head, _, rest = self.objects[number].partition(b"stream")
        raw = rest.lstrip(b"\r")[1:].rsplit(b"endstream", 1)[0]
        return zlib.decompressobj().decompress(raw) if b"FlateDecode" in head else raw

    def ref(self, body: bytes, key: bytes) -> int | None:
        found = re.search(rb"/" + key + rb"\s+(\d+) 0 R", body)
        return int(found[1]) if found else None

    def dictionary(self, body: bytes, key: bytes) -> bytes:
        """The value of a key that is a dictionary, here or in an object of its own."""
        number = self.ref(body, key)
        if number is not None:
            return self.objects[number]
        at = re.search(rb"/" + key + rb"\s*<<", body)
        if at is None:
            return b""
        depth, end = 0, at.end() - 2
        while True:
            if body[end : end + 2] == b"<<":
                depth, end = depth + 1, end + 2
            elif body[end : end + 2] == b">>":
                depth, end = depth - 1, end + 2
                if depth == 0:
                    return body[at.end() - 2 : end]
            else:
                end += 1

    def pages(self) -> list[int]:
        root = next(n for n, b in self.objects.items() if re.search(rb"/Type\s*/Catalog", b))
        found: list[int] = []

        def walk(number: int) -> None:
            body = self.objects[number]
            kids = re.search(rb"/Kids\s*\[(.*?)\]", body, re.DOTALL)
            if kids is None:
                found.append(number)
            else:
                for kid in re.findall(rb"(\d+) 0 R", kids[1]):
                    walk(int(kid))

        walk(self.ref(self.objects[root], b"Pages"))
        return found

    def outline(self) -> list[str]:
        root = next((n for n, b in self.objects.items() if re.search(rb"/Type\s*/Outlines", b)), None)
        titles: list[str] = []

        def walk(number: int | None) -> None:
            while number is not None:
                body = self.objects[number]
                title = re.search(rb"/Title\s*<([0-9A-Fa-f]*)>", body)
                literal = re.search(rb"/Title\s*\(((?:\\.|[^\\)])*)\)", body, re.DOTALL)
                raw = bytes.fromhex(title[1].decode()) if title else _literal(literal[1]) if literal else b""
                titles.append(raw[2:].decode("utf-16-be") if raw[:2] == b"\xfe\xff" else raw.decode("latin-1"))
                walk(self.ref(body, b"First"))
                number = self.ref(body, b"Next")

        walk(None if root is None else self.ref(self.objects[root], b"First"))
        return titles

    def text(self, page: int) -> str:
        body = self.objects[page]
        return self._read(self.stream(self.ref(body, b"Contents")), self.dictionary(body, b"Resources"))

    def _read(self, content: bytes, resources: bytes) -> str:
        fonts = {n: int(r) for n, r in re.findall(rb"/(\w+)\s+(\d+) 0 R", self.dictionary(resources, b"Font"))}
        forms = {n: int(r) for n, r in re.findall(rb"/(\w+)\s+(\d+) 0 R", self.dictionary(resources, b"XObject"))}
        codes: dict[int, str] = {}
        width, out = 2, []
        # What a glyph cannot say alone is said beside it, and stands for all that is drawn until the end of the mark.
        # A font chosen in there holds for what follows.
        content = re.sub(rb"/ActualText\s*<FEFF([0-9A-Fa-f]*)>(.*?)EMC", _said, content, flags=re.DOTALL)
        pattern = rb"@([0-9A-Fa-f]*)@|/(\w+)\s+[-\d.]+\s+Tf|/(\w+)\s+Do|<([0-9A-Fa-f]*)>|\(((?:\\.|[^\\)])*)\)|\b(Td|Tm|T\*|ET)\b"
        for actual, font, form, hexed, literal, moved in re.findall(pattern, content, re.DOTALL):
            if actual:
                out.append(bytes.fromhex(actual.decode()).decode("utf-16-be"))
            elif font:
                codes, width = self._codes(fonts[font])
            elif form:
                target = forms.get(form)
                if target is not None and re.search(rb"/Subtype\s*/Form", self.objects[target]):
                    own = self.dictionary(self.objects[target], b"Resources")
                    out.append(self._read(self.stream(target), own))
            elif moved:
                out.append("\n" if moved in (b"ET", b"T*") else "")
            else:
                raw = bytes.fromhex(hexed.decode()) if hexed else _literal(literal)
                for i in range(0, len(raw) - width + 1, width):
                    out.append(codes.get(int.from_bytes(raw[i : i + width], "big"), ""))
        return "".join(out)

    def _codes(self, font: int) -> tuple[dict[int, str], int]:
        number = self.ref(self.objects[font], b"ToUnicode")
        if number is None:
            return {}, 1
        cmap = self.stream(number).decode("latin-1")
        space = re.search(r"begincodespacerange\s*<([0-9A-Fa-f]+)>", cmap)
        codes: dict[int, str] = {}
        for block in re.findall(r"beginbfchar(.*?)endbfchar", cmap, re.DOTALL):
            for code, to in re.findall(r"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>", block):
                codes[int(code, 16)] = bytes.fromhex(to).decode("utf-16-be")
        for block in re.findall(r"beginbfrange(.*?)endbfrange", cmap, re.DOTALL):
            for low, high, to in re.findall(r"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>", block):
                first = bytes.fromhex(to).decode("utf-16-be")
                for k in range(int(high, 16) - int(low, 16) + 1):
                    codes[int(low, 16) + k] = first[:-1] + chr(ord(first[-1]) + k)
        return codes, len(space[1]) // 2 if space else 2


def _said(mark: re.Match[bytes]) -> bytes:
    fonts = re.findall(rb"/\w+\s+[-\d.]+\s+Tf", mark[2])
    return b" @" + mark[1] + b"@ " + b" ".join(fonts) + b" "


def _literal(raw: bytes) -> bytes:
    plain = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}

    def value(found: re.Match[bytes]) -> bytes:
        sign = found[1]
        return bytes([int(sign, 8) & 255]) if sign.isdigit() else plain.get(sign, sign)

    return re.sub(rb"\\([0-7]{1,3}|.)", value, raw, flags=re.DOTALL)


def pdf(path: Path) -> dict:
    data = path.read_bytes()
    document = Pdf(data)
    pages = document.pages()
    boxes = [re.search(rb"/MediaBox\s*\[([^\]]*)\]", document.objects[p]) for p in pages]
    return {
        "pages": [document.text(p) for p in pages],
        "boxes": [[float(x) for x in b[1].split()] if b else None for b in boxes],
        "outline": document.outline(),
        "tagged": b"/StructTreeRoot" in data,
        "scripts": b"/JavaScript" in data or b"/JS" in data,
    }


if __name__ == "__main__":
    given = Path(sys.argv[1])
    kind = sys.argv[2] if len(sys.argv) > 2 else given.suffix[1:]
    print(json.dumps({"docx": docx, "xlsx": xlsx, "pdf": pdf}[kind](given), ensure_ascii=False))
