"""Local optimisation of smooth programs by SciPy with exact gradients, and what shows that a point is an optimum."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import optimize

Floats = npt.NDArray[np.float64]
BOUNDS_ONLY = ("Nelder-Mead", "L-BFGS-B", "Powell", "TNC")
Value = Callable[[Floats], float]
Vector = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Smooth:
    """minimise target(x) with sides(x) ≤ 0 (equal: = 0), low ≤ x ≤ high; `slopes`: the gradients of the sides."""

    target: Value
    gradient: Vector
    sides: Vector
    slopes: Vector
    equal: npt.NDArray[np.bool_]
    low: Floats
    high: Floats
    hessian: Callable[[Floats, Floats], Floats] | None = None
    """Of the Lagrangian: at a point, with multipliers."""

    def violation(self, x: Floats) -> float:
        """The largest breach of a constraint or bound."""
        sides = self.sides(x)
        breach = np.where(self.equal, np.abs(sides), np.maximum(sides, 0.0))
        return float(max(breach.max(initial=0.0), (self.low - x).max(initial=0.0), (x - self.high).max(initial=0.0)))


class Stopped(Exception):  # noqa: N818
    """The clock or the user ended the iterations; the best point stands in the recorder."""


@dataclass
class Recorder:
    """Follows the iterations of one start: the trace, the best feasible point, the end by the clock or the user."""

    program: Smooth
    ends: float
    watch: Callable[[float | None], bool]
    tolerance: float
    most: int
    trace: list[tuple[float, float]] = field(default_factory=list)
    path: list[Floats] = field(default_factory=list)
    best: Floats | None = None
    stopped: bool = False
    out_of_time: bool = False
    iterations: int = 0

    def __call__(self, x: Floats, *_: Any) -> None:
        here = np.clip(np.array(x, dtype=float), self.program.low, self.program.high)
        value, violation = self.program.target(here), self.program.violation(here)
        self.iterations += 1
        if len(self.trace) < 5000:
            self.trace.append((value, violation))
            self.path.append(here)
        if self.best is None or self.key(here) < self.key(self.best):
            self.best = here
        shown = self.program.target(self.best)
        if not self.watch(shown if self.program.violation(self.best) <= self.tolerance else None):
            self.stopped = True
            raise Stopped
        if time.monotonic() > self.ends:
            self.out_of_time = True
            raise Stopped

    def key(self, x: Floats) -> tuple[float, float]:
        value = self.program.target(x)
        return max(self.program.violation(x) - self.tolerance, 0.0), value if np.isfinite(value) else np.inf


@dataclass(frozen=True)
class Local:
    x: Floats
    value: float
    violation: float
    iterations: int
    evaluations: int
    ended: bool
    """By its own rule, neither by the clock nor by the limit of iterations."""
    message: str
    recorder: Recorder


def minimise(
    program: Smooth,
    method: str,
    start: Floats,
    *,
    most: int,
    tolerance: float,
    seconds: float,
    watch: Callable[[float | None], bool],
) -> Local:
    recorder = Recorder(program, time.monotonic() + seconds, watch, max(tolerance, 1e-6), most)
    evaluations = 0

    def target(x: Floats) -> float:
        nonlocal evaluations
        evaluations += 1
        if time.monotonic() > recorder.ends:
            recorder.out_of_time = True
            raise Stopped
        value = program.target(x)
        return value if np.isfinite(value) else 1e300

    def gradient(x: Floats) -> Floats:
        return np.nan_to_num(program.gradient(x), nan=0.0, posinf=1e150, neginf=-1e150)

    words: dict[str, Any] = {"bounds": optimize.Bounds(program.low, program.high)}
    if method not in ("Nelder-Mead", "Powell", "COBYLA"):
        words["jac"] = gradient
    words["options"] = _options(method, most, tolerance, len(start))
    constraints = _constraints(program, method)
    if constraints:
        words["constraints"] = constraints
    begin = np.clip(start, program.low, program.high)
    recorder(begin)
    message, ended, x = "", False, begin
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found = optimize.minimize(target, begin, method=method, callback=recorder, **words)
        x, message, ended = np.asarray(found.x, dtype=float), str(found.message), bool(found.success)
    except Stopped:
        message = "stopped"
    except (ValueError, np.linalg.LinAlgError, FloatingPointError) as error:
        message = str(error)
    x = np.clip(x, program.low, program.high)
    # What the algorithm ended at is more exact than the best point on its way, which may use up all that is forgiven.
    sound = ended and bool(np.all(np.isfinite(x))) and program.violation(x) <= recorder.tolerance
    if recorder.best is not None and not sound and recorder.key(recorder.best) < recorder.key(x):
        x = recorder.best
    return Local(
        x,
        program.target(x),
        program.violation(x),
        max(recorder.iterations - 1, 0),
        evaluations,
        ended,
        message,
        recorder,
    )


def _options(method: str, most: int, tolerance: float, n: int) -> dict[str, Any]:
    match method:
        case "Nelder-Mead":
            return {
                "maxiter": most * max(1, n),
                "maxfev": most * 10 * max(1, n),
                "xatol": tolerance * 1e-2,
                "fatol": tolerance * 1e-4,
                "adaptive": n > 5,
            }
        case "Powell":
            return {"maxiter": most, "maxfev": most * 100 * n, "xtol": tolerance * 1e-2, "ftol": tolerance * 1e-6}
        case "L-BFGS-B":
            return {"maxiter": most, "maxfun": most * 20, "ftol": 1e-15, "gtol": tolerance * 1e-2}
        case "TNC":
            return {"maxfun": most * 20, "ftol": 1e-15, "gtol": tolerance * 1e-2, "xtol": 1e-15}
        case "COBYLA":
            return {"maxiter": most * 10, "tol": tolerance * 1e-2, "catol": 1e-9}
        case "SLSQP":
            return {"maxiter": most, "ftol": min(1e-12, tolerance * 1e-4)}
    return {"maxiter": most, "gtol": tolerance * 1e-4, "xtol": 1e-14, "barrier_tol": tolerance * 1e-4}


def _constraints(program: Smooth, method: str) -> Any:
    if len(program.equal) == 0 or method in BOUNDS_ONLY:
        return ()
    if method == "trust-constr":
        low = np.where(program.equal, 0.0, -np.inf)
        clean = lambda x: np.nan_to_num(program.sides(x), nan=1e150, posinf=1e150, neginf=-1e150)  # noqa: E731
        hessian = optimize.BFGS()
        return [optimize.NonlinearConstraint(clean, low, np.zeros(len(low)), jac=program.slopes, hess=hessian)]
    made = []
    for kind, where in (("eq", program.equal), ("ineq", ~program.equal)):
        if where.any():
            sign = 1.0 if kind == "eq" else -1.0
            made.append(
                {
                    "type": kind,
                    "fun": lambda x, w=where, s=sign: np.nan_to_num(s * program.sides(x)[w], nan=-1e150),
                    "jac": lambda x, w=where, s=sign: np.nan_to_num(s * program.slopes(x)[w]),
                }
            )
    return made


# ---- certificate -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Certificate:
    """How well the Karush-Kuhn-Tucker conditions hold; `multipliers` of the constraints, `reduced` of bounds."""

    multipliers: Floats
    reduced: Floats
    gradient: float
    stationarity: float
    """Largest part of ∇f + Σ λ∇c + bounds, relative to the gradient's size (at least 1)."""
    complementarity: float
    active: npt.NDArray[np.bool_]
    eigenvalues: Floats | None
    """Of the Lagrangian's Hessian in the directions the active constraints leave free; None: not computed."""
    free: int

    @property
    def holds(self) -> bool:
        return self.stationarity <= 1e-4

    @property
    def is_minimum(self) -> bool | None:
        """Second order: True a strict local minimum, False a saddle, None undecided."""
        if self.free == 0:
            return True
        if self.eigenvalues is None:
            return None
        scale = 1e-6 * max(1.0, float(np.abs(self.eigenvalues).max()))
        if (self.eigenvalues > scale).all():
            return True
        return False if (self.eigenvalues < -scale).any() else None


