from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    File,
    Form,
    KeptModel,
    NewColumns,
    NewTable,
    Points,
    Predict,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    figure,
    flag,
    integer,
    model,
    num,
    role,
    rows_column,
    text,
)
from hengxi.methods.supervised_learning._shared import predicting
from hengxi.methods.supervised_learning._shared.delivery import hand_out
from hengxi.methods.supervised_learning.regression._shared import tables
from hengxi.methods.supervised_learning.regression._shared.scored import Scored
from hengxi.stats.histogram import histogram
from hengxi.stats.learning.applying import NewRows, meet
from hengxi.stats.learning.features import is_category
from hengxi.stats.learning.value_scores import Scores, score
from hengxi.stats.moments import Floats

LARGE = 1e100
NO_TRUTH = "数据里没有真实值"
LEVELS = {"90": "0.9", "95": "0.95"}


class RegressionPredict(Scored, Predict):
    """Any saved regressor on new rows. The class of the model answers; here rows are met and results told."""

    title, title_en = "回归模型预测", "Predict with a saved regressor"
    slug = "regression-predict"
    family, tier = "机器学习回归", "standard"
    purpose = "用已保存的任一回归模型给新数据逐行预测数值"
    aliases = ("预测新数据", "打分", "用模型预测", "预测数值", "PSI")
    references = ("lei2018", "siddiqi2006", "yurdakul2020")
    conventions = (
        "模型的变量按变量名对应，没有同名的再按标签；也可逐个指定。取值按存储值对应，对不上再按标签。",
        "训练时填补缺失的模型用训练时学到的填补值，否则含缺失的行不预测；超出训练范围的行照常预测并标记。",
        "预测区间：分裂共形，预测值 ± 训练时测试集绝对残差从小到大的第 ⌈(n + 1)·水平⌉ 个；测试集行数不够时不能给出。"
        "它保证同一来源的新行平均有这么多落在区间内，不保证每一行都一样准。",
        "PSI = Σ(q − p)·ln(q/p)，数值按训练集的十分位分箱，占比下限 0.0001。",
        "偶然界限 = χ²(0.95; 箱数 − 1)·(1/n + 1/N)；PSI 同时大于 0.25 与偶然界限才视为漂移。",
    )

    class Input(Form):
        model: KeptModel = model("已保存模型", task="regression")
        y_true: Column | None = role(
            "真实值（可选）", "定量", min=0, hint="给出后比较预测与真实；不选时自动取与模型因变量同名的变量"
        )
        compare: bool = flag("有真实值时给出评估", True)
        interval: str = choice("预测区间", {"none": "不输出", "90": "90%", "95": "95%"})
        unseen: str = choice("未见过的类别水平", {"skip": "该行不预测并标记", "missing": "按缺失处理"})
        append: bool = flag("另成一张表（原变量加预测）", False)

    values = Table(
        "预测值", layout="record", n=integer("得到预测的行"), mean=num("均值"), sd=num("标准差", least=0),
        low=num("最小值"), high=num("最大值"), place="main",
    )  # fmt: skip
    spread = Points("预测值的直方图", low=num("下限"), high=num("上限"), n=integer("频数"))
    spread_plot = Chart("预测值的直方图", "histogram", of=spread, low="low", high="high", count="n", place="main")
    mapping = Table(
        "变量对应", feature=text("模型变量"), column=text("新数据变量"), kind=text("类型"), missing=integer("缺失"),
        unseen=integer("未见过的取值"), outside=integer("超出训练范围"),
    )  # fmt: skip
    drift = Table(
        "漂移提示", name=text("变量"), trained=num("训练均值"), mean=num("新数据均值"), psi=num("PSI", least=0),
        limit=num("偶然界限", least=0),
    )  # fmt: skip
    states = Table("各行状态", status=text("状态"), n=integer("*n*"))
    predictions = Table(
        "预测结果", row=rows_column("行号"), predicted=num("预测值"), low=num("区间下限"), high=num("区间上限"),
        status=text("状态"),
    )  # fmt: skip
    download = File("预测结果")
    columns = NewColumns("预测值")
    made = NewTable("预测结果表", when={"append": True})

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"用“{form.model.name}”预测{form.model.card.target.label or form.model.card.target.name}"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.2 + rows * 2e-5

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        half = _half_width(form)
        rows = meet(form.model, form.unseen == "missing")
        predicting.judge(form, rows)
        predicted = np.full(rows.good.size, np.nan)
        predicted[rows.good] = form.model.predict(rows.matrix[rows.good])[:, 0]
        report.used(int(rows.good.sum()))
        scored = _truth(report, cls, form, rows, predicted)
        _lead(report, form, rows, predicted, half, scored)
        predicting.write_rows(report, cls, rows)
        predicting.checks(report, rows)
        if scored is not None:
            text = "误差只有在这些行没有参与训练时才说明模型对新数据有多准；"
            text += "数据本身看不出来，用训练数据得到的误差偏小。"
            report.check("没有参与训练", "unknown", text)
        _values(report, cls, predicted[rows.good])
        _deliver(report, cls, form, rows, predicted, half)
        return report


