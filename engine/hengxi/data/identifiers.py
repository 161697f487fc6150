"""What names a case instead of measuring something: called so, running through the table, or built like a number of an
account. Never what is called a quantity. The server asks about what is left open here (files/identifiers.ts) and is
told NAMED and MEASURED by contracts/generated.
"""

from __future__ import annotations

import re

from hengxi.data.clock import is_clock
from hengxi.data.meta import Column, Profile

NAMED = re.compile(
    r"(?:^|[_\s])(?:u?id|uuid)(?:$|[_\s])|编号|序号|学号|工号|证号|卡号|号码|病历号|住院号|流水号|单号", re.IGNORECASE
)
_PERHAPS = re.compile(r"(?:^|[_\s])(?:no|code|index)(?:$|[_\s])|手机|电话", re.IGNORECASE)
"""May be part of what is measured: 手机话费, consumer confidence index."""
MEASURED = re.compile(
    r"金额|收入|支出|工资|薪|价|费|成本|利润|产值|销|产量|人口|人数|数量|次数|个数|总数|面积|体积|长度|高度|身高|体重|重量"
    r"|步数|分数|得分|成绩|年龄|时长|用时|耗时|时间|距离|浓度|年份|指数"
    r"|income|salary|price|cost|amount|revenue|sales|population|area|weight|height|length|distance|duration|score|count"
    r"|steps|year|(?<![a-z])age(?![a-z])"
    r"|[（(](?:元|万元|克|千克|公斤|g|kg|米|cm|mm|秒|分钟|小时|天|岁|年|人)[)）]",
    re.IGNORECASE,
)
_TEXT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./#-]*")
_QUANTITY = re.compile(r"\d+(?:\.\d+)?\s*[A-Za-z/]{0,8}")
"""12.5kg, 64.5, 170cm: how much, with or without its unit; as long as they are not all built alike."""
_LONG_TEXT = 40
_LEAST = 10
_MANY = 20
_SHARE = 0.95
_ACCOUNT_DIGITS = 8
_SAME_DIGITS = 3


def numbers_name_cases(column: Column, profile: Profile) -> bool:
    """Of whole numbers that hardly ever repeat."""
    if not profile.whole or profile.n < _LEAST or profile.distinct < _SHARE * profile.n or not profile.non_negative:
        return False
    if is_clock(column):
        return False
    name = _called(column)
    if (told := _by_name(name)) is not None:
        return told
    low, high = int(float(profile.min or 0)), int(float(profile.max or 0))
    return bool(_PERHAPS.search(name)) or _running(profile, low, high) or _account(str(low), str(high))


def _called(column: Column) -> str:
    return f"{column.name} {column.label or ''}"


def _by_name(name: str) -> bool | None:
    """None: the name leaves it open."""
    if NAMED.search(name):
        return True
    return False if MEASURED.search(name) else None


def _running(profile: Profile, low: int, high: int) -> bool:
    """1, 2, 3 … without a gap, or from elsewhere on where that is no chance; the years of a series are no codes."""
    if not profile.unique or high - low != profile.n - 1:
        return False
    return low in (0, 1) or (profile.n >= _MANY and not (low >= 1800 and high <= 2200))


def _account(low: str, high: str) -> bool:
    """All equally long, and alike where such numbers are: 13912345678, 20210034, 53010211."""
    if len(low) != len(high) or len(low) < _ACCOUNT_DIGITS:
        return False
    if len(low) == 11 and low.startswith("1"):
        return True
    year = all(1980 <= int(text[:4]) <= 2050 for text in (low, high))
    return year or low[:_SAME_DIGITS] == high[:_SAME_DIGITS]


def texts_name_cases(column: Column, found: Profile, texts: list[str]) -> bool:
    """Of texts that hardly ever repeat."""
    if found.n < _LEAST or found.distinct < _SHARE * found.n:
        return False
    name = _called(column)
    if (told := _by_name(name)) is not None:
        return told
    if _PERHAPS.search(name):
        return True
    if not all(_TEXT.fullmatch(text) for text in texts[:200]) or max(map(len, texts), default=0) > _LONG_TEXT:
        return False
    plain = all(text.isdigit() for text in texts) and len({len(text) for text in texts}) == 1
    return plain or not all(_QUANTITY.fullmatch(text) for text in texts[:200])
