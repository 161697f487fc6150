"""Curves and surfaces through given points: one function for each way, values and slopes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Refusal

from .grid import Floats

LINE = {"linear": "线性", "nearest": "最近邻", "lagrange": "拉格朗日", "newton": "牛顿", "spline": "三次样条",
        "pchip": "PCHIP", "akima": "Akima"}  # fmt: skip
PLANE = {"linear2": "二维线性", "cubic2": "二维三次", "rbf": "径向基", "idw": "反距离加权"}
LEAST = {"linear": 2, "nearest": 1, "lagrange": 2, "newton": 2, "spline": 4, "pchip": 2, "akima": 2, "linear2": 4,
         "cubic2": 4, "rbf": 3, "idw": 1}  # fmt: skip
MOST_POLYNOMIAL = 60


@dataclass(frozen=True)
class Curve:
    """`at` gives values; `slope` the first derivative, None where the way has none."""

    at: Callable[[Floats], Floats]
    slope: Callable[[Floats], Floats] | None
    pieces: tuple[Floats, Floats] | None = None
    """Coefficients (4 or 2 rows, highest power first) and the ends of the pieces."""


def curve(key: str, x: Floats, y: Floats, boundary: str, ends: tuple[float, float]) -> Curve:
    """Through sorted different x; raises Refusal where there are too few points."""
    from scipy import interpolate

    least = 3 if key == "spline" and boundary != "not-a-knot" else LEAST[key]
    if len(x) < least:
        raise Refusal("data.few", f"方法“{LINE[key]}”至少需要 {least} 个点，现有 {len(x)} 个", field="method")
    made: Any
    match key:
        case "linear":
            slopes = np.diff(y) / np.diff(x)
            made = interpolate.PPoly(np.array([slopes, y[:-1]]), x)
        case "nearest":
            return Curve(lambda t: y[_nearest(x, t)], None)
        case "lagrange" | "newton":
            if len(x) > MOST_POLYNOMIAL:
                text = f"“{LINE[key]}”最多 {MOST_POLYNOMIAL} 个点，次数太高会失真，请改用三次样条"
                raise Refusal("data.many", text, field="method")
            c = differences(x, y)
            return Curve(lambda t: horner(c, x, t)[0], lambda t: horner(c, x, t)[1])
        case "spline":
            bc: Any = {"not-a-knot": "not-a-knot", "natural": "natural", "periodic": "periodic",
                       "clamped": ((1, ends[0]), (1, ends[1]))}[boundary]  # fmt: skip
            made = interpolate.CubicSpline(x, y, bc_type=bc)
        case "pchip":
            made = interpolate.PchipInterpolator(x, y)
        case _:
            made = interpolate.Akima1DInterpolator(x, y)
    slope = made.derivative()
    return Curve(lambda t: np.asarray(made(t, extrapolate=True)), lambda t: np.asarray(slope(t, extrapolate=True)),
                 (np.asarray(made.c), np.asarray(made.x)))  # fmt: skip


def _nearest(x: Floats, t: Floats) -> Any:
    """Place of the nearest x; of two equally near ones the left."""
    right = np.clip(np.searchsorted(x, t), 1, len(x) - 1) if len(x) > 1 else np.zeros(len(t), dtype=int)
    left = np.maximum(right - 1, 0)
    return np.where(np.abs(t - x[left]) <= np.abs(x[right] - t), left, right)


def differences(x: Floats, y: Floats) -> Floats:
    """Newton's divided differences f[x0], f[x0, x1], …"""
    c = np.array(y, dtype=float)
    for k in range(1, len(x)):
        c[k:] = (c[k:] - c[k - 1 : -1]) / (x[k:] - x[:-k])
    return c


def horner(c: Floats, x: Floats, t: Floats) -> tuple[Floats, Floats]:
    """Value and slope of Newton's polynomial."""
    value, slope = np.full(len(t), c[-1]), np.zeros(len(t))
    for k in range(len(c) - 2, -1, -1):
        slope = slope * (t - x[k]) + value
        value = value * (t - x[k]) + c[k]
    return value, slope


def surface(key: str, xy: Floats, z: Floats) -> Callable[[Floats], Floats]:
    """Over points of a plane; NaN outside their hull for the two ways on triangles."""
    from scipy import interpolate
    from scipy.spatial import QhullError

    if len(z) < LEAST[key]:
        raise Refusal("data.few", f"方法“{PLANE[key]}”至少需要 {LEAST[key]} 个点，现有 {len(z)} 个", field="method")
    centre, span = xy.mean(axis=0), np.maximum(np.ptp(xy, axis=0), 1e-300)
    flat = (xy - centre) / span
    try:
        match key:
            case "linear2":
                made: Any = interpolate.LinearNDInterpolator(flat, z)
            case "cubic2":
                made = interpolate.CloughTocher2DInterpolator(flat, z)
            case "rbf":
                made = interpolate.RBFInterpolator(xy, z, kernel="thin_plate_spline")
                return lambda p: np.asarray(made(p))
            case _:
                return lambda p: inverse_distance(xy, z, p)
    except (QhullError, np.linalg.LinAlgError):
        raise Refusal("data.line", "这些点在一条直线上，不能作二维插值，请只用一个自变量", field="x") from None
    return lambda p: np.asarray(made((p - centre) / span))


def inverse_distance(xy: Floats, z: Floats, p: Floats) -> Floats:
    """Weights 1 / d²; at a given point its own value (Shepard)."""
    out = np.empty(len(p))
    for start in range(0, len(p), 2000):
        d2 = ((p[start : start + 2000, None, :] - xy[None]) ** 2).sum(axis=2)
        hit = d2 == 0
        with np.errstate(divide="ignore", invalid="ignore"):
            w = 1 / d2
            out[start : start + 2000] = np.where(hit.any(axis=1), z[hit.argmax(axis=1)], (w @ z) / w.sum(axis=1))
    return out
