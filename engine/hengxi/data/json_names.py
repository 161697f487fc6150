"""Names that a JSON text gives twice, and rows that stand under names of their own.

The decoder keeps the last of equal names and says nothing: whole columns would be lost without a word.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from hengxi.data.delimited.headings import are_years
from hengxi.data.delimited.sniff import header_line
from hengxi.data.refusal import DataRefusal

_NAME = re.compile(rb'\s*,?\s*("(?:[^"\\]|\\.)*+")\s*:\s*', re.DOTALL)
LOOKED_AT = 200


def is_doubled(raw: bytes, parsed: Mapping[str, Any]) -> bool:
    """Whether the object `raw` names something twice: `parsed`, what was decoded of it, does not cover it then."""
    at = raw.index(b"{") + 1
    names: set[str] = set()
    while name := _NAME.match(raw, at):
        key = json.loads(name[1])
        value = bytes(parsed.get(key, b"\0"))
        if key in names or not raw.startswith(value, name.end()):
            return True
        names.add(key)
        at = name.end() + len(value)
    return raw[at:].strip() != b"}"


def pairs_of(raw: bytes) -> list[tuple[str, bytes]]:
    """The names of an object and the text of their values, as often as they are written."""
    text = raw.decode()
    decoder = json.JSONDecoder()
    pairs, at = [], text.index("{") + 1
    name = re.compile(_NAME.pattern.decode(), re.DOTALL)
    while match := name.match(text, at):
        _, at = decoder.raw_decode(text, match.end())
        pairs.append((json.loads(match[1]), text[match.end() : at].encode()))
    return pairs


def check_once(name: str, raw: bytes, cells: Mapping[str, Any]) -> None:
    """A column that gives each row by its name gives it once. DataRefusal `json.repeated`."""
    if raw.count(b'":') + raw.count(b'" :') <= len(cells):
        return
    rows = Counter(key for key, _ in pairs_of(raw))
    if twice := [row for row, count in rows.items() if count > 1]:
        raise DataRefusal(
            "json.repeated",
            f"“{name}”中同一行（“{twice[0]}”）写了不止一个值，无法判断读哪一个。请改正后重新导出。",
            {"column": name, "rows": twice[:10]},
        )


def ambiguous(names: list[str]) -> DataRefusal:
    """The parts of a text that is no table of columns, some of them there twice."""
    name, count = Counter(names).most_common(1)[0]
    text = f"JSON 的最外层有 {count} 个“{name}”，无法判断读哪一个。请改正后重新导出。"
    return DataRefusal("json.repeated", text, {"name": name, "count": count})


def are_names(rows: list[list[Any]]) -> bool:
    """Whether the first of the rows names the columns: a number among its cells is data, unless they are years."""
    first = rows[0]
    if not any(isinstance(cell, str) for cell in first):
        return False
    shown = [["" if cell is None else str(cell) for cell in row] for row in rows[:LOOKED_AT]]
    if any(cell is not None and not isinstance(cell, str) for cell in first):
        return are_years(shown[0], shown[1:])
    return len(rows) == 1 or header_line(shown) > 0


def are_row_numbers(found: Mapping[str, Any], first: Mapping[str, Any]) -> bool:
    """`{"0": {"姓名": …}, "1": {…}}`: records by the number of their row (pandas, orient="index")."""
    numbered = list(found) == [str(place) for place in range(len(found))]
    return numbered and bool(first) and not any(name.isdigit() for name in first)
