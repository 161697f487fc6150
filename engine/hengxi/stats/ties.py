"""Ties of differences: 5.55 − 5.4 and 0.15 differ in their last bits, and would get two ranks."""

from __future__ import annotations

import numpy as np

from hengxi.stats.moments import Floats

DIGITS = 12


def settled(differences: Floats, reach: float) -> Floats:
    """Differences of numbers no larger than `reach`, to 12 of its significant digits."""
    if not (np.isfinite(reach) and reach > 0):
        return differences
    # A power of ten that is no double (data near 1e-300) leaves them as they are.
    unit = 10.0 ** (np.floor(np.log10(reach)) + 1 - DIGITS)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        found = np.rint(differences / unit) * unit if unit > 0 else differences
    return found if np.isfinite(found).all() else differences
