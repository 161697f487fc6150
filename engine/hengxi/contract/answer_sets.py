"""A question with several answers (多选题): one column each. In a box it stands as one thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .columns import Column
from .measures import Value


@dataclass(frozen=True)
class AnswerSet:
    """What `run` reads where a box holds a set. `counted`: the value that means chosen; None: each column holds the
    answer itself (the first, the second, … of a list)."""

    id: str
    name: str
    columns: list[Column]
    counted: Value | None

    @property
    def title(self) -> str:
        return self.name


def apart(box: Sequence[Column | AnswerSet]) -> tuple[list[Column], list[AnswerSet]]:
    """The variables of a box, and its sets."""
    columns = [item for item in box if not isinstance(item, AnswerSet)]
    return columns, [item for item in box if isinstance(item, AnswerSet)]


def is_set(item: Any) -> bool:
    """Does this item of a box stand for a set? On the wire it is `{"set", "name", "columns", "counted"}`."""
    return isinstance(item, dict)


def singly(items: Sequence[Any]) -> list[str]:
    """The variables among the items of a box on the wire."""
    return [item for item in items if not is_set(item)]


def columns_of(item: Any) -> list[str]:
    """The columns an item of a box names."""
    return list(item["columns"]) if is_set(item) else [item]


def read_set(item: dict[str, Any]) -> dict[str, Any]:
    """The item with nothing left out; 1 is counted where nothing else is said, as importers have it."""
    columns = list(item["columns"])
    known = {"set": item.get("set") or "", "name": item.get("name") or "多选题", "columns": columns}
    return {**known, "counted": item.get("counted", 1)}
