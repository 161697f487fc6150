"""From the form of a k-means clustering to its partition, with what the user must be told where there is none."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from hengxi.contract import Column, Refusal, SetRemedy
from hengxi.stats.linear_fit import standard
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles
from hengxi.stats.partition import (
    Codes,
    Gap,
    Partition,
    calinski,
    canonical,
    davies,
    distinct,
    gap,
    partition,
    silhouettes,
    total_squares,
    within_squares,
)

SCALE_WORDS = {"none": "未标准化", "z": "Z 标准化", "range": "极差标准化"}
INLINE = {**SCALE_WORDS, "z": " Z 标准化"}
"""The same inside a Chinese sentence: Latin letters stand apart."""
SAMPLE, MOST_K, REFERENCES, REFERENCE_RUNS = 10_000, 10, 50, 3


@dataclass(frozen=True, slots=True)
class Tried:
    """One K of the comparison; K = 1 has no silhouette."""

    k: int
    within: float
    silhouette: float | None
    calinski: float | None
    davies: float | None


@dataclass
class Model:
    form: Any
    columns: list[Column]
    names: list[str]
    order: Codes
    """Rows as they were worked on: an order that depends on their values alone."""
    z: Floats
    """rows × variables in that order: mean 0, sd 1 (n − 1)."""
    centre: Floats
    scale: Floats
    u: Floats
    """The same after the chosen scaling: what distances are taken of."""
    unit: float
    """Distances of `u` times this are in the scaling's own units."""
    found: Partition
    sample: Codes
    """Places in `u` of the rows silhouettes are computed on."""
    widths: Floats
    tried: list[Tried] = field(default_factory=list)
    gap: Gap | None = None
    stopped: str | None = None

    @property
    def n(self) -> int:
        return len(self.u)

    @property
    def k(self) -> int:
        return self.found.k

    @property
    def sampled(self) -> bool:
        return self.sample.size < self.n

    @property
    def class_names(self) -> list[str]:
        return [f"第{i + 1}类" for i in range(self.k)]

    @cached_property
    def total(self) -> float:
        return float(total_squares(self.u).sum())

    @property
    def between_share(self) -> float:
        return max(0.0, 1 - self.found.within / self.total)

    @property
    def silhouette(self) -> float:
        return float(self.widths.mean())

    @cached_property
    def calinski(self) -> float | None:
        return calinski(self.found.within, self.total, self.n, self.k)

    @cached_property
    def davies(self) -> float | None:
        return davies(self.u, self.found)

    @cached_property
    def standard_centres(self) -> Floats:
        """Class means of the standard scores: how many sd from the mean of all."""
        sums = [np.bincount(self.found.labels, weights=column, minlength=self.k) for column in self.z.T]
        return np.column_stack(sums) / self.found.sizes[:, None]

    @cached_property
    def inside(self) -> Floats:
        """Of each class and variable: squared standard scores around the class mean."""
        return within_squares(self.z, self.found.labels, self.standard_centres)

    def squares(self, value: float) -> float | None:
        """A sum of squares in the scaling's own units; None beyond the range of a double."""
        with np.errstate(over="ignore", under="ignore"):
            told = float(np.float64(value) * self.unit * self.unit)
        return told if np.isfinite(told) and (told > 1e-290 or value == 0) else None


def build_model(form: Any) -> Model:
    columns: list[Column] = form.x
    values = [column.numbers for column in columns]
    _refuse(columns, values)
    order = canonical(values)
    most = MOST_K if form.k_rule == "auto" else int(form.k)
    different = distinct(values, order, max(most, MOST_K))
    if (form.k_rule == "fixed" and form.k >= different) or different < 3:
        raise Refusal(
            "data.few_distinct",
            "聚类数不能大于等于不同样本数：现要分 {k} 类，而{among}只有 {d} 个不同的样本",
            field="k" if form.k_rule == "fixed" else "x", also=["x"] if form.k_rule == "fixed" else [],
            k=form.k if form.k_rule == "fixed" else 2,
            among=f" {len(columns)} 个聚类变量上" if len(columns) > 1 else f"“{columns[0].title}”上", d=different,
            remedies=[SetRemedy(title=f"聚类数改为 {different - 1}", set={"k": different - 1})] * (different > 2),
        )  # fmt: skip
    z, centre, scale = _standardised(columns, values, order)
    u, unit = _scaled(str(form.scale), z, scale)
    sample = np.arange(len(u))
    if len(u) > SAMPLE:
        sample = np.sort(np.random.default_rng(form.seed).choice(len(u), SAMPLE, replace=False))
    with _pools().limit(limits=1):
        return _Search(form, u, sample, min(MOST_K, different - 1)).model(columns, order, z, centre, scale, unit)


@cache
def _pools() -> ThreadpoolController:
    """The libraries' threads, looked up once: that takes longer than a table of this report."""
    return ThreadpoolController()


