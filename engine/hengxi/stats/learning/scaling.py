"""Coded columns on one scale, learned from the training rows: learners that compare columns need it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hengxi.contract import Arrays
from hengxi.stats.moments import Floats


@dataclass(frozen=True)
class Scaling:
    """`means`, `sds` (divided by n − 1): one a column; a column that does not vary is only shifted."""

    means: Floats
    sds: Floats

    @classmethod
    def learn(cls, x: Floats, wanted: bool = True) -> Scaling:
        """Not `wanted`: columns stay as they are."""
        if not wanted:
            return cls(np.zeros(x.shape[1]), np.ones(x.shape[1]))
        sds = x.std(axis=0, ddof=1)
        return cls(x.mean(axis=0), np.where(sds > 0, sds, 1.0))

    def apply(self, x: Floats) -> Floats:
        return np.asarray((x - self.means) / self.sds)

    def pack(self) -> Arrays:
        return {"scaling.means": self.means, "scaling.sds": self.sds}

    @classmethod
    def unpack(cls, arrays: Arrays) -> Scaling:
        return cls(arrays["scaling.means"], arrays["scaling.sds"])
