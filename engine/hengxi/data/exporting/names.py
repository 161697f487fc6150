"""Variable names that SPSS and Stata accept, as close to the user's as possible."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from hengxi.data.exporting.job import Job, listed, short
from hengxi.data.meta import Column

MAPPED = 500
"""So many renamed variables are listed one by one."""


@dataclass(frozen=True)
class Rules:
    """`illegal` matches what may not occur, `start` what must come first; `size` measures a name against `most`."""

    program: str
    illegal: re.Pattern[str]
    start: re.Pattern[str]
    reserved: frozenset[str]
    most: int
    size: Callable[[str], int]


SPSS = Rules(
    "SPSS",
    re.compile(r"[^\w.@#$]"),
    re.compile(r"[^\W\d_]|@"),
    frozenset(["ALL", "AND", "BY", "EQ", "GE", "GT", "LE", "LT", "NE", "NOT", "OR", "TO", "WITH"]),
    64,
    lambda name: len(name.encode()),
)
SPSS_SETS = replace(SPSS, most=63)
"""Names of multiple-response sets, which stand behind a `$`."""
STATA = Rules(
    "Stata",
    re.compile(r"\W"),
    re.compile(r"[^\W\d]"),
    frozenset(
        [
            "_ALL",
            "_B",
            "_COEF",
            "_CONS",
            "_N",
            "_PI",
            "_PRED",
            "_RC",
            "_SKIP",
            "BYTE",
            "DOUBLE",
            "FLOAT",
            "IF",
            "IN",
            "INT",
            "LONG",
            "STRL",
            "USING",
            "WITH",
        ]
    ),
    32,
    len,
)


def valid_names(columns: list[Column], rules: Rules) -> list[str]:
    """One name per column, all different also where case is ignored, as both programs take `Age` and `age` for one."""
    taken: set[str] = set()
    valid = []
    for column in columns:
        base = _legal(column.name, rules)
        name, number = base, 2
        while name.upper() in taken:
            tail = f"_{number}"
            name, number = _cut(base, rules, len(tail)) + tail, number + 1
        taken.add(name.upper())
        valid.append(name)
    return valid


def _legal(name: str, rules: Rules) -> str:
    name = rules.illegal.sub("_", name.strip())
    if not rules.start.match(name):
        name = f"V{name}" if name else "V"
    name = _cut(name, rules, 0).rstrip(".")
    return f"{name}_1" if name.upper() in rules.reserved or re.fullmatch(r"STR\d+", name.upper()) else name


def _cut(name: str, rules: Rules, spare: int) -> str:
    while rules.size(name) > rules.most - spare:
        name = name[:-1]
    return name


def labels_for(
    job: Job, columns: list[Column], names: list[str], rules: Rules, most: Callable[[str], str]
) -> list[str | None]:
    """Variable labels; a variable that had to be renamed and has none keeps its name there. Says what was renamed."""
    labels = [column.label or (column.name if column.name != name else "") for column, name in
              zip(columns, names, strict=True)]  # fmt: skip
    changed = [(column.name, name) for column, name in zip(columns, names, strict=True) if column.name != name]
    if changed:
        shown = "、".join(f"“{short(old)}”→{short(new)}" for old, new in changed[:3]) + (
            "…" if len(changed) > 3 else ""
        )
        text = f"{len(changed)} 个变量名不合 {rules.program} 的规则，已改名：{shown}。没有标签的变量以原名作标签。"
        job.note("export.names", text, names=changed[:MAPPED])
    cut = [most(label) for label in labels]
    shortened = [column.name for column, a, b in zip(columns, labels, cut, strict=True) if a != b]
    if shortened:
        text = f"{len(shortened)} 个变量标签超过 {rules.program} 的长度，已截短：{listed(shortened)}。"
        job.note("export.labels", text, names=shortened[:MAPPED])
    return [label or None for label in cut]


def cut_bytes(text: str, most: int) -> str:
    """At most so many bytes of UTF-8, never half a character."""
    return text.encode()[:most].decode(errors="ignore")
