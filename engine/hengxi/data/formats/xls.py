"""Workbooks of Excel 97–2003 and WPS (xls), also with a password to open."""

from __future__ import annotations

from typing import Any

from hengxi.data.formats import Job, Staged
from hengxi.data.workbook import reading
from hengxi.data.workbook.compound import MAGIC, holds
from hengxi.data.workbook.xls_guard import check

KIND = "xls"
TITLE = "xls 工作簿"
ENDINGS = ("xls",)
PRIORITY = 21


def recognises(head: bytes, name: str) -> bool:
    """The stream of the sheets, or a container whose directory is lost, called xls."""
    lost = head.startswith(MAGIC) and name.lower().endswith(".xls") and not holds(head, "WordDocument")
    return holds(head, "Workbook") or holds(head, "Book") or lost


def preview(job: Job) -> dict[str, Any]:
    return reading.preview(job, KIND, check)


def stage(job: Job) -> Staged:
    return reading.stage(job, check)
