"""Sums of trees: what boosting learned, whatever library grew it, as scikit-learn's trees and a few numbers.

A margin is a start plus the leaf of every tree times the tree's factor; a link makes answers of margins. Trees compare
in single precision (`x <= threshold`, a gap goes where the node says); margins are summed in double precision.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special
from sklearn.tree._tree import NODE_DTYPE, Tree

from hengxi.contract import Arrays
from hengxi.stats.learning import forests
from hengxi.stats.learning.shapley import Shapley
from hengxi.stats.moments import Floats

Codes = NDArray[np.int64]
LINKS = ("identity", "log", "logistic", "softmax", "certain")
"""`logistic`: one margin, the log odds of the second class; `certain`: only one class was seen, no margin."""


@dataclass
class Boosted:
    """`factors` and `columns` of each tree: what its leaves are multiplied by, and the margin they add to.

    `classes`: the places of the classes the training rows held; of numbers there is one output. `lines`: boosted linear
    models instead of trees, rounds × (columns and the constant) × margins; only the last round answers, a gap is 0.
    `centre`: the training means of the columns, of lines alone.
    """

    trees: list[Tree]
    factors: Floats
    columns: Codes
    base: Floats
    link: str
    classes: Codes
    k: int
    lines: Floats | None = None
    centre: Floats | None = None

    @property
    def rounds(self) -> int:
        if self.lines is not None:
            return int(self.lines.shape[0])
        return len(self.trees) // max(self.base.size, 1)

    def answers(self, coded: Floats) -> Floats:
        """Rows × classes, or one column of values."""
        return self._linked(self.margins(coded))

    def margins(self, coded: Floats) -> Floats:
        """Rows × margins."""
        if self.lines is not None:
            return np.asarray(self.base + _with_constant(coded) @ self.lines[-1])
        rows = np.ascontiguousarray(coded, dtype=np.float32)
        total = np.tile(self.base, (rows.shape[0], 1))
        for tree, factor, column in zip(self.trees, self.factors, self.columns, strict=True):
            total[:, column] += factor * tree.predict(rows).ravel()
        return total

    def stages(self, coded: Floats) -> Iterator[Floats]:
        """The answers after each round."""
        if self.lines is not None:
            for line in self.lines:
                yield self._linked(self.base + _with_constant(coded) @ line)
            return
        rows = np.ascontiguousarray(coded, dtype=np.float32)
        total = np.tile(self.base, (rows.shape[0], 1))
        for place, tree in enumerate(self.trees):
            total[:, self.columns[place]] += self.factors[place] * tree.predict(rows).ravel()
            if (place + 1) % self.base.size == 0:
                yield self._linked(total)

    def scores(self, coded: Floats) -> Floats:
        """Rows × outputs on the scale the margins are summed on; of two classes the first has the second's, negative.

        Classes the training rows did not hold have 0.
        """
        return self.spread(self.margins(coded))

    def spread(self, margins: Floats) -> Floats:
        """… × margins to … × outputs."""
        out = np.zeros((*margins.shape[:-1], self.k))
        if self.link == "logistic":
            out[..., self.classes] = np.concatenate([-margins, margins], axis=-1)
        elif self.link != "certain":
            out[..., self.classes] = margins
        return out

    def _linked(self, margins: Floats) -> Floats:
        if self.link == "identity":
            return margins.copy()
        if self.link == "log":
            return np.asarray(np.exp(margins))
        out = np.zeros((margins.shape[0], self.k))
        if self.link == "certain":
            out[:, self.classes] = 1.0
        elif self.link == "logistic":
            # Both by the same function: 1 − p would lose the digits of a small probability.
            out[:, self.classes] = special.expit(np.column_stack([-margins[:, 0], margins[:, 0]]))
        else:
            out[:, self.classes] = special.softmax(margins, axis=1)
        return out


def _with_constant(coded: Floats) -> Floats:
    """As the library: single precision, a gap is 0."""
    known = np.nan_to_num(coded.astype(np.float32).astype(np.float64), nan=0.0)
    return np.column_stack([known, np.ones(known.shape[0])])


def certain(place: int, k: int) -> Boosted:
    """Of training rows that hold one class alone."""
    nothing = np.zeros(0)
    return Boosted([], nothing, nothing.astype(np.int64), nothing, "certain", np.array([place], dtype=np.int64), k)


def tree_of(nodes: NDArray[Any], values: Floats, features: int, depth: int) -> Tree:
    """A tree of scikit-learn from its nodes; `values` are those of the leaves, one a node."""
    tree = Tree(features, np.array([1], dtype=np.intp), 1)
    shaped = np.ascontiguousarray(values, dtype=np.float64).reshape(-1, 1, 1)
    tree.__setstate__({"max_depth": depth, "node_count": nodes.size, "nodes": nodes, "values": shaped})
    return tree


def nodes_of(
    left: Codes, right: Codes, feature: Codes, threshold: Floats, gap_left: NDArray[Any], cover: Floats
) -> NDArray[Any]:
    """Nodes of one tree; children −1 at a leaf; `cover`: how much of the training rows went through."""
    nodes = np.zeros(left.size, dtype=NODE_DTYPE)
    nodes["left_child"], nodes["right_child"] = left, right
    nodes["feature"], nodes["threshold"] = np.where(left < 0, -2, feature), np.where(left < 0, -2.0, threshold)
    nodes["missing_go_to_left"] = gap_left
    nodes["n_node_samples"], nodes["weighted_n_node_samples"] = 1, cover
    return nodes


def summed_cover(left: Codes, right: Codes, cover: Floats) -> Floats:
    """Covers of the leaves added up: in single precision those of two children do not make their parent's."""
    out = cover.copy()
    for place in np.flatnonzero(left >= 0)[::-1]:
        out[place] = out[left[place]] + out[right[place]]
    return out


