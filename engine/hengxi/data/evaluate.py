"""Formulas on a table: read, checked against its columns, and evaluated (evaluation.py)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from hengxi.contract.grammar import FormulaError, Node, columns, parse
from hengxi.contract.grammar_types import Type, check
from hengxi.data.arrays import Bools
from hengxi.data.evaluation import TRUE, Evaluation, Vector, types_of
from hengxi.data.functions import FUNCTIONS
from hengxi.data.refusal import DataRefusal
from hengxi.data.table import Table


@dataclass
class Evaluated:
    """`type` says what `values` are; `lost` counts cells that became missing by 0 division or by the domain."""

    type: Type
    values: Vector
    lost: dict[str, int] = field(default_factory=dict)


def evaluation(table: Table) -> Evaluation:
    """An evaluation that knows the functions of the grammar."""
    return Evaluation(table, FUNCTIONS)


def compiled(table: Table, source: str, kind: str) -> tuple[Node, Type]:
    """Parsed and checked against the table's columns. FormulaError."""
    node = parse(source, kind)  # type: ignore[arg-type]
    names = {column.id: column.name for column in table.meta.columns}
    return node, check(node, kind, types_of(table), names)  # type: ignore[arg-type]


def condition_mask(table: Table, source: str | Node) -> Bools:
    """Rows where the condition is true. FormulaError."""
    if isinstance(source, str):
        node, _ = compiled(table, source, "condition")
    else:
        node = source
        check(node, "condition", types_of(table), {column.id: column.name for column in table.meta.columns})
    keep: Bools = evaluation(table).logic(node) == TRUE
    return keep


def rows_where(table: Table, condition: str | Node | None) -> Bools:
    """Rows that satisfy a condition of the formula grammar; a condition that is missing keeps no row.

    DataRefusal `formula.*` (place in `facts.at`) for a condition that cannot be read or names an unknown column.
    """
    if condition is None or (isinstance(condition, str) and not condition.strip()):
        return np.ones(table.rows, dtype=np.bool_)
    try:
        return condition_mask(table, condition)
    except FormulaError as error:
        raise DataRefusal(error.code, error.text, error.facts) from error


def expression(table: Table, source: str) -> Evaluated:
    """The values of a formula for every row. FormulaError."""
    node, kind = compiled(table, source, "expression")
    run = evaluation(table)
    values = run.texts(node) if kind == "text" else run.numbers(node)
    return Evaluated(kind, values, run.lost)


def columns_of(source: str) -> list[str]:
    """Ids of the columns that a condition names."""
    return columns(parse(source, "condition"))
