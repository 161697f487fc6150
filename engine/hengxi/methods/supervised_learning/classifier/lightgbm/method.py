from __future__ import annotations

from typing import Any

from hengxi.contract import Refusal, Report, SetRemedy
from hengxi.methods.supervised_learning._shared import boosting
from hengxi.methods.supervised_learning._shared import form as common
from hengxi.methods.supervised_learning._shared import lgbm as fields
from hengxi.methods.supervised_learning._shared.lgbm import LgbmLearner
from hengxi.methods.supervised_learning.classifier._shared.classifier import CONVENTIONS, Classifier, ClassifierForm
from hengxi.methods.supervised_learning.classifier._shared.explained import OfScores
from hengxi.methods.supervised_learning.classifier._shared.task import Task


class Lightgbm(LgbmLearner, OfScores, Classifier):
    """lightgbm's trees, grown leaf by leaf; kept as its own text."""

    title, title_en = "LightGBM分类", "LightGBM classification"
    slug = "lightgbm-classifier"
    family, tier = "机器学习分类", "member"
    purpose = "用直方图与叶子优先生长的提升树，快速训练大样本分类模型"
    aliases = ("LGBM", "LGB", "轻量梯度提升", "梯度提升", "提升树", "GBDT", "树模型", "集成学习", "机器学习")
    references = (
        "ke2017", "friedman2001", "lundberg2020", "strobl2007", "delong1988", "wilson1927", "cohen1960",
        "gorodkin2004", "brier1950", "bergstra2011",
    )  # fmt: skip
    conventions = (
        *CONVENTIONS,
        *boosting.CONVENTIONS,
        *fields.CONVENTIONS,
        "SHAP 的单位：二分类为正类的对数几率，多分类为各类 softmax 之前的得分。随机森林方式为各树的平均，不提升。",
    )
    settings_of = (*LgbmLearner.settings_of, "colsample_bytree", "boosting_type")

    class Input(ClassifierForm):
        missing: str = common.native_gaps()
        n_estimators: int = fields.round_count()
        learning_rate: float = fields.rate()
        num_leaves: int = fields.leaf_count()
        max_depth: int = fields.depth()
        min_child_samples: int = fields.leaf_rows()
        subsample: float = fields.row_share()
        colsample_bytree: float = fields.column_share()
        reg_alpha: float = fields.l1()
        reg_lambda: float = fields.l2()
        boosting_type: str = fields.way()
        native_cat: bool = fields.native()

    @classmethod
    def build(cls, form: Any, report: Report) -> Task:
        if form.boosting_type == "rf" and form.subsample >= 1:
            text = "随机森林（rf）方式要求样本采样率小于 1；请把采样率改为 0.7，或换提升方式"
            remedies = [
                SetRemedy(title="采样率改为 0.7", set={"subsample": 0.7}),
                SetRemedy(title="改用梯度提升", set={"boosting_type": "gbdt"}),
            ]
            raise Refusal("data.sampling", text, field="subsample", also=["boosting_type"], remedies=remedies)
        return super().build(form, report)