def certificate(program: Smooth, x: Floats) -> Certificate:
    gradient = program.gradient(x)
    sides, slopes = program.sides(x), np.atleast_2d(program.slopes(x)) if len(program.equal) else np.zeros((0, len(x)))
    active = program.equal | (sides > -1e-5)
    at_low, at_high = (
        x - program.low <= 1e-7 * np.maximum(1, np.abs(x)),
        program.high - x <= 1e-7 * np.maximum(1, np.abs(x)),
    )
    n = len(x)
    columns = [*slopes[active], *(-np.eye(n)[at_low]), *(np.eye(n)[at_high])]
    low = [*np.where(program.equal[active], -np.inf, 0.0), *np.zeros(int(at_low.sum())), *np.zeros(int(at_high.sum()))]
    multipliers, reduced = np.zeros(len(sides)), np.zeros(n)
    size = max(1.0, float(np.abs(gradient).max(initial=0)))
    if not np.all(np.isfinite(gradient)) or not np.all(np.isfinite(slopes)):
        return Certificate(np.full(len(sides), np.nan), np.full(n, np.nan), np.nan, np.inf, np.nan, active, None, n)
    rest = gradient
    if columns:
        matrix = np.array(columns).T
        found = optimize.lsq_linear(
            matrix, -gradient, (np.array(low), np.full(len(low), np.inf)), method="bvls", tol=1e-14
        )
        rest = gradient + matrix @ found.x
        k = int(active.sum())
        multipliers[active] = found.x[:k]
        reduced[at_low] += found.x[k : k + int(at_low.sum())]
        reduced[at_high] -= found.x[k + int(at_low.sum()) :]
    complementarity = float(np.abs(multipliers * sides).max(initial=0))
    eigenvalues, free = _curvature(program, x, multipliers, slopes[active], at_low | at_high)
    return Certificate(
        multipliers, reduced, float(np.abs(gradient).max(initial=0)), float(np.abs(rest).max(initial=0)) / size,
        complementarity, active, eigenvalues, free,
    )  # fmt: skip


def _curvature(
    program: Smooth, x: Floats, multipliers: Floats, held: Floats, fixed: npt.NDArray[np.bool_]
) -> tuple[Floats | None, int]:
    n = len(x)
    rows = np.vstack([held, np.eye(n)[fixed]]) if len(held) or fixed.any() else np.zeros((0, n))
    if len(rows):
        _, singular, right = np.linalg.svd(rows)
        rank = int((singular > 1e-8 * max(1.0, float(singular.max(initial=0)))).sum())
        basis = right[rank:].T
    else:
        basis = np.eye(n)
    if basis.shape[1] == 0:
        return None, 0
    if program.hessian is None:
        return None, basis.shape[1]
    hessian = program.hessian(x, multipliers)
    if not np.all(np.isfinite(hessian)):
        return None, basis.shape[1]
    return np.linalg.eigvalsh(basis.T @ hessian @ basis), basis.shape[1]
