"""Linear programs by HiGHS: the optimum with its certificate, ranges of sensitivity, and what makes one impossible.

Always `minimise cost · x` inside; `LinearProgram.maximise` turns signs at the border, so duals and reduced costs are
the change of the objective as it was written.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Literal

import highspy
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
State = Literal["optimal", "infeasible", "unbounded", "time"]
Way = Literal["primal", "dual", "interior"]
TOLERANCE = 1e-7
INFINITE = highspy.kHighsInf


@dataclass(frozen=True)
class LinearProgram:
    """Optimise cost · x + constant with row_low ≤ rows · x ≤ row_high, low ≤ x ≤ high, some x whole."""

    cost: Floats
    rows: Floats
    row_low: Floats
    row_high: Floats
    low: Floats
    high: Floats
    maximise: bool = False
    constant: float = 0.0
    whole: Bools | None = None

    @property
    def sign(self) -> float:
        return -1.0 if self.maximise else 1.0

    def value(self, x: Floats) -> float:
        return float(self.cost @ x) + self.constant

    def relaxed(self) -> LinearProgram:
        return replace(self, whole=None)


@dataclass(frozen=True)
class Solution:
    """`duals`: change of the objective by one unit of a row's bound; `reduced`: by one unit of a variable."""

    state: State
    x: Floats
    value: float
    duals: Floats
    reduced: Floats
    basic: Bools
    """Of the variables, then of the rows."""
    iterations: int
    seconds: float
    bound: float = float("nan")
    nodes: int = 0


_STATES: dict[object, State] = {
    highspy.HighsModelStatus.kOptimal: "optimal",
    highspy.HighsModelStatus.kInfeasible: "infeasible",
    highspy.HighsModelStatus.kUnbounded: "unbounded",
    highspy.HighsModelStatus.kTimeLimit: "time",
    highspy.HighsModelStatus.kInterrupt: "time",
    highspy.HighsModelStatus.kIterationLimit: "time",
    highspy.HighsModelStatus.kSolutionLimit: "time",
}


def solver(program: LinearProgram, seconds: float = 60.0, way: Way = "primal") -> highspy.Highs:
    highs: highspy.Highs = highspy.Highs()  # type: ignore[no-untyped-call]
    for name, value in (
        ("output_flag", False), ("threads", 1), ("random_seed", 1), ("time_limit", float(seconds)), ("presolve", "off"),
        ("mip_rel_gap", 0.0), ("mip_abs_gap", 1e-9), ("mip_feasibility_tolerance", 1e-9),
        ("solver", "ipm" if way == "interior" else "simplex"),
        ("simplex_strategy", 4 if way == "primal" else 1),
    ):  # fmt: skip
        highs.setOptionValue(name, value)
    lp = highspy.HighsLp()
    m, n = program.rows.shape
    lp.num_col_, lp.num_row_ = n, m
    lp.col_cost_ = program.sign * program.cost
    lp.col_lower_, lp.col_upper_ = program.low, program.high
    lp.row_lower_, lp.row_upper_ = program.row_low, program.row_high
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    starts, index, values = [0], [], []
    for row in program.rows:
        (places,) = np.nonzero(row)
        index += places.tolist()
        values += row[places].tolist()
        starts.append(len(index))
    lp.a_matrix_.start_ = np.array(starts, dtype=np.int32)
    lp.a_matrix_.index_ = np.array(index, dtype=np.int32)
    lp.a_matrix_.value_ = np.array(values, dtype=float)
    if program.whole is not None and program.whole.any():
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        lp.integrality_ = [kinds[int(one)] for one in program.whole]
        highs.setOptionValue("presolve", "choose")
        highs.setOptionValue("solver", "choose")
    highs.passModel(lp)
    return highs


