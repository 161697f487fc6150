"""JSON: records, columns, rows below a list of names, and one record per line (jsonl)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from hengxi.data.delimited.decoding import is_utf8
from hengxi.data.delimited.sniff import HEAD, guess_encodings
from hengxi.data.formats import Job, Staged
from hengxi.data.json_names import LOOKED_AT, ambiguous, are_names, are_row_numbers, check_once, is_doubled, pairs_of
from hengxi.data.meta import Warn, left_out
from hengxi.data.names import tidy
from hengxi.data.refusal import DataRefusal
from hengxi.data.workbook.cells import Cells
from hengxi.data.workbook.typing import compare, typed, write

KIND = "json"
TITLE = "JSON 数据"
ENDINGS = ("json", "jsonl", "ndjson")
PRIORITY = 80
MAX_BYTES = 512 << 20
MAX_DEPTH = 64
MAX_RECORDS = 5_000_000
MAX_COLUMNS = 20_000
MAX_CELLS = 50_000_000
BATCH = 5_000
_START = re.compile(rb"^(?:\xef\xbb\xbf)?\s*(?:\[\s*[\[{]|\{\s*\"(?:[^\"\\]|\\.)*\"\s*:)")
_BOM = b"\xef\xbb\xbf"
_LONG = 10**15
_NO_NUMBER = re.compile(rb'"(?:[^"\\]|\\.)*+"|-?\b(?:NaN|Infinity)\b', re.DOTALL)
"""Texts, so that what they hold is passed over, and the words that are no numbers."""


def recognises(head: bytes, name: str) -> bool:
    """A list of records or rows, or a record; the ending decides for short starts such as `[]`."""
    lines = name.lower().endswith(ENDINGS) and head.lstrip(_BOM + b" \t\r\n")[:1] in (b"[", b"{")
    return bool(_START.match(head)) or lines


def preview(job: Job) -> dict[str, Any]:
    """First 50 records."""
    records = _Records(job)
    rows = list(islice(records, 50))
    names = list(dict.fromkeys(key for row in rows for key in row))
    shown, _ = tidy(names)
    columns = []
    for key, name in zip(names, shown, strict=True):
        cells = [row.get(key) for row in rows if row.get(key) is not None]
        plain = bool(cells) and all(isinstance(c, (int, float)) and not isinstance(c, bool) for c in cells)
        few = len({str(cell) for cell in cells})
        measure = "定量" if plain else "定类" if few <= 20 else "文本"
        columns.append(
            {"name": name, "measure": measure, "why": "前几条是数字" if plain else f"前几条有 {few} 个不同取值"}
        )
    return {
        "kind": KIND,
        "settings": {},
        "candidates": {},
        "columns": columns,
        "rows": [[row.get(key) for key in names] for row in rows],
        "total_rows": records.total,
    }


def stage(job: Job) -> Staged:
    """DataRefusal `json.*`, Asking."""
    records = _Records(job)
    columns: dict[str, Cells] = {}
    rows = 0
    for batch in _batched(records):
        for key in dict.fromkeys(key for row in batch for key in row):
            if key not in columns:
                columns[key] = Cells()
                if rows:
                    columns[key].add([None] * rows)
        if len(columns) > MAX_COLUMNS or rows * len(columns) > MAX_CELLS:
            text = f"数据超过 {MAX_COLUMNS:,} 列或 {MAX_CELLS:,} 个单元格。请拆分，或导出为 csv、parquet 后上传。"
            raise DataRefusal("json.size", text, {"rows": rows, "columns": len(columns)})
        for key, cells in columns.items():
            cells.add([_cell(row.get(key)) for row in batch])
        rows += len(batch)
        job.tick(0.05 + 0.5 * min(rows / max(records.total or rows, 1), 1), "读取")
    if not columns:
        raise DataRefusal("file.empty", f"“{job.name}”中没有数据。", {"name": job.name})
    names, warnings = tidy(list(columns))
    json_columns = list(columns.values())
    arrays, notes = typed(job, names, json_columns)
    out = job.work / "raw.arrow"
    metas = write(names, arrays, notes, out)
    warnings += records.told + left_out(sum(cells.infinite for cells in json_columns))
    if records.replaced:
        text = f"{records.replaced:,} 处 NaN 或 Infinity 不是 JSON 的数，已作缺失。"
        warnings.append(Warn(code="json.nan", text=text, facts={"count": records.replaced}))
    if records.encoding != "UTF-8":
        text = f"文件不是 UTF-8 编码，按 {records.encoding} 读入；如有乱码，请另存为 UTF-8 后重新上传。"
        warnings.append(Warn(code="json.encoding", text=text, facts={"encoding": records.encoding}))
    if records.repeated:
        names, count = list(records.repeated), max(records.repeated.values())
        said = "、".join(f"{name}（{times:,} 条记录）" for name, times in list(records.repeated.items())[:3])
        text = f"同一条记录里列名写了不止一次，读入的是最后一个值：{said}{' 等' if len(names) > 3 else ''}。"
        warnings.append(Warn(code="json.repeated", text=text, facts={"names": names[:50], "count": count}))
    if records.nested:
        text = f"{len(records.nested)} 列含有嵌套的内容，按 JSON 文本读入：{'、'.join(sorted(records.nested)[:3])}。"
        warnings.append(Warn(code="json.nested", text=text, facts={"names": sorted(records.nested)[:50]}))
    return Staged(out, metas, notes, {}, compare(rows, names, arrays, json_columns), warnings)


def _batched(records: _Records) -> Iterator[list[dict[str, Any]]]:
    iterator = iter(records)
    while batch := list(islice(iterator, BATCH)):
        yield batch


def _cell(value: Any) -> Any:
    """A cell as the reader of workbooks gives it; whole numbers too long for a double stay digits."""
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) >= _LONG else float(value)
    return value


class _Records:
    """The records of a file, decoded one by one; `total` where it is known beforehand."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.total: int | None = None
        self.nested: set[str] = set()
        self.repeated: dict[str, int] = {}
        self.told: list[Warn] = []
        self.line = self.replaced = 0
        self.encoding = "UTF-8"
        size = job.path.stat().st_size
        if size > MAX_BYTES:
            text = f"JSON 文件最大 {MAX_BYTES >> 20} MB。请导出为 csv 或 parquet 后上传。"
            raise DataRefusal("json.large", text, {"bytes": size})
        self._make = self._guarded(self._choose)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        source = self._make()
        while True:
            row = self._guarded(lambda: next(source, None))
            if row is None:
                return
            yield {key: self._flat(key, value) for key, value in row.items()}

    def _guarded(self, work: Callable[[], Any]) -> Any:
        """Faults of the text, in words."""
        try:
            return work()
        except RecursionError as error:
            raise self._deep() from error
        except msgspec.ValidationError as error:
            if "out of range" not in str(error):
                raise _no_table() from error
            text = f"“{self.job.name}”中有超出可表示范围的数（大于 1.8×10³⁰⁸ 或更长的整数）。请改正后重新导出。"
            raise DataRefusal("json.number", text, {"name": self.job.name}) from error
        except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
            found = re.search(r"byte (\d+)", str(error))
            place = f"（第 {int(found[1]) + 1:,} 个字节附近）" if found else ""
            place = f"（第 {self.line:,} 行）" if self.line else place
            text = f"“{self.job.name}”不是完整的 JSON{place}，或不是 UTF-8 编码。请检查后重新导出。"
            raise DataRefusal("json.syntax", text, {"name": self.job.name}) from error

    def _deep(self) -> DataRefusal:
        text = f"JSON 的嵌套超过 {MAX_DEPTH} 层，不是数据表，为安全起见不予读取。"
        return DataRefusal("json.depth", text, {"depth": MAX_DEPTH})

    def _flat(self, key: str, value: Any) -> Any:
        if not isinstance(value, (dict, list)):
            return value
        if _depth(value) >= MAX_DEPTH:
            raise self._deep()
        self.nested.add(key)
        return msgspec.json.encode(value).decode()

    def _choose(self) -> Callable[[], Iterator[dict[str, Any]]]:
        path: Path = self.job.path
        with path.open("rb") as file:
            first = file.readline(1 << 20).lstrip(_BOM).strip()
            second = file.readline(1 << 20).strip()
        alone = self.job.name.lower().endswith(("jsonl", "ndjson")) and not second
        if first.startswith(b"{") and first.endswith(b"}") and (alone or second.startswith(b"{")):
            return self._lines
        raw = self._plain(path.read_bytes().removeprefix(_BOM))
        start = raw.lstrip()[:1]
        if start == b"[":
            return self._listed(raw)
        return self._keyed(self._named(raw))

    def _named(self, raw: bytes) -> dict[str, msgspec.Raw]:
        """The parts of an object; of columns that are named alike each is kept. DataRefusal `json.repeated`."""
        found = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
        if not is_doubled(raw, found):
            return found
        pairs = pairs_of(raw)
        names = [name for name, _ in pairs]
        starts = {value[:1] for _, value in pairs}
        records = any(value.lstrip(b"[ \r\n\t")[:1] == b"{" for _, value in pairs if value[:1] == b"[")
        if starts not in ({b"["}, {b"{"}) or records or {"columns", "data"} <= set(names):
            raise ambiguous(names)
        return {name: msgspec.Raw(value) for name, (_, value) in zip(self._names(names), pairs, strict=True)}

    def _lines(self) -> Iterator[dict[str, Any]]:
        decoder = msgspec.json.Decoder(dict[str, Any])
        with self.job.path.open("rb") as file:
            for count, line in enumerate(file):
                if count > MAX_RECORDS:
                    raise self._many(count)
                if text := line.removeprefix(_BOM).strip():
                    self.line = count + 1
                    plain = self._plain(text)
                    yield self._seen(plain, decoder.decode(plain))

    def _seen(self, raw: bytes, row: dict[str, Any]) -> dict[str, Any]:
        """The record, after looking whether it names a column twice: the decoder keeps the last value and says nothing.

        Only where more colons follow quotes than there are keys is it read again, pair by pair.
        """
        if raw.count(b'":') + raw.count(b'" :') > _keys(row):

            def noted(pairs: list[tuple[str, Any]]) -> None:
                names = Counter(key for key, _ in pairs)
                for name in (name for name, count in names.items() if count > 1):
                    self.repeated[name] = self.repeated.get(name, 0) + 1

            json.loads(raw, object_pairs_hook=noted)
        return row

    def _plain(self, raw: bytes) -> bytes:
        """UTF-8 without the NaN and Infinity that Python writes and JSON does not know."""
        if not is_utf8(raw) and guess_encodings([raw[:HEAD]])[0] == "GB18030":
            raw, self.encoding = raw.decode("gb18030").encode(), "GB18030"
        if b"NaN" not in raw and b"Infinity" not in raw:
            return raw

        def plain(found: re.Match[bytes]) -> bytes:
            self.replaced += found[0][:1] != b'"'
            return found[0] if found[0][:1] == b'"' else b"null"

        return _NO_NUMBER.sub(plain, raw)

    def _listed(self, raw: bytes) -> Callable[[], Iterator[dict[str, Any]]]:
        """A list of records, or of rows below their names."""
        if raw.count(b"{") > 40 * MAX_RECORDS or raw.count(b"[") > 40 * MAX_RECORDS:
            raise self._many(raw.count(b"{"))
        items = msgspec.json.decode(raw, type=list[msgspec.Raw])
        if len(items) > MAX_RECORDS:
            raise self._many(len(items))
        if items and bytes(items[0]).lstrip()[:1] == b"[":
            first, *below = [msgspec.json.decode(item, type=list[Any]) for item in items[:LOOKED_AT]]
            named = are_names([first, *below])
            header = self._names(first if named else [f"列{i + 1}" for i in range(len(first))])
            self.total = len(items) - named
            return lambda: _rows(header, items[named:])
        self.total = len(items)
        decoder = msgspec.json.Decoder(dict[str, Any])
        return lambda: (self._seen(bytes(item), decoder.decode(item)) for item in items)

    def _keyed(self, values_by_key: dict[str, msgspec.Raw]) -> Callable[[], Iterator[dict[str, Any]]]:
        """Columns by name; the split form of pandas; or an envelope around a single list."""
        if {"columns", "data"} <= set(values_by_key):
            header = self._names(msgspec.json.decode(values_by_key["columns"], type=list[Any]))
            rows = msgspec.json.decode(values_by_key["data"], type=list[msgspec.Raw])
            self.total = len(rows)
            return lambda: _rows(header, rows)
        starts = {
            key: bytes(value[:64] if isinstance(value, bytes) else value).lstrip()[:1]
            for key, value in values_by_key.items()
        }
        lists = [key for key, start in starts.items() if start == b"["]
        if len(lists) == 1 and bytes(values_by_key[lists[0]]).lstrip(b"[ \r\n\t")[:1] == b"{":
            return self._listed(bytes(values_by_key[lists[0]]))
        if len(values_by_key) > MAX_COLUMNS:
            raise DataRefusal("json.size", f"数据超过 {MAX_COLUMNS:,} 列。", {"columns": len(values_by_key)})
        if lists and len(lists) == len(values_by_key):
            columns = {key: msgspec.json.decode(value, type=list[Any]) for key, value in values_by_key.items()}
        elif values_by_key and all(start == b"{" for start in starts.values()):
            given = {key: msgspec.json.decode(value, type=dict[str, Any]) for key, value in values_by_key.items()}
            if are_row_numbers(given, next(iter(given.values()))):
                return self._by_row(given)
            for key, cells in given.items():
                check_once(key, bytes(values_by_key[key]), cells)
            columns = _aligned(given)
        else:
            raise _no_table()
        lengths = {len(cells) for cells in columns.values()}
        if len(lengths) > 1:
            text = f"各列的长度不同（{min(lengths):,} 至 {max(lengths):,}），不能组成数据表。"
            raise DataRefusal("json.shape", text, {"lengths": sorted(lengths)[:10]})
        self.total = lengths.pop() if lengths else 0
        return lambda: (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))

    def _by_row(self, given: dict[str, dict[str, Any]]) -> Callable[[], Iterator[dict[str, Any]]]:
        text = "文件最外层的名称是从 0 开始的行号，按每个行号一条记录读入。"
        self.told.append(Warn(code="json.rows", text=text, facts={"count": len(given)}))
        self.total = len(given)
        return lambda: iter(given.values())

    def _names(self, cells: list[Any]) -> list[str]:
        """Each its own: equal ones would lose a column."""
        names, said = tidy([cell if isinstance(cell, str) else str(cell) for cell in cells])
        self.told += said
        return names

    def _many(self, count: int) -> DataRefusal:
        text = f"JSON 最多 {MAX_RECORDS:,} 条记录。请导出为 csv 或 parquet 后上传。"
        return DataRefusal("json.size", text, {"records": count})


