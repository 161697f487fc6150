from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeRegressor

from hengxi.contract import Report, Table, choice, integer, num, text
from hengxi.methods.supervised_learning._shared import forest as fields
from hengxi.methods.supervised_learning._shared import single_tree
from hengxi.methods.supervised_learning._shared.single_tree import TreeLearner
from hengxi.methods.supervised_learning.regression._shared.forest import judge_criterion
from hengxi.methods.supervised_learning.regression._shared.regressor import CONVENTIONS, Regressor, RegressorForm
from hengxi.methods.supervised_learning.regression._shared.task import Task
from hengxi.stats.learning.value_scores import score
from hengxi.stats.moments import Floats
from hengxi.stats.names import number_words


class DecisionTree(TreeLearner, Regressor):
    """One tree of scikit-learn, kept as arrays of its nodes."""

    title, title_en = "决策树回归", "Decision tree regression"
    slug = "decision-tree-regression"
    family, tier = "机器学习回归", "standard"
    purpose = "用一棵可阅读的规则树预测定量结果，并给出每条规则的平均值"
    aliases = ("决策树", "回归树", "CART", "规则", "树模型", "机器学习")
    references = ("breiman1984", "lundberg2020", "bergstra2011")
    conventions = (
        *CONVENTIONS,
        *single_tree.CONVENTIONS,
        "预测值是叶子里训练行的（加权）均值；绝对误差准则为中位数。模型重要性是各变量使误差下降的份额，合计 100%。",
        "SHAP：TreeSHAP，沿树路径取条件期望，单位与因变量相同；独热编码的各列相加为一个变量。",
    )
    library = DecisionTreeRegressor
    path_title, higher_is_better = "RMSE", False

    class Input(RegressorForm):
        criterion: str = choice(
            "节点分裂评价准则",
            {"squared_error": "均方误差", "absolute_error": "平均绝对误差", "poisson": "泊松偏差"},
        )
        max_depth: int | None = fields.depth(10)
        min_samples_split: int = fields.split_rows()
        min_samples_leaf: int = fields.leaf_rows()
        max_leaf_nodes: int | None = fields.leaf_count(50)
        max_features: str = fields.feature_share("all")
        max_features_value: float = fields.feature_part()
        ccp_alpha: float = fields.pruning(1e6)
        splitter: str = single_tree.splitter()

    rules = Table(
        "决策规则", number=integer("规则"), condition=text("条件"), value=num("预测值"), n=integer("训练行数"),
        sd=num("标准差", least=0),
    )  # fmt: skip

    @classmethod
    def build(cls, form: Any, report: Report) -> Task:
        task = super().build(form, report)
        cls.judge_leaf(form, task.train.size)
        judge_criterion(form, task)
        return task

    @classmethod
    def words_of(cls, tree: Any, node: int, task: Task) -> str:
        return number_words(float(tree.value[node].ravel()[0]))

    @classmethod
    def write_rule(cls, report: Report, number: int, condition: str, tree: Any, node: int, task: Task, y: Any) -> None:
        spread = float(np.std(y, ddof=1)) if y.size > 1 else None
        report.row(
            cls.rules, number=number, condition=condition, value=float(tree.value[node].ravel()[0]),
            n=int(y.size), sd=spread,
        )  # fmt: skip

    @classmethod
    def quality(cls, task: Task, answers: Floats, rows: Any) -> float:
        return score(task.y[rows], answers[:, 0]).rmse

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        cls.tell_tree(report, form, found)