def solve(program: LinearProgram, seconds: float = 60.0, way: Way = "primal") -> Solution:
    """The optimum; of an unbounded or infeasible program the state alone."""
    began = time.perf_counter()
    highs = solver(program, seconds, way)
    highs.run()
    status = highs.getModelStatus()
    state = _STATES.get(status)
    if state is None:
        # "Unbounded or infeasible", or numbers HiGHS could not settle: which of them is found out without a target.
        feasible = (
            solve(replace(program, cost=np.zeros_like(program.cost)), seconds, way) if program.cost.any() else None
        )
        state = "unbounded" if feasible is not None and feasible.state == "optimal" else "infeasible"
    found, info = highs.getSolution(), highs.getInfo()
    sign = program.sign
    m, n = program.rows.shape
    basis = highs.getBasis()
    held = highspy.HighsBasisStatus.kBasic
    basic = np.array([one == held for one in [*basis.col_status, *basis.row_status]], dtype=bool)
    is_whole = program.whole is not None and bool(program.whole.any())
    has_point = found.value_valid and state in ("optimal", "time") and bool(np.isfinite(info.objective_function_value))
    if is_whole and state == "time" and info.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        has_point = False
    x = np.array(found.col_value, dtype=float) if has_point else np.full(n, np.nan)
    if has_point and is_whole and program.whole is not None:
        x[program.whole] = np.round(x[program.whole])
    return Solution(
        state=state,
        x=x,
        value=program.value(x),
        duals=sign * np.array(found.row_dual, dtype=float) if found.dual_valid else np.full(m, np.nan),
        reduced=sign * np.array(found.col_dual, dtype=float) if found.dual_valid else np.full(n, np.nan),
        basic=basic if len(basic) == n + m else np.zeros(n + m, dtype=bool),
        iterations=int(max(info.simplex_iteration_count, 0) + max(info.ipm_iteration_count, 0)),
        seconds=time.perf_counter() - began,
        bound=sign * info.mip_dual_bound + program.constant if is_whole else program.value(x),
        nodes=int(max(info.mip_node_count, 0)) if is_whole else 0,
    )


# ---- what makes a program impossible --------------------------------------------------------------------------------
def conflict(program: LinearProgram, seconds: float = 10.0) -> tuple[list[int], list[int]]:
    """Rows and variables (their bounds) that contradict each other; without any one of them the rest can be met.

    A deletion filter: what can be left out while the program stays infeasible is left out for good.
    """
    ends = time.monotonic() + seconds
    bare = replace(program, cost=np.zeros_like(program.cost), whole=None)
    is_whole = program.whole is not None and solve(bare).state == "optimal"
    if is_whole:
        bare = replace(bare, whole=program.whole)

    def impossible(one: LinearProgram) -> bool:
        return solve(one, max(0.2, ends - time.monotonic())).state == "infeasible"

    rows = list(range(len(bare.rows)))
    for row in range(len(bare.rows)):
        fewer = [one for one in rows if one != row]
        if time.monotonic() < ends and impossible(_only(bare, fewer)):
            rows = fewer
    held = _only(bare, rows)
    bounds = []
    for place in range(len(held.low)):
        if not (np.isfinite(held.low[place]) or np.isfinite(held.high[place])):
            continue
        low, high = held.low.copy(), held.high.copy()
        low[place], high[place] = -INFINITE, INFINITE
        freer = replace(held, low=low, high=high)
        if time.monotonic() < ends and impossible(freer):
            held = freer
        else:
            bounds.append(place)
    return rows, bounds


def _only(program: LinearProgram, rows: list[int]) -> LinearProgram:
    return replace(program, rows=program.rows[rows], row_low=program.row_low[rows], row_high=program.row_high[rows])


def ray(program: LinearProgram) -> Floats:
    """A direction in which the objective gets better for ever, its largest part 1."""
    n = len(program.cost)
    low = np.where(np.isfinite(program.low), 0.0, -1.0)
    high = np.where(np.isfinite(program.high), 0.0, 1.0)
    toward = replace(
        program, low=low, high=high, whole=None,
        row_low=np.where(np.isfinite(program.row_low), 0.0, -INFINITE),
        row_high=np.where(np.isfinite(program.row_high), 0.0, INFINITE),
    )  # fmt: skip
    found = solve(toward)
    return found.x if found.state == "optimal" else np.zeros(n)


# ---- sensitivity ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Ranges:
    """How far a cost, or the right side of a row, may rise and fall before the basis changes."""

    cost_up: Floats
    cost_down: Floats
    side_up: Floats
    side_down: Floats
    degenerate: bool
    others: list[int] = field(default_factory=list)
    """Variables and rows (after them) with reduced cost 0 outside of the basis: there may be further optima."""


