from __future__ import annotations

from typing import Any

from hengxi.contract import Report, choice, number
from hengxi.methods.supervised_learning._shared import boosting
from hengxi.methods.supervised_learning._shared import form as common
from hengxi.methods.supervised_learning._shared import lgbm as fields
from hengxi.methods.supervised_learning._shared.lgbm import LgbmLearner
from hengxi.methods.supervised_learning.regression._shared import boosting as told
from hengxi.methods.supervised_learning.regression._shared.regressor import CONVENTIONS, Regressor, RegressorForm
from hengxi.methods.supervised_learning.regression._shared.task import Task

LOSSES = {"l2": "squared", "l1": "absolute", "huber": "absolute", "quantile": "quantile", "poisson": "poisson"}
ALPHA = 0.9


class Lightgbm(LgbmLearner, told.Bounded, Regressor):
    """lightgbm's trees, grown leaf by leaf; kept as its own text."""

    title, title_en = "LightGBM回归", "LightGBM regression"
    slug = "lightgbm-regression"
    family, tier = "机器学习回归", "member"
    purpose = "用直方图提升树快速预测定量结果"
    aliases = (
        "LGBM",
        "LGB",
        "轻量梯度提升",
        "梯度提升",
        "提升树",
        "GBDT",
        "树模型",
        "集成学习",
        "机器学习",
        "预测数值",
    )
    references = ("ke2017", "friedman2001", "lundberg2020", "lundberg2017", "strobl2007", "bergstra2011")
    conventions = (
        *CONVENTIONS,
        *boosting.CONVENTIONS,
        *fields.CONVENTIONS,
        f"Huber 的界是训练行离中位数的绝对偏差的 {fields.FAR:.0%} 分位数；逐轮的损失：绝对误差与 Huber 给 MAE。"
        "泊松预测的是 e 的幂，SHAP 逐个组合计算，单位与因变量相同；泊松偏差 2Σ[y ln(y/ŷ) − y + ŷ]/n。",
    )
    settings_of = (*LgbmLearner.settings_of, "objective", "alpha")

    class Input(RegressorForm):
        missing: str = common.native_gaps()
        n_estimators: int = fields.round_count()
        learning_rate: float = fields.rate()
        num_leaves: int = fields.leaf_count()
        max_depth: int = fields.depth()
        min_child_samples: int = fields.leaf_rows()
        subsample: float = fields.row_share()
        reg_alpha: float = fields.l1()
        reg_lambda: float = fields.l2()
        native_cat: bool = fields.native()
        objective: str = choice(
            "目标函数",
            {"l2": "均方误差", "l1": "平均绝对误差", "huber": "Huber", "quantile": "分位数", "poisson": "泊松（计数）"},
        )
        alpha: float = number("分位数系数", ALPHA, least=0.01, most=0.99, when={"objective": "quantile"})

    @classmethod
    def params(cls, form: Any) -> dict[str, Any]:
        return super().params(form) | {"alpha": ALPHA if form.alpha is None else form.alpha}

    @classmethod
    def objective_of(cls, params: dict[str, Any]) -> str:
        return str(params["objective"])

    @classmethod
    def loss_of(cls, params: dict[str, Any]) -> tuple[str, float]:
        return LOSSES[params["objective"]], params["alpha"]

    @classmethod
    def build(cls, form: Any, report: Report) -> Task:
        task = super().build(form, report)
        told.judge_outcome(form, task, "objective", "l2", "counts" if form.objective == "poisson" else None)
        return task

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        super().own(report, form, found)
        told.tell_bounds(report, found)
        if form.objective == "quantile":
            told.tell_quantile(report, form.alpha)
