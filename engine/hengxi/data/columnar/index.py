"""The index of a data frame that its writer kept as a column without a name."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from hengxi.data.meta import Warn

_LEVEL = re.compile(r"__index_level_\d+__")


def index_places(schema: pa.Schema) -> list[int]:
    return [i for i, name in enumerate(schema.names) if _LEVEL.fullmatch(name)]


def index_names(schema: pa.Schema) -> dict[int, str]:
    """What the columns of an index are called, by their place; numbered where there are several."""
    places = index_places(schema)
    taken = set(schema.names)
    names = ["索引"] if len(places) == 1 else [f"索引{i + 1}" for i in range(len(places))]
    return {place: name if name not in taken else f"{name}（行）" for place, name in zip(places, names, strict=True)}


def is_counting(columns: Iterator[pa.Array]) -> bool:
    """Whether the cells are 0, 1, 2 and so on: numbers of rows, as a frame has them by itself."""
    rows = 0
    for column in columns:
        if not pa.types.is_integer(column.type) or column.null_count:
            return False
        if not np.array_equal(column.to_numpy(), np.arange(rows, rows + len(column))):
            return False
        rows += len(column)
    return rows > 0


def index_warnings(index_columns: list[str], dropped: bool) -> list[Warn]:
    """What was done with it, for the import report."""
    warnings = []
    if dropped:
        text = "文件里存有数据框的行号（从 0 起依次加 1），不是数据，没有读入。"
        warnings.append(Warn(code="columnar.row_numbers", text=text))
    if index_columns:
        text = f"数据框的索引没有名称，读入为“{'”“'.join(index_columns)}”。"
        warnings.append(Warn(code="columnar.index", text=text, facts={"names": index_columns}))
    return warnings
