"""Which part of an xlsx workbook holds which sheet."""

from __future__ import annotations

import html
import posixpath
import re
import zipfile
import zlib
from pathlib import Path

_SHEET = re.compile(r"<(?:\w+:)?sheet\s([^>]*)>")
_LINK = re.compile(r"<(?:\w+:)?Relationship\s([^>]*)>")
_ATTRIBUTE = re.compile(r"""([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
MOST = 4 << 20
"""Bytes of the lists that are read: thousands of sheets."""


def sheet_names(path: Path) -> dict[str, str]:
    """Part → name of the sheet, as far as the workbook says; what is wrong with it others tell."""
    try:
        with zipfile.ZipFile(path) as book:
            listed = _attributes(_SHEET, _head(book, "xl/workbook.xml"))
            links = _attributes(_LINK, _head(book, "xl/_rels/workbook.xml.rels"))
    except (zipfile.BadZipFile, zlib.error, KeyError, OSError, ValueError, EOFError, NotImplementedError, RuntimeError):
        return {}
    parts = {link.get("Id", ""): posixpath.normpath(posixpath.join("/xl", link.get("Target", ""))) for link in links}
    names = {}
    for sheet in listed:
        own = next((value for name, value in sheet.items() if name.endswith(":id")), "")
        if own in parts and "name" in sheet:
            names[parts[own].lstrip("/")] = sheet["name"]
    return names


def _head(book: zipfile.ZipFile, part: str) -> str:
    with book.open(part) as file:
        return file.read(MOST).decode("utf-8", "replace")


def _attributes(tag: re.Pattern[str], text: str) -> list[dict[str, str]]:
    return [
        {name: html.unescape(one or two) for name, one, two in _ATTRIBUTE.findall(match[1])}
        for match in tag.finditer(text)
    ]
