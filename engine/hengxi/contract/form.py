"""`class Input(Form)`: the fields of a method as typed attributes, in the order of display."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform

import numpy as np

from .assets import Assets
from .columns import Column
from .fields import (
    Binder,
    Field,
    MatchedField,
    RoleField,
    blocks,
    cases,
    choice,
    dataset,
    dictionary,
    flag,
    formula,
    frozen,
    integer,
    level,
    many,
    mapping,
    matched,
    matrix,
    model,
    moment,
    number,
    numbers,
    paths,
    records,
    role,
    settings,
    terms,
    timeline,
    tree,
    upload,
    weight,
    within,
    words,
)
from .fields.base import LEVEL_VALUE, NULLABLE_COLUMN, Schema
from .fields.dataset import OtherTable, TableChoice
from .limits import Limit, judge_limit
from .measures import ColumnInfo, title_of
from .models import ModelChoice
from .refusal import Fault, Remedy
from .when import holds
from .wire_shape import has_shape

if TYPE_CHECKING:
    from .progress import Progress

# Names the platform gives a form; a field of that name would hide it.
PLATFORM_NAMES = frozenset(
    {"fields", "schema", "rng", "seed", "progress", "case_weight", "row_numbers", "about", "again"}
)
SEED = 20240101


@dataclass_transform(
    kw_only_default=True,
    field_specifiers=(
        role,
        weight,
        level,
        settings,
        terms,
        mapping,
        dataset,
        model,
        dictionary,
        upload,
        blocks,
        matched,
        matrix,
        moment,
        paths,
        records,
        timeline,
        tree,
        within,
        cases,
        choice,
        many,
        number,
        integer,
        flag,
        words,
        numbers,
        formula,
        frozen,
    ),
)
class Form:
    """Base of every `Input`. An instance holds bound values: `Column`s, `Level`s, numbers, words."""

    fields: ClassVar[dict[str, Field]] = {}
    again: ClassVar[Sequence[str] | None] = None
    """A step that is run anew, perhaps on other data: the variables it made before, which later steps may use."""

    if TYPE_CHECKING:
        seed: ClassVar[int]
        rng: ClassVar[np.random.Generator]
        progress: ClassVar[Progress]
        case_weight: ClassVar[Column | None]
        whole: ClassVar[OtherTable]
        """Of a data step: the table itself, with all its columns, in the rows used."""
        about: ClassVar[str]
        """All variables of the `each` role in words; `run` sees one of them at a time."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        annotations = inspect.get_annotations(cls, eval_str=True)
        fields = dict(cls.fields)
        for key, value in list(vars(cls).items()):
            if not isinstance(value, Field):
                continue
            if key.startswith("_") or key in PLATFORM_NAMES:
                raise TypeError(f"{cls.__qualname__}: a field may not be called {key!r}")
            if key not in annotations:
                raise TypeError(f"{cls.__qualname__}.{key} has no type")
            value.key = key
            value.annotate(annotations[key])
            fields[key] = value
        cls.fields = fields

    @classmethod
    def schema(cls, random: bool) -> Schema:
        """JSON Schema of the body: shapes only; limits are worded by the engine."""
        split = {
            "type": ["object", "null"],
            "properties": {
                "column": {"type": "string"},
                "levels": {"type": ["array", "null"], "items": LEVEL_VALUE},
                "total": {"type": "boolean"},
            },
            "required": ["column"],
            "additionalProperties": False,
        }
        properties: dict[str, Schema] = {key: field.schema() for key, field in cls.fields.items()}
        if random:
            properties["seed"] = {"type": ["integer", "null"], "minimum": 0, "maximum": 2147483647}
        properties |= {
            "_filter": {"type": ["string", "null"]},
            "_split": split,
            "_weight": NULLABLE_COLUMN,
            "_preview": {"type": "boolean"},
        }
        return {"type": "object", "properties": properties, "additionalProperties": False}


