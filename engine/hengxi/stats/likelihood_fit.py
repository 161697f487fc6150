"""Regressions by maximum likelihood with one linear predictor: counts and two classes, by Newton's method.

The design comes in standard coordinates (constant first, columns of mean 0 and mean square 1). A family gives the
log-likelihood of each row and its derivatives by the linear predictor, and by the logarithm of a shape parameter where
it has one; the shape is the last parameter then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy import special

from hengxi.stats.moments import Floats

STEPS, HALVINGS, SETTLED = 100, 40, 1e-9
FARTHEST = 700.0
"""Linear predictors beyond this have a mean that no double can hold."""


@dataclass(frozen=True)
class Slopes:
    """Of every row: the log-likelihood, its slope by the predictor, and minus its observed and expected curvature.

    `shape` holds the slope by the log shape, minus the curvature by it, and minus the mixed one.
    """

    value: Floats
    score: Floats
    observed: Floats
    expected: Floats
    shape: tuple[Floats, Floats, Floats] | None = None


class Family(Protocol):
    has_shape: bool
    orthogonal: bool
    """Is the expected information of shape and coefficients zero?"""

    def slopes(self, eta: Floats, y: Floats, shape: float) -> Slopes: ...

    def mean(self, eta: Floats) -> Floats: ...

    def variance(self, mean: Floats, shape: float) -> Floats: ...

    def constant(self, rows: Rows) -> float:
        """Where a model of a constant alone begins."""


class Poisson:
    has_shape, orthogonal = False, True

    def slopes(self, eta: Floats, y: Floats, shape: float) -> Slopes:
        mean = self.mean(eta)
        return Slopes(y * eta - mean - special.gammaln(y + 1), y - mean, mean, mean)

    def mean(self, eta: Floats) -> Floats:
        return np.asarray(np.exp(np.minimum(eta, FARTHEST)))

    def variance(self, mean: Floats, shape: float) -> Floats:
        return mean

    def constant(self, rows: Rows) -> float:
        """The rate of all rows together."""
        exposure = np.exp(np.minimum(rows.offset, FARTHEST))
        return float(np.log(float(rows.y.sum()) / float(exposure.sum())))


class NegativeBinomial2(Poisson):
    """Variance μ + αμ²; `shape` is α."""

    has_shape, orthogonal = True, True

    def slopes(self, eta: Floats, y: Floats, shape: float) -> Slopes:
        mean, size = self.mean(eta), 1 / shape
        # log(1 + αμ) and the like without the cancellation of lgamma(y + 1/α) − lgamma(1/α) − y log(1/α).
        spread = 1 + shape * mean
        value = rising(y, shape) - special.gammaln(y + 1) + y * eta - (y + size) * np.log1p(shape * mean)
        score = (y - mean) / spread
        observed = mean * (1 + shape * y) / spread**2
        first = np.log1p(shape * mean) - special.digamma(y + size) + special.digamma(size)
        own = size * first - (mean - y) / spread
        # d own / d log α: of 1/α times the bracket, and of the last part.
        bracket = shape * mean / spread + size * (special.polygamma(1, y + size) - special.polygamma(1, size))
        curve = -(-size * first + size * bracket + (mean - y) * shape * mean / spread**2)
        mixed = (y - mean) * shape * mean / spread**2
        return Slopes(value, score, observed, mean / spread, (own, curve, mixed))

    def variance(self, mean: Floats, shape: float) -> Floats:
        return np.asarray(mean * (1 + shape * mean))


class NegativeBinomial1(Poisson):
    """Variance μ(1 + α); `shape` is α."""

    has_shape, orthogonal = True, False

    def slopes(self, eta: Floats, y: Floats, shape: float) -> Slopes:
        mean = self.mean(eta)
        size = mean / shape
        gain = special.digamma(y + size) - special.digamma(size) - np.log1p(shape)
        bend = special.polygamma(1, y + size) - special.polygamma(1, size)
        log_share = np.log(shape) - np.log1p(shape)
        value = special.gammaln(y + size) - special.gammaln(size) - special.gammaln(y + 1)
        value = value + y * log_share - size * np.log1p(shape)
        score = size * gain
        observed = -(size * gain + size**2 * bend)
        part = shape / (1 + shape)
        own = -size * gain + y / (1 + shape) - size * part
        # size falls as log α rises; the two parts behind it have derivatives of their own.
        curve = -(size * gain + size**2 * bend + 2 * size * part - y * part / (1 + shape) - size * part / (1 + shape))
        mixed = size * gain + size**2 * bend + size * part
        return Slopes(value, score, observed, observed, (own, curve, mixed))

    def variance(self, mean: Floats, shape: float) -> Floats:
        return np.asarray(mean * (1 + shape))


class Link(Poisson):
    """Two classes, y 0 or 1. A link gives the distribution function, its density and the slope of that."""

    def slopes(self, eta: Floats, y: Floats, shape: float) -> Slopes:
        raise NotImplementedError

    def mean(self, eta: Floats) -> Floats:
        raise NotImplementedError

    def density(self, eta: Floats) -> Floats:
        raise NotImplementedError

    def bend_at(self, eta: Floats) -> Floats:
        raise NotImplementedError

    def at(self, share: float) -> float:
        """The linear predictor of a probability."""
        raise NotImplementedError

    def variance(self, mean: Floats, shape: float) -> Floats:
        return np.asarray(mean * (1 - mean))

    def constant(self, rows: Rows) -> float:
        return self.at(float(rows.y.mean()))


class Probit(Link):
    def slopes(self, eta: Floats, y: Floats, shape: float) -> Slopes:
        sign = 2 * y - 1
        value = special.log_ndtr(sign * eta)
        log_density = -(eta**2) / 2 - np.log(2 * np.pi) / 2
        score = sign * np.exp(log_density - value)
        expected = np.exp(2 * log_density - special.log_ndtr(eta) - special.log_ndtr(-eta))
        return Slopes(value, score, score * (score + eta), expected)

    def mean(self, eta: Floats) -> Floats:
        return np.asarray(special.ndtr(eta))

    def density(self, eta: Floats) -> Floats:
        return np.asarray(np.exp(-(eta**2) / 2) / np.sqrt(2 * np.pi))

    def bend_at(self, eta: Floats) -> Floats:
        return -eta * self.density(eta)

    def at(self, share: float) -> float:
        return float(special.ndtri(share))


class Logit(Link):
    def slopes(self, eta: Floats, y: Floats, shape: float) -> Slopes:
        sign, spread = 2 * y - 1, self.density(eta)
        return Slopes(-np.logaddexp(0, -sign * eta), sign * special.expit(-sign * eta), spread, spread)

    def mean(self, eta: Floats) -> Floats:
        return np.asarray(special.expit(eta))

    def density(self, eta: Floats) -> Floats:
        return np.asarray(special.expit(eta) * special.expit(-eta))

    def bend_at(self, eta: Floats) -> Floats:
        return np.asarray(self.density(eta) * (1 - 2 * special.expit(eta)))

    def at(self, share: float) -> float:
        return float(special.logit(share))


class ComplementaryLogLog(Link):
    """P(y = 1) = 1 − exp(−e^η)."""

    def slopes(self, eta: Floats, y: Floats, shape: float) -> Slopes:
        rate = np.exp(np.minimum(eta, FARTHEST))
        event = -np.expm1(-rate)
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            pull = rate * np.exp(-rate) / event
            value = np.where(y > 0, np.log(event), -rate)
            curve = np.where(y > 0, pull * (rate / event - 1), rate)
        return Slopes(value, np.where(y > 0, pull, -rate), curve, rate * pull)

    def mean(self, eta: Floats) -> Floats:
        return np.asarray(-np.expm1(-np.exp(np.minimum(eta, FARTHEST))))

    def density(self, eta: Floats) -> Floats:
        rate = np.exp(np.minimum(eta, FARTHEST))
        return np.asarray(rate * np.exp(-rate))

    def bend_at(self, eta: Floats) -> Floats:
        return np.asarray(self.density(eta) * (1 - np.exp(np.minimum(eta, FARTHEST))))

    def at(self, share: float) -> float:
        return float(np.log(-np.log1p(-share)))


def rising(y: Floats, shape: float) -> Floats:
    """log{(1)(1 + α)(1 + 2α)…(1 + (y − 1)α)}, the rising factorial of 1/α over α^−y, exact as α goes to 0."""
    most = int(y.max())
    if most <= 100_000:
        steps = np.concatenate(([0.0, 0.0], np.cumsum(np.log1p(shape * np.arange(1, max(most, 1))))))
        return np.asarray(steps[y.astype(np.int64)])
    size = 1 / shape
    return np.asarray(special.gammaln(y + size) - special.gammaln(size) + y * np.log(shape))


@dataclass(frozen=True)
class Rows:
    """What is fitted: `offset` is added to the linear predictor."""

    design: Floats
    y: Floats
    offset: Floats

    @property
    def k(self) -> int:
        return int(self.design.shape[1])

    def with_columns(self, columns: list[int]) -> Rows:
        return replace(self, design=self.design[:, columns])


@dataclass(frozen=True)
class Maximum:
    """Where the likelihood is greatest. `covariance` is of the coefficients, `shape_se` of log α."""

    family: Family
    rows: Rows
    beta: Floats
    shape: float
    value: float
    at: Slopes
    converged: bool

    @cached_property
    def eta(self) -> Floats:
        return np.asarray(self.rows.design @ self.beta + self.rows.offset)

    @cached_property
    def mean(self) -> Floats:
        return self.family.mean(self.eta)

    @cached_property
    def variance(self) -> Floats:
        return self.family.variance(self.mean, self.shape)

    @cached_property
    def information(self) -> Floats:
        """Of the coefficients (and log α, where it is not orthogonal): expected where it has a simple form."""
        x = self.rows.design
        if self.family.has_shape and not self.family.orthogonal:
            return _joint(x, self.at)
        return np.asarray((x.T * self.at.expected) @ x)

    @cached_property
    def covariance(self) -> Floats:
        k = self.rows.k
        return np.asarray(np.linalg.inv(self.information)[:k, :k])

    @cached_property
    def shape_se(self) -> float:
        """Standard error of log α: by its own curvature where it is orthogonal to the coefficients."""
        if self.family.orthogonal:
            assert self.at.shape is not None
            return float(1 / np.sqrt(np.sum(self.at.shape[1])))
        return float(np.sqrt(np.linalg.inv(self.information)[-1, -1]))

    def sandwich(self, clusters: Floats | None = None) -> Floats:
        """HC0, or by clusters times G/(G − 1); a shape that is not orthogonal has its own score in it."""
        scores = self.rows.design * self.at.score[:, None]
        if self.family.has_shape and not self.family.orthogonal:
            assert self.at.shape is not None
            scores = np.column_stack([scores, self.at.shape[0]])
        factor = 1.0
        if clusters is not None:
            groups, codes = np.unique(clusters, return_inverse=True)
            summed = np.zeros((groups.size, scores.shape[1]))
            np.add.at(summed, codes, scores)
            scores, factor = summed, groups.size / (groups.size - 1)
        bread = np.linalg.inv(self.information)
        k = self.rows.k
        return np.asarray(factor * (bread @ (scores.T @ scores) @ bread)[:k, :k])

    @cached_property
    def leverage(self) -> Floats:
        """Of the last weighted least squares."""
        x = self.rows.design
        weight = self.mean / (self.variance / self.mean) if self.family.has_shape else self.at.expected
        root = np.linalg.cholesky(np.linalg.inv((x.T * weight) @ x))
        return np.asarray(np.minimum(weight * np.sum((x @ root) ** 2, axis=1), 1.0))

    @cached_property
    def pearson(self) -> Floats:
        return np.asarray((self.rows.y - self.mean) / np.sqrt(self.variance))


def _joint(x: Floats, at: Slopes) -> Floats:
    """Observed information of coefficients and log α."""
    assert at.shape is not None
    k = x.shape[1]
    found = np.empty((k + 1, k + 1))
    found[:k, :k] = (x.T * at.observed) @ x
    found[k, :k] = found[:k, k] = x.T @ at.shape[2]
    found[k, k] = float(np.sum(at.shape[1]))
    return found


def score_test(fit: Maximum, extra: Floats) -> tuple[float, int] | None:
    """Rao's χ² with the expected information, and its degrees of freedom: further columns add nothing.

    None where these columns are sums of those of the model.
    """
    wide = np.column_stack([fit.rows.design, (extra - extra.mean(axis=0)) / (extra.std(axis=0) + 1e-300)])
    score = wide.T @ fit.at.score
    information = (wide.T * fit.at.expected) @ wide
    size = np.sqrt(np.diag(information))
    if not (size > 0).all():
        return None
    scaled = information / np.outer(size, size)
    if np.linalg.cond(scaled) > 1e12:
        return None
    pull = score / size
    return float(pull @ np.linalg.solve(scaled, pull)), int(extra.shape[1])


def maximise(rows: Rows, family: Family, start: Floats | None = None, shape: float = 0.0) -> Maximum:
    """Newton with the observed information, with the expected where it is not positive; steps are halved until the
    likelihood grows. Not converged: the steps do not die out, such as where the maximum does not exist."""
    if start is None:
        start = np.zeros(rows.k)
        start[0] = family.constant(rows)
    beta = start.copy()
    log_shape = np.log(shape) if family.has_shape else 0.0
    at = family.slopes(rows.design @ beta + rows.offset, rows.y, float(np.exp(log_shape)))
    value = float(np.sum(at.value))
    for _ in range(STEPS):
        step = _newton(rows.design, at, family)
        if step is None:
            break
        for halving in range(HALVINGS):
            part = step / 2**halving
            moved = beta + part[: rows.k]
            moved_shape = log_shape + float(np.clip(part[-1], -2, 2)) if family.has_shape else 0.0
            eta = rows.design @ moved + rows.offset
            if np.max(np.abs(eta)) > FARTHEST or abs(moved_shape) > 40:
                continue
            then = family.slopes(eta, rows.y, float(np.exp(moved_shape)))
            new = float(np.sum(then.value))
            if np.isfinite(new) and new >= value - 1e-12 * (1 + abs(value)):
                break
        else:
            break
        beta, log_shape, at, value = moved, moved_shape, then, new
        if float(np.max(np.abs(part))) < SETTLED:
            return Maximum(family, rows, beta, float(np.exp(log_shape)), value, at, True)
    return Maximum(family, rows, beta, float(np.exp(log_shape)), value, at, False)


def _newton(x: Floats, at: Slopes, family: Family) -> Floats | None:
    score = x.T @ at.score
    if family.has_shape:
        assert at.shape is not None
        score = np.append(score, np.sum(at.shape[0]))
        tries = [_joint(x, at)]
        apart = np.zeros_like(tries[0])
        apart[:-1, :-1] = (x.T * np.abs(at.expected)) @ x
        apart[-1, -1] = abs(float(np.sum(at.shape[1]))) or 1.0
        tries.append(apart)
    else:
        tries = [(x.T * at.observed) @ x, (x.T * at.expected) @ x]
    for information in tries:
        try:
            root = np.linalg.cholesky(information)
        except np.linalg.LinAlgError:
            continue
        return np.asarray(np.linalg.solve(root.T, np.linalg.solve(root, score)))
    return None
