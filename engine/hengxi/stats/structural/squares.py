"""Weighted least squares of variances and covariances, or of polychoric correlations: DWLS, GLS, ULS.

χ² = (n − 1) (s − σ)ᵀ W (s − σ) at its least, summed over the groups, as lavaan counts; s are the moments below the
diagonal. Γ is n × their asymptotic covariance matrix, without any distribution assumed. The χ² of WLSMV and ULS are
corrected to have the mean and the variance of a χ² (Asparouhov & Muthén, 2010).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hengxi.stats.moments import Floats

from .fit import Fit, Sample, Unidentified, climb
from .indices import Indices, gathered, independence, inverse, residual_means
from .model import Array, Model
from .ordinal import OrdinalSample

Way = Literal["dwls", "wlsmv", "gls", "uls"]


@dataclass(frozen=True)
class Target:
    """Of one group; `w` a diagonal or a matrix. `above`: Σ w τ² of the thresholds, which the model leaves free."""

    n: int
    s: Floats
    w: Floats
    gamma: Floats
    above: float = 0.0

    def weighted(self, x: Array) -> Array:
        found: Array = self.w @ x if self.w.ndim == 2 else (self.w * x.T).T
        return found


@dataclass(frozen=True)
class Squares:
    """How the models of a study are fitted; see `Likelihood`."""

    way: Way

    @property
    def robust(self) -> bool:
        return self.way in ("wlsmv", "uls")

    def targets(self, samples: Sequence[Sample]) -> list[Target]:
        return [_target(sample, self.way) for sample in samples]

    def estimate(
        self, model: Model, samples: Sequence[Sample], start: Floats | None = None, polish: bool = True
    ) -> Fit:
        held = list(samples)
        targets = self.targets(held)
        n = sum(one.n for one in targets)

        def value(theta: Floats) -> float:
            try:
                found = -0.5 * _distance(model, targets, theta)
            except np.linalg.LinAlgError:
                return -np.inf
            return found if np.isfinite(found) else -np.inf

        def slope(theta: Array) -> Array:
            return _slope(model, targets, theta)

        def information(theta: Floats) -> Floats:
            return _information(model, targets, theta)

        theta, rounds = climb(model.start if start is None else start, value, slope, information, n, polish)
        return Fit(model, held, theta, value(theta), -2 * value(theta) / n, rounds)

    def gradient(self, model: Model, samples: Sequence[Sample], theta: Floats) -> Floats:
        return _slope(model, self.targets(samples), theta)

    def information(self, model: Model, samples: Sequence[Sample], theta: Floats) -> Floats:
        return _information(model, self.targets(samples), theta)

    def covariance(self, fit: Fit) -> Floats:
        """Of the estimates; of the robust ways, with what Γ says of how exact the moments are."""
        targets = self.targets(fit.samples)
        bread = inverse(_information(fit.model, targets, fit.theta))
        share = fit.n / (fit.n - fit.model.groups)
        if not self.robust:
            return bread * share
        meat = np.zeros_like(bread)
        for one, j in zip(targets, _jacobians(fit.model, fit.theta), strict=True):
            wj = one.weighted(j)
            meat += one.n * wj.T @ one.gamma @ wj
        return bread @ meat @ bread * share

    def indices(self, fit: Fit) -> Indices:
        model, targets, n = fit.model, self.targets(fit.samples), fit.n
        chi2 = _distance(model, targets, fit.theta)
        base = _independence(model, fit.samples)
        base_theta = self.estimate(base, fit.samples).theta
        base_chi2 = _distance(base, targets, base_theta)
        df, base_df = model.df, base.df
        scaling, shift = 1.0, 0.0
        if self.robust and df > 0:
            scaling, shift = _scaled(model, targets, fit.theta)
            base_scaling, base_shift = _scaled(base, targets, base_theta)
            chi2, base_chi2 = chi2 / scaling + shift, base_chi2 / base_scaling + base_shift
        srmr, rmr = residual_means(fit)
        gfi, order = 0.0, 0
        for one, layout in zip(targets, model.layouts, strict=True):
            rest = one.s - _moments(layout.at(fit.theta).sigma, model.unit)
            gfi += one.n / n * float(1 - rest @ one.weighted(rest) / (one.s @ one.weighted(one.s) + one.above))
        for sample in fit.samples:
            order += sample.order if isinstance(sample, OrdinalSample) else 0
        return gathered(
            fit, max(chi2, 0.0), max(base_chi2, 0.0), base_df, scaling, srmr, None if model.unit else rmr, gfi,
            order, None, shift, model.groups,
        )  # fmt: skip

    def require_identified(self, model: Model, samples: Sequence[Sample], at: Floats | None = None) -> None:
        """Raises `Unidentified` where no moment changes along some direction."""
        if model.k == 0:
            return
        theta = model.start if at is None else at
        if at is None:
            theta = theta * (1 + 0.1 * np.sin(np.arange(model.k) * 1.7 + 1)) + 0.03 * np.cos(np.arange(model.k) * 2.3)
        found = sum((j.T @ j for j in _jacobians(model, theta)), np.zeros((model.k, model.k)))
        size = np.sqrt(np.maximum(np.diag(found), 1e-300))
        values, vectors = np.linalg.eigh(found / np.outer(size, size))
        lost = values < 1e-9
        if lost.any():
            weight = np.abs(vectors[:, lost]).max(axis=1)
            raise Unidentified([key for key, w in zip(model.keys, weight, strict=True) if w > 0.05])


# ---- what the moments are, and how they change ---------------------------------------------------------------------
def _moments(sigma: Array, unit: bool) -> Array:
    found: Array = sigma[np.tril_indices(len(sigma), -1 if unit else 0)]
    return found


def _target(sample: Sample, way: Way) -> Target:
    if isinstance(sample, OrdinalSample):
        errors = np.concatenate(sample.cut_errors)
        cuts = np.concatenate(sample.cuts)
        above = float(np.sum(cuts**2 / (sample.n * errors**2)))
        return Target(sample.n, _moments(sample.s, True), 1 / np.diag(sample.gamma), sample.gamma, above)
    s = sample.s
    i, j = np.tril_indices(len(s))
    if way == "uls":
        return Target(sample.n, s[i, j], np.ones(len(i)), sample.fourth)
    v, half = inverse(s), np.where(i == j, 0.5, 1.0)
    w = (v[np.ix_(i, i)] * v[np.ix_(j, j)] + v[np.ix_(i, j)] * v[np.ix_(j, i)]) * np.outer(half, half)
    return Target(sample.n, s[i, j], w, np.zeros((0, 0)))  # its errors need no Γ: W is its inverse under normality


def _distance(model: Model, targets: Sequence[Target], theta: Floats) -> float:
    """χ² without a correction."""
    total = 0.0
    for one, layout in zip(targets, model.layouts, strict=True):
        rest = one.s - _moments(layout.at(theta).sigma, model.unit)
        total += (one.n - 1) * float(rest @ one.weighted(rest))
    return total


def _jacobians(model: Model, theta: Array) -> list[Array]:
    return [layout.jacobian(layout.at(theta)) for layout in model.layouts]


def _slope(model: Model, targets: Sequence[Target], theta: Array) -> Array:
    found = np.zeros(model.k, dtype=theta.dtype)
    for one, layout in zip(targets, model.layouts, strict=True):
        state = layout.at(theta)
        found += (one.n - 1) * layout.pulled(state, one.weighted(one.s - _moments(state.sigma, model.unit)))
    return found


def _information(model: Model, targets: Sequence[Target], theta: Floats) -> Floats:
    found = np.zeros((model.k, model.k))
    for one, j in zip(targets, _jacobians(model, theta), strict=True):
        found += one.n * j.T @ one.weighted(j)
    return found


def _independence(model: Model, samples: Sequence[Sample]) -> Model:
    base = independence(model, samples)
    if model.unit:
        return Model(base.names, base.p, [], base.groups, unit=True)
    return base


def _scaled(model: Model, targets: Sequence[Target], theta: Floats) -> tuple[float, float]:
    """χ² / a + b has the mean and the variance of χ² with these degrees of freedom."""
    j = np.vstack(_jacobians(model, theta)) if model.k else np.zeros((sum(len(one.s) for one in targets), 0))
    n = sum(one.n for one in targets)
    shares = np.concatenate([np.full(len(one.s), one.n / n) for one in targets])
    w = np.concatenate([one.w for one in targets]) * shares
    gamma = np.zeros((len(w), len(w)))
    at = 0
    for one in targets:
        end = at + len(one.s)
        gamma[at:end, at:end] = one.gamma / (one.n / n)
        at = end
    ug = w[:, None] * gamma
    if model.k:
        wj = w[:, None] * j
        ug -= wj @ np.linalg.solve(j.T @ wj, wj.T @ gamma)
    mean, square = float(np.trace(ug)), float(np.sum(ug * ug.T))
    share = float(np.sqrt(model.df / square))
    return 1 / share, model.df - share * mean
