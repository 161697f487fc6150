"""Scores of predicted numbers: the tables and charts a training report and a prediction with known values share."""

from __future__ import annotations

from hengxi.contract import (
    Chart,
    Diagonal,
    Points,
    Reference,
    Table,
    integer,
    interval,
    num,
    percent,
    rows_column,
    text,
)


class Scored:
    """The elements; filled by `tables.evaluation_row`, `tables.write_residuals`."""

    evaluation = Table(
        "模型评估结果", part=text("数据"), n=integer("*n*"), rmse=num("RMSE", least=0), mse=num("MSE", least=0),
        mae=num("MAE", least=0), mape=percent("MAPE", most=None), median=num("中位绝对误差", least=0),
        r2=num("*R*²", most=1),
    )  # fmt: skip
    gain = Table(
        "与基线的差", layout="record", mean=num("均方误差之差（基线 − 模型）"),
        ci=interval("95% CI", "low", "high", around="mean"), share=percent("减少的比例", least=None), n=integer("*n*"),
    )  # fmt: skip
    fitted = Points(
        "真实值与预测值的点", row=rows_column("行号"), predicted=num("预测值"), actual=num("真实值"),
        residual=num("残差"),
    )  # fmt: skip
    fitted_plot = Chart(
        "真实值与预测值", "point", of=fitted, x="predicted", y="actual", row="row", over=[Diagonal()], place="main",
    )  # fmt: skip
    order = Points("按行号的真实值与预测值", series=text("数值"), place_of=integer("次序"), value=num("数值"))
    order_plot = Chart(
        "按行号的真实值与预测值", "line", of=order, x="place_of", y="value", series="series", place="detail",
    )  # fmt: skip
    residual_plot = Chart(
        "残差与预测值", "point", of=fitted, x="predicted", y="residual", row="row", over=[Reference(y=0)],
        place="detail",
    )  # fmt: skip
    bins = Points("残差直方图", low=num("下限"), high=num("上限"), n=integer("频数"))
    bins_plot = Chart("残差直方图", "histogram", of=bins, low="low", high="high", count="n", place="detail")
    quantiles = Points("残差正态 Q-Q 图", theory=num("理论分位数"), sample=num("标准化残差"))
    qq_plot = Chart("残差正态 Q-Q 图", "point", of=quantiles, x="theory", y="sample", over=[Diagonal()], place="detail")
    worst = Table(
        "残差最大的行", row=rows_column("行号"), actual=num("真实值"), predicted=num("预测值"), residual=num("残差"),
    )  # fmt: skip
