"""`frozen`: limits of a control chart that its owner kept from an earlier report, to judge new data by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..assets import FrozenLimits
from ..refusal import SetRemedy
from ..when import Condition
from .base import AutoRule, Binder, Context, Field, Schema, common


@dataclass(kw_only=True)
class FrozenField(Field):
    """Wire: `{"id": 7}`; null: limits come from the data. `table`: the hidden table of a report of this method whose
    rows, one for each phase, may be kept (`phase`, `center`, `sigma`, `extra`, `n`, `kind`)."""

    type: Literal["frozen"] = "frozen"
    table: str
    required: bool = False

    def schema(self) -> Schema:
        return {
            "type": ["object", "null"],
            "properties": {"id": {"type": "integer"}},
            "required": ["id"],
            "additionalProperties": False,
        }

    def resolve(self, raw: Any, context: Context) -> Any:
        if raw is None:
            return None
        if context.asset(self.key) is None:
            again = SetRemedy(title="由这批数据估计控制限", set={self.key: None})
            text = f"“{self.title}”：这份冻结的控制限已删除，请另选一份，或改为由这批数据估计"
            context.fault("frozen.gone", text, remedies=[again])
        return {"id": raw["id"]}

    def bind(self, resolved: Any, binder: Binder) -> Any:
        return None if not resolved else FrozenLimits(**binder.asset(self.key))

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        yield ({"id": 999_999}, "frozen.gone")


def frozen(
    title: str,
    *,
    table: str,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """Limits kept from a report. Annotate `FrozenLimits | None`."""
    return FrozenField(title=title, table=table, **common(hint=hint, when=when, advanced=advanced, auto=auto))
