"""Weights that meet known margins: iterative proportional fitting, linear calibration, trimming, and what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hengxi.stats.moments import Floats


@dataclass(frozen=True)
class Margin:
    """The level of each case (0 … k − 1, all of them present) and the total each level is to have."""

    place: NDArray[np.integer[Any]]
    totals: Floats

    def sums(self, w: Floats) -> Floats:
        return np.asarray(np.bincount(self.place, weights=w, minlength=self.totals.size))

    def apart(self, w: Floats) -> float:
        """The largest relative difference from the totals."""
        return float(np.abs(self.sums(w) / self.totals - 1).max())


def raked(base: Floats, margins: Sequence[Margin], most: int, settled: float) -> tuple[Floats, int]:
    """Each margin in turn is met (Deming & Stephan 1940); gives the weights and how many rounds were made."""
    w = base.copy()
    for step in range(1, most + 1):
        for margin in margins:
            w *= (margin.totals / margin.sums(w))[margin.place]
        if max(margin.apart(w) for margin in margins) <= settled:
            return w, step
    return w, most


def indicators(margins: Sequence[Margin]) -> Floats:
    """Cases × levels of all margins; the last level of every margin but the first is left out."""
    columns = []
    for i, margin in enumerate(margins):
        levels = margin.totals.size - (1 if i else 0)
        columns += [(margin.place == level).astype(float) for level in range(levels)]
    return np.column_stack(columns)


def calibrated(base: Floats, margins: Sequence[Margin]) -> Floats:
    """Linear calibration (Deville & Särndal 1992); weights may be negative."""
    x = indicators(margins)
    levels = [margin.totals if i == 0 else margin.totals[:-1] for i, margin in enumerate(margins)]
    wanted = np.concatenate(levels) - x.T @ base
    lam = np.linalg.lstsq(x.T @ (base[:, None] * x), wanted, rcond=1e-12)[0]
    return np.asarray(base * (1 + x @ lam))


def trimmed(w: Floats, times: float) -> tuple[Floats, int]:
    """Weights above `times` the mean are cut to it and what is over goes to the others in proportion, until none is."""
    total, cap = float(w.sum()), times * float(w.mean())
    over = np.zeros(w.size, dtype=bool)
    made = w.copy()
    while True:
        beyond = (made > cap * (1 + 1e-12)) & ~over
        if not beyond.any():
            return made, int(over.sum())
        over |= beyond
        rest = float(w[~over].sum())
        made = np.where(over, cap, w * ((total - cap * over.sum()) / rest if rest > 0 else 1.0))


def kish(w: Floats) -> tuple[float, float]:
    """CV of the weights and the design effect 1 + CV² (Kish 1965)."""
    deff = float(w.size * (w @ w) / w.sum() ** 2)
    return float(np.sqrt(max(deff - 1, 0.0))), deff


def weighted_mean(y: Floats, w: Floats, margins: Sequence[Margin] | None, by: Floats) -> tuple[float, float]:
    """A mean and its linearised standard error; with margins the residuals of y about them count (cases with a gap in y
    count as 0, as outside the domain), fitted with the weights `by`."""
    held = np.isfinite(y)
    mean = float(w[held] @ y[held] / w[held].sum())
    apart = np.where(held, y - mean, 0.0) / float(w[held].sum())
    if margins is not None:
        x = indicators(margins)
        root = np.sqrt(np.maximum(by, 0.0))
        fit = np.linalg.lstsq(root[:, None] * x, root * apart, rcond=1e-12)[0]
        apart = apart - x @ fit
    z = w * apart
    n = z.size
    z = z - z.mean()
    return mean, float(np.sqrt(n / (n - 1) * (z @ z)))
