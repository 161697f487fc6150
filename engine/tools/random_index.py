"""The random index of matrices with gaps: hengxi/stats/random_index.json.

For n things with m of n(n − 1)/2 judgements missing: the mean consistency index of random matrices. The judgements
that are there are drawn evenly from 1/9, 1/8, …, 1, …, 9; which are missing is drawn evenly among the choices that
leave all connected; they are filled in so that λmax is smallest, within 1/9 and 9 (Ágoston and Csató 2022, whose table
these meet). 100,000 draws a cell up to nine things, 10,000 beyond; whole and tree-like matrices need none.

    .venv/bin/python tools/random_index.py [n …]     only these n are drawn again
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numba
import numpy as np

TABLE = Path(__file__).parent.parent / "hengxi" / "stats" / "random_index.json"
SEED = 20240101
MOST, EXACT = 15, 9
DRAWS, FEWER = 100_000, 10_000


@numba.njit(cache=False)
def _connected(known: np.ndarray) -> bool:
    n = len(known)
    reached = np.zeros(n, dtype=np.bool_)
    reached[0] = True
    grew = True
    while grew:
        grew = False
        for i in range(n):
            if reached[i]:
                for j in range(n):
                    if known[i, j] and not reached[j]:
                        reached[j] = True
                        grew = True
    return bool(reached.all())


@numba.njit(cache=False)
def _largest(a: np.ndarray, r: np.ndarray) -> float:
    value = 0.0
    for _ in range(2000):
        raised = a @ r
        before, value = value, raised.sum()
        r[:] = raised / value
        if abs(value - before) < 1e-10:
            break
    return value


@numba.njit(cache=False)
def _drawn(n: int, m: int, draws: int, seed: int) -> tuple[float, float]:
    """Mean and standard error of the consistency index."""
    np.random.seed(seed)
    total, squares = 0.0, 0.0
    pairs = n * (n - 1) // 2
    rows, columns = np.empty(pairs, dtype=np.int64), np.empty(pairs, dtype=np.int64)
    k = 0
    for i in range(n):
        for j in range(i + 1, n):
            rows[k], columns[k] = i, j
            k += 1
    for _ in range(draws):
        while True:
            order = np.random.permutation(pairs)
            known = np.ones((n, n), dtype=np.bool_)
            for k in order[:m]:
                known[rows[k], columns[k]] = known[columns[k], rows[k]] = False
            if _connected(known):
                break
        a = np.ones((n, n))
        for k in order[m:]:
            grade = np.random.randint(-8, 9)
            value = 1.0 + grade if grade >= 0 else 1.0 / (1.0 - grade)
            a[rows[k], columns[k]], a[columns[k], rows[k]] = value, 1.0 / value
        r, v = np.full(n, 1.0 / n), np.full(n, 1.0 / n)
        for _step in range(400):
            for _power in range(4):
                r = a @ r
                r /= r.sum()
                v = a.T @ v
                v /= v.sum()
            moved = 0.0
            for k in order[:m]:
                i, j = rows[k], columns[k]
                value = min(9.0, max(1.0 / 9.0, np.sqrt(v[j] * r[i] / (v[i] * r[j]))))
                moved = max(moved, abs(np.log(value / a[i, j])))
                a[i, j], a[j, i] = value, 1.0 / value
            if moved < 1e-5:
                break
        index = (_largest(a, r) - n) / (n - 1)
        total += index
        squares += index * index
    mean = total / draws
    return mean, np.sqrt(max(squares / draws - mean * mean, 0.0) / draws)


def main(asked: list[int]) -> None:
    table = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {}
    for n in asked or range(4, MOST + 1):
        cells = []
        for m in range(1, (n - 1) * (n - 2) // 2):
            mean, error = _drawn(n, m, DRAWS if n <= EXACT else FEWER, SEED + 1000 * n + m)
            cells.append(round(mean, 4))
            print(n, m, f"{mean:.4f} ± {error:.4f}", flush=True)
        table[str(n)] = cells
        ordered = dict(sorted(table.items(), key=lambda item: int(item[0])))
        lines = ",\n".join(f'  "{key}": {json.dumps(value)}' for key, value in ordered.items())
        TABLE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main([int(one) for one in sys.argv[1:]])
