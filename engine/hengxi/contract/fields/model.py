"""`model`: one of the user's saved models, and which columns of this table answer its variables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..measures import ColumnInfo, is_number, title_of
from ..models import ModelChoice, ModelFeature, Task
from ..refusal import StepRemedy
from ..when import Condition
from .base import AutoRule, Binder, Context, Field, Schema, common

TASK_WORDS = {"classification": "分类", "regression": "回归"}


@dataclass(kw_only=True)
class ModelField(Field):
    """Wire: `{"model_id": 8, "columns": {"x1": "c3", "x2": null}}`; a feature not named goes to the column of its name.

    `model_id` null is the newest saved model of the task. Which models there are is the server's to say.
    """

    type: Literal["model"] = "model"
    task: Task

    def schema(self) -> Schema:
        return {
            "type": ["object", "null"],
            "properties": {
                "model_id": {"type": ["integer", "null"]},
                "columns": {
                    "type": "object",
                    "propertyNames": {"pattern": "^x[1-9][0-9]*$"},
                    "additionalProperties": {"type": ["string", "null"], "pattern": "^c[1-9][0-9]*$"},
                },
                "target": {"type": ["string", "null"]},
            },
            "additionalProperties": False,
        }

    def resolve(self, raw: Any, context: Context) -> Any:
        given = raw if isinstance(raw, dict) else {}
        choice = context.kept_model(self.key)
        if choice is None:
            code = "model.gone" if given.get("model_id") is not None else "model.required"
            context.fault(code, f"“{self.title}”：未找到该模型，请先训练并保存{TASK_WORDS[self.task]}模型")
            return {"model_id": given.get("model_id"), "columns": {}, "target": None}
        if choice.card.task != self.task:
            own, other = TASK_WORDS[self.task], TASK_WORDS[choice.card.task]
            context.fault("model.task", f"“{self.title}”需要{own}模型；“{choice.name}”是{other}模型")
        columns = self._columns(choice, given.get("columns") or {}, context)
        return {"model_id": choice.model_id, "columns": columns, "target": self._target(choice, columns, context)}

    def _columns(self, choice: ModelChoice, given: dict[str, Any], context: Context) -> dict[str, str | None]:
        columns: dict[str, str | None] = {}
        missing: list[str] = []
        for feature in choice.card.features:
            own = given[feature.key] if feature.key in given else _same_name(feature, context.known())
            column = context.column(own) if own else None
            columns[feature.key] = None if column is None else column.id
            if own and column is None:
                words = f"“{self.title}”：与模型变量“{_title(feature)}”对应的变量在当前数据版本里不存在，请重新选择"
                context.fault("model.columns", words, column=own)
            elif column is None:
                missing.append(_title(feature))
            else:
                self._judge_kind(feature, column, context)
        if missing:
            words = f"新数据缺少模型“{choice.name}”需要的变量：{'、'.join(f'“{name}”' for name in missing)}；"
            context.fault("model.columns", words + f"请在“{self.title}”下指定对应的变量，或换一份数据")
        return columns

    def _judge_kind(self, feature: ModelFeature, column: ColumnInfo, context: Context) -> None:
        """Numbers must be numbers; dates only answer dates; categories are compared value by value in the run."""
        if column.profile.n == 0:
            return  # Empty cells are of no kind; whether the model can do without them is told in the run.
        wrong = None
        if (feature.measure == "时间") != (column.measure == "时间"):
            wrong = feature.measure
        elif feature.kind == "number" and feature.measure != "时间" and not is_number(column):
            wrong = "定量"
        if wrong is not None:
            words = (
                f"变量“{title_of(column)}”应为{wrong}，新数据中是{column.measure}，不能对应模型变量“{_title(feature)}”"
            )
            words += f"；请改变它的类型，或在“{self.title}”下指定别的变量"
            remedy = StepRemedy(title="改变类型", step="measure", columns=[column.id])
            context.fault("model.measure", words, column=column.id, remedies=[remedy])

    def _target(self, choice: ModelChoice, columns: dict[str, str | None], context: Context) -> str | None:
        """The true values, where the table has them: the column of the target's name, unless it answers a feature."""
        target = choice.card.target
        named = [one for one in context.known() if one.name == target.name]
        return named[0].id if named and named[0].id not in columns.values() else None

    def column_ids(self, resolved: Any) -> list[str]:
        if not resolved:
            return []
        found = [column for column in resolved["columns"].values() if column]
        return list(dict.fromkeys([*found, *([resolved["target"]] if resolved.get("target") else [])]))

    def bind(self, resolved: Any, binder: Binder) -> Any:
        return binder.kept_model(self.key, resolved)

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        first = next(iter(good["columns"]), None)
        if first is not None:
            yield ({**good, "columns": {**good["columns"], first: "c99999"}}, "model.columns")
            yield ({**good, "columns": {**good["columns"], first: None}}, "model.columns")


def _title(feature: ModelFeature) -> str:
    return feature.label or feature.name


def _same_name(feature: ModelFeature, columns: list[ColumnInfo]) -> str | None:
    """By name, then by label; a label that two columns share names none."""
    by_name = [one.id for one in columns if one.name == feature.name]
    if by_name:
        return by_name[0]
    words = {feature.name, feature.label} - {None, ""}
    by_label = [one.id for one in columns if one.label in words or one.name in words]
    return by_label[0] if len(by_label) == 1 else None


def model(
    title: str,
    *,
    task: Task,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """A saved model with the columns that answer its variables. Annotate `KeptModel`."""
    return ModelField(title=title, task=task, **common(hint=hint, when=when, advanced=advanced, auto=auto))
