"""The plan of a two-level experiment: which runs, what it confounds, what a user is told of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Refusal, Report, SetRemedy, figure
from hengxi.families.design.plan import CENTRE, CORNER, Axis, Plan, axes_of, refuse_long, write_plan
from hengxi.families.design.two_level import (
    Blocking,
    Fraction,
    blocked,
    fraction,
    letters_of,
    plackett_burman,
    smallest,
)

SIZES = {"half": 1, "quarter": 2, "eighth": 3}
FRACTIONS = {
    "full": "全因子", "half": "1/2", "quarter": "1/4", "eighth": "1/8", "res4": "次数最少，分辨度至少 IV",
    "res3": "次数最少，分辨度至少 III", "plackett_burman": "Plackett-Burman",
}  # fmt: skip
ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV")


def create(report: Report, cls: Any, form: Any) -> None:
    axes = axes_of(form, form.n_factors)
    if len(axes) < 2:
        raise Refusal("role.required", "析因设计至少要 2 个因子，请再加一行", field="names", also=["n_factors"])
    texts = [axis.name for axis in axes if not axis.is_number]
    if form.center_points and texts:
        raise Refusal(
            "data.text", "“{v}”的水平是文字，没有中心点。请把“中心点”改为 0，或改用数值水平", field="center_points",
            also=["names"], v=texts[0], remedies=[SetRemedy(title="不加中心点", set={"center_points": 0})],
        )  # fmt: skip
    made = None if form.fraction == "plackett_burman" else _fraction_of(form.fraction, len(axes))
    corner = plackett_burman(len(axes)) if made is None else None
    runs = len(corner) if corner is not None else made.runs if made is not None else 0
    refuse_long(
        runs * form.replicates + form.blocks * form.center_points, "fraction",
        [SetRemedy(title="改为次数最少的设计", set={"fraction": "res3", "replicates": 1})],
    )  # fmt: skip
    blocking = _blocking_of(form, made)
    corner = made.coded if made is not None else corner
    write_plan(report, cls, _plan_of(form, axes, np.asarray(corner), blocking))
    _tell_plan(report, cls, form, made, blocking, len(axes), runs)


def _fraction_of(kind: str, k: int) -> Fraction:
    if kind in ("res3", "res4"):
        best = smallest(k, 4 if kind == "res4" else 3)
    else:
        best = fraction(k, k - SIZES.get(kind, 0))
        refuse_long(2 ** (k - SIZES.get(kind, 0)), "fraction")
    if best is None or best.q < 2 or (best.resolution or 3) < 3:
        raise Refusal(
            "data.fraction", "{k} 个因子没有分辨度 III 以上的 {f} 分式设计，请改“分式”", field="fraction", k=k,
            f=FRACTIONS[kind], remedies=[SetRemedy(title="改为全因子", set={"fraction": "full"})],
        )  # fmt: skip
    return best


def _blocking_of(form: Any, made: Fraction | None) -> Blocking | None:
    if form.blocks == 1:
        return None
    found = None if made is None or form.blocks & (form.blocks - 1) else blocked(made, form.blocks)
    if found is None:
        raise Refusal(
            "data.blocks",
            "这个设计分不成 {n} 个区组：区组数须是 2、4、8、16，且不能与主效应混杂；Plackett-Burman 设计不分区组。"
            "请减少区组或增加试验次数",
            field="blocks", also=["fraction"], n=form.blocks,
            remedies=[SetRemedy(title="不分区组", set={"blocks": 1})],
        )  # fmt: skip
    return found


def _plan_of(form: Any, axes: list[Axis], corner: Any, blocking: Blocking | None) -> Plan:
    block = np.ones(len(corner), dtype=np.int64) if blocking is None else blocking.block
    centres = form.blocks * form.center_points
    coded = np.vstack([np.tile(corner, (form.replicates, 1)), np.zeros((centres, len(axes)))])
    where = np.concatenate([np.tile(block, form.replicates), np.repeat(range(1, form.blocks + 1), form.center_points)])
    kinds = [CORNER] * (len(corner) * form.replicates) + [CENTRE] * centres
    plan = Plan.of(axes, coded, kinds, where.astype(np.int64))
    return plan.shuffled(form.rng if form.randomize else None)


def _tell_plan(
    report: Report, cls: Any, form: Any, made: Fraction | None, blocking: Blocking | None, k: int, runs: int
) -> None:
    total = runs * form.replicates + form.blocks * form.center_points
    resolution = None if made is None else made.resolution
    name = "Plackett-Burman" if made is None else "全因子" if made.k == made.q else f"2^({made.k}−{made.k - made.q})"
    report.row(
        cls.overview, name=name, factors=k, runs=total,
        resolution="III" if made is None else "全部效应分得开" if resolution is None else ROMAN[resolution],
        relation=None if made is None or not made.relation
        else "I = " + " = ".join(letters_of(word) for word in made.relation[:15])
        + (f" …（共 {len(made.relation)} 个字）" if len(made.relation) > 15 else ""),
        generators=None if made is None or not made.generators
        else ", ".join(f"{letters_of(1 << (made.q + i))} = {letters_of(w)}" for i, w in enumerate(made.generators)),
        confounded=None if blocking is None else ", ".join(letters_of(word) for word in blocking.words),
    )  # fmt: skip
    if made is None or not made.relation:
        report.skip(cls.alias, "全因子没有别名" if made is not None else "Plackett-Burman 是部分混杂，没有完全的别名")
    else:
        _aliases(report, cls, made, min(form.max_order, 3))
    report.lead(
        "{k:integer} 个因子做 {n:integer} 次试验（{name:text}）。请按“试验顺序”做，把响应填进表里，再来分析。",
        [figure("试验次数", "{n:integer}"), figure("因子", "{k:integer}")], k=k, n=total, name=name,
    )  # fmt: skip
    if made is None or resolution == 3:
        report.warn(
            "data.resolution",
            "分辨度 III：主效应与两因子交互混在一起。看到大的主效应时，它也可能来自交互，请加做试验再下结论。",
        )
    elif resolution == 4:
        report.say("分辨度 IV：主效应与两因子交互分得开，但两因子交互彼此混杂，见别名结构。")
    if blocking is not None and blocking.words[0].bit_count() == 2:
        report.warn("data.blocks", "区组与两因子交互“{w}”混杂，这个交互不能估计。", w=letters_of(blocking.words[0]))
    if form.replicates == 1 and not form.center_points:
        report.say("没有重复，也没有中心点：只能用 Lenth 法判断，也看不出弯曲。加 3 到 5 个中心点可以补上。")
    if form.names:
        report.note(cls.overview, "字母 A、B、C…依次代表所填的因子（跳过 I）。")


def _aliases(report: Report, cls: Any, made: Fraction, order: int) -> None:
    words_ = [w for w in range(1, 1 << made.k) if w.bit_count() <= order] if made.k <= 15 else []
    told: set[int] = set()
    for word in sorted(words_, key=lambda w: (w.bit_count(), letters_of(w))):
        others = made.aliases(word, max(order, 2))
        if word in told or not others:
            continue
        told |= {word, *others}
        report.row(cls.alias, effect=letters_of(word), others=" + ".join(letters_of(one) for one in others))
    if not told:
        report.skip(cls.alias, "所选阶数以内的效应都分得开")
    else:
        report.note(cls.alias, "只列 {n:integer} 阶以内的效应。", n=max(order, 2))
