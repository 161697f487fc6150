"""Round trips: exact by dynamic or integer programming, searched by exchanges, annealing, genes, ants; bounded."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from .grid import Floats

Ints = npt.NDArray[np.int64]
Trace = list[tuple[int, float]]
Watch = Callable[[int, int, float], bool]
EARTH = 6371.0088


def plane(xy: Floats) -> Floats:
    return np.asarray(np.sqrt(((xy[:, None] - xy[None]) ** 2).sum(axis=2)))


def sphere(latlon: Floats) -> Floats:
    """Kilometres along great circles (haversine, mean radius 6371.0088 km); degrees in decimals."""
    lat, lon = np.radians(latlon).T
    across = np.cos(lat)[:, None] * np.cos(lat) * np.sin((lon[:, None] - lon) / 2) ** 2
    h = np.sin((lat[:, None] - lat) / 2) ** 2 + across
    return np.asarray(2 * EARTH * np.arcsin(np.sqrt(np.minimum(h, 1.0))))


def length(d: Floats, tour: Ints) -> float:
    return float(d[tour, np.roll(tour, -1)].sum())


def dynamic(d: Floats) -> Ints:
    """The shortest round trip from node 0 (Held & Karp 1962); for at most 16 nodes."""
    n = len(d)
    m = n - 1
    best = np.full((1 << m, m), np.inf)
    came = np.zeros((1 << m, m), dtype=np.int8)
    for j in range(m):
        best[1 << j, j] = d[0, j + 1]
    inner = d[1:, 1:]
    sets = np.arange(1 << m)
    size = np.array([bin(s).count("1") for s in sets])
    for k in range(2, m + 1):
        group = sets[size == k]
        for j in range(m):
            own = group[(group >> j) & 1 == 1]
            ways = best[own ^ (1 << j)] + inner[:, j]
            came[own, j] = ways.argmin(axis=1)
            best[own, j] = ways.min(axis=1)
    last = int((best[-1] + d[1:, 0]).argmin())
    tour, s = [last + 1], (1 << m) - 1
    while s != 1 << last:
        s, last = s ^ (1 << last), int(came[s, last])
        tour.append(last + 1)
    return np.array([0, *tour[::-1]])


def integer(d: Floats, seconds: float) -> tuple[Ints | None, bool]:
    """By integer programs with cuts against sub-tours as they turn up (Dantzig et al. 1954); proven within the time?"""
    import time

    from scipy.optimize import LinearConstraint, milp
    from scipy.sparse import csr_array

    n = len(d)
    symmetric = np.allclose(d, d.T)
    pairs = [(i, j) for i in range(n) for j in range(n) if (i < j if symmetric else i != j)]
    k = len(pairs)
    ends = np.array(pairs)
    cost = d[ends[:, 0], ends[:, 1]]
    if symmetric:
        rows = csr_array((np.ones(2 * k), (ends.ravel(), np.repeat(np.arange(k), 2))), shape=(n, k))
        held = [LinearConstraint(rows, 2, 2)]
    else:
        out = csr_array((np.ones(k), (ends[:, 0], np.arange(k))), shape=(n, k))
        into = csr_array((np.ones(k), (ends[:, 1], np.arange(k))), shape=(n, k))
        held = [LinearConstraint(out, 1, 1), LinearConstraint(into, 1, 1)]
    until = time.monotonic() + seconds
    cuts: list[Floats] = []
    sides: list[float] = []
    while time.monotonic() < until:
        more = [LinearConstraint(csr_array(np.array(cuts)), ub=sides)] if cuts else []
        found = milp(cost, integrality=np.ones(k), bounds=(0, 1), constraints=[*held, *more],
                     options={"time_limit": max(0.1, until - time.monotonic()), "mip_rel_gap": 0.0})  # fmt: skip
        if found.x is None or found.status != 0:
            return None, False
        chosen = [pairs[e] for e in np.flatnonzero(found.x > 0.5)]
        parts = _parts(n, chosen)
        if len(parts) == 1:
            return _walk(n, chosen, symmetric), True
        for part in parts:
            inside = np.zeros(n, dtype=bool)
            inside[part] = True
            cuts.append((inside[ends[:, 0]] & inside[ends[:, 1]]).astype(float))
            sides.append(len(part) - 1)
    return None, False


def _parts(n: int, edges: list[tuple[int, int]]) -> list[list[int]]:
    above = list(range(n))

    def root(k: int) -> int:
        while above[k] != k:
            above[k] = above[above[k]]
            k = above[k]
        return k

    for a, b in edges:
        above[root(a)] = root(b)
    groups: dict[int, list[int]] = {}
    for k in range(n):
        groups.setdefault(root(k), []).append(k)
    return list(groups.values())


def _walk(n: int, edges: list[tuple[int, int]], symmetric: bool) -> Ints:
    ahead: dict[int, list[int]] = {}
    for a, b in edges:
        ahead.setdefault(a, []).append(b)
        if symmetric:
            ahead.setdefault(b, []).append(a)
    tour, before = [0], -1
    while len(tour) < n:
        here = tour[-1]
        step = next(b for b in sorted(ahead[here]) if b != before or not symmetric)
        before = here
        tour.append(step)
    return np.array(tour)


def nearest(d: Floats, start: int) -> Ints:
    left = np.ones(len(d), dtype=bool)
    left[start] = False
    tour = [start]
    while left.any():
        step = int(np.where(left, d[tour[-1]], np.inf).argmin())
        left[step] = False
        tour.append(step)
    return np.array(tour)


def improved(d: Floats, tour: Ints, orient: bool) -> Ints:
    """2-opt until nothing is shorter, with `orient` also segments of up to three nodes moved (Or-opt)."""
    tour = tour.copy()
    while _two_opt(d, tour) or (orient and _or_opt(d, tour)):
        pass
    return tour


def _two_opt(d: Floats, tour: Ints) -> bool:
    n = len(tour)
    better = False
    for i in range(n - 2):
        after = np.roll(tour, -1)
        ahead = np.r_[0.0, np.cumsum(d[tour, after])]
        back = np.r_[0.0, np.cumsum(d[after, tour])]
        j = np.arange(i + 2, n)
        a, b, c, e = tour[i], tour[i + 1], tour[j], after[j]
        turn = (back[j] - back[i + 1]) - (ahead[j] - ahead[i + 1])
        gain = d[a, c] + d[b, e] - d[a, b] - d[c, e] + turn
        if i == 0:
            gain[-1] = np.inf if np.allclose(turn, 0) else gain[-1]
        k = int(gain.argmin())
        if gain[k] < -1e-10 * max(1.0, abs(ahead[-1])):
            tour[i + 1 : j[k] + 1] = tour[i + 1 : j[k] + 1][::-1].copy()
            better = True
    return better


def _or_opt(d: Floats, tour: Ints) -> bool:
    n = len(tour)
    total = length(d, tour)
    for size in (1, 2, 3):
        if n < size + 3:
            continue
        for i in range(n):
            turned = np.roll(tour, -i)
            part, rest = turned[:size], turned[size:]
            gap = d[rest[-1], rest[0]] - d[rest[-1], part[0]] - d[part[-1], rest[0]]
            a, b = rest[:-1], rest[1:]
            best: tuple[float, int, Ints] | None = None
            for piece in (part, part[::-1]):
                inner = d[piece[:-1], piece[1:]].sum() - d[part[:-1], part[1:]].sum()
                gain = gap + inner + d[a, piece[0]] + d[piece[-1], b] - d[a, b]
                k = int(gain.argmin())
                if best is None or gain[k] < best[0]:
                    best = (float(gain[k]), k, piece)
            if best is not None and best[0] < -1e-10 * max(1.0, total):
                tour[:] = np.r_[rest[: best[1] + 1], best[2], rest[best[1] + 1 :]]
                return True
    return False


def searched(d: Floats, orient: bool, rng: np.random.Generator, starts: int) -> Ints:
    """The best of several starts: nearest neighbours, then exchanges."""
    n = len(d)
    firsts = np.arange(n) if n <= starts else rng.choice(n, starts, replace=False)
    return min((improved(d, nearest(d, int(k)), orient) for k in firsts), key=lambda t: round(length(d, t), 9))


def annealed(d: Floats, rng: np.random.Generator, steps: int, watch: Watch) -> tuple[Ints, Trace]:
    n = len(d)
    tour = nearest(d, 0)
    now = length(d, tour)
    best, top = tour.copy(), now
    heat = 0.3 * float(d[~np.eye(n, dtype=bool)].mean())
    trace: Trace = [(0, top)]
    for step in range(1, steps + 1):
        for _ in range(n):
            i, j = sorted(rng.choice(n, 2, replace=False).tolist())
            other = tour.copy()
            other[i : j + 1] = other[i : j + 1][::-1]
            made = length(d, other)
            if made < now or rng.random() < np.exp(-(made - now) / max(heat, 1e-300)):
                tour, now = other, made
                if now < top - 1e-12:
                    best, top = tour.copy(), now
        heat *= 0.995 if steps > 500 else 0.97
        if step % max(1, steps // 100) == 0:
            trace.append((step, top))
            if not watch(step, steps, top):
                break
    return improved(d, best, True), trace


def bred(d: Floats, rng: np.random.Generator, steps: int, watch: Watch) -> tuple[Ints, Trace]:
    """Order crossover, reversal as mutation, the better half kept."""
    n, size = len(d), 40
    herd = [nearest(d, int(k)) for k in rng.integers(0, n, size // 4)]
    herd += [rng.permutation(n) for _ in range(size - len(herd))]
    trace: Trace = []
    for step in range(1, steps + 1):
        children = []
        for _ in range(size):
            a, b = (herd[int(k)] for k in rng.integers(0, len(herd), 2))
            i, j = sorted(rng.choice(n + 1, 2, replace=False).tolist())
            part = a[i:j]
            rest = b[~np.isin(b, part)]
            child = np.r_[rest[:i], part, rest[i:]]
            if rng.random() < 0.5:
                p, q = sorted(rng.choice(n, 2, replace=False).tolist())
                child[p : q + 1] = child[p : q + 1][::-1].copy()
            children.append(child)
        herd = sorted(herd + children, key=lambda t: length(d, t))[:size]
        if step % max(1, steps // 100) == 0:
            trace.append((step, length(d, herd[0])))
            if not watch(step, steps, trace[-1][1]):
                break
    return improved(d, herd[0], True), trace


def ants(d: Floats, rng: np.random.Generator, steps: int, watch: Watch) -> tuple[Ints, Trace]:
    """Ant colony (Dorigo & Gambardella 1997): ten ants a round, the best one lays the trail."""
    n = len(d)
    sight = 1 / np.maximum(d, 1e-12 * max(1.0, float(d.max()))) ** 2
    trail = np.ones((n, n))
    best = nearest(d, 0)
    top = length(d, best)
    trace: Trace = []
    for step in range(1, steps + 1):
        for _ in range(10):
            left = np.ones(n, dtype=bool)
            tour = [int(rng.integers(n))]
            left[tour[0]] = False
            while len(tour) < n:
                w = np.where(left, trail[tour[-1]] * sight[tour[-1]], 0.0)
                nxt = int(rng.choice(n, p=w / w.sum())) if w.sum() > 0 else int(np.flatnonzero(left)[0])
                left[nxt] = False
                tour.append(nxt)
            made = np.array(tour)
            if length(d, made) < top - 1e-12:
                best, top = made, length(d, made)
        trail *= 0.9
        for a, b in pairwise([*best.tolist(), int(best[0])]):
            trail[a, b] += 0.1 * n
        if step % max(1, steps // 100) == 0:
            trace.append((step, top))
            if not watch(step, steps, top):
                break
    return improved(d, best, True), trace


def bound(d: Floats, upper: float) -> float:
    """Symmetric: the best 1-tree of a subgradient ascent (Held & Karp 1970); else the assignment bound."""
    n = len(d)
    if not np.allclose(d, d.T):
        from scipy.optimize import linear_sum_assignment

        held: Any = d + np.diag(np.full(n, 1e6 * max(1.0, float(np.abs(d).max()))))
        rows, columns = linear_sum_assignment(held)
        return float(d[rows, columns].sum())
    pi = np.zeros(n)
    best = -np.inf
    share = 2.0
    for step in range(200 if n <= 120 else 60):
        w = d + pi[:, None] + pi
        degree, total = _one_tree(w)
        value = total - 2 * float(pi.sum())
        best = max(best, value)
        slack = degree - 2
        norm = float((slack**2).sum())
        if norm == 0:
            return min(value, upper)
        pi = pi + share * max(upper - value, 1e-9) / norm * slack
        if step % 10 == 9:
            share *= 0.85
    return min(best, upper)


def _one_tree(w: Floats) -> tuple[Floats, float]:
    """Degrees and weight: a minimum spanning tree of nodes 1 … and the two lightest edges of node 0."""
    n = len(w)
    degree = np.zeros(n)
    near, link = w[1].copy(), np.ones(n, dtype=int)
    outside = np.ones(n, dtype=bool)
    outside[[0, 1]] = False
    total = 0.0
    while outside.any():
        k = int(np.where(outside, near, np.inf).argmin())
        total += near[k]
        degree[k] += 1
        degree[link[k]] += 1
        outside[k] = False
        closer = w[k] < near
        near[closer], link[closer] = w[k][closer], k
    two = np.argsort(w[0, 1:], kind="stable")[:2] + 1
    degree[0] += 2
    degree[two] += 1
    return degree, total + float(w[0, two].sum())
