"""What training found: the model, its probabilities on every part of the sample, and their scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.methods.supervised_learning._shared import found as base
from hengxi.methods.supervised_learning._shared.fitting import Fit
from hengxi.methods.supervised_learning._shared.searching import Trial
from hengxi.methods.supervised_learning._shared.task import Codes
from hengxi.methods.supervised_learning.classifier._shared.task import Task
from hengxi.stats.learning.scoring import Scores, called, confusion, score
from hengxi.stats.moments import Floats

RARE = 0.10
"""Share of the rows below which accuracy says little about a class."""


@dataclass(kw_only=True)
class Found(base.Found):
    task: Task
    threshold: float
    train: Scores
    test: Scores
    baseline: Scores
    major: int
    out_of_bag: Scores | None = None

    @property
    def proba(self) -> Floats:
        """Rows × classes."""
        return self.answers

    @classmethod
    def of(cls, task: Task, form: Any, fit: Fit, params: dict[str, Any], trials: list[Trial]) -> Found:
        """Scores of the training and the test rows, and of always calling the class most frequent in training."""
        proba = fit.answers(task.x)
        major = int(np.bincount(task.y[task.train], minlength=task.k).argmax())
        always = np.zeros((task.test.size, task.k))
        always[:, major] = 1.0
        return cls(
            task=task, fit=fit, params=params, trials=trials, threshold=form.threshold, answers=proba, major=major,
            train=score(task.y[task.train], proba[task.train], task.event, form.threshold),
            test=score(task.y[task.test], proba[task.test], task.event, form.threshold),
            baseline=score(task.y[task.test], always, task.event, 0.5),
        )  # fmt: skip

    def scored(self, y: Codes, proba: Floats) -> Scores:
        return score(y, proba, self.task.event, self.threshold)

    def called(self, proba: Floats) -> Codes:
        return called(proba, self.task.event, self.threshold)

    @property
    def baseline_share(self) -> float:
        """What calling the most frequent class gives among the training rows."""
        return float(np.mean(self.task.y[self.task.train] == self.major))

    @property
    def rare(self) -> int:
        """The class with the fewest rows."""
        return int(self.task.counts.argmin())

    @property
    def rare_share(self) -> float:
        return float(self.task.counts[self.rare] / self.task.y.size)

    @property
    def rare_calls(self) -> tuple[int, int]:
        """Test rows of that class that were called so, and all of them."""
        test = self.task.test
        table = confusion(self.task.y[test], self.called(self.proba[test]), self.task.k)
        return int(table[self.rare, self.rare]), int(table[self.rare].sum())

    @property
    def crossed_scores(self) -> Scores | None:
        """Of the training rows, each called by a model that had not seen it."""
        if self.crossed is None:
            return None
        return self.scored(self.task.y[self.task.train], self.crossed.answers)
