"""New rows met by a saved model, whatever it predicts: refusals, the tables of variables and states, drift."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Refusal, Report
from hengxi.stats.learning.applying import NewRows


def judge(form: Any, rows: NewRows) -> None:
    """Refuses new rows of which not one can be answered."""
    if rows.good.any():
        return
    gaps = [one for one in rows.met if one.missing.all()]
    if gaps:
        column = gaps[0].column
        text = "没有一行可以预测：变量“{x}”全部缺失；请换一份数据，或在“已保存模型”下指定别的变量"
        raise Refusal("data.empty", text, field="model", column=column.id, x=column.title)
    unseen = next((one for one in rows.met if one.unseen.any()), None)
    if unseen is not None:
        text = "没有一行可以预测：变量“{x}”的取值“{v}”{more}在训练数据里没有出现过（训练时的取值如“{known}”）{rest}"
        text += "；请核对取值的写法"
        facts: dict[str, Any] = {"x": unseen.column.title, "v": unseen.unseen_labels[0]}
        facts["more"] = "等" if len(unseen.unseen_labels) > 1 else ""
        facts["known"] = "”、“".join(one.label for one in (unseen.feature.levels or [])[:5])
        facts["rest"] = "" if unseen.unseen.all() else "，其余各行有模型需要的变量缺失或也是这样"
        raise Refusal("data.unseen", text, field="model", column=unseen.column.id, **facts)
    raise Refusal("data.empty", "没有一行可以预测：每行都有模型需要的变量缺失，请先处理缺失", field="model")


def write_rows(report: Report, cls: Any, rows: NewRows) -> None:
    """How the model's variables were met, how far they have drifted, and how many rows are in which state."""
    for one in rows.met:
        name = one.feature.label or one.feature.name
        report.row(
            cls.mapping, feature=name, column=one.column.title, kind=one.feature.measure,
            missing=int(one.missing.sum()), unseen=int(one.unseen.sum()), outside=int(one.outside.sum()),
        )  # fmt: skip
        marks = {"psi": "!"} if one.psi.is_high else {}
        found_psi: dict[str, Any] = {"psi": one.psi.value, "limit": one.psi.limit}
        report.row(cls.drift, name=name, trained=one.feature.mean, mean=one.mean, marks=marks, **found_psi)
    for status, n in zip(*np.unique(rows.status.astype(str), return_counts=True), strict=True):
        report.row(cls.states, status=str(status), n=int(n))


def checks(report: Report, rows: NewRows) -> None:
    """Drift from the training rows, and values that did not occur there."""
    moved = [one for one in rows.met if one.psi.is_high]
    if moved:
        names = "”、“".join(one.feature.label or one.feature.name for one in moved[:5])
        text = "有 {k:integer} 个变量的分布与训练数据明显不同（“{names}”），预测可能不可靠，宜用新数据重新训练。"
        report.check("数据漂移", "care", text, k=len(moved), names=names)
    else:
        text = "各变量的分布与训练数据相近：PSI 没有同时超过 0.25 和抽样偶然可达的界限。"
        report.check("数据漂移", "pass", text)
    for one in rows.met:
        if one.unseen.any():
            text = "变量“{x}”有 {k:integer} 行的取值在训练数据里没有出现过，例如“{v}”。"
            facts: dict[str, Any] = {"x": one.column.title, "k": int(one.unseen.sum()), "v": one.unseen_labels[0]}
            report.warn("data.unseen", text, columns=[one.column], **facts)


def inputs(rows: NewRows) -> dict[str, Any]:
    """The model's variables as they stand in the new data; texts of levels for categories."""
    found: dict[str, Any] = {}
    for one in rows.met:
        if one.feature.levels is None:
            found[one.column.name] = np.asarray(one.column.numbers, dtype=np.float64)
        else:
            labels = np.array([*one.column.labels, None], dtype=object)
            found[one.column.name] = labels[one.column.codes]
    return found
