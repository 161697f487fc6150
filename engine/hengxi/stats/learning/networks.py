"""Multilayer perceptrons as plain numbers: weights, and what training told of itself. Trained by scikit-learn."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hengxi.contract import Arrays
from hengxi.stats.learning.scaling import Scaling
from hengxi.stats.moments import Floats

ACTIVATIONS = ("identity", "logistic", "tanh", "relu")


@dataclass
class Network:
    """`weights`: a matrix a layer, inputs × units; `target`: centre and spread of a value, or none of classes.

    `here`: classes with training rows. `losses` by round (none of lbfgs), `checked`: scores of the rows that early
    stopping kept back; both are not stored.
    """

    scaling: Scaling
    weights: list[Floats]
    shifts: list[Floats]
    activation: str
    target: Floats
    here: Any
    k: int
    rounds: int = 0
    settled: bool = True
    loss: float = 0.0
    losses: list[float] = field(default_factory=list)
    checked: list[float] = field(default_factory=list)

    @property
    def count(self) -> int:
        """Parameters: weights and shifts."""
        return sum(w.size for w in self.weights) + sum(b.size for b in self.shifts)

    def output(self, x: Floats) -> Floats:
        """Rows × units of the last layer, before it is turned into probabilities."""
        a = self.scaling.apply(x)
        for place, (w, b) in enumerate(zip(self.weights, self.shifts, strict=True)):
            a = a @ w + b
            if place < len(self.weights) - 1:
                a = _activated(a, self.activation)
        return np.asarray(a)

    def answers(self, x: Floats) -> Floats:
        out = self.output(x)
        if self.target.size:
            return np.asarray(out * self.target[1] + self.target[0])
        if out.shape[1] == 1:  # two classes: the log odds of the second
            out = np.column_stack([np.zeros(out.shape[0]), out])
        share = np.exp(out - out.max(axis=1, keepdims=True))
        shares = np.zeros((x.shape[0], self.k))
        shares[:, self.here] = share / share.sum(axis=1, keepdims=True)
        return shares

    def pack(self) -> Arrays:
        arrays: Arrays = {
            "net.kinds": np.array([ACTIVATIONS.index(self.activation), len(self.weights), self.k], dtype=np.int64),
            "net.target": self.target, "net.here": np.asarray(self.here),
        }  # fmt: skip
        for place, (w, b) in enumerate(zip(self.weights, self.shifts, strict=True)):
            arrays |= {f"net.weights{place}": w, f"net.shifts{place}": b}
        return self.scaling.pack() | arrays

    @classmethod
    def unpack(cls, arrays: Arrays) -> Network:
        kind, layers, k = (int(value) for value in arrays["net.kinds"])
        if not 0 <= kind < len(ACTIVATIONS) or not 1 <= layers <= 100:
            raise ValueError("these arrays are no network")
        weights = [arrays[f"net.weights{place}"] for place in range(layers)]
        shifts = [arrays[f"net.shifts{place}"] for place in range(layers)]
        return cls(
            Scaling.unpack(arrays), weights, shifts, ACTIVATIONS[kind], arrays["net.target"], arrays["net.here"], k
        )


def _activated(a: Floats, kind: str) -> Floats:
    if kind == "relu":
        return np.maximum(a, 0.0)
    if kind == "tanh":
        return np.asarray(np.tanh(a))
    return np.asarray(1 / (1 + np.exp(-np.clip(a, -700, 700)))) if kind == "logistic" else a


def learn(
    params: dict[str, Any],
    layers: tuple[int, ...],
    x: Floats,
    y: Any,
    weight: Floats | None,
    k: int | None,
    seed: int,
    tell: Callable[[int, int, float], bool],
) -> Network:
    """`params`: activation, solver, alpha, learning_rate_init, max_iter, early_stopping, batch, standardize,
    standardize_y; `k`: classes, None of values. `tell(round, of, loss)`: once it says no, training ends."""
    scaling = Scaling.learn(x, params["standardize"])
    target = np.zeros(0)
    if k is None:
        own = Scaling.learn(y[:, None], params["standardize_y"])
        target = np.array([own.means[0], own.sds[0]])
        y = own.apply(y[:, None])[:, 0]
    model = _model(params, layers, y, k, seed, tell)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(scaling.apply(x), y, sample_weight=weight)
    if not all(np.isfinite(w).all() for w in model.coefs_):
        raise FloatingPointError("the weights of the network grew without bound")
    return Network(
        scaling, [np.asarray(w, dtype=np.float64) for w in model.coefs_],
        [np.asarray(b, dtype=np.float64) for b in model.intercepts_], params["activation"], target,
        np.unique(y) if k is not None else np.zeros(0, dtype=np.int64), k or 0, int(model.n_iter_),
        int(model.n_iter_) < params["max_iter"], float(model.loss_),
        [float(v) for v in getattr(model, "loss_curve_", None) or []],
        [float(v) for v in getattr(model, "validation_scores_", None) or []],
    )  # fmt: skip


def _model(params: dict[str, Any], layers: tuple[int, ...], y: Any, k: int | None, seed: int, tell: Any) -> Any:
    from sklearn.neural_network import MLPClassifier, MLPRegressor

    class Watched(MLPRegressor if k is None else MLPClassifier):  # type: ignore[misc]
        """Asks after each round whether to go on; the library keeps what it has when interrupted."""

        def _update_no_improvement_count(self, *args: Any) -> None:
            super()._update_no_improvement_count(*args)
            if not tell(self.n_iter_, params["max_iter"], self.loss_curve_[-1]):
                raise KeyboardInterrupt

    early = params["early_stopping"] and params["solver"] != "lbfgs" and _can_keep_back(y, k)
    batch = params.get("batch") or "auto"
    return Watched(
        hidden_layer_sizes=layers, activation=params["activation"], solver=params["solver"], alpha=params["alpha"],
        learning_rate_init=params["learning_rate_init"] or 0.001, max_iter=params["max_iter"], early_stopping=early,
        batch_size=batch if batch == "auto" else min(int(batch), y.size), random_state=seed,
    )  # fmt: skip


def _can_keep_back(y: Any, k: int | None) -> bool:
    """A tenth of the rows is kept back, of classes some rows of each."""
    if k is None:
        return bool(y.size >= 20)
    counts = np.unique(y, return_counts=True)[1]
    return bool(counts.min() >= 2 and 0.1 * y.size >= counts.size)
