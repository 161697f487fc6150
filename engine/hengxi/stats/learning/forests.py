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
    """`classes` are the places of the classes its training rows held; of numbers there is one output."""

    trees: list[Tree]
    classes: Codes
    k: int
    is_classifier: bool = True

    def answers(self, coded: Floats) -> Floats:
        """Mean of the trees' class shares (or values) in the leaf of each row, in the order of the trees."""
        rows = np.ascontiguousarray(coded, dtype=np.float32)
        total = np.zeros((rows.shape[0], len(self.classes)))
        for tree in self.trees:
            total += _leaf_values(tree, rows, self.is_classifier)
        out = np.zeros((rows.shape[0], self.k))
        out[:, self.classes] = total / len(self.trees)
        return out


def _leaf_values(tree: Tree, rows: Any, is_classifier: bool) -> Floats:
    """Rows × classes, or one column of values."""
    values: Floats = tree.predict(rows)
    return _shares(values) if is_classifier else values.reshape(values.shape[0], 1)


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


def forest_of(fitted: Any, k: int) -> Forest:
    """Of a fitted forest, or of a single tree, of scikit-learn."""
    trees = getattr(fitted, "estimators_", [fitted])
    is_classifier = hasattr(fitted, "classes_")
    classes = np.asarray(fitted.classes_, dtype=np.int64) if is_classifier else np.zeros(1, dtype=np.int64)
    return Forest([tree.tree_ for tree in trees], classes, k if is_classifier else 1, is_classifier)


# ---- the rows each tree did not see --------------------------------------------------------------------------------
def left_out(fitted: Any, n: int) -> Iterator[NDArray[np.int64]]:
    """Rows each tree's bootstrap sample missed; the library draws them again (with weights, in proportion to them)."""
    for picked in fitted._get_estimators_indices():
        yield np.flatnonzero(np.bincount(picked, minlength=n) == 0)


def in_bag(fitted: Any, n: int) -> NDArray[np.bool_]:
    """Rows × trees: was the row in the tree's bootstrap sample?"""
    drawn = np.ones((n, len(fitted.estimators_)), dtype=bool)
    for place, missed in enumerate(left_out(fitted, n)):
        drawn[missed, place] = False
    return drawn


def leaves(forest: Forest, coded: Floats) -> Codes:
    """Rows × trees: the leaf each row falls into."""
    rows = np.ascontiguousarray(coded, dtype=np.float32)
    return np.column_stack([tree.apply(rows) for tree in forest.trees]).astype(np.int64)


def out_of_bag(fitted: Any, x: Floats, y: Any, k: int) -> tuple[Floats, Floats]:
    """(rows × outputs, NaN for a row every tree saw; error after each tree, NaN before any row was left out).

    The error is the share of rows called wrong, or the mean squared error.
    """
    rows = np.ascontiguousarray(x, dtype=np.float32)
    n, is_classifier = rows.shape[0], hasattr(fitted, "classes_")
    classes = np.asarray(fitted.classes_, dtype=np.int64) if is_classifier else np.zeros(1, dtype=np.int64)
    total, times = np.zeros((n, classes.size)), np.zeros(n)
    place = np.searchsorted(classes, y) if is_classifier else y
    losses, errors = np.zeros(n), []
    for tree, missed in zip(fitted.estimators_, left_out(fitted, n), strict=True):
        total[missed] += _leaf_values(tree.tree_, rows[missed], is_classifier)
        times[missed] += 1
        if is_classifier:
            losses[missed] = total[missed].argmax(axis=1) != place[missed]
        else:
            losses[missed] = (total[missed, 0] / times[missed] - place[missed]) ** 2
        voted = times > 0
        errors.append(float(losses[voted].mean()) if voted.any() else float("nan"))
    answers = np.full((n, k), np.nan)
    voted = times > 0
    answers[voted] = 0.0
    answers[np.ix_(voted, classes)] = total[voted] / times[voted, None]
    return answers, np.array(errors)


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
        "forest.shape": np.array([forest.k, forest.trees[0].n_features, int(forest.is_classifier)], dtype=np.int64),
    }


def unpack(arrays: Arrays) -> Forest:
    """The forest from its arrays. ValueError where a node points outside its tree: the library does not look."""
    k, features, *kind = (int(size) for size in arrays["forest.shape"])
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
    return Forest(trees, classes, k, is_classifier=kind != [0])


def _check(nodes: NDArray[Any], features: int) -> None:
    inner = nodes["left_child"] != -1
    here = np.flatnonzero(inner)
    for name in CHILDREN:
        # A child stands behind its parent, so no path can turn in a circle.
        if (nodes[name][here] <= here).any() or (nodes[name][here] >= nodes.size).any():
            raise ValueError("a node points outside its tree")
    if (nodes["feature"][inner] < 0).any() or (nodes["feature"][inner] >= features).any():
        raise ValueError("a node asks for a variable there is none of")
