"""Orthogonal arrays: every pair of columns holds all pairs of levels equally often; which columns an interaction takes.

Arrays of 2, 3, 4 and 5 levels are linear: a column is a vector of coefficients over a finite field, and the
interaction of two columns is the columns on the line through them. Column numbers are those of Chinese textbooks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from hengxi.families.design.plan import Ints
from hengxi.families.design.two_level import plackett_burman

L18 = (
    "11111111 11222222 11333333 12112233 12223311 12331122 13121323 13232131 13313212 "
    "21133221 21211332 21322113 22123132 22231213 22312321 23132312 23213123 23321231"
)
"""Taguchi's L18 (2 × 3⁷)."""
FOUR = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
"""Products in the field of four; sums are bitwise."""


@dataclass(frozen=True)
class Array:
    """`table`: runs × columns, levels from 0. `sizes`: levels of each column."""

    name: str
    table: Ints
    vectors: tuple[tuple[int, ...], ...] = ()
    """Of linear arrays; empty where interactions are spread over many columns."""
    field: int = 0

    @property
    def sizes(self) -> list[int]:
        return [int(n) for n in self.table.max(axis=0) + 1]

    @property
    def runs(self) -> int:
        return len(self.table)

    def interaction(self, i: int, j: int) -> list[int] | None:
        """Columns that hold the interaction of two; None where no columns do."""
        if not self.vectors:
            return None
        found = []
        for k in range(1, self.field):
            made = tuple(
                _add(a, _times(k, b, self.field), self.field)
                for a, b in zip(self.vectors[i], self.vectors[j], strict=True)
            )
            found += [c for c, one in enumerate(self.vectors) if _same(one, made, self.field)]
        return sorted(set(found))


def _add(a: int, b: int, field: int) -> int:
    return a ^ b if field in (2, 4) else (a + b) % field


def _times(a: int, b: int, field: int) -> int:
    return FOUR[a][b] if field == 4 else a * b % field


def _same(one: tuple[int, ...], other: tuple[int, ...], field: int) -> bool:
    return any(tuple(_times(k, x, field) for x in other) == one for k in range(1, field))


def linear(name: str, field: int, vectors: Sequence[tuple[int, ...]]) -> Array:
    """The first coefficient belongs to the factor that changes slowest."""
    rows = list(product(range(field), repeat=len(vectors[0])))
    table = np.zeros((len(rows), len(vectors)), dtype=np.int64)
    for r, row in enumerate(rows):
        for c, vector in enumerate(vectors):
            total = 0
            for x, v in zip(row, vector, strict=True):
                total = _add(total, _times(v, x, field), field)
            table[r, c] = total
    return Array(name, table, tuple(vectors), field)


def _binary(m: int) -> list[tuple[int, ...]]:
    return [tuple(c >> j & 1 for j in range(m)) for c in range(1, 1 << m)]


def _joined(name: str, base: Array, triples: Sequence[tuple[int, int, int]]) -> Array:
    """Three columns of a line of a two-level array become one of four levels."""
    wide = [2 * base.table[:, a] + base.table[:, b] for a, b, _ in triples]
    gone = {c for triple in triples for c in triple}
    rest = [base.table[:, c] for c in range(base.table.shape[1]) if c not in gone]
    return Array(name, np.column_stack([*wide, *rest]))


def arrays() -> dict[str, Array]:
    """By key, the smallest first."""
    pairs = {q: [(1, 0), (0, 1), *((k, 1) for k in range(1, q))] for q in (3, 4, 5)}
    three = [*((x, y, 0) for x, y in pairs[3]), (0, 0, 1)]
    three += [(1, 0, 1), (2, 0, 1), (0, 1, 1), (1, 1, 1), (2, 1, 1), (0, 2, 1), (1, 2, 1), (2, 2, 1)]
    l8, l16 = linear("L8(2⁷)", 2, _binary(3)), linear("L16(2¹⁵)", 2, _binary(4))
    eighteen = np.array([[int(digit) - 1 for digit in row] for row in L18.split()])
    twelve = ((1 - plackett_burman(11)) / 2).astype(np.int64)
    return {
        "L4": linear("L4(2³)", 2, _binary(2)),
        "L8": l8,
        "L8_4": _joined("L8(4×2⁴)", l8, [(0, 1, 2)]),
        "L9": linear("L9(3⁴)", 3, pairs[3]),
        "L12": Array("L12(2¹¹)", twelve),
        "L16": linear("L16(4⁵)", 4, pairs[4]),
        "L16_2": l16,
        "L16_4": _joined("L16(4×2¹²)", l16, [(0, 1, 2)]),
        "L16_44": _joined("L16(4²×2⁹)", l16, [(0, 1, 2), (3, 7, 11)]),
        "L18": Array("L18(2×3⁷)", eighteen),
        "L25": linear("L25(5⁶)", 5, pairs[5]),
        "L27": linear("L27(3¹³)", 3, three),
        "L32": linear("L32(2³¹)", 2, _binary(5)),
    }


@dataclass(frozen=True)
class Placing:
    """Columns of the factors, and those each interaction takes."""

    array: Array
    factors: list[int]
    interactions: list[list[int]]

    @property
    def empty(self) -> list[int]:
        taken = {*self.factors, *(c for columns in self.interactions for c in columns)}
        return [c for c in range(len(self.array.sizes)) if c not in taken]


def place(array: Array, levels: Sequence[int], pairs: Sequence[tuple[int, int]]) -> Placing | None:
    """Factors on columns of their number of levels, so that no column holds two things; None where that cannot be."""
    sizes = array.sizes
    tries = 0

    def put(columns: list[int]) -> Placing | None:
        nonlocal tries
        tries += 1
        if tries > 20_000:
            return None
        held: list[list[int]] = []
        taken = set(columns)
        for i, j in pairs:
            if max(i, j) >= len(columns):
                continue
            own = array.interaction(columns[i], columns[j])
            if not own or taken & set(own):
                return None
            taken |= set(own)
            held.append(own)
        if len(columns) == len(levels):
            return Placing(array, columns, held)
        for c, size in enumerate(sizes):
            if c not in taken and size == levels[len(columns)]:
                found = put([*columns, c])
                if found is not None:
                    return found
        return None

    return put([])
