"""`weight`: the variable that says how much each row counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..measures import is_number, title_of
from ..when import Condition
from .base import NULLABLE_COLUMN, AutoRule, Binder, Context, Field, Schema, common, missing_choice, optional

WeightKind = Literal["frequency", "sampling", "precision"]
WEIGHT_WORDS: dict[str, str] = {"frequency": "频数权重", "sampling": "抽样权重", "precision": "精度权重"}


@dataclass(kw_only=True)
class WeightField(Field):
    holds_variables = True

    type: Literal["weight"] = "weight"
    kind: WeightKind
    whole: bool = False

    def annotate(self, annotation: Any) -> None:
        self.required = not optional(annotation)

    def schema(self) -> Schema:
        return NULLABLE_COLUMN

    def column_ids(self, resolved: Any) -> list[str]:
        return [resolved] if resolved else []

    def resolve(self, raw: Any, context: Context) -> Any:
        if raw is None:
            if self.required:
                missing_choice(self, context, "weight", "请选择")
            return None
        column = context.column(raw)
        if column is None:
            context.fault("weight.gone", f"“{self.title}”中的变量在当前数据版本里不存在，请重新选择", column=raw)
        elif not is_number(column):
            context.fault("weight.text", f"{self._words}必须是数值；变量“{title_of(column)}”是文字", column=raw)
        elif context.is_filtered:
            pass  # The filter may leave out the rows with impossible weights; the run judges those that are used.
        elif self.kind == "precision" and column.profile.min is not None and float(column.profile.min) <= 0:
            text = f"{self._words}必须为正数；变量“{title_of(column)}”含有 0 或负数"
            context.fault("weight.zero", text, column=raw)
        elif not column.profile.non_negative:
            self.refuse_negative(title_of(column), raw, context)
        elif self.whole and not column.profile.whole:
            context.fault("weight.whole", f"{self._words}必须是非负整数；变量“{title_of(column)}”含小数", column=raw)
        elif column.profile.max is not None and float(column.profile.max) <= 0:
            context.fault("weight.zero", f"{self._words}“{title_of(column)}”之和为 0，无法计算", column=raw)
        return raw

    def refuse_negative(self, name: str, column_id: str, context: Context) -> None:
        context.fault("weight.negative", f"{self._words}必须是非负数；变量“{name}”含有负数", column=column_id)

    @property
    def _words(self) -> str:
        return WEIGHT_WORDS[self.kind]

    def bind(self, resolved: Any, binder: Binder) -> Any:
        return binder.column(resolved) if resolved else None

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        yield ("c99999", "weight.gone")


def weight(
    title: str,
    *,
    kind: WeightKind,
    whole: bool = False,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """A weight box, prefilled with the version's active weight of the same kind. Annotate `Column | None`.

    `whole=True` refuses fractions (a test that counts cases cannot count half of one).
    """
    common_words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return WeightField(title=title, kind=kind, whole=whole, **common_words)