def ranges(program: LinearProgram, found: Solution) -> Ranges:
    """Ranging from the basis. HiGHS' own ranging is wrong for rows that do not bind, so it is done here for all."""
    m, n = program.rows.shape
    columns = np.hstack([program.rows, -np.eye(m)])
    low, high = np.concatenate([program.low, program.row_low]), np.concatenate([program.high, program.row_high])
    cost = np.concatenate([program.sign * program.cost, np.zeros(m)])
    at = np.concatenate([found.x, program.rows @ found.x])
    (inside,), (outside,) = np.nonzero(found.basic), np.nonzero(~found.basic)
    steps = np.linalg.solve(columns[:, inside], columns[:, outside]) if m else np.zeros((0, len(outside)))
    # z_B = … − steps · z_N, so that raising a variable outside by 1 moves those inside by −steps.
    reduced = cost[outside] - cost[inside] @ steps
    small = 1e-9 * max(1.0, float(np.abs(cost).max(initial=0)))
    reduced = np.where(np.abs(reduced) < small, 0.0, reduced)
    fixed = high[outside] - low[outside] <= 0
    rises = ~fixed & (np.abs(at[outside] - low[outside]) <= np.abs(at[outside] - high[outside]))
    is_free = ~np.isfinite(low[outside]) & ~np.isfinite(high[outside])
    up, down = np.full(n, np.inf), np.full(n, np.inf)
    for place, which in enumerate(outside):
        if which < n and not fixed[place]:
            size = abs(reduced[place])
            if is_free[place]:
                up[which] = down[which] = 0.0
            elif rises[place]:
                down[which] = size
            else:
                up[which] = size
    for place, which in enumerate(inside):
        if which < n:
            up[which], down[which] = _cost_range(steps[place], reduced, fixed, rises)
    side_up, side_down = np.full(m, np.inf), np.full(m, np.inf)
    basics, ceilings, floors = at[inside], high[inside], low[inside]
    for place, which in enumerate(outside):
        if which >= n:
            side_up[which - n] = _room(-steps[:, place], basics, floors, ceilings)
            side_down[which - n] = _room(steps[:, place], basics, floors, ceilings)
    for which in inside[inside >= n]:
        row = which - n
        if np.isfinite(high[which]) and np.isfinite(low[which]):
            side_up[row] = side_down[row] = 0.0
        elif np.isfinite(high[which]):
            side_down[row] = max(0.0, high[which] - at[which])
        else:
            side_up[row] = max(0.0, at[which] - low[which])
    if program.maximise:
        up, down = down, up
    scale = 1e-7 * np.maximum(1.0, np.abs(basics))
    degenerate = bool(np.any((np.abs(basics - floors) < scale) | (np.abs(basics - ceilings) < scale)))
    others = [int(which) for place, which in enumerate(outside) if reduced[place] == 0 and not fixed[place]]
    return Ranges(up, down, side_up, side_down, degenerate, others)


def _cost_range(row: Floats, reduced: Floats, fixed: Bools, rises: Bools) -> tuple[float, float]:
    """Of a variable inside: reduced costs become reduced − δ · row and keep their signs."""
    up, down = np.inf, np.inf
    for step, left, still, rising in zip(row, reduced, fixed, rises, strict=True):
        if still or abs(step) < 1e-11:
            continue
        # Rising ones need left − δ step ≥ 0, the others ≤ 0.
        limit = abs(left / step)
        if (step > 0) == rising:
            up = min(up, limit)
        else:
            down = min(down, limit)
    return up, down


def _room(move: Floats, at: Floats, low: Floats, high: Floats) -> float:
    """How far one can go along `move` before one inside meets a bound."""
    room = np.inf
    for step, here, floor, ceiling in zip(move, at, low, high, strict=True):
        if abs(step) < 1e-11:
            continue
        edge = ceiling if step > 0 else floor
        if np.isfinite(edge):
            room = min(room, max(0.0, (edge - here) / step))
    return float(room)


def another(program: LinearProgram, found: Solution, suspects: list[int]) -> Floats | None:
    """A second optimal point that differs from the one found; None where it is the only one."""
    n = len(program.cost)
    face = replace(
        program,
        rows=np.vstack([program.rows, program.cost]),
        row_low=np.append(program.row_low, program.cost @ found.x),
        row_high=np.append(program.row_high, program.cost @ found.x),
        maximise=False,
    )
    for which in suspects[:20]:
        toward = np.eye(n)[which] if which < n else program.rows[which - n]
        for sign in (1.0, -1.0):
            one = solve(replace(face, cost=sign * toward), 5.0)
            if one.state == "optimal" and np.abs(one.x - found.x).max() > 1e-6 * max(1.0, float(np.abs(found.x).max())):
                return one.x
    return None
