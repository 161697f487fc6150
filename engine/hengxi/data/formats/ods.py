"""OpenDocument workbooks (ods)."""

from __future__ import annotations

from typing import Any

from hengxi.data.formats import Job, Staged
from hengxi.data.workbook import reading
from hengxi.data.workbook.ods_guard import check

KIND = "ods"
TITLE = "ods 工作簿"
ENDINGS = ("ods",)
PRIORITY = 19


def recognises(head: bytes, name: str) -> bool:
    """The first part of the zip says what it is."""
    return head.startswith(b"PK\x03\x04") and b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet" in head[:200]


def preview(job: Job) -> dict[str, Any]:
    return reading.preview(job, KIND, check)


def stage(job: Job) -> Staged:
    return reading.stage(job, check)
