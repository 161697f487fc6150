"""Column names out of header cells: blank, doubled and unprintable ones get a stated replacement."""

from __future__ import annotations

import re

from hengxi.data.meta import Warn

LONGEST_HEADING = 500
"""Longer names are not taken apart into question and option: that takes the square of their length."""
_INVISIBLE = re.compile(r"[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
"""Signs without a width, and those that turn the direction of what follows: two names look alike, or like another."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")


def tidy(cells: list[str]) -> tuple[list[str], list[Warn]]:
    """(names, warnings). Names stay as written but for signs nobody sees; doubles get `_2`, blanks `列n`."""
    names: list[str] = []
    blank: list[str] = []
    doubled: list[str] = []
    taken: set[str] = set()
    for place, cell in enumerate(cells):
        name = _CONTROL.sub(" ", _INVISIBLE.sub("", cell)).strip()
        wished = name or f"列{place + 1}"
        unique, number = wished, 2
        while unique in taken:
            unique, number = f"{wished}_{number}", number + 1
        if not name:
            blank.append(unique)
        elif unique != name:
            doubled.append(unique)
        taken.add(unique)
        names.append(unique)
    warnings = []
    if blank:
        text = f"{len(blank)} 列没有名称，已命名为 {_list(blank)}。"
        warnings.append(Warn(code="names.blank", text=text, facts={"names": blank[:50]}))
    if doubled:
        text = f"{len(doubled)} 列与前面的列重名，已改名为 {_list(doubled)}。"
        warnings.append(Warn(code="names.doubled", text=text, facts={"names": doubled[:50]}))
    return names, warnings


def _list(names: list[str]) -> str:
    shown = "、".join(f"“{name}”" for name in names[:3])
    return shown + (" 等" if len(names) > 3 else "")
