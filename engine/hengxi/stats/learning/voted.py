"""Trees that vote by weight: what AdaBoost learned. Classes by the weighted votes, numbers by the weighted median."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from hengxi.contract import Arrays
from hengxi.stats.learning import forests
from hengxi.stats.learning.forests import Forest
from hengxi.stats.moments import Floats

AT_ONCE = 2_000_000
"""Rows × trees sorted together."""


@dataclass
class Voted:
    """`weights`: of the trees; `shares`: of the classes, the answers where no tree was better than chance."""

    forest: Forest
    weights: Floats
    shares: Floats | None = None
    link: str = "votes"
    lines: None = None

    @property
    def rounds(self) -> int:
        return len(self.forest.trees)

    def answers(self, coded: Floats) -> Floats:
        """Rows × classes, or one column of values."""
        if self.shares is not None:
            return np.tile(self.shares, (coded.shape[0], 1))
        if not self.forest.is_classifier:
            return self._medians(coded)[:, None]
        rows = np.ascontiguousarray(coded, dtype=np.float32)
        votes = np.zeros((rows.shape[0], self.forest.classes.size))
        for tree, weight in zip(self.forest.trees, self.weights, strict=True):
            votes[np.arange(rows.shape[0]), _chosen(tree, rows)] += weight
        return self._probabilities(votes, float(self.weights.sum()))

    def stages(self, coded: Floats) -> Iterator[Floats]:
        """The answers after each round."""
        if self.shares is not None:
            return
        rows = np.ascontiguousarray(coded, dtype=np.float32)
        if self.forest.is_classifier:
            votes = np.zeros((rows.shape[0], self.forest.classes.size))
            for place, tree in enumerate(self.forest.trees):
                votes[np.arange(rows.shape[0]), _chosen(tree, rows)] += self.weights[place]
                yield self._probabilities(votes, float(self.weights[: place + 1].sum()))
            return
        each = self._each(rows)
        order = np.argsort(each, axis=1, kind="stable")
        for rounds in range(1, self.rounds + 1):
            weights = np.where(order < rounds, self.weights[order], 0.0)
            yield _median(each, order, weights, order < rounds)[:, None]

    def _probabilities(self, votes: Floats, total: float) -> Floats:
        """Zhu et al. 2009, equation (15); a vote against is shared among the other classes."""
        k = votes.shape[1]
        out = np.zeros((votes.shape[0], self.forest.k))
        if k == 1:
            out[:, self.forest.classes] = 1.0
            return out
        scores = (votes - (total - votes) / (k - 1)) / total if total > 0 else votes
        if k == 2:
            gap = scores[:, 1] - scores[:, 0]
            out[:, self.forest.classes] = special.expit(np.column_stack([-gap, gap]))
        else:
            out[:, self.forest.classes] = special.softmax(scores / (k - 1), axis=1)
        return out

    def _each(self, rows: NDArray[np.float32]) -> Floats:
        return np.column_stack([tree.predict(rows).ravel() for tree in self.forest.trees])

    def _medians(self, coded: Floats) -> Floats:
        rows = np.ascontiguousarray(coded, dtype=np.float32)
        step, parts = max(1, AT_ONCE // self.rounds), []
        for start in range(0, rows.shape[0], step):
            each = self._each(rows[start : start + step])
            order = np.argsort(each, axis=1, kind="stable")
            parts.append(_median(each, order, self.weights[order], np.ones(order.shape, dtype=bool)))
        return np.concatenate(parts) if parts else np.zeros(0)


def _chosen(tree: object, rows: NDArray[np.float32]) -> NDArray[np.int64]:
    values: Floats = tree.predict(rows)  # type: ignore[attr-defined]
    return np.asarray(values.reshape(rows.shape[0], -1).argmax(axis=1))


def _median(each: Floats, order: NDArray[np.int64], weights: Floats, inside: NDArray[np.bool_]) -> Floats:
    """The least prediction at which the weights reach half of their sum. Trees outside do not count."""
    reached = np.cumsum(weights, axis=1)
    place = ((reached >= 0.5 * reached[:, -1:]) & inside).argmax(axis=1)
    rows = np.arange(each.shape[0])
    return np.asarray(each[rows, order[rows, place]])


def pack(voted: Voted) -> Arrays:
    return forests.pack(voted.forest) | {"voted.weights": voted.weights}


def unpack(arrays: Arrays) -> Voted:
    """ValueError where a node points outside its tree, or weights and trees do not fit."""
    forest, weights = forests.unpack(arrays), arrays["voted.weights"]
    if weights.size != len(forest.trees):
        raise ValueError("weights and trees do not fit")
    return Voted(forest, weights)
