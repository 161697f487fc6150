"""A built report → elements on the wire: by place, then in the order of declaration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import numpy as np

from .charts import Chart, Panel
from .claims import Claim
from .elements import File, Formula, NewColumns, NewTable, Rules, SavedModel, Try
from .facts import Broken
from .invariants import check_sums
from .report import Block, Report, Row, single
from .tables import ColumnSpec, Element, Matrix, Place, Table, TableColumn, Wide

PLACES: tuple[Place, ...] = ("lead", "main", "check", "text", "detail")
INLINE_ROWS = 1000
DRAWN_DIGITS = 9
_TENS = np.array([float(f"1e{i}") for i in range(23)])
VARIABLE = TableColumn(key="variable", title="变量", format="text")

Wire = dict[str, Any]
Shown = Callable[[Element | ColumnSpec], bool]


def lay_out(
    elements: dict[str, Element],
    report: Report,
    shown: Shown,
    strict: bool = False,
) -> list[Wire]:
    """`shown` says whether an element's `when` holds; `strict` (tests) makes a missing or unwanted element an error."""
    wires: list[Wire] = []
    absent: list[Wire] = []
    places, inside = _places(elements, shown), _in_panels(elements)
    for name, element in elements.items():
        if not shown(element):
            if strict and (name in report.tables or name in report.new_columns):
                raise Broken(f"“{element.title}” was given although its `when` is false")
            continue
        own = _element(element, elements, report, places, shown)
        if not own and name in report.skipped:
            text = "“" + element.title + "”未给出：" + report.skipped[name] + "。"
            facts = {"type": "text", "id": f"{name}:skipped", "text": "{why:text}", "facts": {"why": text}}
            absent.append({**facts, "place": places[name], "at": None, "voice": None, "about": None})
        elif not own and strict and name not in inside and not _sources_absent(element, report, shown):
            raise Broken(f"“{element.title}” ({name}) is declared, not shown and not skipped")
        wires += own
    # What is found is read before what is left out.
    return [*_ordered(wires, _said(report, places)), *absent]


def _places(elements: dict[str, Element], shown: Shown) -> dict[str, Place]:
    """Stated, or: the first table and the first picture shown are main, the rest detail."""
    places: dict[str, Place] = {}
    taken: set[str] = set()
    inside = _in_panels(elements)
    for name, element in elements.items():
        if isinstance(element, Table) and element.hidden:
            places[name] = "detail"
            continue
        kind = "chart" if isinstance(element, Chart | Panel) else element.type
        first = kind in ("table", "chart") and kind not in taken and name not in inside and shown(element)
        places[name] = element.place or ("main" if first else "detail")
        if first:
            taken.add(kind)
    return places


def _in_panels(elements: dict[str, Element]) -> set[str]:
    """Charts that are drawn as parts of a panel."""
    return {chart.id for element in elements.values() if isinstance(element, Panel) for chart in element.charts}


def _sources_absent(element: Element, report: Report, shown: Shown) -> bool:
    """A chart goes with its table: no table, no chart, and the table's own reason is enough."""
    charts = element.charts if isinstance(element, Panel) else (element,) if isinstance(element, Chart) else ()
    tables = [table for chart in charts for table in chart.sources]
    return any(table.id in report.skipped or not shown(table) for table in tables)


def _element(
    element: Element, elements: dict[str, Element], report: Report, places: dict[str, Place], shown: Shown
) -> list[Wire]:
    base = {"type": element.type, "name": element.id, "place": places[element.id], "title": element.title}
    match element:
        case Table():
            ats = [at for table_id, at in report.rows if table_id == element.id]
            return [_table(element, at, i, report, base, shown) for i, at in enumerate(ats)]
        case Panel():
            charts = [wire for chart in element.charts if shown(chart) for wire in _charts(chart, report, base)]
            return [{**base, "id": element.id, "at": None, "charts": charts}] if charts else []
        case Chart():
            return [] if element.id in _in_panels(elements) else _charts(element, report, base)
        case Formula():
            return [
                {
                    **base,
                    "id": _id(element.id, i),
                    "at": said.at,
                    "symbolic": said.text,
                    "filled": filled,
                    "facts": said.facts,
                }
                for i, (_, said, filled) in enumerate(f for f in report.formulas if f[0] is element)
            ]
        case Rules() if element.id in report.rules_found:
            return [{**base, "id": element.id, "at": None, "rules": report.rules_found[element.id]}]
        case NewColumns() if element.id in report.new_columns:
            # Written by the platform, which knows the rows; see jobs/analysis.
            return [{**base, "id": element.id, "at": None, "columns_made": report.new_columns[element.id]}]
        case NewTable() if element.id in report.new_tables:
            made, filled = report.new_tables[element.id], report.filled.get(element.id)
            return [{**base, "id": element.id, "at": None, "table_made": made, "filled": filled}]
        case NewTable() if report.derived is not None:
            return [{**base, "id": element.id, "at": None}]
        case SavedModel() if element.id in report.fitted:
            # Written and signed by the platform; see jobs/artifacts.
            return [{**base, "id": element.id, "at": None, "fitted": report.fitted[element.id]}]
        case Try() if element.id in report.tries:
            features, start = report.tries[element.id]
            return [
                {**base, "id": element.id, "at": None, "model": element.of.id, "features": features, "start": start}
            ]
        case File() if element.id in report.files:
            return [
                {**base, "id": _id(element.id, i), "at": None, "file_name": name, "content": content}
                for i, (name, content) in enumerate(report.files[element.id])
            ]
        case _:
            return []


