"""The correlation of two normal variables of which only ordered categories are seen (Olsson, 1979, two steps)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special, stats

from hengxi.stats.moments import Floats

_NODES, _SHARES = np.polynomial.legendre.leggauss(96)
MOST = 0.9999
"""Beyond this the two variables order the cases alike: the likelihood has no maximum inside."""
IMPOSSIBLE = 1e-13


def thresholds(counts: Floats) -> Floats:
    """Cut points of a standard normal variable with these counts in its ordered categories, ends included."""
    shares = np.cumsum(counts) / counts.sum()
    return np.concatenate(([-np.inf], stats.norm.ppf(shares[:-1]), [np.inf]))


def bivariate(h: Floats, k: Floats, rho: float) -> Floats:
    """P(X < h_i, Y < k_j) of a standard bivariate normal: Plackett's integral over the correlation in its angle."""
    top = float(np.arcsin(rho))
    angles = top * (_NODES + 1) / 2
    sines, cosines = np.sin(angles), np.cos(angles)
    found: Floats = np.outer(special.ndtr(h), special.ndtr(k))
    a, b = h[np.isfinite(h), None, None], k[None, np.isfinite(k), None]
    inside = np.exp(-(a * a + b * b - 2 * a * b * sines) / (2 * cosines**2)) @ _SHARES
    found[np.ix_(np.isfinite(h), np.isfinite(k))] += top / 2 * inside / (2 * np.pi)
    return found


def density(h: Floats, k: Floats, rho: float) -> Floats:
    """φ₂ at the cut points: how P(X < h, Y < k) grows with ρ."""
    a, b = np.clip(h, -40, 40)[:, None], np.clip(k, -40, 40)[None, :]
    rest = 1 - rho * rho
    found: Floats = np.exp(-(a * a + b * b - 2 * rho * a * b) / (2 * rest)) / (2 * np.pi * np.sqrt(rest))
    return found


def polychoric(table: Floats) -> float:
    """`table`: counts of ordered categories, rows and columns without empty ones. ±1 if the maximum is at the end."""
    h, k = thresholds(table.sum(axis=1)), thresholds(table.sum(axis=0))

    held = table > 0

    def slope(rho: float) -> float:
        cells = np.diff(np.diff(bivariate(h, k, rho), axis=0), axis=1)[held]
        if float(cells.min()) < IMPOSSIBLE:
            # What was seen is all but impossible here: back towards 0. Differences of probabilities are noise below.
            return -float(np.sign(rho))
        growth = np.diff(np.diff(density(h, k, rho), axis=0), axis=1)[held]
        return float(np.sum(table[held] * growth / cells))

    side = 1.0 if slope(0.0) >= 0 else -1.0
    near = 0.0
    for far in (0.3, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, MOST):
        if slope(side * far) * side < 0:
            low, high = sorted((side * near, side * far))
            return float(optimize.brentq(slope, low, high, xtol=1e-14, rtol=1e-14))
        near = far
    return side


# ---- with standard errors, and beside a variable whose values are seen ---------------------------------------------
@dataclass(frozen=True)
class Latent:
    """A latent correlation; `se` None at the boundary. `chi2`, `df`: whether a bivariate normal fits the table."""

    rho: float
    se: float | None
    rows: Floats
    columns: Floats
    chi2: float | None = None
    df: int | None = None
    settled: bool = True

    @property
    def p_fit(self) -> float | None:
        return None if self.chi2 is None or not self.df else float(stats.chi2.sf(self.chi2, self.df))


STEP = 1e-4


def _curvature(slope: Callable[[float], float], at: float) -> float:
    """−d slope/dρ by differences of two widths (Richardson)."""
    wide, narrow = STEP * (1 - abs(at)), STEP * (1 - abs(at)) / 2
    one, two = ((slope(at + h) - slope(at - h)) / (2 * h) for h in (wide, narrow))
    return -(4 * two - one) / 3


def _score(table: Floats, h: Floats, k: Floats) -> Callable[[float], float]:
    held = table > 0

    def slope(rho: float) -> float:
        cells = np.diff(np.diff(bivariate(h, k, rho), axis=0), axis=1)[held]
        growth = np.diff(np.diff(density(h, k, rho), axis=0), axis=1)[held]
        return float(np.sum(table[held] * growth / cells))

    return slope


def of_table(table: Floats, jointly: bool = False) -> Latent:
    """Of ordered categories, no empty rows or columns; `jointly`: thresholds and ρ together by maximum likelihood."""
    h, k = thresholds(table.sum(axis=1)), thresholds(table.sum(axis=0))
    rho = polychoric(table)
    r, c = table.shape
    if abs(rho) >= MOST:
        return Latent(rho, None, h[1:-1], k[1:-1], settled=False)
    if jointly and (r > 2 or c > 2):
        return _jointly(table, rho, h, k)
    information = _curvature(_score(table, h, k), rho)
    se = float(1 / np.sqrt(information)) if information > 0 else None
    chi2, df = _misfit(table, h, k, rho)
    return Latent(rho, se, h[1:-1], k[1:-1], chi2, df)


def _misfit(table: Floats, h: Floats, k: Floats, rho: float) -> tuple[float | None, int]:
    df = table.size - table.shape[0] - table.shape[1]
    if df <= 0:
        return None, 0
    cells = np.diff(np.diff(bivariate(h, k, rho), axis=0), axis=1)
    held = table > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        chi2 = 2 * float(np.sum(table[held] * np.log(table[held] / table.sum() / cells[held])))
    return (chi2, df) if np.isfinite(chi2) else (None, df)


