"""Column-stochastic supermatrices: their structure, their limit by powers or by Cesàro means (Saaty 1996)."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd, lcm

import numpy as np

from .digraph import Flags, cycles, reachable
from .indicators import Floats

STILL = 1e-10
DOUBLINGS = 60
FINE = 1e-13


@dataclass(frozen=True)
class Structure:
    """`period`: of the powers, the least common multiple over the closed classes; `closed`: how many of these."""

    irreducible: bool
    closed: int
    period: int

    @property
    def primitive(self) -> bool:
        return self.irreducible and self.period == 1


def structure(weighted: Floats) -> Structure:
    """Of a matrix whose column j says what influences element j."""
    relation: Flags = weighted.T > 0
    blocks = cycles(reachable(relation))
    closed = [one for one in blocks if not np.delete(relation[one], one, axis=1).any()]
    return Structure(len(blocks) == 1, len(closed), lcm(*(_period(relation[np.ix_(one, one)]) for one in closed)))


def _period(relation: Flags) -> int:
    """Greatest common divisor of the lengths of cycles, of a strongly connected relation."""
    depth = {0: 0}
    queue = [0]
    found = 0
    for k in queue:
        for j in map(int, np.flatnonzero(relation[k])):
            if j not in depth:
                depth[j] = depth[k] + 1
                queue.append(j)
            found = gcd(found, depth[k] + 1 - depth[j])
    return abs(found)


def limiting(weighted: Floats, by_means: bool) -> tuple[Floats, int, float]:
    """The limit of W^m, or of the means of W, W², …; the exponent at which doubling it changes less than 1e-10, and
    that change.

    The means of the powers of W tend to the limit of the powers of (I + W)/2, which has no period and the same
    eigenvectors of 1.
    """
    now = (np.eye(len(weighted)) + weighted) / 2 if by_means else weighted
    reached: tuple[int, float] | None = None
    change = np.inf
    for k in range(DOUBLINGS):
        after = now @ now
        after = after / after.sum(axis=0)
        change = float(np.abs(after - now).max())
        now = after
        if change < STILL and reached is None:
            reached = 2**k, change
        if change < FINE:
            break
    power, change = reached or (2**DOUBLINGS, change)
    return now, power, change


def priority(limit: Floats, weighted: Floats) -> tuple[Floats, str, int]:
    """Priorities of a limit: its columns where they agree; else the column of the only element that influences none;
    else their mean. With `same`, `goal` or `mean`, and the column of the goal (−1 for none)."""
    if float(np.ptp(limit, axis=1).max()) < 1e-9:
        return limit.mean(axis=1), "same", -1
    idle = np.flatnonzero(weighted.sum(axis=1) == 0)
    if len(idle) == 1:
        return limit[:, idle[0]], "goal", int(idle[0])
    return limit.mean(axis=1), "mean", -1
