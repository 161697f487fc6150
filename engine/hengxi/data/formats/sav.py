"""SPSS files (sav, zsav): names, labels, value labels, user-missing codes and measures are kept as they are.

User-missing codes stay values in the table (the grid shows 99) and become missing in every analysis by the metadata.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pyreadstat

from hengxi.data.formats import Job, Staged
from hengxi.data.statfile import reading, spss_cells, spss_sets, spss_warnings
from hengxi.data.statfile.dialect import Dialect, spss_kind, spss_names
from hengxi.data.statfile.password import is_locked, unlocked

KIND = "sav"
TITLE = "SPSS 数据"
ENDINGS = ("sav", "zsav")
PRIORITY = 10
DIALECT = Dialect(
    KIND,
    "SPSS",
    pyreadstat.read_sav,
    spss_kind,
    encodings=(None, "GB18030", "BIG5"),
    user_missing=True,
    named=spss_names,
    frames=spss_cells.quick,
)


def recognises(head: bytes, name: str) -> bool:
    """$FL2 (sav), $FL3 (zsav), or the wrapper of an encrypted file."""
    return head.startswith((b"$FL2", b"$FL3")) or is_locked(head)


def preview(job: Job) -> dict[str, Any]:
    with _opened(job) as (plain, dialect):
        return reading.preview(plain, dialect)


def stage(job: Job) -> Staged:
    with _opened(job) as (plain, dialect):
        return reading.stage(plain, replace(dialect, further_warnings=spss_warnings.import_warnings))


@contextmanager
def _opened(job: Job) -> Iterator[tuple[Job, Dialect]]:
    with unlocked(job) as plain:
        _guard(plain)
        with spss_sets.readable(plain) as (whole, sets, names):
            yield whole, replace(DIALECT, read=partial(_read_with, sets, names)) if sets else DIALECT


def _read_with(sets: list[bytes], names: bytes, path: Path, **options: Any) -> tuple[Any, Any]:
    """The reader, with the multiple-response sets that it was not shown."""
    frame, meta = pyreadstat.read_sav(path, **options)
    meta.mr_sets = spss_sets.read_sets(sets, names, options.get("encoding") or meta.file_encoding or "gb18030")
    return frame, meta


def _guard(job: Job) -> None:
    """The header's promises against the size of the file, before anything is allocated."""
    with job.path.open("rb") as file:
        head = file.read(176)
    if len(head) < 176:
        raise reading.damaged(job.name, DIALECT)
    order = "<" if struct.unpack("<i", head[64:68])[0] in (2, 3) else ">"
    slots, _, _, cases = struct.unpack(order + "iiii", head[68:84])
    if slots > 0 and cases > 0 and slots * cases * 8 > reading.MAX_RATIO * job.path.stat().st_size:
        raise reading.promised(job, DIALECT, cases)
