"""Training as every learner does it: coding and model learned together from the training rows of each split."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hengxi.contract import Progress
from hengxi.methods.supervised_learning._shared.task import Codes, Task
from hengxi.stats.learning.features import Coding
from hengxi.stats.learning.splits import folds
from hengxi.stats.moments import Floats

REPEATS = 10
MOST_CROSSED = 50_000
"""Training rows up to which models are trained again and again: beyond, the test rows alone tell the score well."""
MOST_SEARCHED = 10_000
"""Training rows a search tries its settings on, where there are more than `MOST_CROSSED`."""
MOST_SHUFFLED = 10_000
"""Test rows whose variables are shuffled; ten shuffles of each variable ask the model that often."""


class Watch:
    """The progress of a run in several stages; once told to stop, everything optional is left out."""

    def __init__(self, progress: Progress, stages: float) -> None:
        self._progress, self._of, self._done = progress, stages, 0.0
        self.stopped = False

    def stage(self, text: str, size: float = 1.0) -> Progress:
        """The progress function of the next stage, which takes `size` of the whole."""
        start = self._done
        self._done += size

        def tell(done: float, of: float, text: str = text, best: float | None = None) -> bool:
            if not self.stopped:
                at = start + size * min(done / of, 1.0) if of else start
                self.stopped = not self._progress(at, self._of, text, best)
            return not self.stopped

        return tell


@dataclass
class Fit:
    """A coding and a model learned from the same rows. `learner` is what the method's own `learn` gave."""

    coding: Coding
    learner: Any
    predict: Callable[[Any, Floats], Floats]

    def answers(self, x: Floats) -> Floats:
        return self.predict(self.learner, self.coding.apply(x))


@dataclass(frozen=True)
class Rows:
    """Coded rows with their outcomes; of classes there are `k`, not all need occur.

    `places`: the variable of each column; `kinds`: levels of each variable coded by level, 0 of one that is a number.
    """

    x: Floats
    y: Any
    weight: Floats | None
    k: int
    places: Codes
    kinds: Codes

    def part(self, most: int, seed: int) -> Rows:
        """So many of the rows, drawn by the seed."""
        some = np.sort(np.random.default_rng([seed, 6]).choice(self.y.size, most, replace=False))
        weight = None if self.weight is None else self.weight[some]
        return Rows(self.x[some], self.y[some], weight, self.k, self.places, self.kinds)


@dataclass
class Recipe:
    """How one method trains: its settings, and its own two functions."""

    params: dict[str, Any]
    learn: Callable[..., Any]
    predict: Callable[[Any, Floats], Floats]
    encode: str
    missing: str
    seed: int

    def fit(self, task: Task, rows: Codes, progress: Progress, text: str, params: dict[str, Any] | None = None) -> Fit:
        y = task.y[rows]
        coding, coded = Coding.learn(task.x[rows], task.sizes, self.encode, self.missing, y, self.seed)
        weight = task.weights(rows)
        coded_rows = Rows(coded, y, weight, task.k, coding.places, coding.kinds)
        learner = self.learn(params or self.params, coded_rows, self.seed, progress, text)
        return Fit(coding, learner, self.predict)


@dataclass
class Crossed:
    """Answers to every training row from the model that did not see it; `learned`: the score on its own rows."""

    answers: Floats
    fold: Codes
    learned: list[float] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        return bool((self.fold >= 0).all())


def fold_rows(task: Task, form: Any) -> Iterator[tuple[Codes, Codes]]:
    """Folds of the training rows, as places in the rows used."""
    strata = None if task.strata is None else task.strata[task.train]
    groups = None if task.groups is None else task.groups[task.train]
    for inner, outer in folds(task.train.size, form.cv_folds, form.shuffle, strata, groups, form.seed):
        yield task.train[inner], task.train[outer]


def is_long(task: Task) -> bool:
    """Too many training rows to train a model for every fold."""
    return bool(task.train.size > MOST_CROSSED)


def for_search(task: Task, seed: int) -> Task:
    """Settings are tried on a part of many training rows, drawn by the seed."""
    if not is_long(task):
        return task
    part = np.random.default_rng([seed, 5]).choice(task.train, MOST_SEARCHED, replace=False)
    return replace(task, train=np.sort(part))


def cross(task: Task, form: Any, recipe: Recipe, watch: Watch) -> Crossed:
    """Once told to stop, folds that were not finished are left out."""
    answers = np.full((task.y.size, task.k), np.nan)
    fold = np.full(task.y.size, -1)
    learned = []
    for number, (inner, outer) in enumerate(fold_rows(task, form)):
        tell = watch.stage(f"交叉验证：第 {number + 1}/{form.cv_folds} 折")
        fit = recipe.fit(task, inner, tell, f"交叉验证第 {number + 1}/{form.cv_folds} 折")
        if watch.stopped:
            break
        answers[outer], fold[outer] = fit.answers(task.x[outer]), number
        learned.append(score(fit, task, inner))
    return Crossed(answers[task.train], fold[task.train], learned)


def score(fit: Fit, task: Task, rows: Codes) -> float:
    """Of the answers to these rows."""
    return task.score(fit.answers(task.x[rows]), rows)


# ---- importance ----------------------------------------------------------------------------------------------------
@dataclass
class Shuffled:
    """`lost`: what each shuffle costs of a task's `worth`, features × repeats; `rows`: places of the rows shuffled."""

    lost: Floats
    unit: float
    rows: Codes

    @property
    def losses(self) -> Floats:
        """Of the score."""
        return self.lost / self.unit

    @property
    def means(self) -> Floats:
        """Summed before they are divided: whole numbers stay whole."""
        return np.asarray(self.lost.sum(axis=1) / (self.unit * self.lost.shape[1]))


def permutation(task: Task, fit: Fit, form: Any, tell: Progress) -> Shuffled | None:
    """Loss of score when one variable's values are shuffled among the test rows.

    The draws do not depend on how many features there are before a feature: each has a stream of its own.
    """
    rows = task.test
    if rows.size > MOST_SHUFFLED:
        rows = np.sort(np.random.default_rng([form.seed, 1]).choice(rows, MOST_SHUFFLED, replace=False))
    x = task.x[rows]
    whole = task.worth(fit.answers(x), rows)
    lost = np.zeros((len(task.features), REPEATS))
    for j in range(len(task.features)):
        for r, order in enumerate(orders(form.seed, j, rows.size)):
            shuffled = x.copy()
            shuffled[:, j] = shuffled[order, j]
            lost[j, r] = whole - task.worth(fit.answers(shuffled), rows)
        if not tell(j + 1, len(task.features), f"置换重要性：第 {j + 1}/{len(task.features)} 个变量"):
            return None
    return Shuffled(lost, task.unit(rows), rows)


def orders(seed: int, feature: int, n: int) -> list[Codes]:
    """How the rows are shuffled in each repeat."""
    rng = np.random.default_rng([seed, feature])
    return [rng.permutation(n) for _ in range(REPEATS)]
