"""Relations between things as boolean matrices: what is reached, cycles, levels, the edges that say it all."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Flags = npt.NDArray[np.bool_]


def reachable(relation: Flags) -> Flags:
    """The closure with the diagonal (Warshall 1962)."""
    found = relation | np.eye(len(relation), dtype=bool)
    for k in range(len(found)):
        found |= found[:, [k]] & found[[k], :]
    return np.asarray(found)


def cycles(reach: Flags) -> list[list[int]]:
    """Blocks of things that reach each other, in the order of their first members; single ones too."""
    seen: set[int] = set()
    out = []
    for k in range(len(reach)):
        if k not in seen:
            block = [int(j) for j in np.flatnonzero(reach[k] & reach[:, k])]
            seen.update(block)
            out.append(block)
    return out


def condensed(relation: Flags, blocks: list[list[int]]) -> Flags:
    """Which block points to which other one."""
    out = np.zeros((len(blocks), len(blocks)), dtype=bool)
    for a, first in enumerate(blocks):
        for b, second in enumerate(blocks):
            out[a, b] = a != b and bool(relation[np.ix_(first, second)].any())
    return out


def without_detours(relation: Flags) -> Flags:
    """The fewest edges with the same reachability, of a relation without cycles (transitive reduction)."""
    strict = reachable(relation) & ~np.eye(len(relation), dtype=bool)
    through = (strict.astype(int) @ strict.astype(int)) > 0
    return np.asarray(strict & ~through)


def kernel(relation: Flags) -> list[int]:
    """Of a relation without cycles: the one set whose members do not point to each other and point to all others."""
    n = len(relation)
    inside: set[int] = set()
    judged: set[int] = set()
    while len(judged) < n:
        for k in range(n):
            above = set(map(int, np.flatnonzero(relation[:, k])))
            if k in judged:
                continue
            if above & inside:
                judged.add(k)
            elif above <= judged:
                inside.add(k)
                judged.add(k)
    return sorted(inside)


def levels_from_bottom(relation: Flags, blocks: list[list[int]]) -> list[int]:
    """Of each block, 1 for those that point to nothing else, else one more than the deepest they point to."""
    edges = condensed(relation, blocks)
    depth = [1] * len(blocks)
    for _ in blocks:
        for k in range(len(blocks)):
            depth[k] = max([depth[j] + 1 for j in np.flatnonzero(edges[k])] or [1])
    return depth
