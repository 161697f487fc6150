from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from hengxi.contract import Refusal, Report, SetRemedy, Table, integer, num, percent
from hengxi.methods.supervised_learning._shared import ada as fields
from hengxi.methods.supervised_learning._shared.ada import AdaLearner
from hengxi.methods.supervised_learning._shared.fitting import Fit
from hengxi.methods.supervised_learning._shared.searching import Trial
from hengxi.methods.supervised_learning.classifier._shared.classifier import CONVENTIONS, Classifier, ClassifierForm
from hengxi.methods.supervised_learning.classifier._shared.found import Found
from hengxi.methods.supervised_learning.classifier._shared.task import Task


class Adaboost(AdaLearner, Classifier):
    """scikit-learn's AdaBoost (SAMME) of small trees; kept as arrays of their nodes and their weights."""

    title, title_en = "AdaBoost分类", "AdaBoost classification"
    slug = "adaboost-classifier"
    family, tier = "机器学习分类", "member"
    purpose = "逐轮加大错分样本的权重，把多个弱分类器合成强分类器"
    aliases = ("AdaBoost", "自适应提升", "提升法", "Boosting", "弱分类器", "集成学习", "机器学习")
    references = (
        "freund1997", "zhu2009", "breiman1984", "strobl2007", "lundberg2017", "delong1988", "wilson1927", "cohen1960",
        "gorodkin2004", "brier1950", "bergstra2011",
    )  # fmt: skip
    conventions = (
        *CONVENTIONS,
        *fields.CONVENTIONS,
        "SAMME：每轮用现有的行权重学一棵树，错误率 e 是错分行的权重之和；"
        "树的权重 ν[ln((1 − e)/e) + ln(K − 1)]，ν 为学习率。"
        "α 两类时是它的一半（教科书写法），多类时就是它。错分的行乘 e 的（树的权重）次幂，再使总和为 1。",
        "概率：各类得票的加权差除以 K − 1 后取 softmax（Zhu 等 2009 式 15），两类时在 0.12 与 0.88 之间。",
        "逐轮的损失是错误率：判为概率最大的类，不用判定阈值。",
    )
    library, tree = AdaBoostClassifier, DecisionTreeClassifier
    worse = "下一棵树的错误率不低于随机猜测，"

    class Input(ClassifierForm):
        n_estimators: int = fields.round_count()
        learning_rate: float = fields.rate()
        base_depth: int = fields.depth(1)

    course = Table(
        "各轮的树", round=integer("轮次"), error=percent("错误率"), alpha=num("权重系数 α"),
        overall=percent("累计训练错误率"),
    )  # fmt: skip

    @classmethod
    def loss_of(cls, params: dict[str, Any]) -> tuple[str, float]:
        return "error", 0.5

    @classmethod
    def scored(cls, task: Task, form: Any, fit: Fit, params: dict[str, Any], trials: list[Trial]) -> Found:
        if not fit.learner.model.rounds:
            text = "基学习器在第1轮就不优于随机猜测，请换自变量，或加深“基决策树深度”"
            remedy = SetRemedy(title="深度改为 3", set={"base_depth": 3})
            remedies = [remedy] if params["base_depth"] < 3 else []
            raise Refusal("data.weak", text, field="base_depth", also=["x"], remedies=remedies)
        return super().scored(task, form, fit, params, trials)

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        cls.tell_rounds(report, form, found)
        cls.tell_end(report, form, found)
        task, learner = found.task, found.fit.learner
        y, coded = task.y[task.train], found.fit.coding.apply(task.x[task.train])
        wrong = [float(np.mean(answers.argmax(axis=1) != y)) for answers in learner.model.stages(coded)]
        half = 0.5 if learner.model.forest.classes.size == 2 else 1.0
        errors = learner.library.estimator_errors_[: len(wrong)]
        columns = {"round": np.arange(1, len(wrong) + 1), "error": errors, "alpha": half * learner.model.weights}
        report.add_rows(cls.course, {**columns, "overall": np.array(wrong)})
        text = "错误率按该轮的行权重计；累计训练错误率是到这一轮为止的各树一起判，训练行里判错的比例，每行算一行。"
        report.note(cls.course, text)
