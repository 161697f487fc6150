"""A stored table, read column by column.

    table = Table.open("t_…")
    y = table.numeric("c3")                      # float64, NaN where missing or a user-missing code
    codes, levels = table.codes("c1")            # int32, −1 where missing; levels in their order

Everything is addressed by column id. Arrays may be views of the file: treat them as read-only. Conditions are evaluated
by `evaluate.rows_where`, pages of rows are made by `pages.page`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from hengxi.contract.few_values import FewValues, coded, few_values
from hengxi.contract.missing_tokens import MISSING_TOKENS
from hengxi.data import store, values
from hengxi.data.arrays import (
    RAW,
    ArrowFile,
    Bools,
    Floats,
    Ints,
    MemorySource,
    Objects,
    Source,
    as_bools,
    as_objects,
    as_strings,
    cells_of,
    one_chunk,
    picked,
)
from hengxi.data.meta import Column, Level, Meta, Missing
from hengxi.data.refusal import DataRefusal
from hengxi.data.special import letters_of

Rows = npt.NDArray[np.int64]


@lru_cache(64)
def _meta(path: Path, changed: int, size: int) -> Meta:
    """Parsed metadata; thousands of columns take a while to read, and a version never changes."""
    return Meta.from_json(path.read_bytes())


class Table:
    """One immutable version of a table: typed metadata and lazily read columns."""

    def __init__(self, meta: Meta, source: Source, folder: Path | None = None) -> None:
        self.meta = meta
        self.rows = meta.rows
        self.folder = folder
        self.source = source
        self._by_id = meta.by_id()
        self._numeric: dict[str, Floats] = {}
        self._few: dict[str, FewValues | None] = {}
        self._codes: dict[str, tuple[Ints, list[Level]]] = {}

    # -- opening ---------------------------------------------------------------------------------------------------

    @classmethod
    def open(cls, key: str) -> Table:
        """The table with this key. DataRefusal `table.gone` if there is none, `table.damaged` if its bytes changed."""
        from hengxi.data import folder

        path = store.table_path(key)
        try:
            state = (path / "meta.json").stat()
        except FileNotFoundError as error:
            text = "这份数据已被删除或尚未导入完成。"
            raise DataRefusal("table.gone", text, {"table": key}) from error
        meta = _meta(path / "meta.json", state.st_mtime_ns, state.st_size)
        base = store.table_path(meta.data) if meta.data else path
        return cls(meta, ArrowFile(folder.arrow_file(base), meta.rows), path)

    @classmethod
    def at(cls, path: Path) -> Table:
        """A table folder anywhere on disk (used without a server, see `files.open_file`)."""
        from hengxi.data import folder

        meta = Meta.from_json((path / "meta.json").read_bytes())
        return cls(meta, ArrowFile(folder.arrow_file(path), meta.rows), path)

    @classmethod
    def in_memory(cls, meta: Meta, data: pa.Table) -> Table:
        return cls(meta, MemorySource(data))

    def with_meta(self, meta: Meta) -> Table:
        """The same cells under other metadata."""
        return Table(meta, self.source, self.folder)

    # -- columns ---------------------------------------------------------------------------------------------------

    def column(self, column_id: str) -> Column:
        """Metadata of one column; DataRefusal `column.gone` if the table has none of this id."""
        found = self._by_id.get(column_id)
        if found is None:
            raise DataRefusal("column.gone", "所选变量在这份数据中不存在，请重新选择。", {"column": column_id})
        return found

    def array(self, column_id: str) -> pa.Array:
        """The physical Arrow array (dictionary-encoded for text with few values), user-missing codes included."""
        self.column(column_id)
        return one_chunk(self.source.array(column_id))

    def numeric(self, column_id: str) -> Floats:
        """float64 of length `rows`, NaN for missing and user-missing. Dates are days since 1970-01-01.

        Text is read as numbers where a cell is one (a column declared 定量 by hand keeps its text in the file).
        """
        if column_id not in self._numeric:
            self._numeric[column_id] = self._read_numeric(self.column(column_id))
        return self._numeric[column_id]

    def few(self, column_id: str) -> FewValues | None:
        """A column of a few whole numbers as small codes, read without a copy of its cells; None for any other."""
        if column_id not in self._few:
            column = self.column(column_id)
            self._few[column_id] = None if column.storage == "text" else self._read_few(column)
        return self._few[column_id]

    def _read_few(self, column: Column) -> FewValues | None:
        least, most = column.profile.min, column.profile.max
        plain = column.storage in ("int", "float") and column.stored != "text" and not column.missing
        cells = cells_of(self.array(column.id)) if plain else None
        if cells is None or not isinstance(least, (int, float)) or not isinstance(most, (int, float)):
            return few_values(self.numeric(column.id))
        return coded(*cells, least, most) if column.profile.whole else None

    def entered(self, column_id: str) -> Floats:
        """As `numeric`, with the user-missing codes as the numbers they are."""
        plain = msgspec.structs.replace(self.column(column_id), missing=Missing())
        return values.numbers(self.source.array(column_id), plain)

    def _read_numeric(self, column: Column) -> Floats:
        found = values.numbers(self.source.array(column.id), column)
        found.flags.writeable = False
        return found

    def codes(self, column_id: str) -> tuple[Ints, list[Level]]:
        """(int32 codes with −1 for missing and user-missing, levels in their order). Level counts are of all rows.

        The order is that of the metadata; where it lists none (more than 200 values): numbers ascending, text by
        first appearance.
        """
        if column_id not in self._codes:
            self._codes[column_id] = self._read_codes(self.column(column_id))
        return self._codes[column_id]

    def _read_codes(self, column: Column) -> tuple[Ints, list[Level]]:
        from hengxi.data.levels import codes_of

        array = self.array(column.id)
        if column.storage in ("int", "float") and column.stored == "text":
            array = pa.array(self.numeric(column.id), from_pandas=True)
        codes, levels = codes_of(array, column)
        codes.flags.writeable = False
        return codes, levels

    def text(self, column_id: str) -> Objects:
        """Cells as str, None where missing or user-missing. Numbers as people write them; never value labels."""
        column = self.column(column_id)
        array = self.array(column_id)
        raw = self.raw(column_id)
        strings = as_strings(array)
        if raw is not None and column.measure == "文本":
            strings = pc.coalesce(raw.cast(strings.type), strings)
        out = as_objects(strings)
        if column.missing:
            out[self.missing(column_id)] = None
        return out

    def raw(self, column_id: str) -> pa.Array | None:
        """The original text of cells whose reading lost something (NA, 1,234), null elsewhere; None if none did."""
        if not self.source.has(column_id + RAW):
            return None
        return as_strings(one_chunk(self.source.array(column_id + RAW)))

    def odd(self, column_id: str) -> Bools | None:
        """True where the text of the file says more than the cell: 1,234 read as a number, a word among numbers.

        None if there is no such cell. Words that stand for nothing (NA, –) are not among them.
        """
        texts = self._originals(column_id)
        if texts is None:
            return None
        tokens = pc.is_in(pc.utf8_trim_whitespace(texts), value_set=pa.array(MISSING_TOKENS, texts.type))
        odd: Bools = pc.and_(texts.is_valid(), pc.invert(tokens)).to_numpy(zero_copy_only=False)
        return odd

    def odd_texts(self, column_id: str, rows: Rows) -> list[tuple[int, str]]:
        """(place in `rows`, text in the file) of the odd cells among some rows."""
        texts = self._originals(column_id, rows)
        if texts is None:
            return []
        cells = enumerate(texts.to_pylist())
        return [(at, text) for at, text in cells if text is not None and text.strip() not in MISSING_TOKENS]

    def _originals(self, column_id: str, rows: Rows | None = None) -> pa.Array | None:
        """The text of the file where the cell shown does not say it all, null elsewhere; of some rows or of all."""
        column = self.column(column_id)
        place = np.arange(self.rows) if rows is None else np.asarray(rows)
        if column.storage != "text" and column.stored == "text":  # declared a number or a date by hand
            lost = np.isnan(self.numeric(column_id)[place])
            if not lost.any():
                return None
            texts = pa.array(picked(self.source.array(column_id), place), pa.large_string())
            return pc.if_else(pa.array(lost), texts, pa.scalar(None, texts.type))
        if not self.source.has(column_id + RAW):
            return None
        if rows is None:
            return self.raw(column_id)
        return pa.array(picked(self.source.array(column_id + RAW), place), pa.large_string())

    def missing(self, column_id: str) -> Bools:
        """True where the cell is empty, holds a user-missing code, or is no number in a column declared 定量."""
        column = self.column(column_id)
        if column.storage != "text":
            if column_id in self._numeric or column.missing or column.stored == "text":
                gone: Bools = np.isnan(self.numeric(column_id))
                return gone
            if (few := self.few(column_id)) is not None:
                return np.asarray(few.codes == 0)
            return as_bools(self.array(column_id).is_null(nan_is_null=True))
        encoded = values.dictionary(self.array(column_id))
        empty = as_bools(encoded.indices.is_null())
        coded = values.text_missing(encoded, column)
        return empty if coded is None else empty | coded

    def missing_cells(self) -> int:
        """How many cells of the table are missing. A profile of the very rows of the table has counted them already."""
        count = 0
        for column in self.meta.columns:
            profile = column.profile
            known = profile.n + profile.missing == self.rows
            count += profile.missing if known else int(self.missing(column.id).sum())
        return count

    def missing_kinds(self, column_id: str) -> tuple[Ints, list[Level]]:
        """(int32 codes, kinds): which user-missing code a cell holds, −1 where it is valid or empty.

        Kinds are the codes that occur, with their value labels (99 “拒答”), in the order of `key_of`.
        """
        from hengxi.data.levels import kinds_of

        column = self.column(column_id)
        if not column.missing:
            return np.broadcast_to(np.int32(-1), self.rows), []
        return kinds_of(values.dictionary(self.array(column_id)), column)

    # -- rows ------------------------------------------------------------------------------------------------------

    def cells(self, column_id: str, rows: Rows) -> list[Any]:
        """Python values of some rows as the grid shows them: user-missing codes stay visible."""
        column = self.column(column_id)
        if column.storage != "text" and column.stored == "text":
            found = self.numeric(column_id)[rows]
            return (
                _moments(found, column) if column.measure == "时间" else [None if v != v else v for v in found.tolist()]
            )
        return picked(self.source.array(column_id), np.asarray(rows))

    def shown(self, column_id: str, rows: Rows) -> list[Any]:
        """The same with special missing values by their letter: `.a`, never the number that stands for it."""
        letters = letters_of(self.column(column_id))
        found = self.cells(column_id, rows)
        return [letters.get(value, value) for value in found] if letters else found


def _moments(days: Floats, column: Column) -> list[Any]:
    """Days since 1970 as dates, or as moments where the column has times of day; None for NaN."""
    gone = np.isnan(days)
    stamps = np.round(np.where(gone, 0, days) * 86_400_000_000).astype("datetime64[us]")
    kind = "datetime64[D]" if column.storage == "date" else "datetime64[us]"
    return [None if lost else cell for lost, cell in zip(gone.tolist(), stamps.astype(kind).tolist(), strict=True)]
