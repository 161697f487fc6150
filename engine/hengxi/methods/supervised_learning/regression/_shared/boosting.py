"""What boosted regression trees tell besides: sums of leaves do not follow a trend beyond the training rows."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from hengxi.contract import Refusal, Report, SetRemedy
from hengxi.contract.report import more
from hengxi.methods.supervised_learning.regression._shared.task import Task

LARGEST = 1e30
"""Of outcomes that are taken in single precision as they are."""


class Bounded:
    """In front of the regressors whose sums of leaves may pass the training values a little, but follow no trend."""

    extrapolates: ClassVar[bool] = True


def judge_outcome(form: Any, task: Task, field: str, plain: str, kind: str | None) -> None:
    """`kind`: what the loss wants of the outcome, `counts` or `positive`; `plain`: the setting without such a wish."""
    if kind is None:
        return
    y = task.y
    named: dict[str, Any] = {"y": task.title, "low": f"{y.min():g}"}
    remedy = SetRemedy(title="改用均方误差", set={field: plain})
    if kind == "positive" and y.min() <= 0:
        text = "该目标函数要求因变量为正，“{y}”的最小值是 {low}；请改用均方误差"
        raise Refusal("data.negative", text, field=field, also=["y"], remedies=[remedy], **named)
    if y.min() < 0 or not y[task.train].sum() > 0:
        text = "泊松目标要求因变量不小于 0，且训练集里不全为 0，“{y}”的最小值是 {low}；请改用均方误差"
        raise Refusal("data.negative", text, field=field, also=["y"], remedies=[remedy], **named)
    if y.max() > LARGEST or (kind == "positive" and y.min() < 1 / LARGEST):
        text = "这个目标函数以单精度计算，“{y}”的值太大或太小；请换一个单位，或改用均方误差"
        raise Refusal("data.large", text, field=field, also=["y"], remedies=[remedy], y=task.title)


def tell_quantile(report: Report, q: float) -> None:
    text = "分位数损失预测的是第 {q:percent} 分位数，不是平均值；R²、RMSE 与基线只作参考。"
    report.check("预测的是什么", "care", text, q=q)


def tell_bounds(report: Report, found: Any) -> None:
    """Test rows with a variable outside the range of the training rows."""
    task = found.task
    numbers = [j for j, size in enumerate(task.sizes) if not size]
    inside, asked = task.x[task.train][:, numbers], task.x[task.test][:, numbers]
    with np.errstate(invalid="ignore"):
        beyond = (asked < np.nanmin(inside, axis=0)) | (asked > np.nanmax(inside, axis=0)) if numbers else asked > 0
    k = int(beyond.any(axis=1).sum())
    what = more(
        "树模型在训练数据的范围之外不会沿趋势外推。", "测试集有 {k:integer} 行的自变量超出训练集的范围。",
        "自变量再大或再小，预测值都停在边上的水平。", "要外推，用线性回归。",
    )  # fmt: skip
    if k:
        text = "测试集有 {k:integer} 行的自变量超出训练集的范围：树模型不能外推，那里的预测停在边上的水平。"
        report.check("外推", "care", text, more=what, k=k)
    else:
        text = "树模型不能外推；测试集的自变量都在训练集的范围之内。"
        report.check("外推", "pass", text, more=what, k=k)
