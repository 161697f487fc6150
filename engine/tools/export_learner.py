"""What a learner did, as files from which its oracle.R computes every number anew.

A learner's own randomness cannot be repeated by another program. So a method's `oracle-export.py` runs it on its cases
and writes, beside itself, what R cannot know: how rows were split, coded and shuffled, and what each model answered.
For a case called NAME these are

- oracle-NAME-rows.csv: row, part, fold, y, answers of the model (p1 …), of the fold that left the row out (cv1 …);
- oracle-NAME-coded.csv: the coded matrix, all rows (the columns of one variable carry its number: x1, x1.1 …);
- oracle-NAME-orders.csv: how the test rows were shuffled for the importance of each variable;
- oracle-NAME-curve.csv: rows and answers of each model of the learning curve, those of the folds first;
- oracle-NAME-background.csv: the training rows that SHAP by coalitions takes for absent variables, and those explained.

The model itself is the method's own to write; `../_shared/learner.R` reads all of this.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hengxi import registry
from hengxi.methods.supervised_learning._shared import boosting, fitting, learning_curve
from hengxi.prepare import run_on_frame
from hengxi.stats.learning import forests
from hengxi.stats.learning.features import Coding
from hengxi.stats.learning.scoring import called


class Training:
    """What passed by while a report was made: `found` of the method, and each question put to a model."""

    def __init__(self) -> None:
        self.found: Any = None
        self.form: Any = None
        self.asked: list[tuple[Any, Any]] = []


def listen(path: str, data: Path, form: dict[str, Any], measures: dict[str, str]) -> Training:
    """Run the method on a file and keep what its models were asked and answered."""
    training = Training()
    method: Any = registry.load(path)
    write, score = method.write, fitting.score

    def hear_write(report: Any, form: Any, found: Any) -> None:
        training.found, training.form = found, form
        write(report, form, found)

    def hear_rows(fit: Any, task: Any, rows: Any) -> float:
        training.asked.append((rows, outcome(task, fit.answers(task.x[rows]))))
        return score(fit, task, rows)

    method.write = hear_write
    _score_by(hear_rows)
    try:
        run_on_frame(path, pd.read_csv(data), form, measures=measures)
    finally:
        _score_by(score)
        del method.write
    return training


def _score_by(score: Any) -> None:
    for module in (fitting, learning_curve):
        vars(module)["score"] = score


def outcome(task: Any, answers: Any) -> Any:
    """Numbers of the classes called, from 1, or the values predicted."""
    return called(answers, task.event, task.threshold) + 1 if hasattr(task, "threshold") else answers[:, 0]


def save(file: Path, head: list[str], lines: Iterable[Iterable[Any]]) -> None:
    """A csv; a NaN is an empty cell."""
    with file.open("w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(["" if isinstance(v, float) and np.isnan(v) else v for v in line] for line in lines)


def export(folder: Path, path: str, name: str, data: str, form: dict[str, Any], measures: dict[str, str]) -> Any:
    """Writes the files of one case; gives what training found and the form, for the method's own files."""
    training = listen(path, folder / data, form, measures)
    found = training.found
    _rows(folder / f"oracle-{name}-rows.csv", found)
    coding = found.fit.coding
    head = [f"x{int(j) + 1}" for j in coding.places]
    save(folder / f"oracle-{name}-coded.csv", head, coding.apply(found.task.x).tolist())
    _orders(folder / f"oracle-{name}-orders.csv", found.task, int(form.get("seed", 20240101)))
    if found.curve is not None:
        _curve(folder / f"oracle-{name}-curve.csv", training)
    explanation = found.explanation
    if explanation is not None:
        parts = [("explained", explanation.rows), ("background", explanation.background)]
        lines = [(part, row + 1) for part, rows in parts if rows is not None for row in rows.tolist()]
        save(folder / f"oracle-{name}-background.csv", ["part", "row"], lines)
    return found, training.form


def _rows(file: Path, found: Any) -> None:
    task, crossed = found.task, found.crossed
    place = {int(row): i for i, row in enumerate(task.train)}
    none = [float("nan")] * task.k
    y = [task.classes[i] for i in task.y] if hasattr(task, "classes") else task.y.tolist()
    lines = []
    for row in range(task.y.size):
        i = place.get(row)
        fold, folded = "", none
        if i is not None and crossed is not None:
            fold, folded = str(int(crossed.fold[i]) + 1), crossed.answers[i].tolist()
        part = "test" if i is None else "train"
        lines.append([row + 1, part, fold, y[row], *found.answers[row].tolist(), *folded])
    kinds = [f"{kind}{c + 1}" for kind in ("p", "cv") for c in range(task.k)]
    save(file, ["row", "part", "fold", "y", *kinds], lines)


def _orders(file: Path, task: Any, seed: int) -> None:
    lines = [
        [j + 1, " ".join(str(i + 1) for i in order)]
        for j in range(len(task.features))
        for order in fitting.orders(seed, j, task.test.size)
    ]
    save(file, ["variable", "order"], lines)


def _curve(file: Path, training: Training) -> None:
    """The folds ask once, of the rows they learned from; then the curve twice a model."""
    curve = training.found.curve
    folds = curve.learned.shape[1]
    words = [(_words(rows + 1), _words(said)) for rows, said in training.asked]
    lines = [[curve.sizes[-1], f + 1, "learned", *words[f]] for f in range(folds)]
    rest = iter(words[folds:])
    for f in range(folds):
        for size in curve.sizes[:-1]:
            for kind in ("learned", "crossed"):
                lines.append([size, f + 1, kind, *next(rest)])
    save(file, ["size", "fold", "kind", "rows", "answers"], lines)


