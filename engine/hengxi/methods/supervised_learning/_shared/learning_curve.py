"""Scores of models trained on more and more rows: is the model learning by heart, too weak, or short of rows?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Report
from hengxi.methods.supervised_learning._shared.fitting import Crossed, Recipe, Watch, fold_rows, score
from hengxi.methods.supervised_learning._shared.task import Codes, Task
from hengxi.stats.moments import Floats

SHARES = (0.2, 0.4, 0.7, 1.0)
MOST_TRAINED, MOST_ASKED = 2_000, 10_000
"""Rows of the largest extra model, and rows of a fold it is asked about; the last point is the cross-validation."""
LEAST = 5
"""Rows of the smallest model, for each class."""


@dataclass
class Curve:
    """Scores on the rows learned from and on the fold left out: sizes × folds."""

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
    least = LEAST * task.k
    sizes = sorted({max(least, round(share * most)) for share in SHARES if share * most >= 1} | {whole})
    sizes = [size for size in sizes if size <= whole]
    if len(sizes) < 2:
        return None
    learned, asked = (np.zeros((len(sizes), len(splits))) for _ in range(2))
    tell = watch.stage("学习曲线")
    steps = (len(sizes) - 1) * len(splits)
    for f, (inner, outer) in enumerate(splits):
        order = _order(task, inner, form, f)
        fold = _some(outer, form.seed)
        for s, size in enumerate(sizes[:-1]):
            rows = np.sort(inner[order[:size]])
            if not task.can_learn(rows):
                return None
            fit = recipe.fit(task, rows, lambda *_: True, "学习曲线")
            learned[s, f] = score(fit, task, rows)
            asked[s, f] = score(fit, task, fold)
            done = f * (len(sizes) - 1) + s + 1
            if not tell(done, steps, f"学习曲线：第 {done}/{steps} 个模型"):
                return None
        here = crossed.fold == f
        learned[-1, f], asked[-1, f] = crossed.learned[f], task.score(crossed.answers[here], task.train[here])
    return Curve(sizes, learned, asked, whole > MOST_TRAINED)


def _order(task: Task, inner: Codes, form: Any, fold: int) -> Codes:
    """Rows in the order they are added, as they stand or drawn; stratified, every start keeps the classes' shares."""
    n = inner.size
    order = np.random.default_rng([form.seed, 2, fold]).permutation(n) if form.shuffle else np.arange(n)
    if task.strata is None:
        return order
    y = task.strata[inner]
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
    """The table and the figure; `method` has these elements and says what its score is (`Learner.score_name`)."""
    (learned, learned_sd), (crossed, crossed_sd) = curve.read("learned"), curve.read("crossed")
    for s, size in enumerate(curve.sizes):
        report.row(
            method.curve, size=size, learned=learned[s], learned_sd=learned_sd[s], crossed=crossed[s],
            crossed_sd=crossed_sd[s],
        )  # fmt: skip
    for name, mean, sd in (("训练得分", learned, learned_sd), ("交叉验证得分", crossed, crossed_sd)):
        series = np.array([name] * len(curve.sizes), dtype=object)
        low, high = np.clip(mean - sd, method.score_low, 1), np.clip(mean + sd, method.score_low, 1)
        sizes = np.array(curve.sizes, dtype=np.int64)
        report.add_rows(method.curve_points, {"series": series, "size": sizes, "mean": mean, "low": low, "high": high})
    report.note(
        method.curve,
        f"得分是{method.score_name}。每个行数在各折里另取训练行训练一次，均值与标准差按折计；最后一行就是交叉验证。",
    )  # fmt: skip
    within = "不超过 1" if method.score_low is None else f"截在 {method.score_low:g} 与 1 之内"
    report.note(method.curve_plot, f"色带为均值 ± 1 个标准差，{within}。")
    if curve.sampled:
        text = "训练行很多，只用到 {k:integer} 行为止另行训练，每折最多用 {m:integer} 行计分；最后一点用全部训练行。"
        report.note(method.curve, text, k=curve.sizes[-2], m=MOST_ASKED)
