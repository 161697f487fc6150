"""The wire of a declaration: what the server registers and the web draws. `contract.ts` is generated from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from .charts import ChartKind
from .fields import Field
from .limits import Limit
from .tables import LayoutName, Place, TableColumn
from .when import When

CONTRACT: Literal[1] = 1

Kind = Literal["analysis", "processing", "visualization", "model", "predict", "solver"]
Tier = Literal["standard", "member"]
Missing = Literal["listwise", "each", "pairwise", "keep"]
WeightKind = Literal["frequency", "sampling", "precision"]
Trouble = Literal[
    "rows",
    "repeated",
    "careless",
    "levels",
    "missing",
    "missing_levels",
    "extremes",
    "useless",
    "text_numbers",
    "mixed",
    "text_dates",
    "text_moments",
    "stray_characters",
    "personal",
]


@dataclass(kw_only=True, frozen=True)
class Dimensions:
    """Where the dimensions kept of a questionnaire go into the form of a method.

    `items`: blocks, each of which takes a dimension, or a box that takes their items. `rows`: settings of the items;
    `reversed` and `name`: their cells that say which item is turned and which dimension it is of. `low`, `high`:
    fields with the ends of the scale. `turns`: a step that turns items; it takes the reversed ones only, with `form`.
    """

    items: str
    rows: str | None = None
    reversed: str | None = None
    name: str | None = None
    low: str | None = None
    high: str | None = None
    turns: bool = False
    form: dict[str, Any] = field(default_factory=dict)


@dataclass(kw_only=True)
class HelpLink:
    """The specification's help-link record."""

    doc_link: str
    video_link: str | None
    iframe_video_link: str | None
    display_name: str
    example_data: str


@dataclass(kw_only=True)
class Reference:
    """`named`: words by which a report shows that it used the work; empty = the family names of its authors."""

    key: str
    gbt: str
    apa: str
    doi: str | None
    named: list[str]


@dataclass(kw_only=True)
class OracleCase:
    """One analysis that was computed independently, and how many of its numbers were compared."""

    name: str
    numbers: int


@dataclass(kw_only=True)
class OracleSummary:
    """How many independent cases and numbers the method was checked against, which, and where they come from."""

    cases: int
    numbers: int
    sources: list[str]
    analyses: list[OracleCase]


@dataclass(kw_only=True)
class DeclaredTable:
    type: Literal["table"]
    id: str
    title: str
    place: Place
    when: When | None
    layout: LayoutName
    hidden: bool
    columns: list[TableColumn]
    inner: list[TableColumn]


@dataclass(kw_only=True)
class DeclaredChart:
    type: Literal["chart"]
    id: str
    title: str
    place: Place
    when: When | None
    kind: ChartKind
    of: str | None


@dataclass(kw_only=True)
class DeclaredOther:
    type: Literal["panel", "formula", "rules", "try", "file", "model", "data"]
    id: str
    title: str
    place: Place
    when: When | None


DeclaredElement = DeclaredTable | DeclaredChart | DeclaredOther


@dataclass(kw_only=True)
class Declaration:
    """One method. `path` is its identity; `section` the sub-heading it stands under in the menu, `order` its place.

    `needs` is one line of what it wants, e.g. 1 定类（正好两组） + 1 定量."""

    contract: Literal[1]
    path: str
    group: str
    key: str
    slug: str
    wire: str
    title: str
    title_en: str
    family: str
    section: str | None
    order: list[int]
    tier: Tier
    kind: Kind
    purpose: str
    aliases: list[str]
    version: int
    digest: str
    needs_data: bool | Literal["optional"] | When
    missing: Missing
    weights: list[WeightKind]
    random: bool
    split: bool
    min_rows: int
    queue: str
    deals_with: dict[Trouble, dict[str, Any]]
    takes_dimensions: Dimensions | None
    help: HelpLink
    needs: str
    fields: list[Field]
    limits: list[Limit]
    elements: list[DeclaredElement]
    references: list[Reference]
    oracle: OracleSummary
    schema: dict[str, Any]