def _half_width(form: Any) -> float | None:
    """Of the interval asked for, as the model's card has it."""
    if form.interval == "none":
        return None
    level = LEVELS[form.interval]
    half = form.model.card.margins.get(level)
    if half is None:
        text = "该模型训练时没有保留足够的校准残差（{level}% 的区间至少要 {n} 行测试集），"
        text += "不能给预测区间；请重新训练，或不输出区间"
        remedy = SetRemedy(title="不输出区间", set={"interval": "none"})
        need = int(np.ceil(float(level) / (1 - float(level)) - 1e-9))
        raise Refusal("data.margin", text, field="interval", remedies=[remedy], level=form.interval, n=need)
    return float(half)


def _truth(report: Report, cls: Any, form: Any, rows: NewRows, predicted: Floats) -> Scores | None:
    """The same scores as the training report, where the true value is known."""
    column = form.y_true or (form.model.target if form.compare else None)
    elements = (cls.evaluation, cls.gain, cls.fitted, cls.order, cls.bins, cls.quantiles, cls.worst)
    if column is None or column.missing.all() or is_category(column):
        # The column of the target is there and empty: that is what is to be predicted.
        for element in elements:
            report.skip(element, NO_TRUTH)
        return None
    actual = np.asarray(column.numbers, dtype=np.float64)
    known = ~np.isnan(actual) & rows.good
    if not known.any():
        text = "变量“{x}”有值的行都没有得到预测，无法比较；请先处理自变量的缺失，或不给真实值"
        remedy = SetRemedy(title="不作比较", set={"y_true": None, "compare": False})
        field = "compare" if form.y_true is None else "y_true"
        raise Refusal("data.few", text, field=field, column=column.id, remedies=[remedy], x=column.title)
    largest = float(np.abs(actual[known]).max())
    if largest > LARGE or 0 < largest < 1 / LARGE:
        text = "真实值“{x}”太大（绝对值超过 1e100）或太小（不到 1e-100），平方后超出可计算的范围，无法比较"
        remedy = SetRemedy(title="不作比较", set={"y_true": None, "compare": False})
        field = "compare" if form.y_true is None else "y_true"
        raise Refusal("data.large", text, field=field, column=column.id, remedies=[remedy], x=column.title)
    report.skip(cls.gain, "基线要用训练集的均值，预测时没有训练数据")
    scores = score(actual[known], predicted[known])
    tables.evaluation_row(report, cls, "新数据", scores)
    tables.note_undefined(report, cls, [scores])
    numbers = np.asarray(rows.met[0].column.row_numbers)[known]
    tables.write_residuals(report, cls, numbers, actual[known], predicted[known])
    return scores


