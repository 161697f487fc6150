"""Classes and probabilities as rows and as new variables."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report
from hengxi.methods.supervised_learning._shared.delivery import hand_out
from hengxi.methods.supervised_learning.classifier._shared.found import Found
from hengxi.stats.moments import Floats
from hengxi.stats.names import unique


def predictions(report: Report, method: Any, found: Found) -> None:
    """Of the test rows; new variables hold every row used and say which part it was in."""
    task = found.task
    chosen = found.called(found.proba)
    rows = task.columns[0].row_numbers
    names = np.array(task.classes, dtype=object)
    own = found.proba[np.arange(task.y.size), chosen]
    test = task.test
    cells = {
        "row": np.asarray(rows[test]),
        "actual": names[task.y[test]],
        "called": names[chosen[test]],
        "p": own[test],
    }
    report.add_rows(method.predictions, cells)
    head = ["行号", "真实值", "预测值", *(f"概率_{name}" for name in task.classes)]
    lines = [[int(rows[i]), task.classes[task.y[i]], task.classes[chosen[i]], *found.proba[i].tolist()] for i in test]
    hand_out(report, method, "测试集预测", head, lines)
    part = np.full(task.y.size, "训练集", dtype=object)
    part[test] = "测试集"
    made: dict[str, Any] = {"预测类别": names[chosen], **probabilities(task.classes, found.proba, task.event)}
    report.columns(method.columns, {**made, "数据划分": part})


def probabilities(classes: list[str], proba: Floats, event: int | None) -> dict[str, Floats]:
    """New columns: of two classes the event's probability is enough."""
    shown = [event] if event is not None else list(range(len(classes)))
    names = unique([f"概率_{classes[c]}" for c in shown])
    return {name: np.ascontiguousarray(proba[:, c]) for name, c in zip(names, shown, strict=True)}
