"""What every field type has: the facts that travel, and how a wire value is judged, bound and broken by tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from ..measures import ColumnInfo
from ..models import ModelChoice
from ..refusal import Remedy
from ..when import Condition, When, read_when

AutoRule = Literal["first", "last", "equal", "median", "from_name", "detect"]

AUTO_TITLES: dict[str, str] = {
    "first": "首水平",
    "last": "末水平",
    "equal": "等权",
    "median": "中位数",
    "from_name": "按列名",
    "detect": "自动识别",
}

Schema = dict[str, Any]
NULLABLE_COLUMN: Schema = {"type": ["string", "null"], "pattern": "^c[1-9][0-9]*$"}
COLUMN: Schema = {"type": "string", "pattern": "^c[1-9][0-9]*$"}
LEVEL_VALUE: Schema = {"type": ["string", "number", "boolean", "null"]}
ANSWER_SET: Schema = {
    "type": "object",
    "properties": {
        "set": {"type": "string"},
        "name": {"type": "string"},
        "columns": {"type": "array", "items": COLUMN},
        "counted": LEVEL_VALUE,
    },
    "required": ["columns"],
    "additionalProperties": False,
}


@dataclass(kw_only=True)
class Auto:
    """What `null` means: a rule the engine applies, or words for what it does; the report states the value taken."""

    rule: AutoRule | None
    title: str


class Context(Protocol):
    """The form being judged, from metadata alone. With a filter the rows used are fewer than the metadata describe."""

    is_filtered: bool

    def value(self, key: str) -> Any:
        """The resolved value of another field (None or [] while hidden)."""

    def columns(self, key: str) -> list[ColumnInfo]:
        """The columns another field names."""

    def column(self, column_id: str, table: str | None = None) -> ColumnInfo | None:
        """`table`: the `dataset` field whose table it is a column of; None: the table itself."""

    def tables(self, key: str) -> list[Any]:
        """The tables (`TableChoice`) that the `dataset` field `key` may name."""

    def known(self) -> list[ColumnInfo]:
        """All columns of the table."""

    def kept_model(self, key: str) -> ModelChoice | None:
        """The saved model that the `model` field `key` names; None: there is none that the user may use."""

    def asset(self, key: str) -> Mapping[str, Any] | None:
        """What the `dictionary` or `upload` field `key` names by id; None: the user has no such thing."""

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
        """Note a fault of the field being judged."""


class Binder(Protocol):
    """Turns resolved wire values into what `run` reads."""

    def column(self, column_id: str, table: str | None = None) -> Any: ...

    def other_table(self, key: str, vid: int) -> Any: ...

    def columns(self, key: str) -> list[Any]: ...

    def formula(self, source: str, kind: Literal["expression", "condition"]) -> Any: ...

    def kept_model(self, key: str, resolved: dict[str, Any]) -> Any: ...

    def asset(self, key: str) -> Any: ...


@dataclass(kw_only=True)
class Field:
    """One input of a form. `key` is the attribute's name, filled in when the form's class is made."""

    holds_variables: ClassVar[bool] = False
    """A box or several: the report lists its variables, and a variable is in one of them only."""

    type: str
    key: str = ""
    title: str
    hint: str | None = None
    when: When | None = None
    advanced: bool = False
    auto: Auto | None = None
    required: bool = True

    # ---- reading -----------------------------------------------------------------------------------------------
    def schema(self) -> Schema:
        """The shape a body must have. Limits are not in it: the engine words them, the server must not."""
        raise NotImplementedError

    def resolve(self, raw: Any, context: Context) -> Any:
        """The wire value with defaults and automatic values filled in; breaches go to `context.fault`."""
        raise NotImplementedError

    def bind(self, resolved: Any, binder: Binder) -> Any:
        """What `run` reads."""
        return resolved

    def empty(self) -> Any:
        """What `run` reads, and what travels, while the field is hidden."""
        return None

    def column_ids(self, resolved: Any) -> list[str]:
        """Columns the value names; they are loaded, and rows without them may be dropped."""
        return []

    def annotate(self, annotation: Any) -> None:
        """Take what the attribute's type says (one or many, required or not)."""

    # ---- for the shared tests ------------------------------------------------------------------------------------
    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        """Wire values that must be refused, each with its code, given a good one."""
        return iter(())

    def other_values(self, good: Any, context: Context) -> Iterator[Any]:
        """Further wire values that must run."""
        return iter(())


def common(*, hint: str | None, when: Condition | None, advanced: bool, auto: AutoRule | str | None) -> dict[str, Any]:
    """The keywords every field takes."""
    known = auto in AUTO_TITLES
    words = None if auto is None else Auto(rule=auto if known else None, title=AUTO_TITLES.get(auto, auto))  # type: ignore[arg-type]
    return {"hint": hint, "when": read_when(when), "advanced": advanced, "auto": words}


def optional(annotation: Any) -> bool:
    """Does the type allow None?"""
    return type(None) in getattr(annotation, "__args__", ())


def is_list(annotation: Any) -> bool:
    return getattr(annotation, "__origin__", None) is list


def missing_choice(field: Field, context: Context, kind: str, verb: str = "请填写") -> None:
    """The one text for "required, but empty"."""
    context.fault(f"{kind}.required", f"{verb}“{field.title}”")
