"""What a reader should doubt: few test rows, learning by heart, time, and values beyond the training rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report, SetRemedy
from hengxi.contract.report import more
from hengxi.methods.supervised_learning._shared import leaks
from hengxi.methods.supervised_learning._shared.learning_curve import Curve
from hengxi.methods.supervised_learning.regression._shared.found import Found

FEW_TEST = 30
GAP, WEAK, GAIN = 0.20, 0.10, 0.02
"""Of R²: a gap between training and cross-validation, a training score next to none, a rise at the last point."""


def report_all(report: Report, method: Any, form: Any, found: Found) -> None:
    _test_rows(report, method, found)
    if found.curve is None:
        _overfit(report, found)
    else:
        _curve(report, found.curve)
    _range(report, method, found)
    leaks.check(report, found, found.test.r2)
    time_leak(report, form, found.task.columns)


def _test_rows(report: Report, method: Any, found: Found) -> None:
    n = found.test.n
    what = more(
        "测试集越大，误差估计得越准。", "测试集 {n:integer} 行。", "行数少时，换一个随机种子误差就会变。",
        "少于 30 行时，" + method.few_test + "。",
    )  # fmt: skip
    if n < FEW_TEST:
        text = "测试集只有 {n:integer} 行，误差估计得不准，" + method.few_test + "。"
        report.check("测试集的大小", "care", text, more=what, n=n)
    else:
        report.check("测试集的大小", "pass", "测试集有 {n:integer} 行。", more=what, n=n)


def _overfit(report: Report, found: Found) -> None:
    what = more(
        "模型是学到了规律，还是记住了训练数据。", "训练集 RMSE = {train:num}，测试集 RMSE = {test:num}。",
        "差得多时，训练集的误差不能引用，模型换一批数据会变差。", "让模型简单一些，或减少自变量。",
    )  # fmt: skip
    facts: dict[str, Any] = {"train": found.train.rmse, "test": found.test.rmse}
    gap = (found.train.r2 or 0.0) - (found.test.r2 or 0.0)
    if gap > GAP:
        text = "训练集 RMSE = {train:num}，测试集 RMSE = {test:num}：模型记住了一部分训练数据，请以测试集的为准。"
        report.check("过拟合", "care", text, more=what, **facts)
    else:
        text = "训练集与测试集的误差相差不大（RMSE 为 {train:num} 与 {test:num}）。"
        report.check("过拟合", "pass", text, more=what, **facts)


def _curve(report: Report, curve: Curve) -> None:
    """Overfitting by the gap at the last point, underfitting by the training score, need of rows by the last rise."""
    learned, crossed = curve.read("learned")[0], curve.read("crossed")[0]
    gap, gain = float(learned[-1] - crossed[-1]), float(crossed[-1] - crossed[-2])
    facts: dict[str, Any] = {
        "train": float(learned[-1]), "cross": float(crossed[-1]), "gap": gap, "gain": abs(gain),
        "size": curve.sizes[-2], "whole": curve.sizes[-1],
    }  # fmt: skip
    what = more(
        "训练行由少到多时，训练得分与交叉验证得分怎样变化。",
        "用全部训练行时训练 *R*² = {train:num}，交叉验证 *R*² = {cross:num}。",
        "两条线隔得远是过拟合，两条线都接近 0 是欠拟合；右端还在上升，说明行数不够。",
        "过拟合：让模型简单一些，减少自变量；欠拟合：添加有用的自变量；仍在上升：收集更多的行。",
    )  # fmt: skip
    last = "从 {size:integer} 行增加到 {whole:integer} 行，交叉验证 *R*² "
    if gain > GAIN:
        last += "还升高了 {gain:num}，增加行数可能还有用。"
    elif gain < -GAIN:
        last += "降低了 {gain:num}，说明得分还随抽样波动。"
    else:
        last += "几乎没有变化，再增加行数多半没有大用。"
    if facts["train"] < WEAK:
        text = "欠拟合：训练 *R*² = {train:num}，与全猜均值差不多。"
        report.check("学习曲线", "care", text + last, more=what, **facts)
    elif gap > GAP:
        text = "过拟合：训练 *R*² = {train:num}，交叉验证 *R*² = {cross:num}，相差 {gap:num}。"
        report.check("学习曲线", "care", text + last, more=what, **facts)
    else:
        text = "训练 *R*² = {train:num} 与交叉验证 *R*² = {cross:num} 相近，没有明显的过拟合或欠拟合。"
        report.check("学习曲线", "pass", text + last, more=what, **facts)


def _range(report: Report, method: Any, found: Found) -> None:
    """A learner that averages training values never leaves their range."""
    if method.extrapolates:
        return
    y, train = found.task.y, found.task.train
    low, high = float(y[train].min()), float(y[train].max())
    beyond = int(np.sum((y[found.task.test] < low) | (y[found.task.test] > high)))
    facts: dict[str, Any] = {"low": low, "high": high, "k": beyond}
    what = more(
        "预测值是训练行的平均，不会超出训练行的范围。", "训练集的范围是 {low:num} 到 {high:num}。",
        "真实值在范围之外的行一定预测不准。", "要预测范围之外的值，用线性回归。",
    )  # fmt: skip
    if beyond:
        text = "测试集有 {k:integer} 行的真实值在训练集的范围（{low:num} 到 {high:num}）之外，本模型预测不到那里。"
        report.check("预测的范围", "care", text, more=what, **facts)
    else:
        text = "预测值只会在训练集的范围（{low:num} 到 {high:num}）之内；测试集的真实值都在范围之内。"
        report.check("预测的范围", "pass", text, more=what, **facts)


def time_leak(report: Report, form: Any, columns: list[Any]) -> None:
    times = [column.title for column in columns if column.measure == "时间"]
    if times and form.shuffle:
        text = (
            "自变量里有时间“{x}”，而数据已洗牌：等于用以后的数据预测以前的，误差会偏小。请按时间先后排好，并关闭洗牌。"
        )
        remedy = SetRemedy(title="关闭洗牌", set={"shuffle": False})
        report.check("时间泄漏", "care", text, remedies=[remedy], x="、".join(times))
