"""Fields that the forms of all learners have; each call gives a field of its own."""

from __future__ import annotations

from typing import Any

from hengxi.contract import choice, flag, integer, number, role
from hengxi.contract import weight as weights_box
from hengxi.methods.supervised_learning._shared.elements import SEARCHING, SHAP
from hengxi.stats.learning.features import GAPS_KEPT


def predictors() -> Any:
    return role("自变量X", "任意", min=1, max=None)


def row_weight() -> Any:
    return weights_box("样本权重（可选）", kind="sampling")


def fold_groups() -> Any:
    hint = "同一组的行不会既训练又测试，也总在同一折里，例如同一个人的多次测量"
    return role("分组交叉验证变量（可选）", "定类", min=0, hint=hint, advanced=True)


def train_share() -> Any:
    return number("训练集占比", 0.7, least=0.5, most=0.95, percent=True)


def shuffled() -> Any:
    return flag("数据洗牌", True)


def fold_count() -> Any:
    return integer("交叉验证折数", 5, least=0, most=20, hint="0 为不做")


def gaps() -> Any:
    options = {"listwise": "删除含缺失的行", "mean": "均值或众数填补", "median": "中位数或众数填补"}
    return choice("缺失值处理", options)


def native_gaps() -> Any:
    """Of learners that send gaps down the branch where they do best."""
    options = {GAPS_KEPT: "交给模型处理", "listwise": "删除含缺失的行", "median": "中位数或众数填补"}
    return choice("缺失值处理", options)


def coding() -> Any:
    return choice("定类自变量编码", {"onehot": "独热编码", "ordinal": "序号编码", "target": "目标编码"})


def searching() -> Any:
    options = {"none": "关闭", "grid": "网格搜索", "random": "随机搜索", "tpe": "贝叶斯优化（TPE）"}
    return choice("超参数搜索", options, advanced=True)


def search_size() -> Any:
    return integer("搜索次数", 30, least=5, most=200, when=SEARCHING, advanced=True)


def search_metric(options: dict[str, str]) -> Any:
    return choice("搜索评价指标", options, when=SEARCHING, advanced=True)


def with_shap() -> Any:
    return flag("SHAP解释", True)


def shap_row() -> Any:
    return integer("单独解释的样本行号", None, least=1, auto="测试集的第一行", when=SHAP, advanced=True)


def keep_model() -> Any:
    return flag("保存模型用于预测", True)
