from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestRegressor

from hengxi.contract import Report, Table, choice, integer, num, percent, rows_column
from hengxi.methods.supervised_learning._shared import forest as fields
from hengxi.methods.supervised_learning._shared.forest import ForestLearner
from hengxi.methods.supervised_learning.regression._shared import forest as told
from hengxi.methods.supervised_learning.regression._shared.regressor import CONVENTIONS, Regressor, RegressorForm
from hengxi.methods.supervised_learning.regression._shared.task import Task

SPAN = (0.025, 0.975)
"""Quantiles of the trees' predictions."""


class RandomForest(told.OutOfBag, ForestLearner, Regressor):
    """scikit-learn's forest, grown in steps; kept as arrays of its nodes."""

    title, title_en = "随机森林回归", "Random forest regression"
    slug = "random-forest-regression"
    family, tier = "机器学习回归", "standard"
    purpose = "综合多棵随机化回归树取平均，预测定量结果并给出变量重要性"
    aliases = ("RF", "随机森林", "树模型", "变量重要性", "特征重要性", "SHAP", "机器学习", "预测数值")
    references = ("breiman2001", "breiman1984", "strobl2007", "lundberg2020", "bergstra2011")
    conventions = (
        *CONVENTIONS,
        *fields.CONVENTIONS,
        "预测值是各树叶子均值的平均。模型重要性是各树误差下降份额的平均，合计 100%，偏向取值多的变量。",
        "SHAP：TreeSHAP，沿树路径取条件期望，单位与因变量相同；独热编码的各列相加为一个变量。",
        "各树的范围：一行各树预测值的 2.5% 与 97.5% 分位数（R 的第 7 类）。它只反映树之间的分歧，不含行自身的波动，"
        "覆盖真实值的比例一般低于 95%。",
    )
    library = RandomForestRegressor

    class Input(RegressorForm):
        n_estimators: int = fields.tree_count()
        criterion: str = choice(
            "节点分裂评价准则",
            {"squared_error": "均方误差", "absolute_error": "平均绝对误差", "poisson": "泊松偏差"},
        )
        max_features: str = fields.feature_share("sqrt")
        max_features_value: float = fields.feature_part()
        max_depth: int | None = fields.depth()
        min_samples_split: int = fields.split_rows()
        min_samples_leaf: int = fields.leaf_rows()
        max_leaf_nodes: int | None = fields.leaf_count()
        ccp_alpha: float = fields.pruning(1e6)
        bootstrap: bool = fields.drawn(True)
        oob_score: bool = fields.out_of_bag(True)

    spans = Table(
        "各树预测的范围", row=rows_column("行号"), actual=num("真实值"), predicted=num("预测值"),
        low=num("2.5% 分位数"), high=num("97.5% 分位数"),
    )  # fmt: skip
    covered = Table("范围的覆盖", layout="record", n=integer("测试行数"), inside=percent("真实值落在范围内"))

    @classmethod
    def build(cls, form: Any, report: Report) -> Task:
        task = super().build(form, report)
        told.judge_criterion(form, task)
        return task

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        cls.note_drawn(report, form, found)
        if form.oob_score:
            told.out_of_bag(report, cls, found)
        cls._spans(report, found)

    @classmethod
    def _spans(cls, report: Report, found: Any) -> None:
        """How far the trees disagree about each test row."""
        task, test = found.task, found.task.test
        rows = np.ascontiguousarray(found.fit.coding.apply(task.x[test]), dtype=np.float32)
        each = np.column_stack([tree.predict(rows).ravel() for tree in found.fit.learner.forest.trees])
        low, high = np.quantile(each, SPAN, axis=1)
        actual, numbers = task.y[test], np.asarray(task.columns[0].row_numbers)[test]
        cells = {"row": numbers, "actual": actual, "predicted": found.predicted[test], "low": low, "high": high}
        report.add_rows(cls.spans, cells)
        inside = float(np.mean((low <= actual) & (actual <= high)))
        report.row(cls.covered, n=int(test.size), inside=inside)
        report.note(cls.spans, "这是各树预测值的经验范围，不是预测区间。")
