"""Which two groups are compared: as chosen, else those there are; many more are refused with ways out."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Level, MethodRemedy, Refusal, SetRemedy, level, levels
from hengxi.methods.hypothesis_test._shared.many_groups import MOST_GROUPS

LISTED_MOST = 200
"""A variable of more categories has none in its metadata for a form to list."""


def field(hint: str = "超过两类时须选出两类；差值 = 第一个 − 第二个") -> Any:
    """`groups: list[Level] = two_levels.field()`, beside a role called `group`."""
    return level(
        "比较的两组", of="group", many=(2, 2), ordered=True, alone=True, when={"group": levels(2, None)},
        auto="两组时按取值次序", hint=hint,
    )  # fmt: skip


MEANS = MethodRemedy(title="改用单因素方差分析", method="hypothesis_test/variance", carry=["group", "variables"])
RANKS = MethodRemedy(
    title="改用 Kruskal-Wallis 检验", carry=["group", "variables"],
    method="hypothesis_test/multiple_sample_kruskal_wallis_test",
)  # fmt: skip


def chosen(
    form: Any,
    many: str = "分组变量有 {k} 个类别，请选择要比较的两组或改用方差分析（变量“{v}”）",
    every: MethodRemedy = MEANS,
) -> tuple[Level, Level]:
    """The two present: as chosen, else in the order of the column (value labels, else first appearance).

    `many` refuses more than two; `every` leads to the method that compares them all.
    """
    least = form.group.distinct_least
    if not form.groups and least > LISTED_MOST:
        # Before a million present are read and put in order for it; two of them are nobody's guess.
        raise Refusal(
            "role.levels",
            "分组变量“{v}”有{about}{k} 个类别，请在“比较的两组”中选两组，或先合并类别、换一个变量",
            field="groups", also=["group"], column=form.group.id, v=form.group.title, k=least,
            about="至少 " if form.group.distinct_known is None else " ",
        )  # fmt: skip
    present = form.group.levels
    if form.groups:
        place = {item.value: i for i, item in enumerate(form.groups)}
        present = sorted((item for item in present if item.value in place), key=lambda item: place[item.value])
    if len(present) < 2:
        raise Refusal(
            "role.levels",
            "分组变量“{v}”只有一个类别，无法比较",
            field="group",
            column=form.group.id,
            v=form.group.title,
        )
    if len(present) > 2:
        raise Refusal(
            "role.levels", many,
            field="groups", column=form.group.id, v=form.group.title, k=len(present),
            remedies=_ways_out(present, every),
        )  # fmt: skip
    return present[0], present[1]


def _ways_out(present: list[Level], every: MethodRemedy) -> list[Any]:
    first, second = sorted(sorted(present, key=lambda item: -item.count)[:2], key=lambda item: item.code)
    pair = SetRemedy(title=f"比较“{first.label}”与“{second.label}”", set={"groups": [first.value, second.value]})
    if len(present) > MOST_GROUPS:
        return [pair]
    return [pair, every]
