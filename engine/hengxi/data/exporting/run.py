"""`export_table`: a stored table becomes a file for another program, whole or not at all."""

from __future__ import annotations

import os
import shutil
from types import ModuleType
from typing import Any

import msgspec

from hengxi.contract.progress import Progress, no_progress
from hengxi.data import folder, store
from hengxi.data.exporting import codebook, csv, dta, parquet, sav, xlsx
from hengxi.data.exporting.job import Job, Options
from hengxi.data.refusal import Cancelled, DataRefusal
from hengxi.data.sample import filter_mask
from hengxi.data.table import Table

FORMATS: dict[str, ModuleType] = {
    "csv": csv,
    "xlsx": xlsx,
    "sav": sav,
    "dta": dta,
    "parquet": parquet,
    "codebook": codebook,
}

ROOM = 2**20
"""With fewer bytes left on the disk, a failed write is a full disk."""


def export_table(payload: dict[str, Any], progress: Progress = no_progress) -> dict[str, Any]:
    """`{table, name, format, options, filter?, file}` → `{file, name, bytes, rows, notes: [{code, text, facts}]}`.

    `name` without extension; `filter` as in `sample.filter_mask`. DataRefusal `export.*`, `formula.*`, `disk.full`.
    """
    target = store.file_path(payload["file"])
    module = FORMATS.get(payload["format"])
    if module is None:
        raise DataRefusal("export.format", f"不能导出为 {payload['format']}。", {"format": payload["format"]})
    table = Table.open(payload["table"])
    keep = filter_mask(table, payload["filter"]) if payload.get("filter") else None
    try:
        with store.work_folder(target.parent) as work:
            options = _options(payload.get("options"))
            job = Job(table, payload["name"], work / "file", work, options, progress, keep)
            job.tick(0, "读取")
            module.write(job)
            folder.sync(job.path)
            os.chmod(job.path, 0o600)
            os.rename(job.path, target)
        folder.sync(target.parent)
    except (DataRefusal, Cancelled):
        raise
    except Exception as error:
        # Writers wrap the system's answer, and the one for SPSS and Stata keeps nothing of it.
        if store.is_full(error) or shutil.disk_usage(target.parent).free < ROOM:
            raise DataRefusal("disk.full", "磁盘空间不足，导出已停止。请清理空间后重试。", {}) from error
        raise
    job.tick(1, "完成")
    return {
        "file": payload["file"],
        "name": payload["name"] + (module.extension(job) if module is codebook else module.EXTENSION),
        "bytes": target.stat().st_size,
        "rows": job.rows,
        "notes": msgspec.to_builtins(job.notes),
    }


def _options(given: Any) -> Options:
    try:
        return msgspec.convert(given or {}, Options)
    except msgspec.ValidationError as error:
        raise DataRefusal("export.options", "导出选项不正确，请刷新页面后再试。", {}) from error
