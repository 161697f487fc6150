"""What a classifier's report says: how often right, against what, by which variables."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Report, figure
from hengxi.methods.supervised_learning.classifier._shared.found import Found


def write(report: Report, method: Any, form: Any, found: Found) -> None:
    task, test = found.task, found.test
    facts: dict[str, Any] = {
        "n": test.n, "accuracy": test.accuracy, "low": test.low, "high": test.high, "y": form.y.title,
        "base": found.baseline.accuracy, "major": task.classes[found.major],
    }  # fmt: skip
    if task.event is not None:
        facts["event"] = task.classes[task.event]
    figures = [
        figure("测试集准确率", "{accuracy:percent1}", "95% CI {low:percent1} 到 {high:percent1}"),
        figure("F1", "{f1:num}", "正类“{event}”" if task.event is not None else "宏平均"),
    ]
    facts["f1"] = test.f1
    if test.auc is not None:
        facts["auc"] = test.auc
        figures.insert(1, figure("AUC", "{auc:num}", "一对其余的宏平均" if task.event is None else None))
    lead = (
        "在没参与训练的 {n:integer} 行上，模型判对“{y}”的 {accuracy:percent1}"
        "（95% CI {low:percent1} 到 {high:percent1}）；"
        "总判为最多的类“{major}”也能对 {base:percent1}，" + _verdict(found)
    )
    names = [task.names[j] for j in found.order if _counts(found, j)][:3]
    if names:
        facts["top"] = "”、“".join(names)
        lead += "预测主要依靠“{top}”。" if len(names) > 1 else "预测主要依靠“{top}”一个变量。"
    report.lead(lead, figures, **facts)
    _voices(report, method, form, found)


def _counts(found: Found, j: int) -> bool:
    """Does shuffling the variable cost more than it varies from shuffle to shuffle? Only of a model that is of use."""
    if found.shuffled is None or found.test.low <= found.baseline.accuracy:
        return False
    losses = found.shuffled.losses[j]
    return bool(found.shuffled.means[j] > losses.std(ddof=1))


def _verdict(found: Found) -> str:
    """Against always calling the most frequent class: by the interval, not by the point."""
    if found.test.low > found.baseline.accuracy:
        return "区间的下限也高于它，模型比它好。"
    if found.test.high < found.baseline.accuracy:
        return "区间的上限也低于它，模型反而更差。"
    if found.test.accuracy < found.baseline.accuracy:
        return "模型还没有它准，看不出模型有用。"
    return "这些行还不足以说明模型比它好。"


def _voices(report: Report, method: Any, form: Any, found: Found) -> None:
    test, task = found.test, found.task
    report.say(
        "测试集没有参与训练，所以它的准确率才反映模型对新数据的把握；训练集的准确率（{train:percent1}）一般偏高，不要引用。",
        voice="student", train=found.train.accuracy,
    )  # fmt: skip
    report.say(
        "以{title}预测“{y}”，{ratio:percent} 的样本（{a:integer} 行）用于训练，{b:integer} 行用于测试"
        "（随机种子 {seed:text}）；"
        "测试集准确率 {accuracy:percent1}，95% CI {low:percent1} 到 {high:percent1}。",
        voice="paper", title=method.title, y=form.y.title, ratio=form.train_ratio, a=int(task.train.size),
        b=test.n, seed=str(form.seed), accuracy=test.accuracy, low=test.low, high=test.high,
    )  # fmt: skip
    report.say(
        "每 100 个新样本，模型大约判对 {per:num0} 个；不用模型、总猜“{major}”约对 {base:num0} 个。",
        voice="brief", per=100 * test.accuracy, major=task.classes[found.major], base=100 * found.baseline.accuracy,
    )  # fmt: skip
    report.say("重要性说的是模型靠什么预测，不是原因；模型只对与训练数据相似的新数据可信。")
