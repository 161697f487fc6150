"""Every table and chart that classifiers share, from what training found."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Reference, Report
from hengxi.contract.fields import ChoiceField, FlagField, IntegerField, NumberField
from hengxi.contract.form import SEED
from hengxi.methods.supervised_learning.classifier._shared import delivery
from hengxi.methods.supervised_learning.classifier._shared.fitting import MOST_CROSSED, MOST_SEARCHED, is_long
from hengxi.methods.supervised_learning.classifier._shared.found import Found
from hengxi.methods.supervised_learning.classifier._shared.searching import Trial
from hengxi.methods.supervised_learning.classifier._shared.task import Codes
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

MOST_BARS = 30
CURVE_POINTS = 500
STOPPED = "按要求停止，这一步没有做"
LONG = f"训练集超过 {MOST_CROSSED} 行，不做交叉验证与学习曲线，以测试集的得分为准"


def write(report: Report, method: Any, form: Any, found: Found) -> None:
    _evaluation(report, method, form, found)
    _importance(report, method, found)
    task = found.task
    write_confusion(report, method, task.classes, task.y[task.test], found.called(found.proba[task.test]), "测试集")
    write_confusion(report, method, task.classes, task.y[task.train], found.called(found.proba[task.train]), "训练集")
    write_classes(report, method, task.classes, task.y[task.test], found.proba[task.test], found)
    write_curves(report, method, task.classes, task.y[task.test], found.proba[task.test], task.event)
    _counts(report, method, found)
    _folds(report, method, form, found)
    _trials(report, method, form, found)
    _settings(report, method, form, found)
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
        report.note(method.evaluation, LONG + "。")
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


def _importance(report: Report, method: Any, found: Found) -> None:
    shuffled, own = found.shuffled, found.own_importance
    mean = None if shuffled is None else shuffled.means
    sd = None if shuffled is None else shuffled.losses.std(axis=1, ddof=1)
    for place, j in enumerate(found.order):
        cells: dict[str, Any] = {
            "name": found.task.names[j],
            "share": None if own is None else own[j],
            "loss": None if mean is None else mean[j],
            "sd": None if sd is None else sd[j],
        }
        report.row(method.importance, **cells)
        if mean is not None and sd is not None and place < MOST_BARS:
            name, at = found.task.names[j], float(mean[j])
            report.row(method.bars, name=name, loss=at, low=at - float(sd[j]), high=at + float(sd[j]))
    if mean is None:
        report.note(method.importance, "置换重要性：" + STOPPED + "。")
        report.skip(method.bars, STOPPED)
        return
    report.note(
        method.importance, "置换重要性是在测试集上打乱该变量后准确率的下降，10 次重复的均值与标准差，可能为负；"
        "相关的变量会互相顶替，各自的值都偏小。",
    )  # fmt: skip
    if shuffled is not None and shuffled.rows.size < found.task.test.size:
        text = "测试集很大，置换重要性用其中随机抽取的 {k:integer} 行计算。"
        report.note(method.importance, text, k=int(shuffled.rows.size))
    if len(found.order) > MOST_BARS:
        report.note(method.importance_plot, "只画最大的 {k:integer} 个变量，其余见表。", k=MOST_BARS)


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


def why_not_crossed(form: Any, found: Found) -> str:
    if not form.cv_folds:
        return "没有要求交叉验证"
    return LONG if is_long(found.task) else STOPPED


def _folds(report: Report, method: Any, form: Any, found: Found) -> None:
    crossed, task = found.crossed, found.task
    if crossed is None:
        report.skip(method.folds, why_not_crossed(form, found))
        return
    rows: list[dict[str, float | None]] = []
    y = task.y[task.train]
    for fold in range(form.cv_folds):
        here = crossed.fold == fold
        one = found.scored(y[here], crossed.proba[here])
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


def _trials(report: Report, method: Any, form: Any, found: Found) -> None:
    if form.tune == "none":
        return
    if not found.trials:
        report.skip(method.trials, STOPPED)
        report.skip(method.tried, STOPPED)
        return
    sign = -1.0 if form.tune_metric == "log_loss" else 1.0
    fields = method.Input.fields
    for rank, trial in enumerate(found.trials, 1):
        words = "，".join(f"{fields[key].title} = {_titled(fields[key], value)}" for key, value in trial.params.items())
        sd = float(np.std(trial.scores, ddof=1))
        report.row(method.trials, rank=rank, params=words, mean=sign * trial.mean, sd=sd)
    for key in found.trials[0].params:
        _tried(report, method, fields[key], key, found.trials, sign)
    report.chart(method.tried_plot, titles={"y": _titled(fields["tune_metric"], form.tune_metric)})
    text = "每个点是一组参数的得分（各折均值），空心标记是取该值的各组的均值，线段由最低到最高。"
    report.note(method.tried_plot, text)
    if form.tune_metric == "log_loss":
        report.note(method.trials, "对数损失越小越好。")
    if is_long(found.task):
        report.note(method.trials, "训练行很多，搜索只用其中随机抽取的 {k:integer} 行。", k=MOST_SEARCHED)
    text = "试了 {k:integer} 组，按“{metric}”挑选。搜索与交叉验证用同样的折，所以交叉验证的得分略微偏高，以测试集为准。"
    metric = _titled(fields["tune_metric"], form.tune_metric)
    report.note(method.trials, text, k=len(found.trials), metric=metric)


def _tried(report: Report, method: Any, field: Any, key: str, trials: list[Trial], sign: float) -> None:
    """One small picture of a setting: the scores of all trials by its value, in the order of the values."""
    values = list(dict.fromkeys(trial.params[key] for trial in trials))
    values.sort(key=lambda value: (value is None, value if isinstance(value, int | float) else 0))
    for value in values:
        word = _titled(field, value)
        scores = [sign * trial.mean for trial in trials if trial.params[key] == value]
        spread: dict[str, Any] = {"mean": float(np.mean(scores)), "low": min(scores), "high": max(scores)}
        report.row(method.tried, setting=field.title, value=word, **spread)
        for score in scores:
            report.row(method.tried_cases, setting=field.title, value=word, score=score)


def _word(value: Any) -> str:
    if value is None:
        return "不限"
    return (
        "是" if value is True else "否" if value is False else f"{value:g}" if isinstance(value, float) else str(value)
    )


def _settings(report: Report, method: Any, form: Any, found: Found) -> None:
    """Every setting with its value, and whether the user, the search or nobody chose it."""
    searched = found.trials[0].params if found.trials else {}
    task = found.task
    report.row(
        method.settings, name="训练集与测试集", value=f"{task.train.size} 行与 {task.test.size} 行", source="数据"
    )
    for key, field in method.Input.fields.items():
        if not isinstance(field, ChoiceField | FlagField | IntegerField | NumberField) or key == "save_model":
            continue
        value = searched.get(key, getattr(form, key))
        if value is None and field.when is not None:
            continue
        default = getattr(field, "default", None)
        source = "搜索" if key in searched else "默认" if getattr(form, key) == default else "用户"
        report.row(method.settings, name=field.title, value=_titled(field, value), source=source)
    report.row(method.settings, name="随机种子", value=str(form.seed), source="默认" if form.seed == SEED else "用户")


def _titled(field: Any, value: Any) -> str:
    if isinstance(field, ChoiceField):
        return next((one.title for one in field.options if one.key == value), str(value))
    if value is None and field.auto is not None:
        return str(field.auto.title)
    return _word(value)
