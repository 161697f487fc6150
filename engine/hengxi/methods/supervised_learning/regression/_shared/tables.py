"""Every table and chart that regressors share, from what training found."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hengxi.contract import Report
from hengxi.families.regression.charts import normal_quantiles
from hengxi.methods.supervised_learning._shared import reporting
from hengxi.methods.supervised_learning._shared.delivery import hand_out
from hengxi.methods.supervised_learning._shared.fitting import is_long
from hengxi.methods.supervised_learning.regression._shared.found import Found
from hengxi.stats.histogram import histogram
from hengxi.stats.learning.value_scores import Gain, Scores, score
from hengxi.stats.moments import Floats
from hengxi.stats.thin import extremes, thin

MOST_WORST = 10
MOST_DRAWN = 500
"""Rows of the figure by row number."""


def write(report: Report, method: Any, form: Any, found: Found) -> None:
    write_judged(report, method, form, found)
    _folds(report, method, form, found)
    reporting.trials(report, method, form, found)
    reporting.settings(report, method, form, found)


def write_judged(report: Report, method: Any, form: Any, found: Found) -> None:
    """What the rows left out say of the model."""
    task, test = found.task, found.task.test
    _evaluation(report, method, form, found)
    rows = np.asarray(task.columns[0].row_numbers)[test]
    write_residuals(report, method, rows, task.y[test], found.predicted[test])
    reporting.importance(report, method, found)
    _predictions(report, method, found)


def evaluation_row(report: Report, method: Any, part: str, scores: Scores) -> None:
    report.row(
        method.evaluation, part=part, n=scores.n, rmse=scores.rmse, mse=scores.mse, mae=scores.mae, mape=scores.mape,
        median=scores.median, r2=scores.r2,
    )  # fmt: skip


def write_gain(report: Report, method: Any, gain: Gain, baseline: Scores) -> None:
    share = gain.mean / baseline.mse if baseline.mse > 0 else None
    report.row(method.gain, mean=gain.mean, low=gain.low, high=gain.high, share=share, n=baseline.n)
    report.note(method.gain, "逐行比较平方误差，区间为配对 *t* 区间。整个区间大于 0，才能说模型好于基线。")


def _evaluation(report: Report, method: Any, form: Any, found: Found) -> None:
    evaluation_row(report, method, "测试集", found.test)
    if (crossed := found.crossed_scores) is not None:
        evaluation_row(report, method, "交叉验证", crossed)
        text = "“交叉验证”一行：训练行分成 {k:integer} 份，每份由没见过它的模型来预测，合在一起计分。"
        report.note(method.evaluation, text, k=form.cv_folds)
    elif form.cv_folds and is_long(found.task):
        report.note(method.evaluation, reporting.LONG + "。")
    evaluation_row(report, method, "训练集", found.train)
    evaluation_row(report, method, "基线：全猜训练集的均值", found.baseline)
    note_undefined(report, method, [found.test, found.train, crossed])
    write_gain(report, method, found.gain, found.baseline)


def note_undefined(report: Report, method: Any, parts: list[Scores | None]) -> None:
    if any(scores is not None and scores.mape is None for scores in parts):
        report.note(method.evaluation, "真实值里有 0 的部分没有 MAPE。")
    report.note(
        method.evaluation, "RMSE、MAE 与因变量的单位相同，越小越好；*R*² 越接近 1 越好，小于 0 表示还不如猜均值。"
    )


def write_residuals(report: Report, method: Any, rows: NDArray[np.int64], y: Floats, predicted: Floats) -> None:
    """The figures of true and predicted values and the rows predicted worst; `rows` are the numbers of the rows."""
    residual = y - predicted
    shown = thin(y.size, np.unique(extremes(residual)))
    points = {"row": rows[shown], "predicted": predicted[shown], "actual": y[shown], "residual": residual[shown]}
    report.add_rows(method.fitted, points)
    thinned = (int(shown.size), int(y.size)) if shown.size < y.size else None
    for chart in (method.fitted_plot, method.residual_plot):
        report.chart(chart, thinned=thinned)
    report.note(method.fitted_plot, "斜线上的点预测得正好；在线上方的点被预测低了，下方的点被预测高了。")
    report.note(method.residual_plot, "残差 = 真实值 − 预测值；没有问题时散在 0 的上下，不弯也不散开。")
    _by_row(report, method, y, predicted)
    found = histogram(residual)
    low, high = found.edges[:-1], found.edges[1:]
    report.add_rows(method.bins, {"low": low, "high": high, "n": found.counts.astype(np.int64)})
    spread = float(residual.std(ddof=1)) if residual.size > 1 else 0.0
    if spread > 0:
        normal_quantiles(report, method, (residual - residual.mean()) / spread)
    else:
        report.skip(method.quantiles, "残差没有变化")
    order = np.argsort(-np.abs(residual), kind="stable")[:MOST_WORST]
    worst = {"row": rows[order], "actual": y[order], "predicted": predicted[order], "residual": residual[order]}
    report.add_rows(method.worst, worst)


def _by_row(report: Report, method: Any, y: Floats, predicted: Floats) -> None:
    """True and predicted values in the order of the rows; the first ones of many."""
    n = min(y.size, MOST_DRAWN)
    for name, values in (("真实值", y), ("预测值", predicted)):
        series = np.array([name] * n, dtype=object)
        report.add_rows(method.order, {"series": series, "place_of": np.arange(1, n + 1), "value": values[:n]})
    if n < y.size:
        report.note(method.order_plot, "只画前 {n:integer} 行，共 {of:integer} 行。", n=n, of=int(y.size))


def _folds(report: Report, method: Any, form: Any, found: Found) -> None:
    crossed, task = found.crossed, found.task
    if crossed is None:
        report.skip(method.folds, reporting.why_not_crossed(form, found))
        return
    y = task.y[task.train]
    names = ("rmse", "mae", "r2")
    rows: list[dict[str, float | None]] = []
    for fold in range(form.cv_folds):
        here = crossed.fold == fold
        scores = score(y[here], crossed.answers[here, 0])
        rows.append({name: getattr(scores, name) for name in names})
        report.row(method.folds, fold=f"第 {fold + 1} 折", n=scores.n, **rows[-1])  # type: ignore[arg-type]
    for title, how in (("均值", np.mean), ("标准差", lambda values: np.std(values, ddof=1))):
        cells: dict[str, Any] = {}
        for name in names:
            values = [value for row in rows if (value := row[name]) is not None]
            cells[name] = float(how(values)) if len(values) > 1 else None
        report.row(method.folds, fold=title, total=True, n=None, **cells)


def _predictions(report: Report, method: Any, found: Found) -> None:
    """Of the test rows; new variables hold every row used and say which part it was in."""
    task, test = found.task, found.task.test
    rows = np.asarray(task.columns[0].row_numbers)
    predicted, residual = found.predicted, found.residuals
    cells = {"row": rows[test], "actual": task.y[test], "predicted": predicted[test], "residual": residual[test]}
    report.add_rows(method.predictions, cells)
    lines = [[int(rows[i]), float(task.y[i]), float(predicted[i]), float(residual[i])] for i in test]
    hand_out(report, method, "测试集预测", ["行号", "真实值", "预测值", "残差"], lines)
    part = np.full(task.y.size, "训练集", dtype=object)
    part[test] = "测试集"
    report.columns(method.columns, {"预测值": predicted, "残差": residual, "数据划分": part})
