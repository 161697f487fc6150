"""Columns as they travel: measurement levels, levels, missing codes, profiles. The same shape everywhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Measure = Literal["定类", "定量", "时间", "文本"]
Wanted = Literal["任意", "定类", "定量", "有序", "时间", "文本"]
Storage = Literal["int", "float", "text", "date", "datetime", "bool"]
Flag = Literal["量表", "标识"]
Value = str | int | float | bool

# A column of numbers with at most this many distinct values also fits a box for categories.
FEW_VALUES = 20


@dataclass(kw_only=True)
class LevelInfo:
    """One category with its count over the whole file."""

    value: Value
    label: str
    count: int


@dataclass(kw_only=True)
class MissingRange:
    low: float | None
    high: float | None


@dataclass(kw_only=True)
class MissingCodes:
    """What the user declared to mean "no answer"."""

    values: list[Value] = field(default_factory=list)
    ranges: list[MissingRange] = field(default_factory=list)


@dataclass(kw_only=True)
class Bin:
    low: float
    high: float
    count: int


@dataclass(kw_only=True)
class TopValue:
    value: Value
    count: int


@dataclass(kw_only=True)
class Profile:
    """Facts about a column over the whole file; `n` are the valid cells; moments only for columns of numbers."""

    n: int
    missing: int
    distinct: int
    min: Value | None = None
    max: Value | None = None
    mean: float | None = None
    sd: float | None = None
    median: float | None = None
    q1: float | None = None
    q3: float | None = None
    whole: bool = False
    non_negative: bool = False
    positive: bool = False
    histogram: list[Bin] = field(default_factory=list)
    top: list[TopValue] = field(default_factory=list)
    unique: bool = False


@dataclass(kw_only=True)
class ColumnInfo:
    """A column's entry in meta.json and in every answer that lists columns."""

    id: str
    name: str
    label: str | None = None
    measure: Measure
    ordered: bool = False
    flags: list[Flag] = field(default_factory=list)
    storage: Storage
    decimals: int = 0
    unit: str | None = None
    why: str = ""
    levels: list[LevelInfo] | None = None
    missing: MissingCodes = field(default_factory=MissingCodes)
    profile: Profile


def is_number(column: ColumnInfo) -> bool:
    """Do its cells hold numbers (codes included)?"""
    return column.storage in ("int", "float", "bool")


def read_column(raw: dict[str, Any]) -> ColumnInfo:
    """A column of meta.json; keys this version does not know are left out: an older engine reads a newer file."""
    levels, missing, profile = raw.get("levels"), raw.get("missing") or {}, dict(raw["profile"])
    profile["histogram"] = [_known(Bin, b) for b in profile.get("histogram") or []]
    profile["top"] = [_known(TopValue, t) for t in profile.get("top") or []]
    known = {key: raw[key] for key in ColumnInfo.__dataclass_fields__ if key in raw}
    known |= {
        "levels": None if levels is None else [_known(LevelInfo, level) for level in levels],
        "missing": MissingCodes(
            values=list(missing.get("values") or []),
            ranges=[MissingRange(low=r.get("low"), high=r.get("high")) for r in missing.get("ranges") or []],
        ),
        "profile": _known(Profile, profile),
        "flags": list(raw.get("flags") or []),
    }
    return ColumnInfo(**known)


def _known(kind: Any, raw: dict[str, Any]) -> Any:
    return kind(**{key: value for key, value in raw.items() if key in kind.__dataclass_fields__})


_NUMBER = re.compile(r"^\s*[Qq]?\d+\s*[、.．:：)）]\s*(?=\D)")
_KIND = re.compile(r"\s*[(（\[【](?:可?多选|单选|不定项|填空|必答|必填|矩阵|量表)[^()（）\[\]【】]*[)）\]】]\s*\*?")
_ADDRESS = re.compile(r"^(?:请问|您的|您对|您认为|您觉得|您)+")
_ASKS = re.compile(r"(?<=\S\S)是(?:什么|多少|哪个|哪种|哪一[个类种])?[？?：:\s]*$")
_QUOTED = re.compile(r"^“([^“”]{2,})”")
_ONE_OF_MANY = re.compile(r"^[对在就]?(?:下列|以下|下面)[^:：—┋_]*[:：—┋_]+\s*(?=\S{2})")


def asked(text: str) -> str:
    """A question as a sentence names it: `5、您对“课程实用”的同意程度` is 课程实用, `请问您的年龄？` is 年龄."""
    bare = _KIND.sub("", _NUMBER.sub("", text))
    bare = _ONE_OF_MANY.sub("", _ADDRESS.sub("", bare)).strip()
    bare = _ASKS.sub("", bare).rstrip("？?：: ")
    quoted = _QUOTED.match(bare)
    return quoted.group(1) if quoted else bare or text


def title_of(column: Any) -> str:
    """What reports and messages call a variable: its label, else its name, without the words of a questionnaire."""
    return asked(str(column.label or column.name))


def few_of(names: Sequence[str]) -> str:
    """What a heading says of several variables: A、B、C等 8 个变量."""
    return "、".join(names[:3]) + (f"等 {len(names)} 个变量" if len(names) > 3 else "")


def fits(column: ColumnInfo, wanted: Wanted) -> bool:
    """May this column go into a box for `wanted`? (contract.md section 1, below the table of variables)"""
    is_scale = "量表" in column.flags
    categorical = column.measure == "定类" or is_scale or (is_number(column) and column.profile.distinct <= FEW_VALUES)
    match wanted:
        case "任意":
            return True
        case "定量":
            return column.measure == "定量" or (is_scale and is_number(column))
        case "定类":
            return categorical
        case "有序":
            return categorical and (column.ordered or is_scale or is_number(column))
        case "时间":
            return column.measure == "时间" or (is_number(column) and column.profile.whole)
        case "文本":
            return column.measure in ("文本", "定类")