def _id(name: str, index: int) -> str:
    return name if index == 0 else f"{name}:{index}"


# ---- tables --------------------------------------------------------------------------------------------------------
def _table(table: Table, at: str | None, index: int, report: Report, base: Wire, shown: Shown) -> Wire:
    given = report.rows[table.id, at]
    stacked = bool(report.variables) and "variable" not in table.columns
    columns = [VARIABLE] if stacked else []
    outer = {key: spec for key, spec in table.columns.items() if shown(spec)}
    inner = {key: spec for key, spec in table.inner.items() if shown(spec)}
    merge = [key for key in table.merge if key in outer]
    wire = {
        **base,
        "id": _id(table.id, index),
        "at": at,
        "layout": table.layout_name,
        "turned": table.turned,
        "merge": ["variable", *merge] if stacked else merge,
        "hidden": table.hidden,
        "columns": [],
        "rows": [],
        "depth": [],
        "totals": [],
        "marks": {},
        "matrix": None,
        "more": None,
        "claim": asdict(table.claim) if isinstance(table.claim, Claim) else None,
    }
    if isinstance(table.layout, Matrix):
        return {**wire, "matrix": _matrix(table.layout, inner, single(given))}
    columns = columns + [spec.column for spec in outer.values()]
    if (blocks := _blocks(table, given, outer)) is not None:
        keys = [column.key for column in columns]
        size = sum(block.size for block in blocks)
        body = partial(_whole_columns, blocks, keys, table.hidden)
    else:
        rows = single(given)
        check_sums(table, rows)
        items: dict[Any, str] = {}
        if isinstance(table.layout, Wide):
            for row in rows:
                items |= {key: words for key, (words, _) in row.wide.items() if key not in items}
            columns = columns + _wide_columns(inner, list(items.values()))
        cells = partial(_cells, outer=outer, inner=inner, stacked=stacked, items=list(items))
        size, body = len(rows), partial(_row_by_row, rows, cells, {column.key: i for i, column in enumerate(columns)})
    wire["columns"] = columns
    if table.hidden or size <= INLINE_ROWS:
        return {**wire, **body(slice(None))}
    # Whoever asked for the report takes `rest` out again and keeps it beside the document.
    more = {"rows": size, "file": None}
    return {**wire, **body(slice(INLINE_ROWS)), "more": more, "rest": body(slice(INLINE_ROWS, None))}


def _blocks(table: Table, given: list[Row | Block], outer: dict[str, ColumnSpec]) -> list[Block] | None:
    """What was given, where it is whole columns of plain cells alone."""
    specs = [*table.columns.values(), *outer.values()]
    if isinstance(table.layout, Wide) or any(spec.column.parts or spec.rule.sums_within for spec in specs):
        return None
    blocks = [one for one in given if isinstance(one, Block)]
    return blocks if len(blocks) == len(given) else None


def _whole_columns(blocks: list[Block], keys: list[str], drawn: bool, which: slice) -> Wire:
    columns = [[cell for one in blocks for cell in one.cells.get(key) or [None] * one.size][which] for key in keys]
    rows = list(zip(*(map(_drawn, columns) if drawn else columns), strict=True))
    return {"rows": rows, "depth": [0] * len(rows), "totals": [], "marks": {}}


def _drawn(cells: list[Any]) -> list[Any]:
    """Points by the thousand are drawn and copied, never calculated with: nine digits are more than a screen has, still
    within every tolerance we promise, and spare a quarter of a whole report on its way to the browser."""
    if set(map(type, cells)) != {float}:
        return cells
    values = np.asarray(cells, dtype=float)
    digits = DRAWN_DIGITS - 1 - np.floor(np.log10(np.where(values == 0, 1, np.abs(values)))).astype(int)
    up, down = _TENS[np.clip(digits, 0, 22)], _TENS[np.clip(-digits, 0, 22)]
    # Powers of ten up to 22 are exact, so that the quotient is the number nearest to the decimal one, and short. Whole
    # numbers are short already, and may be instants.
    fine = (np.abs(digits) <= 22) & (values != np.rint(values))
    return list(np.where(fine, np.rint(values * up / down) * down / up, values).tolist())


def _row_by_row(rows: list[Row], cells: Callable[[Row], list[Any]], places: dict[str, int], which: slice) -> Wire:
    some = rows[which]
    return {
        "rows": [cells(row) for row in some],
        "depth": [row.depth for row in some],
        "totals": [i for i, row in enumerate(some) if row.total],
        "marks": {
            f"{i},{places[key]}": mark for i, row in enumerate(some) for key, mark in row.marks.items() if key in places
        },
    }


