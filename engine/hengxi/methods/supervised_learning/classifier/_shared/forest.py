"""What forests of classification trees tell: the rows each tree did not see."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Chart, Points, Report, Table, integer, interval, num, percent
from hengxi.methods.supervised_learning.classifier._shared import tables
from hengxi.stats.learning import forests


class OutOfBag:
    """The elements; filled by `out_of_bag`."""

    oob = Table(
        "袋外评估", layout="record", n=integer("有袋外预测的行数"), accuracy=percent("袋外准确率"),
        ci=interval("95% CI", "low", "high", around="accuracy", format="percent"), balanced=percent("袋外平衡准确率"),
        kappa=num("Kappa", most=1), when={"oob_score": True},
    )  # fmt: skip
    errors = Points("袋外误差的点", trees=integer("树的数量"), error=num("袋外误差"), when={"oob_score": True})
    errors_plot = Chart(
        "袋外误差与树的数量", "line", of=errors, x="trees", y="error", when={"oob_score": True}, place="detail"
    )


def out_of_bag(report: Report, method: Any, found: Any) -> None:
    """Scores of the rows by the trees that had not seen them, and the error as trees are added."""
    task = found.task
    coded = found.fit.coding.apply(task.x[task.train])
    shares, errors = forests.out_of_bag(found.fit.learner.library, coded, task.y[task.train], task.k)
    seen = ~np.isnan(shares[:, 0])
    if not seen.any():
        for element in (method.oob, method.errors):
            report.skip(element, "没有一行有袋外预测，请增加树的数量")
        return
    y = task.y[task.train][seen]
    one = found.out_of_bag = found.scored(y, shares[seen])
    report.row(
        method.oob, n=one.n, accuracy=one.accuracy, low=one.low, high=one.high, balanced=one.balanced, kappa=one.kappa
    )
    tables.write_confusion(report, method, task.classes, y, found.called(shares[seen]), "袋外")
    places = np.arange(1, errors.size + 1)
    known = ~np.isnan(errors)
    report.add_rows(method.errors, {"trees": places[known], "error": errors[known]})
    if not seen.all():
        text = "{k:integer} 行被每棵树都抽到过，没有袋外预测；树再多一些就会有。"
        report.note(method.oob, text, k=int((~seen).sum()))
