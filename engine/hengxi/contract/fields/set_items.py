"""A set of multiple answers in a box: whether the box takes it, and whether its columns are answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..answer_sets import is_set
from ..measures import ColumnInfo, fits, title_of
from ..refusal import MethodRemedy, Remedy, SetRemedy
from .base import Context

if TYPE_CHECKING:
    from .role import RoleField

ANSWERS = 2
"""Chosen or not."""


def judge_set(field: RoleField, item: dict[str, Any], items: list[Any], context: Context) -> None:
    """Breaches go to `context.fault`; `items` is all that the box holds."""
    members = [(column_id, context.column(column_id)) for column_id in item["columns"]]
    known = [column for _, column in members if column is not None]
    if not field.sets:
        text = (
            f"“{field.title}”不能整组放多选题集：“{item['name']}”是一道题的 {len(members)} 个选项，各占一列，"
            "而这里一个变量只占一列"
        )
        remedies = _instead(field, item, items, known)
        context.fault("role.set", text, column=item["set"] or None, k=len(members), remedies=remedies)
    elif len(known) < len(members):
        gone = len(members) - len(known)
        text = f"“{field.title}”中多选题集“{item['name']}”有 {gone} 个选项在当前数据版本里不存在，请移去后重新放入"
        left = {**item, "columns": [column.id for column in known]}
        kept = [left if one == item else one for one in items]
        remedies = [SetRemedy(title="只用现有的选项", set={field.key: kept})] if len(known) > 1 else []
        context.fault("role.gone", text, column=item["set"] or None, k=gone, remedies=remedies)
    elif len(set(item["columns"])) < ANSWERS:
        text = f"“{field.title}”中多选题集“{item['name']}”只有 {len(members)} 个选项，至少要 2 个"
        context.fault("role.set_few", text, column=item["set"] or None, k=len(members))
    else:
        _judge_answers(field, item, known, context)


def _judge_answers(field: RoleField, item: dict[str, Any], known: list[ColumnInfo], context: Context) -> None:
    if all(column.profile.n == 0 for column in known):
        text = f"“{field.title}”中多选题集“{item['name']}”的选项全部缺失，请移去或换一个"
        context.fault("role.empty", text, column=item["set"] or None)
        return
    odd = next((column for column in known if column.profile.distinct > ANSWERS), None)
    if item["counted"] is not None and odd is not None:
        text = (
            f"多选题集“{item['name']}”的选项“{title_of(odd)}”有 {odd.profile.distinct:,} 种取值，"
            f"不是选与不选两种，不能放入“{field.title}”。请在数据的“变量”页把它移出题集，或先编码为 0 和 1"
        )
        context.fault("role.set_values", text, column=item["set"] or None, k=odd.profile.distinct)


def _instead(field: RoleField, item: dict[str, Any], items: list[Any], known: list[ColumnInfo]) -> list[Remedy]:
    """The options one by one where they fit, and the methods that take the question as a whole."""
    others = [one for one in items if not is_set(one)]
    singly = [*others, *(column.id for column in known if column.id not in others)]
    fitting = bool(known) and all(fits(column, field.measure) for column in known)
    remedies: list[Remedy] = []
    if field.many and fitting and (field.max is None or len(singly) <= field.max):
        remedies.append(SetRemedy(title="逐项加入这组变量", set={field.key: singly}))
    remedies.append(MethodRemedy(title="改做频数分析", method="descriptive/frequency", carry=[]))
    remedies.append(MethodRemedy(title="改做列联分析", method="descriptive/crosstabs", carry=[]))
    return remedies
