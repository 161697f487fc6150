"""What training found: the model, its predictions for every row, and their scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.methods.supervised_learning._shared import found as base
from hengxi.methods.supervised_learning._shared.fitting import Fit
from hengxi.methods.supervised_learning._shared.searching import Trial
from hengxi.methods.supervised_learning.regression._shared.task import Task
from hengxi.stats.learning.value_scores import Gain, Scores, gain, score
from hengxi.stats.moments import Floats


@dataclass(kw_only=True)
class Found(base.Found):
    """`guess`: the mean of the training rows, the baseline's answer to every row."""

    task: Task
    train: Scores
    test: Scores
    baseline: Scores
    guess: float
    gain: Gain
    out_of_bag: Scores | None = None

    @property
    def predicted(self) -> Floats:
        return self.answers[:, 0]

    @property
    def residuals(self) -> Floats:
        """True less predicted value of every row."""
        return np.asarray(self.task.y - self.predicted)

    @classmethod
    def of(cls, task: Task, fit: Fit, params: dict[str, Any], trials: list[Trial]) -> Found:
        answers = fit.answers(task.x)
        guess, test = float(task.y[task.train].mean()), task.test
        return cls(
            task=task, fit=fit, params=params, trials=trials, answers=answers, guess=guess,
            train=score(task.y[task.train], answers[task.train, 0]),
            test=score(task.y[test], answers[test, 0]),
            baseline=score(task.y[test], np.full(test.size, guess)),
            gain=gain(task.y[test], answers[test, 0], guess),
        )  # fmt: skip

    @property
    def crossed_scores(self) -> Scores | None:
        """Of the training rows, each predicted by a model that had not seen it."""
        if self.crossed is None:
            return None
        return score(self.task.y[self.task.train], self.crossed.answers[:, 0])

    @property
    def crossed_gain(self) -> Gain | None:
        """On the training mean, in the cross-validation."""
        if self.crossed is None:
            return None
        return gain(self.task.y[self.task.train], self.crossed.answers[:, 0], self.guess)