def depth_of(left: Codes, right: Codes) -> int:
    """Of a tree whose children stand behind their parents."""
    depths = np.zeros(left.size, dtype=np.int64)
    for place in np.flatnonzero(left >= 0):
        depths[[left[place], right[place]]] = depths[place] + 1
    return int(depths.max())


# ---- explained -----------------------------------------------------------------------------------------------------
def leaves(boosted: Boosted) -> int:
    return sum(int(tree.n_leaves) for tree in boosted.trees)


def shap(boosted: Boosted, coded: Floats) -> Shapley:
    """TreeSHAP on the scale of `scores`, exact: splits on absent variables go both ways by the training rows. Of lines
    the product of slope and distance from the training mean."""
    found, start = np.zeros((*coded.shape, boosted.base.size)), boosted.base.copy()
    if boosted.lines is not None and boosted.centre is not None:
        line = boosted.lines[-1]
        found = (_with_constant(coded)[:, :-1] - boosted.centre)[:, :, None] * line[None, :-1, :]
        start = boosted.base + np.append(boosted.centre, 1.0) @ line
    for column in range(boosted.base.size):
        mine = np.flatnonzero(boosted.columns == column)
        if mine.size:
            own, mean = _path_dependent([boosted.trees[i] for i in mine], boosted.factors[mine], coded)
            found[:, :, column] = own
            start[column] += mean
    return Shapley(boosted.spread(found), boosted.spread(start))


