"""Training as every classifier does it: coding and model learned together from the training rows of each split."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hengxi.contract import Arrays, Progress
from hengxi.methods.supervised_learning.classifier._shared.task import Codes, Task
from hengxi.stats.learning.features import Coding
from hengxi.stats.learning.scoring import called, score
from hengxi.stats.learning.splits import folds
from hengxi.stats.moments import Floats

REPEATS = 10
METRICS: dict[str, Callable[[Any], float | None]] = {
    "accuracy": lambda one: float(one.accuracy),
    "balanced_accuracy": lambda one: float(one.balanced),
    "f1_macro": lambda one: float(one.f1_macro),
    "auc": lambda one: one.auc,
    "log_loss": lambda one: -float(one.log_loss),
}


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

    def probabilities(self, x: Floats) -> Floats:
        return self.predict(self.learner, self.coding.apply(x))


@dataclass(frozen=True)
class Rows:
    """Coded rows with places of their classes; `k` classes there are, not all need occur."""

    x: Floats
    y: Codes
    weight: Floats | None
    k: int


@dataclass
class Recipe:
    """How one method trains: its settings, and its own two functions."""

    params: dict[str, Any]
    learn: Callable[..., Any]
    predict: Callable[[Any, Floats], Floats]
    encode: str
    missing: str
    balanced: bool
    seed: int

    def fit(self, task: Task, rows: Codes, progress: Progress, text: str, params: dict[str, Any] | None = None) -> Fit:
        y = task.y[rows]
        coding, coded = Coding.learn(task.x[rows], task.sizes, self.encode, self.missing, y, self.seed)
        weight = self._weight(task, rows)
        learner = self.learn(params or self.params, Rows(coded, y, weight, task.k), self.seed, progress, text)
        return Fit(coding, learner, self.predict)

    def _weight(self, task: Task, rows: Codes) -> Floats | None:
        weight = None if task.weight is None else task.weight[rows]
        if not self.balanced:
            return weight
        y = task.y[rows]
        counts = np.bincount(y, minlength=task.k)
        own: Floats = y.size / ((counts > 0).sum() * counts[y])
        return own if weight is None else own * weight


@dataclass
class Crossed:
    """Probabilities of every training row from the model that did not see it."""

    proba: Floats
    fold: Codes

    @property
    def whole(self) -> bool:
        return bool((self.fold >= 0).all())


def fold_rows(task: Task, form: Any) -> Iterator[tuple[Codes, Codes]]:
    """Folds of the training rows, as places in the rows used."""
    strata = task.y[task.train] if form.stratify else None
    groups = None if task.groups is None else task.groups[task.train]
    for inner, outer in folds(task.train.size, form.cv_folds, form.shuffle, strata, groups, form.seed):
        yield task.train[inner], task.train[outer]


def cross(task: Task, form: Any, recipe: Recipe, watch: Watch) -> Crossed:
    proba = np.full((task.y.size, task.k), np.nan)
    fold = np.full(task.y.size, -1)
    for number, (inner, outer) in enumerate(fold_rows(task, form)):
        tell = watch.stage(f"交叉验证：第 {number + 1}/{form.cv_folds} 折")
        fit = recipe.fit(task, inner, tell, f"交叉验证第 {number + 1}/{form.cv_folds} 折")
        if watch.stopped:
            break
        proba[outer], fold[outer] = fit.probabilities(task.x[outer]), number
    return Crossed(proba[task.train], fold[task.train])


# ---- searching settings --------------------------------------------------------------------------------------------
@dataclass
class Trial:
    params: dict[str, Any]
    scores: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return float(np.mean(self.scores))


def candidates(grid: dict[str, list[Any]], kind: str, most: int, seed: int) -> list[dict[str, Any]]:
    """All combinations, evenly thinned to `most`; or `most` of them drawn without replacement."""
    every = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
    if kind == "random":
        order = np.random.default_rng(seed).permutation(len(every))[:most]
        return [every[i] for i in order]
    places = np.unique(np.linspace(0, len(every) - 1, min(most, len(every))).round().astype(int))
    return [every[i] for i in places]


def search(task: Task, form: Any, recipe: Recipe, grid: dict[str, list[Any]], watch: Watch) -> list[Trial]:
    """Trials by their mean score over the folds, best first, ties as tried. Stopped: those that finished."""
    trials = []
    splits = list(fold_rows(task, form))
    every = candidates(grid, form.tune, form.tune_trials, form.seed)
    for number, chosen in enumerate(every):
        trial = Trial(chosen)
        params = recipe.params | chosen
        for inner, outer in splits:
            tell = watch.stage("超参数搜索", 1 / len(splits))
            fit = recipe.fit(task, inner, tell, f"搜索第 {number + 1}/{len(every)} 组", params)
            if watch.stopped:
                break
            found = score(task.y[outer], fit.probabilities(task.x[outer]), task.event, form.threshold)
            trial.scores.append(METRICS[form.tune_metric](found) or 0.0)
        if len(trial.scores) < len(splits):
            break
        trials.append(trial)
    return sorted(trials, key=lambda one: -one.mean)


# ---- importance ----------------------------------------------------------------------------------------------------
def permutation(task: Task, fit: Fit, form: Any, rows: Codes, tell: Progress) -> Floats | None:
    """Loss of accuracy when one variable's values are shuffled among the test rows: features × repeats.

    The draws do not depend on how many features there are before a feature: each has a stream of its own.
    """
    y, x = task.y[rows], task.x[rows]
    base = float(np.mean(called(fit.probabilities(x), task.event, form.threshold) == y))
    losses = np.zeros((len(task.features), REPEATS))
    for j in range(len(task.features)):
        rng = np.random.default_rng([form.seed, j])
        blocks = []
        for _ in range(REPEATS):
            shuffled = x.copy()
            shuffled[:, j] = shuffled[rng.permutation(rows.size), j]
            blocks.append(shuffled)
        for r, block in enumerate(blocks):
            chosen = called(fit.probabilities(block), task.event, form.threshold)
            losses[j, r] = base - float(np.mean(chosen == y))
        if not tell(j + 1, len(task.features), f"置换重要性：第 {j + 1}/{len(task.features)} 个变量"):
            return None
    return losses


def merged(arrays: Arrays, *more: Arrays) -> Arrays:
    for one in more:
        arrays = arrays | one
    return arrays
