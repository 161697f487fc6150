"""Naive Bayes of mixed variables: log prior plus one log density for each variable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Arrays
from hengxi.stats.moments import Floats

LEAST = 1e-300
"""A probability of 0 would take every class to minus infinity."""


@dataclass
class NaiveBayes:
    """`x @ weights + offsets`, plus normal log densities of the columns `normal`, plus looked-up log probabilities.

    `means`, `variances`: classes × normal columns; `tables`: for each category its place, and levels × classes.
    Classes without a training row have the prior 0 and are never answered.
    """

    prior: Floats
    weights: Floats
    offsets: Floats
    cut: bool
    """Are columns asked only whether they are above 0?"""
    normal: Any
    means: Floats
    variances: Floats
    tables: list[tuple[Any, Floats]]

    def joint(self, x: Floats) -> Floats:
        """Log prior plus log likelihood: rows × classes."""
        with np.errstate(divide="ignore"):
            start = np.log(self.prior)
        z = (x > 0).astype(float) if self.cut else x
        out = start + self.offsets + z @ self.weights
        for i, column in enumerate(self.normal):
            d = x[:, [column]] - self.means[:, i]
            out = out - 0.5 * (np.log(2 * np.pi * self.variances[:, i]) + d**2 / self.variances[:, i])
        for columns, table in self.tables:
            out = out + table[level_of(x[:, columns])]
        return np.asarray(out)

    def answers(self, x: Floats) -> Floats:
        joint = self.joint(x)
        share = np.exp(joint - joint.max(axis=1, keepdims=True))
        return np.asarray(share / share.sum(axis=1, keepdims=True))

    def pack(self) -> Arrays:
        tables: Arrays = {}
        for i, (columns, table) in enumerate(self.tables):
            tables |= {f"bayes.columns{i}": np.asarray(columns), f"bayes.table{i}": table}
        return tables | {
            "bayes.prior": self.prior, "bayes.weights": self.weights, "bayes.offsets": self.offsets,
            "bayes.cut": np.array([int(self.cut), len(self.tables)]), "bayes.normal": np.asarray(self.normal),
            "bayes.means": self.means, "bayes.variances": self.variances,
        }  # fmt: skip

    @classmethod
    def unpack(cls, arrays: Arrays) -> NaiveBayes:
        cut, n = (int(value) for value in arrays["bayes.cut"])
        tables = [(arrays[f"bayes.columns{i}"], arrays[f"bayes.table{i}"]) for i in range(n)]
        return cls(
            arrays["bayes.prior"], arrays["bayes.weights"], arrays["bayes.offsets"], bool(cut), arrays["bayes.normal"],
            arrays["bayes.means"], arrays["bayes.variances"], tables,
        )  # fmt: skip


def level_of(x: Floats) -> Any:
    """Places of levels from the columns of one category: indicators, or its codes themselves."""
    return (x.argmax(axis=1) if x.shape[1] > 1 else x[:, 0]).astype(np.int64)


def learn(params: dict[str, Any], rows: Any) -> NaiveBayes:
    """Weighted counts of classes, moments of numbers (divided by n), shares of levels with `alpha` added.

    `rows` holds x, y (places of classes), weight, k, and of each coded column its variable and kind.
    """
    k, x = rows.k, rows.x
    weight = np.ones(rows.y.size) if rows.weight is None else rows.weight
    own = np.eye(k)[rows.y] * weight[:, None]
    n = own.sum(axis=0)
    model = NaiveBayes(
        prior_of(params, n), np.zeros((x.shape[1], k)), np.zeros(k), params["variant"] == "bernoulli",
        np.zeros(0, dtype=np.int64), np.zeros((k, 0)), np.zeros((k, 0)), [],
    )  # fmt: skip
    variant = params["variant"]
    if variant in ("multinomial", "bernoulli", "complement"):
        _linear(model, variant, x, own, n, params["alpha"])
        return model
    is_level = rows.kinds[rows.places] > 0 if variant != "gaussian" else np.zeros(x.shape[1], dtype=bool)
    model.normal = np.flatnonzero(~is_level)
    model.means, model.variances = _moments(x[:, ~is_level], own, n, params["var_smoothing"] or 0.0, weight)
    for j in np.unique(rows.places[is_level]):
        columns = np.flatnonzero(rows.places == j)
        counts = np.zeros((int(rows.kinds[j]), k))
        np.add.at(counts, level_of(x[:, columns]), own)
        model.tables.append((columns, _log_share(counts, params["alpha"])))
    return model


def prior_of(params: dict[str, Any], n: Floats) -> Floats:
    """Of the classes that occur; adds up to 1."""
    kind, here = params["prior"], n > 0
    share = n if kind == "counted" else here * (1.0 if kind == "even" else np.asarray(params["prior_values"]))
    return np.asarray(share / share.sum())


def _moments(x: Floats, own: Floats, n: Floats, smoothing: float, weight: Floats) -> tuple[Floats, Floats]:
    total = np.maximum(n, LEAST)[:, None]
    means = own.T @ x / total
    variances = np.stack([own[:, c] @ (x - means[c]) ** 2 for c in range(n.size)]) / total
    whole = np.average((x - np.average(x, axis=0, weights=weight)) ** 2, axis=0, weights=weight)
    most = float(whole.max()) if whole.size else 0.0
    # A class whose rows do not vary would have no density: a fold may hold one even where the whole does not.
    return means, np.maximum(variances + smoothing * most, np.maximum(1e-12 * whole, LEAST))


def _log_share(counts: Floats, alpha: float) -> Floats:
    """Shares of levels within each class."""
    above = counts + alpha
    return np.asarray(np.log(np.maximum(above, LEAST)) - np.log(np.maximum(above.sum(axis=0), LEAST)))


def _linear(model: NaiveBayes, variant: str, x: Floats, own: Floats, n: Floats, alpha: float) -> None:
    if variant == "bernoulli":
        with np.errstate(invalid="ignore", divide="ignore"):
            p = np.nan_to_num(((x > 0).T @ own + alpha) / (n + 2 * alpha))
        yes, no = np.log(np.maximum(p, LEAST)), np.log(np.maximum(1 - p, LEAST))
        model.weights, model.offsets = yes - no, no.sum(axis=0)
        return
    counts = x.T @ own
    if variant == "multinomial":
        model.weights = _log_share(counts, alpha)
        return
    # The class whose other rows the row resembles least (Rennie et al. 2003); the prior is left out.
    model.weights = -_log_share(counts.sum(axis=1, keepdims=True) - counts, alpha)
    model.prior = np.where(n > 0, 1.0, 0.0)
