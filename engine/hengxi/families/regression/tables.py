"""Tables that every regression writes alike: unusual cases, new cases, reference levels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hengxi.contract import Report
from hengxi.families.regression.design import fitted_levels
from hengxi.families.regression.model import Model
from hengxi.stats.moments import Floats
from hengxi.stats.names import number_words

OUTLYING, LISTED = 3.0, 100


def finite(value: float | None) -> float | None:
    return None if value is None or not np.isfinite(value) else float(value)


def unusual_cases(
    report: Report,
    table: Any,
    model: Model,
    residual: Floats,
    cook: Floats,
    n: int,
    cells: Callable[[NDArray[np.int64]], list[dict[str, Any]]],
    words: tuple[str, str],
) -> int:
    """Lists rows with |residual| > 3 or Cook's distance > 4/n, the most influential first; how many there are.

    `residual` and `cook` are (rows,), NaN where a row determines its own fitted value; `cells` gives the cells of the
    rows shown; `words` name the residual where there is no such row, and in the note.
    """
    limit = 4 / n
    with np.errstate(invalid="ignore"):
        hits = np.flatnonzero((np.abs(residual) > OUTLYING) | (cook > limit) | np.isnan(cook))
    order = np.argsort(-np.nan_to_num(cook[hits], nan=np.inf), kind="stable")
    hits = np.asarray(hits[order], dtype=np.int64)
    if hits.size == 0:
        report.skip(table, f"没有 |{words[0]}| > 3 或 Cook 距离 > 4/n 的行")
        return 0
    shown = hits[:LISTED]
    numbers = model.form.y.row_numbers
    for r, own in zip(shown, cells(shown), strict=True):
        report.row(table, row=[int(numbers[model.rows[r]])], **own)
    many = "共 {k:integer} 行，只列 Cook 距离最大的 {m:integer} 行。" if hits.size > LISTED else ""
    facts: dict[str, Any] = {"k": int(hits.size), "m": LISTED} if many else {}
    alone = "空缺表示这一行完全决定自己的拟合值（杠杆值为 1）。" if np.isnan(cook[shown]).any() else ""
    text = f"列出 |{words[1]}| > 3 或 Cook 距离 > 4/n（{{limit:num}}）的行。{many}{alone}"
    report.note(table, text, limit=limit, **facts)
    return int(hits.size)


def new_cases(report: Report, table: Any, model: Model, note: str) -> None:
    """The cases of 试算, as the estimator answers them (`Model.predicted`), and what is said below the table."""
    answered = 0
    for number, case in enumerate(model.form.predict_at, 1):
        found = _read(report, model, number, case)
        if found is None:
            continue
        values, words = found
        cells = model.predicted(values)
        if cells is None:
            report.warn("cases.value", "试算第 {i:integer} 行的数值过大，这一行未预测。", i=number)
            continue
        _warn_outside(report, model, number, values)
        report.row(table, number=number, case="，".join(words), **cells)
        answered += 1
    if not answered:
        report.skip(table, "没有一行可以预测，原因见提示")
        return
    report.note(table, note, level=model.level)


def _read(report: Report, model: Model, number: int, case: Any) -> tuple[list[float], list[str]] | None:
    """The values of one new case (codes for categories), and how they are told."""
    values, words = [], []
    for column, factor in zip(model.columns, model.design.factors, strict=True):
        given = case[column]
        if not factor.labels:
            values.append(float(given))
            words.append(f"{factor.name} = {number_words(float(given))}")
            continue
        levels = fitted_levels(column, model.rows)
        place = next((i for i, level in enumerate(levels) if level.value == given), None)
        if place is None:
            text = "试算第 {i:integer} 行：“{v}”的取值“{x}”在参与分析的行里没有出现，这一行未预测。"
            report.warn("cases.value", text, i=number, v=factor.name, x=str(given), columns=[column])
            return None
        values.append(float(place))
        words.append(f"{factor.name} = {factor.labels[place]}")
    return values, words


def _warn_outside(report: Report, model: Model, number: int, values: list[float]) -> None:
    used = {id(factor) for factor in model.used}
    outside = [
        factor.name
        for factor, value in zip(model.design.factors, values, strict=True)
        if factor.values is not None
        and id(factor) in used
        and not float(factor.values.min()) <= value <= float(factor.values.max())
    ]
    if outside:
        text = "试算第 {i:integer} 行的{names}超出数据的范围，属外推，预测靠不住。"
        report.warn("cases.outside", text, i=number, names="、".join(f"“{name}”" for name in outside))
