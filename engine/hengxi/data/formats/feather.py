"""Feather (version 2) and Arrow files. Offsets inside a file are not believed: each batch is validated whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from hengxi.data.columnar import reading
from hengxi.data.formats import Job, Staged

KIND = "feather"
TITLE = "Feather/Arrow 文件"
ENDINGS = ("feather", "arrow")
PRIORITY = 17
MAX_BATCHES = 1_000_000


def recognises(head: bytes, name: str) -> bool:
    return head.startswith(b"ARROW1\0\0")


class _File:
    """Record batches in turn, cut into pieces."""

    def __init__(self, job: Job) -> None:
        try:
            self._file = pa.ipc.open_file(pa.OSFile(str(job.path)))
            self.schema: pa.Schema = self._file.schema
            self._count = self._file.num_record_batches
            reading.check_names(self.schema)
        except reading.FAULTS as error:
            raise reading.damaged(job.name) from error
        if self._count > MAX_BATCHES:
            raise reading.damaged(job.name)
        self.rows: int | None = None
        reading.check_size(job.name, 0, len(self.schema))

    def read(self, places: list[int], size: int) -> Iterator[pa.RecordBatch]:
        for i in range(self._count):
            batch = self._file.get_batch(i)
            if batch.num_rows > reading.MAX_ROWS:
                raise pa.ArrowInvalid("more rows than a table may have")
            picked = [batch.column(place) for place in places]
            for start in range(0, batch.num_rows, size):
                yield pa.RecordBatch.from_arrays(
                    [array.slice(start, size) for array in picked], names=[str(place) for place in places]
                )


def preview(job: Job) -> dict[str, Any]:
    return reading.preview(job, KIND, _File(job))


def stage(job: Job) -> Staged:
    return reading.stage(job, _File(job))
