"""The last stretch of every import: profile, compact storage, files on disk, and the rename that makes it exist."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pyarrow as pa
from msgspec import UNSET

from hengxi.data import folder
from hengxi.data.arrays import ArrowFile
from hengxi.data.describe import describe
from hengxi.data.formats import Job, Staged
from hengxi.data.meta import Column, ColumnReport, ImportReport, Meta, Warn
from hengxi.data.values import dictionary
from hengxi.data.writing import DICTIONARY, Shrunk, narrow, shrink, write_data


def finish(staged: Staged, job: Job, kind: str, target: Path, started: float) -> Meta:
    """Profiles the staged columns, writes the table folder and puts it in place. Nothing remains if it fails."""
    source = ArrowFile(staged.arrow)
    total = max(len(staged.columns), 1)

    def tick(done: int) -> None:
        source.release()
        job.tick(0.72 + 0.13 * done / total, "统计各列")

    codes: dict[str, pa.DictionaryArray] = {}

    def cells(name: str) -> pa.Array | pa.ChunkedArray:
        """A column for the profile; the codes of texts with few values are kept, the encoding is not done twice."""
        column = source.array(name)
        if not pa.types.is_large_string(column.type):
            return column
        encoded = dictionary(column)
        if len(encoded.dictionary) <= min(DICTIONARY, max(len(encoded) // 2, 1)):
            codes[name] = narrow(encoded)
        return encoded

    describe(staged.columns, cells, tick, staged.declared)
    for column in staged.columns:
        column.flags = list(dict.fromkeys([*staged.flags.get(column.id, []), *column.flags]))
    shrunk = {c.id: Shrunk(codes[c.id].type, codes[c.id]) if c.id in codes else shrink(c, source.array(c.id))
              for c in staged.columns}  # fmt: skip
    part = job.work / "table"
    part.mkdir()
    job.tick(0.86, "写入")

    def written(share: float) -> None:
        source.release()
        job.tick(0.86 + 0.12 * share, "写入")

    digests = write_data(source, shrunk, part, written)
    meta = Meta(data=None, rows=source.rows, columns=staged.columns, sets=staged.sets or UNSET, sha256=digests)
    meta.report = ImportReport(
        kind=kind,
        settings=staged.settings,
        columns=[_noted(column, staged.notes.get(column.id)) for column in staged.columns],
        check=staged.check,
        warnings=[*staged.warnings, *_empty(staged.columns, source.rows)],
        seconds=round(time.perf_counter() - started, 3),
    )
    publish(meta, part, target)
    return meta


def _empty(columns: list[Column], rows: int) -> list[Warn]:
    """Columns without any cell: they look like numbers, as in SPSS, and nothing can be calculated with them."""
    names = [column.name for column in columns if rows and _is_void(column)]
    if not names:
        return []
    text = (
        f"{len(names)} 列没有任何值（如“{names[0]}”），没有内容可以判断类型，暂按定量变量读入；"
        "分析时用不上，可以隐藏，或在“变量”中改类型。"
    )
    return [Warn(code="columns.empty", text=text, facts={"names": names[:50], "count": len(names)})]


def _is_void(column: Column) -> bool:
    return column.measure == "定量" and column.profile.n == 0 and not column.missing and not column.levels


def _kind(column: Column) -> str:
    """The word that every list of variables has for it."""
    if "标识" in column.flags:
        return "标识"
    if "量表" in column.flags:
        return "量表题"
    return "定序" if column.ordered and column.measure == "定类" else column.measure


def _noted(column: Column, note: ColumnReport | None) -> ColumnReport:
    """The column's line of the import report, with what only the profile knows."""
    note = note or ColumnReport(id=column.id, name=column.name, type="", why="")
    note.type = _kind(column)
    note.why = column.why
    note.missing = column.profile.missing
    return note


def publish(meta: Meta, part: Path, target: Path) -> None:
    """Writes meta.json, flushes everything to disk and renames the folder into place."""
    (part / "meta.json").write_bytes(meta.to_json())
    for path in part.iterdir():
        folder.sync(path)
    folder.sync(part)
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        shutil.rmtree(target)
    os.rename(part, target)
    folder.sync(target.parent)