def _jointly(table: Floats, rho: float, h: Floats, k: Floats) -> Latent:
    r = table.shape[0]
    held = table > 0

    def parts(x: Floats) -> tuple[float, Floats, Floats]:
        rows, columns = x[1:r], x[r:]
        ends = [np.concatenate(([-np.inf], inner, [np.inf])) for inner in (rows, columns)]
        return float(np.tanh(x[0])), ends[0], ends[1]

    def cost(x: Floats) -> tuple[float, Floats]:
        at, rows, columns = parts(x)
        bad = np.zeros_like(x)
        if (np.diff(rows) <= 0).any() or (np.diff(columns) <= 0).any():
            return 1e300, bad
        cells = np.diff(np.diff(bivariate(rows, columns, at), axis=0), axis=1)
        if cells[held].min() <= 0:
            return 1e300, bad
        share = np.where(held, table / np.where(held, cells, 1.0), 0.0)
        root = np.sqrt(1 - at * at)
        slope = float(np.sum(share * np.diff(np.diff(density(rows, columns, at), axis=0), axis=1)))
        # ∂Φ₂(h, k)/∂h = φ(h) Φ((k − ρh)/√(1 − ρ²)): a threshold is the top of one category and the bottom of the next.
        a, b = np.clip(rows, -40, 40)[:, None], np.clip(columns, -40, 40)[None, :]
        by_row = stats.norm.pdf(a) * stats.norm.cdf((columns[None, :] - at * a) / root)
        by_column = stats.norm.pdf(b) * stats.norm.cdf((rows[:, None] - at * b) / root)
        up = np.diff(by_row, axis=1)[1:-1]
        side = np.diff(by_column, axis=0)[:, 1:-1]
        to_rows = np.sum((share[:-1] - share[1:]) * up, axis=1)
        to_columns = np.sum((share[:, :-1] - share[:, 1:]) * side, axis=0)
        total = -float(np.sum(table[held] * np.log(cells[held])))
        return total, -np.concatenate(([slope * (1 - at * at)], to_rows, to_columns))

    start = np.concatenate(([np.arctanh(rho)], h[1:-1], k[1:-1]))
    found = optimize.minimize(cost, start, jac=True, method="BFGS", options={"gtol": 1e-9 * table.sum()})
    x = found.x
    at, rows, columns = parts(x)
    size = x.size
    hessian = np.empty((size, size))
    for i in range(size):
        step = np.zeros(size)
        step[i] = 1e-5
        hessian[i] = (cost(x + step)[1] - cost(x - step)[1]) / 2e-5
    try:
        variance = float(np.linalg.inv((hessian + hessian.T) / 2)[0, 0])
    except np.linalg.LinAlgError:
        variance = -1.0
    se = float(np.sqrt(variance)) * (1 - at * at) if variance > 0 else None
    chi2, df = _misfit(table, rows, columns, at)
    settled = bool(np.abs(found.jac).max() < 1e-4 * table.sum() and abs(at) < MOST)
    return Latent(at, se, rows[1:-1], columns[1:-1], chi2, df, settled)


def with_values(z: Floats, codes: NDArray[np.int64], counts: Floats) -> Latent:
    """Polyserial, two steps: `z` standardised values, `codes` 0 … of ordered categories, `counts` of each case."""
    h = thresholds(np.asarray(np.bincount(codes, weights=counts), dtype=float))
    low, high = np.clip(h[codes], -40, 40), np.clip(h[codes + 1], -40, 40)

    def slope(rho: float) -> float:
        root = np.sqrt(1 - rho * rho)
        a, b = (low - rho * z) / root, (high - rho * z) / root
        inside = np.where(a > 0, stats.norm.sf(a) - stats.norm.sf(b), stats.norm.cdf(b) - stats.norm.cdf(a))
        growth = np.exp(-b * b / 2) * (rho * high - z) - np.exp(-a * a / 2) * (rho * low - z)
        with np.errstate(divide="ignore", invalid="ignore"):
            each = np.where(inside > 1e-280, growth / np.where(inside > 1e-280, inside, 1.0), -np.sign(rho) * 1e3)
        return float(np.dot(counts, each) / (np.sqrt(2 * np.pi) * root**3))

    side = 1.0 if slope(0.0) >= 0 else -1.0
    near = 0.0
    for far in (0.3, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, MOST):
        if slope(side * far) * side < 0:
            rho = float(optimize.brentq(slope, *sorted((side * near, side * far)), xtol=1e-14, rtol=1e-14))
            information = _curvature(slope, rho)
            se = float(1 / np.sqrt(information)) if information > 0 else None
            return Latent(rho, se, h[1:-1], np.empty(0))
        near = far
    return Latent(side, None, h[1:-1], np.empty(0), settled=False)


def smoothed(r: Floats) -> Floats:
    """The nearest proper correlation matrix in the way of psych::cor.smooth: small eigenvalues lifted."""
    values, vectors = np.linalg.eigh(r)
    values = np.where(values < 1e-12, 100 * 1e-12, values)
    values *= len(r) / values.sum()
    made = (vectors * values) @ vectors.T
    scale = np.sqrt(np.diag(made))
    return np.asarray(made / np.outer(scale, scale))
