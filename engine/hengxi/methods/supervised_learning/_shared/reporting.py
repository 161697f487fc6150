"""Tables that learners write alike: importance, the search for settings, all settings.

`found` is what training found (`found.Found`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report
from hengxi.contract.fields import ChoiceField, FlagField, IntegerField, NumberField, WordsField
from hengxi.contract.form import SEED
from hengxi.methods.supervised_learning._shared.fitting import MOST_CROSSED, MOST_SEARCHED, is_long
from hengxi.methods.supervised_learning._shared.searching import Trial

MOST_BARS = 30
SHOWN = ChoiceField | FlagField | IntegerField | NumberField | WordsField
STOPPED = "按要求停止，这一步没有做"
LONG = f"训练集超过 {MOST_CROSSED} 行，不做交叉验证与学习曲线，以测试集的得分为准"


def importance(report: Report, method: Any, found: Any) -> None:
    shuffled, own = found.shuffled, found.own_importance
    mean = None if shuffled is None else shuffled.means
    sd = None if shuffled is None else shuffled.losses.std(axis=1, ddof=1)
    for place, j in enumerate(found.order):
        cells: dict[str, Any] = {
            "name": found.task.names[j],
            "loss": None if mean is None else mean[j],
            "sd": None if sd is None else sd[j],
        }
        if method.has_importance:
            cells["share"] = None if own is None else own[j]
        report.row(method.importance, **cells)
        if mean is not None and sd is not None and place < MOST_BARS:
            name, at = found.task.names[j], float(mean[j])
            report.row(method.bars, name=name, loss=at, low=at - float(sd[j]), high=at + float(sd[j]))
    if mean is None:
        report.note(method.importance, "置换重要性：" + STOPPED + "。")
        report.skip(method.bars, STOPPED)
        return
    report.chart(method.importance_plot, titles={"y": f"打乱后{method.score_name}的下降"})
    report.note(
        method.importance,
        f"置换重要性是在测试集上打乱该变量后{method.score_name}的下降，10 次重复的均值与标准差，可能为负；"
        "相关的变量会互相顶替，各自的值都偏小。",
    )  # fmt: skip
    if shuffled is not None and shuffled.rows.size < found.task.test.size:
        text = "测试集很大，置换重要性用其中随机抽取的 {k:integer} 行计算。"
        report.note(method.importance, text, k=int(shuffled.rows.size))
    if len(found.order) > MOST_BARS:
        report.note(method.importance_plot, "只画最大的 {k:integer} 个变量，其余见表。", k=MOST_BARS)


def why_not_crossed(form: Any, found: Any) -> str:
    if not form.cv_folds:
        return "没有要求交叉验证"
    return LONG if is_long(found.task) else STOPPED


def trials(report: Report, method: Any, form: Any, found: Any) -> None:
    if form.tune == "none":
        return
    if not found.trials:
        report.skip(method.trials, STOPPED)
        report.skip(method.tried, STOPPED)
        return
    sign = -1.0 if form.tune_metric in method.losses else 1.0
    fields = method.Input.fields
    for rank, trial in enumerate(found.trials, 1):
        words = "，".join(f"{fields[key].title} = {_titled(fields[key], value)}" for key, value in trial.params.items())
        sd = float(np.std(trial.scores, ddof=1))
        report.row(method.trials, rank=rank, params=words, mean=sign * trial.mean, sd=sd)
    for key in found.trials[0].params:
        _tried(report, method, fields[key], key, found.trials, sign)
    report.chart(method.tried_plot, titles={"y": _titled(fields["tune_metric"], form.tune_metric)})
    text = "每个点是一组参数的得分（各折均值），空心标记是取该值的各组的均值，线段由最低到最高。"
    report.note(method.tried_plot, text)
    if form.tune_metric in method.losses:
        report.note(method.trials, f"{_titled(fields['tune_metric'], form.tune_metric)}越小越好。")
    if is_long(found.task):
        report.note(method.trials, "训练行很多，搜索只用其中随机抽取的 {k:integer} 行。", k=MOST_SEARCHED)
    text = "试了 {k:integer} 组，按“{metric}”挑选。搜索与交叉验证用同样的折，所以交叉验证的得分略微偏高，以测试集为准。"
    metric = _titled(fields["tune_metric"], form.tune_metric)
    report.note(method.trials, text, k=len(found.trials), metric=metric)


def _tried(report: Report, method: Any, field: Any, key: str, trials: list[Trial], sign: float) -> None:
    """One small picture of a setting: the scores of all trials by its value, in the order of the values."""
    values = list(dict.fromkeys(trial.params[key] for trial in trials))
    values.sort(key=lambda value: (value is None, value if isinstance(value, int | float) else 0))
    for value in values:
        word = _titled(field, value)
        scores = [sign * trial.mean for trial in trials if trial.params[key] == value]
        spread: dict[str, Any] = {"mean": float(np.mean(scores)), "low": min(scores), "high": max(scores)}
        report.row(method.tried, setting=field.title, value=word, **spread)
        for score in scores:
            report.row(method.tried_cases, setting=field.title, value=word, score=score)


def _word(value: Any) -> str:
    if value is None:
        return "不限"
    return (
        "是" if value is True else "否" if value is False else f"{value:g}" if isinstance(value, float) else str(value)
    )


def settings(report: Report, method: Any, form: Any, found: Any) -> None:
    """Every setting with its value, and whether the user, the search or nobody chose it."""
    searched = found.trials[0].params if found.trials else {}
    task = found.task
    report.row(
        method.settings, name="训练集与测试集", value=f"{task.train.size} 行与 {task.test.size} 行", source="数据"
    )
    for key, field in method.Input.fields.items():
        if (
            not isinstance(field, ChoiceField | FlagField | IntegerField | NumberField | WordsField)
            or key == "save_model"
        ):
            continue
        value = searched.get(key, getattr(form, key))
        if value is None and field.when is not None:
            continue
        default = getattr(field, "default", None)
        source = "搜索" if key in searched else "默认" if getattr(form, key) == default else "用户"
        report.row(method.settings, name=field.title, value=_titled(field, value), source=source)
    report.row(method.settings, name="随机种子", value=str(form.seed), source="默认" if form.seed == SEED else "用户")


def _titled(field: Any, value: Any) -> str:
    if isinstance(field, ChoiceField):
        return next((one.title for one in field.options if one.key == value), str(value))
    if value is None and field.auto is not None:
        return str(field.auto.title)
    return _word(value)
