"""What is said about rows that do not fit: the refusal with its ways out, and what was done about them."""

from __future__ import annotations

from typing import Any

from hengxi.data.delimited.clean import Cleaned
from hengxi.data.meta import Warn
from hengxi.data.refusal import DataRefusal


def ragged(done: Cleaned, width: int, quotes: bool) -> DataRefusal:
    first = done.bad[0]
    more = f"，共有 {done.skipped:,} 行如此" if done.skipped > 1 else ""
    if quotes and '"' in first.text:
        text = f"第 {first.line:,} 行的引号没有配对{more}。"
    else:
        text = f"第 {first.line:,} 行有 {first.fields} 个字段，表头有 {width} 个{more}。"
    facts = {"line": first.line, "fields": first.fields, "columns": width, "count": done.skipped, "sample": first.text}
    choices: list[Any] = [
        {"title": "按引号修复", "set": {"on_bad_row": "repair"}},
        {"title": "跳过并记录", "set": {"on_bad_row": "skip"}},
    ]
    if first.fields < width:
        choices.insert(1, {"title": "缺少的字段作缺失", "set": {"on_bad_row": "pad"}})
    return DataRefusal("csv.ragged", text, facts, choices)


def told(done: Cleaned) -> list[Warn]:
    """What was done to irregular rows, in words, with the lines."""
    places = {"skipped": [bad.line for bad in done.bad], **done.places}

    def at(what: str, count: int) -> str:
        lines = places.get(what, [])
        return f"（第 {'、'.join(f'{line:,}' for line in lines)}{' 等' if count > len(lines) else ''} 行）"

    unpaired = f"{done.literal:,} 行的引号没有配对{at('literal', done.literal)}，引号已按普通字符读入。"
    said = (
        (done.skipped, "rows.skipped", f"跳过了 {done.skipped:,} 个字段数不符的行{at('skipped', done.skipped)}。"),
        (done.joined, "rows.joined", f"{done.joined:,} 行因单元格内换行而断开{at('joined', done.joined)}，已接回。"),
        (done.padded, "rows.padded", f"{done.padded:,} 行缺少字段{at('padded', done.padded)}，缺少的单元格作缺失。"),
        (done.literal, "rows.literal", unpaired),
        (done.trimmed, "rows.trimmed", f"{done.trimmed:,} 行末尾有多余的分隔符，已忽略。"),
        (done.blank, "rows.blank", f"跳过了 {done.blank:,} 个空行。"),
    )  # fmt: skip
    return [
        Warn(code=code, text=text, facts={"count": count, "lines": places.get(code.removeprefix("rows."), [])})
        for count, code, text in said
        if count
    ]
