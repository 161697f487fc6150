"""The conclusion of a regressor and the sentences under it."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Report, figure
from hengxi.methods.supervised_learning.regression._shared.found import Found
from hengxi.stats.names import short

NAMED = 3
"""Variables that the conclusion names."""


def write(report: Report, method: Any, form: Any, found: Found) -> None:
    test, y = found.test, outcome(form)
    facts: dict[str, Any] = {
        "n": test.n, "mae": test.mae, "rmse": test.rmse, "base": found.baseline.rmse, "y": y, "guess": found.guess,
    }  # fmt: skip
    figures = [figure("测试集 RMSE", "{rmse:num}", "与“{y}”的单位相同"), figure("平均差", "{mae:num}", "MAE")]
    lead = "在没参与训练的 {n:integer} 行上，预测“{y}”平均差 {mae:num}（RMSE = {rmse:num}）；"
    if test.r2 is not None:
        facts["r2"] = test.r2
        figures.insert(0, figure("*R*²", "{r2:num}", "测试集"))
        lead = lead.replace("（RMSE", "（*R*² = {r2:num}，RMSE")
    figures.append(figure("全猜均值的 RMSE", "{base:num}", "不用模型，都猜 {guess:num}"))
    lead += _verdict(found)
    if crosses(found) and (crossed := found.crossed_scores) is not None:
        facts |= {"m": crossed.n, "cross": crossed.rmse}
        lead += "测试集行数少，再看交叉验证：{m:integer} 行的 RMSE = {cross:num}，明显好于全猜均值。"
    names = [short(found.task.names)[j] for j in found.order if _counts(found, j)][:NAMED]
    if names:
        facts["top"] = "”“".join(names)
        lead += "预测主要依靠“{top}”。"
    report.lead(lead, figures, **facts)
    _voices(report, method, form, found)


def outcome(form: Any) -> str:
    return short([form.y.title])[0]


def is_useful(found: Found) -> bool:
    """Better than always predicting the mean: by the interval, not by the point."""
    return found.gain.is_sure


def crosses(found: Found) -> bool:
    """Too few test rows to tell, and enough in the cross-validation, where no search has chosen by the same folds."""
    crossed = found.crossed_gain
    is_open = not found.gain.is_sure and not found.gain.is_loss
    return crossed is not None and not found.trials and is_open and crossed.is_sure


def _counts(found: Found, j: int) -> bool:
    """Does shuffling the variable cost more than it varies from shuffle to shuffle? Only of a model that is of use."""
    if found.shuffled is None or not (is_useful(found) or crosses(found)):
        return False
    return bool(found.shuffled.means[j] > found.shuffled.losses[j].std(ddof=1))


def _verdict(found: Found) -> str:
    if is_useful(found):
        return "全猜训练集的均值时 RMSE = {base:num}，模型明显更好。"
    if found.gain.is_loss:
        return "全猜训练集的均值时 RMSE = {base:num}，模型反而更差，请不要用它预测。"
    if found.test.rmse > found.baseline.rmse:
        return "全猜训练集的均值时 RMSE = {base:num}，模型还没有它准。"
    return "全猜训练集的均值时 RMSE = {base:num}，还不能说模型比它好。"


def _voices(report: Report, method: Any, form: Any, found: Found) -> None:
    test, y = found.test, outcome(form)
    facts: dict[str, Any] = {"y": y, "rmse": test.rmse, "mae": test.mae, "base": found.baseline.rmse}
    report.say(
        "测试集没有参与训练，它的误差才说明模型对新数据有多准；训练集的误差（RMSE = {train:num}）一般偏小，不要引用。",
        voice="student", train=found.train.rmse,
    )  # fmt: skip
    fit = "" if test.r2 is None else "，*R*² = {r2:num}"
    report.say(
        "以{title}预测“{y}”，{ratio:percent} 的样本（{a:integer} 行）用于训练，{b:integer} 行用于测试"
        "（随机种子 {seed:text}）；测试集 RMSE = {rmse:num}，MAE = {mae:num}"
        f"{fit}；全猜训练集均值的 RMSE = {{base:num}}。",
        voice="paper", title=method.title, ratio=form.train_ratio, a=int(found.task.train.size), b=test.n,
        seed=str(form.seed), **facts, **({"r2": test.r2} if fit else {}),
    )  # fmt: skip
    report.say("预测“{y}”平均差 {mae:num}；不用模型、全猜均值时平均差 {guess:num}。", voice="brief",
               y=y, mae=test.mae, guess=found.baseline.mae)  # fmt: skip
    report.say("重要性说的是模型靠什么预测，不是原因；模型只对与训练数据相似的新数据可信。")
    report.say(_next(form, found), y=y)


def _next(form: Any, found: Found) -> str:
    if not is_useful(found) and not crosses(found):
        return "下一步：换上与“{y}”更有关的自变量，或收集更多的行，再做一次；现在的模型不宜用来预测。"
    if form.save_model:
        return "下一步：在“试算”里代入新值，或用“回归模型预测”预测新数据。"
    return "下一步：勾选“保存模型用于预测”，再预测新数据。"
