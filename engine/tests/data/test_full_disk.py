"""The disk is full in the middle: it is said, nothing half-written stays, what was there is still read."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import pytest
from starlette.requests import Request

from hengxi.data import append, cells, copying, edits, folder, pages, store
from hengxi.data.exporting.run import export_table
from hengxi.data.pages import page
from hengxi.data.refusal import DataRefusal
from hengxi.data.table import Table
from hengxi.http import app
from hengxi.jobs import worker
from tests.data.conftest import Import, leftovers

TEXT = "x,g\n" + "".join(f"{(i * 7919) % 1000},{'甲乙丙'[i % 3]}\n" for i in range(1000))
NEW = f"t_{'f' * 32}"


def full(*_: Any, **__: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


ACTS: dict[str, Callable[[str], Any]] = {
    "edit": lambda key: edits.edit(key, {"table": NEW, "columns": [{"id": "c1", "label": "新"}]}),
    "cells": lambda key: cells.edit_cells(key, {"table": NEW, "cells": [{"row": 0, "column": "c1", "value": 5}]}),
    "copy": lambda key: copying.copy(key, {"table": NEW}),
    "append": lambda key: append.append(key, {"table": NEW, "from": key, "columns": ["c1"]}),
}


@pytest.mark.parametrize("act", list(ACTS))
def test_a_version_that_cannot_be_written_leaves_nothing(
    read: Import, home: Path, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    """The last thing before the new version gets its name fails: everything was written by then."""
    key = read(TEXT)["key"]
    with monkeypatch.context() as patch:
        patch.setattr(folder, "sync", full)
        with pytest.raises(OSError, match="No space left"):
            ACTS[act](key)
    assert leftovers(home) == [key]
    assert pages.rows(key, {"limit": 1})["total"] == 1000
    ACTS[act](key)  # there is space again
    assert leftovers(home) == [key, NEW]


def test_an_export_that_cannot_be_written_leaves_nothing(
    read: Import, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = read(TEXT)["key"]
    monkeypatch.setattr("hengxi.data.exporting.run.folder.sync", full)
    payload = {"table": key, "name": "数据", "format": "csv", "options": {}, "file": f"f_{'0' * 32}"}
    with pytest.raises(DataRefusal) as caught:
        export_table(payload, lambda *_: True)
    assert caught.value.code == "disk.full" and "导出已停止" in caught.value.text
    assert list((home / "files").iterdir()) == []


def test_sorting_goes_on_without_its_kept_order(read: Import, monkeypatch: pytest.MonkeyPatch) -> None:
    """numpy says it in words of its own, and leaves a part of the file."""

    def short(file: Any, order: Any) -> None:
        file.write(b"a part")
        raise OSError("4000 requested and 120 written")

    monkeypatch.setattr(pages, "KEEP_FROM", 10)
    answer = read(TEXT)
    table: Table = answer["table"]
    with monkeypatch.context() as patch:
        patch.setattr(np, "save", short)
        first = page(table, 0, 5, ["c1"], [{"column": "c1"}])
    assert [row[0] for row in first["rows"]] == [0, 1, 2, 3, 4]
    assert not [path for path in store.table_path(answer["key"]).iterdir() if "order" in path.name]


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EDQUOT, "Disk quota exceeded"),
        OSError("4000 requested and 120 written"),
        pa.ArrowException("[Errno 28] Error writing bytes to file. Detail: [errno 28] No space left on device"),
    ],
)
def test_it_is_told_by_a_run_and_by_a_call(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def task(payload: Any, progress: Any) -> dict[str, Any]:
        try:
            raise error
        except Exception as inner:
            raise RuntimeError("writing the table failed") from inner

    monkeypatch.setitem(worker.TASKS, "full", task)
    end = orjson.loads(worker._run(None, {"kind": "full", "payload": {}, "run_id": 1}))  # type: ignore[arg-type]
    assert end["end"] == "refused" and end["refusal"]["fields"][0]["code"] == "disk.full"
    assert "空间不足" in end["refusal"]["fields"][0]["text"]
    request = Request({"type": "http", "path": "/tables/x/cells", "headers": [], "method": "POST"})
    answer = asyncio.run(app.refused(request, error))
    assert answer.status_code == 422 and orjson.loads(answer.body)["error"]["code"] == "disk.full"


def test_other_faults_stay_what_they_are() -> None:
    assert not store.is_full(OSError(errno.EACCES, "Permission denied")) and not store.is_full(ValueError("28"))
