"""What a classifier's report says: how often right, against what, by which variables."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Report, figure
from hengxi.methods.supervised_learning.classifier._shared.found import RARE, Found
from hengxi.stats.names import short

NAMED = 3
"""Variables that the conclusion names."""


def write(report: Report, method: Any, form: Any, found: Found) -> None:
    task, test = found.task, found.test
    facts: dict[str, Any] = {
        "n": test.n, "accuracy": test.accuracy, "low": test.low, "high": test.high, "y": _outcome(form),
        "base": found.baseline.accuracy, "major": task.classes[found.major],
    }  # fmt: skip
    if task.event is not None:
        facts["event"] = task.classes[task.event]
    figures = [
        figure("测试集准确率", "{accuracy:percent1}", "95% CI {low:percent1} 到 {high:percent1}"),
        figure("F1", "{f1:num}", "正类“{event}”" if task.event is not None else "宏平均"),
        figure("全猜最多的类", "{base:percent1}", "不用模型，都判为“{major}”"),
    ]
    facts["f1"] = test.f1
    if test.auc is not None:
        facts["auc"] = test.auc
        figures.insert(1, figure("AUC", "{auc:num}", "一对其余的宏平均" if task.event is None else None))
    lead = (
        "在没参与训练的 {n:integer} 行上，模型判对“{y}”的 {accuracy:percent1}"
        "（95% CI {low:percent1} 到 {high:percent1}）；" + _verdict(found)
    )
    if (crossed := found.crossed_scores) is not None and crosses(found):
        facts |= {"m": crossed.n, "cross": crossed.accuracy, "from": crossed.low, "to": crossed.high}
        lead += (
            "测试集行数少，再看交叉验证：{m:integer} 行判对 {cross:percent1}"
            "（95% CI {from:percent1} 到 {to:percent1}），高于全猜。"
        )
    hits, rows = found.rare_calls
    if found.rare_share < RARE and rows:
        facts |= {"rare": task.classes[found.rare], "hits": hits, "rows": rows}
        lead += "其中 {rows:integer} 行“{rare}”找出了 {hits:integer} 行。"
    names = [short(task.names)[j] for j in found.order if _counts(found, j)][:NAMED]
    if names:
        facts["top"] = "”“".join(names)
        lead += "预测主要依靠“{top}”。"
    report.lead(lead, figures, **facts)
    _voices(report, method, form, found)


def _outcome(form: Any) -> str:
    return short([form.y.title])[0]


def _counts(found: Found, j: int) -> bool:
    """Does shuffling the variable cost more than it varies from shuffle to shuffle? Only of a model that is of use."""
    if found.shuffled is None or not is_useful(found):
        return False
    losses = found.shuffled.losses[j]
    return bool(found.shuffled.means[j] > losses.std(ddof=1))


def is_useful(found: Found) -> bool:
    """Better than always calling the most frequent class: by the interval, not by the point."""
    return found.test.low > found.baseline.accuracy


def crosses(found: Found) -> bool:
    """Too few test rows to tell, and enough in the cross-validation, where no search has chosen by the same folds."""
    crossed = found.crossed_scores
    open_end = found.test.low <= found.baseline.accuracy <= found.test.high
    return crossed is not None and not found.trials and open_end and crossed.low > found.baseline_share


def _verdict(found: Found) -> str:
    if is_useful(found):
        return "全猜“{major}”只有 {base:percent1}，模型明显更好。"
    if found.test.high < found.baseline.accuracy:
        return "全猜“{major}”就有 {base:percent1}，模型反而更差，请不要用它预测。"
    if found.test.accuracy < found.baseline.accuracy:
        return "全猜“{major}”就有 {base:percent1}，模型还没有它准。"
    return "全猜“{major}”也有 {base:percent1}，模型没有明显更好。"


def _voices(report: Report, method: Any, form: Any, found: Found) -> None:
    test, task, y = found.test, found.task, _outcome(form)
    report.say(
        "测试集没有参与训练，它的准确率才说明模型对新数据有多准；训练集的准确率（{train:percent1}）一般偏高，不要引用。",
        voice="student", train=found.train.accuracy,
    )  # fmt: skip
    area = "，AUC = {auc:num}" if test.auc is not None else ""
    report.say(
        "以{title}预测“{y}”，{ratio:percent} 的样本（{a:integer} 行）用于训练，{b:integer} 行用于测试"
        "（随机种子 {seed:text}）；测试集准确率 {accuracy:percent1}，95% CI {low:percent1} 到 {high:percent1}"
        f"{area}；全猜“{{major}}”的准确率为 {{base:percent1}}。",
        voice="paper", title=method.title, y=y, ratio=form.train_ratio, a=int(task.train.size),
        b=test.n, seed=str(form.seed), accuracy=test.accuracy, low=test.low, high=test.high,
        major=task.classes[found.major], base=found.baseline.accuracy, **({"auc": test.auc} if area else {}),
    )  # fmt: skip
    report.say(
        "每 100 个新样本，模型大约判对 {per:num0} 个；全猜“{major}”约对 {base:num0} 个。",
        voice="brief", per=100 * test.accuracy, major=task.classes[found.major], base=100 * found.baseline.accuracy,
    )  # fmt: skip
    report.say("重要性说的是模型靠什么预测，不是原因；模型只对与训练数据相似的新数据可信。")
    report.say(_next(form, found), y=y)


def _next(form: Any, found: Found) -> str:
    if not is_useful(found) and not crosses(found):
        return "下一步：换上与“{y}”更有关的自变量，或收集更多的行，再做一次；现在的模型不宜用来预测。"
    use = (
        "在“试算”里代入新值，或用“分类模型预测”判断新数据"
        if form.save_model
        else "勾选“保存模型用于预测”，再判断新数据"
    )
    two = "；要写出每个变量的影响程度，用二元Logistic回归" if found.task.k == 2 else ""
    return f"下一步：{use}{two}。"