def _path_dependent(trees: list[Tree], factors: Floats, coded: Floats) -> tuple[Floats, float]:
    """Rows × columns, and the mean they start from. The library takes trees as plain dictionaries."""
    import shap as library

    rows = coded.astype(np.float32).astype(np.float64)
    parts = [
        {
            "children_left": tree.children_left.astype(np.int32),
            "children_right": tree.children_right.astype(np.int32),
            "children_default": np.where(tree.missing_go_to_left, tree.children_left, tree.children_right),
            "features": tree.feature.astype(np.int32),
            "thresholds": tree.threshold,
            "values": factor * tree.value.reshape(-1, 1),
            "node_sample_weight": tree.weighted_n_node_samples,
        }
        for tree, factor in zip(trees, factors, strict=True)
    ]
    model = {"trees": parts, "internal_dtype": np.float64, "input_dtype": np.float64, "tree_output": "raw_value"}
    explainer = library.TreeExplainer(model, feature_perturbation="tree_path_dependent")
    found = np.asarray(explainer.shap_values(rows, check_additivity=False), dtype=np.float64)
    return found.reshape(coded.shape), float(np.ravel(explainer.expected_value)[0])


# ---- stored --------------------------------------------------------------------------------------------------------
def pack(boosted: Boosted) -> Arrays:
    arrays: Arrays = {
        "boosted.factors": boosted.factors,
        "boosted.columns": boosted.columns,
        "boosted.base": boosted.base,
        "boosted.link": np.array(boosted.link),
        "boosted.classes": boosted.classes,
    }
    if boosted.lines is not None:
        arrays["boosted.lines"] = boosted.lines[-1:]
    if boosted.trees:
        arrays |= forests.pack(forests.Forest(boosted.trees, np.zeros(1, dtype=np.int64), 1, is_classifier=False))
    return arrays


def unpack(arrays: Arrays, k: int) -> Boosted:
    """ValueError where a node points outside its tree, or a tree to a margin there is none of."""
    trees = forests.unpack(arrays).trees if "forest.starts" in arrays else []
    base, columns, link = arrays["boosted.base"], arrays["boosted.columns"], str(arrays["boosted.link"])
    sizes = {arrays["boosted.factors"].size, columns.size, len(trees)}
    if link not in LINKS or len(sizes) > 1 or (columns < 0).any() or (columns >= base.size).any():
        raise ValueError("the trees and their margins do not fit")
    lines = arrays.get("boosted.lines")
    return Boosted(trees, arrays["boosted.factors"], columns, base, link, arrays["boosted.classes"], max(k, 1), lines)


# ---- losses by round -----------------------------------------------------------------------------------------------
LOSSES = {
    "log_loss": "对数损失", "squared": "RMSE", "absolute": "MAE", "quantile": "分位数损失", "poisson": "泊松偏差",
    "gamma": "Gamma 偏差", "error": "错误率",
}  # fmt: skip
LEAST = 1e-15
"""Probabilities below it are taken as this when their logarithm is."""


def loss(kind: str, y: NDArray[Any], answers: Floats, weight: Floats | None, alpha: float = 0.5) -> float:
    """The mean loss of answers (see `LOSSES`), weighted by rows; `alpha`: the quantile that is predicted.

    Of the squared loss the root, so that it has the unit of `y`.
    """
    if kind == "log_loss":
        each = -np.log(np.maximum(answers[np.arange(y.size), y], LEAST))
        return float(np.average(each, weights=weight))
    if kind == "error":
        return float(np.average(answers.argmax(axis=1) != y, weights=weight))
    a = answers[:, 0]
    if kind == "squared":
        return float(np.sqrt(np.average((y - a) ** 2, weights=weight)))
    if kind == "absolute":
        return float(np.average(np.abs(y - a), weights=weight))
    if kind == "quantile":
        return float(np.average(np.where(y >= a, alpha * (y - a), (1 - alpha) * (a - y)), weights=weight))
    if kind == "poisson":
        return float(np.average(2 * (special.xlogy(y, y / a) - y + a), weights=weight))
    return float(np.average(2 * ((y - a) / a - np.log(y / a)), weights=weight))


def best_round(losses: Floats, patience: int) -> tuple[int, int]:
    """(the round with the least loss, the last round that was looked at): with patience, rounds end after so many
    without a lower loss."""
    best = 0
    for place in range(1, losses.size):
        if losses[place] < losses[best]:
            best = place
        elif patience and place - best >= patience:
            return best + 1, place + 1
    return best + 1, losses.size
