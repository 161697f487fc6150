"""Checks of a regression: variance, functional form, autocorrelation."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

from hengxi.stats.linear_fit import Fit
from hengxi.stats.moments import Floats, total
from hengxi.stats.triangle import Explained, column_stack, explained


@dataclass(frozen=True, slots=True)
class Checked:
    statistic: float
    df1: float
    df2: float | None
    p: float


WHITE_MOST = 20_000_000
"""Cells of the auxiliary table above which White's test is left out (and the report says so)."""


def _roots(fit: Fit, span: slice) -> Floats | None:
    return None if fit.counts is None else np.sqrt(fit.counts[span])


CELLS = 200_000
"""Regressors up to this size are gone through by QR again for each test; above, their triangle is used again."""
LEFT = 1e-4
"""What must be left of a column when the regressors are taken out, for the difference to keep its digits."""


def _reusable(fit: Fit) -> bool:
    return fit.weights is None and fit.z.size > CELLS and fit.is_sound


def _apart(fit: Fit, columns: list[Floats]) -> Floats | None:
    """Cross-products of columns from which the regressors are taken out (Frisch & Waugh 1933), from one pass over them.

    None where the table is short, weighted or badly conditioned, or too little is left of a column.
    """
    if not _reusable(fit):
        return None
    table = column_stack(*columns)
    whole = table.T @ table
    inside = fit.root_inverse.T @ (fit.z.T @ table)
    left = whole - inside.T @ inside
    if fit.intercept:
        sums = table.sum(axis=0)
        left -= np.outer(sums, sums) / fit.n
    size = np.sqrt(np.diag(left).clip(min=0))
    return left if bool((size**2 > LEFT * np.diag(whole)).all()) else None


def _weighted(part: Floats, roots: Floats | None) -> Floats:
    return part if roots is None else part * roots[:, None]


def breusch_pagan(fit: Fit) -> Checked | None:
    """Koenker's studentised form: n R² of e² on the regressors and a constant (Koenker 1981)."""
    return _squares(fit, fit.p, lambda z: z)


def white(fit: Fit) -> Checked | None:
    """n R² of e² on the regressors, their squares and cross-products (White 1980); columns that repeat are left out."""
    p = fit.p
    width = p + p * (p + 1) // 2
    if width + 2 >= fit.residuals.size or width * fit.residuals.size > WHITE_MOST:
        return None
    first, second = np.triu_indices(p)
    return _squares(fit, width, lambda z: column_stack(z, z[:, first] * z[:, second]))


def _squares(fit: Fit, width: int, columns: Callable[[Floats], Floats]) -> Checked | None:
    u = fit.standard_residuals**2
    u = u / float(u.max()) if u.max() > 0 else u
    u = u - total(u, fit.counts) / fit.n
    if width == fit.p and fit.intercept and _reusable(fit):
        # The regressors themselves: their triangle is known.
        inside = fit.root_inverse.T @ (fit.z.T @ u)
        known = Explained(fit.p + 1, float(inside @ inside), float(u @ u) - float(inside @ inside))
        return _share(fit, known)

    def block(span: slice) -> Floats:
        part = column_stack(np.ones(u[span].size), columns(fit.z[span]), u[span])
        return _weighted(part, _roots(fit, span))

    return _share(fit, explained(u.size, width + 2, block))


def _share(fit: Fit, explained: Explained) -> Checked | None:
    """n R² with the χ² distribution."""
    df = explained.rank - 1
    if df < 1 or explained.explained + explained.rest == 0:
        return None
    # A share this small is what rounding left of 0.
    value = fit.n * explained.share if explained.share > 1e-14 else 0.0
    return Checked(value, float(df), None, float(stats.chi2.sf(value, df)))


def reset(fit: Fit) -> Checked | None:
    """F test for adding the 2nd and 3rd power of the fitted values (Ramsey 1969)."""
    df2 = fit.df - 2
    if df2 < 1:
        return None
    fitted = fit.fitted_standard
    if not fit.intercept:
        fitted = fitted / max(float(np.abs(fitted).max()), 1e-300)
    square = fitted * fitted
    left = _apart(fit, [square, square * fitted, fit.residuals])
    if left is not None and abs(left[0, 1]) < (1 - LEFT) * float(np.sqrt(left[0, 0] * left[1, 1])):
        inside = float(left[2, :2] @ np.linalg.solve(left[:2, :2], left[2, :2]))
        return _added(inside, float(left[2, 2]) - inside, df2)
    roots = None if fit.weights is None else np.sqrt(fit.weights)

    def block(span: slice) -> Floats:
        f = fitted[span]
        ones = [np.ones(f.size)] if fit.intercept else []
        part = column_stack(*ones, fit.z[span], f**2, f**3, fit.residuals[span])
        return part if roots is None else part * roots[span, None]

    found = explained(fitted.size, fit.k + 3, block)
    if found.rank < fit.k + 2 or found.rest <= 0:
        return None
    return _added(found.explained, found.rest, df2)


def _added(inside: float, rest: float, df2: int) -> Checked:
    value = (inside / 2) / (rest / df2)
    return Checked(value, 2.0, float(df2), float(stats.f.sf(value, 2, df2)))


def durbin_watson(fit: Fit) -> float | None:
    """Meaningful only where the order of the rows means something; none with frequencies."""
    e = fit.standard_residuals
    whole = float(e @ e)
    if fit.counts is not None or whole == 0:
        return None
    step = np.diff(e)
    return float(step @ step) / whole


def breusch_godfrey(fit: Fit, order: int = 1) -> Checked | None:
    """n R² of e on the regressors and e one to `order` rows earlier, 0 before the first row (as lmtest)."""
    if fit.counts is not None or fit.df < order + 1:
        return None
    e = fit.standard_residuals
    before = [np.concatenate((np.zeros(lag), e[:-lag])) for lag in range(1, order + 1)]
    left = _apart(fit, [*before, e])
    if left is not None and _is_apart(left[:order, :order]):
        inside = float(left[order, :order] @ np.linalg.solve(left[:order, :order], left[:order, order]))
        return _lagged(fit, inside / float(left[order, order]), order)
    roots = None if fit.precision is None else np.sqrt(fit.precision)

    def block(span: slice) -> Floats:
        ones = [np.ones(e[span].size)] if fit.intercept else []
        part = column_stack(*ones, fit.z[span])
        if roots is not None:
            part = part * roots[span, None]
        return column_stack(part, *(lag[span] for lag in before), e[span])

    return _lagged(fit, explained(e.size, fit.k + order + 1, block).share, order)


def _is_apart(cross: Floats) -> bool:
    """Do the earlier residuals lie far enough from each other to solve for them?"""
    size = np.sqrt(np.diag(cross))
    return bool(np.linalg.cond(cross / np.outer(size, size)) < 1 / LEFT)


def _lagged(fit: Fit, share: float, order: int) -> Checked:
    value = fit.n * share if share > 1e-14 else 0.0
    return Checked(value, float(order), None, float(stats.chi2.sf(value, order)))
