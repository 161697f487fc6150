"""Parquet under the user's names; what it has no place for (labels, missing codes, measures) is in its metadata."""

from __future__ import annotations

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import UnsetType

from hengxi.data import clock
from hengxi.data.columnar.known import METADATA, Known, KnownColumn, KnownSet, Label
from hengxi.data.exporting.cells import TYPES, Cells, cells_of, labels_of, unread
from hengxi.data.exporting.job import Job, listed
from hengxi.data.special import letters_of

EXTENSION = ".parquet"


def write(job: Job) -> None:
    columns = [cells_of(job, column) for column in job.table.meta.columns]
    unread(job, columns)
    known = _known(job, columns)
    fields = [
        pa.field(
            cells.column.name,
            pa.duration("us") if cells.is_clock else TYPES[cells.kind],
            metadata={"label": cells.column.label} if cells.column.label else None,
        )
        for cells in columns
    ]
    schema = pa.schema(fields, metadata={METADATA: msgspec.json.encode(known)})
    with pq.ParquetWriter(job.path, schema, compression="zstd", write_page_checksum=True) as out:
        for start, stop in job.spans():
            out.write_batch(
                pa.RecordBatch.from_arrays([_piece(cells, start, stop) for cells in columns], schema=schema)
            )
            job.tick(stop / job.table.rows, "写入")
    special = {cells.column.name: letters for cells in columns if (letters := letters_of(cells.column))}
    if special:
        code, letter = next(iter(next(iter(special.values())).items()))
        text = f"{listed(list(special))} 的特殊缺失值 parquet 没有，写成数（{letter} 写作 {code}）："
        text += "再导入时会读回，用其他程序时请先把这些数作缺失。"
        job.note("export.special", text, names=list(special))
    if any(labels_of(cells.column) or cells.column.missing for cells in columns):
        job.note("export.parquet", "取值标签和缺失码写在文件的元数据里：再导入时会读回，其他程序读到的是原值。")


def _piece(cells: Cells, start: int, stop: int) -> pa.Array:
    part = cells.piece(start, stop)
    return clock.durations(part) if cells.is_clock else part


def _known(job: Job, columns: list[Cells]) -> Known:
    """Everything a column of ours has beyond its cells, in the words `columnar.known` reads again."""
    sets = [] if isinstance(job.table.meta.sets, UnsetType) else job.table.meta.sets
    names = {cells.column.id: cells.column.name for cells in columns}
    return Known(
        columns=[
            KnownColumn(
                name=cells.column.name,
                label=cells.column.label,
                measure=cells.column.measure,
                ordered=cells.column.ordered,
                flags=cells.column.flags,
                unit=cells.column.unit,
                labels=[Label(value=value, label=label) for value, label in labels_of(cells.column).items()],
                missing=cells.column.missing,
            )
            for cells in columns
        ],
        sets=[
            KnownSet(
                name=one.name,
                label=one.label,
                columns=[names[column_id] for column_id in one.columns if column_id in names],
                counted=one.counted,
            )
            for one in sets
        ],
    )
