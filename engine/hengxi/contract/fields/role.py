"""`role`: boxes for variables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from ..answer_sets import AnswerSet, columns_of, is_set, read_set
from ..measures import ColumnInfo, Wanted, fits, is_number, title_of
from ..refusal import MethodRemedy, Refusal, Remedy, SetRemedy, StepRemedy
from ..when import Condition, level_count
from .base import (
    ANSWER_SET,
    COLUMN,
    NULLABLE_COLUMN,
    AutoRule,
    Binder,
    Context,
    Field,
    Schema,
    common,
    is_list,
    optional,
)
from .set_items import judge_set

Values = Literal["non_negative", "positive", "whole", "binary", "unit"]
VALUE_WORDS: dict[str, str] = {
    "non_negative": "非负数",
    "positive": "正数",
    "whole": "整数",
    "binary": "只有两个取值",
    "unit": "0 到 1 之间的数",
}
MEASURE_WORDS: dict[str, str] = {"有序": "有先后顺序的定类"}


@dataclass(kw_only=True)
class RoleField(Field):
    holds_variables = True

    type: Literal["role"] = "role"
    many: bool = False
    min: int
    max: int | None
    measure: Wanted
    levels: tuple[int, int | None] | None = None
    values: Values | None = None
    each: bool = False
    use: Literal["label", "id"] | None = None
    shared_with: list[str]
    ordered: bool = False
    varies: bool = False
    sets: bool = False
    """Takes sets of multiple answers beside variables."""
    gaps: bool = field(default=False, metadata={"wire": False})
    """A variable without a single value may stand here: its place among the others says what it would be."""
    table: str | None = None
    """The `dataset` field whose columns this box takes, instead of those of the table itself."""
    along: str | None = field(default=None, metadata={"wire": False})
    """The each-role whose variables this one's go along with, by their order: pairs."""

    def annotate(self, annotation: Any) -> None:
        self.many = is_list(annotation) or self.each or self.along is not None
        if self.sets and (self.each or not self.many):
            raise TypeError(f"{self.key}: sets stand in lists only, and not among variables analysed one by one")
        if self.many:
            self.max = None if self.max == 0 else self.max
        else:
            self.max = 1
            self.min = 0 if optional(annotation) else 1
        self.required = self.min > 0

    def schema(self) -> Schema:
        # A set has the shape everywhere: that a box takes none is told in words, with what to do instead.
        if self.many:
            return {"type": ["array", "null"], "items": {"anyOf": [COLUMN, ANSWER_SET]}}
        return {"anyOf": [NULLABLE_COLUMN, ANSWER_SET]}

    def empty(self) -> Any:
        return [] if self.many else None

    def items(self, resolved: Any) -> list[Any]:
        """Ids of columns, and sets."""
        return list(resolved) if self.many else [resolved] if resolved else []

    def column_ids(self, resolved: Any) -> list[str]:
        """The columns of sets included, each once; those of another table are none of the table's."""
        if self.table is not None:
            return []
        return list(dict.fromkeys(column_id for item in self.items(resolved) for column_id in columns_of(item)))

    def alone_ids(self, resolved: Any) -> list[str]:
        """The variables that are in the box themselves."""
        return [item for item in self.items(resolved) if not is_set(item)]

    def resolve(self, raw: Any, context: Context) -> Any:
        given: list[Any] = list(raw or []) if self.many else [raw] if raw else []
        items: list[Any] = [read_set(item) if is_set(item) else item for item in given]
        ids = [item for item in items if not is_set(item)]
        columns = [column for column_id in ids if (column := self.judge_column(column_id, ids, context)) is not None]
        sets = [item for item in items if is_set(item)]
        for item in sets:
            judge_set(self, item, items, context)
        if len(set(ids)) < len(ids):
            twice = next((c.name for c in columns if ids.count(c.id) > 1), ids[0])
            context.fault("role.duplicate", f"“{self.title}”中变量“{twice}”放了两次，请移去一个")
        if (again := next((item for item in sets if sets.count(item) > 1), None)) is not None:
            context.fault("role.duplicate", f"“{self.title}”中多选题集“{again['name']}”放了两次，请移去一个")
        if len(items) < self.min:
            self._too_few(len(items), context)
        if self.along is not None:
            self._judge_pairs(ids, context)
        if self.max is not None and len(items) > self.max:
            text = f"“{self.title}”最多放 {self.max} 个变量，现有 {len(items):,} 个，请移去多余的"
            context.fault("role.many", text, k=len(items), max=self.max)
        return items if self.many else items[0] if items else None

    def _judge_pairs(self, ids: list[str], context: Context) -> None:
        """As many as in the box they go along with, and no variable beside itself."""
        firsts = list(context.value(str(self.along)) or [])
        if len(ids) not in (0, len(firsts)):
            text = f"配对的两个框里变量个数必须相同，现在是 {len(firsts)} 个和 {len(ids)} 个，请补齐或移去多余的"
            context.fault("role.pairs", text, k=len(ids))
        for k, (first, second) in enumerate(zip(firsts, ids, strict=False), 1):
            if first == second and (column := context.column(first)) is not None:
                text = f"第 {k} 对选择了同一个变量“{title_of(column)}”，请换掉其中一个"
                context.fault("role.same", text, column=first)

    def _too_few(self, k: int, context: Context) -> None:
        if k == 0:
            kind = "变量" if self.measure == "任意" else f"{_word(self.measure)}变量"
            context.fault("role.required", f"请在“{self.title}”放入{kind}")
        else:
            context.fault("role.few", f"“{self.title}”至少放 {self.min} 个变量，现有 {k} 个", k=k, min=self.min)

    def judge_column(self, column_id: str, ids: list[str], context: Context) -> ColumnInfo | None:
        """The column where it exists; what does not fit this box is a fault. `ids`: all that the box holds."""
        if self.table is not None and not context.value(self.table):
            return None
        column = context.column(column_id, self.table)
        if column is None:
            context.fault("role.gone", f"“{self.title}”中的变量在当前数据版本里不存在，请重新选择", column=column_id)
            return None
        name = title_of(column)
        if self.gaps and column.profile.n == 0:
            return column
        if not fits(column, self.measure):
            self._refuse_measure(column, context)
            return column
        if column.profile.n == 0:
            words = f"变量“{name}”没有有效值（全部缺失），请移去或换一个变量"
            context.fault("role.empty", words, column=column_id, remedies=self._without(column, ids))
            return column
        if self.varies and column.profile.distinct < 2:
            words = f"变量“{name}”只有一个取值，没有变异，请移去或换一个变量"
            context.fault("role.constant", words, column=column_id, remedies=self._without(column, ids))
        self._judge_levels(column, context)
        if self.values is not None and not _has_values(column, self.values):
            words = VALUE_WORDS[self.values]
            context.fault("role.values", f"“{self.title}”须为{words}，变量“{name}”不符合", column=column_id)
        return column

    def _refuse_measure(self, column: ColumnInfo, context: Context) -> None:
        words = f"“{self.title}”需要{_word(self.measure)}变量；“{title_of(column)}”是{column.measure}"
        most, k = (self.levels or (0, None))[1], column.profile.distinct
        too_many = most is not None and k > most and not context.is_filtered
        # As categories each value would be a group of its own. Only codes are; of too many no change of type helps.
        remedy = StepRemedy(title="改变类型", step="measure", columns=[column.id])
        if self.measure in ("定类", "有序") and column.measure == "定量":
            text = f"{words}，有 {k:,} 个不同取值。可以分成几段，也可以不分组，改看它与其他变量的关系"
            retype = [] if too_many or not column.profile.whole else [remedy]
            context.fault("role.measure", text, column=column.id, remedies=[*_for_a_measure(column), *retype])
            return
        if column.measure == "文本" and too_many:
            text = f"{words}，有 {k:,} 个不同取值（最多 {most} 类），请改用别的变量，或先把取值归并成少数几类"
            context.fault("role.measure", text, column=column.id)
            return
        context.fault("role.measure", f"{words}，请改用别的变量或改变它的类型", column=column.id, remedies=[remedy])

    def _without(self, column: ColumnInfo, ids: list[str]) -> list[SetRemedy]:
        """Taking the variable out, where enough others stay."""
        rest = [other for other in ids if other != column.id]
        # Without a key the box is a part of a larger field, whose value a remedy cannot set.
        if not self.many or not self.key or len(rest) < max(self.min, 1):
            return []
        return [SetRemedy(title=f"移去“{title_of(column)}”", set={self.key: rest})]

    def _judge_levels(self, column: ColumnInfo, context: Context) -> None:
        if self.levels is None:
            return
        low, high = self.levels
        k = level_count(column)
        # A filter can only take categories away: too many may still become enough, judged again in `bind`.
        if k < low or (high is not None and k > high and not context.is_filtered):
            words = f"“{self.title}”需要{_range(low, high)}的变量；“{title_of(column)}”有 {k:,} 个类别"
            context.fault("role.levels", f"{words}，{_levels_way(k, low)}", column=column.id, k=k)

    def bind(self, resolved: Any, binder: Binder) -> Any:
        alone = self.alone_ids(resolved)
        bound = [
            self._bound_set(item, binder) if is_set(item) else binder.column(item, self.table)
            for item in self.items(resolved)
        ]
        for column in bound:
            if not isinstance(column, AnswerSet):
                self.judge_used(column, alone)
        if self.many:
            return bound
        return bound[0] if bound else None

    @staticmethod
    def _bound_set(item: dict[str, Any], binder: Binder) -> AnswerSet:
        columns = [binder.column(column_id) for column_id in item["columns"]]
        return AnswerSet(item["set"] or "+".join(item["columns"]), item["name"], columns, item["counted"])

    def judge_used(self, column: Any, ids: list[str]) -> None:
        """What the metadata allowed may not hold in the rows used."""
        if self.levels is not None:
            low, high = self.levels
            k = len(column.levels)
            if k < low or (high is not None and k > high):
                name, way = title_of(column), _levels_way(k, low)
                words = f"“{self.title}”需要{_range(low, high)}；在参与分析的行里“{name}”有 {k:,} 个类别，{way}"
                raise Refusal("role.levels", words, field=self.key, column=column.id, k=k)
        if self.varies and not column.varies:
            words = f"在参与分析的行里变量“{title_of(column)}”只有一个取值，没有变异，请移去或换一个变量"
            remedies = self._without(column.info, ids)
            raise Refusal("role.constant", words, field=self.key, column=column.id, remedies=remedies)

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        ids = self.items(good)
        if self.min > 0:
            yield (self.empty(), "role.required")
        if self.min > 1 and len(ids) >= self.min:
            yield (ids[: self.min - 1], "role.few")
        yield ([*ids, "c99999"] if self.many else "c99999", "role.gone")
        if self.many and ids:
            yield ([*ids, ids[0]], "role.duplicate")
        yield from self._bad_sets(ids, [column.id for column in context.known()])

    def _bad_sets(self, ids: list[Any], known: list[str]) -> Iterator[tuple[Any, str]]:
        item = {"set": "s99", "name": "多选题", "columns": known[:2]}
        if not self.sets and len(known) > 1:
            yield ([item] if self.many else item, "role.set")
        elif self.sets:
            yield ([*ids, {**item, "columns": [*known[:1], "c99999"]}], "role.gone")
            yield ([*ids, {**item, "columns": known[:1]}], "role.set_few")


