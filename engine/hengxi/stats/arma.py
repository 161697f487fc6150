"""ARIMA models with regressors by exact maximum likelihood.

The series and its regressors are differenced exactly; what is left is a regression with ARMA errors. Its likelihood is
that of the innovations algorithm, with coefficients and σ² put at their best values for given φ and θ, so that the
search runs over φ and θ alone, with exact derivatives by complex steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import optimize, signal
from statsmodels.tsa.innovations import _arma_innovations as kernel

from hengxi.stats.moments import Floats

STEP = 1e-7
"""Not smaller: a power of a negative number inside the kernel leaves 1e-18 of noise in the imaginary part."""
NEAR_ONE = 1.01
"""A root nearer to the unit circle makes a model unfit for the automatic choice (as in forecast::auto.arima)."""


@dataclass(frozen=True)
class Orders:
    p: int
    d: int
    q: int
    P: int = 0
    D: int = 0
    Q: int = 0
    m: int = 1

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        return self.p, self.q, self.P, self.Q

    @property
    def free(self) -> int:
        return sum(self.sizes)

    @property
    def lost(self) -> int:
        """Observations used up by differencing."""
        return self.d + self.D * self.m

    @property
    def words(self) -> str:
        plain = f"({self.p},{self.d},{self.q})"
        return plain if self.m == 1 else f"{plain}({self.P},{self.D},{self.Q})[{self.m}]"

    def names(self) -> list[str]:
        return (
            [f"ar{i}" for i in range(1, self.p + 1)] + [f"ma{i}" for i in range(1, self.q + 1)]
            + [f"sar{i}" for i in range(1, self.P + 1)] + [f"sma{i}" for i in range(1, self.Q + 1)]
        )  # fmt: skip

    def difference_polynomial(self) -> Floats:
        """Coefficients of (1 − B)^d (1 − B^m)^D."""
        found = np.ones(1)
        season = np.zeros(self.m + 1)
        season[0], season[-1] = 1.0, -1.0
        for _ in range(self.d):
            found = np.convolve(found, [1.0, -1.0])
        for _ in range(self.D):
            found = np.convolve(found, season)
        return found

    def difference(self, x: Floats) -> Floats:
        for _ in range(self.D):
            x = x[self.m :] - x[: -self.m]
        return np.diff(x, n=self.d, axis=0) if self.d else x

    def polynomials(self, params: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """1 − φ₁B …, 1 + θ₁B …, seasonal factors multiplied in."""
        p, q, sp, sq = self.sizes
        phi, theta, big_phi, big_theta = np.split(params, np.cumsum([p, q, sp]))
        ar, ma = np.concatenate(([1.0], -phi)), np.concatenate(([1.0], theta))
        if sp:
            ar = np.convolve(ar, _spaced(-big_phi, self.m))
        if sq:
            ma = np.convolve(ma, _spaced(big_theta, self.m))
        return ar, ma


def _spaced(coefficients: npt.NDArray[Any], m: int) -> npt.NDArray[Any]:
    found = np.zeros(coefficients.size * m + 1, dtype=coefficients.dtype)
    found[0] = 1.0
    found[m::m] = coefficients
    return found


# ---- the innovations -----------------------------------------------------------------------------------------------
def autocovariances(ar: npt.NDArray[Any], ma: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:
    """Of an ARMA process with innovations of variance 1, lags 0 … n − 1."""
    r = max(ar.size, ma.size)
    psi = signal.lfilter(ma, ar, np.concatenate(([1.0], np.zeros(ma.size - 1))).astype(ar.dtype))
    right = np.array([ma[k:] @ psi[: ma.size - k] if k < ma.size else 0.0 for k in range(r)], dtype=ar.dtype)
    system = np.zeros((r, r), dtype=ar.dtype)
    for i in range(r):
        for j, coefficient in enumerate(ar):
            system[i, abs(i - j)] += coefficient
    first = np.linalg.solve(system, right)
    if n <= r:
        return np.asarray(first[:n])
    # Beyond the moving average γ(k) follows the autoregression alone.
    if ar.size == 1:
        return np.concatenate((first, np.zeros(n - r, dtype=ar.dtype)))
    state = signal.lfiltic([1.0], ar, first[::-1][: ar.size - 1])
    rest, _ = signal.lfilter([1.0], ar, np.zeros(n - r, dtype=ar.dtype), zi=state)
    return np.concatenate((first, rest))


@dataclass(frozen=True)
class Innovations:
    ar: npt.NDArray[Any]
    ma: npt.NDArray[Any]
    theta: npt.NDArray[Any]
    v: npt.NDArray[Any]
    """Variances of the one-step errors over σ²."""

    @classmethod
    def of(cls, ar: npt.NDArray[Any], ma: npt.NDArray[Any], n: int) -> Innovations:
        kind = np.promote_types(ar.dtype, ma.dtype)
        ar, ma = np.asarray(ar, dtype=kind), np.asarray(ma, dtype=kind)
        letter = "z" if kind.kind == "c" else "d"
        gamma = np.ascontiguousarray(autocovariances(ar, ma, n), dtype=kind)
        if ar.size == 1 and ma.size == 1:
            return cls(ar, ma, np.zeros((n, 1), dtype=kind), np.ones(n, dtype=kind))
        whole, later = getattr(kernel, f"{letter}arma_transformed_acovf_fast")(ar, ma, gamma)
        theta, v = getattr(kernel, f"{letter}arma_innovations_algo_fast")(n, -ar[1:], ma[1:].copy(), whole, later)
        return cls(ar, ma, np.asarray(theta), np.asarray(v))

    def errors(self, x: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """One-step prediction errors of a series."""
        if self.ar.size == 1 and self.ma.size == 1:
            return np.asarray(x, dtype=self.ar.dtype)
        letter = "z" if self.ar.dtype.kind == "c" else "d"
        series = np.array(x, dtype=self.ar.dtype)
        filtered = getattr(kernel, f"{letter}arma_innovations_filter")
        return np.asarray(filtered(series, -self.ar[1:], self.ma[1:].copy(), self.theta))


# ---- the likelihood ------------------------------------------------------------------------------------------------
@dataclass
class Profile:
    """The likelihood of a differenced series `w` with differenced regressors `x`, as a function of φ and θ."""

    orders: Orders
    w: Floats
    x: Floats

    def whitened(self, params: Floats) -> tuple[Floats, Floats, Floats]:
        ar, ma = self.orders.polynomials(params)
        found = Innovations.of(ar, ma, self.w.size)
        root = np.sqrt(found.v)
        w = found.errors(self.w) / root
        columns = [found.errors(column) / root for column in self.x.T]
        return w, (np.column_stack(columns) if columns else np.zeros((w.size, 0))), found.v

    def beta(self, params: Floats) -> tuple[Floats, float]:
        """Regression coefficients and log-likelihood at their best for these φ and θ."""
        w, x, v = self.whitened(params)
        b = np.linalg.lstsq(x, w, rcond=None)[0] if x.shape[1] else np.zeros(0)
        rss = float(np.sum((w - x @ b) ** 2))
        return np.asarray(b), self._value(rss, float(np.sum(np.log(v))))

    def _value(self, rss: float, logs: float) -> float:
        n = self.w.size
        return -0.5 * n * (float(np.log(2 * np.pi * rss / n)) + 1) - 0.5 * logs

    def slope(self, params: Floats, b: Floats) -> Floats:
        """∂ log-likelihood / ∂(φ, θ) with the coefficients held at `b`, σ² at its best."""
        rest, n = self.w - self.x @ b, self.w.size
        found = np.zeros(params.size)
        for j in range(params.size):
            moved = params.astype(complex)
            moved[j] += 1j * STEP
            inn = Innovations.of(*self.orders.polynomials(moved), n)
            u = inn.errors(rest)
            value = -0.5 * n * np.log(np.sum(u * u / inn.v)) - 0.5 * np.sum(np.log(inn.v))
            found[j] = float(value.imag) / STEP
        return found

    def slopes(self, both: Floats) -> Floats:
        """The gradient over φ, θ and the coefficients together."""
        k = self.orders.free
        params, b = both[:k], both[k:]
        w, x, _ = self.whitened(params)
        rest = w - x @ b
        return np.concatenate((self.slope(params, b), self.w.size * (x.T @ rest) / float(rest @ rest)))

    def information(self, both: Floats) -> Floats:
        """Minus the second derivatives, σ² at its best (R's arima: the Hessian of its objective)."""
        k = both.size
        found = np.zeros((k, k))
        w, x, _ = self.whitened(both[: self.orders.free])
        rest = float(np.sum((w - x @ both[self.orders.free :]) ** 2))
        # Of a coefficient a hundredth of its standard error, were all others known.
        errors = np.sqrt(rest / self.w.size / np.maximum(np.sum(x**2, axis=0), 1e-300))
        steps = np.concatenate((np.full(self.orders.free, 1e-3), 0.01 * errors))
        for j in range(k):
            h = float(steps[j])
            step = np.zeros(k)
            step[j] = h
            near = self.slopes(both + step) - self.slopes(both - step)
            far = self.slopes(both + 2 * step) - self.slopes(both - 2 * step)
            found[j] = -(8 * near - far) / (12 * h)
        return (found + found.T) / 2


def to_params(sizes: tuple[int, ...], free: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Free numbers to stationary, invertible coefficients, by partial autocorrelations (Jones 1980)."""
    parts, at = [], 0
    for block, size in enumerate(sizes):
        phi = np.zeros(0, dtype=free.dtype)
        for r in np.tanh(free[at : at + size]):
            phi = np.concatenate((phi - r * phi[::-1], [r]))
        parts.append(-phi if block in (1, 3) else phi)
        at += size
    return np.concatenate(parts) if parts else free


def to_free(sizes: tuple[int, ...], params: Floats) -> Floats | None:
    """The way back; None where the coefficients are not stationary and invertible."""
    out, at = [], 0
    for block, size in enumerate(sizes):
        phi = params[at : at + size] * (-1 if block in (1, 3) else 1)
        partial = []
        for _ in range(size):
            r = float(phi[-1])
            if not abs(r) < 0.9999:
                return None
            partial.append(r)
            phi = (phi[:-1] + r * phi[:-1][::-1]) / (1 - r * r)
        out += list(np.arctanh(partial[::-1]))
        at += size
    return np.array(out)


@dataclass
class ArimaFit:
    """`names` of the coefficients beside φ and θ are those of the regressors."""

    orders: Orders
    y: Floats
    x: Floats
    profile: Profile
    params: Floats
    beta: Floats
    log_likelihood: float
    converged: bool

    @property
    def n(self) -> int:
        return int(self.profile.w.size)

    @property
    def parameters(self) -> int:
        """σ² counted, as R does."""
        return self.params.size + self.beta.size + 1

    @property
    def aic(self) -> float:
        return -2 * self.log_likelihood + 2 * self.parameters

    @property
    def aicc(self) -> float:
        k, left = self.parameters, self.n - self.parameters - 1
        return self.aic + 2 * k * (k + 1) / left if left > 0 else float("inf")

    @property
    def bic(self) -> float:
        return self.aic + self.parameters * (float(np.log(self.n)) - 2)

    @cached_property
    def innovations(self) -> Innovations:
        return Innovations.of(*self.orders.polynomials(self.params), self.n)

    @cached_property
    def one_step(self) -> Floats:
        """y minus its prediction from the past, of the observations after the differencing."""
        return np.asarray(self.innovations.errors(self.profile.w - self.profile.x @ self.beta))

    @cached_property
    def residuals(self) -> Floats:
        """Standardised to one variance (R's residuals of arima)."""
        return np.asarray(self.one_step / np.sqrt(self.innovations.v))

    @property
    def sigma2(self) -> float:
        return float(np.mean(self.residuals**2))

    @cached_property
    def covariance(self) -> Floats | None:
        """Of φ, θ and the regression coefficients; None where the likelihood is flat or at an edge."""
        both = np.concatenate((self.params, self.beta))
        if both.size == 0:
            return np.zeros((0, 0))
        free = to_free(self.orders.sizes, self.params)
        if free is None or (free.size and np.abs(free).max() > 3.5):
            return None
        information = self.profile.information(both)
        if not np.isfinite(information).all():
            return None
        scale = np.sqrt(np.abs(np.diag(information)))
        if not (scale > 0).all():
            return None
        values, vectors = np.linalg.eigh(information / np.outer(scale, scale))
        if values.min() <= 1e-10:
            return None
        return np.asarray((vectors / values) @ vectors.T / np.outer(scale, scale))

    @cached_property
    def roots(self) -> tuple[npt.NDArray[np.complex128], npt.NDArray[np.complex128]]:
        """Inverse roots of the two polynomials: inside the unit circle they are stationary, invertible."""
        ar, ma = self.orders.polynomials(self.params)
        return np.roots(ar).astype(complex), np.roots(ma).astype(complex)

    @property
    def largest_root(self) -> float:
        return max((float(np.abs(roots).max()) for roots in self.roots if roots.size), default=0.0)

    def forecast(self, h: int, future: Floats) -> tuple[Floats, Floats]:
        """Means and standard errors; `future` are the regressors (in levels) of the next `h` periods."""
        rest, n = self.profile.w - self.profile.x @ self.beta, self.n
        inn = Innovations.of(*self.orders.polynomials(self.params), n + h)
        phi = -inn.ar[1:]
        u = inn.errors(np.concatenate((rest, np.zeros(h))))[:n]
        series, spread = np.concatenate((rest, np.zeros(h))), np.zeros((h, h))
        width = min(inn.theta.shape[1], inn.ma.size - 1)
        for k in range(h):
            t = n + k
            back = np.arange(1, min(phi.size, t) + 1)
            series[t] = float(phi[: back.size] @ series[t - back])
            for j in range(1, width + 1):
                if t - j < n:
                    series[t] += float(inn.theta[t, j - 1]) * float(u[t - j])
                else:
                    spread[k, t - j - n] += float(inn.theta[t, j - 1])
            for i in range(1, min(phi.size, k) + 1):
                spread[k] += phi[i - 1] * spread[k - i]
            spread[k, k] += 1.0
        delta = -self.orders.difference_polynomial()[1:]
        level = np.concatenate((self.y - self.x @ self.beta, np.zeros(h)))
        for k in range(h):
            t = self.y.size + k
            level[t] = series[n + k] + float(delta @ level[t - np.arange(1, delta.size + 1)])
            for i in range(1, min(delta.size, k) + 1):
                spread[k] += delta[i - 1] * spread[k - i]
        variance = (spread**2) @ inn.v[n:] * self.sigma2
        return level[self.y.size :] + future @ self.beta, np.sqrt(variance)


def fit_arima(y: Floats, x: Floats, orders: Orders, precise: bool = True) -> ArimaFit:
    """`x`: regressors in levels, a constant or time among them where wanted. Raises ValueError where nothing is left
    to fit."""
    w, columns = orders.difference(y), orders.difference(x)
    scale = float(np.sqrt(np.mean(w**2)))
    if not scale > 0 or not np.isfinite(scale):
        raise ValueError("constant")
    widths = np.sqrt(np.mean(columns**2, axis=0)) if columns.shape[1] else np.zeros(0)
    if not (widths > 0).all():
        raise ValueError("constant regressor")
    standard = Profile(orders, w / scale, columns / widths)
    params, converged = _search(standard, precise)
    b, value = standard.beta(params)
    return ArimaFit(
        orders, y, x, Profile(orders, w, columns), params, b * scale / widths,
        value - w.size * float(np.log(scale)), converged,
    )  # fmt: skip


def _search(profile: Profile, precise: bool) -> tuple[Floats, bool]:
    orders = profile.orders
    if orders.free == 0:
        return np.zeros(0), True
    starts = [np.zeros(orders.free)]
    guess = _hannan_rissanen(profile)
    if guess is not None:
        starts.insert(0, guess)
    best: tuple[float, Floats, bool] | None = None
    for start in starts if precise else starts[:1]:
        found = optimize.minimize(
            lambda free: _objective(profile, free), start, jac=True, method="BFGS",
            options={"gtol": 1e-7 if precise else 1e-5, "maxiter": 200},
        )  # fmt: skip
        settled = bool(found.success or np.abs(found.jac).max() < 1e-4)
        if best is None or found.fun < best[0] - 1e-9:
            best = (float(found.fun), np.asarray(found.x), settled)
    assert best is not None
    params = to_params(orders.sizes, best[1])
    if precise and np.abs(best[1]).max() < 3.5:
        params = _polished(profile, params)
    return params, best[2]


def _objective(profile: Profile, free: Floats) -> tuple[float, Floats]:
    """−log-likelihood / n, and its slope in the free numbers."""
    sizes, n = profile.orders.sizes, profile.w.size
    free = np.clip(free, -9.0, 9.0)
    params = to_params(sizes, free)
    try:
        b, value = profile.beta(params)
        slope = profile.slope(params, b)
    except (np.linalg.LinAlgError, ValueError, ZeroDivisionError):
        return 1e10, np.zeros(free.size)
    if not np.isfinite(value) or not np.isfinite(slope).all():
        return 1e10, np.zeros(free.size)
    turn = np.zeros((free.size, free.size))
    for j in range(free.size):
        moved = free.astype(complex)
        moved[j] += 1j * STEP
        turn[:, j] = to_params(sizes, moved).imag / STEP
    return -value / n, -(slope @ turn) / n


def _polished(profile: Profile, params: Floats) -> Floats:
    """Newton's steps on the exact gradient, so that the last digits are those of the maximum."""
    k = params.size
    value = profile.beta(params)[1]
    for _ in range(4):
        b = profile.beta(params)[0]
        both = np.concatenate((params, b))
        try:
            step = np.linalg.solve(profile.information(both), profile.slopes(both))[:k]
        except np.linalg.LinAlgError:
            return params
        moved = params + step
        if not np.isfinite(step).all() or to_free(profile.orders.sizes, moved) is None:
            return params
        new = profile.beta(moved)[1]
        if new < value - 1e-9 * abs(value):
            return params
        params, value = moved, new
        if np.abs(step).max() < 1e-11:
            break
    return params


def _hannan_rissanen(profile: Profile) -> Floats | None:
    """A start from two regressions: residuals of a long autoregression stand for the innovations."""
    orders, w = profile.orders, profile.w
    if profile.x.shape[1]:
        w = w - profile.x @ np.linalg.lstsq(profile.x, w, rcond=None)[0]
    p, q, sp, sq = orders.sizes
    own = [*range(1, p + 1), *(orders.m * i for i in range(1, sp + 1))]
    noise = [*range(1, q + 1), *(orders.m * i for i in range(1, sq + 1))]
    long = min(max([*own, *noise]) + 4, w.size // 3)
    start = long + max([*noise, 0])
    if long < 1 or w.size - start < 2 * (len(own) + len(noise)) + 2:
        return None
    past = np.column_stack([w[long - j : w.size - j] for j in range(1, long + 1)])
    e = np.concatenate((np.zeros(long), w[long:] - past @ np.linalg.lstsq(past, w[long:], rcond=None)[0]))
    rows = slice(start, None)
    columns = [w[start - j : w.size - j] for j in own] + [e[start - j : w.size - j] for j in noise]
    b = np.linalg.lstsq(np.column_stack(columns), w[rows], rcond=None)[0]
    phi, big_phi = b[:p], b[p : p + sp]
    theta, big_theta = b[p + sp : p + sp + q], b[p + sp + q :]
    free = to_free(orders.sizes, np.concatenate((phi, theta, big_phi, big_theta)))
    return free if free is not None and np.abs(free).max() < 2.5 else None
