"""Every table and chart that classifiers share, from what training found."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Reference, Report
from hengxi.methods.supervised_learning._shared import reporting
from hengxi.methods.supervised_learning._shared.fitting import is_long
from hengxi.methods.supervised_learning._shared.task import Codes
from hengxi.methods.supervised_learning.classifier._shared import delivery
from hengxi.methods.supervised_learning.classifier._shared.found import Found
from hengxi.stats.learning.scoring import (
    Scores,
    brier,
    by_class,
    calibration,
    class_auc,
    confusion,
    pr_points,
    roc_points,
)
from hengxi.stats.moments import Floats
from hengxi.stats.thin import thin

CURVE_POINTS = 500


def write(report: Report, method: Any, form: Any, found: Found) -> None:
    write_judged(report, method, form, found)
    _counts(report, method, found)
    _folds(report, method, form, found)
    reporting.trials(report, method, form, found)
    reporting.settings(report, method, form, found)


def write_judged(report: Report, method: Any, form: Any, found: Found) -> None:
    """What the rows left out say of the model."""
    _evaluation(report, method, form, found)
    reporting.importance(report, method, found)
    task = found.task
    write_confusion(report, method, task.classes, task.y[task.test], found.called(found.proba[task.test]), "测试集")
    write_confusion(report, method, task.classes, task.y[task.train], found.called(found.proba[task.train]), "训练集")
    write_classes(report, method, task.classes, task.y[task.test], found.proba[task.test], found)
    write_curves(report, method, task.classes, task.y[task.test], found.proba[task.test], task.event)
    delivery.predictions(report, method, found)


def evaluation_row(report: Report, method: Any, part: str, one: Scores, with_loss: bool = True) -> dict[str, Any]:
    return report.row(
        method.evaluation, part=part, n=one.n, accuracy=one.accuracy, low=one.low, high=one.high,
        balanced=one.balanced, precision=one.precision, recall=one.recall, f1=one.f1, auc=one.auc,
        auc_low=one.auc_low, auc_high=one.auc_high, log_loss=one.log_loss if with_loss else None, kappa=one.kappa,
        mcc=one.mcc,
    )  # fmt: skip


def _evaluation(report: Report, method: Any, form: Any, found: Found) -> None:
    task = found.task
    evaluation_row(report, method, "测试集", found.test)
    if (crossed := found.crossed_scores) is not None:
        evaluation_row(report, method, "交叉验证", crossed)
        text = "“交叉验证”一行：训练行分成 {k:integer} 份，每份由没见过它的模型来判，合在一起计分。"
        report.note(method.evaluation, text, k=form.cv_folds)
    elif form.cv_folds and is_long(task):
        report.note(method.evaluation, reporting.LONG + "。")
    evaluation_row(report, method, "训练集", found.train)
    # A class called with certainty has no sensible logarithmic loss.
    evaluation_row(report, method, f"基线：全猜“{task.classes[found.major]}”", found.baseline, with_loss=False)
    if task.event is not None:
        report.note(
            method.evaluation, "精确率、召回率与 F1 是正类“{c}”的；预测概率不低于 {t:num} 判为正类。",
            c=task.classes[task.event], t=form.threshold,
        )  # fmt: skip
    else:
        report.note(method.evaluation, "精确率、召回率与 F1 为各类的宏平均；每行判为概率最大的类。")


def write_confusion(report: Report, method: Any, classes: list[str], y: Codes, chosen: Codes, at: str | None) -> None:
    table = confusion(y, chosen, len(classes))
    for c, name in enumerate(classes):
        total = int(table[c].sum())
        wide = {
            other: {"n": int(table[c, d]), "share": table[c, d] / total if total else None}
            for d, other in enumerate(classes)
        }
        report.row(method.confusion, at=at, actual=name, wide=wide)
        for d, other in enumerate(classes):
            report.row(method.cells, at=at, actual=name, called=other, n=int(table[c, d]))


def write_classes(report: Report, method: Any, classes: list[str], y: Codes, proba: Floats, found: Any) -> None:
    table = confusion(y, found.called(proba), len(classes))
    each = by_class(table)
    for c, name in enumerate(classes):
        report.row(
            method.classes, level=name, precision=_known(each.precision[c]), recall=_known(each.recall[c]),
            f1=_known(each.f1[c]), auc=class_auc(y, proba, c), n=int(each.n[c]),
        )  # fmt: skip
    here = each.n > 0
    areas = [class_auc(y, proba, c) for c in range(len(classes))]
    known = np.array([np.nan if a is None else a for a in areas])
    columns = {"precision": np.nan_to_num(each.precision), "recall": each.recall, "f1": each.f1}
    for title, weight in (("宏平均", here.astype(float)), ("加权平均", each.n.astype(float))):
        cells: dict[str, Any] = {name: _average(values, weight) for name, values in columns.items()}
        report.row(method.classes, level=title, total=True, **cells, auc=_average(known, weight), n=int(each.n.sum()))


def _average(values: Floats, weight: Floats) -> float | None:
    good = ~np.isnan(values) & (weight > 0)
    return float(np.average(values[good], weights=weight[good])) if good.any() else None


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def write_curves(report: Report, method: Any, classes: list[str], y: Codes, proba: Floats, event: int | None) -> None:
    """One curve a class against the rest; of two classes only the event's; macro and micro averages of more."""
    shown = [event] if event is not None else list(range(len(classes)))
    present = [c for c in shown if 0 < int((y == c).sum()) < y.size]
    if not present:
        for element in (method.areas, method.roc, method.pr, method.bins):
            report.skip(element, "这些行里只有一个类别，画不出曲线")
        return
    curves = []
    for c in present:
        positive, score = y == c, proba[:, c]
        x, rate = roc_points(score, positive)
        curves.append((x, rate))
        recall, precision, ap = pr_points(score, positive)
        area, base = class_auc(y, proba, c), float(positive.mean())
        own = float(np.mean((score - positive) ** 2))
        report.row(method.areas, level=classes[c], auc=area, ap=ap, base=base, brier=own)
        if event is not None:
            text = "AUC 为 {auc:num}；斜线是随机判断。"
            report.note(method.roc_plot, text, auc=area)
            report.chart(method.pr_plot, over=[Reference(y=base)])
            text = "平均精确率 AP 为 {ap:num}；虚线是基线，即正类占比 {base:percent}。"
            report.note(method.pr_plot, text, ap=ap, base=base)
        _curve(report, method.roc, classes[c], x, rate)
        _curve(report, method.pr, classes[c], np.append(0.0, recall), np.append(precision[0], precision))
        found = calibration(score, positive)
        series = np.array([classes[c]] * found.n.size, dtype=object)
        report.add_rows(method.bins, {"series": series, "mean": found.mean, "rate": found.rate, "n": found.n})
    if event is None:
        _averages(report, method, y, proba, present, curves)
        text = "各类的 AUC、AP 与基线（该类占比）见表“曲线下面积”；越靠近{corner:text}越好。"
        report.note(method.roc_plot, text, corner="左上角")
        report.note(method.pr_plot, text, corner="右上角")
        text = "Brier 是每个类别对其余的均方差；各类相加（多分类 Brier）为 {b:num}。"
        report.note(method.areas, text, b=brier(y, proba))
    report.note(method.calibration, "预测概率按 10 个等宽的箱分组，空箱略去；点在对角线上表示概率可信。")