def _for_a_measure(column: ColumnInfo) -> list[Remedy]:
    """What a quantity in a box for groups may be meant for; without `carry` all variables of the form go along."""
    return [
        StepRemedy(title="分成几段", step="data_processing/binning", columns=[column.id]),
        MethodRemedy(title="改做相关分析", method="descriptive/correlation", carry=[]),
        MethodRemedy(title="改做线性回归", method="statistical/linear_regression", carry=[]),
    ]


def _word(measure: str) -> str:
    return MEASURE_WORDS.get(measure, measure)


def _range(low: int, high: int | None) -> str:
    if high is None:
        return f"至少 {low} 个类别"
    return f"正好 {low} 个类别" if low == high else f" {low} 到 {high} 个类别"


def _levels_way(k: int, low: int) -> str:
    return "请换一个变量" if k < low else "请先合并类别或换一个变量"


def _has_values(column: ColumnInfo, values: Values) -> bool:
    profile = column.profile
    if values == "binary":
        return profile.distinct == 2
    if not is_number(column):
        return False
    if values == "unit":
        return float(profile.min or 0) >= 0 and float(profile.max or 0) <= 1
    return bool(getattr(profile, values))


def role(
    title: str,
    measure: Wanted,
    *,
    min: int = 1,
    max: int | None = 0,
    levels: int | tuple[int, int | None] | None = None,
    values: Values | None = None,
    each: bool = False,
    use: Literal["label", "id"] | None = None,
    shared_with: str | tuple[str, ...] = (),
    ordered: bool = False,
    varies: bool = False,
    sets: bool = False,
    along: str | None = None,
    gaps: bool = False,
    table: str | None = None,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """A box. Annotate `Column`, `Column | None` or `list[Column]`; min and max count for lists (max None = no limit).

    `each=True`: many variables on the wire, `run` sees one `Column` at a time; annotate `Column`.
    `shared_with`: fields whose variables may also be in this box. `use="label"`: a gap in it never drops a row.
    `along="pairs_a"`: many on the wire; `run` sees the one that stands beside that of the each-role `pairs_a` (None
    where the box is empty and `min=0`); annotate `Column`.
    `table="right"`: columns of the table that the `dataset` field `right` names.
    `gaps=True`: also takes variables without a single value, which keep their place among the others.
    `sets=True`: also takes sets of multiple answers; annotate `list[Column | AnswerSet]`.
    """
    return RoleField(
        title=title,
        measure=measure,
        min=min,
        max=max,
        levels=(levels, levels) if isinstance(levels, int) else levels,
        values=values,
        each=each,
        use=use,
        shared_with=[shared_with] if isinstance(shared_with, str) else list(shared_with),
        ordered=ordered,
        varies=varies,
        sets=sets,
        along=along,
        gaps=gaps,
        table=table,
        **common(hint=hint, when=when, advanced=advanced, auto=auto),
    )
