"""Capability of a process against its specification: indices, their intervals, shares outside, degrees of freedom.

Normal theory; intervals by Bissell (1990) for the one-sided indices and by χ² for the two-sided ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special, stats

from hengxi.families.control.constants import c4, d2, d3, per_size

Floats = npt.NDArray[np.float64]
Bounds = tuple[float, float]

GRADES = ((1.67, "特级"), (1.33, "一级"), (1.0, "二级"), (0.67, "三级"))
LAST_GRADE = "四级"
MILLION = 1e6
FAR = 1e6
"""Limits so many standard deviations away are a slip of the unit."""


@dataclass(frozen=True)
class Spec:
    """Limits of the specification and its target; None where there is none. At least one limit."""

    lsl: float | None
    usl: float | None
    target: float | None = None

    @property
    def two_sided(self) -> bool:
        return self.lsl is not None and self.usl is not None

    def is_far(self, mean: float, sd: float) -> bool:
        given = [value for value in (self.lsl, self.usl, self.target) if value is not None]
        return not all(abs(value / sd - mean / sd) < FAR for value in given)

    def outside(self, x: Floats) -> tuple[int, int]:
        """How many values lie below the lower and above the upper limit."""
        below = 0 if self.lsl is None else int((x < self.lsl).sum())
        return below, 0 if self.usl is None else int((x > self.usl).sum())


@dataclass(frozen=True)
class Indices:
    """`both`: tolerance over spread (Cp, Pp); `lower`, `upper`: each side (CPL, CPU); None without that limit."""

    both: float | None
    lower: float | None
    upper: float | None

    @property
    def least(self) -> float:
        """Cpk, Ppk: the worse side."""
        return min(side for side in (self.lower, self.upper) if side is not None)


def indices(spec: Spec, middle: float, below: float, above: float) -> Indices:
    """Of a distribution that reaches `below` and `above` its middle: 3σ each, or its own percentiles (ISO 22514-4)."""
    both = None if spec.lsl is None or spec.usl is None else (spec.usl - spec.lsl) / (below + above)
    lower = None if spec.lsl is None else (middle - spec.lsl) / below
    upper = None if spec.usl is None else (spec.usl - middle) / above
    return Indices(both, lower, upper)


def chi_interval(value: float, df: float, level: float) -> Bounds:
    """Interval of an index whose only uncertain part is σ̂: value √(χ²_q / df)."""
    tail = (1 - level) / 2
    return tuple(float(value * np.sqrt(stats.chi2.ppf(q, df) / df)) for q in (tail, 1 - tail))  # type: ignore[return-value]


def bissell(value: float, n: int, df: float, level: float) -> Bounds:
    """value ± z √(1/(9n) + value²/(2 df)) (Bissell 1990)."""
    half = float(special.ndtri((1 + level) / 2) * np.sqrt(1 / (9 * n) + value**2 / (2 * df)))
    return value - half, value + half


def cpm(spec: Spec, n: int, mean: float, sd: float, level: float) -> tuple[float, Bounds] | None:
    """(USL − LSL)/(6 √(s² + (x̄ − T)²)) with Boyles' (1991) interval; None without both limits and a target."""
    if spec.lsl is None or spec.usl is None or spec.target is None:
        return None
    away = (mean - spec.target) / sd
    value = (spec.usl - spec.lsl) / (6 * sd * float(np.sqrt(1 + away**2)))
    return value, chi_interval(value, n * (1 + away**2) ** 2 / (1 + 2 * away**2), level)


def df_of(way: str, n: npt.NDArray[np.int64]) -> float:
    """Degrees of freedom of σ̂ as 1/(2 CV²), the coefficient of variation of the estimate under normality.

    "rbar", "sbar": means of R/d2, s/c4 over subgroups of sizes n (two or more); "pooled": Σ(n − 1), exact; "mr": of
    Σn single values, with the covariance of neighbouring moving ranges.
    """
    if way == "pooled":
        return float((n - 1).sum())
    if way == "mr":
        steps = int(n.sum()) - 1
        spread = 2 - 4 / np.pi
        beside = 4 / np.pi * (np.sqrt(3) / 2 + np.pi / 12) - 4 / np.pi
        squared = (steps * spread + 2 * (steps - 1) * beside) / steps**2 / (4 / np.pi)
        return float(1 / (2 * squared))
    each = per_size(d3, n) / per_size(d2, n) if way == "rbar" else np.sqrt(1 / per_size(c4, n) ** 2 - 1)
    return float(n.size**2 / (2 * (each**2).sum()))


@dataclass(frozen=True)
class Outside:
    """Shares of a normal distribution beyond the limits, and the normal deviates they amount to."""

    below: float
    above: float
    z_lower: float | None
    z_upper: float | None
    z_bench: float

    @property
    def total(self) -> float:
        return self.below + self.above


def outside(spec: Spec, mean: float, sd: float) -> Outside:
    """`z_bench`: the deviate with both shares above it, from logarithms, so that it holds where shares are 0."""
    lower = None if spec.lsl is None else (mean - spec.lsl) / sd
    upper = None if spec.usl is None else (spec.usl - mean) / sd
    logs = [float(special.log_ndtr(-z)) for z in (lower, upper) if z is not None]
    bench = -float(special.ndtri_exp(min(float(special.logsumexp(logs)), 0.0)))
    below = 0.0 if lower is None else float(special.ndtr(-lower))
    above = 0.0 if upper is None else float(special.ndtr(-upper))
    return Outside(below, above, lower, upper, bench)


def grade(least: float) -> str:
    """The customary Chinese grades of Cpk."""
    return next((name for bound, name in GRADES if least >= bound), LAST_GRADE)
