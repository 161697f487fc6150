"""Uniform designs: discrepancies of points, good lattice points, and exchanges that spread them better.

All three discrepancies are a constant, a mean over points of a product over factors, and a mean over pairs of a product
over factors; exchanging two entries of a column changes two rows of the pairs alone.
"""

from __future__ import annotations

from math import gcd
from typing import Literal

import numpy as np

from hengxi.families.design.plan import Ints
from hengxi.stats.moments import Floats

Criterion = Literal["cd2", "wd2", "md"]
WORK = 20_000_000


def points_of(levels: Ints, q: int) -> Floats:
    """Levels 0 … q − 1 at the middles of q cells."""
    return np.asarray((levels + 0.5) / q)


def _single(x: Floats, kind: Criterion) -> Floats:
    z = np.abs(x - 0.5)
    if kind == "cd2":
        return np.asarray(1 + z / 2 - z**2 / 2)
    if kind == "md":
        return np.asarray(5 / 3 - z / 4 - z**2 / 4)
    return np.zeros_like(x)


def _pair(a: Floats, b: Floats, kind: Criterion) -> Floats:
    apart, u, v = np.abs(a - b), np.abs(a - 0.5), np.abs(b - 0.5)
    if kind == "cd2":
        return np.asarray(1 + u / 2 + v / 2 - apart / 2)
    if kind == "wd2":
        return np.asarray(1.5 - apart * (1 - apart))
    return np.asarray(15 / 8 - u / 4 - v / 4 - 3 * apart / 4 + apart**2 / 2)


def _whole(singles: float, pairs: float, n: int, s: int, kind: Criterion) -> float:
    if kind == "wd2":
        return float(-((4 / 3) ** s) + pairs / n**2)
    return float((13 / 12 if kind == "cd2" else 19 / 12) ** s - 2 * singles / n + pairs / n**2)


def squared(x: Floats, kind: Criterion) -> float:
    """The squared discrepancy of the points (n × s): centred (Hickernell 1998), wrap-around, or mixture (Zhou 2013)."""
    n, s = x.shape
    pairs = np.ones((n, n))
    for k in range(s):
        pairs *= _pair(x[:, None, k], x[None, :, k], kind)
    return _whole(float(np.prod(_single(x, kind), axis=1).sum()), float(pairs.sum()), n, s, kind)


def lattice(n: int, s: int, q: int, kind: Criterion) -> tuple[Ints, str] | None:
    """The best of the power generators 1, a, a², … modulo n, or modulo n + 1 without the last run (Fang & Wang)."""
    usable = []
    for modulus in (n, n + 1):
        for a in range(2, modulus):
            powers = [pow(a, k, modulus) for k in range(s)]
            if gcd(a, modulus) == 1 and len(set(powers)) == s:
                usable.append((modulus, powers))
    # Large plans try some generators only, evenly spread: each costs n² · s.
    most = max(8, WORK // (n * n * s))
    usable = usable[:: max(1, -(-len(usable) // most))]
    best: tuple[float, Ints, str] | None = None
    for modulus, powers in usable:
        table = (np.arange(1, n + 1)[:, None] * np.array(powers)[None, :]) % modulus
        table = np.where(table == 0, modulus, table) - 1
        made = table * q // n
        value = round(squared(points_of(made, q), kind), 12)
        if best is None or value < best[0]:
            best = (value, made, f"({' '.join(map(str, powers))}) mod {modulus}")
    return None if best is None else (best[1], best[2])


def balanced(n: int, s: int, q: int, rng: np.random.Generator) -> Ints:
    """Each column holds each level equally often, in random order."""
    column = np.repeat(np.arange(q), n // q)
    return np.column_stack([rng.permutation(column) for _ in range(s)])


def exchanged(levels: Ints, q: int, kind: Criterion, times: int, rng: np.random.Generator) -> tuple[Ints, int]:
    """Exchanges of two entries of a column that make the discrepancy smaller; how many were kept."""
    made = levels.copy()
    n, s = made.shape
    x = points_of(made, q)
    factors = np.stack([_pair(x[:, None, k], x[None, :, k], kind) for k in range(s)])
    pairs = np.prod(factors, axis=0)
    singles = np.prod(_single(x, kind), axis=1)
    now = _whole(float(singles.sum()), float(pairs.sum()), n, s, kind)
    kept = 0
    for _ in range(times):
        k = int(rng.integers(s))
        a, b = (int(i) for i in rng.choice(n, 2, replace=False))
        if made[a, k] == made[b, k]:
            continue
        new = x[:, k].copy()
        new[[a, b]] = new[[b, a]]
        rows = np.stack([_pair(new[i], new, kind) for i in (a, b)])
        trial = pairs[[a, b]] / factors[k][[a, b]] * rows
        others = np.ones(n, dtype=bool)
        others[[a, b]] = False
        total = float(pairs.sum()) + 2 * float((trial - pairs[[a, b]])[:, others].sum())
        inner = trial[:, [a, b]]
        total += float(inner.sum() - pairs[np.ix_([a, b], [a, b])].sum())
        own = singles.copy()
        if kind != "wd2":
            old = _single(x[[a, b], k], kind)
            own[[a, b]] = singles[[a, b]] / old * old[::-1]
        value = _whole(float(own.sum()), total, n, s, kind)
        if value < now - 1e-13:
            now, kept = value, kept + 1
            made[[a, b], k] = made[[b, a], k]
            x[:, k] = new
            singles = own
            for i, row, whole in zip((a, b), rows, trial, strict=True):
                factors[k][i], factors[k][:, i] = row, row
                pairs[i], pairs[:, i] = whole, whole
    return made, kept
