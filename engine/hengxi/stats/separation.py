"""Is the outcome separated by the columns of a design (Albert & Anderson 1984)? By linear programming (Konis 2007)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from hengxi.stats.moments import Floats
from hengxi.stats.thin import thin

PART = 4000
TOUCHING = 1e-7


@dataclass(frozen=True, slots=True)
class Separation:
    complete: bool
    direction: Floats
    """Along it the likelihood never falls: no finite coefficients are the best."""


def separation(design: Floats, y: Floats) -> Separation | None:
    signed = design * (2 * y - 1)[:, None]
    strict = _widest(signed, True)
    if strict is not None:
        return Separation(True, strict)
    loose = _widest(signed, False)
    return None if loose is None else Separation(False, loose)


def _widest(signed: Floats, strict: bool) -> Floats | None:
    """A direction with no row on the wrong side: all rows clear of the border, or at least one.

    Rows come in by and by: first a part, then the ones it leaves on the wrong side.
    """
    rows, k = signed.shape
    used = thin(rows, most=PART)
    goal = signed.sum(axis=0) / rows
    for _ in range(200):
        part = signed[used]
        if strict:
            matrix = np.column_stack((-part, np.ones(used.size)))
            cost = np.concatenate((np.zeros(k), [-1.0]))
            bounds = [(-1.0, 1.0)] * k + [(None, 1.0)]
        else:
            matrix, cost, bounds = -part, -goal, [(-1.0, 1.0)] * k
        solved = linprog(cost, A_ub=matrix, b_ub=np.zeros(used.size), bounds=bounds, method="highs")
        if solved.status != 0:
            return None
        direction = np.asarray(solved.x[:k])
        side = signed @ direction
        least = TOUCHING if strict else -TOUCHING
        if strict and float(solved.x[k]) <= TOUCHING:
            return None
        wrong = np.setdiff1d(np.flatnonzero(side < least), used)
        if wrong.size == 0:
            return direction if float(side.max()) > TOUCHING else None
        used = np.concatenate((used, wrong[np.argsort(side[wrong])[:PART]]))
    return None
