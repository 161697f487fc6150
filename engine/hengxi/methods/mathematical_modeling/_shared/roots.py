"""Roots: of one unknown in an interval, of polynomials with multiplicities, of systems from many starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract.grammar import Arithmetic, Call, Negative, Node, Number, Symbol
from hengxi.stats.solving.expressions import CONSTANTS, Function

from .grid import Floats

SCANNED, MOST_DEGREE, MOST_ROOTS = 4001, 40, 200


@dataclass(frozen=True)
class System:
    """Equations as left side − right side over the unknowns."""

    parts: list[Function]
    names: list[str]

    def values(self, point: Floats) -> Floats:
        return np.array([f.value(point) for f in self.parts])

    def slopes(self, point: Floats) -> Floats:
        return np.array([f.gradient(point) for f in self.parts])

    def norm(self, point: Floats) -> float:
        return float(np.linalg.norm(self.values(point)))


def polynomial(node: Node, name: str) -> Floats | None:
    """Coefficients from the constant up; None where it is no polynomial (of at most degree 40)."""
    match node:
        case Number(value=value):
            return np.array([value])
        case Symbol(name=own):
            return np.array([0.0, 1.0]) if own == name else np.array([CONSTANTS.get(own, np.nan)])
        case Negative(item=item):
            inner = polynomial(item, name)
            return None if inner is None else -inner
        case Call(args=args):
            held = [polynomial(arg, name) for arg in args]
            if any(one is None or len(np.trim_zeros(one, "b")) > 1 for one in held):
                return None
            return np.array([Function(node, []).value(np.zeros(0))])
        case Arithmetic(op=op, left=left, right=right):
            a, b = polynomial(left, name), polynomial(right, name)
            if a is None or b is None:
                return None
            return _combined(op, a, b)
    return None


def _combined(op: str, a: Floats, b: Floats) -> Floats | None:
    if op in "+-":
        out = np.zeros(max(len(a), len(b)))
        out[: len(a)] += a
        out[: len(b)] += b if op == "+" else -b
        return out
    constant = len(np.trim_zeros(b, "b")) <= 1
    if op == "*":
        made = np.convolve(a, b)
    elif op == "/" and constant and b[0] != 0:
        made = a / b[0]
    elif op == "^" and constant and float(b[0]).is_integer() and 0 <= b[0] <= MOST_DEGREE:
        made = np.array([1.0])
        for _ in range(int(b[0])):
            made = np.convolve(made, a)
            if len(np.trim_zeros(made, "b")) > MOST_DEGREE + 1:
                return None
    elif op == "^" and constant and len(np.trim_zeros(a, "b")) <= 1:
        made = np.array([np.power(a[0], b[0])])
    else:
        return None
    return made if len(np.trim_zeros(made, "b")) <= MOST_DEGREE + 1 and np.isfinite(made).all() else None


def polynomial_roots(coefficients: Floats) -> list[tuple[complex, int]]:
    """Roots with how often each occurs, real ones first; near ones are joined at their mean."""
    found = list(np.polynomial.polynomial.polyroots(coefficients))
    scale = max(1.0, float(np.abs(found).max(initial=0.0)))
    groups: list[list[complex]] = []
    for root in sorted(found, key=lambda z: (round(z.real, 6), round(z.imag, 6))):
        near = next((g for g in groups if abs(np.mean(g) - root) <= 2e-3 * scale), None)
        if near is None:
            groups.append([root])
        else:
            near.append(root)
    out: list[tuple[complex, int]] = []
    for group in groups:
        centre, k = complex(np.mean(group)), len(group)
        # A group is one root where the derivatives below its order vanish there too; else they are near, not equal.
        if k > 1 and not _vanishes(coefficients, centre, k):
            out += [(complex(z), 1) for z in group]
        else:
            out.append((_polished(coefficients, centre, k), k))
    out = [(complex(z.real, 0.0) if abs(z.imag) <= 1e-9 * scale else z, k) for z, k in out]
    return sorted(out, key=lambda one: (abs(one[0].imag) > 0, round(one[0].real, 9), one[0].imag))


def _vanishes(c: Floats, z: complex, k: int) -> bool:
    scale = float(np.abs(np.polynomial.polynomial.polyval(abs(z), np.abs(c))))
    derivative: Any = c
    for _ in range(k - 1):
        if abs(np.polynomial.polynomial.polyval(z, derivative)) > 1e-7 * max(scale, 1e-300):
            return False
        derivative = np.polynomial.polynomial.polyder(derivative)
    return True


def _polished(c: Floats, z: complex, k: int) -> complex:
    """Newton on the derivative in which the root is simple."""
    d = np.polynomial.polynomial.polyder(c, k - 1) if k > 1 else c
    slope = np.polynomial.polynomial.polyder(d)
    for _ in range(20):
        under = np.polynomial.polynomial.polyval(z, slope)
        if under == 0:
            break
        step = np.polynomial.polynomial.polyval(z, d) / under
        z = complex(z - step)
        if abs(step) <= 1e-16 * max(1.0, abs(z)):
            break
    return z


def scan(f: Function, low: float, high: float, tol: float) -> list[float]:
    """Roots in an interval: changes of sign by Brent (1973), and places where f touches 0."""
    from scipy.optimize import brentq, minimize_scalar

    at = np.linspace(low, high, SCANNED)
    y = f.values(at[:, None])

    def value(x: float) -> float:
        return f.value(np.array([float(x)]))

    def absolute(x: float) -> float:
        return abs(value(x))

    found = [float(x) for x, v in zip(at, y, strict=True) if v == 0]
    for k in range(SCANNED - 1):
        a, b = y[k], y[k + 1]
        if not (np.isfinite(a) and np.isfinite(b)) or a == 0 or b == 0:
            continue
        if np.sign(a) != np.sign(b):
            root = float(brentq(value, at[k], at[k + 1], xtol=1e-14, rtol=1e-14, maxiter=500))
            # A pole changes its sign as well: there the function is large.
            if abs(value(root)) <= 1e-6 * max(abs(a), abs(b), 1e-300) or abs(value(root)) <= tol:
                found.append(root)
    size = np.abs(y)
    for k in range(1, SCANNED - 1):
        low_point = np.isfinite(size[k - 1 : k + 2]).all() and size[k] <= size[k - 1] and size[k] <= size[k + 1]
        if low_point and size[k] > 0 and np.sign(y[k - 1]) == np.sign(y[k]) == np.sign(y[k + 1]):
            best = minimize_scalar(absolute, bounds=(at[k - 1], at[k + 1]), method="bounded",
                                   options={"xatol": 1e-12})  # fmt: skip
            if best.fun <= min(tol, 1e-8) * max(1.0, float(size[k - 1])):
                found.append(_newton(f, float(best.x)))
    out: list[float] = []
    for root in sorted(found):
        if not out or abs(root - out[-1]) > 1e-6 * max(1.0, abs(root)):
            out.append(0.0 if abs(root) < 1e-15 * (high - low) else root)
    return out[:MOST_ROOTS]


def _newton(f: Function, x: float) -> float:
    """A double root is a simple one of f / f′: two Newton steps at once."""
    for _ in range(30):
        slope = float(f.gradient(np.array([x]))[0])
        if slope == 0 or not np.isfinite(slope):
            return x
        step = 2 * f.value(np.array([x])) / slope
        if not np.isfinite(step) or abs(step) > 1:
            return x
        x -= step
        if abs(step) < 1e-13 * max(1.0, abs(x)):
            break
    return x


def newton_steps(system: System, start: Floats, most: int = 30) -> list[tuple[Floats, float]]:
    """Points and norms of Newton's method from a start, halving a step that makes it worse."""
    point = np.asarray(start, dtype=float)
    out = [(point, system.norm(point))]
    for _ in range(most):
        values, slopes = system.values(point), system.slopes(point)
        if not (np.isfinite(values).all() and np.isfinite(slopes).all()) or out[-1][1] == 0:
            break
        step = np.linalg.lstsq(slopes, -values, rcond=None)[0]
        factor = 1.0
        while factor > 1e-4:
            norm = system.norm(point + factor * step)
            if np.isfinite(norm) and norm < out[-1][1]:
                break
            factor /= 2
        else:
            break
        point = point + factor * step
        out.append((point, norm))
        if norm < 1e-15 or float(np.abs(factor * step).max()) < 1e-15 * max(1.0, float(np.abs(point).max())):
            break
    return out