def _no_table() -> DataRefusal:
    text = 'JSON 的结构不是数据表。可以是记录的列表 [{…}, …]、按列的 {"列名": […]}，或每行一条记录。'
    return DataRefusal("json.shape", text, {})


def _rows(header: list[str], rows: list[msgspec.Raw]) -> Iterator[dict[str, Any]]:
    decoder = msgspec.json.Decoder(list[Any])
    for place, row in enumerate(rows):
        cells = decoder.decode(row)
        if len(cells) != len(header):
            text = f"第 {place + 1:,} 行有 {len(cells)} 个值，列名有 {len(header)} 个。"
            raise DataRefusal("json.shape", text, {"row": place + 1})
        yield dict(zip(header, cells, strict=True))


def _aligned(columns: dict[str, dict[str, Any]]) -> dict[str, list[Any]]:
    """`{"a": {"0": 1, "1": 2}}`, as pandas writes by default."""
    keys = list(dict.fromkeys(key for cells in columns.values() for key in cells))
    return {name: [cells.get(key) for key in keys] for name, cells in columns.items()}


def _keys(value: Any) -> int:
    """Names in a record and in what it holds."""
    if isinstance(value, dict):
        return len(value) + sum(_keys(one) for one in value.values() if isinstance(one, (dict, list)))
    return sum(_keys(one) for one in value if isinstance(one, (dict, list)))


def _depth(value: Any) -> int:
    """Levels below and including this one, at most MAX_DEPTH of them looked at."""
    level, depth = [value], 0
    while level and depth < MAX_DEPTH:
        level = [c for v in level if isinstance(v, (dict, list)) for c in (v.values() if isinstance(v, dict) else v)]
        depth += 1
    return depth
