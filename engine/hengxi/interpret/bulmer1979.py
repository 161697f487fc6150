"""Bulmer (1979): how skewness is called. Reference standards, never a decision."""

from __future__ import annotations

FAIRLY, HIGHLY = 0.5, 1.0


def skewness(g1: float) -> str:
    """Bounds 0.5 and 1 (chapter 4): fairly symmetrical, moderately skewed, highly skewed."""
    side = "右" if g1 > 0 else "左"
    if abs(g1) < FAIRLY:
        return "大致对称"
    return f"中度{side}偏" if abs(g1) < HIGHLY else f"明显{side}偏"
