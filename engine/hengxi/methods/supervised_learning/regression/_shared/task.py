"""The rows and variables of one regression, judged: what cannot be learned from is refused or left out by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Column, Refusal, Report, SetRemedy
from hengxi.methods.supervised_learning._shared import task as base
from hengxi.methods.supervised_learning._shared.task import Codes
from hengxi.stats.learning.features import raw_values
from hengxi.stats.learning.value_scores import Scores, score
from hengxi.stats.moments import Floats

METRICS: dict[str, Callable[[Scores], float]] = {
    "rmse": lambda scores: -scores.rmse,
    "mae": lambda scores: -scores.mae,
    "r2": lambda scores: scores.r2 or 0.0,
}
LARGE = 1e100
COPY = 1e-12
"""A correlation this close to 1 or −1 is a copy of the outcome, perhaps in another unit."""


@dataclass(kw_only=True)
class Task(base.Task):
    """`y` are numbers; answers have one column."""

    title: str

    @property
    def outputs(self) -> list[str]:
        return [self.title]

    def worth(self, answers: Floats, rows: Codes) -> float:
        """Minus the sum of the squared errors."""
        return -float(np.sum((self.y[rows] - answers[:, 0]) ** 2))

    def unit(self, rows: Codes) -> float:
        """The sum of squares about the mean of these rows, so that differences of `worth` become those of R²."""
        spread = float(np.sum((self.y[rows] - self.y[rows].mean()) ** 2))
        return spread if spread > 0 else 1.0

    def score(self, answers: Floats, rows: Codes) -> float:
        """R² on the variance of all training rows: that of a fold of a few rows would say nothing."""
        y = self.y[self.train]
        return 1 + self.worth(answers, rows) / rows.size / float(np.mean((y - y.mean()) ** 2))

    def searched(self, metric: str, answers: Floats, rows: Codes) -> float:
        return METRICS[metric](score(self.y[rows], answers[:, 0]))


def build_task(form: Any, report: Report) -> Task:
    """Judge, split, and remember what the model must know of its variables.

    Raises Refusal for an outcome or folds that nothing can be learned from.
    """
    y = np.asarray(form.y.numbers, dtype=np.float64)
    _judge_outcome(form, y)
    _judge_folds(form, y.size)
    rows = base.split_variables(form, report, y.size, None, lambda column: _same_as(column, y))
    if np.ptp(y[rows.train]) == 0:
        text = "训练集里因变量“{y}”没有变化，无法训练；请勾选数据洗牌，或换随机种子"
        remedy = SetRemedy(title="洗牌", set={"shuffle": True})
        raise Refusal("data.constant", text, field="y", also=["shuffle"], remedies=[remedy], y=form.y.title)
    base.judge_groups(form, rows.groups, rows.train)
    return Task(**rows.common(form), y=y, title=form.y.title)


def _judge_outcome(form: Any, y: Floats) -> None:
    if np.ptp(y) == 0:
        raise Refusal("data.constant", "因变量“{y}”没有变化，无法建模；请换因变量", field="y", y=form.y.title)
    if np.abs(y).max() > LARGE or np.ptp(y) < 1 / LARGE:
        text = "因变量“{y}”的值太大（绝对值超过 1e100）或相差太小（不到 1e-100），平方后超出可计算的范围；请换一个单位"
        raise Refusal("data.large", text, field="y", y=form.y.title)


def _judge_folds(form: Any, n: int) -> None:
    k = int(form.cv_folds)
    if k == 1:
        raise Refusal("data.folds", "“交叉验证折数”须为 0（不做）或至少 2", field="cv_folds")
    if form.tune != "none" and k < 2:
        text = "超参数搜索按交叉验证的得分挑选，“交叉验证折数”须至少为 2"
        remedy = SetRemedy(title="折数改为 5", set={"cv_folds": 5})
        raise Refusal("data.folds", text, field="cv_folds", also=["tune"], remedies=[remedy])
    if k > n * form.train_ratio / 2:
        text = "训练集大约 {n} 行，分不成 {k} 折（每折至少 2 行）；请减少折数"
        remedy = SetRemedy(title="折数改为 5", set={"cv_folds": 5})
        facts: dict[str, Any] = {"n": int(n * form.train_ratio), "k": k}
        raise Refusal("data.folds", text, field="cv_folds", also=["train_ratio"], remedies=[remedy], **facts)


def _same_as(column: Column, y: Floats) -> bool:
    """Is the variable the outcome, or the outcome in another unit?"""
    if column.is_categorical or column.info.storage == "text":
        return False
    values = raw_values(column)
    known = ~np.isnan(values)
    x, outcome = values[known], y[known]
    if x.size < 3 or np.ptp(x) == 0 or np.ptp(outcome) == 0:
        return False
    x, outcome = x / np.abs(x).max(), outcome / np.abs(outcome).max()
    x, outcome = x - x.mean(), outcome - outcome.mean()
    below = float(np.sqrt((x @ x) * (outcome @ outcome)))
    return below > 0 and abs(float(x @ outcome)) / below > 1 - COPY
