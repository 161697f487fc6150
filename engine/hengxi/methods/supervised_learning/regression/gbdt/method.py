from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingRegressor

from hengxi.contract import Chart, Points, Report, Table, choice, integer, num, number, percent, text
from hengxi.methods.supervised_learning._shared import boosting
from hengxi.methods.supervised_learning._shared import gbdt as fields
from hengxi.methods.supervised_learning._shared.gbdt import GbdtLearner
from hengxi.methods.supervised_learning._shared.reporting import STOPPED
from hengxi.methods.supervised_learning.regression._shared import boosting as told
from hengxi.methods.supervised_learning.regression._shared.regressor import CONVENTIONS, Regressor, RegressorForm
from hengxi.stats.thin import thin

ALPHA = 0.9
NEAR = 0.1
"""Of the share between the lines: a difference worth telling."""
BAND = {"loss": "quantile"}


class Gbdt(GbdtLearner, told.Bounded, Regressor):
    """scikit-learn's gradient boosting; kept as arrays of its nodes."""

    title, title_en = "梯度提升树回归", "Gradient boosting regression"
    slug = "gbdt-regression"
    family, tier = "机器学习回归", "member"
    purpose = "逐棵拟合残差，得到高精度的定量预测模型"
    aliases = ("GBDT", "GBM", "梯度提升", "提升树", "树模型", "集成学习", "分位数预测", "机器学习", "预测数值")
    references = ("friedman2001", "friedman2002", "breiman1984", "strobl2007", "lundberg2020", "bergstra2011")
    conventions = (
        *CONVENTIONS,
        *boosting.CONVENTIONS,
        *fields.CONVENTIONS,
        "起点：均方误差为训练行的（加权）均值，平均绝对误差与 Huber 为中位数，分位数损失为该分位数。每棵树拟合负梯度，"
        "叶子值为该损失在叶子里的最优常数（Huber 为一步近似）。",
        "Huber 损失的界是每轮残差绝对值的这个分位数。逐轮的损失：均方误差给 RMSE，平均绝对误差与 Huber 给 MAE。",
        "两条分位线：分位数系数 α 与 1 − α 各训练一次，同样的行与设置；覆盖是测试行落在两线之间的比例。",
    )
    library, histogram, without_histogram = GradientBoostingRegressor, HistGradientBoostingRegressor, "huber"
    settings_of = (
        "n_estimators", "learning_rate", "subsample", "max_depth", "min_samples_leaf", "loss", "alpha",
    )  # fmt: skip

    class Input(RegressorForm):
        n_estimators: int = fields.round_count()
        learning_rate: float = fields.rate()
        subsample: float = fields.sampled()
        max_depth: int = fields.depth()
        min_samples_leaf: int = fields.leaf_rows()
        loss: str = choice(
            "损失函数",
            {"squared_error": "均方误差", "absolute_error": "平均绝对误差", "huber": "Huber", "quantile": "分位数"},
        )
        alpha: float = number("Huber或分位数系数", ALPHA, least=0.01, most=0.99, when={"loss": ("huber", "quantile")})

    band = Table(
        "两条分位线的覆盖", layout="record", n=integer("测试行数"), low=percent("下线的分位"),
        high=percent("上线的分位"), inside=percent("真实值在两线之间"), nominal=percent("应有的比例"),
        width=num("平均宽度"), when=BAND,
    )  # fmt: skip
    lines = Points(
        "两条分位线", series=text("数值"), place_of=integer("次序（按上线）"), value=num("因变量"), when=BAND,
    )  # fmt: skip
    lines_plot = Chart("两条分位线", "line", of=lines, x="place_of", y="value", series="series", when=BAND)

    @classmethod
    def params(cls, form: Any) -> dict[str, Any]:
        return super().params(form) | {"alpha": ALPHA if form.alpha is None else form.alpha}

    @classmethod
    def loss_of(cls, params: dict[str, Any]) -> tuple[str, float]:
        kinds = {"squared_error": "squared", "quantile": "quantile"}
        return kinds.get(params["loss"], "absolute"), params["alpha"]

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        super().own(report, form, found)
        told.tell_bounds(report, found)
        if form.loss == "quantile":
            told.tell_quantile(report, form.alpha)
            cls._band(report, form, found)

    @classmethod
    def _band(cls, report: Report, form: Any, found: Any) -> None:
        """A second model of the other tail."""
        if found.stopped or form.alpha == 0.5:
            for element in (cls.band, cls.lines):
                report.skip(element, STOPPED if found.stopped else "分位数为 50% 时两条线重合")
            return
        task, test = found.task, found.task.test
        rows = boosting.training_rows(cls, form, found)
        params = found.params | {"alpha": 1 - form.alpha}
        other = cls.boost(params, rows, form.seed, lambda *_: True, "")
        mine, theirs = found.predicted[test], other.model.answers(found.fit.coding.apply(task.x[test]))[:, 0]
        low, high = (theirs, mine) if form.alpha > 0.5 else (mine, theirs)
        y, share = task.y[test], max(form.alpha, 1 - form.alpha)
        inside = float(np.mean((low <= y) & (y <= high)))
        cells = {"low": 1 - share, "high": share, "inside": inside, "nominal": 2 * share - 1}
        report.row(cls.band, n=int(test.size), **cells, width=float(np.mean(high - low)))
        order = np.argsort(high, kind="stable")[thin(test.size, most=300)]
        places = np.arange(1, order.size + 1)
        for name, values in (("上线", high), ("下线", low), ("真实值", y)):
            series = np.array([name] * order.size, dtype=object)
            report.add_rows(cls.lines, {"series": series, "place_of": places, "value": values[order]})
        facts = {"nominal": 2 * share - 1, "inside": inside}
        text = "两线之间应有 {nominal:percent} 的真实值，测试集是 {inside:percent}。"
        if abs(inside - facts["nominal"]) <= NEAR:
            report.check("分位线的覆盖", "pass", text, **facts)
        else:
            text += "差得多，两线不能当作预测区间用；请加大叶子或收集更多的行。"
            report.check("分位线的覆盖", "care", text, **facts)