class Judge:
    """Judges a wire form against its declaration and the columns' metadata; resolves defaults and automatic values."""

    def __init__(
        self,
        form: type[Form],
        limits: Sequence[Limit],
        raw: dict[str, Any],
        columns: Sequence[ColumnInfo],
        is_filtered: bool = False,
        models: Mapping[str, ModelChoice | list[TableChoice]] | None = None,
        assets: Assets | None = None,
    ) -> None:
        self.is_filtered = is_filtered
        self._models, self._assets = models or {}, assets or {}
        self._form, self._limits, self._raw = form, limits, raw
        self._columns = {column.id: column for column in columns}
        self._resolved: dict[str, Any] = {}
        self._open: list[str] = []
        self.faults: list[Fault] = []

    def judge(self) -> dict[str, Any]:
        """The resolved form; what is wrong is in `faults`."""
        for key in self._form.fields:
            self.value(key)
        if not self.faults:
            self._judge_boxes()
            self._judge_limits()
        return {key: self._resolved[key] for key in self._form.fields}

    # ---- the context of the fields ---------------------------------------------------------------------------------
    def value(self, key: str) -> Any:
        if key not in self._resolved:
            field = self._form.fields[key]
            if key in self._open:
                raise TypeError(f"fields depend on each other in a circle: {[*self._open, key]}")
            self._open.append(key)
            shown = holds(field.when, self.value, self.columns)
            self._resolved[key] = self._resolve(field) if shown else field.empty()
            self._open.pop()
        return self._resolved[key]

    def _resolve(self, field: Field) -> Any:
        raw = self._raw.get(field.key)
        if raw is None or has_shape(raw, field.schema()):
            return field.resolve(raw, self)
        self.fault("form.shape", f"“{field.title}”的值不是这一设置项的写法，请重新设置")
        return field.empty()

    def columns(self, key: str) -> list[ColumnInfo]:
        field = self._form.fields[key]
        ids = field.column_ids(self.value(key))
        return [self._columns[column_id] for column_id in ids if column_id in self._columns]

    def column(self, column_id: str, table: str | None = None) -> ColumnInfo | None:
        if table is None:
            return self._columns.get(column_id)
        vid = (self.value(table) or {}).get("vid")
        columns = next((one.columns for one in self.tables(table) if one.vid == vid), [])
        return next((column for column in columns if column.id == column_id), None)

    def tables(self, key: str) -> list[TableChoice]:
        found = self._models.get(key)
        return found if isinstance(found, list) else []

    def known(self) -> list[ColumnInfo]:
        return list(self._columns.values())

    def kept_model(self, key: str) -> ModelChoice | None:
        found = self._models.get(key)
        return found if isinstance(found, ModelChoice) else None

    def asset(self, key: str) -> Mapping[str, Any] | None:
        return self._assets.get(key)

    def fault(
        self,
        code: str,
        text: str,
        *,
        column: str | None = None,
        row: int | None = None,
        remedies: Sequence[Remedy] = (),
        **facts: Any,
    ) -> None:
        key = self._open[-1] if self._open else None
        self.faults.append(
            Fault(field=key, code=code, text=text, facts=facts, column=column, row=row, remedies=list(remedies))
        )

    # ---- rules across fields ---------------------------------------------------------------------------------------
    def _judge_boxes(self) -> None:
        """A variable sits in one box only, unless `shared_with`; labels and ids may repeat one."""
        homes: dict[str, str] = {}
        for key, field in self._form.fields.items():
            if not field.holds_variables:
                continue
            shared = _shared_with(field)
            for column_id in field.column_ids(self._resolved[key]):
                other = homes.get(column_id)
                if other is not None and other != key and other not in shared and not self._shares(other, key):
                    name = title_of(self._columns[column_id])
                    text = f"变量“{name}”已在“{self._form.fields[other].title}”里，不能同时放进“{field.title}”"
                    self._fault_at([key, other], "role.duplicate", text, column_id)
                homes.setdefault(column_id, key)

    def _shares(self, key: str, with_key: str) -> bool:
        return with_key in _shared_with(self._form.fields[key])

    def _judge_limits(self) -> None:
        titles = {key: field.title for key, field in self._form.fields.items()}
        ids = {key: field.column_ids(self._resolved[key]) for key, field in self._form.fields.items()}
        for limit in self._limits:
            text = judge_limit(limit, titles, ids, self)
            if text is not None:
                self._fault_at(limit.concerned, f"limit.{limit.rule}", text)

    def _fault_at(self, keys: Sequence[str], code: str, text: str, column: str | None = None) -> None:
        """What fields do wrong together is marked at each of them."""
        for key in keys:
            self._open.append(key)
            self.fault(code, text, column=column)
            self._open.pop()


def _shared_with(field: Field) -> list[str]:
    """Fields whose variables this one may name again."""
    if isinstance(field, MatchedField):
        return [key for slot in field.slots for key in slot.shared_with]
    return field.shared_with if isinstance(field, RoleField) else []


def bind(form: type[Form], resolved: dict[str, Any], binder: Binder, **platform: Any) -> Form:
    """A form instance for `run`. `platform`: seed, rng, progress, case_weight, about, again."""
    instance = form.__new__(form)
    for key, field in form.fields.items():
        setattr(instance, key, field.bind(resolved[key], binder))
    for name, value in platform.items():
        setattr(instance, name, value)
    return instance


def named_columns(form: type[Form], resolved: dict[str, Any]) -> list[str]:
    """Ids of all columns the form names, each once, in the order of the fields."""
    ids: dict[str, None] = {}
    for key, field in form.fields.items():
        ids.update(dict.fromkeys(field.column_ids(resolved[key])))
    return list(ids)
