"""What a reader should doubt: few test rows, rare classes, learning by heart, time."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Report, SetRemedy
from hengxi.contract.report import more
from hengxi.methods.supervised_learning._shared import leaks
from hengxi.methods.supervised_learning.classifier._shared import learning_curve
from hengxi.methods.supervised_learning.classifier._shared.found import RARE, Found

FEW_TEST = 30


def report_all(report: Report, method: Any, form: Any, found: Found) -> None:
    _test_rows(report, method, found)
    _balance(report, form, found)
    if found.curve is None:
        _overfit(report, found)
    else:
        learning_curve.check(report, method, form, found.curve, found.baseline_share)
    _out_of_bag(report, found)
    leaks.check(report, found, found.test.accuracy)
    _time(report, form, found)


def _test_rows(report: Report, method: Any, found: Found) -> None:
    n = found.test.n
    what = more(
        "测试集越大，准确率估计得越准。", "测试集 {n:integer} 行。", "行数少时区间很宽，换一个随机种子准确率就会变。",
        "少于 30 行时，" + method.few_test + "。",
    )  # fmt: skip
    if n < FEW_TEST:
        text = "测试集只有 {n:integer} 行，准确率的区间很宽，" + method.few_test + "。"
        report.check("测试集的大小", "care", text, more=what, n=n)
    else:
        report.check("测试集的大小", "pass", "测试集有 {n:integer} 行。", more=what, n=n)


def _balance(report: Report, form: Any, found: Found) -> None:
    task, rare, share = found.task, found.rare, found.rare_share
    what = more(
        "各类的行数是否相差很大。", "最少的类“{c}”占 {share:percent1}。",
        "类别悬殊时，全猜最多的类也有很高的准确率，最少的类却可能几乎判不出来。",
        "看 F1、PR 曲线与各类的召回率，并试“类别权重”。",
    )  # fmt: skip
    facts: dict[str, Any] = {"c": task.classes[rare], "share": share}
    if share < RARE:
        text = "最少的类“{c}”只占 {share:percent1}，准确率高不代表能找出它；请看它的召回率和 F1。"
        remedy = SetRemedy(title="按类别频数反比加权", set={"class_weight": "balanced"})
        remedies = [remedy] if form.class_weight == "none" else []
        report.check("类别均衡", "care", text, more=what, remedies=remedies, **facts)
    else:
        least = "最少的类“{c}”占 {share:percent1}。"
        if task.counts.min() == task.counts.max():
            least = "各类的行数相同，各占 {share:percent1}。"
        report.check("类别均衡", "pass", least, more=what, **facts)


def _overfit(report: Report, found: Found) -> None:
    train, test = found.train.accuracy, found.test.accuracy
    what = more(
        "模型是学到了规律，还是记住了训练数据。", "训练集准确率 {train:percent1}，测试集 {test:percent1}。",
        "差得多时，训练集的准确率不能引用，模型换一批数据会变差。",
        "加大“叶子节点的最小样本数”，限制树的深度，或减少自变量。",
    )  # fmt: skip
    facts: dict[str, Any] = {"train": train, "test": test}
    if train - test > learning_curve.GAP * (1 - found.baseline_share):
        text = "训练集准确率 {train:percent1}，测试集 {test:percent1}：模型记住了一部分训练数据，请以测试集的为准。"
        report.check("过拟合", "care", text, more=what, **facts)
    else:
        report.check(
            "过拟合",
            "pass",
            "训练集与测试集的准确率相差不大（{train:percent1} 与 {test:percent1}）。",
            more=what,
            **facts,
        )


def _out_of_bag(report: Report, found: Found) -> None:
    if found.out_of_bag is None:
        return
    test = found.test
    what = more(
        "袋外得分与测试集得分应当接近。", "袋外 {oob:percent1}，测试集 {test:percent1}。",
        "两者相差 {gap:num1} 个百分点。差得多说明这次切分有偶然性。测试集越小，区间越宽，越看不出差别。",
        "换随机种子再做几次，或以交叉验证为准。",
    )  # fmt: skip
    oob = found.out_of_bag.accuracy
    facts: dict[str, Any] = {
        "oob": oob, "test": test.accuracy, "low": test.low, "high": test.high, "gap": 100 * abs(oob - test.accuracy),
    }  # fmt: skip
    span = "测试集准确率 {test:percent1} 的 95% CI（{low:percent1} 到 {high:percent1}）"
    if test.low <= oob <= test.high:
        text = f"袋外准确率 {{oob:percent1}} 在{span}之内，两者一致。"
        report.check("切分是否稳定", "pass", text, more=what, **facts)
    else:
        text = f"袋外准确率 {{oob:percent1}} 不在{span}之内：换一种切分结果可能不同，请增加样本或看交叉验证。"
        report.check("切分是否稳定", "care", text, more=what, **facts)


def _time(report: Report, form: Any, found: Found) -> None:
    times = [column.title for column in found.task.columns if column.measure == "时间"]
    if times and form.shuffle:
        text = (
            "自变量里有时间“{x}”，而数据已洗牌：等于用以后的数据预测以前的，得分会偏高。请按时间先后排好，并关闭洗牌。"
        )
        remedy = SetRemedy(title="关闭洗牌", set={"shuffle": False, "stratify": False})
        report.check("时间泄漏", "care", text, remedies=[remedy], x="、".join(times))
