"""The linear programs of data envelopment analysis, in envelopment form, solved by HiGHS (MIT licence)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import highspy
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Returns = Literal["crs", "vrs"]
ROUND = 1e-9
"""Slacks and weights below this, on scaled data, are rounding of the solver."""


@dataclass(frozen=True)
class Envelope:
    """`theta` ≤ 1 (input) or φ ≥ 1 (output); slacks in the units of the data; λ of each unit."""

    theta: float
    inputs: Floats
    outputs: Floats
    weights: Floats


def minimise(cost: Floats, equal: Floats, right: Floats, upper: Floats | None = None) -> tuple[Floats, float] | None:
    """min c·x, A x = b, 0 ≤ x ≤ u; None where nothing fulfils it."""
    model = highspy.HighsLp()
    rows, columns = equal.shape
    model.num_col_, model.num_row_ = columns, rows
    model.col_cost_ = cost
    model.col_lower_ = np.zeros(columns)
    model.col_upper_ = np.full(columns, highspy.kHighsInf) if upper is None else upper
    model.row_lower_ = model.row_upper_ = right
    at, j = np.nonzero(equal)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.concatenate([[0], np.cumsum(np.bincount(at, minlength=rows))]).astype(np.int32)
    model.a_matrix_.index_ = j.astype(np.int32)
    model.a_matrix_.value_ = equal[at, j]
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in (("output_flag", False), ("threads", 1), ("primal_feasibility_tolerance", 1e-10),
                          ("dual_feasibility_tolerance", 1e-10)):  # fmt: skip
        solver.setOptionValue(option, value)
    solver.passModel(model)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return np.asarray(solver.getSolution().col_value, dtype=float), float(solver.getInfo().objective_function_value)


def radial(
    x: Floats, y: Floats, unit: int, returns: Returns, output: bool, reference: Floats | None = None
) -> Envelope | None:
    """Stage one: θ (or φ); stage two: the largest sum of slacks with θ held (Cooper, Seiford and Tone 2007).

    Data are scaled by their means, so that units of measurement weigh nothing in the second stage of the solver.
    `reference`: which units span the frontier; None: all.
    """
    a, b = x.mean(axis=0), y.mean(axis=0)
    u, v = x / a, y / b
    units = np.flatnonzero(reference) if reference is not None else np.arange(len(x))
    n, m, s = len(units), x.shape[1], y.shape[1]
    rows = m + s + (returns == "vrs")
    equal, right = np.zeros((rows, n + 1 + m + s)), np.zeros(rows)
    equal[:m, :n], equal[m : m + s, :n] = u[units].T, v[units].T
    equal[:m, n + 1 : n + 1 + m] = np.eye(m)
    equal[m : m + s, n + 1 + m :] = -np.eye(s)
    if output:
        equal[m : m + s, n] = -v[unit]
        right[:m] = u[unit]
    else:
        equal[:m, n] = -u[unit]
        right[m : m + s] = v[unit]
    if returns == "vrs":
        equal[-1, :n], right[-1] = 1.0, 1.0
    cost = np.zeros(n + 1 + m + s)
    cost[n] = -1.0 if output else 1.0
    first = minimise(cost, equal, right)
    if first is None:
        return None
    theta = float(first[0][n])
    held = right - equal[:, n] * theta
    second_cost = np.zeros(n + m + s)
    second_cost[n:] = -1.0
    rest = np.delete(equal, n, axis=1)
    second = minimise(second_cost, rest, held)
    found = np.delete(first[0], n) if second is None else second[0]
    found = np.where(np.abs(found) < ROUND, 0.0, found)
    weights = np.zeros(len(x))
    weights[units] = found[:n]
    theta = 1.0 if abs(theta - 1) < ROUND else theta
    return Envelope(theta, found[n : n + m] * a, found[n + m :] * b, weights)


def reach(point: tuple[Floats, Floats], front: tuple[Floats, Floats], returns: Returns, output: bool) -> float | None:
    """Efficiency of any point (inputs, outputs) against the units of `front`; above 1 beyond it, None: infeasible.

    θ by inputs, 1/φ by outputs. Written in multiples of the point's own values, so units do not matter.
    """
    a, b = (values / own for own, values in zip(point, front, strict=True))
    n, m, s = len(a), a.shape[1], b.shape[1]
    factor = np.concatenate([np.zeros(m), -np.ones(s)]) if output else np.concatenate([-np.ones(m), np.zeros(s)])
    right = np.concatenate([np.ones(m), np.zeros(s)]) if output else np.concatenate([np.zeros(m), np.ones(s)])
    equal = np.hstack([factor[:, None], np.hstack([a, b]).T, np.diag(np.concatenate([np.ones(m), -np.ones(s)]))])
    if returns == "vrs":
        equal = np.vstack([equal, np.concatenate([[0.0], np.ones(n), np.zeros(m + s)])])
        right = np.append(right, 1.0)
    cost = np.concatenate([[-1.0 if output else 1.0], np.zeros(n + m + s)])
    found = minimise(cost, equal, right)
    if found is None or found[0][0] <= 0:
        return None
    value = float(1 / found[0][0] if output else found[0][0])
    return 1.0 if abs(value - 1) < ROUND else value
