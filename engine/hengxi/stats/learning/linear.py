"""Linear models of coded columns, with and without a penalty: coefficients on the columns' own scale.

With an intercept the problem is solved on columns less their (weighted) means, n rows, weights w of mean 1:
none: Σw(y − zb)²; ridge: the same + α‖b‖²; lasso and elastic net: Σw(y − zb)²/(2n) + α·r‖b‖₁ + α(1 − r)‖b‖²/2.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import nnls

from hengxi.contract import Arrays
from hengxi.stats.learning.scaling import Scaling
from hengxi.stats.moments import Floats

TOLERANCE, STEPS = 1e-12, 100_000


@dataclass
class Linear:
    """`coefficients`: columns × outputs on the columns' own scale; `means`, `sds` of the columns in training.

    Columns left out as references have the coefficient 0.
    """

    coefficients: Floats
    intercept: Floats
    means: Floats
    sds: Floats

    def answers(self, x: Floats) -> Floats:
        return np.asarray(x @ self.coefficients + self.intercept)

    def pack(self) -> Arrays:
        return {
            "linear.coefficients": self.coefficients, "linear.intercept": self.intercept, "linear.means": self.means,
            "linear.sds": self.sds,
        }  # fmt: skip

    @classmethod
    def unpack(cls, arrays: Arrays) -> Linear:
        return cls(*(arrays[f"linear.{name}"] for name in ("coefficients", "intercept", "means", "sds")))


def learn(params: dict[str, Any], x: Floats, y: Floats, weight: Floats | None, left_out: Any) -> Linear:
    """`params`: penalty, alpha, l1_ratio, fit_intercept, positive, standardize; `left_out`: columns without a
    coefficient (only where there is an intercept)."""
    scaling = Scaling.learn(x, params["standardize"])
    if not params["fit_intercept"]:  # shifted columns would have an intercept after all
        scaling = Scaling(np.zeros(x.shape[1]), scaling.sds)
    used = np.setdiff1d(np.arange(x.shape[1]), left_out if params["fit_intercept"] else [])
    z = scaling.apply(x)[:, used]
    w = np.ones(y.size) if weight is None else weight / weight.mean()
    middle, centre = np.zeros(z.shape[1]), 0.0
    if params["fit_intercept"]:
        middle, centre = np.average(z, axis=0, weights=w), float(np.average(y, weights=w))
    root = np.sqrt(w)
    b = solve(params, (z - middle) * root[:, None], (y - centre) * root)
    coefficients = np.zeros((x.shape[1], 1))
    coefficients[used, 0] = b / scaling.sds[used]
    intercept = centre - float(middle @ b) - float(scaling.means @ coefficients[:, 0])
    return Linear(coefficients, np.array([intercept]), x.mean(axis=0), x.std(axis=0, ddof=1))


def solve(params: dict[str, Any], z: Floats, y: Floats) -> Floats:
    """The coefficients of centred columns."""
    kind, alpha = params["penalty"], params["alpha"] or 0.0
    if kind in ("lasso", "elastic") and alpha > 0:
        return _sparse(z, y, alpha, 1.0 if kind == "lasso" else params["l1_ratio"], params["positive"])
    if kind == "ridge" and alpha > 0:
        z = np.vstack((z, np.sqrt(alpha) * np.eye(z.shape[1])))
        y = np.append(y, np.zeros(z.shape[1]))
    if not params["positive"]:
        return np.asarray(np.linalg.lstsq(z, y, rcond=None)[0])
    # Columns of one size: the search for a non-negative solution stops by an absolute bound.
    size = np.sqrt((z**2).sum(axis=0))
    size[size == 0] = 1.0
    return np.asarray(nnls(z / size, y)[0] / size)


def _sparse(z: Floats, y: Floats, alpha: float, ratio: float, positive: bool) -> Floats:
    """By coordinates, then exactly among the columns that stay."""
    from sklearn.linear_model import ElasticNet

    model = ElasticNet(
        alpha=alpha, l1_ratio=ratio, fit_intercept=False, positive=positive, tol=TOLERANCE, max_iter=STEPS
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        b = np.asarray(model.fit(z, y).coef_, dtype=np.float64)
    held = np.flatnonzero(b)
    if not held.size:
        return b
    n, part, signs = y.size, z[:, held], np.sign(b[held])
    left = part.T @ part / n + alpha * (1 - ratio) * np.eye(held.size)
    exact = np.linalg.lstsq(left, part.T @ y / n - alpha * ratio * signs, rcond=None)[0]
    if np.array_equal(np.sign(exact), signs) and np.allclose(exact, b[held], rtol=1e-3, atol=1e-6 * np.abs(b).max()):
        b[held] = exact
    return b + 0.0  # no coefficient of -0


def strongest(penalty: str, z: Floats, y: Floats, ratio: float) -> float:
    """The penalty at which a path begins: no column stays (lasso, elastic net), or next to none of it (ridge)."""
    inner = float(np.abs(z.T @ y).max()) / y.size
    if penalty == "ridge":
        return 1e3 * y.size
    return inner / max(ratio, 1e-3) if inner > 0 else 1.0
