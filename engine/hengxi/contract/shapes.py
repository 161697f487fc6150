"""The wire of what a report is made of, exactly as it travels. `contract.ts` is generated from this page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from .claims import Claim
from .measures import Measure, Value
from .models import ModelCard, ModelFeature
from .refusal import Remedy
from .tables import LayoutName, NumberFormat, Place, Show, TableColumn

State = Literal["pass", "care", "fail", "unknown"]
Voice = Literal["student", "paper", "brief"]
Amount = float | Literal["inf", "-inf"]


@dataclass(kw_only=True)
class LevelCell:
    value: Value
    label: str


Cell = (
    None | bool | Amount | str | LevelCell | list[float | Literal["inf", "-inf"] | str | None] | list[list[str | None]]
)
Fact = str | float | bool | None
Facts = dict[str, Fact]


@dataclass(kw_only=True)
class Figure:
    """A key figure; `value` and `note` are templates over the lead's facts."""

    title: str
    value: str
    note: str | None


@dataclass(kw_only=True)
class LeadElement:
    type: Literal["lead"]
    id: str
    place: Literal["lead"]
    at: str | None
    text: str
    facts: Facts
    figures: list[Figure]


@dataclass(kw_only=True)
class TextElement:
    """A paragraph, or (with `about`) the note of a table or chart. `at`: the variable, if there are several."""

    type: Literal["text"]
    id: str
    place: Place
    at: str | None
    text: str
    facts: Facts
    voice: Voice | None
    about: str | None


@dataclass(kw_only=True)
class More:
    """Rows kept beside the report."""

    rows: int
    file: str | None


@dataclass(kw_only=True)
class MatrixLayer:
    key: str
    title: str
    format: NumberFormat
    values: list[list[Cell]]


@dataclass(kw_only=True)
class MatrixBody:
    """A square table: `labels` are plain text, each layer a full square."""

    labels: list[str]
    layers: list[MatrixLayer]
    show: Show
    diagonal: str | None


@dataclass(kw_only=True)
class TableElement:
    """`name` is the declared id; one declared table may appear several times, each with its own `id` and `at`.

    `depth[i]` indents row i, `totals` are rows set apart below a rule; `marks` maps "row,column" to a mark.
    With layout "matrix" columns and rows are empty and `matrix` holds everything.
    """

    type: Literal["table"]
    id: str
    name: str
    place: Place
    title: str
    at: str | None
    layout: LayoutName
    turned: bool
    merge: list[str]
    hidden: bool
    columns: list[TableColumn]
    rows: list[list[Cell]]
    depth: list[int]
    totals: list[int]
    marks: dict[str, str]
    matrix: MatrixBody | None
    more: More | None
    claim: Claim | None


@dataclass(kw_only=True)
class Thinned:
    """Fewer marks drawn than there are; always stated under the chart."""

    shown: int
    of: int


@dataclass(kw_only=True)
class CheckMore:
    """是什么 / 你的数据 / 影响多大 / 怎么办, templates over the check's facts."""

    what: str
    data: str
    impact: str
    todo: str


@dataclass(kw_only=True)
class CheckElement:
    type: Literal["check"]
    id: str
    place: Place
    at: str | None
    title: str
    state: State
    text: str
    facts: Facts
    more: CheckMore | None
    remedies: list[Remedy]


@dataclass(kw_only=True)
class WarningElement:
    type: Literal["warning"]
    id: str
    place: Place
    at: str | None
    code: str
    text: str
    facts: Facts
    columns: list[str]
    rows: list[int]


@dataclass(kw_only=True)
class FormulaElement:
    """`symbolic` and `filled` are TeX; `filled` is a template over the facts (`{b0:num}`)."""

    type: Literal["formula"]
    id: str
    name: str
    place: Place
    title: str
    at: str | None
    symbolic: str
    filled: str | None
    facts: Facts


@dataclass(kw_only=True)
class RuleLine:
    when: list[tuple[str, str, Value]]
    then: str
    n: int
    share: float


@dataclass(kw_only=True)
class RulesElement:
    type: Literal["rules"]
    id: str
    name: str
    place: Place
    title: str
    at: str | None
    rules: list[RuleLine]


@dataclass(kw_only=True)
class TryElement:
    type: Literal["try"]
    id: str
    name: str
    place: Place
    title: str
    at: str | None
    # id of the model element that answers; `start` holds cases by feature key
    model: str
    features: list[ModelFeature]
    start: list[dict[str, Value | None]]


@dataclass(kw_only=True)
class FileElement:
    """A file to take away; `file_id` is its name in the report's own folder."""

    type: Literal["file"]
    id: str
    name: str
    place: Place
    title: str
    at: str | None
    file_name: str
    bytes: int
    file_id: str


