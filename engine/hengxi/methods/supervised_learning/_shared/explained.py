"""SHAP: how far each variable moved the answers to test rows; values, and the points of their figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Report
from hengxi.methods.supervised_learning._shared.fitting import Fit
from hengxi.methods.supervised_learning._shared.task import Codes, Task
from hengxi.stats.boxes import box
from hengxi.stats.learning import shapley
from hengxi.stats.learning.shapley import Shapley
from hengxi.stats.moments import Floats, Ordered
from hengxi.stats.names import number_words

TREES, BY_COALITIONS, LINEAR = "TreeSHAP", "逐个组合计算的 SHAP", "线性 SHAP"
"""How the values are found (`Learner.shap_kind`, `Learner.shap_kind_of`)."""
BACKGROUND = "不在组合里的变量取 {b:integer} 个背景行的值再平均；背景行由随机种子从训练集抽取。"
TOO_MANY = f"自变量超过 {shapley.MOST_VARIABLES} 个，逐个组合计算太久，不做 SHAP 解释；请看置换重要性，或减少自变量"
MOST_BARS, MOST_DEPENDENCES = 20, 3
NOTHING = 1e-14
"""A mean this close to 0 is 0: log odds of classes of equal weight."""
MOST_DRAWN = 200
"""Rows drawn of each variable in a swarm or a dependence; the tables read all rows explained."""


@dataclass
class Explanation:
    """`rows`: places of the test rows explained; `values`: rows × variables × outputs; `case`: one row's own."""

    rows: Codes
    values: Floats
    base: Floats
    error: float
    case_row: int
    case: Floats
    case_end: Floats
    """The answers of that row on the scale the values add up on (`Learner.explained_answers`)."""
    kind: str
    background: Codes | None = None
    """Training rows whose values stand for absent variables; None: trees need none."""

    def means(self, outputs: list[int]) -> Floats:
        """Mean size of the values: variables × outputs."""
        found: Floats = np.abs(self.values[:, :, outputs]).mean(axis=0)
        return found


def explain(task: Task, fit: Fit, method: Any, answers: Floats, seed: int) -> Explanation | None:
    """The values of as many test rows as the method can afford, drawn by the seed, and of the one row asked for.

    None where the method has no explainer of its own and there are too many variables to ask all coalitions.
    """
    variables, kind = len(task.features), method.shap_kind_of(fit.learner)
    if kind == BY_COALITIONS and variables > shapley.MOST_VARIABLES:
        return None
    rng = np.random.default_rng([seed, 4])
    background: Codes | None = None
    rows = task.test
    if kind == BY_COALITIONS:
        background = np.sort(rng.choice(task.train, min(shapley.BACKGROUND, task.train.size), replace=False))
        most = shapley.rows_by_coalitions(variables, background.size, rows.size)
    else:
        most = method.explained_rows(fit.learner, rows.size)
    if rows.size > most:
        rows = np.sort(rng.choice(rows, most, replace=False))
    case = int(task.test[0]) if task.case is None else task.case
    places = np.append(rows, case)
    coded = fit.coding.apply(task.x[places])
    if background is None:
        found: Shapley = method.explainer(fit.learner, coded, task.k).summed(fit.coding.places, variables)
    else:
        behind = fit.coding.apply(task.x[background])
        found = shapley.by_coalitions(lambda x: method.answers(fit.learner, x), coded, behind, fit.coding.places)
    ends = answers[places] if background is not None else method.explained_answers(fit.learner, coded, answers[places])
    base = np.where(np.abs(found.base) < NOTHING, 0.0, found.base)
    return Explanation(
        rows, found.values[:-1], base, found.error(ends), case, found.values[-1], ends[-1], kind, background
    )


def drawn_rows(rows: int) -> Codes:
    return np.unique(np.linspace(0, rows - 1, min(rows, MOST_DRAWN)).astype(np.int64))


def swarm(
    report: Report, method: Any, task: Task, one: Explanation, order: list[int], shown: list[int], drawn: Codes
) -> None:
    for c in shown:
        for j in order:
            n = drawn.size
            columns = {
                "series": np.array([task.outputs[c]] * n, dtype=object),
                "name": np.array([task.names[j]] * n, dtype=object),
                "value": one.values[drawn, j, c],
                "shade": _shade(task, j, task.x[one.rows[drawn], j]),
            }
            report.add_rows(method.swarm, columns)
    thinned = None if drawn.size == one.rows.size else (int(drawn.size), int(one.rows.size))
    report.chart(method.swarm_plot, thinned=thinned)


def _shade(task: Task, j: int, values: Floats) -> Floats:
    """0 low to 1 high: between the 5th and the 95th percentile, so that one far value does not pale all others."""
    size = task.sizes[j]
    known = values[~np.isnan(values)]
    if not known.size:
        return np.full(values.size, 0.5)
    low, high = (0.0, max(size - 1.0, 1.0)) if size else np.quantile(known, [0.05, 0.95])
    span = high - low
    share: Floats = np.clip((values - low) / span, 0, 1) if span > 0 else np.full(values.size, 0.5)
    return np.nan_to_num(share, nan=0.5)


def dependence(
    report: Report, method: Any, task: Task, one: Explanation, order: list[int], shown: list[int], drawn: Codes
) -> None:
    numbers = [j for j in order if not task.sizes[j]][:MOST_DEPENDENCES]
    levels = [j for j in order if task.sizes[j]][:MOST_DEPENDENCES]
    for j in numbers:
        x = task.x[one.rows[drawn], j]
        known = drawn[~np.isnan(x)]
        for c in shown:
            columns = {
                "name": np.array([task.names[j]] * known.size, dtype=object),
                "series": np.array([task.outputs[c]] * known.size, dtype=object),
                "x": task.x[one.rows[known], j],
                "value": one.values[known, j, c],
            }
            report.add_rows(method.dependence, columns)
    for j in levels:
        _boxes(report, method, task, one, j, shown)
    if not numbers:
        report.skip(method.dependence, "没有定量的自变量")
    if not levels:
        report.skip(method.by_level, "没有定类的自变量")


def _boxes(report: Report, method: Any, task: Task, one: Explanation, j: int, shown: list[int]) -> None:
    x = task.x[one.rows, j]
    for place, level in enumerate((task.features[j].levels or [])[:MOST_BARS]):
        here = x == place
        for c in shown if here.any() else ():
            b = box(Ordered.of(one.values[here, j, c]))
            report.row(
                method.by_level, name=task.names[j], series=task.outputs[c], level=level.label, low=b.low, q1=b.q1,
                median=b.median, q3=b.q3, high=b.high,
            )  # fmt: skip


def value_words(task: Task, row: int, j: int) -> str:
    """A value as a person would name it: the level, the day, the number."""
    value = task.x[row, j]
    levels = task.features[j].levels
    if np.isnan(value):
        return "缺失"
    if levels is not None:
        return levels[int(value)].label
    if task.columns[j].measure == "时间":
        return str(np.datetime64(int(value), "D"))
    return number_words(value)
