from __future__ import annotations

from typing import Any

from hengxi.contract import Report, flag
from hengxi.methods.supervised_learning._shared import perceptron
from hengxi.methods.supervised_learning._shared.elements import WithoutImportance
from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.methods.supervised_learning._shared.perceptron import Perceptron
from hengxi.methods.supervised_learning.classifier._shared.classifier import CONVENTIONS, Classifier, ClassifierForm
from hengxi.methods.supervised_learning.classifier._shared.task import Task


class Mlp(Perceptron, WithoutImportance, Classifier):
    """Layers of weighted sums; the last one gives log odds of the classes."""

    title, title_en = "神经网络分类", "Multilayer perceptron classification"
    slug = "mlp-classifier"
    family, tier = "机器学习分类", "member"
    purpose = "用多层感知机学习非线性关系并判断类别"
    aliases = ("MLP", "神经网络", "多层感知机", "BP神经网络", "深度学习", "机器学习", "判断类别")
    references = (
        "rumelhart1986", "kingma2015", "lundberg2017", "delong1988", "wilson1927", "cohen1960", "gorodkin2004",
        "brier1950", "bergstra2011",
    )  # fmt: skip
    conventions = (
        *CONVENTIONS,
        *perceptron.CONVENTIONS,
        "损失为对数损失；两类时输出层一个神经元，多类时每类一个。类别权重与样本权重乘在各行的损失上。",
    )
    last_units = "概率（softmax）"

    class Input(ClassifierForm):
        hidden_layers: str = perceptron.layers()
        activation: str = perceptron.activation()
        solver: str = perceptron.solver()
        alpha: float = perceptron.penalty()
        learning_rate_init: float = perceptron.rate()
        max_iter: int = perceptron.rounds()
        early_stopping: bool = perceptron.early()
        batch: str = perceptron.batch()
        standardize: bool = flag("标准化自变量", True)

    @classmethod
    def classes_of(cls, rows: Rows) -> int | None:
        return rows.k

    @classmethod
    def build(cls, form: Any, report: Report) -> Task:
        perceptron.judge_layers(form)
        return super().build(form, report)
