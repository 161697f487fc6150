"""Scores of called classes: the tables and charts a training report and a prediction with known classes share."""

from __future__ import annotations

from hengxi.contract import Chart, Diagonal, Points, Table, Wide, integer, interval, num, percent, text


class Scored:
    """The elements; filled by `tables.evaluation_row`, `write_confusion`, `write_classes` and `write_curves`."""

    evaluation = Table(
        "模型评估结果", part=text("数据"), n=integer("*n*"), accuracy=percent("准确率"),
        ci=interval("95% CI", "low", "high", around="accuracy", format="percent"), balanced=percent("平衡准确率"),
        precision=percent("精确率"), recall=percent("召回率"), f1=num("F1", least=0, most=1),
        auc=num("AUC", least=0, most=1), auc_ci=interval("AUC 的95% CI", "auc_low", "auc_high", around="auc"),
        log_loss=num("对数损失", least=0), kappa=num("Kappa", most=1), mcc=num("MCC", least=-1, most=1),
    )  # fmt: skip
    confusion = Table("混淆矩阵", actual=text("真实类别"), layout=Wide(n=integer("*n*"), share=percent("行%")))
    cells = Points("混淆矩阵的格", actual=text("真实类别"), called=text("判为"), n=integer("行数"))
    confusion_plot = Chart(
        "混淆矩阵热力图", "heat", of=cells, row="actual", column="called", value="n", text="n", place="detail"
    )
    classes = Table(
        "各类别评估", level=text("类别"), precision=percent("精确率"), recall=percent("召回率"),
        f1=num("F1", least=0, most=1), auc=num("AUC", least=0, most=1), n=integer("*n*"),
    )  # fmt: skip
    areas = Table(
        "曲线下面积", level=text("类别"), auc=num("AUC", least=0, most=1), ap=num("平均精确率 AP", least=0, most=1),
        base=percent("正类占比（PR 的基线）"), brier=num("Brier", least=0),
    )  # fmt: skip
    roc = Points("ROC曲线的点", series=text("类别"), x=num("1 − 特异度"), y=num("灵敏度"))
    roc_plot = Chart(
        "ROC曲线", "line", of=roc, x="x", y="y", series="series", over=[Diagonal()], place="detail",
        titles={"x": "1 − 特异度", "y": "灵敏度"},
    )  # fmt: skip
    pr = Points("PR曲线的点", series=text("类别"), x=num("召回率"), y=num("精确率"))
    pr_plot = Chart("PR曲线", "line", of=pr, x="x", y="y", series="series", place="detail")
    bins = Points("校准的箱", series=text("类别"), mean=num("预测概率均值"), rate=num("实际比例"), n=integer("行数"))
    calibration = Chart(
        "校准曲线", "line", of=bins, x="mean", y="rate", series="series", over=[Diagonal()], place="detail"
    )
