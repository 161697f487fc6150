"""Gaps filled from other variables: regression, nearest neighbours, and EM under a multivariate normal distribution."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hengxi.contract import Column
from hengxi.contract.columns import Floats

Bools = npt.NDArray[np.bool_]
CHUNK = 4_000_000
"""Distances held at a time."""


def features(columns: list[Column], gone: dict[str, Bools]) -> Floats:
    """A column of standard scores for each number, one 0/√½ column for each category; NaN where missing."""
    blocks = []
    for column in columns:
        missing = gone.get(column.id, column.missing)
        if column.is_number and not column.is_categorical:
            x = np.where(missing, np.nan, column.numbers)
            unit = float(np.nanmax(np.abs(x))) if (~missing).any() else 1.0
            x = x / (unit or 1.0)
            sd = float(np.nanstd(x)) if (~missing).any() else 1.0
            blocks.append(((x - np.nanmean(x)) / (sd or 1.0) if (~missing).any() else x)[:, None])
        else:
            found = np.asarray(column.codes)[:, None] == np.arange(len(column.levels))
            marks: Floats = np.where(found, np.sqrt(0.5), 0.0)
            blocks.append(np.where(missing[:, None], np.nan, marks))
    return np.hstack(blocks)


def regression(y: Floats, missing: Bools, x: Floats) -> Floats:
    """Least squares on the rows where everything is known; NaN where a predictor is missing."""
    whole: Bools = np.asarray(~np.isnan(x).any(axis=1), dtype=np.bool_)
    fit = whole & ~missing
    out = np.full(len(y), np.nan)
    if fit.sum() < 2:
        return out
    unit = float(np.abs(y[fit]).max()) or 1.0
    design = np.column_stack([np.ones(len(y)), np.where(whole[:, None], x, 0.0)])
    b, *_ = np.linalg.lstsq(design[fit], y[fit] / unit, rcond=None)
    out[whole] = (design[whole] @ b) * unit
    return out


def neighbours(x: Floats, missing: Bools, k: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """For each row with a gap the k nearest rows that have a value (fewer: repeated −1), nearest first.

    Distance over the features both rows have, scaled up to all of them (as sklearn's nan_euclidean_distances).
    """
    donors = np.flatnonzero(~missing)
    wanted = np.flatnonzero(missing)
    found = np.full((len(wanted), k), -1, dtype=np.int64)
    have = ~np.isnan(x)
    filled = np.where(have, x, 0.0)
    step = max(1, CHUNK // max(len(donors), 1))
    d_fill, d_have = filled[donors], have[donors].astype(np.float64)
    for start in range(0, len(wanted), step):
        rows = wanted[start : start + step]
        mine, seen = filled[rows], have[rows].astype(np.float64)
        both = seen @ d_have.T
        square = (mine**2) @ d_have.T + seen @ (d_fill**2).T - 2 * mine @ d_fill.T
        with np.errstate(all="ignore"):
            distance = np.where(both > 0, np.maximum(square, 0.0) * x.shape[1] / both, np.inf)
        # Rounding must not decide between equal distances: the earlier row comes first.
        order = np.argsort(np.round(distance, 12), axis=1, kind="stable")[:, :k]
        near = np.take_along_axis(distance, order, axis=1)
        found[start : start + len(rows), : order.shape[1]] = np.where(np.isfinite(near), donors[order], -1)
    return wanted, found


def em(x: Floats, rounds: int = 1000, tolerance: float = 1e-10) -> Floats:
    """Gaps → conditional means under the maximum likelihood normal distribution (Dempster, Laird & Rubin 1977).

    Rows without any value are left out of the fit and get the mean.
    """
    unit = np.nanmax(np.abs(x), axis=0)
    unit = np.where(unit > 0, unit, 1.0)
    z = x / unit
    mean = np.nanmean(z, axis=0)
    spread = np.nanstd(z, axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    z = (z - mean) / spread
    p = z.shape[1]
    patterns, owner = np.unique(np.isnan(z), axis=0, return_inverse=True)
    owner = owner.reshape(-1)
    mu, sigma = np.zeros(p), np.eye(p)
    used = ~np.isnan(z).all(axis=1)
    for _ in range(rounds):
        filled, extra = _expected(z, patterns, owner, mu, sigma)
        n = int(used.sum())
        new_mu = filled[used].mean(axis=0)
        d = filled[used] - new_mu
        new_sigma = (d.T @ d + extra) / n
        moved = max(float(np.abs(new_mu - mu).max()), float(np.abs(new_sigma - sigma).max()))
        mu, sigma = new_mu, new_sigma
        if moved < tolerance:
            break
    filled, _ = _expected(z, patterns, owner, mu, sigma)
    return np.asarray((filled * spread + mean) * unit)


def _expected(
    z: Floats, patterns: Bools, owner: npt.NDArray[np.int64], mu: Floats, sigma: Floats
) -> tuple[Floats, Floats]:
    filled, extra = z.copy(), np.zeros_like(sigma)
    for i, gaps in enumerate(patterns):
        rows = np.flatnonzero(owner == i)
        if not gaps.any():
            continue
        if gaps.all():
            filled[rows] = mu
            continue
        known = ~gaps
        weights = np.linalg.pinv(sigma[np.ix_(known, known)]) @ sigma[np.ix_(known, gaps)]
        filled[np.ix_(rows, gaps)] = mu[gaps] + (z[np.ix_(rows, known)] - mu[known]) @ weights
        rest = sigma[np.ix_(gaps, gaps)] - sigma[np.ix_(gaps, known)] @ weights
        extra[np.ix_(gaps, gaps)] += len(rows) * rest
    return filled, extra
