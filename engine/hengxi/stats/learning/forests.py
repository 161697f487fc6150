"""Forests of scikit-learn trees: grown in steps, kept as plain arrays, and what the rows left out say.

Every tree's seed is drawn from the forest's before any tree grows, so a forest is the same however many cores or steps
it took.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.tree._tree import NODE_DTYPE, Tree

from hengxi.contract import Arrays, Progress
from hengxi.stats.moments import Floats

Codes = NDArray[np.int64]
MOST_DRAWN = 50_000
"""Rows one tree learns from at most: its size and its time stay bounded, however long the table."""
FIRST_STEP = 10
STEP_SECONDS = 0.4
CHILDREN = ("left_child", "right_child")
KEPT = ("left_child", "right_child", "feature", "threshold", "missing_go_to_left")
"""Fields of a tree's nodes that a prediction needs; the rest describe how it grew."""


@dataclass
class Forest:
    """`classes` are the places of the classes its training rows held."""

    trees: list[Tree]
    classes: Codes
    k: int

    def probabilities(self, coded: Floats) -> Floats:
        """Mean of the trees' class shares in the leaf of each row, in the order of the trees."""
        rows = np.ascontiguousarray(coded, dtype=np.float32)
        total = np.zeros((rows.shape[0], len(self.classes)))
        for tree in self.trees:
            total += _shares(tree.predict(rows))
        out = np.zeros((rows.shape[0], self.k))
        out[:, self.classes] = total / len(self.trees)
        return out


def _shares(values: Floats) -> Floats:
    shares: Floats = values.reshape(values.shape[0], -1)
    total = shares.sum(axis=1, keepdims=True)
    total[total == 0] = 1.0
    out: Floats = shares / total
    return out


def grow(forest: Any, x: Floats, y: Codes, weight: Floats | None, trees: int, progress: Progress, text: str) -> Any:
    """Fits `forest` (warm started) tree by tree in steps of about 0.4 s; stops with what stands when asked to.

    Equal to one `fit` with all trees: a warm start draws the seeds of the earlier trees first and passes over them.
    """
    rows = np.ascontiguousarray(x, dtype=np.float32)
    step, done = min(FIRST_STEP, trees), 0
    while done < trees:
        began = time.perf_counter()
        forest.set_params(n_estimators=done + step, warm_start=True)
        forest.fit(rows, y, sample_weight=weight)
        took = time.perf_counter() - began
        done += step
        if not progress(done, trees, text):
            break
        step = min(max(1, int(step * STEP_SECONDS / max(took, 1e-3))), trees - done)
    return forest


def forest_of(fitted: RandomForestClassifier, k: int) -> Forest:
    return Forest([tree.tree_ for tree in fitted.estimators_], np.asarray(fitted.classes_, dtype=np.int64), k)


# ---- the rows each tree did not see --------------------------------------------------------------------------------
def left_out(fitted: RandomForestClassifier, n: int) -> Iterator[NDArray[np.int64]]:
    """Rows each tree's bootstrap sample missed; the library draws them again (with weights, in proportion to them)."""
    for picked in fitted._get_estimators_indices():
        yield np.flatnonzero(np.bincount(picked, minlength=n) == 0)


def in_bag(fitted: RandomForestClassifier, n: int) -> NDArray[np.bool_]:
    """Rows × trees: was the row in the tree's bootstrap sample?"""
    drawn = np.ones((n, len(fitted.estimators_)), dtype=bool)
    for place, missed in enumerate(left_out(fitted, n)):
        drawn[missed, place] = False
    return drawn


def leaves(forest: Forest, coded: Floats) -> Codes:
    """Rows × trees: the leaf each row falls into."""
    rows = np.ascontiguousarray(coded, dtype=np.float32)
    return np.column_stack([tree.apply(rows) for tree in forest.trees]).astype(np.int64)


def out_of_bag(fitted: RandomForestClassifier, x: Floats, y: Codes, k: int) -> tuple[Floats, Floats]:
    """(rows × classes shares, NaN for a row every tree saw; error after each tree, NaN before any row was left out)."""
    rows = np.ascontiguousarray(x, dtype=np.float32)
    n, classes = rows.shape[0], np.asarray(fitted.classes_, dtype=np.int64)
    total, times = np.zeros((n, classes.size)), np.zeros(n)
    place = np.searchsorted(classes, y)
    wrong, errors = np.zeros(n, dtype=bool), []
    trees = [tree for tree in fitted.estimators_ if isinstance(tree, DecisionTreeClassifier)]
    for tree, missed in zip(trees, left_out(fitted, n), strict=True):
        total[missed] += _shares(tree.tree_.predict(rows[missed]))
        times[missed] += 1
        wrong[missed] = total[missed].argmax(axis=1) != place[missed]
        voted = times > 0
        errors.append(float(wrong[voted].mean()) if voted.any() else float("nan"))
    shares = np.full((n, k), np.nan)
    voted = times > 0
    shares[voted] = 0.0
    shares[np.ix_(voted, classes)] = total[voted] / times[voted, None]
    return shares, np.array(errors)


# ---- stored --------------------------------------------------------------------------------------------------------
def pack(forest: Forest) -> Arrays:
    """All trees one after the other; `forest.starts` are their first nodes."""
    states = [tree.__getstate__() for tree in forest.trees]
    counts = [state["node_count"] for state in states]
    nodes = np.concatenate([state["nodes"] for state in states])
    arrays: Arrays = {f"forest.{name}": np.ascontiguousarray(nodes[name]) for name in KEPT}
    return arrays | {
        "forest.values": np.concatenate([state["values"].reshape(-1, len(forest.classes)) for state in states]),
        "forest.starts": np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        "forest.depths": np.array([state["max_depth"] for state in states], dtype=np.int64),
        "forest.classes": forest.classes,
        "forest.shape": np.array([forest.k, forest.trees[0].n_features], dtype=np.int64),
    }


def unpack(arrays: Arrays) -> Forest:
    """The forest from its arrays. ValueError where a node points outside its tree: the library does not look."""
    k, features = (int(one) for one in arrays["forest.shape"])
    classes, starts = arrays["forest.classes"], arrays["forest.starts"]
    nodes = np.zeros(int(starts[-1]), dtype=NODE_DTYPE)
    for name in KEPT:
        nodes[name] = arrays[f"forest.{name}"]
    values = arrays["forest.values"]
    trees = []
    for low, high, depth in zip(starts[:-1], starts[1:], arrays["forest.depths"], strict=True):
        own = nodes[low:high].copy()
        _check(own, features)
        tree = Tree(features, np.array([classes.size], dtype=np.intp), 1)
        state = {"max_depth": int(depth), "node_count": own.size, "nodes": own}
        tree.__setstate__(state | {"values": np.ascontiguousarray(values[low:high, None, :], dtype=np.float64)})
        trees.append(tree)
    return Forest(trees, classes, k)


def _check(nodes: NDArray[Any], features: int) -> None:
    inner = nodes["left_child"] != -1
    here = np.flatnonzero(inner)
    for name in CHILDREN:
        # A child stands behind its parent, so no path can turn in a circle.
        if (nodes[name][here] <= here).any() or (nodes[name][here] >= nodes.size).any():
            raise ValueError("a node points outside its tree")
    if (nodes["feature"][inner] < 0).any() or (nodes["feature"][inner] >= features).any():
        raise ValueError("a node asks for a variable there is none of")
