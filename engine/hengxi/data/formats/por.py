"""SPSS portable files (por): lines of 80 bytes, read by our own reader and then by the rules of sav."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from hengxi.data.arrays import ArrowFile
from hengxi.data.formats import Job, Staged
from hengxi.data.meta import Column, Warn
from hengxi.data.statfile import reading
from hengxi.data.statfile.dialect import Dialect, spss_kind, spss_names
from hengxi.data.statfile.portable import Portable, encodings_of

KIND = "por"
TITLE = "SPSS 便携文件"
ENDINGS = ("por",)
PRIORITY = 12
LOST = "\ufffd"
"""Stands where a character could not be read."""


def recognises(head: bytes, name: str) -> bool:
    """The mark after 200 bytes of titles and a table of 256 characters."""
    return b"SPSSPORT" in head[:800].replace(b"\r", b"").replace(b"\n", b"")


def preview(job: Job) -> dict[str, Any]:
    return reading.preview(job, _dialect(job))


def stage(job: Job) -> Staged:
    staged = reading.stage(job, _dialect(job))
    staged.warnings += _lost(staged)
    return staged


def _dialect(job: Job) -> Dialect:
    """How this file is read: nothing in it says how its text is encoded."""
    reader = Portable(job.path).read
    encodings = tuple(encodings_of(job.path))
    return Dialect(KIND, "SPSS", reader, spss_kind, encodings=encodings, named=spss_names, further_warnings=_boundless)


def _boundless(path: Path, meta: Any) -> list[Warn]:
    """PSPP writes the end of an open range (90 THRU HIGHEST) and forgets where it begins."""
    if not meta.boundless:
        return []
    names = meta.boundless
    text = (
        f"{len(names)} 个变量（如“{names[0]}”）的缺失值区间一直到最大值，文件里却没有写起点（PSPP 导出 por 时如此），"
        "没有采用。请对照原数据在“变量”中补上，或改存为 sav 后上传。"
    )
    return [Warn(code="por.ranges", text=text, facts={"names": names[:50]})]


def _lost(staged: Staged) -> list[Warn]:
    """Text that is none in its encoding, said where it stands."""
    source = ArrowFile(staged.arrow)
    named = [column.name for column in staged.columns if _garbled(column, source)]
    if not named:
        return []
    text = (
        f"{len(named)} 列的文字或标签有字节不能按 {staged.settings['encoding']} 解读（如“{named[0]}”），"
        f"读成了“{LOST}”。如果整列都是乱码，请换一种编码重新导入。"
    )
    return [Warn(code="por.garbled", text=text, facts={"names": named[:50]})]


def _garbled(column: Column, source: ArrowFile) -> bool:
    texts = [column.name, column.label or "", *(level.label for level in column.levels or [])]
    if any(LOST in text for text in texts):
        return True
    cells = source.array(column.id)
    texted = pa.types.is_string(cells.type) or pa.types.is_large_string(cells.type)
    return texted and bool(pc.any(pc.match_substring(cells, LOST)).as_py())
