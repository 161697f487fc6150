"""ELECTRE III: credibility of outranking and the two distillations (Roy 1978; Skałka, Bouyssou and Vallée 1992)."""

from __future__ import annotations

import numpy as np

from .indicators import Floats

ALPHA, BETA = 0.30, -0.15
"""The usual discrimination threshold s(λ) = 0.30 − 0.15·λ."""


def ramp(gap: Floats, low: float, high: float) -> Floats:
    """0 up to low, 1 from high, linear between; a step where both are equal."""
    if high > low:
        return np.asarray(np.clip((gap - low) / (high - low), 0.0, 1.0))
    return np.asarray((gap > low).astype(float))


def credibility(concordance: Floats, discordance: Floats) -> Floats:
    """C·Π(1 − d)/(1 − C) over the indicators whose discordance d exceeds C; `discordance`: indicators × a × b."""
    out = concordance.copy()
    for d in discordance:
        worse = d > concordance
        out = np.where(worse, out * (1 - d) / np.where(worse, 1 - concordance, 1.0), out)
    np.fill_diagonal(out, 1.0)
    return np.asarray(np.round(out, 12))


def _qualification(s: Floats, among: list[int], level: float) -> Floats:
    """Strengths minus weaknesses of the outranking above `level`."""
    part = s[np.ix_(among, among)]
    above = (part > level) & (part > part.T + ALPHA + BETA * part)
    np.fill_diagonal(above, False)
    return np.asarray(above.sum(axis=1) - above.sum(axis=0))


def distillation(s: Floats, descending: bool) -> list[int]:
    """Class of each, 1 = best. Descending takes the best first, ascending the worst."""
    left, classes = list(range(len(s))), []
    off = s.copy()
    np.fill_diagonal(off, -1.0)
    while left:
        among = left
        level = float(max(off[np.ix_(among, among)].max(), 0.0))
        while len(among) > 1:
            cut = level - (ALPHA + BETA * level)
            below = off[np.ix_(among, among)]
            below = below[(below >= 0) & (below < cut)]
            level = float(below.max()) if below.size else 0.0
            value = _qualification(s, among, level)
            best = value.max() if descending else value.min()
            among = [k for k, v in zip(among, value, strict=True) if v == best]
            if level == 0:
                break
        classes.append(among)
        left = [k for k in left if k not in among]
    ranks = [0] * len(s)
    for number, members in enumerate(classes if descending else reversed(classes), 1):
        for k in members:
            ranks[k] = number
    return ranks
