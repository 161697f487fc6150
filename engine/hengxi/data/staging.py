"""A staged Arrow file with other or more columns."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa


def with_arrays(arrow: Path, arrays: dict[str, pa.Array], target: Path) -> Path:
    """`arrays` in place of the columns of their names, or behind the others, written batch by batch."""
    with pa.memory_map(str(arrow)) as raw, pa.ipc.open_file(raw) as old:
        names = [*old.schema.names, *(name for name in arrays if name not in old.schema.names)]
        kinds = {field.name: field.type for field in old.schema} | {name: array.type for name, array in arrays.items()}
        schema = pa.schema([(name, kinds[name]) for name in names])
        with pa.OSFile(str(target), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
            row = 0
            for place in range(old.num_record_batches):
                batch = old.get_batch(place)
                cells = [
                    arrays[name].slice(row, batch.num_rows) if name in arrays else batch.column(name) for name in names
                ]
                writer.write_batch(pa.RecordBatch.from_arrays(cells, schema=schema))
                row += batch.num_rows
    return target
