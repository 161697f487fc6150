"""The wire of a whole report: its parts, and what was used to make it. `contract.ts` is generated from this page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from .declared import Reference, WeightKind
from .measures import Value
from .refusal import Fault, NextStep
from .shapes import ColumnRef, Element, Sample


@dataclass(kw_only=True)
class PartGroup:
    """The group of a split; `total` is the part of all rows together."""

    column: str
    name: str
    value: Value | None
    label: str
    total: bool


@dataclass(kw_only=True)
class RefusalBody:
    fields: list[Fault]


@dataclass(kw_only=True)
class Part:
    """All elements of one group; of the whole file if there is no split. A refusal of one group stays in its part."""

    group: PartGroup | None
    sample: Sample
    elements: list[Element]
    refusal: RefusalBody | None


@dataclass(kw_only=True)
class ReportMethod:
    path: str
    title: str
    version: int


@dataclass(kw_only=True)
class FilterUsed:
    """`text` is the condition with names instead of ids."""

    condition: str
    filter_type: Literal["keep", "drop"]
    text: str


@dataclass(kw_only=True)
class SplitUsed:
    column: str
    name: str
    levels: list[Value] | None
    total: bool


@dataclass(kw_only=True)
class WeightUsed:
    column: str
    name: str
    kind: WeightKind


@dataclass(kw_only=True)
class Report:
    """A finished report. `stopped`: the user asked for the best result so far (停止并保留)."""

    contract: Literal[1]
    path: str
    version: int
    title: str
    method: ReportMethod
    form: dict[str, Any]
    seed: int | None
    libraries: dict[str, str]
    parts: list[Part]
    sample: Sample
    conventions: list[str]
    references: list[Reference]
    roles: dict[str, list[ColumnRef]]
    filter: FilterUsed | None
    split: SplitUsed | None
    weight: WeightUsed | None
    fill_missing: bool
    elapsed: float
    stopped: bool
    next_steps: list[NextStep] | None = None
