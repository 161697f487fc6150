"""Parquet. A file of 4 MB may hold a billion rows and its footer may lie: rows are bounded and counted as they come."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from hengxi.data.columnar import reading
from hengxi.data.formats import Job, Staged
from hengxi.data.refusal import DataRefusal

KIND = "parquet"
TITLE = "Parquet 文件"
ENDINGS = ("parquet", "pq")
PRIORITY = 16
MAX_FOOTER = 64 << 20


def recognises(head: bytes, name: str) -> bool:
    return head.startswith((b"PAR1", b"PARE"))


class _File:
    """Row groups in turn, each in batches."""

    def __init__(self, job: Job) -> None:
        _check_footer(job.path, job.name)
        try:
            self._file = pq.ParquetFile(
                job.path,
                memory_map=False,
                pre_buffer=False,
                buffer_size=1 << 20,
                page_checksum_verification=True,
                thrift_string_size_limit=MAX_FOOTER,
                thrift_container_size_limit=4_000_000,
            )
            self.schema: pa.Schema = self._file.schema_arrow
            reading.check_names(self.schema)
            meta = self._file.metadata
            self.rows: int | None = meta.num_rows
            groups = [meta.row_group(i).num_rows for i in range(meta.num_row_groups)]
        except reading.FAULTS as error:
            raise reading.damaged(job.name) from error
        reading.check_size(job.name, max([self.rows or 0, sum(groups), *groups]), len(self.schema))
        if min([0, self.rows or 0, *groups]) < 0:
            raise reading.damaged(job.name)
        self._nested = len(self._file.schema) != len(self.schema)

    def read(self, places: list[int], size: int) -> Iterator[pa.RecordBatch]:
        names = [self.schema.field(i).name for i in places]
        if len(set(self.schema.names)) < len(self.schema.names) or (self._nested and any("." in n for n in names)):
            # Names do not tell the columns apart: all are read and the wanted ones taken by place.
            for batch in self._file.iter_batches(batch_size=size, use_threads=False):
                yield pa.RecordBatch.from_arrays([batch.column(i) for i in places], names=[str(i) for i in places])
            return
        for batch in self._file.iter_batches(batch_size=size, columns=names, use_threads=False):
            yield batch.select(names)


def _check_footer(path: Path, name: str) -> None:
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(size - 8, 0))
        tail = file.read(8)
    if tail[4:] == b"PARE":
        text = f"“{name}”经过加密，无法读取。请导出未加密的 parquet 后再上传。"
        raise DataRefusal("parquet.encryption", text, {"name": name})
    if size < 12 or tail[4:] != b"PAR1":
        raise reading.damaged(name)
    footer = struct.unpack("<I", tail[:4])[0]
    if footer > min(size, MAX_FOOTER):
        raise reading.damaged(name)


def preview(job: Job) -> dict[str, Any]:
    return reading.preview(job, KIND, _File(job))


def stage(job: Job) -> Staged:
    return reading.stage(job, _File(job))
