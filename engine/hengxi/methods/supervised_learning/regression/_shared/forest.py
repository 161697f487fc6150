"""What forests of regression trees tell: the rows each tree did not see."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Chart, Points, Refusal, Report, SetRemedy, Table, integer, num
from hengxi.methods.supervised_learning.regression._shared.task import Task
from hengxi.stats.learning import forests
from hengxi.stats.learning.value_scores import score


class OutOfBag:
    """The elements; filled by `out_of_bag`."""

    oob = Table(
        "袋外评估", layout="record", n=integer("有袋外预测的行数"), r2=num("袋外 *R*²", most=1),
        mse=num("袋外 MSE", least=0), rmse=num("袋外 RMSE", least=0), when={"oob_score": True},
    )  # fmt: skip
    errors = Points("袋外误差的点", trees=integer("树的数量"), error=num("袋外 MSE"), when={"oob_score": True})
    errors_plot = Chart(
        "袋外误差与树的数量", "line", of=errors, x="trees", y="error", when={"oob_score": True}, place="detail"
    )


def judge_criterion(form: Any, task: Task) -> None:
    """The Poisson deviance wants counts."""
    if form.criterion == "poisson" and (task.y.min() < 0 or task.y[task.train].sum() == 0):
        text = "泊松偏差要求因变量“{y}”不小于 0，且训练集里不全为 0；请改用均方误差"
        remedy = SetRemedy(title="改用均方误差", set={"criterion": "squared_error"})
        raise Refusal("data.negative", text, field="criterion", also=["y"], remedies=[remedy], y=form.y.title)


def out_of_bag(report: Report, method: Any, found: Any) -> None:
    """Scores of the rows by the trees that had not seen them, and the error as trees are added."""
    task = found.task
    coded = found.fit.coding.apply(task.x[task.train])
    answers, errors = forests.out_of_bag(found.fit.learner.library, coded, task.y[task.train], 1)
    seen = ~np.isnan(answers[:, 0])
    if not seen.any():
        for element in (method.oob, method.errors):
            report.skip(element, "没有一行有袋外预测，请增加树的数量")
        return
    scores = found.out_of_bag = score(task.y[task.train][seen], answers[seen, 0])
    report.row(method.oob, n=scores.n, r2=scores.r2, mse=scores.mse, rmse=scores.rmse)
    known = ~np.isnan(errors)
    report.add_rows(method.errors, {"trees": np.arange(1, errors.size + 1)[known], "error": errors[known]})
    if not seen.all():
        text = "{k:integer} 行被每棵树都抽到过，没有袋外预测；树再多一些就会有。"
        report.note(method.oob, text, k=int((~seen).sum()))
