"""The network as it was typed: clusters, elements, judgement matrices, unweighted and weighted supermatrix."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hengxi.contract import Refusal, SetRemedy
from hengxi.stats.pairwise import Consistency, consistency, priorities

from .indicators import Floats

MOST = 40
ROUNDED = 0.01
"""So far the sum of a typed column of a weighted supermatrix may be from 1: published ones are rounded."""


@dataclass(frozen=True)
class Judged:
    """One judgement matrix: what is compared (`of`) with respect to which element."""

    target: str
    of: str
    n: int
    found: Consistency


@dataclass
class Network:
    """`cluster`: of each element, the position of its cluster; the matrices are elements × elements."""

    clusters: list[str]
    elements: list[str]
    cluster: list[int]
    unweighted: Floats
    weighted: Floats
    judged: list[Judged] = field(default_factory=list)

    def members(self, cluster: int) -> Any:
        return np.flatnonzero(np.array(self.cluster) == cluster)

    def firsts(self, w: Floats) -> list[int]:
        """Of each cluster its first element."""
        return [int(np.argmax(np.round(w[self.members(c)], 10))) for c in range(len(self.clusters))]


def read(form: Any) -> Network:
    """The network with both supermatrices; refused where a column is empty or names do not fit."""
    groups = form.network.children
    elements = [one.name for group in groups for one in group.children]
    cluster = [c for c, group in enumerate(groups) for _ in group.children]
    if len(elements) > MOST or len(elements) < 2:
        raise Refusal("data.many", f"有 {len(elements)} 个元素，要有 2 到 {MOST} 个", field="network")
    if (again := next((name for name in elements if elements.count(name) > 1), None)) is not None:
        raise Refusal("data.names", f"有两个元素都叫“{again}”，请改一个名称", field="network")
    n = len(elements)
    net = Network([one.name for one in groups], elements, cluster, np.zeros((n, n)), np.zeros((n, n)))
    shares = _cluster_weights(form, net)
    if form.source == "judgements":
        _from_judgements(form, net, shares)
    else:
        typed = _named(form.supermatrix, elements, "supermatrix", "元素")
        for c in range(len(groups)):
            rows = net.members(c)
            sums = typed[rows].sum(axis=0)
            net.unweighted[rows] = np.divide(typed[rows], sums, out=np.zeros((len(rows), n)), where=sums > 0)
        net.weighted = typed if form.source == "weighted" else net.unweighted * shares[cluster][:, cluster]
        if form.source == "weighted":
            _judge_sums(net)
    _fill_sinks(form, net)
    net.weighted = net.weighted / net.weighted.sum(axis=0)
    return net


def _named(given: Any, names: list[str], key: str, word: str) -> Floats:
    """The typed square matrix in the order of the names."""
    if given is None:
        raise Refusal("matrix.required", "请填写“超矩阵”", field=key)
    if sorted(given.rows) != sorted(names) or sorted(given.columns) != sorted(names):
        text = f"矩阵的行和列都要是{word}的名称：{'、'.join(names[:6])}{'……' if len(names) > 6 else ''}"
        raise Refusal("data.names", text, field=key)
    rows = [given.rows.index(name) for name in names]
    columns = [given.columns.index(name) for name in names]
    return np.array(given.values[np.ix_(rows, columns)], dtype=float)


def _cluster_weights(form: Any, net: Network) -> Floats:
    """Clusters × clusters, ones where none are typed; with one-element clusters nothing is said then."""
    if form.source == "weighted" or form.cluster_matrix is None:
        return np.ones((len(net.clusters),) * 2)
    return _named(form.cluster_matrix, net.clusters, "cluster_matrix", "元素组")


def _from_judgements(form: Any, net: Network, shares: Floats) -> None:
    held = {sheet.key: sheet for sheet in form.matrices}
    seen: set[str] = set()
    for target in form.targets:
        if target.name not in net.elements or target.name in seen:
            why = "出现了两次" if target.name in seen else "不是网络里的元素"
            raise Refusal("data.names", f"受影响的元素“{target.name}”{why}，请更正", field="targets")
        seen.add(target.name)
        j = net.elements.index(target.name)
        across = _local(form, net, held.get((form.network.id, target.id)), target.name, form.network.name, net.clusters)
        share = shares[:, net.cluster[j]] if across is None else across
        says = across is not None or form.cluster_matrix is not None
        for c, group in enumerate(form.network.children):
            rows = net.members(c)
            names = [net.elements[i] for i in rows]
            local = _local(form, net, held.get((group.id, target.id)), target.name, group.name, names)
            if len(rows) == 1 and says and share[c] > 0:
                local = np.ones(1)
            if local is not None:
                net.unweighted[rows, j] = local
                net.weighted[rows, j] = local * share[c]
            elif across is not None and share[c] > 0:
                text = f"“{target.name}”受元素组“{group.name}”影响，却没有填这组的判断矩阵，请补上"
                raise Refusal("matrix.required", text, field="matrices")
    if not net.judged:
        raise Refusal("matrix.required", "还没有填任何一张判断矩阵，请填写", field="matrices")


def _local(form: Any, net: Network, sheet: Any, target: str, of: str, names: list[str]) -> Floats | None:
    """Local weights of one judgement matrix; 0 for what has no judgement; None where the sheet is empty."""
    if sheet is None or len(names) < 2:
        return None
    values = sheet.values
    if values.shape != (len(names),) * 2:
        text = f"“{target}”下的“{of}”要比较 {len(names)} 项，矩阵却有 {len(values)} 行，请重新填写这一张"
        raise Refusal("matrix.shape", text, field="matrices")
    off = ~np.eye(len(names), dtype=bool)
    some = np.flatnonzero((off & ~np.isnan(values)).any(axis=1))
    if not len(some):
        return None
    inner = values[np.ix_(some, some)]
    for wrong, words in (
        (np.isnan(inner), "没有填，请补上，或把其中一项的整行空着"),
        ((inner > 9 * (1 + 1e-9)) | (inner < (1 - 1e-9) / 9), "超出 1–9 标度（1/9 到 9），请更正"),
    ):
        if wrong.any():
            a, b = (names[some[k]] for k in np.argwhere(wrong)[0])
            text = f"“{target}”下的“{of}”里，“{a}”对“{b}”{words}"
            raise Refusal("matrix.cell", text, field="matrices")
    net.judged.append(Judged(target, of, len(some), consistency(inner)))
    out = np.zeros(len(names))
    out[some] = priorities(inner, form.method)
    return out


def _judge_sums(net: Network) -> None:
    for name, total in zip(net.elements, net.weighted.sum(axis=0), strict=True):
        if total > 0 and abs(total - 1) > ROUNDED:
            text = f"加权超矩阵“{name}”一列之和是 {total:g}，应为 1。请更正，或改选“局部权重”"
            raise Refusal("data.sum", text, field="supermatrix", remedies=[
                SetRemedy(title="改选局部权重", set={"source": "weights"})])  # fmt: skip


def _fill_sinks(form: Any, net: Network) -> None:
    for j in np.flatnonzero(net.weighted.sum(axis=0) <= 0):
        if form.sinks == "refuse":
            where = "targets" if form.source == "judgements" else "supermatrix"
            text = (
                f"元素“{net.elements[j]}”没有任何影响来源，超矩阵该列为 0。"
                "请补上对它的影响；它是层次结构的底层时，可在对角线填 1"
            )
            raise Refusal("data.sink", text, field=where, remedies=[
                SetRemedy(title="对角线填 1", set={"sinks": "identity"})])  # fmt: skip
        net.unweighted[:, j] = net.weighted[:, j] = 0.0
        net.unweighted[j, j] = net.weighted[j, j] = 1.0
