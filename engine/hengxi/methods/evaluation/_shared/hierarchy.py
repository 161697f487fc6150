"""A hierarchy judged by several people: what is compared, who judged what, local and global weights, alternatives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from hengxi.contract import Node, Refusal, SetRemedy
from hengxi.stats.pairwise import Consistency, Floats, Priorities, consistency, priorities
from hengxi.stats.pairwise_group import (
    apart,
    circular_triads,
    completed,
    geometric_index,
    group_matrix,
    group_priorities,
    incomplete_consistency,
    open_pairs,
)

CONSISTENCY_PULL = 10.0
"""Weights by consistency: 1/(1 + 10·CR), the form usual in Chinese papers on group AHP."""

APART = "判断没有连通，不计入"


@dataclass(frozen=True)
class Comparison:
    """Things compared with each other: the children of a node, or the alternatives with respect to a lowest one."""

    node: Node
    names: tuple[str, ...]
    of_alternatives: bool

    @property
    def key(self) -> tuple[str, bool]:
        return self.node.id, self.of_alternatives

    @property
    def title(self) -> str:
        return f"方案（{self.node.name}）" if self.of_alternatives else self.node.name


@dataclass(frozen=True)
class Person:
    name: str
    weight: float


@dataclass(frozen=True)
class Judged:
    """One person's matrix of one comparison; `why` is empty where it counts."""

    person: int
    raw: Floats
    full: Floats
    missing: int
    found: Consistency
    gci: float | None
    triads: int
    passes: bool
    why: str

    @property
    def completed(self) -> bool:
        """False where the gaps were not filled in: the matrix was left out for them."""
        return not np.isnan(self.full).any()


@dataclass
class Local:
    """What the group makes of one comparison."""

    comparison: Comparison
    judged: list[Judged]
    group: Floats
    found: Consistency
    weights: Floats
    shares: Floats
    """Of the people that count, in the order of `used`."""
    used: list[Judged] = field(default_factory=list)


def comparisons(root: Node, alternatives: Sequence[str]) -> list[Comparison]:
    """In the order of the hierarchy; alternatives after all criteria."""
    nodes = list(root.walk())
    found = [Comparison(one, tuple(child.name for child in one.children), False) for one in nodes if one.children]
    if len(alternatives) > 0:
        found += [Comparison(one, tuple(alternatives), True) for one in nodes if not one.children]
    return found


def from_sheets(form: Any, asked: list[Comparison]) -> tuple[list[Person], dict[tuple[str, bool], list[Floats | None]]]:
    """Typed matrices, by comparison and person; None where a person left a whole comparison out."""
    people = [Person(one.name, one.weight) for one in form.experts]
    place = {one.id: k for k, one in enumerate(form.experts)}
    held: dict[tuple[str, bool], list[Floats | None]] = {one.key: [None] * len(people) for one in asked}
    for sheets, of_alternatives in ((form.matrices or [], False), (form.ratings or [], True)):
        for sheet in sheets:
            node, expert = (*sheet.key, "", "")[:2]
            wanted = next((one for one in asked if one.key == (node, of_alternatives)), None)
            if wanted is None or expert not in place:
                continue  # of a node or an expert that is gone
            values = np.array(sheet.values)
            if values.shape != (len(wanted.names),) * 2:
                text = f"“{wanted.title}”要比较 {len(wanted.names)} 项，矩阵却有 {len(values)} 行，请重新填写这一张"
                raise Refusal("matrix.shape", text, field="ratings" if of_alternatives else "matrices")
            if open_pairs(values) and len(open_pairs(values)) == len(values) * (len(values) - 1) // 2:
                continue
            outside = np.argwhere((values > 9 * (1 + 1e-9)) | (values < (1 - 1e-9) / 9))
            if len(outside):
                _refuse_scale(people[place[expert]].name, wanted, values, outside[0], of_alternatives)
            held[wanted.key][place[expert]] = values
    return people, held


def _refuse_scale(person: str, wanted: Comparison, values: Floats, at: Any, of_alternatives: bool) -> None:
    i, j = (int(k) for k in at)
    text = f"专家“{person}”在“{wanted.title}”里，“{wanted.names[i]}”对“{wanted.names[j]}”是 {values[i, j]:g}"
    raise Refusal(
        "data.outside", f"{text}，超出 1–9 标度（1/9 到 9），请改小", field="ratings" if of_alternatives else "matrices"
    )


