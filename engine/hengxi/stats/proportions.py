"""Intervals of one proportion."""

import numpy as np
from scipy import stats


def wilson(count: float, n: float, level: float) -> tuple[float, float]:
    """Score interval of Wilson (1927) without continuity correction; stays inside [0, 1] and exact at 0 and n."""
    z = float(stats.norm.isf((1 - level) / 2))
    p = count / n
    # Written without n²: tiny weights must not underflow.
    middle = (count + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * float(np.sqrt(count * (1 - p) + z * z / 4))
    low = 0.0 if count <= 0 else max(0.0, middle - half)
    high = 1.0 if count >= n else min(1.0, middle + half)
    return low, high
