"""Stata files (dta, releases 8 to 18): labels, value labels, dates, and `.a` … `.z` as user-missing codes."""

from __future__ import annotations

import re
import struct
from dataclasses import replace
from typing import Any

import pyreadstat

from hengxi.data.formats import Job, Staged
from hengxi.data.statfile import reading
from hengxi.data.statfile.dialect import Dialect, stata_kind
from hengxi.data.statfile.stata_texts import mended

KIND = "dta"
TITLE = "Stata 数据"
ENDINGS = ("dta",)
PRIORITY = 13
DIALECT = Dialect(KIND, "Stata", pyreadstat.read_dta, stata_kind, user_missing=True)
OLD = replace(DIALECT, encodings=("UTF-8", "GB18030", None))
"""Before release 14 (format 118) a file does not say how its text is encoded."""
_HEADER = re.compile(rb"^<stata_dta><header><release>(\d{3})</release><byteorder>(MSF|LSF)</byteorder><K>", re.DOTALL)
_N = re.compile(rb"</K><N>(.{4,8}?)</N>", re.DOTALL)


def recognises(head: bytes, name: str) -> bool:
    """The tag of release 13 and later, or the release number and byte order of the older ones."""
    old = len(head) > 109 and head[0] in (104, 105, 108, 110, 111, 113, 114, 115) and head[1] in (1, 2)
    return head.startswith(b"<stata_dta>") or (old and head[2] == 1 and head[3] == 0)


def preview(job: Job) -> dict[str, Any]:
    dialect = _dialect(job)
    with mended(job) as whole:
        return reading.preview(whole, dialect)


def stage(job: Job) -> Staged:
    dialect = _dialect(job)
    with mended(job) as whole:
        return reading.stage(whole, dialect)


def _dialect(job: Job) -> Dialect:
    """How to read it. Rows are stored as they are: a header cannot promise more of them than the file has bytes."""
    with job.path.open("rb") as file:
        head = file.read(512)
    if head.startswith(b"<stata_dta>"):
        order, count = _HEADER.match(head), _N.search(head)
        if not order or not count or len(count[1]) not in (4, 8):
            raise reading.damaged(job.name, DIALECT)
        rows, release = int.from_bytes(count[1], "little" if order[2] == b"LSF" else "big"), int(order[1])
    else:
        rows = max(struct.unpack(">i" if head[1] == 1 else "<i", head[6:10])[0], 0)
        release = head[0]
    if rows > job.path.stat().st_size:
        raise reading.promised(job, DIALECT, rows)
    return DIALECT if release >= 118 else OLD
