"""Tests of single outlying values in normal samples: Grubbs, Dixon, generalised ESD."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import optimize, special, stats

from hengxi.stats.moments import Floats

DIXON = (3, 30)
_NODES, _SHARES = np.polynomial.legendre.leggauss(160)


@dataclass(frozen=True, slots=True)
class Outlying:
    """`place`: of the value in the sample."""

    place: int
    statistic: float
    critical: float
    p: float


def farthest(x: Floats) -> int:
    return int(np.argmax(np.abs(x - x.mean())))


def grubbs_critical(n: int, share: float) -> float:
    """(n − 1)/√n · √(t²/(n − 2 + t²)) with P(T > t) = `share` (Grubbs 1969)."""
    t = float(stats.t.isf(share, n - 2))
    return (n - 1) / float(np.sqrt(n)) * float(np.sqrt(t * t / (n - 2 + t * t)))


def grubbs(x: Floats, alpha: float) -> Outlying:
    """Two-sided: the value farthest from the mean; n ≥ 3, not all equal. p by Bonferroni's bound, as is usual."""
    n, place = x.size, farthest(x)
    g = float(abs(x[place] - x.mean()) / x.std(ddof=1))
    rest = (n - 1) ** 2 - n * g * g
    t = float(np.sqrt(n * (n - 2) * g * g / rest)) if rest > 0 else np.inf
    p = min(1.0, 2 * n * float(stats.t.sf(t, n - 2)))
    return Outlying(place, g, grubbs_critical(n, alpha / (2 * n)), p)


@dataclass(frozen=True, slots=True)
class Step:
    place: int
    R: float
    critical: float


def esd(x: Floats, most: int, alpha: float) -> list[Step]:
    """Rosner (1983): the farthest value is taken out again and again; all up to the last R above λ are outliers."""
    n = x.size
    held = np.arange(n)
    steps = []
    for i in range(1, min(most, n - 3) + 1):
        inside = x[held]
        sd = float(inside.std(ddof=1))
        if sd == 0:
            break
        place = farthest(inside)
        share = alpha / (2 * (n - i + 1))
        steps.append(
            Step(int(held[place]), float(abs(inside[place] - inside.mean()) / sd), grubbs_critical(n - i + 1, share))
        )
        held = np.delete(held, place)
    return steps


def dixon_kind(n: int) -> tuple[int, int]:
    """Which ratio (Dixon 1953): values above the gap, values left out below: r10, r11, r21, r22."""
    return (1, 0) if n <= 7 else (1, 1) if n <= 10 else (2, 1) if n <= 13 else (2, 2)


def dixon(x: Floats, alpha: float) -> Outlying:
    """The value farthest from the mean, two-sided; n from 3 to 30, not all equal."""
    n, place = x.size, farthest(x)
    above, below = dixon_kind(n)
    ordered = np.sort(x if x[place] >= x.mean() else -x)
    reach = float(ordered[-1] - ordered[below])
    ratio = float(ordered[-1] - ordered[-1 - above]) / reach if reach > 0 else 0.0
    return Outlying(place, ratio, dixon_critical(n, alpha), min(1.0, 2 * dixon_tail(ratio, n)))


@lru_cache(maxsize=64)
def dixon_critical(n: int, alpha: float) -> float:
    return float(optimize.brentq(lambda r: dixon_tail(r, n) - alpha / 2, 1e-6, 1 - 1e-9, xtol=1e-12))


def dixon_tail(ratio: float, n: int) -> float:
    """P(R > ratio) of a normal sample, by integrating over the largest value and the lowest that counts.

    Between these two lie m others; R is greater where fewer than `above` of them come near the largest.
    """
    if ratio >= 1:
        return 0.0
    above, below = dixon_kind(n)
    m = n - 2 - below
    low = -9 + 9 * (_NODES + 1)
    reach = 9 * (_NODES + 1)
    b, a = low[:, None], low[:, None] + reach[None, :]
    whole = np.maximum(special.ndtr(a) - special.ndtr(b), 1e-300)
    near = np.clip((special.ndtr(a) - special.ndtr(a - ratio * reach[None, :])) / whole, 0, 1)
    few = (1 - near) ** m
    if above == 2:
        few = few + m * near * (1 - near) ** (m - 1)
    log_density = (
        special.gammaln(n + 1) - special.gammaln(below + 1) - special.gammaln(m + 1) - np.log(2 * np.pi)
        + below * special.log_ndtr(b) - (a * a + b * b) / 2 + m * np.log(whole)
    )  # fmt: skip
    return float(np.clip(81 * _SHARES @ (np.exp(log_density) * few) @ _SHARES, 0, 1))
