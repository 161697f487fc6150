"""The variables of a mechanism model as one table of numbers, with what the data must allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Column, Refusal, StepRemedy
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words

LEAST_ROWS = 30
MOST_LEVELS = 30


@dataclass
class Variables:
    """`z`: rows × variables; `names` of its columns; `places`: columns of each role."""

    z: Floats
    names: list[str]
    places: dict[str, list[int]]

    @property
    def n(self) -> int:
        return len(self.z)


def numeric(column: Column, field: str) -> Floats:
    x = column.numbers
    if x.size == 0 or x.min() == x.max():
        raise Refusal(
            "role.constant", "变量“{v}”在所用的答卷中没有变异，请移去或换一个", field=field, column=column.id,
            v=column.title,
        )  # fmt: skip
    with np.errstate(over="ignore"):
        sd = float(x.std())
    if not 1e-100 < sd < 1e100:
        raise Refusal(
            "data.magnitude", "“{v}”的数值过大、过小或几乎没有变化，方差超出可计算的范围；请换一个单位",
            field=field, column=column.id, v=column.title,
        )  # fmt: skip
    return x


def dummies(column: Column, field: str) -> list[tuple[str, Floats]]:
    """A numeric column as it is, a categorical one as indicators against its first level."""
    if not column.is_categorical and column.is_number:
        return [(column.title, numeric(column, field))]
    codes = column.codes
    present = np.flatnonzero(np.bincount(codes, minlength=len(column.levels)))
    if present.size < 2:
        raise Refusal(
            "role.constant", "变量“{v}”在所用的答卷中没有变异，请移去或换一个", field=field, column=column.id,
            v=column.title,
        )  # fmt: skip
    if present.size > MOST_LEVELS:
        raise Refusal(
            "role.levels", "“{v}”有 {k} 个类别，最多 {most} 个；请先合并类别", field=field, column=column.id,
            v=column.title, k=int(present.size), most=MOST_LEVELS,
            remedies=[StepRemedy(title="合并类别", step="data_processing/value_coding", columns=[column.id])],
        )  # fmt: skip
    words = level_words(column.levels)
    return [(f"{column.title}：{words[i]}", (codes == i).astype(float)) for i in present[1:]]


def gather(form: Any, roles: Sequence[str], standardise: bool = False) -> Variables:
    """Roles in order; `controls` may be categories, all others are numbers."""
    columns: list[Floats] = []
    names: list[str] = []
    places: dict[str, list[int]] = {}
    for role in roles:
        given = getattr(form, role)
        places[role] = []
        for column in given if isinstance(given, list) else [given] if given is not None else []:
            found = dummies(column, role) if role == "controls" else [(column.title, numeric(column, role))]
            for name, x in found:
                places[role].append(len(columns))
                columns.append(x)
                names.append(name if name not in names else f"{name}（{column.name}）")
    z = np.column_stack(columns)
    if len(z) < LEAST_ROWS:
        raise Refusal(
            "data.few", "有效样本过少（n = {n}），Bootstrap 区间不可靠；至少要 {least} 份", field=roles[0], n=len(z),
            least=LEAST_ROWS,
        )  # fmt: skip
    if len(z) <= len(columns) + 2:
        raise Refusal(
            "data.few", "有效样本 {n} 份，不多于变量数 {k}；请减少变量", field=roles[0], n=len(z), k=len(columns)
        )
    if standardise:
        z = (z - z.mean(axis=0)) / z.std(axis=0, ddof=1)
    return Variables(z, names, places)


def refuse_collinear(names: Sequence[str], z: Floats, places: Sequence[int], field: str) -> Refusal:
    x = z[:, list(places)]
    r = np.corrcoef(x.T) if len(places) > 1 else np.eye(1)
    _, vectors = np.linalg.eigh(r)
    words = "".join(f"“{names[places[i]]}”" for i in np.flatnonzero(np.abs(vectors[:, 0]) > 0.05)[:6])
    return Refusal("data.collinear", "{words}完全共线，系数没有唯一的解，请移去其中一个", field=field, words=words)
