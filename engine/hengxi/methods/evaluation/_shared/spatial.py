"""Spatial weights and autocorrelation: Moran's I and Geary's C (Cliff and Ord 1981), local I (Anselin 1995), Gi*."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import norm

Floats = npt.NDArray[np.float64]
EARTH = 6371.0


@dataclass(frozen=True)
class Index:
    value: float
    expected: float
    variance: float
    z: float
    p: float


def distances(place: Floats, kind: str) -> Floats:
    """Kilometres on the sphere of longitude and latitude (haversine), or plain ones."""
    if kind == "plane":
        return np.asarray(np.sqrt(((place[:, None] - place[None]) ** 2).sum(axis=2)))
    lon, lat = np.radians(place[:, 0]), np.radians(place[:, 1])
    half = np.sin((lat[:, None] - lat[None]) / 2) ** 2
    half += np.cos(lat[:, None]) * np.cos(lat[None]) * np.sin((lon[:, None] - lon[None]) / 2) ** 2
    return np.asarray(2 * EARTH * np.arcsin(np.sqrt(np.clip(half, 0, 1))))


def by_place(kind: str, d: Floats, place: Floats, k: int, reach: float | None) -> Floats:
    n = len(d)
    w = np.zeros((n, n))
    off = ~np.eye(n, dtype=bool)
    match kind:
        case "knn":
            for i in range(n):
                order = np.lexsort((place[:, 1], place[:, 0], np.round(np.where(off[i], d[i], np.inf), 9)))
                w[i, order[:k]] = 1.0
        case "distance":
            limit = float(np.where(off, d, np.inf).min(axis=1).max()) if reach is None else reach
            w[off & (d <= limit * (1 + 1e-12))] = 1.0
        case _:
            w[off] = 1 / d[off]
    return w


def styled(w: Floats, style: str) -> Floats:
    if style == "binary":
        return (w > 0).astype(float)
    if style == "row":
        sums = w.sum(axis=1, keepdims=True)
        return np.asarray(w / np.where(sums > 0, sums, 1.0))
    return w


def _sums(w: Floats) -> tuple[float, float, float]:
    return float(w.sum()), float(((w + w.T) ** 2).sum() / 2), float(((w.sum(axis=0) + w.sum(axis=1)) ** 2).sum())


def _index(value: float, expected: float, variance: float, sign: int) -> Index:
    z = sign * (value - expected) / np.sqrt(variance) if variance > 0 else 0.0
    return Index(value, expected, max(variance, 0.0), float(z), float(2 * norm.sf(abs(z))))


def moran(x: Floats, w: Floats, variance: str) -> Index:
    n, z = len(x), x - x.mean()
    s0, s1, s2 = _sums(w)
    squares = float(z @ z)
    value, expected = float(n / s0 * (z @ w @ z) / squares), -1 / (n - 1)
    if variance == "normal":
        spread = (n**2 * s1 - n * s2 + 3 * s0**2) / (s0**2 * (n**2 - 1)) - expected**2
    else:
        k = float((z**4).mean()) / (squares / n) ** 2
        top = n * (s1 * (n**2 - 3 * n + 3) - n * s2 + 3 * s0**2)
        top -= k * (s1 * (n**2 - n) - 2 * n * s2 + 6 * s0**2)
        spread = top / ((n - 1) * (n - 2) * (n - 3) * s0**2) - expected**2
    return _index(value, expected, spread, 1)


def geary(x: Floats, w: Floats, variance: str) -> Index:
    """Below 1 neighbours resemble each other; z is turned so that it agrees in sign with Moran's."""
    n, z = len(x), x - x.mean()
    s0, s1, s2 = _sums(w)
    squares = float(z @ z)
    value = float((n - 1) * (w * (x[:, None] - x[None]) ** 2).sum() / (2 * s0 * squares))
    if variance == "normal":
        spread = ((2 * s1 + s2) * (n - 1) - 4 * s0**2) / (2 * (n + 1) * s0**2)
    else:
        k = float((z**4).mean()) / (squares / n) ** 2
        top = (n - 1) * s1 * (n**2 - 3 * n + 3 - k * (n - 1))
        top -= (n - 1) * s2 * (n**2 + 3 * n - 6 - k * (n**2 - n + 2)) / 4
        top += s0**2 * (n**2 - 3 - k * (n - 1) ** 2)
        spread = top / (n * (n - 2) * (n - 3) * s0**2)
    return _index(value, 1.0, spread, -1)


def local_p(z: Floats, w: Floats, times: int, rng: Any) -> Floats:
    """Conditional permutation, two-sided by the absolute lag from its mean over permutations."""
    n = len(z)
    out = np.ones(n)
    for i in range(n):
        others = np.delete(z, i)
        own = np.delete(w[i], i)
        used = own > 0
        picks = rng.random((times, n - 1)).argsort(axis=1)[:, : int(used.sum())]
        lags = others[picks] @ own[used]
        middle = own[used].sum() * others.mean()
        hits = int((np.abs(lags - middle) >= abs(own @ others - middle) - 1e-12).sum())
        out[i] = (1 + hits) / (times + 1)
    return out


def benjamini_hochberg(p: Floats) -> Floats:
    order = np.argsort(-p, kind="stable")
    n = len(p)
    scaled = np.minimum.accumulate(p[order] * n / np.arange(n, 0, -1))
    out = np.empty(n)
    out[order] = np.minimum(scaled, 1.0)
    return out


def getis(x: Floats, w: Floats) -> Floats:
    """Gi* as a z value; the region counts with the largest weight of its row (1 in a binary one)."""
    n = len(x)
    own = w + np.diag(w.max(axis=1))
    total, squares = own.sum(axis=1), (own**2).sum(axis=1)
    spread = x.std() * np.sqrt((n * squares - total**2) / (n - 1))
    gap = own @ x - total * x.mean()
    return np.asarray(np.where(spread > 1e-12 * x.std(), gap / np.where(spread > 0, spread, 1.0), 0.0))
