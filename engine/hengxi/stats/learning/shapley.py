"""Shapley values of trees' class shares: which variable moved a row's probability, and by how much.

The value of a coalition is the expectation of the forest along its trees, where a split on an absent variable goes both
ways in proportion to the training rows (Lundberg et al. 2020, "path dependent"). Values of a row add up to its
probability less the forest's mean. The library's explainer runs in one thread: the same forest gives the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hengxi.stats.moments import Floats

Codes = NDArray[np.int64]
MOST_ROWS, LEAST_ROWS = 500, 30
LEAVES = 10_000_000
"""Rows × leaves one explanation may visit, about five seconds; the least number of rows is explained all the same."""


@dataclass
class Shapley:
    """`values`: rows × coded columns × classes; `base`: the mean the values of each class start from."""

    values: Floats
    base: Floats

    def summed(self, places: Codes, size: int) -> Shapley:
        """By variable: the values of the columns one variable was coded into add up."""
        out = np.zeros((self.values.shape[0], size, self.values.shape[2]))
        for column, place in enumerate(places):
            out[:, place] += self.values[:, column]
        return Shapley(out, self.base)

    def error(self, proba: Floats) -> float:
        """The largest distance between base + values and the probabilities they explain."""
        return float(np.abs(self.base + self.values.sum(axis=1) - proba).max())


def rows_to_explain(leaves: int, rows: int) -> int:
    """How many rows are explained: the work grows with the leaves of all trees."""
    return min(rows, MOST_ROWS, max(LEAST_ROWS, LEAVES // max(leaves, 1)))


def leaves_of(fitted: Any) -> int:
    return sum(int(tree.tree_.n_leaves) for tree in fitted.estimators_)


def of_trees(fitted: Any, coded: Floats, k: int) -> Shapley:
    """Of a forest of scikit-learn; classes its training rows did not hold have none."""
    import shap

    rows = np.ascontiguousarray(coded, dtype=np.float32)
    explainer = shap.TreeExplainer(fitted, feature_perturbation="tree_path_dependent")
    shares = np.asarray(explainer.shap_values(rows, check_additivity=False), dtype=np.float64)
    classes = np.asarray(fitted.classes_, dtype=np.int64)
    if shares.ndim == 2:  # one class only
        shares = shares[:, :, None]
    values, base = np.zeros((*shares.shape[:2], k)), np.zeros(k)
    values[:, :, classes] = shares
    base[classes] = np.ravel(explainer.expected_value)
    return Shapley(values, base)
