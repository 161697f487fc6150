"""The condensed tree of HDBSCAN (Campello et al., 2013): clusters that appear and vanish as density grows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.stats.moments import Floats
from hengxi.stats.partition import Codes

SAME = 1e-10


@dataclass(frozen=True)
class Condensed:
    """Clusters from 0, the root; a parent comes before its children.

    `birth`: λ = 1/distance at which each appears; `owner` and `left`: of every row, the smallest cluster it was in and
    the λ at which it fell out of it."""

    parent: Codes
    birth: Floats
    size: Codes
    owner: Codes
    left: Floats

    @property
    def stability(self) -> Floats:
        """Σ (λ at which each row left the cluster or went on in a child − λ at birth)."""
        with np.errstate(invalid="ignore"):
            found = np.bincount(self.owner, self.left - self.birth[self.owner], self.birth.size)
            for child in range(1, self.birth.size):
                at = self.parent[child]
                found[at] += (self.birth[child] - self.birth[at]) * self.size[child]
        return np.asarray(found, dtype=np.float64)

    def inside(self, cluster: int) -> Codes:
        """Rows of a cluster, those of the clusters it splits into included."""
        held = np.zeros(self.birth.size, dtype=bool)
        held[cluster] = True
        for child in range(cluster + 1, self.birth.size):
            held[child] = held[self.parent[child]]
        return np.flatnonzero(held[self.owner])

    def chosen(self, leaves: bool, epsilon: float) -> list[int]:
        """The clusters taken: those of the greatest total stability, or the leaves; ones that part from each other at
        a distance below `epsilon` are taken together (Malzer & Baum, 2020). Never the root."""
        k = self.birth.size
        children: list[list[int]] = [[] for _ in range(k)]
        for child in range(1, k):
            children[self.parent[child]].append(child)
        best, on = self.stability.copy(), np.array([not one for one in children])
        if not leaves:
            for one in range(k - 1, 0, -1):
                below = float(best[children[one]].sum())
                on[one] = not children[one] or below <= best[one] * (1 + SAME)
                best[one] = max(float(best[one]), below)
        taken = [one for one in range(1, k) if on[one]]
        if epsilon > 0:
            taken = sorted({self._up(one, epsilon) for one in taken})
        kept: list[int] = []
        above = np.zeros(k, dtype=bool)
        for one in range(1, k):
            above[one] = above[self.parent[one]]
            if one in taken and not above[one]:
                kept.append(one)
                above[one] = True
        return kept

    def _up(self, one: int, epsilon: float) -> int:
        while 1 / self.birth[one] < epsilon and self.parent[one] != 0:
            one = int(self.parent[one])
        return one

    def strength(self, cluster: int) -> Floats:
        """Of the rows `inside`: λ at which each left, out of the largest of the cluster itself, at most 1."""
        ends = [*self.left[self.owner == cluster], *self.birth[self.parent == cluster]]
        top = max(ends)
        left = np.minimum(self.left[self.inside(cluster)], top)
        return np.where(left == top, 1.0, left / top)


def condense(merges: Any, least: int) -> Condensed:
    """`merges`: n − 1 rows of (left, right, distance, size) by rising distance, as scikit-learn and scipy give them;
    parts of fewer than `least` rows fall out of their cluster instead of becoming one. Merges at one distance are one
    split into many parts, so that the order of ties changes nothing."""
    left, right, height, sizes = merges
    n = len(height) + 1

    def size_of(node: int) -> int:
        return 1 if node < n else int(sizes[node - n])

    parent, birth, size = [-1], [0.0], [n]
    owner, gone = np.zeros(n, dtype=np.int64), np.zeros(n)

    def drop(node: int, cluster: int, at: float) -> None:
        stack = [node]
        while stack:
            one = stack.pop()
            if one < n:
                owner[one], gone[one] = cluster, at
            else:
                stack += [int(left[one - n]), int(right[one - n])]

    todo = [(2 * n - 2, 0)]
    while todo:
        node, cluster = todo.pop()
        here = float(height[node - n])
        at = 1 / here if here > 0 else np.inf
        parts, stack = list[int](), [node]
        while stack:
            one = stack.pop()
            for part in (int(left[one - n]), int(right[one - n])):
                (stack if part >= n and height[part - n] >= here * (1 - SAME) else parts).append(part)
        large = [part for part in parts if size_of(part) >= least]
        for part in parts:
            if size_of(part) < least:
                drop(part, cluster, at)
            elif len(large) == 1:
                todo.append((part, cluster))
            else:
                parent.append(cluster)
                birth.append(at)
                size.append(size_of(part))
                todo.append((part, len(parent) - 1))
    return Condensed(np.array(parent), np.array(birth), np.array(size), owner, gone)
