"""Rules across fields, closed: at_least, one_of, less, sums, disjoint, most(count)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from .fields.base import Context, Field
from .measures import title_of

Rule = Literal["at_least", "one_of", "less", "sums", "disjoint", "most"]


class FormFacts(Protocol):
    """The form as limits see it: each field's declaration beside the context."""

    def field(self, key: str) -> Field: ...


@dataclass(kw_only=True)
class Limit:
    """One rule; `fields` are the keys it speaks about, `args` the rest."""

    rule: Rule
    fields: list[str]
    args: dict[str, Any] = field(default_factory=dict)

    @property
    def concerned(self) -> list[str]:
        """Every field whose change could mend a breach."""
        counted = self.args.get("count")
        return self.fields if counted is None else [*self.fields, counted]


@dataclass(frozen=True)
class Count:
    """How many variables a field holds."""

    field: str


def count(field_key: str) -> Count:
    return Count(field_key)


def at_least(k: int, *fields: str) -> Limit:
    """At least k of the fields are filled."""
    return Limit(rule="at_least", fields=list(fields), args={"k": k})


def one_of(*fields: str) -> Limit:
    """Exactly one of the fields is filled."""
    return Limit(rule="one_of", fields=list(fields))


def less(low: str, high: str) -> Limit:
    """The first number is below the second."""
    return Limit(rule="less", fields=[low, high])


def sums(*fields: str, below: float | None = None, to: float | None = None) -> Limit:
    """The numbers add up to less than `below`, or to `to`."""
    return Limit(rule="sums", fields=list(fields), args={"below": below, "to": to})


def disjoint(*fields: str) -> Limit:
    """No variable is in two of the fields (true for all roles unless `shared_with`; this names the set)."""
    return Limit(rule="disjoint", fields=list(fields))


def most(field_key: str, top: Count | float) -> Limit:
    """The number is at most `top`, a number or the count of variables in another field."""
    args = {"count": top.field} if isinstance(top, Count) else {"value": top}
    return Limit(rule="most", fields=[field_key], args=args)


def is_filled(value: Any) -> bool:
    return value is not None and value is not False and value != [] and value != "" and value != {}


def judge_limit(limit: Limit, titles: dict[str, str], facts: dict[str, list[str]], context: Context) -> str | None:
    """The text of the breach, or None. `facts` are the column ids of each field."""
    values = [context.value(key) for key in limit.fields]
    names = "、".join(f"“{titles[key]}”" for key in limit.fields)
    filled_count = sum(is_filled(value) for value in values)
    match limit.rule:
        case "at_least" if filled_count < limit.args["k"]:
            return f"{names}至少填 {limit.args['k']} 项，现填了 {filled_count} 项"
        case "one_of" if filled_count != 1:
            return f"{names}只能填一项，且必须填一项，现填了 {filled_count} 项"
        case "less" if None not in values and not float(values[0]) < float(values[1]):
            return f"“{titles[limit.fields[0]]}”须小于“{titles[limit.fields[1]]}”"
        case "sums" if None not in values:
            return _judge_sum(sum(map(float, values)), limit, names)
        case "disjoint":
            return _judge_disjoint(limit, titles, facts, context)
        case "most" if values[0] is not None:
            top = len(facts[limit.args["count"]]) if "count" in limit.args else limit.args["value"]
            if float(values[0]) > top:
                of = f"“{titles[limit.args['count']]}”的变量数 {top}" if "count" in limit.args else f" {top:g}"
                return f"“{titles[limit.fields[0]]}”不能大于{of}"
    return None


def _judge_sum(total: float, limit: Limit, names: str) -> str | None:
    below, to = limit.args["below"], limit.args["to"]
    if below is not None and not total < below:
        return f"{names}之和须小于 {below:g}，现为 {total:g}"
    if to is not None and abs(total - to) > 1e-9:
        return f"{names}之和须等于 {to:g}，现为 {total:g}"
    return None


def _judge_disjoint(limit: Limit, titles: dict[str, str], facts: dict[str, list[str]], context: Context) -> str | None:
    home: dict[str, str] = {}
    for key in limit.fields:
        for column_id in facts[key]:
            if column_id in home and home[column_id] != key:
                column = context.column(column_id)
                name = title_of(column) if column else column_id
                return f"变量“{name}”同时在“{titles[home[column_id]]}”和“{titles[key]}”里，请从其中一处移去"
            home.setdefault(column_id, key)
    return None
