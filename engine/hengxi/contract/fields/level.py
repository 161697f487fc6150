"""`level`: categories of a chosen variable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..measures import ColumnInfo, LevelInfo, title_of
from ..refusal import Refusal
from ..when import Condition
from .base import LEVEL_VALUE, AutoRule, Binder, Context, Field, Schema, common, missing_choice, optional

UNKNOWN = "no such level"


def same_value(a: Any, b: Any) -> bool:
    """Stored values are equal; a number is never equal to its digits written as text."""
    return isinstance(a, str) == isinstance(b, str) and a == b


def kind_and_value(value: Any) -> tuple[bool, Any]:
    """Equal for what is the `same_value`, so that a million levels are looked up and not compared one by one."""
    return isinstance(value, str), value


@dataclass(kw_only=True)
class LevelField(Field):
    """`of` is empty inside `settings`: there the variable is the row's own. `alone`: rows of levels that are not
    chosen take no part in the run."""

    type: Literal["level"] = "level"
    of: list[str]
    many: tuple[int, int | None] | None = None
    ordered: bool = False
    typed: bool = False
    alone: bool = False

    def annotate(self, annotation: Any) -> None:
        self.required = self.auto is None and not optional(annotation) and (self.many is None or self.many[0] > 0)

    def schema(self) -> Schema:
        return {"type": ["array", "null"], "items": LEVEL_VALUE} if self.many else LEVEL_VALUE

    def empty(self) -> Any:
        return [] if self.many else None

    def resolve(self, raw: Any, context: Context) -> Any:
        columns = [column for key in self.of for column in context.columns(key)]
        return self.resolve_in(raw, columns, context)

    def resolve_in(self, raw: Any, columns: list[ColumnInfo], context: Context) -> Any:
        """Judge against the levels of these columns."""
        known = [level for column in columns for level in column.levels or [] if level.count > 0]
        open_ended = self.typed or any(column.levels is None for column in columns)
        if self.many is None:
            if raw is None:
                return self._automatic(known, bool(columns), context)
            self._judge(raw, columns, known, open_ended, context)
            return raw
        chosen = list(raw or [])
        for value in chosen:
            self._judge(value, columns, known, open_ended, context)
        self._judge_count(chosen, columns, context)
        return chosen

    def _automatic(self, known: list[LevelInfo], is_chosen: bool, context: Context) -> Any:
        if self.auto is None or self.auto.rule not in ("first", "last"):
            if self.required and is_chosen:
                missing_choice(self, context, "level", "请选择")
            return None
        if not known:
            return None
        return (known[0] if self.auto.rule == "first" else known[-1]).value

    def _judge(
        self, value: Any, columns: list[ColumnInfo], known: list[LevelInfo], open_ended: bool, context: Context
    ) -> None:
        if open_ended or not columns or any(same_value(level.value, value) for level in known):
            return
        names = "、".join(title_of(column) for column in columns)
        listed = any(same_value(level.value, value) for column in columns for level in column.levels or [])
        reason = "在数据中没有出现" if listed else "不是它的取值"
        context.fault(
            "level.absent" if listed else "level.unknown",
            f"“{self.title}”：“{value}”{reason}（变量“{names}”），请重新选择",
            column=columns[0].id,
            value=value,
        )

    def _judge_count(self, chosen: list[Any], columns: list[ColumnInfo], context: Context) -> None:
        low, high = self.many or (0, None)
        if not chosen and not self.required:
            return
        if not chosen and columns:
            missing_choice(self, context, "level", "请选择")
        elif chosen and (len(chosen) < low or (high is not None and len(chosen) > high)):
            wanted = f"正好 {low} 个" if low == high else f"至少 {low} 个" if high is None else f"{low} 到 {high} 个"
            context.fault("level.count", f"“{self.title}”须选{wanted}类别，现选了 {len(chosen)} 个", k=len(chosen))
        if len({repr(value) for value in chosen}) < len(chosen):
            context.fault("level.count", f"“{self.title}”中同一个类别选了两次", k=len(chosen))

    def bind(self, resolved: Any, binder: Binder) -> Any:
        columns = [column for key in self.of for column in binder.columns(key)]
        return self.bind_in(resolved, columns)

    def bind_in(self, resolved: Any, columns: list[Any]) -> Any:
        """`Level` objects of the columns as they are in the rows used."""
        if resolved is None:
            return None
        if self.many:
            return [self._find(value, columns) for value in resolved]
        return self._find(resolved, columns)

    def _find(self, value: Any, columns: list[Any]) -> Any:
        for column in columns:
            for one in column.all_levels:
                if same_value(one.value, value):
                    return one
        names = "、".join(title_of(column) for column in columns)
        text = f"“{self.title}”：“{value}”在参与分析的行里没有出现（变量“{names}”）"
        raise Refusal("level.absent", text, field=self.key, column=columns[0].id if columns else None)

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        columns = [column for key in self.of for column in context.columns(key)]
        if not columns or self.typed or any(column.levels is None for column in columns):
            return
        if self.many is None:
            yield (UNKNOWN, "level.unknown")
            return
        low, _ = self.many
        yield ([UNKNOWN] * 1 + [UNKNOWN + "2"] * (low > 1), "level.unknown")
        known = [level.value for column in columns for level in column.levels or [] if level.count > 0]
        if low > 1 and known:
            yield (known[: low - 1], "level.count")


def level(
    title: str,
    *,
    of: str | tuple[str, ...] = (),
    many: tuple[int, int | None] | None = None,
    ordered: bool = False,
    typed: bool = False,
    alone: bool = False,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """A category of the variable in field `of` (inside `settings`: of the row's variable).

    Annotate `Level`, `Level | None`, or with `many=(low, high)` `list[Level]`. `alone`: only rows of these are used.
    """
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    fields = [of] if isinstance(of, str) else list(of)
    return LevelField(title=title, of=fields, many=many, ordered=ordered, typed=typed, alone=alone, **words)
