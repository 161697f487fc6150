from __future__ import annotations

from hengxi.contract import choice
from hengxi.methods.supervised_learning._shared import boosting
from hengxi.methods.supervised_learning._shared import form as common
from hengxi.methods.supervised_learning._shared import xgb as fields
from hengxi.methods.supervised_learning._shared.xgb import XgbLearner
from hengxi.methods.supervised_learning.classifier._shared.classifier import CONVENTIONS, Classifier, ClassifierForm
from hengxi.methods.supervised_learning.classifier._shared.explained import OfScores


class Xgboost(XgbLearner, OfScores, Classifier):
    """xgboost's trees, linear boosting or DART; kept as arrays of nodes read from its JSON."""

    title, title_en = "XGBoost分类", "XGBoost classification"
    slug = "xgboost-classifier"
    family, tier = "机器学习分类", "member"
    purpose = "用带正则的二阶梯度提升树做高精度分类，自动处理缺失值"
    aliases = ("XGB", "极端梯度提升", "梯度提升", "提升树", "GBDT", "树模型", "集成学习", "机器学习")
    references = (
        "chen2016", "friedman2001", "lundberg2020", "strobl2007", "delong1988", "wilson1927", "cohen1960",
        "gorodkin2004", "brier1950", "bergstra2011",
    )  # fmt: skip
    conventions = (
        *CONVENTIONS,
        *boosting.CONVENTIONS,
        *fields.CONVENTIONS,
        f"DART 每轮随机丢下 {fields.DROPPED:.0%} 的树再拟合，并调整权重；逐轮的损失按最后的权重计。"
        "gblinear 为坐标下降。",
        "SHAP 的单位：二分类为正类的对数几率，多分类为各类 softmax 之前的得分；gblinear 为线性 SHAP。",
    )
    settings_of = (*XgbLearner.settings_of, "booster", "early_stopping_rounds")
    patience_key = "early_stopping_rounds"

    class Input(ClassifierForm):
        missing: str = common.native_gaps()
        n_estimators: int = fields.round_count()
        learning_rate: float = fields.rate()
        max_depth: int = fields.depth()
        subsample: float = fields.row_share()
        colsample_bytree: float = fields.column_share()
        min_child_weight: float = fields.leaf_weight()
        reg_alpha: float = fields.l1()
        reg_lambda: float = fields.l2()
        gamma: float = fields.least_gain()
        booster: str = choice("基学习器", {"gbtree": "树", "dart": "DART", "gblinear": "线性"}, advanced=True)
        early_stopping_rounds: int = fields.patience()
