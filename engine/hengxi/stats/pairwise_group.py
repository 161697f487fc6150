"""Pairwise judgements of several people, some left open: completion, consistency of what is there, aggregation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import optimize
from scipy.cluster import hierarchy

from .pairwise import RANDOM_INDEX, Consistency, Floats, Priorities, consistency, priorities

Completion = Literal["min_lambda", "harker", "log_least_squares"]
TOP = 9.0
"""The end of Saaty's scale; completed judgements may be held within 1/9 and 9."""


def open_pairs(judgements: Floats) -> list[tuple[int, int]]:
    """Pairs i < j without a judgement."""
    return [(i, j) for i, j in combinations(range(len(judgements)), 2) if np.isnan(judgements[i, j])]


def apart(judgements: Floats) -> tuple[int, int] | None:
    """A pair nobody's judgements connect, not even through others; None where all hang together."""
    linked = ~np.isnan(judgements)
    reached = {0}
    frontier = [0]
    while frontier:
        at = frontier.pop()
        for other in np.flatnonzero(linked[at]):
            if int(other) not in reached:
                reached.add(int(other))
                frontier.append(int(other))
    outside = next((k for k in range(len(judgements)) if k not in reached), None)
    return None if outside is None else (0, outside)


def completed(judgements: Floats, how: Completion, bounded: bool) -> Floats:
    """Open judgements filled in.

    `harker`: w_i/w_j of the eigenvector of Harker's (1987) matrix, which counts open cells on the diagonal;
    `log_least_squares`: w_i/w_j of the logarithmic least squares on the judgements there are (Kwiesielewicz 1996);
    `min_lambda`: the values that make λmax smallest (Bozóki, Fülöp and Rónyai 2010), a convex problem on a log scale.
    """
    pairs = open_pairs(judgements)
    if not pairs:
        return judgements
    match how:
        case "harker":
            weights = _harker(judgements)
        case "log_least_squares":
            weights = _least_squares(judgements)
        case "min_lambda":
            return _smallest(judgements, pairs, bounded)
    ratios = weights[:, None] / weights[None, :]
    if bounded:
        ratios = np.clip(ratios, 1 / TOP, TOP)
    return np.where(np.isnan(judgements), ratios, judgements)


def _harker(judgements: Floats) -> Floats:
    held = np.nan_to_num(judgements, nan=0.0)
    np.fill_diagonal(held, 1 + np.isnan(judgements).sum(axis=1))
    return priorities(held, "eigenvector")


def _least_squares(judgements: Floats) -> Floats:
    """The normal equations are those of the graph of comparisons; the first weight is the unit."""
    known = ~np.isnan(judgements)
    np.fill_diagonal(known, False)
    laplacian = np.diag(known.sum(axis=1)) - known.astype(float)
    sums = np.where(known, np.log(np.where(known, judgements, 1.0)), 0.0).sum(axis=1)
    logs = np.zeros(len(judgements))
    logs[1:] = np.linalg.solve(laplacian[1:, 1:], sums[1:])
    return np.asarray(np.exp(logs - logs.max()))


def _smallest(judgements: Floats, pairs: list[tuple[int, int]], bounded: bool) -> Floats:
    rows, columns = (np.array(side) for side in zip(*pairs, strict=True))

    def put(logs: Floats) -> Floats:
        full = judgements.copy()
        full[rows, columns] = np.exp(logs)
        full[columns, rows] = np.exp(-logs)
        return full

    def slope(logs: Floats) -> tuple[float, Floats]:
        full = put(logs)
        values, right = np.linalg.eig(full)
        top = int(np.argmax(values.real))
        r = np.abs(right[:, top].real)
        others, left = np.linalg.eig(full.T)
        v = np.abs(left[:, int(np.argmax(others.real))].real)
        change = v[rows] * full[rows, columns] * r[columns] - v[columns] * full[columns, rows] * r[rows]
        return float(values.real[top]), change / float(v @ r)

    start = np.log((_w := _least_squares(judgements))[rows] / _w[columns])
    edge = np.log(TOP) if bounded else 700.0
    bounds = [(-edge, edge)] * len(pairs)
    found = optimize.minimize(
        slope, np.clip(start, -edge, edge), jac=True, method="L-BFGS-B", bounds=bounds,
        options={"ftol": 1e-16, "gtol": 1e-12, "maxiter": 500},
    ).x  # fmt: skip
    for _ in range(4):
        found = _newton(found, slope, edge)
    return put(found)


def _newton(logs: Floats, slope: object, edge: float) -> Floats:
    """One step on the gradient of the coordinates inside the bounds: the last digits a line search leaves."""
    free = np.flatnonzero(np.abs(logs) < edge - 1e-9)
    if free.size == 0:
        return logs
    gradient = slope(logs)[1][free]  # type: ignore[operator]
    second = np.empty((free.size, free.size))
    for k, at in enumerate(free):
        step = np.zeros_like(logs)
        step[at] = 1e-5
        second[:, k] = (slope(logs + step)[1][free] - slope(logs - step)[1][free]) / 2e-5  # type: ignore[operator]
    moved = logs.copy()
    moved[free] -= np.linalg.lstsq(second, gradient, rcond=None)[0]
    return moved if np.all(np.abs(moved) <= edge) and np.all(np.isfinite(moved)) else logs


@cache
def _gap_index() -> dict[str, list[float]]:
    """RI by order and number of gaps, from one on, by tools/random_index.py."""
    table: dict[str, list[float]] = json.loads(
        Path(__file__).with_name("random_index.json").read_text(encoding="utf-8")
    )
    return table


