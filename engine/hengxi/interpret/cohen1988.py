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


def spread(f: float) -> str:
    """f of an analysis of variance, bounds 0.10, 0.25, 0.40 (chapter 8)."""
    if f < 0.1:
        return "很小"
    if f < 0.25:
        return "小到中等"
    return "中等到大" if f < 0.4 else "大"


def correlation(r: float) -> str:
    """A correlation, bounds 0.1, 0.3, 0.5 (chapter 3)."""
    size = abs(r)
    if size < 0.1:
        return "很小"
    if size < 0.3:
        return "小到中等"
    return "中等到大" if size < 0.5 else "大"


def association(w: float) -> str:
    """w of a table of counts, bounds 0.1, 0.3, 0.5 (chapter 7); w = V √(k − 1), k the smaller side."""
    if w < 0.1:
        return "很小"
    if w < 0.3:
        return "小到中等"
    return "中等到大" if w < 0.5 else "大"
