"""SAS data sets (sas7bdat). Value labels of SAS lie in a catalogue beside the file (sas7bcat)."""

from __future__ import annotations

from typing import Any

import pyreadstat

from hengxi.data.formats import Job, Staged
from hengxi.data.statfile import reading
from hengxi.data.statfile.dialect import Dialect, sas_kind

KIND = "sas7bdat"
TITLE = "SAS 数据集"
ENDINGS = ("sas7bdat",)
PRIORITY = 14
DIALECT = Dialect(
    KIND, "SAS", pyreadstat.read_sas7bdat, sas_kind, encodings=(None, "GB18030"), user_missing=True, catalogued=True
)
_MAGIC = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")


def recognises(head: bytes, name: str) -> bool:
    return head.startswith(_MAGIC)


def preview(job: Job) -> dict[str, Any]:
    return reading.preview(job, DIALECT)


def stage(job: Job) -> Staged:
    return reading.stage(job, DIALECT)
