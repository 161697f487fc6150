"""What a classifier's learning curve says: is the model learning by heart, too weak, or short of rows?"""

from __future__ import annotations

from typing import Any

from hengxi.contract import Report, SetRemedy
from hengxi.contract.report import more
from hengxi.methods.supervised_learning._shared.learning_curve import Curve

GAP, WEAK, GAIN = 0.20, 0.10, 0.02
"""Shares of the room that always calling the most frequent class leaves.

Where one class holds 95 % of the rows a score of 98 % is more than half the way, and one of 95 % is nothing at all.
"""
BY_HEART = 0.99
"""Accuracy on the training rows."""
LEAF = 5
"""Rows of a leaf that are offered against overfitting."""


def check(report: Report, method: Any, form: Any, curve: Curve, base: float) -> None:
    """Overfitting by the gap at the last point, underfitting by the training score, need of rows by the last rise."""
    room = 1 - base
    learned, crossed = curve.read("learned")[0], curve.read("crossed")[0]
    gap, gain = float(learned[-1] - crossed[-1]), float(crossed[-1] - crossed[-2])
    facts: dict[str, Any] = {
        "train": float(learned[-1]), "cross": float(crossed[-1]), "base": base, "room": 100 * room,
        "gap": 100 * gap, "gain": 100 * abs(gain), "size": curve.sizes[-2], "whole": curve.sizes[-1],
    }  # fmt: skip
    what = more(
        "训练行由少到多时，训练得分与交叉验证得分怎样变化。",
        "用全部训练行时训练得分 {train:percent1}，交叉验证得分 {cross:percent1}；全猜最多的类有 {base:percent1}，"
        "能提高的只有 {room:num1} 个百分点。",
        "两条线隔得远是过拟合，两条线都接近全猜最多的类是欠拟合；右端还在上升，说明行数不够。",
        "过拟合：加大叶子、限制深度、减少自变量；欠拟合：放宽限制或添加有用的自变量；仍在上升：收集更多的行。",
    )  # fmt: skip
    last = "从 {size:integer} 行增加到 {whole:integer} 行，交叉验证得分"
    if gain > GAIN * room:
        last += "还升高了 {gain:num1} 个百分点，增加行数可能还有用。"
    elif gain < -GAIN * room:
        last += "降低了 {gain:num1} 个百分点，说明得分还随抽样波动。"
    else:
        last += "几乎没有变化，再增加行数多半没有大用。"
    if facts["train"] < base + WEAK * room:
        text = "欠拟合：训练得分 {train:percent1}，与全猜最多的类（{base:percent1}）差不多。"
        report.check("学习曲线", "care", text + last, more=what, **facts)
    elif gap > GAP * room:
        text = "过拟合：训练得分 {train:percent1}，交叉验证得分 {cross:percent1}，相差 {gap:num1} 个百分点。"
        if facts["train"] > BY_HEART:
            text += "模型记住了训练数据，请以交叉验证的准确率为准。"
        remedies = [SetRemedy(title=f"叶子至少 {LEAF} 行", set={"min_samples_leaf": LEAF})]
        fits = "min_samples_leaf" in method.Input.fields and form.min_samples_leaf < LEAF
        report.check("学习曲线", "care", text + last, more=what, remedies=remedies if fits else [], **facts)
    else:
        text = "训练得分 {train:percent1} 与交叉验证得分 {cross:percent1} 相近，没有明显的过拟合或欠拟合。"
        report.check("学习曲线", "pass", text + last, more=what, **facts)
