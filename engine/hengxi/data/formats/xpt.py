"""SAS transport files (xpt, versions 5 and 8)."""

from __future__ import annotations

from typing import Any

import pyreadstat

from hengxi.data.formats import Job, Staged
from hengxi.data.statfile import reading
from hengxi.data.statfile.dialect import Dialect, sas_kind

KIND = "xpt"
TITLE = "SAS 传输文件"
ENDINGS = ("xpt", "xport")
PRIORITY = 15
DIALECT = Dialect(KIND, "SAS", pyreadstat.read_xport, sas_kind, encodings=("UTF-8", "GB18030", None))


def recognises(head: bytes, name: str) -> bool:
    return head.startswith((b"HEADER RECORD*******LIBRARY HEADER", b"HEADER RECORD*******LIBV8   HEADER"))


def preview(job: Job) -> dict[str, Any]:
    return reading.preview(job, DIALECT)


def stage(job: Job) -> Staged:
    return reading.stage(job, DIALECT)
