"""Landis and Koch (1977): how agreement beyond chance is called. Reference standards, never a decision."""

from __future__ import annotations


def agreement(kappa: float) -> str:
    """Bounds 0, 0.2, 0.4, 0.6, 0.8 (table 2)."""
    if kappa < 0:
        return "比碰巧还差"
    for bound, word in ((0.2, "极低"), (0.4, "较低"), (0.6, "中等"), (0.8, "较高")):
        if kappa <= bound:
            return word
    return "很高"