def _averages(report: Report, method: Any, y: Codes, proba: Floats, present: list[int], curves: Any) -> None:
    grid = np.unique(np.concatenate([x for x, _ in curves]))
    mean = np.mean([_at(grid, x, rate) for x, rate in curves], axis=0)
    _curve(report, method.roc, "宏平均", np.append(0.0, grid), np.append(0.0, mean))
    positive = (y[:, None] == np.array(present)).ravel()
    _curve(report, method.roc, "微平均", *roc_points(proba[:, present].ravel(), positive))


def _at(grid: Floats, x: Floats, rate: Floats) -> Floats:
    """The curve at these false positive rates; the upper end of a step."""
    places, last = np.unique(x, return_index=True)
    ends = np.append(last[1:], x.size) - 1
    found: Floats = np.interp(grid, places, rate[ends])
    return found


def _curve(report: Report, table: Any, name: str, x: Floats, y: Floats) -> None:
    kept = thin(x.size, most=CURVE_POINTS)
    kept = np.unique(np.append(kept, [0, x.size - 1]))
    series = np.array([name] * kept.size, dtype=object)
    report.add_rows(table, {"series": series, "x": x[kept], "y": y[kept]})


def _counts(report: Report, method: Any, found: Found) -> None:
    task = found.task
    train, test = (np.bincount(task.y[rows], minlength=task.k) for rows in (task.train, task.test))
    for c, name in enumerate(task.classes):
        n = int(task.counts[c])
        share = n / task.y.size
        report.row(method.counts, level=name, n=n, share=share, train=int(train[c]), test=int(test[c]))


def _folds(report: Report, method: Any, form: Any, found: Found) -> None:
    crossed, task = found.crossed, found.task
    if crossed is None:
        report.skip(method.folds, reporting.why_not_crossed(form, found))
        return
    rows: list[dict[str, float | None]] = []
    y = task.y[task.train]
    for fold in range(form.cv_folds):
        here = crossed.fold == fold
        one = found.scored(y[here], crossed.answers[here])
        cells: dict[str, float | None] = {
            "accuracy": one.accuracy, "balanced": one.balanced, "f1": one.f1_macro, "auc": one.auc,
            "log_loss": one.log_loss,
        }  # fmt: skip
        rows.append(cells)
        report.row(method.folds, fold=f"第 {fold + 1} 折", n=one.n, **cells)  # type: ignore[arg-type]
    names = list(rows[0])
    for title, how in (("均值", np.mean), ("标准差", lambda v: np.std(v, ddof=1))):
        made: dict[str, Any] = {}
        for name in names:
            values = [value for row in rows if (value := row[name]) is not None]
            made[name] = float(how(values)) if len(values) > 1 else None
        report.row(method.folds, fold=title, total=True, n=None, **made)
