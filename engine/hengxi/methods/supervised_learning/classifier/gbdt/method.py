from __future__ import annotations

from typing import Any

from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier

from hengxi.contract import Refusal, Report, SetRemedy, choice, integer
from hengxi.methods.supervised_learning._shared import boosting
from hengxi.methods.supervised_learning._shared import forest as trees
from hengxi.methods.supervised_learning._shared import gbdt as fields
from hengxi.methods.supervised_learning._shared.gbdt import GbdtLearner
from hengxi.methods.supervised_learning.classifier._shared.classifier import CONVENTIONS, Classifier, ClassifierForm
from hengxi.methods.supervised_learning.classifier._shared.explained import OfScores
from hengxi.methods.supervised_learning.classifier._shared.task import Task


class Gbdt(GbdtLearner, OfScores, Classifier):
    """scikit-learn's gradient boosting, one tree a class and round; kept as arrays of its nodes."""

    title, title_en = "梯度提升树分类", "Gradient boosting classification"
    slug = "gbdt-classifier"
    family, tier = "机器学习分类", "member"
    purpose = "逐棵拟合损失函数的负梯度，得到高精度的分类模型"
    aliases = ("GBDT", "GBM", "梯度提升", "提升树", "树模型", "集成学习", "机器学习")
    references = (
        "friedman2001", "friedman2002", "breiman1984", "strobl2007", "lundberg2020", "delong1988", "wilson1927",
        "cohen1960", "gorodkin2004", "brier1950", "bergstra2011",
    )  # fmt: skip
    conventions = (
        *CONVENTIONS,
        *boosting.CONVENTIONS,
        *fields.CONVENTIONS,
        "起点是训练行里各类的对数占比（二分类为对数几率）。对数损失：每轮每类一棵树（二分类一棵），拟合指示变量减概率；"
        "叶子值为一步牛顿法，多分类再乘 (K − 1)/K。指数损失：概率 = 1 / (1 + e^−2F)。",
        "SHAP 的单位：二分类为正类的对数几率，多分类为各类 softmax 之前的得分。",
    )
    library, histogram, without_histogram = GradientBoostingClassifier, HistGradientBoostingClassifier, "exponential"
    settings_of = (
        "n_estimators", "learning_rate", "subsample", "max_depth", "min_samples_split", "min_samples_leaf", "loss",
        "n_iter_no_change",
    )  # fmt: skip
    patience_key = "n_iter_no_change"

    class Input(ClassifierForm):
        n_estimators: int = fields.round_count()
        learning_rate: float = fields.rate()
        subsample: float = fields.sampled()
        max_depth: int = fields.depth()
        min_samples_split: int = trees.split_rows()
        min_samples_leaf: int = fields.leaf_rows()
        loss: str = choice("损失函数", {"log_loss": "对数损失", "exponential": "指数损失（二分类）"})
        n_iter_no_change: int = integer("早停轮数", 0, least=0, most=100, hint="0 为不启用")

    @classmethod
    def build(cls, form: Any, report: Report) -> Task:
        task = super().build(form, report)
        if task.k > 2 and form.loss == "exponential":
            remedy = SetRemedy(title="改用对数损失", set={"loss": "log_loss"})
            text = "指数损失只支持二分类，因变量“{y}”有 {k} 类；请改用对数损失"
            raise Refusal("data.classes", text, field="loss", also=["y"], remedies=[remedy], y=form.y.title, k=task.k)
        return task
