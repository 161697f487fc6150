"""Scores too good to be true: one variable tells nearly everything."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report

SURE, ALONE = 0.99, 0.9
"""A score of the test rows, and the share of one variable in all that shuffling costs."""


def check(report: Report, found: Any, score: float | None) -> None:
    """Told only where it is so; exact copies of the outcome are refused before, times that are shuffled have a check of
    their own. `score`: accuracy or R² of the test rows."""
    if found.shuffled is None or score is None or score < SURE or len(found.task.names) < 2:
        return
    lost = np.maximum(found.shuffled.means, 0.0)
    top, whole = int(np.argmax(lost)), float(lost.sum())
    if whole <= 0 or lost[top] < ALONE * whole:
        return
    text = (
        "几乎全靠“{x}”一个变量（占置换重要性的 {share:percent}）就预测得这么准：它可能是因变量的另一种写法，"
        "或结果出现以后才知道的变量。请确认预测时已经知道它的值，否则移除。"
    )
    report.check("疑似泄漏", "care", text, x=found.task.names[top], share=float(lost[top] / whole))
