"""Covariance of the coefficients under seven assumptions, in the standard coordinates of a fit."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from hengxi.stats.design import Codes
from hengxi.stats.linear_fit import Fit
from hengxi.stats.moments import Floats
from hengxi.stats.triangle import spans


@dataclass(frozen=True, slots=True)
class Wald:
    F: float
    df1: float
    df2: float
    p: float


def automatic_lags(n: int) -> int:
    """⌊4 (n/100)^(2/9)⌋ (Newey & West 1994)."""
    return int(np.floor(4 * (n / 100) ** (2 / 9)))


def covariance(fit: Fit, kind: str, lags: int = 0, clusters: Codes | None = None) -> Floats:
    """classic, hc0, hc1, hc2, hc3, newey_west, cluster.

    A frequency counts as that many cases. Newey-West: Bartlett weights, n/(n-k), no prewhitening, rows in their order.
    Cluster: G/(G-1) · (n-1)/(n-k), as Stata and sandwich::vcovCL(type = "HC1").
    """
    if kind == "classic":
        return fit.variance * fit.unscaled
    if kind == "cluster":
        if clusters is None:
            raise ValueError("clusters are needed")
        return _cluster(fit, clusters)
    if kind == "newey_west":
        return _newey_west(fit, lags)
    return _heteroscedastic(fit, kind)


def score(fit: Fit, span: slice) -> Floats:
    """w e [1, z], one row for one copy of a case."""
    e = fit.residuals[span] if fit.precision is None else fit.residuals[span] * fit.precision[span]
    z = fit.z[span]
    scores = np.empty((z.shape[0], fit.k))
    if fit.intercept:
        scores[:, 0] = e
    scores[:, int(fit.intercept) :] = z * e[:, None]
    return scores


def _sandwich(fit: Fit, meat: Floats) -> Floats:
    return fit.unscaled @ meat @ fit.unscaled


def _heteroscedastic(fit: Fit, kind: str) -> Floats:
    rest = np.maximum(1 - fit.leverage, 1e-300) if kind in ("hc2", "hc3") else None
    meat = np.zeros((fit.k, fit.k))
    for span in spans(fit.residuals.size, fit.k):
        u = score(fit, span)
        factor = np.ones(u.shape[0]) if fit.counts is None else fit.counts[span]
        if rest is not None:
            factor = factor / (rest[span] if kind == "hc2" else rest[span] ** 2)
        meat += u.T @ (u * factor[:, None])
    if kind == "hc1":
        meat *= fit.n / fit.df
    return _sandwich(fit, meat)


def _newey_west(fit: Fit, lags: int) -> Floats:
    u = score(fit, slice(None))
    meat = u.T @ u
    for lag in range(1, min(lags, u.shape[0] - 1) + 1):
        cross = u[lag:].T @ u[:-lag]
        meat += (1 - lag / (lags + 1)) * (cross + cross.T)
    return _sandwich(fit, meat * (fit.n / fit.df))


def _cluster(fit: Fit, clusters: Codes) -> Floats:
    u = score(fit, slice(None))
    groups = int(clusters.max()) + 1
    sums = np.empty((groups, fit.k))
    for j in range(fit.k):
        column = u[:, j] if fit.counts is None else u[:, j] * fit.counts
        sums[:, j] = np.bincount(clusters, weights=column, minlength=groups)
    return _sandwich(fit, sums.T @ sums * (groups / (groups - 1) * (fit.n - 1) / fit.df))


def wald(fit: Fit, cov: Floats, columns: list[int], df: float) -> Wald | None:
    """All these slopes are 0. None when the covariance does not have full rank (fewer clusters than slopes)."""
    at = [c + int(fit.intercept) for c in columns]
    part = cov[np.ix_(at, at)]
    size = np.sqrt(np.diag(part))
    if np.any(size <= 0) or not np.all(np.isfinite(size)):
        return None
    scaled = part / np.outer(size, size)
    values, vectors = np.linalg.eigh(scaled)
    if values[0] <= 1e-12 * values[-1]:
        return None
    turned = vectors.T @ (fit.beta[columns] / size)
    value = float(np.sum(turned**2 / values)) / len(columns)
    return Wald(value, float(len(columns)), df, float(stats.f.sf(value, len(columns), df)))