def _wide_columns(inner: dict[str, ColumnSpec], items: list[str]) -> list[TableColumn]:
    return [
        replace(spec.column, key=f"{key}@{i}", wide=words, stars=_own_stars(spec.column, inner, i))
        for i, words in enumerate(items)
        for key, spec in inner.items()
    ]


def _own_stars(column: TableColumn, inner: dict[str, ColumnSpec], item: int) -> str | None:
    """The p of the same item, where the p stands inside the spanner too."""
    return f"{column.stars}@{item}" if column.stars in inner else column.stars


def _cells(
    row: Row, outer: dict[str, ColumnSpec], inner: dict[str, ColumnSpec], stacked: bool, items: list[Any]
) -> list[Any]:
    cells = [row.cells.get("variable")] if stacked else []
    cells += [_cell(spec.column, row.cells) for spec in outer.values()]
    for key in items:
        given = row.wide.get(key, ("", {}))[1]
        cells += [_cell(spec.column, given) for spec in inner.values()]
    return cells


def _cell(column: TableColumn, cells: dict[str, Any]) -> Any:
    if column.parts is None:
        return cells.get(column.key)
    values = [cells.get(part) for part in column.parts]
    return None if all(value is None for value in values) else values


def _matrix(layout: Matrix, shown: dict[str, ColumnSpec], rows: list[Row]) -> Wire:
    labels: dict[Any, str] = {}
    for row in rows:
        for end in (row.item, row.against):
            assert end is not None
            labels.setdefault(end[0], end[1])
    place = {key: i for i, key in enumerate(labels)}
    size = len(labels)
    layers = []
    for key, spec in shown.items():
        square: list[list[Any]] = [[None] * size for _ in range(size)]
        given = {
            (place[r.item[0]], place[r.against[0]]): _cell(spec.column, r.cells) for r in rows if r.item and r.against
        }
        for (i, j), value in given.items():
            square[i][j] = value
            if (j, i) not in given:
                square[j][i] = value
        form = spec.column.format
        layers.append({"key": key, "title": spec.column.title, "format": form, "values": square})
    return {"labels": list(labels.values()), "layers": layers, "show": layout.show, "diagonal": layout.diagonal}


# ---- charts --------------------------------------------------------------------------------------------------------
def _charts(chart: Chart, report: Report, base: Wire) -> list[Wire]:
    """One chart for each `at` of the table it is a view of; none if a table it needs has no rows."""
    if not chart.sources or any(all(t != table.id for t, _ in report.rows) for table in chart.sources):
        return []
    ats = [at for table_id, at in report.rows if table_id == chart.sources[0].id]
    return [_chart(chart, at, i, report, base) for i, at in enumerate(ats)]


def _chart(chart: Chart, at: str | None, index: int, report: Report, base: Wire) -> Wire:
    wire = chart.wire()
    for key in ("of", "nodes", "edges", "mask"):
        if wire.get(key):
            wire[key] = _id(wire[key], index)
    facts = report.chart_facts.get((chart.id, at), {"titles": {}, "thinned": None, "over": []})
    if len(report.variables) > 1 and not wire["facet"]:
        wire["facet"] = ["variable"]
    thinned = None if facts["thinned"] is None else {"shown": facts["thinned"][0], "of": facts["thinned"][1]}
    return {
        **base,
        "type": "chart",
        "id": _id(chart.id, index),
        "name": chart.id,
        "title": chart.title,
        "at": at,
        **wire,
        "titles": wire["titles"] | facts["titles"],
        "over": [*wire["over"], *facts["over"]],
        "thinned": thinned,
    }


# ---- sentences -----------------------------------------------------------------------------------------------------
DEFAULT_PLACES: dict[str, Place] = {"lead": "lead", "text": "text", "check": "check", "warning": "text"}


def _said(report: Report, places: dict[str, Place]) -> list[Wire]:
    wires = []
    for i, sentence in enumerate(report.said):
        extra = {key: value for key, value in sentence.extra.items() if key != "place"}
        about = extra.get("about")
        place = places.get(about, "text") if about else DEFAULT_PLACES[sentence.type]
        base = {"type": sentence.type, "id": f"{sentence.type}{i + 1}", "place": place, "at": sentence.at}
        wires.append({**base, "text": sentence.text, "facts": sentence.facts, **extra})
    return wires


def _ordered(declared: list[Wire], sentences: list[Wire]) -> list[Wire]:
    """Warnings open their place, notes follow what they are about, charts and tables keep their order."""
    notes: dict[str, list[Wire]] = {}
    for wire in sentences:
        if wire.get("about"):
            notes.setdefault(wire["about"], []).append(wire)
    free = [wire for wire in sentences if not wire.get("about")]
    out: list[Wire] = []
    for place in PLACES:
        out += [wire for wire in free if wire["place"] == place and wire["type"] == "warning"]
        here = [wire for wire in declared if wire["place"] == place]
        for i, wire in enumerate(here):
            out.append(wire)
            last = all(later.get("name") != wire.get("name") for later in here[i + 1 :])
            if last:
                out += notes.pop(wire.get("name", ""), [])
        out += [wire for wire in free if wire["place"] == place and wire["type"] != "warning"]
    return out
