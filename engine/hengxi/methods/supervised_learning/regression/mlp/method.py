from __future__ import annotations

from typing import Any

from hengxi.contract import Report, flag
from hengxi.methods.supervised_learning._shared import perceptron
from hengxi.methods.supervised_learning._shared.elements import WithoutImportance
from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.methods.supervised_learning._shared.perceptron import Perceptron
from hengxi.methods.supervised_learning.regression._shared.regressor import CONVENTIONS, Regressor, RegressorForm
from hengxi.methods.supervised_learning.regression._shared.task import Task


class Mlp(Perceptron, WithoutImportance, Regressor):
    """Layers of weighted sums; the last one gives the value."""

    title, title_en = "神经网络回归", "Multilayer perceptron regression"
    slug = "mlp-regression"
    family, tier = "机器学习回归", "member"
    purpose = "用多层感知机学习非线性关系并预测定量结果"
    aliases = ("MLP", "神经网络", "多层感知机", "BP神经网络", "深度学习", "机器学习", "预测数值")
    references = ("rumelhart1986", "kingma2015", "lundberg2017", "bergstra2011")
    conventions = (
        *CONVENTIONS,
        *perceptron.CONVENTIONS,
        "损失为平方误差的一半；标准化因变量时在标准化的尺度上训练，预测再换回原来的单位。样本权重乘在各行的损失上。",
    )
    last_units, extrapolates = "恒等", True

    class Input(RegressorForm):
        hidden_layers: str = perceptron.layers()
        activation: str = perceptron.activation()
        solver: str = perceptron.solver()
        alpha: float = perceptron.penalty()
        learning_rate_init: float = perceptron.rate()
        max_iter: int = perceptron.rounds()
        early_stopping: bool = perceptron.early()
        batch: str = perceptron.batch()
        standardize: bool = flag("标准化自变量", True)
        standardize_y: bool = flag("标准化因变量", True, advanced=True)

    @classmethod
    def classes_of(cls, rows: Rows) -> int | None:
        return None

    @classmethod
    def build(cls, form: Any, report: Report) -> Task:
        perceptron.judge_layers(form)
        return super().build(form, report)
