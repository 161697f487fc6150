"""`preview`: the first rows of a file and how it was understood, before it is imported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hengxi.data.formats import CompanionFile, Job, check_companion, ending_note, format_of
from hengxi.data.refusal import DataRefusal


def preview(
    upload_path: Path,
    name: str,
    settings: dict[str, Any] | None = None,
    partial: bool = False,
    password: str | None = None,
    catalogue: CompanionFile | None = None,
) -> dict[str, Any]:
    """`{kind, settings, candidates, columns: [{name, measure, why}], rows (≤ 50), total_rows | None}`.

    `partial`: the file is still being received (text formats only). DataRefusal as for the import.
    """
    if not upload_path.is_file():
        raise DataRefusal("upload.gone", "上传的文件已不在，请重新上传。", {"name": name})
    job = Job(upload_path, name, settings or {}, password=password, partial=partial, catalogue=catalogue)
    module = format_of(upload_path, name)
    check_companion(job, module)
    if partial and module.KIND != "csv":
        raise DataRefusal("preview.later", "这种文件要上传完成后才能预览。", {"kind": module.KIND})
    seen = module.preview(job)
    notes = [note.text for note in ending_note(module, name)]
    return {**seen, "notes": [*notes, *seen.get("notes", [])]} if notes else seen
