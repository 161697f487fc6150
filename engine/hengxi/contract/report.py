"""What `run` found: rows, sentences, checks, warnings. Laid out by place, then in order of declaration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .charts import Chart, Overlay
from .derived import DataSteps
from .elements import File, Formula, NewColumns, NewTable, Rules, SavedModel, Try
from .facts import check_template, identity, plain, read_facts, rename, said_once, words_of
from .invariants import check_cell, check_cells, check_row
from .models import Fitted, ModelFeature
from .pooled import Estimates
from .refusal import NextStep, Remedy
from .shapes import CheckMore, Figure, State, Voice
from .tables import ColumnSpec, Element, Matrix, Table, Wide


def figure(title: str, value: str, note: str | None = None) -> Figure:
    """A key figure of the lead: `figure("均值差", "{d:num} 小时", "95% CI [{low:num}, {high:num}]")`."""
    return Figure(title=title, value=value, note=note)


Paragraph = tuple[str, dict[str, Any]]
"""A text and the facts it names."""


def more(what: str, data: str, impact: str, todo: str) -> CheckMore:
    """What a check opens: 是什么 / 你的数据 / 影响多大 / 怎么办."""
    return CheckMore(what=what, data=data, impact=impact, todo=todo)


@dataclass(slots=True)
class Row:
    cells: dict[str, Any]
    depth: int = 0
    total: bool = False
    marks: dict[str, str] = field(default_factory=dict)
    wide: dict[tuple[str, Any], tuple[str, dict[str, Any]]] = field(default_factory=dict)
    item: tuple[tuple[str, Any], str] | None = None
    against: tuple[tuple[str, Any], str] | None = None


@dataclass(slots=True)
class Block:
    """Many rows as they were given, by columns: points of charts and long tables come by thousands."""

    cells: dict[str, list[Any]]
    size: int

    def single(self) -> Iterator[Row]:
        return (Row(dict(zip(self.cells, cells, strict=True))) for cells in zip(*self.cells.values(), strict=True))


def single(rows: Iterable[Row | Block]) -> list[Row]:
    """All of them row by row."""
    return [row for one in rows for row in (one.single() if isinstance(one, Block) else (one,))]


@dataclass
class Said:
    """Lead, text, note, check or warning, in the order they were said."""

    type: str
    text: str
    facts: dict[str, Any]
    at: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Filled:
    """How a table made to be filled in is analysed afterwards: the method, settings, and the boxes with the names of
    their variables in the table."""

    path: str
    settings: dict[str, Any]
    roles: dict[str, Any]


class Report(DataSteps, Estimates):
    """Built by `run`. Every number is given at full precision; a cell that was not computed is None and has a note."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[tuple[str, str | None], list[Row | Block]] = {}
        self.tables: dict[str, Table] = {}
        self.said: list[Said] = []
        self.skipped: dict[str, str] = {}
        self.formulas: list[tuple[Formula, Said, str | None]] = []
        self.rules_found: dict[str, list[dict[str, Any]]] = {}
        self.chart_facts: dict[tuple[str, str | None], dict[str, Any]] = {}
        self.new_columns: dict[str, dict[str, Any]] = {}
        self.new_tables: dict[str, dict[str, Any]] = {}
        self.filled: dict[str, Filled | None] = {}
        self.files: dict[str, list[tuple[str, bytes]]] = {}
        self.fitted: dict[str, Fitted] = {}
        self.tries: dict[str, tuple[list[ModelFeature], list[dict[str, Any]]]] = {}
        self.used_rows: int | None = None
        self.used_cases: float | None = None
        self.variables: list[str] = []
        self.followed: list[NextStep] = []

    # ---- tables ----------------------------------------------------------------------------------------------------
    def row(
        self,
        table: Table,
        *,
        at: str | None = None,
        depth: int = 0,
        total: bool = False,
        marks: dict[str, str] | None = None,
        wide: dict[Any, dict[str, Any]] | None = None,
        item: Any = None,
        against: Any = None,
        **cells: Any,
    ) -> dict[str, Any]:
        """One row. A `Column` or `Level` as a cell stands by its name; keys not given are empty cells.

        Wide tables: `wide={level: {"n": 3}}`. Matrix tables: `item=a, against=b, r=.5`, the mirror cell is filled too.
        Gives the cells back, so that a sentence can read the very numbers of the table.
        """
        row = Row({}, depth, total, dict(marks or {}))
        where = f"“{table.title}”"
        if isinstance(table.layout, Matrix):
            row.item = (identity(item), words_of(item) or str(item))
            row.against = (identity(against), words_of(against) or str(against))
            row.cells = _read_cells(_by_key(table.layout.layers), cells, where)
        else:
            given = cells if item is None else {"item": item, **cells}
            row.cells = _read_cells(_by_key(table.columns), given, where)
        if wide is not None:
            assert isinstance(table.layout, Wide), f"{where} is not laid out wide"
            names = _by_key(table.layout.columns)
            for key, inner in wide.items():
                found = _read_cells(names, inner, where)
                row.wide[identity(key)] = (words_of(key) or str(key), found)
        check_row(table, row.cells)
        self.tables[table.id] = table
        self.rows.setdefault((table.id, at), []).append(row)
        return row.cells

    def add_rows(self, table: Table, columns: dict[str, Any], *, at: str | None = None) -> None:
        """Many rows at once from arrays of one length: for points of charts and tables as long as the data."""
        names = _by_key(table.columns)
        if unknown := columns.keys() - names.keys():
            raise TypeError(f"“{table.title}” has no column {sorted(unknown)}")
        read = {key: check_cells(value, names[key], f"“{table.title}”.{key}") for key, value in columns.items()}
        (size,) = {len(cells) for cells in read.values()} or {0}
        if size == 0:
            return
        block = Block(read, size)
        for row in block.single() if any(spec.column.format == "interval" for spec in table.columns.values()) else ():
            check_row(table, row.cells)
        self.tables[table.id] = table
        self.rows.setdefault((table.id, at), []).append(block)

    def chart(
        self,
        chart: Chart,
        *,
        at: str | None = None,
        titles: dict[str, str] | None = None,
        thinned: tuple[int, int] | None = None,
        over: Sequence[Overlay] = (),
    ) -> None:
        """What a chart learns at run time: axis titles in the user's words, thinning, overlays with values."""
        self.chart_facts[chart.id, at] = {"titles": dict(titles or {}), "thinned": thinned, "over": list(over)}

    # ---- sentences -------------------------------------------------------------------------------------------------
    def lead(self, text: str, figures: Sequence[Figure] = (), **facts: Any) -> None:
        """The conclusion: size in the data's unit, direction, certainty. One a part, with at most four key figures."""
        text, read = said_once(text, facts), read_facts(text, facts)
        assert len(figures) <= 4, "at most four key figures"
        figures = [replace(one, note=said_once(one.note, facts) if one.note else None) for one in figures]
        for one in figures:
            check_template(one.value, read)
            check_template(one.note or "", read)
        self.said.append(Said("lead", text, read, extra={"figures": list(figures)}))

    def say(self, text: str, *, voice: Voice | None = None, **facts: Any) -> None:
        """A paragraph; `voice` student, paper or brief, without one it stands in all three."""
        said = said_once(text, facts)
        self.said.append(Said("text", said, read_facts(text, facts), extra={"voice": voice, "about": None}))

    def voices(
        self, student: Sequence[Paragraph], paper: Sequence[Paragraph], brief: Sequence[Paragraph], **facts: Any
    ) -> None:
        """The interpretation in its three voices, each as paragraphs with facts of their own beside those of all."""
        told: tuple[tuple[Voice, Sequence[Paragraph]], ...] = (("student", student), ("paper", paper), ("brief", brief))
        for voice, paragraphs in told:
            for text, own in paragraphs:
                self.say(text, voice=voice, **facts, **own)

    def note(self, about: Element, text: str, **facts: Any) -> None:
        """A note under a table or chart; said again for another group it still stands once."""
        extra = {"voice": None, "about": about.id, "place": about}
        said = Said("text", said_once(text, facts), read_facts(text, facts), extra=extra)
        if said not in self.said:
            self.said.append(said)

    def check(
        self,
        title: str,
        state: State,
        text: str,
        *,
        more: CheckMore | None = None,
        remedies: Sequence[Remedy] = (),
        **facts: Any,
    ) -> None:
        """An assumption: pass, care, fail or unknown. Never decided by a p value alone."""
        read = read_facts(text, facts)
        if more is not None:
            for part in (more.what, more.data, more.impact, more.todo):
                check_template(part, read)
            more = replace(more, data=said_once(more.data, facts))
        extra = {"title": title, "state": state, "more": more, "remedies": list(remedies)}
        self.said.append(Said("check", said_once(text, facts), read, extra=extra))

    def warn(
        self, code: str, text: str, *, columns: Sequence[Any] = (), rows: Sequence[int] = (), **facts: Any
    ) -> None:
        """Something was done or left out, and the run went on. `rows` are row numbers of the file."""
        ids = [getattr(column, "id", column) for column in columns]
        extra = {"code": code, "columns": ids, "rows": [int(row) for row in rows]}
        self.said.append(Said("warning", text, read_facts(text, facts), extra=extra))

    # ---- the other elements ----------------------------------------------------------------------------------------
    def skip(self, element: Element, reason: str) -> None:
        """Why a declared element is absent; the reader is told."""
        self.skipped[element.id] = reason

    def formula(
        self, element: Formula, symbolic: str, filled: str | None = None, *, at: str | None = None, **facts: Any
    ) -> None:
        """TeX; in `filled` a slot is `{b0:num}` and braces of TeX are written `\\lbrace`, or left to `symbolic`."""
        read = {name: plain(value, f"fact {name}") for name, value in facts.items()}
        self.formulas.append((element, Said("formula", symbolic, read, at=at), filled))

    def rule(self, element: Rules, when: list[tuple[str, str, Any]], then: str, n: int, share: float) -> None:
        line = {"when": when, "then": then, "n": int(n), "share": plain(share, "rule")}
        self.rules_found.setdefault(element.id, []).append(line)

    def columns(self, element: NewColumns, columns: dict[str, Any]) -> None:
        """New columns: name → numbers or texts, one for each row used, in their order (NaN or None = missing)."""
        self.new_columns[element.id] = dict(columns)

    def table_made(self, element: NewTable, columns: dict[str, Any], filled: Filled | None = None) -> None:
        """A whole new table: name → numbers or texts of one length (NaN or None = missing). `filled`: how it is
        analysed once it is filled in."""
        if len({len(cells) for cells in columns.values()}) > 1:
            raise TypeError(f"“{element.title}”: columns of different lengths")
        self.new_tables[element.id] = dict(columns)
        self.filled[element.id] = filled

    def file(self, element: File, name: str, content: bytes) -> None:
        """Something to take away, e.g. `report.file(cls.download, "预测.csv", csv_bytes(columns))`."""
        self.files.setdefault(element.id, []).append((name, content))

    def keep(self, element: SavedModel, fitted: Fitted) -> None:
        """The fitted model; the platform writes and signs it, and its owner may name it."""
        self.fitted[element.id] = fitted

    def offer(self, element: Try, start: dict[str, Any]) -> None:
        """New values put into the kept model; `start` (by feature key) stands there at first."""
        fitted = self.fitted.get(element.of.id)
        if fitted is None:
            raise TypeError(f"“{element.title}”: keep the model first")
        self.tries[element.id] = (fitted.card.features, [dict(start)])

    def used(self, rows: int, cases: float | None = None) -> None:
        """How many rows were used, where the method itself decides (missing = "keep"); `cases`: sum of their
        frequencies."""
        self.used_rows, self.used_cases = int(rows), cases

    def follow(self, step: NextStep) -> None:
        """A next step that takes numbers of this result along (weights into a ranking); before those of the class."""
        self.followed.append(step)

    def rows_of(self, table: Table) -> list[Row]:
        """Rows given so far, of all places the table stands in."""
        return single(row for (table_id, _), rows in self.rows.items() if table_id == table.id for row in rows)

    # ---- several dependents ----------------------------------------------------------------------------------------
    def absorb(self, other: Report, variable: str, alone: bool, name: str | None = None) -> None:
        """Take over the report of one variable of an `each` role; tables get a 变量 column, new columns its name."""
        self.variables.append(variable)
        self.absorb_estimates(other, variable)
        at = None if alone else variable
        for (table_id, place), rows in other.rows.items():
            for row in rows:
                if isinstance(row, Block):
                    held = row.cells.get("variable") or [None] * row.size
                    row.cells["variable"] = [variable if one is None else one for one in held]
                elif row.cells.get("variable") is None:
                    row.cells["variable"] = variable
            self.rows.setdefault((table_id, place), []).extend(rows)
        self.tables |= other.tables
        for said in other.said:
            said.at = at
            self._absorb_said(said, len(self.variables), alone)
        self.skipped |= other.skipped
        self.formulas += [
            (element, Said("formula", s.text, s.facts, at=at or s.at), f) for element, s, f in other.formulas
        ]
        # One chart shows all variables: a title of one of them would be wrong for the others.
        self.chart_facts |= {
            key: facts if alone else {**facts, "titles": {}} for key, facts in other.chart_facts.items()
        }
        self.rules_found |= other.rules_found
        for element_id, columns in other.new_columns.items():
            suffix = "" if alone else f"_{name or variable}"
            named = {f"{name}{suffix}": cells for name, cells in columns.items()}
            self.new_columns.setdefault(element_id, {}).update(named)
        if other.used_rows is not None:
            self.used_rows = max(self.used_rows or 0, other.used_rows)

    def _absorb_said(self, sentence: Said, place: int, alone: bool) -> None:
        """One lead a part: further ones are joined to it, their facts renamed. A note said for each stands once."""
        same = (
            s
            for s in self.said
            if s.type == "text" and s.extra["about"] and (s.text, s.facts) == (sentence.text, sentence.facts)
        )
        if sentence.type == "text" and sentence.extra["about"]:
            sentence.at = None if alone else sentence.at
            if (first := next(same, None)) is not None:
                first.at = None
                return
        lead = next((s for s in self.said if s.type == "lead"), None)
        if sentence.type != "lead" or lead is None:
            self.said.append(sentence)
            return
        suffix = f"_{place}"
        lead.text += "\n" + rename(sentence.text, suffix)
        lead.facts |= {name + suffix: value for name, value in sentence.facts.items()}
        lead.extra["figures"] = []


def _by_key(columns: dict[str, ColumnSpec]) -> dict[str, ColumnSpec]:
    return {key: spec for spec in columns.values() for key in spec.keys}


def _read_cells(names: dict[str, ColumnSpec], given: dict[str, Any], where: str) -> dict[str, Any]:
    if unknown := given.keys() - names.keys():
        raise TypeError(f"{where} has no column {sorted(unknown)}")
    read = {}
    for key, spec in names.items():
        place = f"{where}.{key}"
        read[key] = check_cell(plain(given.get(key), place), spec, place)
    return read
