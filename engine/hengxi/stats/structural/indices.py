"""How well a covariance structure fits: tests, indices, residuals, what freeing a parameter would bring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import optimize, stats

from hengxi.stats.moments import Floats

from .fit import Fit, Sample, estimate, expected, gradient, hessian, loglik, require_identified, scores
from .model import Cell, Model


@dataclass(frozen=True, slots=True)
class Indices:
    """As lavaan defines them. `None` where a value does not exist (no degrees of freedom, no baseline misfit).

    `scaling`, `shift`: what a robust χ² was divided by, and what was added then; 1 and 0 for the others.
    """

    n: int
    p: int
    k: int
    chi2: float
    df: int
    p_value: float | None
    scaling: float
    shift: float
    base_chi2: float
    base_df: int
    cfi: float | None
    tli: float | None
    nfi: float | None
    ifi: float | None
    pnfi: float | None
    rmsea: float | None
    rmsea_low: float | None
    rmsea_high: float | None
    close: float | None
    srmr: float
    rmr: float | None
    gfi: float | None
    agfi: float | None
    pgfi: float | None
    aic: float | None
    bic: float | None
    loglik: float
    saturated: float | None


def saturated(model: Model, samples: Sequence[Sample]) -> Model:
    """Every moment is a parameter."""
    cells = []
    for g, sample in enumerate(samples):
        for i in range(model.p):
            for j in range(i + 1):
                cells.append(Cell("S", i, j, f"s{g},{i},{j}", float(sample.s[i, j]), g))
            if model.means:
                cells.append(Cell("M", i, 0, f"m{g},{i}", float(sample.mean[i]), g))
    return Model(model.names[: model.p], model.p, cells, len(samples), model.means)


def independence(model: Model, samples: Sequence[Sample]) -> Model:
    """Variances (and means) only."""
    cells = []
    for g, sample in enumerate(samples):
        for i in range(model.p):
            cells.append(Cell("S", i, i, f"s{g},{i}", float(sample.s[i, i]), g))
            if model.means:
                cells.append(Cell("M", i, 0, f"m{g},{i}", float(sample.mean[i]), g))
    return Model(model.names[: model.p], model.p, cells, len(samples), model.means)


def highest(samples: Sequence[Sample]) -> float:
    """Log likelihood of the saturated model; `sample.s` and `.mean` are its estimates."""
    total = 0.0
    for sample in samples:
        for part in sample.parts:
            root = np.linalg.cholesky(sample.s[np.ix_(part.known, part.known)])
            away = np.linalg.solve(root, part.mean - sample.mean[part.known])
            white = np.linalg.solve(root, np.linalg.solve(root, part.s).T)
            size = len(root)
            total -= (
                0.5
                * part.n
                * float(size * np.log(2 * np.pi) + 2 * np.log(np.diag(root)).sum() + np.trace(white) + away @ away)
            )
    return total


def indices(fit: Fit, robust: bool = False) -> Indices:
    model, samples = fit.model, fit.samples
    top = highest(samples)
    base = independence(model, samples)
    if not all(sample.complete for sample in samples):
        # Each variable's own mean and variance among those who answered.
        base = estimate(base, samples).model if base.k == 0 else _own_moments(base, samples)
    chi2 = max(0.0, 2 * (top - fit.loglik))
    base_chi2 = max(0.0, 2 * (top - loglik(base, samples, base.start)))
    df, base_df = model.df, base.df
    scaling = 1.0
    if robust:
        upper = _trace(saturated(model, samples), samples, None)
        scaling = (upper - _trace(model, samples, fit.theta)) / df if df > 0 else 1.0
        base_scaling = (upper - _trace(base, samples, base.start)) / base_df if base_df > 0 else 1.0
        chi2, base_chi2 = chi2 / scaling, base_chi2 / base_scaling
    srmr, rmr = residual_means(fit)
    gfi = goodness(fit) if all(sample.complete for sample in samples) else None
    return gathered(fit, chi2, base_chi2, base_df, scaling, srmr, rmr, gfi, 0, top)


def gathered(
    fit: Fit,
    chi2: float,
    base_chi2: float,
    base_df: int,
    scaling: float,
    srmr: float,
    rmr: float | None,
    gfi: float | None,
    order: int,
    top: float | None,
    shift: float = 0.0,
    lost: int = 0,
) -> Indices:
    """All that follows from the two χ².

    `order`: free thresholds; `top`: log likelihood of the saturated model; `lost`: by how much n is less in RMSEA.
    """
    model, n, df, groups = fit.model, fit.n - lost, fit.model.df, fit.model.groups
    away, base_away = max(chi2 - df, 0.0), max(base_chi2 - base_df, chi2 - df, 0.0)
    tli = None
    if df > 0 and base_df > 0 and base_chi2 / base_df != 1:
        tli = (base_chi2 / base_df - chi2 / df) / (base_chi2 / base_df - 1)
    nfi = (base_chi2 - chi2) / base_chi2 if base_chi2 > 0 else None
    ifi = (base_chi2 - chi2) / (base_chi2 - df) if base_chi2 > df else None
    rmsea = low = high = close = None
    if df > 0:
        rmsea = float(np.sqrt(away / df / n * groups))
        low, high = (float(np.sqrt(_noncentral(chi2, df, share) / df / n * groups)) for share in (0.95, 0.05))
        close = float(stats.ncx2.sf(chi2, df, 0.05**2 * n * df / groups))
    known, k = model.known + order, model.k + order
    return Indices(
        fit.n, model.p, k, chi2, df, float(stats.chi2.sf(chi2, df)) if df > 0 else None, scaling, shift,
        base_chi2, base_df, 1 - away / base_away if base_away > 0 else 1.0, tli, nfi, ifi,
        None if nfi is None or base_df == 0 else nfi * df / base_df, rmsea, low, high, close, srmr, rmr, gfi,
        1 - known / df * (1 - gfi) if df > 0 and gfi is not None else None,
        None if gfi is None else gfi * df / known, None if top is None else -2 * fit.loglik + 2 * k,
        None if top is None else -2 * fit.loglik + k * float(np.log(n)), fit.loglik, top,
    )  # fmt: skip


def _own_moments(base: Model, samples: Sequence[Sample]) -> Model:
    cells = []
    for cell in base.cells:
        own = samples[cell.group].rows[:, cell.row]
        held = own[~np.isnan(own)]
        value = float(held.var()) if cell.kind == "S" else float(held.mean())
        cells.append(Cell(cell.kind, cell.row, cell.col, cell.key, value, cell.group))
    return Model(base.names, base.p, cells, base.groups, base.means)


def _trace(model: Model, samples: Sequence[Sample], theta: Floats | None) -> float:
    """tr(A⁻¹B): observed information and products of the rows' scores (Yuan & Bentler, 2000; Mplus' version)."""
    at = model.start if theta is None else theta
    by_row = scores(model, samples, at)
    return float(np.trace(np.linalg.solve(hessian(model, samples, at), by_row.T @ by_row)))


def _noncentral(chi2: float, df: int, share: float) -> float:
    if stats.chi2.cdf(chi2, df) <= share:
        return 0.0
    top = max(2 * chi2, 10.0)
    while stats.ncx2.cdf(chi2, df, top) > share:
        top *= 2
    return float(optimize.brentq(lambda x: stats.ncx2.cdf(chi2, df, x) - share, 1e-12, top, xtol=1e-13, rtol=1e-14))


def residual_means(fit: Fit) -> tuple[float, float]:
    """SRMR (Bentler) and RMR over the groups, weighted by n. Means count where they are part of the model."""
    standard = plain = 0.0
    for layout, sample in zip(fit.model.layouts, fit.samples, strict=True):
        state = layout.at(fit.theta)
        rest = sample.s - state.sigma
        spread = np.sqrt(np.diag(sample.s))
        below = np.tril_indices(fit.model.p)
        squares, raw = float(np.sum((rest / np.outer(spread, spread))[below] ** 2)), float(np.sum(rest[below] ** 2))
        size = len(below[0])
        if fit.model.means:
            away = sample.mean - state.mu
            squares += float(np.sum((away / spread) ** 2))
            raw += float(np.sum(away**2))
            size += fit.model.p
        standard += sample.n / fit.n * np.sqrt(squares / size)
        plain += sample.n / fit.n * np.sqrt(raw / size)
    return float(standard), float(plain)


def goodness(fit: Fit) -> float:
    """1 − tr[(Σ⁻¹S − I)²] / tr[(Σ⁻¹S)²], with means where they are in the model (Jöreskog & Sörbom);
    of groups the mean, weighted by their size (lavaan)."""
    found = 0.0
    for layout, sample in zip(fit.model.layouts, fit.samples, strict=True):
        state = layout.at(fit.theta)
        v = inverse(state.sigma)
        rest, whole = v @ (sample.s - state.sigma), v @ sample.s
        over, under = 0.5 * float(np.sum(rest * rest.T)), 0.5 * float(np.sum(whole * whole.T))
        if fit.model.means:
            away = sample.mean - state.mu
            over += float(away @ v @ away)
            under += float(sample.mean @ v @ sample.mean)
        found += sample.n / fit.n * (1 - over / under)
    return found


def inverse(x: Floats) -> Floats:
    found: Floats = np.linalg.inv(x).astype(float)
    return found


# ---- standard errors -----------------------------------------------------------------------------------------------
def covariance(fit: Fit, robust: bool = False) -> Floats:
    """Of the estimates: inverse expected information; observed with incomplete rows; Huber-White where robust."""
    if robust:
        bread = inverse(hessian(fit.model, fit.samples, fit.theta))
        by_row = scores(fit.model, fit.samples, fit.theta)
        return bread @ (by_row.T @ by_row) @ bread
    if not all(sample.complete for sample in fit.samples):
        return inverse(hessian(fit.model, fit.samples, fit.theta))
    return inverse(expected(fit.model, fit.samples, fit.theta))


class Kernel(Protocol):
    """How the models of a study are fitted and judged."""

    @property
    def robust(self) -> bool: ...

    def require_identified(self, model: Model, samples: Sequence[Sample], at: Floats | None = None) -> None: ...

    def estimate(
        self, model: Model, samples: Sequence[Sample], start: Floats | None = None, polish: bool = True
    ) -> Fit: ...

    def gradient(self, model: Model, samples: Sequence[Sample], theta: Floats) -> Floats: ...

    def information(self, model: Model, samples: Sequence[Sample], theta: Floats) -> Floats: ...

    def covariance(self, fit: Fit) -> Floats: ...

    def indices(self, fit: Fit) -> Indices: ...


@dataclass(frozen=True)
class Likelihood:
    """Maximum likelihood; `robust`: Huber-White errors and a corrected χ²."""

    robust: bool = False

    def require_identified(self, model: Model, samples: Sequence[Sample], at: Floats | None = None) -> None:
        require_identified(model, samples, at)

    def estimate(
        self, model: Model, samples: Sequence[Sample], start: Floats | None = None, polish: bool = True
    ) -> Fit:
        return estimate(model, samples, start, polish)

    def gradient(self, model: Model, samples: Sequence[Sample], theta: Floats) -> Floats:
        found: Floats = gradient(model, samples, theta)
        return found

    def information(self, model: Model, samples: Sequence[Sample], theta: Floats) -> Floats:
        return expected(model, samples, theta)

    def covariance(self, fit: Fit) -> Floats:
        return covariance(fit, self.robust)

    def indices(self, fit: Fit) -> Indices:
        return indices(fit, self.robust)


# ---- what freeing a parameter would bring --------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Change:
    """`mi`: by how much χ² would fall at least; `epc`: about what the parameter would become."""

    cell: Cell
    mi: float
    epc: float
    standard: float


def changes(fit: Fit, candidates: Sequence[Cell], kernel: Kernel) -> list[Change]:
    """Lagrange multiplier tests one by one, largest first (expected information)."""
    if not candidates:
        return []
    named = [Cell(c.kind, c.row, c.col, f"+{i}", c.value, c.group) for i, c in enumerate(candidates)]
    wide = Model(fit.model.names, fit.model.p, [*_without(fit.model.cells, candidates), *named], fit.model.groups,
                 fit.model.means, fit.model.unit)  # fmt: skip
    k = fit.model.k
    order = [wide.keys.index(key) for key in fit.model.keys] + [wide.keys.index(str(c.key)) for c in named]
    theta = np.zeros(wide.k)
    theta[order] = np.concatenate((fit.theta, [c.value for c in named]))
    slope = kernel.gradient(wide, fit.samples, theta)[order]
    whole = kernel.information(wide, fit.samples, theta)[np.ix_(order, order)]
    inner = whole[:k, :k]
    across = whole[:k, k:]
    size = np.sqrt(np.diag(inner))
    solved = np.linalg.solve(inner / np.outer(size, size), across / size[:, None]) / size[:, None]
    rest = np.diag(whole)[k:] - np.sum(across * solved, axis=0)
    down = slope[k:] - solved.T @ slope[:k]
    found = []
    states = [layout.at(fit.theta) for layout in fit.model.layouts]
    for i, cell in enumerate(candidates):
        if rest[i] <= 1e-9 * whole[k + i, k + i]:
            continue  # freeing it would leave the model unidentified
        epc = float(down[i] / rest[i])
        spread = np.sqrt(np.diag(states[cell.group].g))
        own = np.sqrt(np.abs(np.diag(states[cell.group].s)))
        if cell.kind == "A":
            standard = epc * spread[cell.col] / spread[cell.row]
        elif cell.kind == "S" and own[cell.row] * own[cell.col] > 0:
            standard = epc / (own[cell.row] * own[cell.col])
        else:
            standard = epc
        found.append(Change(cell, float(down[i] ** 2 / rest[i]), epc, float(standard)))
    return sorted(found, key=lambda one: (-one.mi, one.cell.kind, one.cell.row, one.cell.col))


def _without(cells: Sequence[Cell], freed: Sequence[Cell]) -> list[Cell]:
    places = {(c.kind, c.row, c.col, c.group) for c in freed}
    return [c for c in cells if c.key is not None or (c.kind, c.row, c.col, c.group) not in places]


def standardised_residuals(fit: Fit, group: int = 0) -> Floats:
    """Correlation residuals: differences of the observed and the implied correlations (both by observed sd)."""
    state, sample = fit.model.layouts[group].at(fit.theta), fit.samples[group]
    spread = np.sqrt(np.diag(sample.s))
    found: Floats = (sample.s - state.sigma) / np.outer(spread, spread)
    return found
