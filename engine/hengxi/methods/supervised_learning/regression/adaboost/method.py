from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import AdaBoostRegressor
from sklearn.tree import DecisionTreeRegressor

from hengxi.contract import Report, Table, choice, integer, num
from hengxi.methods.supervised_learning._shared import ada as fields
from hengxi.methods.supervised_learning._shared.ada import AdaLearner
from hengxi.methods.supervised_learning.regression._shared.regressor import CONVENTIONS, Regressor, RegressorForm


class Adaboost(AdaLearner, Regressor):
    """scikit-learn's AdaBoost.R2 of small trees; kept as arrays of their nodes and their weights."""

    title, title_en = "AdaBoost回归", "AdaBoost regression"
    slug = "adaboost-regression"
    family, tier = "机器学习回归", "member"
    purpose = "用AdaBoost.R2逐轮聚焦误差大的样本，预测定量结果"
    aliases = ("AdaBoost", "自适应提升", "提升法", "Boosting", "R2", "集成学习", "机器学习", "预测数值")
    references = ("drucker1997", "freund1997", "breiman1984", "strobl2007", "lundberg2017", "bergstra2011")
    conventions = (
        *CONVENTIONS,
        *fields.CONVENTIONS,
        "AdaBoost.R2：每轮按行权重有放回地抽取同样多的行学一棵树；各行的误差除以最大的误差，平方误差函数再平方，"
        "指数误差函数取 1 − e^−误差。平均损失 L 是按行权重的平均，β = L/(1 − L)。",
        "树的权重 ν ln(1/β)，ν 为学习率；行权重乘 β 的 ν(1 − 误差) 次幂。L 达到 0.5 时停止。"
        "预测值是各树预测的加权中位数。",
    )
    library, tree = AdaBoostRegressor, DecisionTreeRegressor
    settings_of = (*AdaLearner.settings_of, "loss")
    worse = "下一棵树的平均损失达到 0.5，"

    class Input(RegressorForm):
        n_estimators: int = fields.round_count()
        learning_rate: float = fields.rate()
        loss: str = choice("误差函数", {"linear": "线性", "square": "平方", "exponential": "指数"})
        base_depth: int = fields.depth(3)

    course = Table(
        "各轮的树", round=integer("轮次"), loss=num("平均损失"), weight=num("权重系数"), rmse=num("训练 RMSE")
    )

    @classmethod
    def loss_of(cls, params: dict[str, Any]) -> tuple[str, float]:
        return "squared", 0.5

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        cls.tell_rounds(report, form, found)
        cls.tell_end(report, form, found)
        task, learner = found.task, found.fit.learner
        y, coded = task.y[task.train], found.fit.coding.apply(task.x[task.train])
        roots = [float(np.sqrt(np.mean((answers[:, 0] - y) ** 2))) for answers in learner.model.stages(coded)]
        weights = learner.model.weights
        for place, (weight, rmse) in enumerate(zip(weights.tolist(), roots, strict=True)):
            # A first tree that was kept though it was too bad has no loss of its own in the library.
            loss = float(learner.library.estimator_errors_[place]) if weights.any() else None
            report.row(cls.course, round=place + 1, loss=loss, weight=weight, rmse=rmse)
        report.note(
            cls.course, "平均损失按该轮的行权重计，越小树的权重越大；训练 RMSE 是到这一轮为止的各树一起预测的。"
        )
        if not weights.any():
            report.check(
                "基学习器",
                "care",
                "第 1 轮的平均损失就达到 0.5（表里不列），模型只有一棵树；请加深基决策树或换自变量。",
            )