@dataclass(kw_only=True)
class ModelElement:
    """A fitted model. The engine writes it to `kept` and signs it; the server gives it its `model_id`.

    Both are null where nothing was kept. Its owner may name it, and then it is in the list of saved models.
    """

    type: Literal["model"]
    id: str
    name: str
    place: Place
    title: str
    at: str | None
    model_id: int | None
    kept: str | None
    sha256: str | None
    bytes: int
    card: ModelCard


@dataclass(kw_only=True)
class ChangedColumn:
    """A variable whose cells a step changed in place; `cells` how many."""

    id: str
    name: str
    label: str | None
    measure: Measure
    cells: int


@dataclass(kw_only=True)
class PreviewColumn:
    """`labels_*`: what the codes of the rows shown are called; a change of coding may change that too.

    `source`: the variable that a new one repeats but for some cells, as one whose gaps are filled.
    `clock_after`: numbers of seconds that are times of day or durations, as those of a column made from one may be.
    """

    id: str
    name: str
    label: str | None
    change: Literal["same", "new", "changed", "removed"]
    source: str | None
    labels_before: list[LevelCell]
    labels_after: list[LevelCell]
    clock_after: bool


@dataclass(kw_only=True)
class CameRow:
    row: int
    cells: list[Cell]


@dataclass(kw_only=True)
class StepPreview:
    """Some rows before and after, cell by cell; `rows` are row numbers from 1. In `after` a dropped row is null.

    Of a reshaped step the sides are the first rows of either table; the shorter one ends with nulls.
    `came`: the first rows that no row before has become, by their numbers in the table after, with their cells.
    """

    rows: list[int]
    columns: list[PreviewColumn]
    before: list[list[Cell] | None]
    after: list[list[Cell] | None]
    came: list[CameRow]


@dataclass(kw_only=True)
class StepWeight:
    """The variable a version is weighted by from this step on; null: no longer by any."""

    column: str | None
    name: str


@dataclass(kw_only=True)
class DataStep:
    """What a processing method does to the data. `sampled`: computed on the first rows only, to look at.

    `left_out`: the condition that holds for exactly the rows that go, of the version before; null where none go, or
    where no condition names them.
    """

    rows_before: int
    rows_after: int
    left_out: str | None
    columns_before: int
    columns_after: int
    missing_before: int
    missing_after: int
    """Cells without a value in all variables; a code declared as missing counts."""
    cells: int
    added: list[ColumnRef]
    changed: list[ChangedColumn]
    removed: list[ColumnRef]
    sampled: bool
    preview: StepPreview
    reshaped: bool
    """Rows after are no rows of before."""
    reworded: list[ColumnRef]
    """Variables that are called otherwise from this step on."""
    weight: StepWeight | None


@dataclass(kw_only=True)
class FilledForm:
    """How a table made to be filled in is analysed afterwards: by which method, with which form to begin with."""

    path: str
    form: dict[str, Any]


@dataclass(kw_only=True)
class DataElement:
    """Columns a method made, written to the table folder `kept`; `vid` is null until a version holds them.

    `table`: the folder is a whole new table, which becomes a file of its own; `filled`: its analysis.

    `rows` are those of the whole version, `changed` those with a value; `preview` are the first eight with one.
    Of a processing method `kept` is the whole new version, `step` says what it changes, and `changed` counts cells.
    """

    type: Literal["data"]
    id: str
    name: str
    place: Place
    title: str
    at: str | None
    vid: int | None
    kept: str | None
    table: bool
    rows: int
    columns: list[ColumnRef]
    changed: int
    preview: list[list[Cell]]
    step: DataStep | None
    filled: FilledForm | None


@dataclass(kw_only=True)
class ColumnRef:
    id: str
    name: str
    label: str | None
    measure: Measure


@dataclass(kw_only=True)
class WhyRows:
    """Rows dropped because this column has no value there; `reason` in words where it is not the column."""

    column: str | None
    name: str | None
    rows: int
    reason: str | None


@dataclass(kw_only=True)
class ChosenLevels:
    """The form compares these levels of a variable only: `rows` rows of its other levels take no part."""

    column: str
    name: str
    values: list[Value]
    labels: list[str]
    rows: int


@dataclass(kw_only=True)
class Sample:
    """How many rows were left after each step. `columns`: those whose gaps made rows fall out; `either`: a row falls
    out where all of these have a gap."""

    file: int
    filter: int
    weight: int
    missing: int
    used: int
    weighted: float | None
    why: list[WhyRows]
    columns: list[str]
    chosen: ChosenLevels | None = None
    either: list[str] | None = None


# Elements travel as dicts made by layout.py; in contract.ts this is the union of all shapes above and of the charts.
Element = dict[str, Any]
