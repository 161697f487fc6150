"""Scores of models trained on more and more rows: is the model learning by heart, too weak, or short of rows?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Report, SetRemedy
from hengxi.contract.report import more
from hengxi.methods.supervised_learning.classifier._shared.fitting import Crossed, Recipe, Watch, fold_rows, right
from hengxi.methods.supervised_learning.classifier._shared.task import Codes, Task
from hengxi.stats.learning.scoring import called
from hengxi.stats.moments import Floats

SHARES = (0.2, 0.4, 0.7, 1.0)
MOST_TRAINED, MOST_ASKED = 2_000, 10_000
"""Rows of the largest extra model, and rows of a fold it is asked about; the last point is the cross-validation."""
LEAST_OF_A_CLASS = 5
GAP, WEAK, GAIN = 0.20, 0.10, 0.02
"""Shares of the room that always calling the most frequent class leaves.

Where one class holds 95 % of the rows a score of 98 % is more than half the way, and one of 95 % is nothing at all.
"""
BY_HEART = 0.99
"""Accuracy on the training rows."""
LEAF = 5
"""Rows of a leaf that are offered against overfitting."""


@dataclass
class Curve:
    """Accuracy on the rows learned from and on the fold left out: sizes × folds."""

    sizes: list[int]
    learned: Floats
    crossed: Floats
    sampled: bool

    def read(self, which: str) -> tuple[Floats, Floats]:
        scores = getattr(self, which)
        return scores.mean(axis=1), scores.std(axis=1, ddof=1)


def trace(task: Task, form: Any, recipe: Recipe, crossed: Crossed, watch: Watch) -> Curve | None:
    """None where there are too few rows for a second size, or the run was stopped."""
    splits = list(fold_rows(task, form))
    whole = min(inner.size for inner, _ in splits)
    most = min(whole, MOST_TRAINED)
    least = LEAST_OF_A_CLASS * task.k
    sizes = sorted({max(least, round(share * most)) for share in SHARES if share * most >= 1} | {whole})
    sizes = [size for size in sizes if size <= whole]
    if len(sizes) < 2:
        return None
    learned, asked = (np.zeros((len(sizes), len(splits))) for _ in range(2))
    tell = watch.stage("学习曲线")
    steps = (len(sizes) - 1) * len(splits)
    for f, (inner, outer) in enumerate(splits):
        order = _order(task.y[inner], form, f)
        fold = _some(outer, form.seed)
        for s, size in enumerate(sizes[:-1]):
            rows = np.sort(inner[order[:size]])
            if np.unique(task.y[rows]).size < 2:
                return None
            fit = recipe.fit(task, rows, lambda *_: True, "学习曲线")
            learned[s, f] = right(fit, task, rows, form.threshold)
            asked[s, f] = right(fit, task, fold, form.threshold)
            done = f * (len(sizes) - 1) + s + 1
            if not tell(done, steps, f"学习曲线：第 {done}/{steps} 个模型"):
                return None
        here = crossed.fold == f
        hits = task.y[task.train][here] == called(crossed.proba[here], task.event, form.threshold)
        learned[-1, f], asked[-1, f] = crossed.learned[f], float(np.mean(hits))
    return Curve(sizes, learned, asked, whole > MOST_TRAINED)


def _order(y: Codes, form: Any, fold: int) -> Codes:
    """Rows in the order they are added, as they stand or drawn; stratified, every start keeps the classes' shares."""
    n = y.size
    order = np.random.default_rng([form.seed, 2, fold]).permutation(n) if form.shuffle else np.arange(n)
    if not form.stratify:
        return order
    places = np.zeros(n)
    for c in np.unique(y):
        mine = np.flatnonzero(y[order] == c)
        places[mine] = (np.arange(mine.size) + 0.5) / mine.size
    return order[np.argsort(places, kind="stable")]


def _some(rows: Codes, seed: int) -> Codes:
    if rows.size <= MOST_ASKED:
        return rows
    return np.sort(np.random.default_rng([seed, 3]).choice(rows, MOST_ASKED, replace=False))


# ---- told ----------------------------------------------------------------------------------------------------------
def write(report: Report, method: Any, curve: Curve) -> None:
    (learned, learned_sd), (crossed, crossed_sd) = curve.read("learned"), curve.read("crossed")
    for s, size in enumerate(curve.sizes):
        report.row(
            method.curve, size=size, learned=learned[s], learned_sd=learned_sd[s], crossed=crossed[s],
            crossed_sd=crossed_sd[s],
        )  # fmt: skip
    for name, mean, sd in (("训练得分", learned, learned_sd), ("交叉验证得分", crossed, crossed_sd)):
        series = np.array([name] * len(curve.sizes), dtype=object)
        low, high = np.clip(mean - sd, 0, 1), np.clip(mean + sd, 0, 1)
        sizes = np.array(curve.sizes, dtype=np.int64)
        report.add_rows(method.curve_points, {"series": series, "size": sizes, "mean": mean, "low": low, "high": high})
    report.note(
        method.curve, "得分是准确率。每个行数在各折里另取训练行训练一次，均值与标准差按折计；最后一行就是交叉验证。",
    )  # fmt: skip
    report.note(method.curve_plot, "色带为均值 ± 1 个标准差，截在 0 与 1 之内。")
    if curve.sampled:
        text = "训练行很多，只用到 {k:integer} 行为止另行训练，每折最多用 {m:integer} 行计分；最后一点用全部训练行。"
        report.note(method.curve, text, k=curve.sizes[-2], m=MOST_ASKED)


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
