"""Sentences and the numbers in them: `{t:num}` names a fact and how it is written; only format.ts rounds."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

FORMATS = frozenset(
    [
        "text",
        "integer",
        "num",
        "num0",
        "num1",
        "num2",
        "num3",
        "num4",
        "+num",
        "alpha",
        "percent",
        "percent1",
        "pvalue",
        "peq",
        "date",
    ]
)
SLOT = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)(?::([^{}]*))?\}")


class Broken(AssertionError):  # noqa: N818  (short, since it names the report's state)
    """A report that must not be shown: an impossible value, or a promise of the declaration not kept. A bug of ours."""


def plain(value: Any, where: str) -> Any:
    """A value as it travels: Python numbers; infinite bounds as words; a NaN is a bug, since nobody said why."""
    kind = type(value)
    if kind is str or value is None or kind is int or (kind is float and math.isfinite(value)):
        return value  # nearly all values are of these; a report has ten thousands of them
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        if math.isnan(value):
            raise Broken(f"{where}: NaN reached the report; give None and a note that says why")
        return "inf" if value > 0 else "-inf"
    if isinstance(value, np.ndarray):
        return [plain(one, where) for one in value]
    if isinstance(value, list | tuple):
        return [plain(one, where) for one in value]
    if value is None or isinstance(value, str | bool | int | float | dict):
        return value
    name = words_of(value)
    if name is None:
        raise Broken(f"{where}: {type(value).__name__} cannot travel")
    return name


def words_of(value: Any) -> str | None:
    """A column by its title (label, else name), a level by its label."""
    for attribute in ("title", "name", "label"):
        words = getattr(value, attribute, None)
        if isinstance(words, str):
            return words
    return None


def identity(value: Any) -> tuple[str, Any]:
    """What makes two items the same: a column's id, a level's value, else the text itself."""
    if hasattr(value, "id"):
        return ("id", value.id)
    if hasattr(value, "value"):
        return ("value", value.value)
    return ("text", value)


def check_template(text: str, facts: dict[str, Any]) -> None:
    """Every slot has a fact and a known format."""
    for name, form in SLOT.findall(text):
        if name not in facts:
            raise Broken(f"the sentence “{text}” has no fact {name!r}")
        if form and form not in FORMATS:
            raise Broken(f"the sentence “{text}” asks for an unknown format {form!r}")
    if "{" in SLOT.sub("", text) or "}" in SLOT.sub("", text):
        raise Broken(f"the sentence “{text}” has a brace that is no slot; user text belongs in a fact")


GROUP = re.compile(r"“\{([A-Za-z_][A-Za-z0-9_]*)\}”组")


def said_once(text: str, facts: dict[str, Any]) -> str:
    """“对照组”, not “对照组”组: a group whose name says that it is one is not told so again."""

    def short(found: re.Match[str]) -> str:
        name = words_of(facts.get(found[1])) or facts.get(found[1])
        return found[0][:-1] if isinstance(name, str) and name.endswith("组") else found[0]

    return GROUP.sub(short, text)


def read_facts(text: str, facts: dict[str, Any]) -> dict[str, Any]:
    read = {name: plain(value, f"fact {name}") for name, value in facts.items()}
    check_template(text, read)
    return read


def rename(text: str, suffix: str) -> str:
    """The same sentence with facts of other names, so that several can be joined."""
    return SLOT.sub(lambda m: "{" + m[1] + suffix + (":" + m[2] if m[2] else "") + "}", text)
