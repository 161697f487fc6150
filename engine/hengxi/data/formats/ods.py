"""OpenDocument workbooks (ods)."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from hengxi.data.formats import Job, Staged
from hengxi.data.workbook import reading
from hengxi.data.workbook.guard import damaged
from hengxi.data.workbook.ods_guard import ENTRY, MIMETYPE, check

KIND = "ods"
TITLE = "ods 工作簿"
ENDINGS = ("ods",)
PRIORITY = 19


def recognises(head: bytes, name: str) -> bool:
    """The first part of the zip says what it is; where it does not, `format_of` has looked at the content."""
    return head.startswith(b"PK\x03\x04") and (MIMETYPE in head[:200] or head.endswith(MIMETYPE))


def preview(job: Job) -> dict[str, Any]:
    with _complete(job) as whole:
        return reading.preview(whole, KIND, check)


def stage(job: Job) -> Staged:
    with _complete(job) as whole:
        return reading.stage(whole, check)


@contextmanager
def _complete(job: Job) -> Iterator[Job]:
    """The workbook with the entry that names its kind, which the reader wants: where it is missing, in a copy."""
    with job.path.open("rb") as file, tempfile.TemporaryFile(dir=job.work if job.work != Path() else None) as copy:
        if MIMETYPE in file.read(200):
            yield job
            return
        file.seek(0)
        shutil.copyfileobj(file, copy)
        try:
            with zipfile.ZipFile(copy, "a") as book:
                if ENTRY not in book.namelist():
                    book.writestr(ENTRY, MIMETYPE.removeprefix(ENTRY.encode()))
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise damaged(job.name) from error
        copy.flush()
        yield replace(job, path=Path(f"/proc/self/fd/{copy.fileno()}"))
