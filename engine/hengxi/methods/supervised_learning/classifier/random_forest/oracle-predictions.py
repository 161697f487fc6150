"""Exports what the forest is and what it said, so that oracle.R can compute every number anew.

Run from engine/ with PYTHONPATH=.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hengxi.methods.supervised_learning._shared import fitting, learning_curve
from hengxi.methods.supervised_learning.classifier._shared import tables
from hengxi.methods.supervised_learning.classifier._shared import task as tasks
from hengxi.prepare import run_on_frame
from hengxi.stats.learning import forests, scoring
from hengxi.stats.learning.scoring import called

PATH = "supervised_learning/classifier/random_forest"
HERE = Path(__file__).parent
IRIS = {"y": "species", "x": ["sepal_length", "sepal_width", "petal_length", "petal_width"]}
CHURN = {"y": "流失", "x": ["月费", "合约", "投诉次数", "年龄", "性别"], "event": "是"}
CASES: dict[str, tuple[str, dict[str, Any], dict[str, str]]] = {
    "iris": ("example.csv", IRIS, {"species": "定类"}),
    "churn": (
        "oracle-churn.csv",
        {**CHURN, "class_weight": "balanced", "min_samples_leaf": 3, "threshold": 0.4, "n_estimators": 30},
        {"流失": "定类", "性别": "定类"},
    ),
    "search": (
        "example.csv",
        {**IRIS, "tune": "tpe", "tune_trials": 6, "cv_folds": 3, "n_estimators": 30, "shap": False},
        {"species": "定类"},
    ),
}


class Heard:
    """What passed by while a report was made."""

    def __init__(self) -> None:
        self.found: Any = None
        self.asked: list[tuple[Any, Any]] = []
        self.scored: list[tuple[Any, Any]] = []


def main() -> None:
    for name, (data, form, measures) in CASES.items():
        heard = listen(HERE / data, form, measures)
        if name == "search":
            export_search(heard)
        else:
            export_answers(name, heard.found)
            export_forest(name, heard.found, form)
            export_curve(name, heard)


def listen(data: Path, form: dict[str, Any], measures: dict[str, str]) -> Heard:
    heard = Heard()
    write, own_score, score = tables.write, fitting.score, scoring.score

    def hear_write(report: Any, method: Any, form: Any, one: Any) -> None:
        heard.found = one
        write(report, method, form, one)

    def hear_rows(fit: Any, task: Any, rows: Any) -> float:
        heard.asked.append((rows, called(fit.answers(task.x[rows]), task.event, task.threshold)))
        return own_score(fit, task, rows)

    def hear_score(y: Any, proba: Any, event: Any, threshold: float) -> Any:
        heard.scored.append((y, called(proba, event, threshold)))
        return score(y, proba, event, threshold)

    places: list[tuple[Any, str, Any, Any]] = [
        (tables, "write", hear_write, write),
        (fitting, "score", hear_rows, own_score),
        (learning_curve, "score", hear_rows, own_score),
        (tasks, "score", hear_score, score),
    ]
    for module, key, ours, _ in places:
        setattr(module, key, ours)
    try:
        run_on_frame(PATH, pd.read_csv(data), form, measures=measures)
    finally:
        for module, key, _, theirs in places:
            setattr(module, key, theirs)
    return heard


def save(name: str, head: list[str], lines: Iterable[Iterable[Any]]) -> None:
    with (HERE / f"oracle-{name}.csv").open("w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(["" if isinstance(v, float) and np.isnan(v) else v for v in line] for line in lines)


def export_answers(name: str, one: Any) -> None:
    """Row, part, fold, true class; probabilities of the model, of the folds, and of the trees that left the row out."""
    task = one.task
    coded = one.fit.coding.apply(task.x[task.train])
    shares, _ = forests.out_of_bag(one.fit.learner.library, coded, task.y[task.train], task.k)
    place = {int(row): i for i, row in enumerate(task.train)}
    kinds = [f"{kind}{c + 1}" for kind in ("p", "cv", "oob") for c in range(task.k)]
    none = [float("nan")] * task.k
    lines = []
    for row in range(task.y.size):
        i = place.get(row)
        part, fold = ("test", "") if i is None else ("train", int(one.crossed.fold[i]) + 1)
        folded, left = (none, none) if i is None else (one.crossed.answers[i].tolist(), shares[i].tolist())
        lines.append([row + 1, part, fold, task.classes[task.y[row]], *one.proba[row].tolist(), *folded, *left])
    save(f"{name}-predictions", ["row", "part", "fold", "y", *kinds], lines)


def export_forest(name: str, one: Any, form: dict[str, Any]) -> None:
    """Nodes of all trees, the coded rows, which trees saw which rows, and how the test rows were shuffled."""
    task, library = one.task, one.fit.learner.library
    lines = []
    for t, tree in enumerate(library.estimators_, 1):
        own = tree.tree_
        for node in range(own.node_count):
            left, right = int(own.children_left[node]), int(own.children_right[node])
            split = [max(left, -1) + 1, max(right, -1) + 1, max(int(own.feature[node]), -1) + 1]
            cut = float(own.threshold[node]) if left >= 0 else float("nan")
            cover = float(own.weighted_n_node_samples[node])
            lines.append([t, node + 1, *split, cut, cover, *own.value[node, 0].tolist()])
    shares = [f"p{c + 1}" for c in range(task.k)]
    save(f"{name}-trees", ["tree", "node", "left", "right", "feature", "cut", "cover", *shares], lines)
    coded = one.fit.coding.apply(task.x).astype(np.float32).astype(float)
    save(f"{name}-coded", [f"x{int(j) + 1}" for j in one.fit.coding.places], coded.tolist())
    seen = np.zeros((task.y.size, len(library.estimators_)), dtype=int)
    seen[task.train] = forests.in_bag(library, task.train.size)
    save(f"{name}-seen", ["trees"], (["".join(map(str, row))] for row in seen.tolist()))
    orders = [
        [j + 1, " ".join(str(i + 1) for i in order)]
        for j in range(len(task.features))
        for order in fitting.orders(int(form.get("seed", 20240101)), j, task.test.size)
    ]
    save(f"{name}-orders", ["variable", "order"], orders)


def export_curve(name: str, heard: Heard) -> None:
    """Each model of the learning curve: its rows and the fold's, with the classes called; the folds' models first."""
    curve, folds = heard.found.curve, heard.found.curve.learned.shape[1]
    words = [(" ".join(str(r + 1) for r in rows), " ".join(str(c + 1) for c in said)) for rows, said in heard.asked]
    # The folds ask once, of the rows they learned from; then the curve twice a model.
    lines = [[curve.sizes[-1], f + 1, "learned", *words[f]] for f in range(folds)]
    rest = iter(words[folds:])
    for f in range(folds):
        for size in curve.sizes[:-1]:
            for kind in ("learned", "crossed"):
                lines.append([size, f + 1, kind, *next(rest)])
    save(f"{name}-curve", ["size", "fold", "kind", "rows", "called"], lines)


def export_search(heard: Heard) -> None:
    """The classes of each fold and what each trial called them, trials as they were made."""
    folds = 3
    ranks = {tuple(trial.params.items()): rank for rank, trial in enumerate(heard.found.trials, 1)}
    made = list(heard.found.trials)
    lines = []
    for start in range(0, len(heard.scored), folds):
        blocks = heard.scored[start : start + folds]
        scores = [tasks.METRICS["f1_macro"](_scored(y, said)) for y, said in blocks]
        trial = next(one for one in made if np.allclose(one.scores, np.array(scores, dtype=float), atol=1e-12))
        made.remove(trial)
        for fold, (y, said) in enumerate(blocks, 1):
            line = (" ".join(str(c + 1) for c in one) for one in (y, said))
            lines.append([ranks[tuple(trial.params.items())], fold, *line])
    save("search-trials", ["rank", "fold", "y", "called"], lines)


def _scored(y: Any, said: Any) -> Any:
    proba = np.eye(int(max(y.max(), said.max())) + 1)[said]
    return scoring.score(y, proba, None, 0.5)


if __name__ == "__main__":
    main()
