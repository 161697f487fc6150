"""SPSS portable files (por): text lines of 80 characters, read by the rules of sav."""

from __future__ import annotations

from typing import Any

import pyreadstat

from hengxi.data.formats import Job, Staged
from hengxi.data.statfile import reading
from hengxi.data.statfile.dialect import Dialect, spss_kind

KIND = "por"
TITLE = "SPSS 便携文件"
ENDINGS = ("por",)
PRIORITY = 12
DIALECT = Dialect(KIND, "SPSS", pyreadstat.read_por, spss_kind)


def recognises(head: bytes, name: str) -> bool:
    """The mark after 200 bytes of titles and a table of 256 characters."""
    return b"SPSSPORT" in head[:800].replace(b"\r", b"").replace(b"\n", b"")


def preview(job: Job) -> dict[str, Any]:
    _check_end(job)
    return reading.preview(job, DIALECT)


def stage(job: Job) -> Staged:
    _check_end(job)
    return reading.stage(job, DIALECT)


def _check_end(job: Job) -> None:
    """The data end with Z up to a full line; the reader itself takes a file that was cut off."""
    with job.path.open("rb") as file:
        file.seek(max(job.path.stat().st_size - 200, 0))
        if not file.read().rstrip().endswith(b"Z"):
            raise reading.damaged(job.name, DIALECT)
