"""Writes what oracle.R reads: each forest's nodes, rows as the trees see them. Run from engine/, PYTHONPATH=."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import sklearn.ensemble

from hengxi.prepare import run_on_frame

PATH = "unsupervised_learning/isolation_forest"
HERE = Path(__file__).parent
CASES: dict[str, tuple[str, dict[str, Any], dict[str, str]]] = {
    "ring": ("example.csv", {"x": ["x1", "x2"], "n_estimators": 20}, {"x1": "定量", "x2": "定量"}),
    "shop": (
        "oracle-shop.csv",
        {"x": ["金额", "件数", "渠道"], "n_estimators": 12, "max_samples": 30, "contamination": 0.3, "missing": "mean"},
        {"金额": "定量", "件数": "定量", "渠道": "定类"},
    ),
}

Library = sklearn.ensemble.IsolationForest
kept: list[Any] = []


class Listening(Library):  # type: ignore[misc, valid-type]
    """Keeps what it was fitted to."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        kept.append((self, X))
        return super().fit(X, y, sample_weight)


if __name__ == "__main__":
    for name, (data, form, measures) in CASES.items():
        sklearn.ensemble.IsolationForest = Listening
        run_on_frame(PATH, pd.read_csv(HERE / data), form, measures=measures)
        sklearn.ensemble.IsolationForest = Library
        forest, z = kept[-1]
        with (HERE / f"oracle-{name}-rows.csv").open("w", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow([f"z{j + 1}" for j in range(z.shape[1])])
            writer.writerows([repr(float(v)) for v in row] for row in z.astype(np.float32))
        with (HERE / f"oracle-{name}-trees.csv").open("w", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(["tree", "node", "left", "right", "feature", "cut", "n"])
            for t, (tree, features) in enumerate(zip(forest.estimators_, forest.estimators_features_, strict=True)):
                own = tree.tree_
                for i in range(own.node_count):
                    leaf = own.children_left[i] < 0
                    cut = "" if leaf else repr(float(own.threshold[i]))
                    feature = 0 if leaf else int(features[own.feature[i]]) + 1
                    kids = [max(int(own.children_left[i]), -1) + 1, max(int(own.children_right[i]), -1) + 1]
                    writer.writerow([t + 1, i + 1, *kids, feature, cut, int(own.n_node_samples[i])])
