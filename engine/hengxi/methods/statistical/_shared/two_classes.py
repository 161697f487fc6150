"""An outcome of two classes: which is the event, and whether variables separate the two."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Level, MethodRemedy, Refusal
from hengxi.stats.design import Design
from hengxi.stats.moments import Floats
from hengxi.stats.separation import separation


def two_classes(form: Any, part: Any, who: str) -> tuple[Level, Level, Floats]:
    """The event, the other level, and 1 for each row with the event; refuses any other number of classes."""
    column = form.y
    codes = column.codes[part]
    present = np.flatnonzero(np.bincount(codes, minlength=len(column.levels)))
    found = [column.levels[i] for i in present]
    if form.event is not None and len(found) < 3 and all(one.value != form.event.value for one in found):
        raise Refusal(
            "data.no_event",
            "因变量没有出现事件水平“{e}”（变量“{v}”）",
            field="event",
            also=["y"],
            column=column.id,
            e=form.event.label,
            v=column.title,
        )
    if len(found) != 2:
        remedies = (
            [
                MethodRemedy(
                    title="改用无序多分类Logistic回归",
                    method="statistical/multinomial_logistic_regression",
                    carry=["y", "x", "freq"],
                ),
                MethodRemedy(
                    title="改用有序Logistic回归",
                    method="statistical/ordinal_logistic_regression",
                    carry=["y", "x", "freq"],
                ),
            ]
            if len(found) > 2
            else []
        )
        raise Refusal(
            "role.levels",
            f"{who}的因变量须恰有 2 类，“{{v}}”当前 {{k}} 类"
            + ("，可用多分类或有序 Logistic" if len(found) > 2 else ""),
            field="y",
            column=column.id,
            v=column.title,
            k=len(found),
            remedies=remedies,
        )
    chosen = found[-1].value if form.event is None else form.event.value
    event = next(one for one in found if one.value == chosen)
    other = next(one for one in found if one.value != chosen)
    return event, other, (codes == event.code).astype(float)


def separating(design: Design, y: Floats) -> list[tuple[str, bool]]:
    """Terms that separate alone; where none does, the columns that do so together."""
    together = separation(design.whole, y)
    if together is None:
        return []
    alone = []
    for term in design.terms:
        found = separation(design.whole[:, [0, *(j + 1 for j in term.columns)]], y)
        if found is not None:
            alone.append((term.name, found.complete))
    if alone:
        return alone
    size = np.abs(together.direction[1:])
    part = [design.names[j] for j in np.flatnonzero(size > 1e-6 * float(size.max()))]
    return [("、".join(part), together.complete)]
