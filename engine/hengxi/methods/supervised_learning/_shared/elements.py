"""Elements of a training report that do not depend on what is predicted; filled by `reporting` and `learner`."""

from __future__ import annotations

from typing import ClassVar

from hengxi.contract import Chart, Points, SavedModel, Table, Try, integer, num, percent, text

SEARCHING = {"tune": ("grid", "random", "tpe")}
SHAP = {"shap": True}


class Ending:
    """What stands after the scores: importance, the search for settings, all settings, the model to keep."""

    has_importance: ClassVar[bool] = True
    """Does the model itself weigh the variables (`Learner.weights_of`)?"""

    importance = Table(
        "特征重要性", name=text("变量"), share=percent("模型重要性"), loss=num("置换重要性"),
        sd=num("标准差", least=0, around="loss"), place="main",
    )  # fmt: skip
    bars = Points("重要性条形", name=text("变量"), loss=num("置换重要性"), low=num("下限"), high=num("上限"))
    importance_plot = Chart(
        "特征重要性图", "bar", of=bars, x="name", y="loss", low="low", high="high",
        titles={"y": "打乱后得分的下降"}, place="main",
    )  # fmt: skip
    trials = Table(
        "超参数搜索结果", rank=integer("名次"), params=text("参数组合"), mean=num("得分均值"),
        sd=num("标准差", least=0), when=SEARCHING,
    )  # fmt: skip
    tried = Points(
        "参数与得分", setting=text("参数"), value=text("取值"), mean=num("得分"), low=num("最低"),
        high=num("最高"), when=SEARCHING,
    )  # fmt: skip
    tried_cases = Points(
        "参数与得分的各次搜索", setting=text("参数"), value=text("取值"), score=num("得分"), when=SEARCHING
    )
    tried_plot = Chart(
        "参数与得分", "interval", of=tried, x="value", y="mean", low="low", high="high", facet="setting",
        raw=(tried_cases, "value", "score"), when=SEARCHING, place="detail",
    )  # fmt: skip
    settings = Table("模型参数", name=text("参数"), value=text("取值"), source=text("来源"))
    saved = SavedModel("模型", when={"save_model": True}, place="main")
    attempt = Try("试算", of=saved, when={"save_model": True}, place="main")


class WithoutImportance:
    """In front of the learners that have no importance of their own: shuffling alone tells it."""

    has_importance: ClassVar[bool] = False
    importance = Table(
        "特征重要性", name=text("变量"), loss=num("置换重要性"), sd=num("标准差", least=0, around="loss"), place="main",
    )  # fmt: skip
