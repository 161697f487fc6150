"""Tolerance, VIF, generalised VIF and condition indices."""

from dataclasses import dataclass

import numpy as np

from hengxi.stats.design import Term
from hengxi.stats.linear_fit import Basis
from hengxi.stats.moments import Floats

TOGETHER = "的各列合在一起，按 GVIF^(1/df)"
"""How the inflation of a term of several columns is called."""

TIE = 1e-9
"""Relative difference below which two inflations are the same."""


def vif(fit: Basis) -> Floats:
    """Of each column. Without an intercept around 0, not comparable."""
    inner = fit.root_inverse @ fit.root_inverse.T
    return np.diag(inner) * fit.whole


def gvif(fit: Basis, columns: list[int]) -> float:
    """Fox & Monette (1992): det(R₁₁) det(R₂₂) / det(R) of the correlations of the coefficients."""
    inner = fit.root_inverse @ fit.root_inverse.T
    size = np.sqrt(np.diag(inner))
    r = inner / np.outer(size, size)
    others = [j for j in range(fit.p) if j not in columns]
    if not others:
        return 1.0
    log = _log_det(r[np.ix_(columns, columns)]) + _log_det(r[np.ix_(others, others)]) - _log_det(r)
    return float(np.exp(log))


def worst(fit: Basis, terms: list[Term]) -> tuple[float, int, Term]:
    """The greatest inflation, its column and term. The columns of a term of several are judged together, by
    GVIF^(1/df): among themselves they are correlated by construction, the more so the rarer the reference level."""
    single = vif(fit)
    worst_by_term = []
    for term in terms:
        together = gvif(fit, term.columns) ** (1 / term.width) if term.width > 1 else float(single[term.first])
        worst_by_term.append((together, term.first, term))
    # Two columns alone are inflated alike: rounding does not choose the one that is named.
    most = max(one[0] for one in worst_by_term)
    return next(one for one in worst_by_term if one[0] >= most * (1 - TIE))


def judged_as(terms: list[Term], term: Term) -> str:
    """What follows the name of the term with the greatest inflation: the table lists single columns, too, and one of
    them may well exceed it."""
    if term.width > 1:
        return TOGETHER
    return f"；多水平定类自变量{TOGETHER}" if any(one.width > 1 for one in terms) else ""


def _log_det(r: Floats) -> float:
    return float(np.linalg.slogdet(r)[1])


@dataclass(frozen=True, slots=True)
class Condition:
    eigenvalues: Floats
    indices: Floats
    shares: Floats
    """Variance proportions: one row for each eigenvalue, one column for each coefficient."""


def condition(fit: Basis) -> Condition:
    """Belsley, Kuh & Welsch (1980): columns scaled to length 1, not centred, the constant one of them."""
    root = fit.root / np.sqrt(fit.whole)
    if fit.intercept:
        full = np.zeros((fit.k, fit.k))
        with np.errstate(over="ignore", under="ignore"):
            ratio = fit.centre / fit.scale
        full[0, 0] = 1.0
        full[0, 1:] = ratio
        full[1:, 1:] = root
    else:
        full = root
    with np.errstate(over="ignore", under="ignore"):
        full = full / np.linalg.norm(full, axis=0)
    _, single, vt = np.linalg.svd(full)
    parts = (vt / single[:, None]) ** 2
    return Condition(single**2, single[0] / single, parts / parts.sum(axis=0))
