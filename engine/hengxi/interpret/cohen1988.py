"""Cohen (1988): how effects are called. Reference standards, never a decision."""

from __future__ import annotations


def difference(d: float) -> str:
    """A standardised mean difference, bounds 0.2, 0.5, 0.8 (chapter 2)."""
    size = abs(d)
    if size < 0.2:
        return "很小"
    if size < 0.5:
        return "小到中等"
    return "中等到大" if size < 0.8 else "大"


def explained(f2: float) -> str:
    """f² of a regression, bounds 0.02, 0.15, 0.35 (chapter 9)."""
    if f2 < 0.02:
        return "很小"
    if f2 < 0.15:
        return "小到中等"
    return "中等到大" if f2 < 0.35 else "大"


def correlation(r: float) -> str:
    """A correlation, bounds 0.1, 0.3, 0.5 (chapter 3)."""
    size = abs(r)
    if size < 0.1:
        return "很小"
    if size < 0.3:
        return "小到中等"
    return "中等到大" if size < 0.5 else "大"
