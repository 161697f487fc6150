"""What is known about a table besides its cells: `meta.json`, the same words on disk, on the wire and in Python.

Ids are positions at import (`c1`, `c2` …) and never change; names are free text and never used as keys.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

Measure = Literal["定类", "定量", "时间", "文本"]
Storage = Literal["int", "float", "text", "date", "datetime", "bool"]
Value = bool | int | float | str | None
"""A cell as it travels: dates as ISO text, missing as None."""

MAX_LEVELS = 200
"""More levels than this are not listed in the metadata (a text column may have a million)."""


class Level(Struct, kw_only=True):
    """One value of a categorical column; `label` equals the value as text where no label was given."""

    value: Value
    label: str
    count: int = 0


class Range(Struct, kw_only=True):
    """A closed range of user-missing numbers; None = open end."""

    low: float | None = None
    high: float | None = None


class Missing(Struct, kw_only=True):
    """Codes that stand for "no answer": treated as missing by every analysis, still shown in the grid."""

    values: list[Value] = field(default_factory=list)
    ranges: list[Range] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.values or self.ranges)


class Bin(Struct, kw_only=True):
    low: float
    high: float
    count: int


class Top(Struct, kw_only=True):
    value: Value
    count: int


class Profile(Struct, kw_only=True):
    """Counts and moments of one column. `n` valid cells, `missing` empty ones and user-missing codes.

    `min` and `max` are numbers, or ISO text for dates; moments are None for text. `lowest`, `highest`: of whole numbers
    the outermost distinct values with their counts, from the end inwards: a code stands there, apart from the others.
    """

    n: int = 0
    missing: int = 0
    distinct: int = 0
    min: float | str | None = None
    max: float | str | None = None
    mean: float | None = None
    sd: float | None = None
    median: float | None = None
    q1: float | None = None
    q3: float | None = None
    whole: bool = False
    non_negative: bool = False
    positive: bool = False
    histogram: list[Bin] = field(default_factory=list)
    top: list[Top] = field(default_factory=list)
    lowest: list[Top] = field(default_factory=list)
    highest: list[Top] = field(default_factory=list)
    unique: bool = False


class Wording(Struct, kw_only=True):
    """The scale that the words of a column are of: a score for each word, and what 1 … k are called, from low to high.

    `rest`: words that are of no scale; scored, they count as missing.
    """

    title: str
    labels: list[str]
    scores: dict[str, int]
    rest: list[str] = field(default_factory=list)


class Column(Struct, kw_only=True):
    """One column on the wire.

    `storage` is what a cell is for the reader; `physical` (only when different) what lies in the data file:
    a text column declared 定量 keeps its text in the file and is read as numbers. `levels` are answers only; labels of
    user-missing codes (9 = 拒答) are kept in `missing_labels`.
    """

    id: str
    name: str
    label: str | None = None
    measure: Measure
    ordered: bool = False
    flags: list[str] = field(default_factory=list)
    storage: Storage
    decimals: int = 0
    unit: str | None = None
    why: str = ""
    levels: list[Level] | None = None
    missing: Missing = field(default_factory=Missing)
    profile: Profile = field(default_factory=Profile)
    physical: Storage | UnsetType = UNSET
    missing_labels: list[Level] | UnsetType = UNSET
    date_order: Literal["mdy", "dmy"] | UnsetType = UNSET
    """How a text column declared 时间 is read where the year stands last."""
    readings: list[str] | UnsetType = UNSET
    """Of a text column read as numbers or dates: the ways (percent, thousands …) where plain ones do not do."""
    wording: Wording | UnsetType = UNSET
    """Of answers in words: how they would be scored."""
    scores: dict[str, int] | UnsetType = UNSET
    """Of a text column read as numbers: the number of each word."""
    clock: str | UnsetType = UNSET
    """Of seconds that are times of day or durations: the format that shows them so (TIME8, DTIME11 of SPSS)."""

    @property
    def stored(self) -> Storage:
        """The type in the data file."""
        return self.storage if isinstance(self.physical, UnsetType) else self.physical


class OddCell(Struct, kw_only=True):
    """`row` counts data rows from 1, as the grid does."""

    row: int
    value: str


class ColumnReport(Struct, kw_only=True):
    """What the import did with one column; `tokens` are cells read as missing, by their text."""

    id: str
    name: str
    type: str
    why: str
    missing: int = 0
    tokens: dict[str, int] = field(default_factory=dict)
    odd: int = 0
    samples: list[OddCell] = field(default_factory=list)
    original_name: str | None = None


class Check(Struct, kw_only=True):
    """Raw file against parsed table. `sums` "same" | "different" | "none"; `checked_rows` < rows = a spread sample."""

    raw_rows: int
    raw_columns: int
    rows: int
    columns: int
    sums: Literal["same", "different", "none"]
    checked_rows: int
    text: str


class Warn(Struct, kw_only=True):
    code: str
    text: str
    facts: dict[str, Any] = field(default_factory=dict)


def left_out(infinite: int) -> list[Warn]:
    """What is said of infinite numbers: they are no values of a table."""
    if not infinite:
        return []
    text = f"{infinite:,} 个单元格是无穷大，或超出可表示的范围（约 1.8×10³⁰⁸），已作缺失。"
    return [Warn(code="numbers.infinite", text=text, facts={"count": infinite})]


class ImportReport(Struct, kw_only=True):
    """The 导入报告 of ux.md section 1."""

    kind: str
    settings: dict[str, Any]
    columns: list[ColumnReport]
    check: Check
    warnings: list[Warn] = field(default_factory=list)
    seconds: float = 0.0


class AnswerSet(Struct, kw_only=True):
    """A question of which several options may be chosen: one column each, `counted` = chosen (None: any value)."""

    id: str
    name: str
    label: str | None = None
    columns: list[str] = field(default_factory=list)
    counted: Value = 1


class Imputed(Struct, kw_only=True):
    """The version holds `m` completed copies one below the other; `column` says which copy a row belongs to."""

    m: int
    column: str


class Meta(Struct, kw_only=True):
    """`meta.json`. `data` names the folder that holds the cells when this version changed only metadata."""

    data: str | None
    rows: int
    columns: list[Column]
    report: ImportReport | None = field(name="import", default=None)
    sha256: dict[str, str] = field(default_factory=dict)
    sets: list[AnswerSet] | UnsetType = UNSET
    imputed: Imputed | UnsetType = UNSET

    def column(self, column_id: str) -> Column:
        """The column with this id; KeyError if absent."""
        for column in self.columns:
            if column.id == column_id:
                return column
        raise KeyError(column_id)

    def by_id(self) -> dict[str, Column]:
        return {column.id: column for column in self.columns}

    def wire(self) -> dict[str, Any]:
        """Plain dicts and lists, ready for orjson."""
        built = msgspec.to_builtins(self)
        assert isinstance(built, dict)
        return built

    def to_json(self) -> bytes:
        return msgspec.json.encode(self)

    @classmethod
    def from_json(cls, raw: bytes) -> Meta:
        return _READER.decode(raw)


# Built while the module is imported: msgspec shows other threads what it knows of a class before that is whole, and two
# requests that read their first table at the same moment would end the engine.
_READER = msgspec.json.Decoder(Meta)
