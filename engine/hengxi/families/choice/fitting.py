"""The fit of a choice model, refused by name where it cannot be had, and the table that says how well it fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hengxi.contract import Column, Refusal, Report, Table, integer, num, percent
from hengxi.contract.when import Condition
from hengxi.stats.choice_model import ChoiceFit, Choices, Ints, fit_choices

MOST_CELLS = 60_000_000
"""Alternatives times parameters of one model."""


def fit_table(title: str = "模型拟合", when: Condition | None = None) -> Table:
    return Table(
        title, layout="record", tasks=integer("选择次数"), persons=integer("受访者"), loglik=num("对数似然"),
        null=num("零模型对数似然"), mcfadden=num("McFadden *R*²", most=1, decimals=3), aic=num("AIC"), bic=num("BIC"),
        hits=percent("命中率"), rlh=num("RLH", least=0, most=1, decimals=3), when=when,
    )  # fmt: skip


def write_fit(report: Report, table: Table, fit: ChoiceFit) -> None:
    """`fit.of.persons` must be known."""
    persons = fit.of.persons
    report.row(
        table, tasks=fit.n, persons=0 if persons is None else int(persons.max()) + 1, loglik=fit.loglik, null=fit.null,
        mcfadden=fit.mcfadden, aic=fit.aic, bic=fit.bic, hits=fit.hits, rlh=fit.likelihood,
    )  # fmt: skip
    report.note(
        table, "命中率是预测最可能的选项正好被选中的比例；RLH 是所选选项的预测概率的几何平均。"
        "用的是同一批数据，都偏乐观。"
    )  # fmt: skip


def fitted(choices: Choices, names: Sequence[str], field: str) -> ChoiceFit:
    """`names` of the parameters, for the refusals: not identified, no finite maximum, too few persons, too large."""
    if choices.x.size > MOST_CELLS:
        raise Refusal(
            "data.size", "数据太大：{n} 个备选 × {k} 个参数，请抽取部分受访者", field=field,
            n=len(choices.x), k=len(names),
        )  # fmt: skip
    persons = choices.persons
    if persons is not None and int(persons.max()) < 1:
        raise Refusal("data.few", "至少要 2 位受访者，现有 1 位，无法计算聚类稳健标准误", field=field)
    lost = choices.unidentified()
    if lost:
        raise Refusal(
            "data.identified", "“{v}”在同一次选择里没有差异，或与其他项完全重合，无法估计；请移去它",
            field=field, v=names[lost[0]],
        )  # fmt: skip
    fit = fit_choices(choices)
    if fit.separated:
        worst = int(np.argmax(np.abs(fit.beta) * choices.x.std(axis=0)))
        raise Refusal(
            "data.separated", "有的选项总是被选或从不被选（与“{v}”有关），效用没有有限的估计；请合并水平或增加数据",
            field=field, v=names[worst],
        )  # fmt: skip
    return fit


def numbered(column: Column) -> Ints:
    """Persons as 0 … g − 1 in the order of their values, so that the order of the rows does not matter."""
    cells = column.codes if not column.is_number else column.numbers
    return np.unique(cells, return_inverse=True)[1]


def per_person(persons: Ints) -> Any:
    return np.bincount(persons)