class _Search:
    """The partitions a form asks for, one K after another, with progress and 停止并保留."""

    def __init__(self, form: Any, u: Floats, sample: Codes, most: int) -> None:
        self.form, self.u, self.sample, self.most = form, u, sample, most
        self.compares = bool(form.compare_k) or form.k_rule == "auto"
        self.ks = list(range(2, most + 1)) if self.compares else []
        self.done = 0.0
        self.stopped: str | None = None
        extra = 1 if form.k_rule == "fixed" and form.k not in self.ks else 0
        self.of = (len(self.ks) + extra) * int(form.n_init) + (REFERENCES if form.compare_k else 0)

    def _fit(self, k: int, u: Floats | None = None) -> Partition:
        before = self.done

        def go_on(done: float, best: float, where: str) -> bool:
            self.done = before + done
            if self.form.progress(self.done, self.of, f"K = {k}，{where}", best):
                return True
            self.stopped = self.stopped or f"停在 K = {k} 的{where}"
            return False

        runs = int(self.form.n_init)
        made = partition(self.u if u is None else u, k, runs, int(self.form.seed), go_on)
        self.done = before + runs
        return made

    def model(
        self, columns: list[Column], order: Codes, z: Floats, centre: Floats, scale: Floats, unit: float
    ) -> Model:
        made: dict[int, Partition] = {}
        wanted = [int(self.form.k)] if self.form.k_rule == "fixed" else []
        for k in [*wanted, *(k for k in self.ks if k not in wanted)]:
            made[k] = self._fit(k)
            if self.stopped:
                break
        part = self.u[self.sample]
        widths = dict(zip(made, silhouettes(part, [p.labels[self.sample] for p in made.values()]), strict=True))
        chosen = wanted[0] if wanted else max(made, key=lambda k: (round(float(widths[k].mean()), 12), -k))
        total = float(total_squares(self.u).sum())
        tried = []
        found_gap = None
        if self.compares:
            n = len(self.u)
            tried = [Tried(1, total, None, None, None)] + [
                Tried(k, p.within, float(widths[k].mean()), calinski(p.within, total, n, p.k), davies(self.u, p))
                for k, p in sorted(made.items()) if k in self.ks
            ]  # fmt: skip
        if self.form.compare_k and not self.stopped:
            found_gap = self._gap(part, [one.within for one in tried])
        return Model(
            self.form, columns, list(titles(columns).values()), order, z, centre, scale, self.u, unit, made[chosen],
            self.sample, widths[chosen], tried, found_gap, self.stopped,
        )  # fmt: skip

    def _gap(self, part: Floats, within: list[float]) -> Gap | None:
        """On the sample where there is one: its own partitions are needed then."""
        if part.shape[0] < len(self.u):
            start = float(total_squares(part).sum())
            runs, seed = int(self.form.n_init), int(self.form.seed)
            within = [start] + [partition(part, k, runs, seed).within for k in self.ks]
        if min(within) <= 0:
            return None
        before = self.done

        def go_on(done: int) -> bool:
            if self.form.progress(before + done, self.of, f"Gap 统计量，第 {done}/{REFERENCES} 次参照"):
                return True
            self.stopped = self.stopped or f"停在 Gap 统计量的第 {done} 次参照"
            return False

        return gap(part, within, REFERENCE_RUNS, int(self.form.seed), REFERENCES, go_on)


def _refuse(columns: list[Column], values: list[Floats]) -> None:
    for column, x in zip(columns, values, strict=True):
        if not np.isfinite(x).all():
            raise Refusal(
                "data.magnitude", "变量“{v}”含无穷大的值，请先处理", field="x", column=column.id, v=column.title
            )
        if x.size == 0 or x.min() == x.max():
            raise Refusal(
                "role.constant", "变量“{v}”没有变化，不能用于聚类，请移去或换一个变量", field="x",
                column=column.id, v=column.title,
            )  # fmt: skip


def _standardised(columns: list[Column], values: list[Floats], order: Codes) -> tuple[Floats, Floats, Floats]:
    n = order.size
    z = np.empty((n, len(values)), order="F")
    centre, scale = np.empty(len(values)), np.empty(len(values))
    shrink = float(np.sqrt((n - 1) / n))
    for j, x in enumerate(values):
        found = standard(x[order], None, float(n), True, out=z[:, j])
        if not np.isfinite(found.scale) or found.scale == 0:
            raise Refusal(
                "data.magnitude", "变量“{v}”的数值过大或过小，无法计算；请换一个单位", field="x",
                column=columns[j].id, v=columns[j].title,
            )  # fmt: skip
        z[:, j] *= shrink
        centre[j], scale[j] = found.centre, found.scale / shrink
    return z, centre, scale


def _scaled(kind: str, z: Floats, scale: Floats) -> tuple[Floats, float]:
    """Raw distances are taken in units of the widest variable, so that their squares stay in range."""
    match kind:
        case "z":
            return np.ascontiguousarray(z), 1.0
        case "range":
            return np.ascontiguousarray(z / (z.max(axis=0) - z.min(axis=0))), 1.0
        case _:
            top = float(scale.max())
            return np.ascontiguousarray(z * (scale / top)), top