def from_columns(
    form: Any, asked: list[Comparison]
) -> tuple[list[Person], dict[tuple[str, bool], list[Floats | None]]]:
    """One row a person, one column a pair: in the order of the comparisons, and within one (1, 2), (1, 3), … ."""
    pairs = [(one, i, j) for one in asked for i, j in combinations(range(len(one.names)), 2)]
    if len(form.judgements) != len(pairs):
        first, i, j = pairs[0]
        text = (
            f"“判断列”要有 {len(pairs)} 列，一列一对，现有 {len(form.judgements)} 列。顺序是从上到下逐个上级指标，"
            f"每个里依次是第 1 与第 2 项、第 1 与第 3 项……；第一列应是“{first.names[i]}”比“{first.names[j]}”"
        )
        raise Refusal("data.pairs", text, field="judgements")
    rows = len(form.judgements[0])
    names = form.expert.text if form.expert is not None else [None] * rows
    weights = form.authority.numbers if form.authority is not None else np.ones(rows)
    people = [
        Person(str(names[k] or f"第 {form.judgements[0].row_numbers[k]} 行"), float(weights[k])) for k in range(rows)
    ]
    _judge_people(form, people)
    held: dict[tuple[str, bool], list[Floats | None]] = {one.key: [] for one in asked}
    nothing = np.full(rows, np.nan)
    # A comparison nobody made is a column without values, of whatever type.
    values = np.stack([c.numbers if c.info.profile.n else nothing for c in form.judgements], axis=1)
    _judge_values(form, values)
    for row in values:
        whole = {one.key: np.full((len(one.names),) * 2, np.nan) for one in asked}
        for (one, i, j), value in zip(pairs, row, strict=True):
            ratio = value if value > 0 else -1 / value
            whole[one.key][i, j], whole[one.key][j, i] = ratio, 1 / ratio
        for one in asked:
            np.fill_diagonal(whole[one.key], 1.0)
            is_empty = len(open_pairs(whole[one.key])) == len(one.names) * (len(one.names) - 1) // 2
            held[one.key].append(None if is_empty else whole[one.key])
    return people, held


def _judge_people(form: Any, people: list[Person]) -> None:
    if len(people) > MOST_PEOPLE:
        raise Refusal("data.many", f"有 {len(people):,} 行，最多 {MOST_PEOPLE} 位专家，请先筛选", field="judgements")
    names = [one.name for one in people]
    if (again := next((name for name in names if names.count(name) > 1), None)) is not None:
        raise Refusal("data.repeated", f"专家“{again}”有两行，请留下一行，或换一个标识", field="expert")
    if any(not np.isfinite(one.weight) or one.weight < 0 for one in people):
        raise Refusal("data.weight", "专家的权重要不小于 0，且不能缺失，请检查", field="authority")


MOST_PEOPLE = 500


def _judge_values(form: Any, values: Floats) -> None:
    for k, column in enumerate(form.judgements):
        wrong = np.flatnonzero(~np.isnan(values[:, k]) & ~_allowed(values[:, k]))
        if wrong.size:
            at, value = int(column.row_numbers[wrong[0]]), values[wrong[0], k]
            text = (
                f"“{column.title}”第 {at} 行是 {value:g}：判断要在 1/9 到 9 之间，后一项更重要时也可填 −9 到 −1；"
                "请更正，或设为缺失"
            )
            raise Refusal("data.outside", text, field="judgements", column=column.id, row=at)


def _allowed(values: Floats) -> Any:
    with np.errstate(invalid="ignore"):
        ratio = (values >= (1 - 1e-2) / 9) & (values <= 9 * (1 + 1e-9))
        return ratio | ((values <= -1) & (values >= -9 * (1 + 1e-9)))


def localise(form: Any, one: Comparison, people: list[Person], held: list[Floats | None]) -> Local:
    """Each person's matrix judged, those that count brought together."""
    judged = [_judged(form, one, people, k, raw) for k, raw in enumerate(held) if raw is not None]
    where = "ratings" if one.of_alternatives else "matrices"
    if not judged:
        field_ = "judgements" if form.source == "columns" else where
        raise Refusal("matrix.required", f"“{one.title}”还没有一位专家的判断，请填写", field=field_)
    used = [j for j in judged if not j.why]
    if not used:
        _refuse_all(form, one, people, judged)
    weights = np.array([_person_weight(form, people[j.person], j) for j in used])
    if weights.sum() <= 0:
        raise Refusal(
            "data.weight", f"在“{one.title}”里作判断的专家权重都是 0，请至少给一位大于 0 的权重", field="experts"
        )
    matrices = [j.full for j in used]
    group = group_matrix(matrices, weights)
    if form.aggregation == "aij_geometric":
        local = priorities(group, form.method)
    else:
        local = group_priorities(matrices, weights, form.method, form.aggregation == "aip_geometric")
    return Local(one, judged, group, consistency(group), local, weights / weights.sum(), used)


