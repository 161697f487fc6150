"""Shapley values: which variable moved a row's answer, and by how much. Two kinds:

- of trees (`of_trees`) the value of a coalition is the expectation of the forest along its trees, where a split on an
  absent variable goes both ways in proportion to the training rows (Lundberg et al. 2020, "path dependent"). The
  library's explainer runs in one thread: the same forest gives the same bits;
- of any model (`by_coalitions`) absent variables take the values of background rows, and the value of a coalition is
  the mean answer over them (Lundberg & Lee 2017, "interventional"); all coalitions are asked, none is drawn.

Values of a row add up to its answer less the mean they start from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hengxi.stats.moments import Floats

Codes = NDArray[np.int64]
Answer = Callable[[Floats], Floats]
MOST_ROWS, LEAST_ROWS = 500, 30
LEAVES = 10_000_000
"""Rows × leaves one explanation may visit, about five seconds; the least number of rows is explained all the same."""

MOST_VARIABLES = 12
"""Variables of which all coalitions are asked: 4,096."""
BACKGROUND = 30
QUESTIONS = 1_000_000
"""Rows a model is asked about in one explanation by coalitions."""
AT_ONCE = 100_000
"""Rows of one question."""


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
    return sum(int(tree.tree_.n_leaves) for tree in getattr(fitted, "estimators_", [fitted]))


def of_trees(fitted: Any, coded: Floats, k: int) -> Shapley:
    """Of a forest or a tree of scikit-learn; classes its training rows did not hold have none."""
    import shap

    rows = np.ascontiguousarray(coded, dtype=np.float32)
    explainer = shap.TreeExplainer(fitted, feature_perturbation="tree_path_dependent")
    shares = np.asarray(explainer.shap_values(rows, check_additivity=False), dtype=np.float64)
    is_classifier = hasattr(fitted, "classes_")
    classes = np.asarray(fitted.classes_, dtype=np.int64) if is_classifier else np.zeros(1, dtype=np.int64)
    if shares.ndim == 2:  # one output only
        shares = shares[:, :, None]
    values, base = np.zeros((*shares.shape[:2], k)), np.zeros(k)
    values[:, :, classes] = shares
    base[classes] = np.ravel(explainer.expected_value)
    return Shapley(values, base)


def rows_by_coalitions(variables: int, background: int, rows: int) -> int:
    """How many rows are explained: each asks about every coalition with every background row."""
    return min(rows, MOST_ROWS, max(LEAST_ROWS // 3, QUESTIONS // (int(2**variables) * max(background, 1))))


def by_coalitions(answer: Answer, x: Floats, background: Floats, places: Codes) -> Shapley:
    """`answer`: coded rows → rows × outputs; `places`: the variable of each coded column, variables × columns ≥ 1.

    Gives rows × variables × outputs. The value of a coalition is asked once; each variable's is the mean over the
    coalitions without it, weighted by 1 / (m · C(m − 1, size)).
    """
    m = int(places.max()) + 1
    inside = (np.arange(2**m)[:, None] >> np.arange(m)) & 1 == 1
    sizes = inside.sum(axis=1)
    values: list[Floats] = []
    base = np.asarray(answer(background).mean(axis=0))
    for row in x:
        worth = _coalitions(answer, row, background, inside[:, places])
        phi = np.zeros((m, worth.shape[1]))
        for j in range(m):
            without = np.flatnonzero(~inside[:, j])
            weight = np.array([1 / (m * comb(m - 1, int(size))) for size in sizes[without]])
            phi[j] = weight @ (worth[without | 1 << j] - worth[without])
        values.append(phi)
    return Shapley(np.array(values), base)


def _coalitions(answer: Answer, row: Floats, background: Floats, known: NDArray[np.bool_]) -> Floats:
    """Mean answers: coalitions × outputs. `known`: coalitions × columns taken from the row."""
    step = max(1, AT_ONCE // background.shape[0])
    parts = []
    for start in range(0, known.shape[0], step):
        here = known[start : start + step, None, :]
        mixed = np.where(here, row, background[None, :, :]).reshape(-1, row.size)
        parts.append(answer(mixed).reshape(here.shape[0], background.shape[0], -1).mean(axis=1))
    return np.concatenate(parts)
