"""How far single cases move a fit. A frequency of f means f copies; the measures are of taking away one copy."""

from dataclasses import dataclass

import numpy as np

from hengxi.stats.linear_fit import Fit
from hengxi.stats.moments import Floats


@dataclass(frozen=True, slots=True)
class Influence:
    leverage: Floats
    internal: Floats
    """Standardised residual."""
    external: Floats
    """Studentised residual with the case left out."""
    cook: Floats
    dffits: Floats


def influence(fit: Fit) -> Influence:
    """NaN where a case determines its own fitted value (leverage 1)."""
    h, e = fit.leverage, fit.standard_residuals
    rest = np.where(h > 1 - 1e-10, np.nan, 1 - h)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        internal = e / np.sqrt(fit.variance * rest)
        external = e / np.sqrt(left_out_variance(fit, rest) * rest)
        cook = internal**2 * h / (rest * fit.k)
        dffits = external * np.sqrt(h / rest)
    return Influence(h, internal, external, cook, dffits)


def left_out_variance(fit: Fit, rest: Floats) -> Floats:
    """Residual variance without one copy of the case; NaN when no degree of freedom is left."""
    if fit.df < 2:
        return np.full(rest.size, np.nan)
    return np.maximum(fit.sse - fit.standard_residuals**2 / rest, 0) / (fit.df - 1)


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
