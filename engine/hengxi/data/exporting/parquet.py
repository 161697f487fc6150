"""Parquet under the user's names; what it has no place for (labels, missing codes, measures) is in its metadata."""

from __future__ import annotations

from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from hengxi.data.exporting.cells import TYPES, Cells, cells_of, labels_of, unread
from hengxi.data.exporting.job import Job

EXTENSION = ".parquet"
METADATA = b"hengxi"
"""Key of the file's metadata: JSON, a list with one object per column."""


def write(job: Job) -> None:
    columns = [cells_of(job, column) for column in job.table.meta.columns]
    unread(job, columns)
    known = [_known(cells) for cells in columns]
    fields = [
        pa.field(
            cells.column.name, TYPES[cells.kind], metadata={"label": cells.column.label} if cells.column.label else None
        )
        for cells in columns
    ]
    schema = pa.schema(fields, metadata={METADATA: msgspec.json.encode(known)})
    with pq.ParquetWriter(job.path, schema, compression="zstd", write_page_checksum=True) as out:
        for start, stop in job.spans():
            out.write_batch(pa.RecordBatch.from_arrays([cells.piece(start, stop) for cells in columns], schema=schema))
            job.tick(stop / job.table.rows, "写入")
    if any(labels_of(cells.column) or cells.column.missing for cells in columns):
        job.note("export.parquet", "取值标签和缺失码写在文件的元数据里，其他程序读到的是原值。")


def _known(cells: Cells) -> dict[str, Any]:
    column = cells.column
    return {
        "name": column.name,
        "label": column.label,
        "measure": column.measure,
        "ordered": column.ordered,
        "unit": column.unit,
        "labels": [{"value": value, "label": label} for value, label in labels_of(column).items()],
        "missing": msgspec.to_builtins(column.missing),
    }
