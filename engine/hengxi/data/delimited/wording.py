"""What is said about rows that do not fit: the refusal with its ways out, and what was done about them."""

from __future__ import annotations

from typing import Any

from hengxi.data.delimited.clean import Cleaned
from hengxi.data.meta import Warn
from hengxi.data.refusal import DataRefusal

EXTRA = "多出的字段"
"""The column of what rows have too much."""
MOST_SPANS = 60
"""So many lines, or stretches of lines, are named; the facts hold all."""


def lines_text(lines: list[int], count: int) -> str:
    """第 3、5–9 行: all of them, as far as a person would read on."""
    spans: list[list[int]] = []
    for line in lines:
        if spans and line == spans[-1][1] + 1:
            spans[-1][1] = line
        else:
            spans.append([line, line])
    shown = spans[:MOST_SPANS]
    told = sum(last - first + 1 for first, last in shown)
    named = "、".join(_span(first, last) for first, last in shown)
    return f"第 {named} {'等' if count > told else ''}行"


def _span(first: int, last: int) -> str:
    if last - first > 1:
        return f"{first:,}–{last:,}"
    return f"{first:,}" if first == last else f"{first:,}、{last:,}"


def ragged(done: Cleaned, width: int, quotes: bool) -> DataRefusal:
    """The refusal names every row, each way out the rows that it would cut."""
    first = done.bad
    assert first is not None
    more = f"，共有 {done.skipped:,} 行如此：{_places(done, 'skipped', done.skipped)}" if done.skipped > 1 else ""
    if quotes and '"' in first.text:
        text = f"第 {first.line:,} 行的引号没有配对{more}。"
    else:
        text = f"第 {first.line:,} 行有 {first.fields} 个字段，表头有 {width} 个{more}。"
    facts = {
        "line": first.line,
        "fields": first.fields,
        "columns": width,
        "count": done.skipped,
        "lines": done.places["skipped"],
        "sample": first.text,
    }
    return DataRefusal("csv.ragged", text, facts, _ways(done))


def _ways(done: Cleaned) -> list[Any]:
    cut = f"，跳过字段过多的 {done.long:,} 行（{_places(done, 'long', done.long)}）" if done.long else ""
    pad = f"缺少的字段作缺失（{_places(done, 'short', done.short)}）"
    skipped = f"跳过这 {done.skipped:,} 行（{_places(done, 'skipped', done.skipped)}）"
    ways = [("skip", skipped)]
    if done.short:
        ways = [("repair", f"接回断开的行，仍缺少的字段作缺失{cut}"), ("pad", pad + cut), *ways]
    if done.long:
        rest = f"，{pad}" if done.short else ""
        ways.insert(0, ("extra", f"多出的字段放进新列“{EXTRA}”（{_places(done, 'long', done.long)}）{rest}"))
    return [{"title": title, "set": {"on_bad_row": way}} for way, title in ways]


def _places(done: Cleaned, what: str, count: int) -> str:
    return lines_text(done.places.get(what, []), count)


def repair_warnings(done: Cleaned) -> list[Warn]:
    """What was done to irregular rows, in words, with the lines."""

    def at(what: str, count: int) -> str:
        return f"（{_places(done, what, count)}）" if count else ""

    unpaired = f"{done.literal:,} 行的引号没有配对{at('literal', done.literal)}，引号已按普通字符读入。"
    extra = f"{done.extra:,} 行的字段多于表头{at('extra', done.extra)}，多出的放进了新列“{EXTRA}”。"
    counted = (
        (done.skipped, "rows.skipped", f"跳过了 {done.skipped:,} 个字段数不符的行{at('skipped', done.skipped)}。"),
        (done.extra, "rows.extra", extra),
        (done.joined, "rows.joined", f"{done.joined:,} 行因单元格内换行而断开{at('joined', done.joined)}，已接回。"),
        (done.padded, "rows.padded", f"{done.padded:,} 行缺少字段{at('padded', done.padded)}，缺少的单元格作缺失。"),
        (done.literal, "rows.literal", unpaired),
        (done.trimmed, "rows.trimmed", f"{done.trimmed:,} 行末尾有多余的分隔符，已忽略。"),
        (done.blank, "rows.blank", f"跳过了 {done.blank:,} 个空行。"),
    )  # fmt: skip
    return [
        Warn(code=code, text=text, facts={"count": count, "lines": done.places.get(code.removeprefix("rows."), [])})
        for count, code, text in counted
        if count
    ]
