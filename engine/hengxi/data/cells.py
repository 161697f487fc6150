"""Cells typed over by hand: a new version with the old and new value of each, judged by the column's type."""

from __future__ import annotations

import math
from datetime import date, datetime
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from hengxi.data import carrying, cases, store
from hengxi.data.arrays import RAW, decoded, one_chunk, wire_value
from hengxi.data.clock import is_clock, word
from hengxi.data.derive import write
from hengxi.data.describe import describe_one, storage_of
from hengxi.data.levels import is_missing
from hengxi.data.meta import Column, Meta
from hengxi.data.refusal import DataRefusal
from hengxi.data.special import letters_of, special_code
from hengxi.data.table import Rows, Table

MOST_CELLS = 10_000
LONGEST = 32_767
_YES = {"true", "1", "是", "yes"}
_NO = {"false", "0", "否", "no"}
_WIDTHS = str.maketrans("０１２３４５６７８９．－＋，", "0123456789.-+,")


def edit_cells(key: str, body: dict[str, Any]) -> dict[str, Any]:
    """`{table: newKey, cells: [{row, column, value}], of?, theirs?}` → meta of the new version and its `changes`.

    `changes` are [{row, column, old, new, case}], without cells that stay the same. `row` counts from 0 as the
    `index` of a page does. A cell with a `case` is written where that case stands now, `left_out` where it is gone;
    one without is written only over `old`, if that is told: in other data the row may be another case.
    `of`: the table whose rows are meant (see `carrying`); `theirs` leaves cells that were changed since.
    DataRefusal `cells.*`, `column.gone`.
    """
    table = Table.open(key)
    wanted = list(body.get("cells") or [])
    left_out = 0
    if body.get("of"):
        carried = carrying.carry(table, Table.open(body["of"]), wanted)
        wanted = [cell for cell in carried.cells if not (body.get("theirs") and carrying.is_theirs(cell))]
        left_out = carried.gone
    elif any("case" in cell for cell in wanted):
        wanted, left_out = _placed(table, wanted)
    derived, changes = changed(table, wanted) if wanted or not (left_out or body.get("of")) else (_as_is(table), [])
    meta = write(derived, store.table_path(body["table"]))
    own = table.source.has(cases.CASES)
    return {**meta.wire(), "changes": changes, "left_out": left_out, "own_cases": own}


def _as_is(table: Table) -> Table:
    meta = msgspec.convert(table.meta.wire(), Meta)
    meta.data, meta.sha256 = None, {}
    return table.with_meta(meta)


def _placed(table: Table, wanted: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], int]:
    """The cells with the rows where their cases stand now, and how many stand nowhere."""
    known = [cell for cell in wanted if "case" in cell]
    rows = cases.rows_of(table, [(int(cell["case"][0]), int(cell["case"][1])) for cell in known])
    placed = [
        {"row": row, "column": cell["column"], "value": cell.get("value")}
        for cell, row in zip(known, rows, strict=True)
        if row is not None
    ]
    return [*(cell for cell in wanted if "case" not in cell), *placed], rows.count(None)


def changed(table: Table, cells: list[dict[str, Any]]) -> tuple[Table, list[dict[str, Any]]]:
    """The new version in memory; of two values for one cell the later counts."""
    if not cells:
        raise DataRefusal("cells.count", "没有要修改的单元格。", {"count": 0})
    if len(cells) > MOST_CELLS:
        text = f"一次最多修改 {MOST_CELLS:,} 个单元格，现有 {len(cells):,} 个；整列的改动请用数据编码或生成变量。"
        raise DataRefusal("cells.count", text, {"count": len(cells), "most": MOST_CELLS})
    wanted: dict[str, dict[int, Any]] = {}
    for cell in cells:
        column = table.column(str(cell.get("column")))
        row = _row(cell.get("row"), table.rows)
        if "old" in cell:
            _demand_old(table, column, row, cell["old"])
        wanted.setdefault(column.id, {})[row] = read(cell.get("value"), column, row)
    meta = msgspec.convert(table.meta.wire(), Meta)
    meta.data, meta.sha256 = None, {}
    arrays = {name: table.source.array(name) for name in table.source.names}
    changes: list[dict[str, Any]] = []
    for column in meta.columns:
        if column.id in wanted:
            changes += _put(table, column, wanted[column.id], arrays)
    changes.sort(key=lambda one: one["row"])
    for change, case in zip(changes, cases.cases_at(table, [one["row"] for one in changes]), strict=True):
        change["case"] = list(case)
    return Table.in_memory(meta, pa.table(arrays)), changes


def _row(row: Any, rows: int) -> int:
    if isinstance(row, bool) or not isinstance(row, int) or not 0 <= row < rows:
        shown = f"{row + 1:,}" if isinstance(row, int) else row
        raise DataRefusal("cells.row", f"没有第 {shown} 行，数据共 {rows:,} 行。", {"row": row, "rows": rows})
    return row


def _demand_old(table: Table, column: Column, row: int, old: Any) -> None:
    now = wire_value(table.shown(column.id, np.array([row], dtype=np.int64))[0])
    if now == old:
        return
    text = (
        f"第 {row + 1:,} 行“{column.label or column.name}”现在是 {_told(now, column)}，"
        f"当时改的是 {_told(old, column)}，可能是另一个个案；请先停用或删除这一步。"
    )
    raise DataRefusal("cells.other", text, {"row": row, "now": now, "old": old})


