"""The wire of runs: events, drafts. `contract.ts` is generated from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from .measures import Measure
from .refusal import Fault
from .report_shapes import RefusalBody

RunState = Literal[
    "waiting", "running", "asking", "done", "refused", "failed", "cancelled", "timeout", "memory", "lost"
]


@dataclass(kw_only=True)
class Progress:
    done: float
    of: float
    text: str


@dataclass(kw_only=True)
class RunError:
    """A bug or a limit; `id` finds it in the log."""

    code: str
    text: str
    id: str | None


@dataclass(kw_only=True)
class RunEvent:
    """One line of the engine's event stream. `seq` counts within a run."""

    run_id: str
    seq: int
    state: RunState
    position: int | None
    progress: Progress | None
    refusal: RefusalBody | None
    result: Any
    error: RunError | None


@dataclass(kw_only=True)
class ColumnToBe:
    """A variable a step will make; `source` is the id of the one it comes from."""

    name: str
    measure: Measure | None
    source: str | None


@dataclass(kw_only=True)
class CellOffer:
    """A number a typed matrix could hold instead; offered, never put in unasked."""

    title: str
    row: int
    column: int
    value: float


@dataclass(kw_only=True)
class FormNote:
    """What is worth knowing while a form is being filled in; hinders nothing. `sheet`: key of a matrix."""

    field: str
    sheet: list[str]
    state: Literal["pass", "care"]
    text: str
    offer: CellOffer | None


@dataclass(kw_only=True)
class Draft:
    """What a form would do, judged without running. `seconds` is predicted, `key` the identity of the result.

    `makes`: the variables a processing method will add, where that is known before it runs.
    `notes`: what a method says of the settings as they stand, such as the consistency of a matrix being typed.
    """

    resolved: dict[str, Any]
    fields: list[Fault]
    seconds: float
    key: str
    makes: list[ColumnToBe]
    notes: list[FormNote]
