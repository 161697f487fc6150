"""The bases: what kind of thing a method is, and what the platform does around `run`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from .declared import Dimensions
from .elements import NewTable
from .fields.number import integer
from .form import Form
from .limits import Limit
from .measures import ColumnInfo
from .models import Arrays, Matrix, ModelCard, Task
from .refusal import NextStep
from .report import Report
from .run_shapes import ColumnToBe, FormNote
from .tables import Element, Table, text
from .when import Condition

Kind = Literal["analysis", "processing", "visualization", "model", "predict", "solver"]
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
"""What the check of a table finds and a step can mend.

`rows` that should not be there, by their condition; `repeated` rows; answers without care; too many or lonely `levels`;
gaps in numbers, in categories; `extremes`; variables without a difference; texts that are numbers (all but a few, or
`mixed` with words), dates, moments; blanks and wide signs that tell equal words apart; what names a person.
"""
Deals = Mapping[Trouble, Mapping[str, Any]]


class Method:
    """One analysis. The class is the declaration; `run` gets a bound form and returns a report, without side effects.

    `missing`: "listwise" (rows with a gap in any named column are dropped), "each" (each variable of the role with
    `each=True` keeps its own rows), "pairwise" and "keep" (gaps reach `run` as NaN, None and code −1; of "pairwise",
    which leaves them out by variable or by pair, the account of rows names them).
    `weights`: kinds honoured; a weight of another kind is refused by the platform.
    `pool`: may it run on the copies of a multiple imputation together? A step then works row by row; an analysis runs
    on each copy and gives `report.estimate`, `joint` and `explained`, which are pooled by Rubin's rules.
    `aliases`: what else people call it, or look for when they mean it; searched by 汉字, pinyin and initials.
    `deals_with`: troubles of a table this method is the way out of (see `Trouble`), with the settings it then begins
    with; the rows' condition or the variables are put where the form takes them.
    `takes_dimensions`: where it takes the dimensions kept of a questionnaire (see `Dimensions`), where the fields do
    not say so themselves.
    `reads_names`: do the names of variables mean something to it (血压_1月 taken apart)? Else the tests rename them.
    `rescaled`: roles whose variables may be written in another unit (4x + 512), with the numbers of the form in that
    unit, e.g. `(("variables", "test_value"),)`: then every p, statistic and standardised effect stays, and means and
    spreads follow; the shared tests hold it to that.
    `row_order`: does the order of the rows change the result? The shared tests shuffle them where it does not.
    """

    kind: ClassVar[Kind] = "analysis"
    title: ClassVar[str]
    title_en: ClassVar[str]
    family: ClassVar[str]
    tier: ClassVar[Literal["standard", "member"]] = "standard"
    purpose: ClassVar[str]
    aliases: ClassVar[Sequence[str]] = ()
    references: ClassVar[Sequence[str]] = ()
    conventions: ClassVar[Sequence[str]] = ()
    slug: ClassVar[str | None] = None
    wire: ClassVar[str | None] = None
    video: ClassVar[str | None] = None
    version: ClassVar[int] = 1
    needs_data: ClassVar[bool | Literal["optional"] | Condition] = True
    missing: ClassVar[Literal["listwise", "each", "pairwise", "keep"]] = "listwise"
    weights: ClassVar[Sequence[Literal["frequency", "sampling", "precision"]]] = ()
    random: ClassVar[bool] = False
    split: ClassVar[bool] = True
    rescaled: ClassVar[Sequence[Sequence[str]]] = ()
    row_order: ClassVar[bool] = False
    reads_names: ClassVar[bool] = False
    min_rows: ClassVar[int] = 1
    pool: ClassVar[bool] = False
    queue: ClassVar[str] = "default"
    deals_with: ClassVar[Deals] = {}
    takes_dimensions: ClassVar[Dimensions | None] = None
    limits: ClassVar[Sequence[Limit]] = ()
    fellows: ClassVar[Callable[[], dict[str, type[Method]]]] = dict
    """The other methods of its group by key. The registry puts it in: a method that compares others names none."""

    Input: ClassVar[type[Form]]

    @classmethod
    def run(cls, form: Any) -> Report:
        raise NotImplementedError

    @classmethod
    def heading(cls, form: Any) -> str:
        """The report's title, e.g. 按性别比较每周运动时长; the method's own where nothing better is known."""
        return cls.title

    @classmethod
    def joined(cls, report: Any, form: dict[str, Any]) -> None:
        """After the runs of several variables of an `each` role were stacked: what is to be said of all together."""

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        """What to ask next of the same variables, best first; of methods nobody has built yet nothing is shown."""
        return []

    @classmethod
    def notes(cls, form: dict[str, Any]) -> list[FormNote]:
        """What is worth knowing while the (resolved) form is being filled in, whether or not it could run yet."""
        return []

    @classmethod
    def dropped_by(cls, form: dict[str, Any]) -> Collection[str] | None:
        """Keys of the fields whose gaps drop a row, where the (resolved) form decides it; None: as `missing` says."""
        return None

    @classmethod
    def upgrade(cls, form: dict[str, Any], from_version: int) -> dict[str, Any]:
        """A form saved by an earlier version, as this version reads it; one of this version comes back as it is.

        Forms of steps come with their version, those of analyses with 1: who opens an old report sends its form.
        """
        return form

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        """Predicted seconds of a resolved form; decides whether a change runs at once.

        Overridden where work does not grow with cells.
        """
        return 0.02 + rows * columns * 2e-7

    @classmethod
    def elements(cls) -> dict[str, Element]:
        """The declared elements in order, those of base classes first."""
        found: dict[str, Element] = {}
        for owner in reversed(cls.__mro__):
            found |= {name: value for name, value in vars(owner).items() if isinstance(value, Element)}
        return found

    @classmethod
    def tables(cls) -> Iterator[Table]:
        return (element for element in cls.elements().values() if isinstance(element, Table))


class Processing(Method):
    """A data step: `run` says what it makes by `report.put`, `make`, `replace`, `take`, `remove`; never split.

    The platform writes the new version, fills the record and the before/after preview. Rows outside an active filter
    are left as they are. A form with `mode` and `suffix` gets new or overwritten variables by `report.put(form, …)`.
    """

    kind = "processing"
    split = False
    missing = "keep"

    data = NewTable("处理后的数据", place="detail")
    record = Table(
        "处理记录表", method=text("方法"), settings=text("参数"), rows_before=integer("处理前行数"),
        rows_after=integer("处理后行数"), columns_before=integer("处理前列数"), columns_after=integer("处理后列数"),
        cells=integer("变更单元格数"), layout="record", place="detail",
    )  # fmt: skip

    @classmethod
    def elements(cls) -> dict[str, Element]:
        """The method's own first, so that its first table is the main one."""
        found = super().elements()
        own = {name: one for name, one in found.items() if name not in ("data", "record")}
        return {**own, "data": found["data"], "record": found["record"]}

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Sequence[ColumnInfo]) -> list[ColumnToBe]:
        """The variables a resolved form will make, where that can be told without the cells."""
        return []


class Visualization(Method):
    """A picture first: its first chart is main."""

    kind = "visualization"


class Model(Method):
    """Keeps what it fitted: `report.keep(cls.saved, Fitted(card, arrays))`. New rows are answered by `predict`.

    What is stored is plain arrays and a card in JSON, never an object of a library: `unpack` builds the model again.
    """

    kind = "model"
    split = False
    task: ClassVar[Task] = "classification"

    @classmethod
    def unpack(cls, arrays: Arrays, card: ModelCard) -> Any:
        """The model from what `report.keep` was given; ValueError where the arrays cannot be one."""
        raise NotImplementedError

    @classmethod
    def predict(cls, fitted: Any, matrix: Matrix) -> Matrix:
        """Rows × features (card order, NaN missing) → probabilities (rows × classes) or values."""
        raise NotImplementedError


class Predict(Method):
    """Answers new rows by a saved model, whatever method made it: the form has one `model` field."""

    kind = "predict"
    missing = "keep"
    split = False


class Solver(Method):
    """Works without data; states how good its answer is."""

    kind = "solver"
    needs_data = False
    split = False
