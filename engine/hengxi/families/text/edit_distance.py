"""How many letters must change."""

from __future__ import annotations

import numpy as np


def distance(a: str, b: str) -> int:
    """Levenshtein: insertions, deletions and replacements, each 1. By rows of the table, each in one stroke."""
    if not a or not b:
        return max(len(a), len(b))
    codes = np.frombuffer(b.encode("utf-32-le"), dtype=np.uint32)
    steps = np.arange(len(b) + 1)
    before = steps.copy()
    for i, letter in enumerate(a, start=1):
        now = np.minimum(before[1:] + 1, before[:-1] + (codes != ord(letter)))
        # Insertions along the row: the running minimum of what stands to the left.
        before = np.minimum.accumulate(np.concatenate(([i], now)) - steps) + steps
    return int(before[-1])


def alike(a: str, b: str) -> float:
    longer = max(len(a), len(b))
    return 1 - distance(a, b) / longer if longer else 0.0
