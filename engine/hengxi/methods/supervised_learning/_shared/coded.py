"""Coded columns by name, and what models of columns say of them."""

from __future__ import annotations

import numpy as np

from hengxi.methods.supervised_learning._shared.task import Codes, Task
from hengxi.stats.learning.features import Coding


def column_names(task: Task, coding: Coding) -> list[str]:
    """A name for each coded column: the variable, and the level or the class where it has several columns.

    A category of two levels has one column, that of its second level.
    """
    names: list[str] = []
    for j, (name, feature) in enumerate(zip(task.names, task.features, strict=True)):
        width = int((coding.places == j).sum())
        levels = [level.label for level in feature.levels or []]
        if width == 1:
            is_indicator = coding.kinds[j] == 2
            names.append(f"{name}（{levels[1]}）" if is_indicator else name)
        elif coding.tables[j] is not None:
            names += [f"{name}（目标编码：{output}）" for output in task.outputs]
        else:
            names += [f"{name}（{level}）" for level in levels]
    return names


def references(places: Codes) -> Codes:
    """Columns that models with an intercept leave out: the first one of each variable that has several.

    The columns of one variable add up to 1, so all of them together would be the intercept again.
    """
    first = np.flatnonzero(np.diff(np.append(-1, places)) > 0)
    widths = np.bincount(places)
    return first[widths[places[first]] > 1]