def from_starts(system: System, starts: list[Floats], tol: float) -> tuple[list[Floats], Floats | None, float]:
    """Different roots found from the starts, and the best point otherwise with its norm."""
    from scipy.optimize import least_squares, root

    n, m = len(system.names), len(system.parts)
    found: list[Floats] = []
    best: tuple[Floats | None, float] = (None, np.inf)
    for start in starts:
        values = system.values(start)
        if not np.isfinite(values).all():
            continue
        try:
            with np.errstate(all="ignore"):
                if m == n:
                    point = np.asarray(root(system.values, start, jac=system.slopes, method="hybr", tol=1e-13).x)
                else:
                    point = np.asarray(least_squares(system.values, start, jac=system.slopes, xtol=1e-15, ftol=1e-15,
                                                     gtol=1e-15).x)  # fmt: skip
        except (ValueError, np.linalg.LinAlgError):
            continue
        steps = newton_steps(system, point, 10)
        point, norm = steps[-1]
        if not np.isfinite(norm):
            continue
        if norm < best[1]:
            best = (point, norm)
        if norm <= tol and not any(_same(point, other) for other in found):
            found.append(np.where(np.abs(point) < 1e-14, 0.0, point))
    found.sort(key=lambda p: [round(float(v), 8) for v in p])
    return found, *best


def _same(a: Floats, b: Floats) -> bool:
    return bool(np.abs(a - b).max() <= 1e-6 * max(1.0, float(np.abs(a).max())))