def random_index(n: int, missing: int) -> float | None:
    """Saaty's of a whole matrix, the simulated one with gaps; None with only n − 1 judgements, all of one mind."""
    if missing == 0:
        return RANDOM_INDEX.get(n)
    cells = _gap_index().get(str(n), [])
    return cells[missing - 1] if missing <= len(cells) else None


def incomplete_consistency(full: Floats, missing: int) -> Consistency:
    """Consistency of a completed matrix by the random index of as many gaps (as Ágoston and Csató 2022 do)."""
    whole = consistency(full)
    random = random_index(len(full), missing)
    return Consistency(whole.largest, whole.index, random, None if random is None else whole.index / random)


def geometric_index(full: Floats) -> float | None:
    """GCI of Aguarón and Moreno-Jiménez (2003), of the row geometric means; None below three things."""
    n = len(full)
    if n < 3:
        return None
    w = priorities(full, "geometric_mean")
    errors = np.log(full * w[None, :] / w[:, None])[np.triu_indices(n, 1)]
    index = float(2 / ((n - 1) * (n - 2)) * np.sum(errors**2))
    return 0.0 if index < 1e-20 else index


def circular_triads(judgements: Floats) -> int:
    """Triples where the first beats the second, the second the third, and the third the first; open pairs count not."""
    beats = np.nan_to_num(judgements, nan=1.0) > 1 + 1e-12
    found = 0
    for i, j, k in combinations(range(len(judgements)), 3):
        found += bool((beats[i, j] and beats[j, k] and beats[k, i]) or (beats[j, i] and beats[k, j] and beats[i, k]))
    return found


def group_matrix(matrices: Sequence[Floats], weights: Floats) -> Floats:
    """AIJ: the weighted geometric mean of judgements keeps them reciprocal (Aczél and Saaty 1983)."""
    logs = np.log(np.stack(matrices))
    return np.asarray(np.exp(np.tensordot(weights / weights.sum(), logs, axes=1)))


def group_priorities(matrices: Sequence[Floats], weights: Floats, method: Priorities, geometric: bool) -> Floats:
    """AIP: the weighted mean of each one's priorities (Forman and Peniwati 1998)."""
    own = np.stack([priorities(matrix, method) for matrix in matrices])
    share = weights / weights.sum()
    raw = np.exp(share @ np.log(own)) if geometric else share @ own
    return np.asarray(raw / raw.sum())


def kendall(scores: Floats) -> tuple[float, float, int]:
    """W with ties corrected, its χ² and degrees of freedom, of raters × objects."""
    from scipy.stats import rankdata

    m, n = scores.shape
    ranks = rankdata(np.round(scores, 12), axis=1)
    sums = ranks.sum(axis=0)
    spread = float(np.sum((sums - sums.mean()) ** 2))
    ties = sum(float(np.sum(c**3 - c)) for row in ranks for _, c in [np.unique(row, return_counts=True)])
    top = m**2 * (n**3 - n) - m * ties
    w = 12 * spread / top if top > 0 else 1.0
    return w, m * (n - 1) * w, n - 1


def shannon_consensus(shares: Floats) -> dict[str, float]:
    """Diversity of priorities within (α) and between (β) people, and the consensus 0–1 (Goepel 2013), people × things.

    The scale's end limits how different two people can be: α is least and γ most where each gives 9 to one thing.
    """
    people, n = shares.shape
    alpha = float(np.mean([-np.sum(row * np.log(row)) for row in shares]))
    mean = shares.mean(axis=0)
    gamma = float(-np.sum(mean * np.log(mean)))
    top, rest = TOP / (n + TOP - 1), 1 / (n + TOP - 1)
    least = -top * np.log(top) - (n - 1) * rest * np.log(rest)
    k = min(people, n)
    each = (k + TOP - 1) / (n + TOP - 1)
    most = -(n - k) * rest * np.log(rest) - each * np.log(each / k)
    floor = float(np.exp(least - most))
    agreement = (float(np.exp(alpha - gamma)) - floor) / (1 - floor)
    return {"alpha": alpha, "beta": gamma - alpha, "gamma": gamma, "consensus": min(max(agreement, 0.0), 1.0)}


def cosines(shares: Floats) -> Floats:
    """Similarity of each two people's priorities."""
    length = np.linalg.norm(shares, axis=1)
    return np.asarray(np.clip(shares @ shares.T / np.outer(length, length), 0, 1))


def alike(similar: Floats, least: float) -> list[int]:
    """Group of each person, numbered by first appearance: average linkage, cut where the similarity falls below."""
    if len(similar) < 2:
        return [1] * len(similar)
    away = 1 - similar
    condensed = away[np.triu_indices(len(similar), 1)]
    raw = hierarchy.fcluster(hierarchy.linkage(condensed, "average"), 1 - least, "distance")
    order: dict[int, int] = {}
    return [order.setdefault(int(one), len(order) + 1) for one in raw]


def shaken(full: Floats, draws: int, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Priorities (draws × things) with every judgement moved at random by up to one grade of the scale."""
    n = len(full)
    upper = np.triu_indices(n, 1)
    values = full[upper]
    grades = np.where(values >= 1, values - 1, 1 - 1 / values)
    moved = np.clip(grades + rng.uniform(-1, 1, (draws, grades.size)), 1 - TOP, TOP - 1)
    logs = np.where(moved >= 0, np.log1p(np.abs(moved)), -np.log1p(np.abs(moved)))
    whole = np.zeros((draws, n, n))
    whole[:, upper[0], upper[1]] = logs
    whole -= np.swapaxes(whole, 1, 2).copy()
    raw = np.exp(whole.mean(axis=2))
    return np.asarray(raw / raw.sum(axis=1, keepdims=True))
