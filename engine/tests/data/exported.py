"""Exports as tests ask for them."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl

from hengxi.data import store
from hengxi.data.exporting.run import export_table

FILE = "f_" + "0" * 32
Keys = Callable[[], str]


def export(key: str, kind: str, filter: str | None = None, **options: Any) -> tuple[Path, dict[str, Any]]:
    payload = {
        "table": key,
        "name": "调查",
        "format": kind,
        "options": options,
        "filter": filter and {"condition": filter, "filter_type": "keep"},
        "file": FILE,
    }
    answer = export_table(payload)
    path = store.file_path(FILE)
    assert answer["bytes"] == path.stat().st_size and answer["file"] == FILE
    return path, answer


def codes(answer: dict[str, Any]) -> list[str]:
    return [note["code"] for note in answer["notes"]]


def cells_of(path: Path, sheet: str) -> list[list[Any]]:
    return [
        list(row) for row in openpyxl.load_workbook(io.BytesIO(path.read_bytes()))[sheet].iter_rows(values_only=True)
    ]
