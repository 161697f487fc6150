"""The same data in another unit: every number of a report stays, or moves as its own unit does.

A variable is written as 4x + 512 (exact in binary, so that ties stay ties). A cell of a report may then stay (t, p, r,
shares, counts), follow the variable (a mean), its spread (a standard deviation, a difference), the square of that, or
the inverse of it (a slope on the variable).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd

from hengxi import registry
from hengxi.contract.fields import NumberField
from tests.support import oracle

TIMES, PLUS = 4.0, 512.0
MOVES: dict[str, Callable[[float], float]] = {
    "stays": lambda v: v,
    "follows": lambda v: TIMES * v + PLUS,
    "spread": lambda v: TIMES * v,
    "square": lambda v: TIMES**2 * v,
    "inverse": lambda v: v / TIMES,
}


CONSTANT = {"截距", "常数", "常数项", "（截距）"}
"""What a model says where all variables are 0 moves as a sum of several of them."""
OWN = {"aic", "bic", "loglik", "log_likelihood", "cv", "sum", "gmean", "hmean", "mape"}
"""Likelihoods, totals and ratios to the mean go by laws of their own."""


def moved(case: oracle.Case, keys: tuple[str, ...]) -> tuple[pd.DataFrame, dict[str, Any]]:
    """The frame with the variables of these roles in the other unit, and the form with its numbers in that unit."""
    fields, form = registry.load(case.path).Input.fields, dict(oracle.quick_form(case))
    frame = case.frame.copy()
    for key in keys:
        if isinstance(fields[key], NumberField):
            if form.get(key) is not None:
                form[key] = TIMES * form[key] + PLUS
            continue
        names = form.get(key) or []
        for name in [names] if isinstance(names, str) else names:
            frame[name] = TIMES * frame[name].astype(float) + PLUS
    return frame, form


def differences(case: oracle.Case, keys: tuple[str, ...], report: dict[str, Any]) -> Iterator[str]:
    """Cells that neither stay nor move as a unit does; a *p* must stay."""
    frame, form = moved(case, keys)
    measures: dict[str, str] = {column.name: column.measure for column in case.table().meta.columns}
    other = oracle.run(case, form, oracle.table_from(frame, measures))
    pairs = zip(_shown(report), _shown(other), strict=True)
    for one, two in pairs:
        kinds = {column["key"]: column["format"] for column in one["columns"]}
        for a, b in zip(oracle.table_rows(one), oracle.table_rows(two), strict=True):
            if CONSTANT & {cell for cell in a.values() if isinstance(cell, str)}:
                continue
            for key in oracle.numeric_keys(one):
                fixed = kinds.get(key) in ("pvalue", "integer", "percent")
                ways = ["stays"] if fixed else list(MOVES)
                if key in a and key not in OWN and not _moves(a[key], b.get(key), ways):
                    yield f"{one['name']}.{key}: {a[key]!r} became {b.get(key)!r}"


def _shown(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [table for table in oracle.elements(report, "table") if not table["hidden"]]


def _moves(before: Any, after: Any, ways: list[str]) -> bool:
    if not isinstance(before, int | float) or not isinstance(after, int | float):
        return bool(before == after)
    return any(math.isclose(MOVES[way](before), after, rel_tol=1e-7, abs_tol=1e-9) for way in ways)
