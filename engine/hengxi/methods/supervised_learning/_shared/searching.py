"""Settings of a learner chosen by their mean score over the folds: a grid, draws from it, or Bayesian search (TPE)."""

from __future__ import annotations

import itertools
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hengxi.methods.supervised_learning._shared.fitting import Recipe, Watch, fold_rows
from hengxi.methods.supervised_learning._shared.task import Task

Grid = dict[str, list[Any]]
Proposals = Generator[dict[str, Any], float, None]
"""Settings to try; the score of each is sent back."""


@dataclass
class Trial:
    """`scores`: one a fold, larger is better (losses with their sign turned)."""

    params: dict[str, Any]
    scores: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return float(np.mean(self.scores))


def search(task: Task, form: Any, recipe: Recipe, grid: Grid, watch: Watch) -> list[Trial]:
    """Trials by their mean score, best first, ties as tried. Stopped: those that finished."""
    splits = list(fold_rows(task, form))
    trials: dict[tuple[Any, ...], Trial] = {}
    asked = _proposals(form, grid)
    most, number = min(form.tune_trials, _size(grid)), 0
    try:
        chosen = next(asked)
        while True:
            key = tuple(chosen.values())
            if key not in trials:
                number += 1
                trial = _tried(task, form, recipe, chosen, splits, watch, f"搜索第 {number}/{most} 组", most)
                if trial is None:
                    break
                trials[key] = trial
            chosen = asked.send(trials[key].mean)
    except StopIteration:
        pass
    return sorted(trials.values(), key=lambda one: -one.mean)


def _tried(
    task: Task, form: Any, recipe: Recipe, chosen: dict[str, Any], splits: list[Any], watch: Watch, text: str, most: int
) -> Trial | None:
    """The score of every fold; None where the run was stopped before the last."""
    trial = Trial(chosen)
    params = recipe.params | chosen
    for inner, outer in splits:
        tell = watch.stage("超参数搜索", form.tune_trials / most / len(splits))
        fit = recipe.fit(task, inner, tell, text, params)
        if watch.stopped:
            return None
        trial.scores.append(task.searched(form.tune_metric, fit.answers(task.x[outer]), outer))
    return trial


def _size(grid: Grid) -> int:
    return int(np.prod([len(values) for values in grid.values()]))


def _proposals(form: Any, grid: Grid) -> Proposals:
    return _bayesian(grid, form.tune_trials, form.seed) if form.tune == "tpe" else _listed(grid, form)


def _listed(grid: Grid, form: Any) -> Proposals:
    for chosen in candidates(grid, form.tune, form.tune_trials, form.seed):
        _ = yield chosen


def candidates(grid: Grid, kind: str, most: int, seed: int) -> list[dict[str, Any]]:
    """All combinations, evenly thinned to `most`; or `most` of them drawn without replacement."""
    every = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
    if kind == "random":
        order = np.random.default_rng(seed).permutation(len(every))[:most]
        return [every[i] for i in order]
    places = np.unique(np.linspace(0, len(every) - 1, min(most, len(every))).round().astype(int))
    return [every[i] for i in places]


def _bayesian(grid: Grid, most: int, seed: int) -> Proposals:
    """Tree-structured Parzen estimator over the same settings. Numbers are ordered by their place in the list.

    What it asks for again costs nothing and is told the same score. It ends after `most` different settings, all of
    them, or five times as many proposals.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.CRITICAL)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
    seen: set[tuple[int, ...]] = set()
    for _ in range(5 * most):
        if len(seen) == min(most, _size(grid)):
            return
        trial = study.ask()
        places = {name: _place(trial, name, values) for name, values in grid.items()}
        seen.add(tuple(places.values()))
        study.tell(trial, (yield {name: grid[name][place] for name, place in places.items()}))


def _place(trial: Any, name: str, values: list[Any]) -> int:
    if any(isinstance(value, str) for value in values):
        return int(trial.suggest_categorical(name, list(range(len(values)))))
    return int(trial.suggest_int(name, 0, len(values) - 1))