def _words(values: Any) -> str:
    return " ".join(repr(value) for value in values.tolist())


def export_trees(file: Path, estimators: list[Any], numbers: list[Any] | None = None) -> None:
    """Nodes of scikit-learn's trees, children from 1 (0: a leaf), `p1` … the answer of the node.

    `numbers` names the trees, 1, 2, … otherwise.
    """
    lines = []
    for place, tree in enumerate(estimators):
        own = tree.tree_
        number = place + 1 if numbers is None else numbers[place]
        for node in range(own.node_count):
            left, right = int(own.children_left[node]), int(own.children_right[node])
            split = [max(left, -1) + 1, max(right, -1) + 1, max(int(own.feature[node]), -1) + 1]
            cut = float(own.threshold[node]) if left >= 0 else float("nan")
            cover, impurity = float(own.weighted_n_node_samples[node]), float(own.impurity[node])
            lines.append([number, node + 1, *split, cut, cover, impurity, *own.value[node].ravel().tolist()])
    outputs = estimators[0].tree_.value.reshape(estimators[0].tree_.node_count, -1).shape[1]
    head = ["tree", "node", "left", "right", "feature", "cut", "cover", "impurity"]
    save(file, [*head, *(f"p{c + 1}" for c in range(outputs))], lines)


def fold_models(path: str, found: Any, form: Any, **settings: Any) -> list[Any]:
    """The learner of each fold, with other settings than the report's."""
    method: Any = registry.load(path)
    task, models = found.task, []
    for inner, _ in fitting.fold_rows(task, form):
        y = task.y[inner]
        coding, coded = Coding.learn(task.x[inner], task.sizes, form.encode, form.missing, y, form.seed)
        rows = fitting.Rows(coded, y, task.weights(inner), task.k, coding.places, coding.kinds)
        models.append(method.learn(found.params | settings, rows, form.seed, lambda *_: True, ""))
    return models


def export_seen(file: Path, found: Any) -> None:
    """Rows × trees as digits: was the row in the tree's sample? Test rows never were."""
    library = found.fit.learner.library
    seen = np.zeros((found.task.y.size, len(library.estimators_)), dtype=int)
    seen[found.task.train] = forests.in_bag(library, found.task.train.size)
    save(file, ["trees"], (["".join(map(str, row))] for row in seen.tolist()))


def export_rounds(file: Path, path: str, found: Any, form: Any) -> Any:
    """Training rows of a boosted learner, from 1: held out when the losses were watched by round? and their weights.

    Gives what was watched; the trees of that model are the method's own to write.
    """
    method: Any = registry.load(path)
    rows = boosting.training_rows(method, form, found)
    watched = found.fit.learner.watched or method.watch(found.params, rows, form.seed, lambda *_: True, "")
    held = np.isin(np.arange(rows.y.size), watched.outer).astype(int)
    weight = np.ones(rows.y.size) if rows.weight is None else rows.weight
    save(file, ["row", "held", "w"], zip((found.task.train + 1).tolist(), held.tolist(), weight.tolist(), strict=True))
    return watched


def boosted_again(path: str, found: Any, form: Any, **params: Any) -> Any:
    """A boosted learner on all training rows, with other settings than the report's."""
    method: Any = registry.load(path)
    rows = boosting.training_rows(method, form, found)
    return method.boost(found.params | params, rows, form.seed, lambda *_: True, "")


def export_layers(folder: Path, name: str, network: Any) -> None:
    """Weights of a network, an entry a line (input 0: the shift of the unit), and the course of its training."""
    lines: list[list[Any]] = []
    for layer, (weights, shifts) in enumerate(zip(network.weights, network.shifts, strict=True), 1):
        for i, row in enumerate([shifts, *weights]):
            lines += [[layer, i, unit + 1, float(value)] for unit, value in enumerate(row)]
    save(folder / f"oracle-{name}-layers.csv", ["layer", "input", "unit", "value"], lines)
    save(folder / f"oracle-{name}-course.csv", ["rounds", "loss"], [[network.rounds, network.loss]])


def export_comparison(folder: Path, path: str, name: str, data: str, form: dict[str, Any], measures: Any) -> None:
    """The answers of every learner compared (fold 0: of the test rows by its model of all training rows), and how the
    test rows were shuffled for the importance of the model chosen."""
    method: Any = registry.load(path)
    write, raw, held = method.write_chosen, vars(method)["write_chosen"], {}

    def hear(report: Any, form: Any, found: Any, compared: Any) -> None:
        held.update(found=found, compared=compared, form=form)
        write(report, form, found, compared)

    method.write_chosen = hear
    try:
        run_on_frame(path, pd.read_csv(folder / data), form, measures=measures)
    finally:
        method.write_chosen = raw
    found, compared = held["found"], held["compared"]
    fold = np.zeros(found.task.y.size, dtype=int)
    for number, (_, outer) in enumerate(fitting.fold_rows(found.task, held["form"]), 1):
        fold[outer] = number
    _rows(folder / f"oracle-{name}-rows.csv", found)
    coding = found.fit.coding
    head = [f"x{int(j) + 1}" for j in coding.places]
    save(folder / f"oracle-{name}-coded.csv", head, coding.apply(found.task.x).tolist())
    _orders(folder / f"oracle-{name}-orders.csv", found.task, int(form.get("seed", 20240101)))
    lines = []
    for one in compared.done:
        lines += [[one.title, one.rank, i + 1, fold[i], *row] for i, row in enumerate(one.answers.tolist())]
    head = ["model", "rank", "row", "fold", *(f"p{c + 1}" for c in range(found.task.k))]
    save(folder / f"oracle-{name}-answers.csv", head, lines)
