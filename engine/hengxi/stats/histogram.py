"""Bins for a histogram, with round edges that can be said in a sentence."""

from dataclasses import dataclass

import numpy as np

from hengxi.stats.moments import Floats, quantiles


@dataclass(frozen=True, slots=True)
class Bins:
    edges: Floats
    counts: Floats
    width: float


MOST_BINS = 40


def histogram(x: Floats, counts: Floats | None = None) -> Bins:
    """Freedman-Diaconis width (Sturges where the quartiles coincide), rounded to 1, 2 or 5 times a power of ten.

    Bins are closed on the left; the last one is closed on both sides. Whole numbers never share a bin unevenly: no bin
    is narrower than 1, bins of 1 stand around their number, and a largest value on an edge gets a bin of its own.
    """
    least, most = float(x.min()), float(x.max())
    n = float(x.size if counts is None else counts.sum())
    if least == most:
        half = abs(least) / 2 or 0.5
        return Bins(np.array([least - half, least + half]), np.array([n]), 2 * half)
    with np.errstate(over="ignore", under="ignore"):
        reach = most - least
        if not np.isfinite(reach) or reach < 1e-290 or reach <= 1e-12 * max(abs(least), abs(most)):
            edges = np.array([least, least / 2 + most / 2, most])
        else:
            width = _round_width(_raw_width(x, counts, reach, n), reach)
            whole = max(abs(least), abs(most)) < 1e15 and bool((x == np.floor(x)).all())
            if whole and width <= 1:
                width, edges = 1.0, np.arange(least, most + 2) - 0.5
            else:
                first, last = np.floor(least / width), np.floor(most / width) + 1 if whole else np.ceil(most / width)
                edges = np.arange(first, last + 1) * width
            if edges[-1] < most:
                edges = np.append(edges, edges[-1] + width)
    found, _ = np.histogram(x, bins=edges, weights=counts)
    return Bins(edges, found.astype(float), float(edges[1] - edges[0]))


def _raw_width(x: Floats, counts: Floats | None, reach: float, n: float) -> float:
    q1, q3 = quantiles(x, [0.25, 0.75], counts, kind=7)
    sturges = reach / (1 + np.log2(n))
    width = 2 * (q3 - q1) / n ** (1 / 3) if q3 > q1 else sturges
    return float(min(max(width, reach / MOST_BINS), max(sturges, reach / 5)))


def _round_width(width: float, reach: float) -> float:
    base = 10.0 ** np.floor(np.log10(width))
    for step in (1.0, 2.0, 5.0, 10.0):
        if step * base >= width * 0.999:
            return float(step * base)
    return float(reach)
