"""Workbooks (xlsx, xlsm; macros are never looked at), also with a password to open."""

from __future__ import annotations

from typing import Any

from hengxi.data.formats import Job, Staged
from hengxi.data.workbook import reading
from hengxi.data.workbook.compound import holds
from hengxi.data.workbook.guard import check

KIND = "xlsx"
TITLE = "xlsx 工作簿"
ENDINGS = ("xlsx", "xlsm")
PRIORITY = 20


def recognises(head: bytes, name: str) -> bool:
    """A zip, or the OLE container of an encrypted workbook; what else a zip holds is told by the guard."""
    return head.startswith(b"PK\x03\x04") or holds(head, "EncryptedPackage")


def preview(job: Job) -> dict[str, Any]:
    return reading.preview(job, KIND, check)


def stage(job: Job) -> Staged:
    return reading.stage(job, check)
