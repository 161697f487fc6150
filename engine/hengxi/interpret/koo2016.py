"""Koo and Li (2016): how an intraclass correlation is called. Reference standards, never a decision."""

from __future__ import annotations


def grade(icc: float) -> str:
    """Bounds 0.5, 0.75, 0.9 (their section “Interpretation”); they ask to read the interval, not the estimate."""
    for bound, word in ((0.5, "较差"), (0.75, "中等"), (0.9, "良好")):
        if icc < bound:
            return word
    return "优秀"
