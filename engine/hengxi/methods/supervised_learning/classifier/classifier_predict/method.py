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
    number,
    percent,
    role,
    rows_column,
    text,
)
from hengxi.methods.supervised_learning._shared import predicting
from hengxi.methods.supervised_learning._shared.delivery import hand_out
from hengxi.methods.supervised_learning.classifier._shared import delivery, tables
from hengxi.methods.supervised_learning.classifier._shared.scored import Scored
from hengxi.stats.learning.applying import NewRows, classes_of, meet
from hengxi.stats.learning.scoring import Scores, called, score
from hengxi.stats.moments import Floats

NO_TRUTH = "数据里没有真实类别"


class ClassifierPredict(Scored, Predict):
    """Any saved classifier on new rows. The class of the model answers; here only rows are met and results told."""

    title, title_en = "分类模型预测", "Predict with a saved classifier"
    family, tier = "机器学习分类", "standard"
    purpose = "用已保存的任一分类模型给新数据逐行判定类别与概率"
    aliases = ("预测新数据", "打分", "用模型预测", "判别新样本", "PSI")
    references = ("delong1988", "wilson1927", "siddiqi2006", "yurdakul2020", "cohen1960", "gorodkin2004")
    conventions = (
        "模型的变量按变量名对应，没有同名的再按标签；也可逐个指定。取值按存储值对应，对不上再按标签。",
        "训练时填补缺失的模型用训练时学到的填补值，否则含缺失的行不预测；超出训练范围的行照常预测并标记。",
        "PSI = Σ(q − p)·ln(q/p)，数值按训练集的十分位分箱，占比下限 0.0001。",
        "偶然界限 = χ²(0.95; 箱数 − 1)·(1/n + 1/N)；PSI 同时大于 0.25 与偶然界限才视为漂移。",
        "概率恰好等于阈值判为正类。得分的定义与训练报告相同。",
    )

    class Input(Form):
        model: KeptModel = model("已保存模型", task="classification")
        y_true: Column | None = role(
            "真实类别（可选）", "定类", min=0, hint="给出后比较预测与真实；不选时自动取与模型因变量同名的变量"
        )
        compare: bool = flag("有真实类别时给出评估", True)
        threshold: float | None = number("二分类判定阈值", None, least=0.01, most=0.99, auto="训练时的阈值")
        unseen: str = choice("未见过的类别水平", {"skip": "该行不预测并标记", "missing": "按缺失处理"})
        append: bool = flag("另成一张表（原变量加预测）", False)

    counts = Table(
        "预测类别频数", level=text("类别"), n=integer("*n*"), share=percent("占比"),
        trained=percent("训练数据中的占比"), place="main",
    )  # fmt: skip
    counts_plot = Chart("预测类别图", "bar", of=counts, x="level", y="n", titles={"y": "行数"}, place="main")
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
        "预测结果", row=rows_column("行号"), called=text("预测类别"), p=percent("预测类别的概率"), status=text("状态"),
    )  # fmt: skip
    download = File("预测结果（含各类别概率）")
    columns = NewColumns("预测类别与概率")
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
        rows = meet(form.model, form.unseen == "missing")
        predicting.judge(form, rows)
        proba = np.full((rows.good.size, len(form.model.card.target.classes or [])), np.nan)
        proba[rows.good] = form.model.predict(rows.matrix[rows.good])
        found = Predicted(form, rows, proba)
        report.used(int(rows.good.sum()))
        scored = _truth(report, cls, form, found)
        _lead(report, cls, found, scored)
        _tables(report, cls, found)
        _deliver(report, cls, form, found)
        return report


class Predicted:
    """The answers; `chosen` is −1 where a row has none."""

    def __init__(self, form: Any, rows: NewRows, proba: Floats) -> None:
        card = form.model.card
        self.model, self.card, self.rows, self.proba = form.model, card, rows, proba
        self.event = card.target.event if len(card.target.classes) == 2 else None
        self.threshold = form.threshold or card.threshold or 0.5
        self.classes = [one.label for one in card.target.classes]
        self.chosen = np.full(rows.good.size, -1, dtype=np.int64)
        self.chosen[rows.good] = self.called(proba[rows.good])

    def called(self, proba: Floats) -> Any:
        return called(proba, self.event, self.threshold)

    @property
    def names(self) -> Any:
        """The called class of each row, None where there is none."""
        return np.array([*self.classes, None], dtype=object)[self.chosen]


def _truth(report: Report, cls: Any, form: Any, found: Predicted) -> Scores | None:
    """The same scores as the training report, where the true class is known."""
    column = form.y_true or (form.model.target if form.compare else None)
    if column is None or (form.y_true is None and column.missing.all()):
        # The column of the target is there and empty: that is what is to be predicted.
        for element in (cls.evaluation, cls.confusion, cls.cells, cls.classes, cls.areas, cls.roc, cls.pr, cls.bins):
            report.skip(element, NO_TRUTH)
        return None
    actual = classes_of(column, found.card.target.classes)
    known = (actual >= 0) & found.rows.good
    if not known.any():
        remedy = SetRemedy(title="不作比较", set={"y_true": None, "compare": False})
        facts: dict[str, Any] = {"x": column.title, "c": "、".join(found.classes)}
        if (actual >= 0).any():
            code, text = "data.few", "变量“{x}”有值的行都没有得到预测，无法比较；请先处理自变量的缺失，或不给真实类别"
        else:
            code, text = (
                "data.classes",
                "变量“{x}”的取值和模型的类别（{c}）没有一个相同，无法比较；请换一个变量，或不作比较",
            )
        # A target met by its name stands in no box; the switch below it is what was chosen.
        field = "compare" if form.y_true is None else "y_true"
        raise Refusal(code, text, field=field, column=column.id, remedies=[remedy], **facts)
    strange = int(((actual < 0) & ~column.missing).sum())
    if strange:
        text = "“{x}”有 {k:integer} 行的取值不是模型的类别，不参与评估。"
        report.warn("data.classes", text, columns=[column], x=column.title, k=strange)
    y, proba = actual[known], found.proba[known]
    one = score(y, proba, found.event, found.threshold)
    tables.evaluation_row(report, cls, "新数据", one)
    tables.write_confusion(report, cls, found.classes, y, found.called(proba), None)
    tables.write_classes(report, cls, found.classes, y, proba, found)
    tables.write_curves(report, cls, found.classes, y, proba, found.event)
    return one


