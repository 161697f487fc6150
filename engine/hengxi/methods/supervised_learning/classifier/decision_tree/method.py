from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from hengxi.contract import Report, Table, choice, integer, num, percent, text
from hengxi.methods.supervised_learning._shared import forest as fields
from hengxi.methods.supervised_learning._shared import single_tree
from hengxi.methods.supervised_learning._shared.single_tree import TreeLearner
from hengxi.methods.supervised_learning.classifier._shared.classifier import CONVENTIONS, Classifier, ClassifierForm
from hengxi.methods.supervised_learning.classifier._shared.task import Task
from hengxi.stats.moments import Floats


class DecisionTree(TreeLearner, Classifier):
    """One tree of scikit-learn, kept as arrays of its nodes."""

    title, title_en = "决策树分类", "Decision tree classification"
    slug = "decision-tree-classifier"
    family, tier = "机器学习分类", "standard"
    purpose = "用一棵可阅读的规则树，由自变量判断样本属于哪一类"
    aliases = ("决策树", "分类树", "CART", "规则", "树模型", "机器学习")
    references = (
        "breiman1984", "lundberg2020", "delong1988", "wilson1927", "cohen1960", "gorodkin2004", "brier1950",
        "bergstra2011",
    )  # fmt: skip
    conventions = (
        *CONVENTIONS,
        *single_tree.CONVENTIONS,
        "类别概率是叶子里各类的（加权）占比。模型重要性是各变量使不纯度下降的份额，合计 100%。",
        "SHAP：TreeSHAP，沿树路径取条件期望，概率尺度；独热编码的各列相加为一个变量。",
    )
    library = DecisionTreeClassifier
    path_title, higher_is_better = "准确率", True

    class Input(ClassifierForm):
        criterion: str = choice(
            "节点分裂评价准则", {"gini": "Gini 不纯度", "entropy": "信息熵", "log_loss": "对数损失"}
        )
        max_depth: int | None = fields.depth(10)
        min_samples_split: int = fields.split_rows()
        min_samples_leaf: int = fields.leaf_rows()
        max_leaf_nodes: int | None = fields.leaf_count(50)
        max_features: str = fields.feature_share("all")
        max_features_value: float = fields.feature_part()
        ccp_alpha: float = fields.pruning()
        splitter: str = single_tree.splitter()

    rules = Table(
        "决策规则", number=integer("规则"), condition=text("条件"), called=text("判为"), n=integer("训练行数"),
        purity=percent("该类占比"), impurity=num("不纯度", least=0),
    )  # fmt: skip

    @classmethod
    def build(cls, form: Any, report: Report) -> Task:
        task = super().build(form, report)
        cls.judge_leaf(form, task.train.size)
        return task

    @classmethod
    def words_of(cls, tree: Any, node: int, task: Task) -> str:
        name, share = _called(tree, node, task)
        return f"{name} {100 * share:.0f}%"

    @classmethod
    def write_rule(cls, report: Report, number: int, condition: str, tree: Any, node: int, task: Task, y: Any) -> None:
        name, share = _called(tree, node, task)
        report.row(
            cls.rules, number=number, condition=condition, called=name, n=int(y.size), purity=share,
            impurity=float(tree.impurity[node]),
        )  # fmt: skip

    @classmethod
    def quality(cls, task: Task, answers: Floats, rows: Any) -> float:
        return task.score(answers, rows)

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        cls.tell_tree(report, form, found)


def _called(tree: Any, node: int, task: Task) -> tuple[str, float]:
    """The class of a node and its share there; of two classes by the threshold."""
    shares = np.zeros(task.k)
    classes = np.unique(task.y[task.train])
    own = tree.value[node].ravel()
    shares[classes] = own / own.sum()
    chosen = int(shares.argmax())
    if task.event is not None:
        chosen = task.event if shares[task.event] >= task.threshold else 1 - task.event
    return task.classes[chosen], float(shares[chosen])
