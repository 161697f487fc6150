"""Pages of rows: filter, sort, find, on a million rows under the hand.

An order is computed once (stable, missing last) and kept beside the table as `order-<id>-<a|d>.npy`, a cache that may
be deleted at any time.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from hengxi.data import clock, replacing, seeking
from hengxi.data.arrays import Bools, as_strings, decoded, wire_value
from hengxi.data.evaluate import rows_where
from hengxi.data.refusal import DataRefusal
from hengxi.data.sample import sample_mask
from hengxi.data.seeking import names_of
from hengxi.data.special import letters_of
from hengxi.data.table import Table
from hengxi.data.values import dictionary, indices

Places = npt.NDArray[np.int64]
MAX_PAGE = 500
KEEP_FROM = 20_000
"""Tables shorter than this are sorted again each time."""


def rows(key: str, body: dict[str, Any]) -> dict[str, Any]:
    """`{offset, limit, columns, sort, condition, find}` → `page`. A faulty condition is a DataRefusal `formula.*`.

    `sample` asks for the rows behind a report (`sample.sample_mask`) instead of those of a condition.
    """
    table = Table.open(key)
    if body.get("sample"):
        offset, limit = int(body.get("offset") or 0), int(body.get("limit", 100))
        return cells_of(table, offset, limit, body.get("columns"), None, sample_mask(table, body["sample"]))
    return page(
        table,
        int(body.get("offset") or 0),
        int(body.get("limit", 100)),
        body.get("columns"),
        body.get("sort"),
        body.get("condition"),
        body.get("find"),
    )


def count(key: str, body: dict[str, Any]) -> dict[str, int]:
    """`{condition}` → `{count, rows}`: how many rows it keeps, of how many."""
    table = Table.open(key)
    return {"count": int(np.count_nonzero(rows_where(table, body.get("condition")))), "rows": table.rows}


def page(
    table: Table,
    offset: int,
    limit: int,
    columns: list[str] | None = None,
    sort: list[dict[str, Any]] | None = None,
    condition: str | None = None,
    find: str | None = None,
) -> dict[str, Any]:
    """`{total, rows, index}`.

    `rows` are lists of cells in the order of `columns` (all, if None), user-missing codes and all, `.a` of Stata by its
    letter; `index` the row numbers in the table from 0; `total` how many rows remain after `condition` and `find` (a
    part of any cell's text or value label, case ignored; in all columns, because a wide table is asked for in parts).
    """
    every = [column.id for column in table.meta.columns]
    ids = every if columns is None else columns
    for column_id in ids:
        table.column(column_id)
    keep: Bools | None = rows_where(table, condition) if condition and condition.strip() else None
    if find and find.strip():
        hits = found(table, every, find.strip())
        keep = hits if keep is None else keep & hits
    return cells_of(table, offset, limit, ids, sort, keep)


def find(key: str, body: dict[str, Any]) -> dict[str, Any]:
    """`{text, sort, condition, row, back}` → `{total, before, row, columns}`: the next row of the view with the text.

    `seek` in place of `text` ({text, pattern, whole, case, labels, columns}): see `seeking.find`.
    `odd` in place of `text`: the next row with a cell that was read otherwise than it is written.

    `row` counts places in the view (sorted, filtered) from 0; the search starts at the asked one, goes on past the end
    at the beginning (`back`: the other way round), and gives None where no row holds the text. `before` tells how many
    rows in the view come before it, of `total` that hold it; `columns` in which columns it stands.

    `number` (of a row in the table, from 0): where it stands in the view that the text narrows too, None if left out.
    """
    table = Table.open(key)
    text, condition = str(body.get("text") or "").strip(), str(body.get("condition") or "").strip()
    if body.get("number") is not None:
        at = np.flatnonzero(view(table, body.get("sort") or [], condition, text) == int(body["number"]))
        return {"total": len(at), "before": 0, "row": int(at[0]) if len(at) else None, "columns": []}
    if body.get("seek"):
        hit = seeking.find(key, body, view(table, body.get("sort") or [], condition))
        return replacing.with_fresh(table, body, hit)
    odd = bool(body.get("odd"))
    if not text and not odd:
        return {"total": 0, "before": 0, "row": None, "columns": []}
    ids = [column.id for column in table.meta.columns]
    hits = _odd_rows(table, ids) if odd else found(table, ids, text)
    order = view(table, body.get("sort") or [], condition)
    places = np.flatnonzero(hits[order])
    if not len(places):
        return {"total": 0, "before": 0, "row": None, "columns": []}
    row = int(body.get("row") or 0)
    if body.get("back"):
        before = (int(np.searchsorted(places, row, side="right")) - 1) % len(places)
    else:
        before = int(np.searchsorted(places, row)) % len(places)
    number = np.array([order[places[before]]], dtype=np.int64)
    holds = [
        column_id
        for column_id in ids
        if (table.odd_texts(column_id, number) if odd else _holds(table, column_id, number, text))
    ]
    return {"total": len(places), "before": before, "row": int(places[before]), "columns": holds}


def _odd_rows(table: Table, ids: list[str]) -> Bools:
    hits = np.zeros(table.rows, dtype=np.bool_)
    for column_id in ids:
        odd = table.odd(column_id)
        if odd is not None:
            hits |= odd
    return hits


def _holds(table: Table, column_id: str, place: Places, text: str) -> bool:
    column = table.column(column_id)
    array = table.array(column_id).slice(int(place[0]), 1)
    value = wire_value(decoded(array)[0].as_py())
    own = [] if value in letters_of(column) else as_strings(array).to_pylist()
    words = [*own, names_of(column).get(value)]
    raw = table.raw(column_id)
    if raw is not None:
        words += raw.slice(int(place[0]), 1).to_pylist()
    return any(text.lower() in word.lower() for word in words if word is not None)


def cells_of(
    table: Table,
    offset: int,
    limit: int,
    columns: list[str] | None,
    sort: list[dict[str, Any]] | None,
    keep: Bools | None,
) -> dict[str, Any]:
    """One page of the rows kept; `odd` [[row of the page, column, text in the file]] where that says more."""
    if offset < 0 or not 0 <= limit <= MAX_PAGE:
        raise DataRefusal("page.limit", f"一次最多读取 {MAX_PAGE} 行。", {"offset": offset, "limit": limit})
    ids = [column.id for column in table.meta.columns] if columns is None else columns
    places, total = _places(table, offset, limit, sort or [], keep)
    cells = [_wired(table.shown(column_id, places)) for column_id in ids]
    rows = [list(row) for row in zip(*cells, strict=True)] if ids else [[] for _ in places]
    odd = [[at, column_id, text] for column_id in ids for at, text in table.odd_texts(column_id, places)]
    return {"total": total, "rows": rows, "index": places.tolist(), "odd": odd}


_READY = {int, str, bool, type(None)}


def _wired(cells: list[Any]) -> list[Any]:
    return cells if set(map(type, cells)) <= _READY else [wire_value(value) for value in cells]


def _places(
    table: Table, offset: int, limit: int, sort: list[dict[str, Any]], keep: Bools | None
) -> tuple[Places, int]:
    if not sort:
        if keep is None:
            return np.arange(offset, max(min(offset + limit, table.rows), offset), dtype=np.int64), table.rows
        chosen = np.flatnonzero(keep)
        return chosen[offset : offset + limit].astype(np.int64), len(chosen)
    order = sorted_places(table, [(str(item["column"]), bool(item.get("desc"))) for item in sort])
    if keep is not None:
        order = order[keep[order]]
    return np.asarray(order[offset : offset + limit], dtype=np.int64), len(order)


def view(
    table: Table, sort: list[dict[str, Any]], condition: str | None = None, text: str | None = None
) -> npt.NDArray[Any]:
    """Row numbers of the table in the order they are shown: sorted, without those that condition and text leave out."""
    keep: Bools | None = rows_where(table, condition) if condition and condition.strip() else None
    if text and text.strip():
        hits = found(table, [column.id for column in table.meta.columns], text.strip())
        keep = hits if keep is None else keep & hits
    keys = [(str(item["column"]), bool(item.get("desc"))) for item in sort]
    order = sorted_places(table, keys) if keys else np.arange(table.rows)
    return order if keep is None else order[keep[order]]


def sorted_places(table: Table, keys: list[tuple[str, bool]]) -> npt.NDArray[Any]:
    """Row numbers in order of the keys (first key first); equal rows keep their order, missing comes last."""
    if len(keys) == 1:
        return _kept_order(table, *keys[0])
    order = np.arange(table.rows)
    for column_id, desc in reversed(keys):
        order = order[stable_order(_ranks(table, column_id, desc)[order])]
    return order


def _kept_order(table: Table, column_id: str, desc: bool) -> npt.NDArray[Any]:
    table.column(column_id)
    if table.folder is None or table.rows < KEEP_FROM:
        return stable_order(_ranks(table, column_id, desc))
    path = table.folder / f"order-{column_id}-{'d' if desc else 'a'}.npy"
    if not path.exists():
        order = stable_order(_ranks(table, column_id, desc)).astype(np.int32 if table.rows < 2**31 else np.int64)
        try:
            _save(path, order)
        except OSError:
            return order  # it is kept for speed alone: a full disk is no reason not to show what is there
    kept: npt.NDArray[Any] = np.load(path, mmap_mode="r")
    return kept


def stable_order(ranks: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """As a stable argsort of numbers without NaN, in a third of its time.

    Short whole numbers are sorted by their digits. Others by numpy's quick order, which mixes equal ones; their places
    are then sorted within each run.
    """
    rows = len(ranks)
    if rows and ranks.dtype.kind == "i" and int(ranks.min()) >= -(2**15) and int(ranks.max()) < 2**15:
        return np.argsort(ranks.astype(np.int16), kind="stable")
    order = np.argsort(ranks)
    ordered = ranks[order]
    rises = ordered[1:] != ordered[:-1]
    if rises.all():
        return order
    runs = np.zeros(rows, dtype=np.int64)
    np.cumsum(rises, out=runs[1:])
    runs *= rows
    runs += order
    runs.sort()
    runs %= rows
    return runs


def _save(path: Path, order: npt.NDArray[Any]) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with part.open("wb") as file:
            np.save(file, order)
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)


def _ranks(table: Table, column_id: str, desc: bool) -> npt.NDArray[Any]:
    """Numbers that sort as the column does: levels by their order, other text by code point, missing last."""
    column = table.column(column_id)
    if column.storage != "text":
        values = table.numeric(column_id)
        return np.where(np.isnan(values), np.inf, -values if desc else values)
    if column.levels:
        codes, levels = table.codes(column_id)
        ranks = codes.astype(np.int64)
        return np.where(ranks < 0, len(levels), len(levels) - 1 - ranks if desc else ranks)
    encoded = dictionary(table.array(column_id))
    words = as_strings(encoded.dictionary)
    rank = np.empty(len(words) + 1, dtype=np.int64)
    rank[pc.array_sort_indices(words).to_numpy()] = np.arange(len(words))
    rank[:-1] = -rank[:-1] if desc else rank[:-1]
    rank[-1] = len(words) + 1
    order: npt.NDArray[Any] = rank[indices(encoded)]
    return order


def found(table: Table, ids: list[str], find: str) -> Bools:
    """Rows in which some cell, or its value label, contains the text."""
    hits = np.zeros(table.rows, dtype=np.bool_)
    for column_id in ids:
        hits |= _found_in(table, column_id, find)
        if hits.all():
            break
    return hits


def _found_in(table: Table, column_id: str, find: str) -> Bools:
    column = table.column(column_id)
    encoded = dictionary(table.array(column_id))
    words = clock.words(encoded.dictionary, column) if clock.is_clock(column) else as_strings(encoded.dictionary)
    match = pc.match_substring(words, find, ignore_case=True).fill_null(False).to_numpy(zero_copy_only=False)
    labels = names_of(column)
    if labels:
        values = [wire_value(value) for value in encoded.dictionary.to_pylist()]
        letters = letters_of(column)
        if letters:  # nobody sees the number behind `.a`
            match &= np.array([value not in letters for value in values], dtype=np.bool_)
        match |= np.array([find.lower() in labels.get(value, "").lower() for value in values], dtype=np.bool_)
    hits: Bools = np.append(match, False)[indices(encoded)]
    raw = table.raw(column_id)
    if raw is not None:
        hits |= pc.match_substring(raw, find, ignore_case=True).fill_null(False).to_numpy(zero_copy_only=False)
    return hits
