"""Kano's model: from the answers with and without a feature to its class, its coefficients and its rank.

Kano et al. (1984); Berger et al. (1993); Fong (1996).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import numpy as np
from scipy import stats

from hengxi.stats.moments import Floats

CLASSES = "MOAIRQ"
"""In the order in which features are dealt with first."""
NAMES = {"A": "魅力", "O": "期望", "M": "必备", "I": "无差异", "R": "反向", "Q": "可疑"}
BERGER = "QAAAO RIIIM RIIIM RIIIM RRRRQ"
POULIOT = "QAAAO RQIIM RIIIM RIIQM RRRRQ"
"""Rows: with the feature, columns: without; both from 喜欢, 理应如此, 无所谓, 能忍受 to 不喜欢."""
FONG, ENDING = 0.1, 6


@dataclass(frozen=True)
class Feature:
    """`counts` by `CLASSES`; `pairs`: places 0 … 4 of both answers of whom both are known."""

    name: str
    counts: Floats
    pairs: Floats
    importance: float | None
    alpha: float = FONG
    """Fong's test with a larger p leaves the class open."""

    @property
    def n(self) -> float:
        return float(self.counts.sum())

    def __getitem__(self, kind: str) -> float:
        return float(self.counts[CLASSES.index(kind)])

    @property
    def ranked(self) -> list[int]:
        return sorted(range(6), key=lambda i: -self.counts[i])

    @property
    def tops(self) -> list[str]:
        """The most frequent classes; several where they tie."""
        return [CLASSES[i] for i in range(6) if self.counts[i] == self.counts.max()]

    @property
    def base(self) -> float:
        return self["A"] + self["O"] + self["M"] + self["I"]

    @property
    def better(self) -> float | None:
        return (self["A"] + self["O"]) / self.base if self.base else None

    @property
    def worse(self) -> float | None:
        return 0.0 - (self["O"] + self["M"]) / self.base if self.base else None

    @property
    def fong(self) -> tuple[float, float]:
        """z and p that the two most frequent classes are equally frequent."""
        a, b = (float(self.counts[i]) for i in self.ranked[:2])
        z = (a - b) / float(np.sqrt((a + b) * (2 * self.n - a - b) / (2 * self.n)))
        return float(z), float(2 * stats.norm.sf(z))

    @property
    def strength(self) -> float:
        first, second = self.ranked[:2]
        return float(self.counts[first] - self.counts[second]) / self.n

    @property
    def mixed(self) -> bool:
        return self.fong[1] >= self.alpha

    @property
    def verdict(self) -> str:
        told = "／".join(NAMES[kind] for kind in self.tops)
        return (
            f"{told}（混合）"
            if self.mixed and len(self.tops) == 1
            else told + ("（并列）" if len(self.tops) > 1 else "")
        )

    @property
    def order(self) -> tuple[int, float]:
        """First by class, then by how much satisfaction moves."""
        return CLASSES.index(self.tops[0]), -((self.better or 0) - (self.worse or 0))


def classes_of(table: Any, positive: Any, negative: Any) -> Any:
    """Letters of the people; "" where an answer (−1) is missing. `table`: letters, 5 × 5."""
    return np.where((positive >= 0) & (negative >= 0), table[positive, negative], "")


def counts_of(kinds: Any) -> Floats:
    return np.array([float((kinds == kind).sum()) for kind in CLASSES])


def letters(table: str) -> Any:
    return np.array(list(table.replace(" ", ""))).reshape(5, 5)


def name_of(pair: Any) -> str:
    """What both questions begin with (扫码点餐_有, 扫码点餐_无), else the question with the feature."""
    first, second = str(pair.positive.title), str(pair.negative.title)
    same = "".join(a for a, _ in takewhile(lambda both: both[0] == both[1], zip(first, second, strict=False)))
    shared = re.sub(r"[\s_\-—:：(（]+$", "", same)
    return shared if shared and max(len(first), len(second)) - len(same) <= ENDING else first