def _judged(form: Any, one: Comparison, people: list[Person], k: int, raw: Floats) -> Judged:
    missing = len(open_pairs(raw))
    left_out = ""
    if apart(raw) is not None and form.missing != "exclude_matrix":
        # What was typed can be mended at once; an expert of a questionnaire is not there to ask.
        if form.source == "typed":
            raise _disconnected(form, one, people[k], raw)
        left_out = APART
    if missing and form.missing == "exclude_matrix":
        left_out = "有缺失，已剔除"
    if left_out:
        return Judged(k, raw, raw, missing, Consistency(float(len(raw)), 0.0, None, None), None, 0, True, left_out)
    full = completed(raw, form.missing, form.missing_bounds)
    found = incomplete_consistency(full, missing)
    passes = found.ratio is None or found.ratio < form.limit
    why = "CR 超限，已剔除" if not passes and form.inconsistent == "exclude" else ""
    return Judged(k, raw, full, missing, found, geometric_index(full), circular_triads(raw), passes, why)


def _disconnected(form: Any, one: Comparison, person: Person, raw: Floats) -> Refusal:
    first, second = apart(raw) or (0, 1)
    text = (
        f"专家“{person.name}”在“{one.title}”的判断不足以连通全部指标，"
        f"缺少“{one.names[first]}”与“{one.names[second]}”之类的比较。请补上，或剔除有缺失的矩阵"
    )
    remedies = [SetRemedy(title="剔除有缺失的矩阵", set={"missing": "exclude_matrix"})]
    where = "judgements" if form.source == "columns" else "ratings" if one.of_alternatives else "matrices"
    return Refusal("matrix.disconnected", text, field=where, remedies=remedies)


def _refuse_all(form: Any, one: Comparison, people: list[Person], judged: list[Judged]) -> None:
    if any("CR" in j.why for j in judged):
        remedies = [SetRemedy(title="保留并标出", set={"inconsistent": "keep_and_flag"})]
        text = (
            f"“{one.title}”没有通过一致性检验的专家矩阵（CR 都不小于 {form.limit:g}），请与专家核对判断，或保留并标出"
        )
        raise Refusal("data.inconsistent", text, field="inconsistent", remedies=remedies)
    loose = next((j for j in judged if j.why == APART), None)
    if loose is not None:
        raise _disconnected(form, one, people[loose.person], loose.raw)
    remedies = [SetRemedy(title="补全缺失的判断", set={"missing": "min_lambda"})]
    text = f"“{one.title}”的矩阵都有缺失，剔除后没有剩下，请补全，或选一种补全方法"
    raise Refusal("data.missing", text, field="missing", remedies=remedies)


def _person_weight(form: Any, person: Person, judged: Judged) -> float:
    match form.expert_weights:
        case "manual" | "authority":
            return person.weight
        case "consistency":
            return 1 / (1 + CONSISTENCY_PULL * (judged.found.ratio or 0.0))
    return 1.0


def global_weights(root: Node, locals_: dict[tuple[str, bool], Floats]) -> dict[str, float]:
    """Of every node by id: the product of the local weights from the root down."""
    found = {root.id: 1.0}
    for node in root.walk():
        for child, share in zip(node.children, locals_.get((node.id, False), ()), strict=True):
            found[child.id] = found[node.id] * float(share)
    return found


def leaves(root: Node) -> list[Node]:
    return [node for node in root.walk() if not node.children]


def lines(root: Node) -> Iterator[tuple[Node, Node | None, str]]:
    """Each node with its parent and its path of names, parents first."""

    def walk(node: Node, parent: Node | None, path: str) -> Iterator[tuple[Node, Node | None, str]]:
        yield node, parent, path
        for child in node.children:
            yield from walk(child, node, f"{path}/{child.name.replace('/', '／')}" if path else child.name)

    return walk(root, None, "")


def scores(values: Floats, weights: Floats, synthesis: Priorities | str) -> Floats:
    """Alternatives × lowest criteria → scores that sum to 1."""
    raw = inner(values, weights, synthesis)
    raw = np.exp(raw) if synthesis == "weighted_product" else raw
    return np.asarray(raw / raw.sum())


def inner(values: Floats, weights: Floats, synthesis: str) -> Floats:
    """What is linear in the weights: the sum of shares, of shares of the best, or of logarithms."""
    match synthesis:
        case "ideal":
            return np.asarray((values / values.max(axis=0)) @ weights)
        case "weighted_product":
            return np.asarray(np.log(values) @ weights)
    return np.asarray(values @ weights)
