"""Regressions with unit and time effects, and standard errors by clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.families.difference.reading import Ints, Panel
from hengxi.stats.moments import Floats

RANK = 1e-9
BATCH = 2_000_000


def demeaned(values: Floats, unit: Ints) -> Floats:
    counts = np.bincount(unit).astype(float)
    if values.ndim == 1:
        return np.asarray(values - (np.bincount(unit, values) / counts)[unit])
    return np.column_stack([demeaned(column, unit) for column in values.T]) if values.shape[1] else values


@dataclass
class Fit:
    b: Floats
    """Of the effects alone, in their order."""
    covariance: Floats
    df: float
    r2: float
    n: int
    clusters: int
    dropped: list[str]
    """Controls that the fixed effects hold already."""

    @property
    def se(self) -> Floats:
        return np.asarray(np.sqrt(np.maximum(np.diag(self.covariance), 0)))

    def p(self, j: int) -> float:
        return 2 * float(stats.t.sf(abs(self.b[j] / self.se[j]), self.df))

    def interval(self, j: int, level: float) -> tuple[float, float]:
        reach = float(stats.t.ppf((1 + level) / 2, self.df)) * float(self.se[j])
        return float(self.b[j]) - reach, float(self.b[j]) + reach

    def joint(self, at: list[int]) -> tuple[float, int, float, float] | None:
        """F, its degrees of freedom and p: these are all 0. None where they cannot be tested together."""
        block = self.covariance[np.ix_(at, at)]
        scale = np.sqrt(np.diag(block))
        if not at or not (scale > 0).all() or np.linalg.eigvalsh(block / np.outer(scale, scale)).min() < 1e-10:
            return None
        f = float(self.b[at] @ np.linalg.solve(block, self.b[at])) / len(at)
        return f, len(at), self.df, float(stats.f.sf(f, len(at), self.df))


@dataclass
class Base:
    """The columns every model has: orthonormal, by unit where there are unit effects."""

    q: Floats
    y: Floats
    unit_effects: bool
    total: float
    absorbed: int
    dropped: list[str]

    @property
    def rank(self) -> int:
        return int(self.q.shape[1])


def base_of(panel: Panel, unit_effects: bool, time_effects: bool, controls: bool) -> Base:
    """Without unit effects the treated group has a constant of its own; without time effects the time after has."""
    columns: list[Floats] = []
    if not unit_effects:
        columns += [np.ones(panel.n), panel.treated.astype(float)]
    if time_effects:
        columns += [(panel.place == place).astype(float) for place in panel.places[1:]]
    elif panel.cohorts:
        columns.append((panel.place >= panel.cohorts[0]).astype(float))
    names = [""] * len(columns)
    if controls:
        columns += list(panel.x.T)
        names += panel.x_names
    unit = panel.unit if unit_effects else None
    matrix = np.column_stack(columns) if columns else np.zeros((panel.n, 0))
    y = panel.y - float(panel.y.mean())
    total = float(y @ y)
    if unit is not None:
        matrix, y = demeaned(matrix, unit), demeaned(y, unit)
    q, dropped = orthonormal(matrix, names, np.abs(np.column_stack(columns)).max(axis=0) if columns else np.zeros(0))
    return Base(q, y, unit_effects, total, panel.units if unit_effects else 0, dropped)


def orthonormal(matrix: Floats, names: list[str], sizes: Floats) -> tuple[Floats, list[str]]:
    kept: list[Floats] = []
    dropped: list[str] = []
    for j, column in enumerate(matrix.T):
        rest = column / (sizes[j] or 1.0)
        for _ in range(2):
            if kept:
                basis = np.column_stack(kept)
                rest = rest - basis @ (basis.T @ rest)
        norm = float(np.linalg.norm(rest))
        if norm > RANK * np.sqrt(rest.size):
            kept.append(rest / norm)
        elif names[j]:
            dropped.append(names[j])
    return (np.column_stack(kept) if kept else np.zeros((matrix.shape[0], 0))), dropped


def estimate(panel: Panel, base: Base, effects: Floats, kind: str, rng: Any = None, draws: int = 0) -> Fit | None:
    """`kind`: classic, robust, unit (clusters of units), bootstrap. None where an effect is
    held by the other columns."""
    e = demeaned(effects, panel.unit) if base.unit_effects and panel.unit is not None else effects
    for _ in range(2):
        e = e - base.q @ (base.q.T @ e)
    if (np.linalg.norm(e, axis=0) <= RANK * np.sqrt(panel.n)).any():
        return None
    gram = e.T @ e
    if np.linalg.matrix_rank(gram, tol=1e-10 * float(np.trace(gram))) < e.shape[1]:
        return None
    y = base.y - base.q @ (base.q.T @ base.y)
    inverse = np.linalg.inv(gram)
    b = inverse @ (e.T @ y)
    u = y - e @ b
    k = base.rank + e.shape[1]
    whole = k + base.absorbed
    n, rss = panel.n, float(u @ u)
    clusters = 0
    if kind in ("classic", "robust"):
        df = float(n - whole)
        middle = gram * rss / df if kind == "classic" else (e * u[:, None]).T @ (e * u[:, None]) * n / df
    elif kind == "bootstrap":
        assert panel.unit is not None
        clusters, df = panel.units, float(panel.units - 1)
        covariance = _bootstrap(panel, base, effects, rng, draws)
        return Fit(b, covariance, df, 1 - rss / base.total, n, clusters, base.dropped)
    else:
        assert panel.unit is not None
        clusters = panel.units
        sums = np.column_stack([np.bincount(panel.unit, column * u) for column in e.T])
        df = float(clusters - 1)
        middle = sums.T @ sums * clusters / (clusters - 1) * (n - 1) / (n - k)
    return Fit(b, inverse @ middle @ inverse, df, 1 - rss / base.total, n, clusters, base.dropped)


def _bootstrap(panel: Panel, base: Base, effects: Floats, rng: Any, draws: int) -> Floats:
    """Units drawn with replacement: each brings its own cross-products."""
    assert panel.unit is not None
    e = demeaned(effects, panel.unit) if base.unit_effects else effects
    z = np.column_stack([base.q, e])
    z = z / np.linalg.norm(z, axis=0)
    scale = np.linalg.norm(e, axis=0)
    order = np.argsort(panel.unit, kind="stable")
    starts = np.concatenate(([0], np.cumsum(np.bincount(panel.unit))))[:-1]
    k, m = z.shape[1], e.shape[1]
    grams = np.add.reduceat((z[:, :, None] * z[:, None, :])[order].reshape(panel.n, k * k), starts, axis=0)
    rights = np.add.reduceat((z * base.y[:, None])[order], starts, axis=0)
    found = []
    for _ in range(draws):
        w = np.bincount(rng.integers(0, panel.units, panel.units), minlength=panel.units).astype(float)
        gram = (w @ grams).reshape(k, k)
        b = np.linalg.lstsq(gram, w @ rights, rcond=1e-10)[0]
        found.append(b[k - m :] / scale)
    return np.atleast_2d(np.cov(np.array(found).T))


def event_columns(panel: Panel, base: int) -> tuple[list[int], Floats]:
    """Treated × (periods since adoption = k), k ≠ base; those that occur."""
    since = panel.place - panel.first
    times = [int(k) for k in np.unique(since[panel.treated]) if k != base]
    return times, np.column_stack([(panel.treated & (since == k)).astype(float) for k in times])


def base_time(panel: Panel, wanted: int) -> int:
    """The last period before adoption that is there, not after the one wanted; else the last before adoption."""
    since = (panel.place - panel.first)[panel.treated & ~panel.d]
    before = since[since <= wanted]
    return int(before.max()) if before.size else int(since.max())


def placebo(panel: Panel, base: Base, draws: int, rng: Any, tell: Any) -> Floats:
    """The effect when treatment is dealt to other units by chance, as many and at the same times."""
    assert panel.unit is not None
    y = base.y - base.q @ (base.q.T @ base.y)
    found: list[Floats] = []
    step = max(1, min(draws, BATCH // panel.n))
    done = 0
    while done < draws and tell(done):
        count = min(step, draws - done)
        firsts = np.column_stack([rng.permutation(panel.unit_first)[panel.unit] for _ in range(count)])
        d = ((firsts >= 0) & (panel.place[:, None] >= firsts)).astype(float)
        if base.unit_effects:
            d = demeaned(d, panel.unit)
        d = d - base.q @ (base.q.T @ d)
        below = np.sum(d * d, axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            values = (y @ d) / below
        found.append(values[below > 1e-9 * panel.n])
        done += count
    return np.concatenate(found) if found else np.zeros(0)
