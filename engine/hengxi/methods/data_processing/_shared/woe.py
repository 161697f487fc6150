"""Weight of evidence and information value of bins against a target of two classes (Siddiqi 2006)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass
class Weights:
    """For each bin; `adjusted` bins had no event or no other, and got half a case on both sides."""

    n: list[int]
    events: list[int]
    woe: list[float | None]
    iv: list[float | None]
    adjusted: int

    def rate(self, i: int) -> float | None:
        return self.events[i] / self.n[i] if self.n[i] else None

    @property
    def whole_rate(self) -> float | None:
        return sum(self.events) / sum(self.n) if sum(self.n) else None

    @property
    def total(self) -> float | None:
        known = [value for value in self.iv if value is not None]
        return math.fsum(known) if known else None


def weights_of(
    codes: npt.NDArray[np.int64], events: npt.NDArray[np.bool_], known: npt.NDArray[np.bool_], k: int
) -> Weights:
    """`codes` the bin of each row (−1 none), `known` rows whose target is known."""
    used = known & (codes >= 0)
    n = np.bincount(codes[used], minlength=k)
    hit = np.bincount(codes[used & events], minlength=k)
    all_events, all_others = int(hit.sum()), int(n.sum() - hit.sum())
    woe: list[float | None] = []
    iv: list[float | None] = []
    adjusted = 0
    for total, event in zip(n.tolist(), hit.tolist(), strict=True):
        if total == 0 or all_events == 0 or all_others == 0:
            woe.append(None)
            iv.append(None)
            continue
        half = 0.5 if event in (0, total) else 0.0
        adjusted += half > 0
        a, b = (event + half) / all_events, (total - event + half) / all_others
        woe.append(math.log(a / b))
        iv.append((a - b) * math.log(a / b))
    return Weights(n.tolist(), hit.tolist(), woe, iv, adjusted)
