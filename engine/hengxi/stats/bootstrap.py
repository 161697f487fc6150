"""Bootstrap intervals of a statistic of one or two samples: percentile, and bias-corrected and accelerated (BCa)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from hengxi.stats.moments import Floats

Statistic = Callable[[Floats], Floats]
"""Rows of samples → one value a row (along the last axis)."""
MOST_DRAWS = 300_000_000
"""Draws (cases × resamples) that are still a matter of seconds."""
CELLS = 2_000_000


@dataclass(frozen=True, slots=True)
class Bootstrap:
    value: float
    bias: float
    se: float
    acceleration: float | None
    low: float
    high: float
    drawn: Floats


def bootstrap(
    samples: list[Floats], statistic: Statistic, times: int, level: float, rng: np.random.Generator, bca: bool
) -> Bootstrap | None:
    """Of one sample, or of the first minus the second; None where the resamples do not vary.

    BCa as Efron (1987), the acceleration from the jackknife of each sample; the median of ties counts half.
    """
    samples = [np.sort(x) for x in samples]  # the order of the rows must not decide what is drawn
    value = float(_combined([statistic(x[None, :]) for x in samples])[0])
    drawn = _combined([_resampled(x, statistic, times, rng) for x in samples])
    drawn = drawn[np.isfinite(drawn)]
    if drawn.size < times / 2 or drawn.min() == drawn.max():
        return None
    shares = np.array([(1 - level) / 2, (1 + level) / 2])
    a = None
    if bca:
        a = _acceleration([sign * left_out(x, statistic) for sign, x in zip((1, -1), samples, strict=False)])
        below = (float(np.mean(drawn < value)) + float(np.mean(drawn <= value))) / 2
        z0 = float(special.ndtri(np.clip(below, 0.5 / times, 1 - 0.5 / times)))
        z = z0 + special.ndtri(shares)
        shares = special.ndtr(z0 + z / (1 - a * z))
    low, high = np.quantile(drawn, shares)
    return Bootstrap(value, float(drawn.mean()) - value, float(drawn.std(ddof=1)), a, float(low), float(high), drawn)


def _combined(parts: list[Floats]) -> Floats:
    return parts[0] if len(parts) == 1 else parts[0] - parts[1]


def _resampled(x: Floats, statistic: Statistic, times: int, rng: np.random.Generator) -> Floats:
    rows = max(1, CELLS // x.size)
    found = [
        statistic(x[rng.integers(0, x.size, (min(rows, times - start), x.size))]) for start in range(0, times, rows)
    ]
    return np.concatenate(found)


def left_out(x: Floats, statistic: Statistic) -> Floats:
    """The statistic without each case in turn."""
    n = x.size
    rows = max(1, CELLS // n)
    found = []
    for start in range(0, n, rows):
        gone = np.arange(start, min(start + rows, n))
        places = np.arange(n - 1)[None, :]
        found.append(statistic(x[places + (places >= gone[:, None])]))
    return np.concatenate(found)


def _acceleration(parts: list[Floats]) -> float:
    influence = [(len(one) - 1) * (one.mean() - one) for one in parts]
    top = sum(float(np.sum(u**3)) / len(u) ** 3 for u in influence)
    bottom = sum(float(np.sum(u**2)) / len(u) ** 2 for u in influence)
    return top / (6 * bottom**1.5) if bottom > 0 else 0.0