def _told(value: Any, column: Column) -> str:
    if value is None:
        return "缺失"
    if is_clock(column) and isinstance(value, (int, float)) and not is_missing(value, column.missing):
        return word(value)
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _put(table: Table, column: Column, wanted: dict[int, Any], arrays: dict[str, Any]) -> list[dict[str, Any]]:
    rows = np.array(sorted(wanted), dtype=np.int64)
    letters = letters_of(column)
    old = [wire_value(value) for value in table.shown(column.id, rows)]
    new = [wanted[int(row)] for row in rows]
    shown = [letters.get(value) or wire_value(value) for value in new]
    changes = [
        {"row": int(row), "column": column.id, "old": a, "new": b}
        for row, a, b in zip(rows, old, shown, strict=True)
        if a != b
    ]
    if not changes:
        return []
    overwrite(table, column, rows, new, arrays)
    return changes


def overwrite(table: Table, column: Column, rows: Rows, new: list[Any], arrays: dict[str, Any]) -> None:
    """Some cells of a column replaced by values that `read` gave; the column is described anew."""
    physical = decoded(one_chunk(table.source.array(column.id)))
    array = _mended(physical, rows, new)
    arrays[column.id] = pa.chunked_array([array])
    if column.id + RAW in arrays:
        # The text behind a reading is that of the old cell.
        raw = one_chunk(arrays[column.id + RAW])
        gone = np.zeros(len(raw), dtype=np.bool_)
        gone[rows] = True
        arrays[column.id + RAW] = pa.chunked_array([pa.compute.if_else(pa.array(gone), pa.scalar(None, raw.type), raw)])
    if column.stored != "text" and column.storage != "text":
        column.storage = storage_of(array.type)  # type: ignore[assignment]
    describe_one(column, arrays[column.id], declared=True)


def _mended(physical: pa.Array, rows: Any, new: list[Any]) -> pa.Array:
    """The array with some cells replaced; whole numbers become decimals where a decimal is put in."""
    kind = physical.type
    if pa.types.is_integer(kind) and any(isinstance(value, float) for value in new):
        kind = pa.float64()
    elif pa.types.is_integer(kind):
        kind = pa.int64()
    elif pa.types.is_date(kind) and any(isinstance(value, datetime) for value in new):
        kind = pa.timestamp("us")
    physical = physical.cast(kind) if kind != physical.type else physical
    mask = np.zeros(len(physical), dtype=np.bool_)
    mask[rows] = True
    if pa.types.is_floating(kind):
        new = [None if value is None else float(value) for value in new]
    return pa.compute.replace_with_mask(physical, pa.array(mask), pa.array(new, type=kind))


# ---- one value -----------------------------------------------------------------------------------------------------
def read(value: Any, column: Column, row: int) -> Any:
    """The value as it is stored, or a refusal that says the cell."""
    if value is None or value == "":
        return None
    if column.stored == "text":
        if column.storage != "text":  # text in the file that is read as numbers or dates
            (_moment if "date" in column.storage else _number)(value, column, row)
        return _text(value, column, row)
    if column.storage == "bool":
        return _flag(value, column, row)
    if "date" in column.storage:
        return _moment(value, column, row)
    return _number(value, column, row)


def _fault(code: str, column: Column, row: int, text: str) -> DataRefusal:
    return DataRefusal(code, f"第 {row + 1:,} 行“{column.name}”{text}", {"row": row, "column": column.id})


def _text(value: Any, column: Column, row: int) -> str:
    text = value if isinstance(value, str) else wire_text(value)
    if len(text) > LONGEST:
        raise _fault("cells.text", column, row, f"最多 {LONGEST:,} 个字，现有 {len(text):,} 个。")
    if "\x00" in text:
        raise _fault("cells.text", column, row, "含有不能保存的字符（NUL）。")
    return text


def wire_text(value: Any) -> str:
    """A number typed into a text column."""
    from hengxi.data.arrays import number_text

    if isinstance(value, bool):
        return "是" if value else "否"
    return number_text(float(value)) or ""


def _number(value: Any, column: Column, row: int) -> int | float:
    number: float | int | None = None
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = value
    elif isinstance(value, str):
        word = value.translate(_WIDTHS).strip()
        letters = {letter.lower() for letter in letters_of(column).values()}
        try:
            number = special_code(word[1:]) if word.lower() in letters else float(word)
        except ValueError:
            number = None
    if number is None or not math.isfinite(number):
        shown = value if len(str(value)) <= 40 else f"{str(value)[:40]}…"
        raise _fault("cells.number", column, row, f"应填数字，“{shown}”不是数字；要填文字请先把变量改为文本。")
    return int(number) if number == int(number) and abs(number) < 2**53 else float(number)


def _flag(value: Any, column: Column, row: int) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in _YES or word in _NO:
        return word in _YES
    raise _fault("cells.bool", column, row, f"应填 是 或 否，不能填“{value}”。")


def _moment(value: Any, column: Column, row: int) -> date | datetime:
    word = str(value).strip().replace("/", "-").replace("T", " ")
    try:
        parsed = datetime.fromisoformat(word)
    except ValueError:
        text = f"应填日期，如 2024-01-31，“{value}”不是日期。"
        raise _fault("cells.date", column, row, text) from None
    if parsed.tzinfo is not None:
        parsed = parsed.replace(tzinfo=None)
    plain = len(word) <= 10
    return parsed.date() if plain and column.storage == "date" else parsed