def _lead(
    report: Report, form: Any, rows: NewRows, predicted: Floats, half: float | None, scored: Scores | None
) -> None:
    good = predicted[rows.good]
    facts: dict[str, Any] = {
        "n": rows.good.size, "k": good.size, "name": form.model.name, "mean": float(good.mean()),
        "low": float(good.min()), "high": float(good.max()),
    }  # fmt: skip
    lead = "用模型“{name}”预测了 {k:integer} 行（共 {n:integer} 行），预测值平均 {mean:num}，"
    lead += "在 {low:num} 到 {high:num} 之间。"
    if good.size < rows.good.size:
        facts["rest"] = rows.good.size - good.size
        lead += "另外 {rest:integer} 行没有预测，原因见各行状态。"
    figures = [figure("得到预测的行", "{k:integer}", "共 {n:integer} 行"), figure("预测值的平均", "{mean:num}", None)]
    paper = "用已训练的模型“{name}”预测 {k:integer} 行，"
    if half is not None:
        facts |= {"half": half, "level": int(form.interval)}
        lead += "{level:integer}% 预测区间为预测值 ± {half:num}。"
    if scored is not None:
        facts |= {"rmse": scored.rmse, "mae": scored.mae}
        lead += "与真实值相比，平均差 {mae:num}（RMSE = {rmse:num}）。"
        figures.append(figure("RMSE", "{rmse:num}", "与真实值相比"))
        student = "误差与因变量的单位相同；先看残差图，误差大的范围里预测不能太当真。"
        paper += "与真实值相比，RMSE = {rmse:num}，MAE = {mae:num}。"
        brief = "预测了 {k:integer} 行，平均差 {mae:num}。"
    else:
        student = "每一行的预测值见预测结果。这里没有真实值，差多少无从知道。"
        paper += "没有真实值可比，未作评价。"
        brief = "预测了 {k:integer} 行，平均 {mean:num}。"
    report.lead(lead, figures, **facts)
    report.say(student, voice="student")
    report.say(paper, voice="paper", **facts)
    report.say(brief, voice="brief", **facts)


def _values(report: Report, cls: Any, good: Floats) -> None:
    spread = float(good.std(ddof=1)) if good.size > 1 else None
    report.row(cls.values, n=int(good.size), mean=float(good.mean()), sd=spread, low=good.min(), high=good.max())
    found = histogram(good)
    low, high = found.edges[:-1], found.edges[1:]
    report.add_rows(cls.spread, {"low": low, "high": high, "n": found.counts.astype(np.int64)})


def _deliver(report: Report, cls: Any, form: Any, rows: NewRows, predicted: Floats, half: float | None) -> None:
    """The answers as rows, as a file, as new variables, and as a table with the model's own variables."""
    numbers = np.asarray(rows.met[0].column.row_numbers)
    made: dict[str, Any] = {"预测值": predicted}
    if half is not None:
        made |= {"预测区间下限": predicted - half, "预测区间上限": predicted + half}
    known = {name: _cells(values) for name, values in made.items()}
    empty = np.full(predicted.size, None, dtype=object)
    cells = {
        "row": numbers, "predicted": known["预测值"], "low": known.get("预测区间下限", empty),
        "high": known.get("预测区间上限", empty), "status": rows.status,
    }  # fmt: skip
    report.add_rows(cls.predictions, cells)
    values = np.column_stack(list(made.values())).tolist()
    lines = [[int(number), *row, status] for number, row, status in zip(numbers, values, rows.status, strict=True)]
    hand_out(report, cls, "预测结果", ["行号", *made, "状态"], lines)
    made["预测状态"] = rows.status
    report.columns(cls.columns, made)
    if form.append:
        whole = {"行号": np.asarray(numbers, dtype=np.float64), **predicting.inputs(rows), **made}
        report.table_made(cls.made, whole)


def _cells(values: Floats) -> Any:
    """An empty cell where there is no prediction."""
    return np.array([None if np.isnan(value) else float(value) for value in values], dtype=object)
