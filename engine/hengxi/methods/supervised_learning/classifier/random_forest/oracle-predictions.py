"""Exports what the forest predicted, so that oracle.R can compute every score of it anew. Run from engine/."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hengxi.methods.supervised_learning.classifier._shared import tables
from hengxi.prepare import run_on_frame
from hengxi.stats.learning import forests

PATH = "supervised_learning/classifier/random_forest"
HERE = Path(__file__).parent
CASES: dict[str, tuple[str, dict[str, Any], dict[str, str]]] = {
    "iris": (
        "example.csv",
        {"y": "species", "x": ["sepal_length", "sepal_width", "petal_length", "petal_width"]},
        {"species": "定类"},
    ),
    "churn": (
        "oracle-churn.csv",
        {"y": "流失", "x": ["月费", "合约", "投诉次数", "年龄", "性别"], "event": "是", "class_weight": "balanced",
         "min_samples_leaf": 3, "threshold": 0.4},
        {"流失": "定类", "性别": "定类"},
    ),
}  # fmt: skip


def main() -> None:
    original = tables.write
    for name, (data, form, measures) in CASES.items():
        found: list[Any] = []

        def hear(report: Any, method: Any, form: Any, one: Any, found: list[Any] = found) -> None:
            found.append(one)
            original(report, method, form, one)

        tables.write = hear  # type: ignore[assignment]
        run_on_frame(PATH, pd.read_csv(HERE / data), form, measures=measures)
        tables.write = original
        export(HERE / f"oracle-{name}-predictions.csv", found[0])


def export(file: Path, one: Any) -> None:
    """Row, part, fold, true class; probabilities of the model, of the folds, and of the trees that left the row out."""
    task = one.task
    coded = one.fit.coding.apply(task.x[task.train])
    shares, _ = forests.out_of_bag(one.fit.learner.library, coded, task.y[task.train], task.k)
    place = {int(row): i for i, row in enumerate(task.train)}
    with file.open("w", newline="") as out:
        writer = csv.writer(out)
        kinds = [f"{kind}{c + 1}" for kind in ("p", "cv", "oob") for c in range(task.k)]
        writer.writerow(["row", "part", "fold", "y", *kinds])
        for row in range(task.y.size):
            i = place.get(row)
            none = [""] * task.k
            folded = none if i is None else [repr(float(v)) for v in one.crossed.proba[i]]
            left = none if i is None else ["" if np.isnan(v) else repr(float(v)) for v in shares[i]]
            part, fold = ("test", "") if i is None else ("train", int(one.crossed.fold[i]) + 1)
            own = [repr(float(v)) for v in one.proba[row]]
            writer.writerow([row + 1, part, fold, task.classes[task.y[row]], *own, *folded, *left])


if __name__ == "__main__":
    main()
