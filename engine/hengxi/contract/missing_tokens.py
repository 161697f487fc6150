"""What people write in a cell of numbers or dates that holds nothing."""

from __future__ import annotations

MISSING_TOKENS = (
    "", "NA", "N/A", "n/a", "na", "#N/A", "NaN", "nan", "NULL", "null", "None", "none", ".", "-", "--", "—", "——", "/",
    "\\", "\\N", "缺失", "缺失值", "空", "无", "未填", "未填写", "空白", "(空)", "（空）", "(缺失)", "（缺失）",
    "(跳过)", "（跳过）",
)  # fmt: skip
"""Whole cells that mean "nothing here" in a column of numbers or dates. In a text column only the empty cell does."""
