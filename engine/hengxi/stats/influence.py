"""How far single cases move a fit. A frequency of f means f copies; the measures are of taking away one copy."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hengxi.stats.linear_fit import Fit
from hengxi.stats.moments import Floats

Rows = slice | NDArray[np.int64]
EVERY = slice(None)


@dataclass(frozen=True, slots=True)
class Influence:
    """Of every case what all of them are needed for; the rest is computed for the rows asked for."""

    fit: Fit
    leverage: Floats
    internal: Floats
    """Standardised residual."""
    cook: Floats

    def external(self, rows: Rows = EVERY) -> Floats:
        """Studentised residual with the case left out."""
        e, rest = self.fit.standard_residuals[rows], _rest(self.leverage[rows])
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return np.asarray(e / np.sqrt(_left_out_variance(self.fit, e, rest) * rest))

    def dffits(self, rows: Rows = EVERY) -> Floats:
        h = self.leverage[rows]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return np.asarray(self.external(rows) * np.sqrt(h / _rest(h)))


def influence(fit: Fit) -> Influence:
    """NaN where a case determines its own fitted value (leverage 1)."""
    h, rest = fit.leverage, _rest(fit.leverage)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        internal = np.sqrt(fit.variance * rest)
        np.divide(fit.standard_residuals, internal, out=internal)
        cook = internal**2
        cook *= h
        rest *= fit.k
        cook /= rest
    return Influence(fit, h, internal, cook)


def _rest(h: Floats) -> Floats:
    return np.where(h > 1 - 1e-10, np.nan, 1 - h)


def _left_out_variance(fit: Fit, e: Floats, rest: Floats) -> Floats:
    """Residual variance without one copy of the case; NaN when no degree of freedom is left."""
    if fit.df < 2:
        return np.full(rest.size, np.nan)
    return np.maximum(fit.sse - e**2 / rest, 0) / (fit.df - 1)


def dfbetas(fit: Fit, rows: list[int]) -> Floats:
    """Change of each coefficient in its standard errors, for these rows: rows × coefficients, constant first."""
    at = np.array(rows, dtype=int)
    h = fit.leverage[at]
    rest = np.where(h > 1 - 1e-10, np.nan, 1 - h)
    w = np.ones(at.size) if fit.precision is None else fit.precision[at]
    z = fit.z[at]
    g = np.column_stack((np.ones(at.size), z)) if fit.intercept else z
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        move = (g @ fit.unscaled) * (w * fit.residuals[at] / rest)[:, None]
        e2 = fit.standard_residuals[at] ** 2
        s2 = np.maximum(fit.sse - e2 / rest, 0) / (fit.df - 1) if fit.df > 1 else np.full(at.size, np.nan)
        t = fit.transform / np.max(np.abs(fit.transform), axis=1, keepdims=True)
        spread = np.sqrt(np.einsum("ij,jk,ik->i", t, fit.unscaled, t))
        return np.asarray((move @ t.T) / (spread[None, :] * np.sqrt(s2)[:, None]))
