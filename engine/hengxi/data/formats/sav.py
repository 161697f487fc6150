"""SPSS files (sav, zsav): names, labels, value labels, user-missing codes and measures are kept as they are.

User-missing codes stay values in the table (the grid shows 99) and become missing in every analysis by the metadata.
"""

from __future__ import annotations

import struct
from typing import Any

import pyreadstat

from hengxi.data.formats import Job, Staged
from hengxi.data.statfile import reading
from hengxi.data.statfile.dialect import Dialect, spss_kind
from hengxi.data.statfile.password import is_locked, unlocked

KIND = "sav"
TITLE = "SPSS 数据"
ENDINGS = ("sav", "zsav")
PRIORITY = 10
DIALECT = Dialect(KIND, "SPSS", pyreadstat.read_sav, spss_kind, encodings=(None, "GB18030", "BIG5"), user_missing=True)


def recognises(head: bytes, name: str) -> bool:
    """$FL2 (sav), $FL3 (zsav), or the wrapper of an encrypted file."""
    return head.startswith((b"$FL2", b"$FL3")) or is_locked(head)


def preview(job: Job) -> dict[str, Any]:
    with unlocked(job) as plain:
        _guard(plain)
        return reading.preview(plain, DIALECT)


def stage(job: Job) -> Staged:
    with unlocked(job) as plain:
        _guard(plain)
        return reading.stage(plain, DIALECT)


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
