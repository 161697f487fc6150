"""Points for the pictures of a logistic regression."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report
from hengxi.families.regression.charts import ratio_forest
from hengxi.methods.statistical._shared.logistic_model import Model
from hengxi.methods.statistical._shared.logistic_tables import Found
from hengxi.stats.moments import quantiles
from hengxi.stats.stretches import stretch_of

CORNERS, BINS, PARTS, VARIABLES = 2000, 20, 10, 12


def draw(report: Report, cls: Any, model: Model, found: Found) -> None:
    ratio_forest(report, cls, model, "OR")
    _roc(report, cls, model, found)
    report.note(cls.calibration, "点为每组的预测概率均值与实际比例，竖线为实际比例的 CI；越靠近对角线，概率越可信。")
    _spread(report, cls, model)
    _logits(report, cls, model)


def _roc(report: Report, cls: Any, model: Model, found: Found) -> None:
    false_rate, true_rate = found.roc.false_rate, found.roc.true_rate
    # Corners only: points on a straight piece add nothing.
    turn = np.ones(false_rate.size, dtype=bool)
    across = np.diff(false_rate)[:-1] * np.diff(true_rate)[1:] - np.diff(false_rate)[1:] * np.diff(true_rate)[:-1]
    turn[1:-1] = across != 0
    places = np.flatnonzero(turn)
    whole = int(places.size)
    if whole > CORNERS:
        places = places[np.unique(np.linspace(0, whole - 1, CORNERS).astype(int))]
        report.chart(cls.roc_plot, thinned=(int(places.size), whole))
    report.add_rows(cls.roc_points, {"x": false_rate[places], "y": true_rate[places]})
    report.note(cls.roc_plot, "曲线越靠左上角，区分得越好；对角线为随机猜测。AUC = {auc:num}。", auc=found.roc.auc)


def _spread(report: Report, cls: Any, model: Model) -> None:
    p, y, f = model.probabilities, model.data.y, model.data.counts
    place = np.minimum((p * BINS).astype(int), BINS - 1)
    for one, code in ((model.other, 0.0), (model.event, 1.0)):
        at = y == code
        counts = np.bincount(place[at], f[at], minlength=BINS)
        for i, count in enumerate(counts):
            report.row(cls.spread, series=one.label, low=i / BINS, high=(i + 1) / BINS, count=round(float(count)))
    report.note(cls.spread_plot, "两类的预测概率分得越开，模型区分得越好。")


def _logits(report: Report, cls: Any, model: Model) -> None:
    """Empirical logits, (events + ½) / (others + ½), in groups of about the same size."""
    f, y = model.data.counts, model.data.y
    drawn, cases = 0, f * y
    for term in model.design.terms:
        if len(term.factors) > 1 or not term.numeric or drawn == VARIABLES:
            continue
        x = np.asarray(model.design.factors[term.factors[0]].values)
        copies = None if model.form.freq is None else f
        cuts = np.unique(quantiles(x, [i / PARTS for i in range(1, PARTS)], copies, kind=7))
        place = stretch_of(x, cuts, "left")
        n, events = np.bincount(place, f), np.bincount(place, cases)
        if np.count_nonzero(n) < 3:
            continue
        drawn += 1
        top = max(abs(float(x.min())), abs(float(x.max()))) or 1.0
        sums = np.bincount(place, f * (x / top))
        model.form.y.let_go()
        for k in np.flatnonzero(n):
            height = float(np.log((events[k] + 0.5) / (n[k] - events[k] + 0.5)))
            report.row(cls.logits, name=term.name, x=float(sums[k] / n[k]) * top, y=height)
    if not drawn:
        report.skip(cls.logits, "没有取值足够多的定量自变量")
        return
    report.note(
        cls.logit_plot,
        "把自变量按大小分成例数相近的组，纵轴为 ln[(事件数 + ½)/(非事件数 + ½)]；大致成一条直线时，“logit 线性”成立。",
    )
