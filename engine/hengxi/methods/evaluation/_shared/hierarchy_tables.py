"""The tables and sentences of a hierarchy judged by a group: `cls` declares them, `AhpPro` is the one that does."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy import stats

from hengxi.contract import Report, figure
from hengxi.stats import pairwise_group as group
from hengxi.stats.pairwise import Floats, priorities, repairs

from . import hierarchy
from .hierarchy import Local, Person
from .judgements import METHODS, grade

DRAWS, STEPS, ALIKE = 2000, 21, 0.95
AGGREGATED = {"aij_geometric": "AIJ 几何平均", "aip_geometric": "AIP 几何平均", "aip_arithmetic": "AIP 算术平均"}
SAFE = str.maketrans({"{": "（", "}": "）"})


def ranks(values: Any) -> list[int]:
    """1 = largest; equal ones share the better rank."""
    rounded = np.round(np.asarray(values, dtype=float), 12)
    return [int(np.sum(rounded > one)) + 1 for one in rounded]


def own_weights(form: Any, people: list[Person], found: list[Local]) -> dict[int, Floats]:
    """Weights of the lowest nodes by each person alone, of those whose judgements count at every node."""
    criteria = [one for one in found if not one.comparison.of_alternatives]
    own = {}
    for k in range(len(people)):
        parts = {
            one.comparison.key: priorities(j.full, form.method) for one in criteria for j in one.used if j.person == k
        }
        if len(parts) == len(criteria):
            whole = hierarchy.global_weights(form.hierarchy, parts)
            own[k] = np.array([whole[one.id] for one in hierarchy.leaves(form.hierarchy)])
    return own


def _group_rows(cls: Any, report: Report, found: list[Local], overall: dict[str, float]) -> None:
    layers: dict[str, list[Local]] = {}
    for one in found:
        title, f = one.comparison.title, one.found
        report.row(
            cls.groups, node=title, n=len(one.group), largest=f.largest, index=f.index, random=f.random, ratio=f.ratio
        )
        for i, first in enumerate(one.comparison.names):
            for j, second in enumerate(one.comparison.names):
                report.row(cls.judgement, at=title, item=first, against=second, value=one.group[i, j])
        layer = "方案层" if one.comparison.of_alternatives else f"第 {one.comparison.node.level + 1} 层"
        layers.setdefault(layer, []).append(one)
    for layer, members in layers.items():
        index = sum(overall[one.comparison.node.id] * one.found.index for one in members)
        random = sum(overall[one.comparison.node.id] * (one.found.random or 0.0) for one in members)
        report.row(cls.totals, layer=layer, index=index, random=random, ratio=index / random if random > 0 else None)


def sensitivity_rows(
    cls: Any, report: Report, form: Any, names: list[str], values: Floats, overall: dict[str, float]
) -> None:
    """The weight of one criterion goes from 0 to 1, the others keep their proportions: sums are linear in it."""
    low = [one.id for one in hierarchy.leaves(form.hierarchy)]
    for top in form.hierarchy.children:
        now = overall[top.id]
        inside = np.array([key in {one.id for one in top.walk()} for key in low])
        weights = np.array([overall[key] for key in low])
        own = hierarchy.inner(values, np.where(inside, weights / now, 0.0), form.synthesis)
        rest = hierarchy.inner(values, np.where(inside, 0.0, weights / (1 - now)), form.synthesis)
        for share in np.linspace(0, 1, STEPS):
            raw = share * own + (1 - share) * rest
            raw = np.exp(raw) if form.synthesis == "weighted_product" else raw
            for name, score in zip(names, raw / raw.sum(), strict=True):
                report.row(cls.curve, criterion=top.name, share=share, alternative=name, score=score)
        turn, leader = _turn(now * own + (1 - now) * rest, own, rest, now)
        report.row(
            cls.turning, criterion=top.name, current=now, turn=turn, leader=None if leader is None else names[leader]
        )
    report.note(cls.turning, "其余准则按比例调整；空格表示这个准则的权重怎样变，第一名都不变。")
    report.chart(cls.lines)


def _turn(total: Floats, own: Floats, rest: Floats, now: float) -> tuple[float | None, int | None]:
    """The nearest weight of a criterion at which another alternative becomes the first."""
    best = int(np.argmax(total))
    nearest: tuple[float | None, int | None] = (None, None)
    for other in range(len(total)):
        slope = (own[other] - own[best]) - (rest[other] - rest[best])
        if other == best or abs(slope) < 1e-15:
            continue
        at = float((rest[best] - rest[other]) / slope)
        if 0 <= at <= 1 and (nearest[0] is None or abs(at - now) < abs(nearest[0] - now)):
            nearest = (at, other)
    return nearest


def _checks(
    report: Report, form: Any, people: list[Person], over: list[Any], worst: Any, facts: dict[str, Any],
    agreement: dict[str, Any] | None,
) -> None:  # fmt: skip
    if worst is None:
        report.check("一致性", "pass", "每个矩阵只有两项，或判断没有矛盾的余地，不需要检验。")
    elif not over:
        text_ = "{all:integer} 个判断矩阵的 CR 都小于 {limit:num}，最大的是 {cr:num}。"
        report.check("一致性", "pass", text_, **facts, cr=worst[1].found.ratio)
    else:
        text_ = (
            "{over:integer} 个判断矩阵的 CR 不小于 {limit:num}，最大的是“{who}”的“{node}”（CR = {cr:num}）。"
            "明细的“专家一致性”列出了每一个。"
        )
        report.check("一致性", "fail", text_, **facts, cr=worst[1].found.ratio, who=people[worst[1].person].name,
                     node=worst[0].comparison.title)  # fmt: skip
    if agreement is None:
        return
    strength = "很一致" if agreement["w"] >= 0.7 else "较一致" if agreement["w"] >= 0.5 else "分歧较大"
    state: Literal["pass", "care"] = "pass" if agreement["w"] >= 0.5 else "care"
    report.check("专家共识", state, "Kendall W = {w:num}，专家对指标轻重的排序" + strength + "。", w=agreement["w"])


def consistency_rows(
    cls: Any, report: Report, form: Any, people: list[Person], found: list[Local], overall: dict[str, float]
) -> None:
    basis = {"min_lambda": "λmax 最小", "harker": "Harker 特征向量", "log_least_squares": "对数最小二乘"}
    for k, person in enumerate(people):
        for one in found:
            for j in (j for j in one.judged if j.person == k):
                counted = next((s for u, s in zip(one.used, one.shares, strict=True) if u is j), None)
                excluded = not j.completed
                report.row(
                    cls.consistency, expert=person.name, node=one.comparison.title, n=len(j.raw),
                    largest=None if excluded else j.found.largest, ratio=j.found.ratio, gci=j.gci,
                    missing=j.missing, triads=None if excluded else j.triads, share=counted,
                    treated=j.why or ("采用" if j.passes else "采用，CR 超限"),
                )  # fmt: skip
                title = one.comparison.title
                for a, b in [] if excluded else group.open_pairs(j.raw):
                    report.row(
                        cls.completed, expert=person.name, node=title, first=one.comparison.names[a],
                        second=one.comparison.names[b], value=j.full[a, b], basis=basis[form.missing],
                    )  # fmt: skip
                if form.inconsistent == "repair_suggestion" and not j.passes:
                    _proposals(cls, report, person, one, j)
    if not report.rows_of(cls.completed):
        report.skip(cls.completed, "没有补全的判断")
    if not report.rows_of(cls.proposals):
        why = "没有 CR 超限的矩阵" if form.inconsistent == "repair_suggestion" else "没有选“列出修改建议”"
        report.skip(cls.proposals, why)
    _tell_apart(report, people, found)
    _group_rows(cls, report, found, overall)


def _tell_apart(report: Report, people: list[Person], found: list[Local]) -> None:
    for one in found:
        loose = [people[j.person].name for j in one.judged if j.why == hierarchy.APART]
        if loose:
            text_ = "在“{node}”里，有专家的判断不足以连通全部指标，这一张没有计入：{names}。"
            report.warn("matrix.disconnected", text_, node=one.comparison.title, names="、".join(loose))


def _proposals(cls: Any, report: Report, person: Person, one: Local, j: Any) -> None:
    known = [r for r in repairs(j.full, most=len(j.full) ** 2) if not np.isnan(j.raw[r.row, r.column])]
    for r in known[:3]:
        names = one.comparison.names
        report.row(
            cls.proposals, expert=person.name, node=one.comparison.title, first=names[r.row],
            second=names[r.column], current=grade(r.current), implied=r.implied, proposed=grade(r.proposed),
            after=r.ratio,
        )  # fmt: skip


def agreement_rows(
    cls: Any, report: Report, form: Any, people: list[Person], found: list[Local], own: dict[int, Floats]
) -> dict[str, Any] | None:
    for one in found:
        if len(one.used) > 1:
            shares = np.stack([priorities(j.full, form.method) for j in one.used])
            facts = group.shannon_consensus(shares)
            report.row(
                cls.consensus, node=one.comparison.title, n=len(one.used), alpha=facts["alpha"],
                beta=facts["beta"], gamma=facts["gamma"], agreement=facts["consensus"],
            )  # fmt: skip
    if not report.rows_of(cls.consensus):
        report.skip(cls.consensus, "只有一位专家")
    if len(own) < 2:
        for table in (cls.concord, cls.similar, cls.circles):
            report.skip(table, "判断了全部指标的专家不到两位")
        return None
    everyone = np.stack(list(own.values()))
    names = [people[k].name for k in own]
    cosine = group.cosines(everyone)
    for i, first in enumerate(names):
        for j, second in enumerate(names):
            report.row(cls.similar, first=first, second=second, cosine=cosine[i, j])
    for name, circle in zip(names, group.alike(cosine, ALIKE), strict=True):
        report.row(cls.circles, expert=name, circle=circle)
    report.chart(cls.heat)
    w, chi2, df = group.kendall(everyone)
    concord: dict[str, Any] = {"w": w, "chi2": chi2, "df": df, "p": float(stats.chi2.sf(chi2, df))}
    report.row(cls.concord, **concord, n=len(own), k=everyone.shape[1])
    return concord


def range_rows(cls: Any, report: Report, form: Any, found: list[Local], overall: dict[str, float]) -> None:
    if not form.sensitivity:
        return
    drawn = {one.comparison.key: group.shaken(one.group, DRAWS, form.rng) for one in found}
    whole: dict[str, Any] = {form.hierarchy.id: np.ones(DRAWS)}
    for node in form.hierarchy.walk():
        for k, child in enumerate(node.children):
            whole[child.id] = whole[node.id] * drawn[node.id, False][:, k]
    for one in hierarchy.leaves(form.hierarchy):
        low, high = np.quantile(whole[one.id], [0.025, 0.975])
        report.row(cls.ranges, node=one.name, overall=overall[one.id], low=low, high=high)
    report.note(cls.ranges, "判断随机变动不超过一级时权重的范围，说明权重对判断的细小差别有多敏感。")


def say_all(cls: Any, report: Report, form: Any, people: list[Person], found: list[Local], overall: dict[str, float],
    ranked: list[tuple[str, float]], agreement: dict[str, Any] | None,
) -> None:  # fmt: skip
    low = sorted(hierarchy.leaves(form.hierarchy), key=lambda one: -overall[one.id])
    matrices = [(one, j) for one in found for j in one.judged]
    over = [(one, j) for one, j in matrices if not j.passes]
    worst = max(((one, j) for one, j in matrices if j.found.ratio is not None), default=None,
                key=lambda pair: pair[1].found.ratio or 0.0)  # fmt: skip
    facts: dict[str, Any] = {
        "first": low[0].name, "high": overall[low[0].id], "last": low[-1].name, "least": overall[low[-1].id],
        "n": len(people), "k": len(low), "over": len(over), "all": len(matrices), "limit": form.limit,
    }  # fmt: skip
    lead = "{k:integer} 个指标里权重最大的是“{first}”（{high:percent}），最小的是“{last}”（{least:percent}）。"
    if np.isclose(facts["high"], facts["least"]):
        lead = "{k:integer} 个指标的权重相同，各为 {high:percent}。"
    if ranked:
        facts |= {"best": ranked[0][0], "score": ranked[0][1], "next": ranked[1][0], "other": ranked[1][1]}
        tied = np.isclose(ranked[0][1], ranked[1][1])
        lead += "方案“{best}”与“{next}”并列第一。" if tied else (
            "方案“{best}”得分最高（{score:percent}），其次是“{next}”（{other:percent}）。"
        )  # fmt: skip
    if over:
        lead += "{over:integer} 个判断矩阵的 CR 超限，请先与专家核对。"
    figures = [] if agreement is None else [figure("Kendall W", "{w:num}", "专家 {n:integer} 位")]
    report.lead(lead, figures, **facts, **({} if agreement is None else {"w": agreement["w"]}))
    _checks(report, form, people, over, worst, facts, agreement)
    each = {f"w{i}": overall[one.id] for i, one in enumerate(low)}
    listed = "、".join(f"{one.name.translate(SAFE)}（{{w{i}:percent}}）" for i, one in enumerate(low))
    report.say(
        f"采用群决策层次分析法（{METHODS[form.method]}，{AGGREGATED[form.aggregation]}）综合 {{n:integer}} 位专家，"
        f"各指标的全局权重为：{listed}。", voice="paper", **facts, **each,
    )  # fmt: skip
    report.say(
        "权重是专家判断合成的份额，最下层合计 100%。它反映这些专家的看法，不是由数据检验出来的。", voice="student"
    )
