"""Which measure a column has, and the sentence that says why (ux.md, "Variable-type language")."""

from __future__ import annotations

import re
from collections import defaultdict

from msgspec import UnsetType

from hengxi.data.clock import is_clock
from hengxi.data.identifiers import numbers_name_cases, texts_name_cases
from hengxi.data.levels import in_word_order, word_order
from hengxi.data.meta import Column, Profile, Value
from hengxi.data.names import LONGEST_HEADING

_STEM = re.compile(r"^(.*?)[\s_\-.(（]*\d+[\s)）.、]*.*$", re.DOTALL)
_ITEM = re.compile(r"^(.+?)\s*(?:[:：—┋]+\s*.+|[(（][^()（）]+[)）])$", re.DOTALL)
"""A row of a matrix question as platforms write it: 4、满意度:质量, Q4(质量)."""
SCALES = ((1, 5), (1, 7), (0, 10))


def decide(column: Column, texts: list[Value]) -> None:
    """Sets measure, ordered, flags and why from storage, profile, levels and up to some distinct values `texts`."""
    profile = column.profile
    if column.storage in ("date", "datetime"):
        column.measure, column.why = "时间", "日期" if column.storage == "date" else "日期和时间"
    elif profile.n == 0:
        column.measure, column.why = "文本" if column.storage == "text" else "定量", "全部缺失"
    elif column.storage == "bool":
        column.measure, column.why = "定类", "是/否，2 个取值"
    elif column.storage == "text":
        _decide_text(column, profile, [str(v) for v in texts])
    else:
        _decide_number(column, profile)


def _decide_text(column: Column, profile: Profile, texts: list[str]) -> None:
    few = profile.distinct <= 20 or profile.distinct < 0.05 * profile.n
    lengths = [len(t) for t in texts] or [0]
    long = sum(lengths) / len(lengths) > 30
    order = word_order(texts) if few and profile.distinct == len(texts) else None
    if order:
        if column.levels and not column.ordered:  # categories of a file, in an order that it does not vouch for
            column.levels.sort(key=lambda level: order.index(str(level.value)))
        column.measure, column.ordered = "定类", True
        column.why = f"有序标签，{profile.distinct} 个取值：{order[0]} … {order[-1]}"
    elif few and not long and not (profile.unique and profile.n > 5):
        column.measure, column.why = "定类", f"文本，{profile.distinct} 个取值"
    else:
        column.measure = "文本"
        if texts_name_cases(column, profile, texts):
            column.flags, column.why = ["标识"], _share(profile) + "，像编号"
        else:
            column.why = f"文本，{profile.distinct} 个不同取值" + ("，内容较长" if long else "")


def _decide_number(column: Column, profile: Profile) -> None:
    labels = [level.label for level in column.levels or []]
    if column.measure == "定类" and labels:
        column.ordered = column.ordered or in_word_order(labels)
        column.why = f"带值标签，{len(labels)} 个取值" + ("，标签有先后" if column.ordered else "")
    elif profile.whole and profile.distinct == 2 and profile.min == 0 and profile.max == 1:
        column.measure, column.why = "定类", "只有 0 和 1"
    else:
        kind = f"时刻或时长，{profile.distinct} 个不同取值" if is_clock(column) else "数值，" + _span(profile)
        column.measure, column.why = "定量", kind
        if numbers_name_cases(column, profile):
            column.flags, column.why = ["标识"], _share(profile) + "的整数，像编号"


def flag_scales(columns: list[Column]) -> None:
    """Marks 量表 items: whole answers within 1–5, 1–7 or 0–10, in at least three sibling columns."""
    groups: dict[tuple[str, tuple[int, int]], list[Column]] = defaultdict(list)
    for column in columns:
        span = _scale(column)
        if span:
            name = column.name[:LONGEST_HEADING]
            found = _ITEM.match(name) or _STEM.match(name)
            groups[(found.group(1) if found else "", span)].append(column)
    for (stem, (low, high)), items in groups.items():
        if len(items) < 3 or (not stem and not _adjacent(items)):
            continue
        for column in items:
            column.flags = [*column.flags, "量表"]
            column.why = f"{low}–{high} 的整数，{len(items)} 个同类题"


def _scale(column: Column) -> tuple[int, int] | None:
    profile = column.profile
    if not isinstance(column.scores, UnsetType):
        return None
    if column.storage not in ("int", "float") or not profile.whole or profile.distinct < 3 or "标识" in column.flags:
        return None
    if not isinstance(profile.min, float) or not isinstance(profile.max, float):
        return None
    return next(((a, b) for a, b in SCALES if profile.min >= a and profile.max <= b), None)


def _adjacent(items: list[Column]) -> bool:
    """Columns without a common stem are siblings only if they stand side by side."""
    places = [int(column.id[1:]) for column in items]
    return max(places) - min(places) == len(places) - 1


def _share(found: Profile) -> str:
    return "取值互不相同" if found.unique else f"{found.distinct / found.n:.0%} 的取值互不相同"


def _span(found: Profile) -> str:
    kind = "整数" if found.whole else "小数"
    return f"{kind}，{found.distinct} 个不同取值"
