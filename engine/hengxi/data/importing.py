"""`import_table`: an uploaded file becomes a table folder, or a refusal, or questions."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from polars.exceptions import PolarsError

from hengxi.data import store
from hengxi.data.arrays import ArrowFile
from hengxi.data.clock_texts import take_clocks
from hengxi.data.delimited.spaced_quotes import quote_warnings
from hengxi.data.finish import finish
from hengxi.data.formats import Asking, CompanionFile, Job, Progress, check_companion, ending_note, format_of
from hengxi.data.questionnaire.enrich import PLAIN, enrich
from hengxi.data.refusal import DataRefusal
from hengxi.data.scientific import scientific_warnings
from hengxi.data.totals import total_row_warnings


def _silent(done: float, of: float, text: str) -> bool:
    return True


def import_table(
    upload_path: Path,
    name: str,
    settings: dict[str, Any] | None = None,
    answers: dict[str, str] | None = None,
    on_doubt: str = "ask",
    password: str | None = None,
    target_dir: Path = Path(),
    progress: Progress = _silent,
    catalogue: CompanionFile | None = None,
) -> dict[str, Any]:
    """Reads a file into the table folder `target_dir` (which appears whole or not at all).

    `settings` as `preview` shows them; `answers` {question id: choice key}; `on_doubt` "ask" | "text".
    `progress(done, of, text)` is called often; answering False cancels. `catalogue`: value labels of a SAS data set.

    Returns `{"state": "done", "table", "rows", "columns", "report", "sha256", "sets"}`
    or `{"state": "asking", "questions": […]}`.
    Raises DataRefusal (the file cannot be read as it is; nothing is left behind) and Cancelled.
    """
    started = time.perf_counter()
    if not upload_path.is_file():
        raise DataRefusal("upload.gone", "上传的文件已不在，请重新上传。", {"name": name})
    try:
        with store.work_folder(target_dir.parent) as work:
            job = Job(upload_path, name, settings or {}, answers or {}, on_doubt, password, work, progress)
            job.catalogue = catalogue
            job.tick(0, "识别文件")
            module = format_of(upload_path, name)
            check_companion(job, module)
            staged = module.stage(job)
            staged.warnings = [*ending_note(module, name), *staged.warnings]
            if module.KIND in PLAIN:
                source = ArrowFile(staged.arrow)
                for warnings_of in (total_row_warnings, scientific_warnings, quote_warnings):
                    staged.warnings += warnings_of(staged.columns, source)
            enrich(staged, job, module.KIND)
            take_clocks(staged, job, module.KIND)
            meta = finish(staged, job, module.KIND, target_dir, started)
    except Asking as asking:
        return {"state": "asking", "questions": asking.questions}
    except (OSError, PolarsError) as error:
        if store.is_full(error):
            text = "磁盘空间不足，导入已停止，原文件未受影响。请清理空间后重试。"
            raise DataRefusal("disk.full", text, {}) from error
        raise
    job.tick(1, "完成")
    wire = meta.wire()
    return {
        "state": "done",
        "table": target_dir.name,
        "rows": meta.rows,
        "columns": wire["columns"],
        "report": wire["import"],
        "sha256": meta.sha256,
        "sets": wire.get("sets", []),
    }