def _lead(report: Report, cls: Any, found: Predicted, scored: Scores | None) -> None:
    good = int(found.rows.good.sum())
    counts = np.bincount(found.chosen[found.rows.good], minlength=len(found.classes))
    top = int(counts.argmax())
    tops = "”、“".join(name for name, n in zip(found.classes, counts, strict=True) if n == counts[top])
    facts: dict[str, Any] = {
        "n": found.rows.good.size, "k": good, "c": tops, "share": counts[top] / good,
        "name": found.model.name,
    }  # fmt: skip
    words = "用模型“{name}”预测了 {k:integer} 行（共 {n:integer} 行），最多的类别是“{c}”，{each}占 {share:percent1}。"
    words = words.replace("{each}", "各" if tops != found.classes[top] else "")
    if good < found.rows.good.size:
        facts["rest"] = found.rows.good.size - good
        words += "另外 {rest:integer} 行没有预测，原因见各行状态。"
    figures = [figure("得到预测的行", "{k:integer}", "共 {n:integer} 行")]
    figures.append(figure("最多的类别", "{c}", "{share:percent1}"))
    if scored is not None:
        facts |= {"accuracy": scored.accuracy, "low": scored.low, "high": scored.high}
        words += "与真实类别相比，判对 {accuracy:percent1}（95% CI {low:percent1} 到 {high:percent1}）。"
        figures.append(figure("准确率", "{accuracy:percent1}", "95% CI {low:percent1} 到 {high:percent1}"))
    report.lead(words, figures, **facts)
    _voices(report, facts, scored)
    predicting.checks(report, found.rows)
    if scored is not None:
        text = "得分只有在这些行没有参与训练时才说明模型对新数据的把握；数据本身看不出来，用训练数据得到的得分偏高。"
        report.check("没有参与训练", "unknown", text)


def _voices(report: Report, facts: dict[str, Any], scored: Scores | None) -> None:
    student = "每一行判给哪一类、概率多大，见预测结果；概率离判定的界限越近，这一行越没有把握。"
    paper = "用已训练的模型“{name}”预测 {k:integer} 行，"
    brief = "预测了 {k:integer} 行，最多的是“{c}”，" + ("各" if "”、“" in facts["c"] else "") + "占 {share:percent1}。"
    if scored is None:
        student += "这里没有真实类别，判对多少无从知道。"
        paper += "没有真实类别可比，未作评价。"
    else:
        student += "准确率是判对的行占的比例；各类的行数悬殊时，全猜最多的类也能很高，要连同召回率一起看。"
        paper += "与真实类别相比，准确率 {accuracy:percent1}（95% CI {low:percent1} 到 {high:percent1}）。"
        brief += "每 100 行大约判对 {per:num0} 行。"
        facts = facts | {"per": 100 * scored.accuracy}
    for voice, said in (("student", student), ("paper", paper), ("brief", brief)):
        report.say(said, voice=voice, **facts)  # type: ignore[arg-type]


def _tables(report: Report, cls: Any, found: Predicted) -> None:
    rows = found.rows
    good = int(rows.good.sum())
    counts = np.bincount(found.chosen[rows.good], minlength=len(found.classes))
    for level, n in zip(found.card.target.classes, counts, strict=True):
        report.row(cls.counts, level=level.label, n=int(n), share=n / good, trained=level.share)
    predicting.write_rows(report, cls, rows)
    if found.event is not None:
        text = "预测概率不低于 {t:num} 判为“{c}”。"
        report.note(cls.counts, text, t=found.threshold, c=found.classes[found.event])


def _deliver(report: Report, cls: Any, form: Any, found: Predicted) -> None:
    """The answers as rows, as a file, as new variables, and as a table with the model's own variables."""
    rows = found.rows
    numbers = rows.met[0].column.row_numbers
    own = np.where(rows.good, found.proba[np.arange(rows.good.size), found.chosen], np.nan)
    p = np.array([None if np.isnan(value) else float(value) for value in own], dtype=object)
    cells = {"row": np.asarray(numbers), "called": found.names, "p": p, "status": rows.status}
    report.add_rows(cls.predictions, cells)
    head = ["行号", "预测类别", *(f"概率_{name}" for name in found.classes), "状态"]
    lines = [
        [int(numbers[i]), found.names[i] or "", *shares.tolist(), rows.status[i]]
        for i, shares in enumerate(found.proba)
    ]
    hand_out(report, cls, "预测结果", head, lines)
    columns = delivery.probabilities(found.classes, found.proba, found.event)
    made: dict[str, Any] = {"预测类别": found.names, **columns, "预测状态": rows.status}
    report.columns(cls.columns, made)
    if form.append:
        report.table_made(cls.made, {"行号": np.asarray(numbers, dtype=np.float64), **predicting.inputs(rows), **made})
