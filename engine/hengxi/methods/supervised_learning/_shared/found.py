"""What training found, whatever is predicted: the model, its answers to all rows, and what was asked of it besides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.methods.supervised_learning._shared.explained import Explanation
from hengxi.methods.supervised_learning._shared.fitting import Crossed, Fit, Shuffled
from hengxi.methods.supervised_learning._shared.learning_curve import Curve
from hengxi.methods.supervised_learning._shared.searching import Trial
from hengxi.stats.moments import Floats


@dataclass(kw_only=True)
class Found:
    """A task adds its scores of the training rows, the test rows and the baseline."""

    task: Any
    fit: Fit
    params: dict[str, Any]
    trials: list[Trial]
    answers: Floats
    crossed: Crossed | None = None
    curve: Curve | None = None
    shuffled: Shuffled | None = None
    explanation: Explanation | None = None
    own_importance: Floats | None = None
    stopped: bool = False

    @property
    def order(self) -> list[int]:
        """Features by their importance, largest first: by permutation where that was done."""
        by = self.own_importance if self.shuffled is None else self.shuffled.means
        if by is None:
            return list(range(len(self.task.features)))
        return [int(j) for j in np.argsort(-by, kind="stable")]
