"""SPSS portable files (por): text lines of 80 characters, read by the rules of sav."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyreadstat

from hengxi.data.arrays import ArrowFile
from hengxi.data.formats import Job, Staged
from hengxi.data.meta import Column, Warn
from hengxi.data.statfile import reading
from hengxi.data.statfile.dialect import Dialect, spss_kind

KIND = "por"
TITLE = "SPSS 便携文件"
ENDINGS = ("por",)
PRIORITY = 12
LOST = "\ufffd"
"""Stands where a character could not be read."""
DIALECT = Dialect(KIND, "SPSS", pyreadstat.read_por, spss_kind)


def recognises(head: bytes, name: str) -> bool:
    """The mark after 200 bytes of titles and a table of 256 characters."""
    return b"SPSSPORT" in head[:800].replace(b"\r", b"").replace(b"\n", b"")


def preview(job: Job) -> dict[str, Any]:
    _check_end(job)
    return reading.preview(job, DIALECT)


def stage(job: Job) -> Staged:
    _check_end(job)
    staged = reading.stage(job, DIALECT)
    staged.warnings += _lost(staged)
    return staged


def _lost(staged: Staged) -> list[Warn]:
    """What the format or its reader cannot carry, said where it may have happened."""
    source = ArrowFile(staged.arrow)
    found: list[Warn] = []
    numbers = [column for column in staged.columns if pa.types.is_floating(source.array(column.id).type)]
    gone = sum(source.array(column.id).null_count for column in numbers)
    if gone:
        text = (
            f"{gone:,} 个数值单元格是缺失。便携文件（por）中用户缺失值的代码读不到，与系统缺失合在一起；"
            "要保留代码，请在 SPSS 中另存为 sav 后重新上传。"
        )
        found.append(Warn(code="por.missing", text=text, facts={"count": gone}))
    named = [column.name for column in staged.columns if _garbled(column, source)]
    if named:
        text = (
            f"{len(named)} 列的文字或标签在便携文件（por）中已不完整（如“{named[0]}”），显示为“{LOST}”。"
            "请在 SPSS 中另存为 sav 后重新上传。"
        )
        found.append(Warn(code="por.garbled", text=text, facts={"names": named[:50]}))
    return found


def _garbled(column: Column, source: ArrowFile) -> bool:
    texts = [column.label or "", *(level.label for level in column.levels or [])]
    if any(LOST in text for text in texts):
        return True
    cells = source.array(column.id)
    texted = pa.types.is_string(cells.type) or pa.types.is_large_string(cells.type)
    return texted and bool(pc.any(pc.match_substring(cells, LOST)).as_py())


def _check_end(job: Job) -> None:
    """The data end with Z up to a full line; the reader itself takes a file that was cut off."""
    with job.path.open("rb") as file:
        file.seek(max(job.path.stat().st_size - 200, 0))
        if not file.read().rstrip().endswith(b"Z"):
            raise reading.damaged(job.name, DIALECT)
