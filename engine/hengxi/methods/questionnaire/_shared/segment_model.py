"""From the form to the segments: space, method, number of segments, and how often they come again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from hengxi.contract import Column, Refusal, Report, SetRemedy, StepRemedy
from hengxi.stats.factor_extraction import principal
from hengxi.stats.factor_rotation import rotate
from hengxi.stats.latent_classes import Latent, latent_classes, parameters
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles
from hengxi.stats.partition import (
    Codes,
    Gap,
    Partition,
    calinski,
    canonical,
    centres_of,
    davies,
    distinct,
    gap,
    partition,
    settle,
    silhouettes,
    total_squares,
)
from hengxi.stats.segments import GAMMA, nearest, prototypes, stability, ward
from hengxi.stats.thin import thin

MOST_K, COMPARED, MOST_LATENT, PER_SEGMENT, MOST_LEVELS, MOST_ROWS, SAMPLE = 12, 8, 6, 10, 30, 5000, 10_000
RUNS, STARTS, LATENT_STARTS, AGAIN, REFERENCES = 25, 50, 20, 2, 10
HUGE = 1e100
METHODS = {"kmeans": "K-means", "k_prototypes": "K-prototypes", "hierarchical": "层次聚类", "latent_class": "潜类别"}


def is_category(column: Column) -> bool:
    """A scale question is a number here."""
    if not column.is_number:
        return column.info.storage == "text"
    return column.is_categorical and "量表" not in column.info.flags


@dataclass(frozen=True, slots=True)
class Variable:
    """`values`: numbers, or codes along `levels` of the rows used."""

    name: str
    values: Floats
    levels: list[str] | None
    basis: bool

    @property
    def marks(self) -> Floats:
        found: Floats = np.eye(len(self.levels or []))[self.values.astype(int)]
        return found


@dataclass
class Tried:
    k: int
    found: Partition
    silhouette: float
    ch: float | None
    db: float | None
    latent: Latent | None = None
    ari: float | None = None


@dataclass
class Model:
    method: str
    basis: list[Variable]
    profile: list[tuple[Variable, Codes]]
    """With the places among the rows used where it is known."""
    u: Floats
    place: Codes
    read: int
    numbers: Codes
    tried: list[Tried]
    chosen: Tried
    widths: Floats
    gap: Gap | None
    loadings: Floats | None
    times: int
    factor_names: list[str] = field(default_factory=list)

    @property
    def n(self) -> int:
        return len(self.u)

    @property
    def k(self) -> int:
        return self.chosen.k

    @property
    def labels(self) -> Codes:
        return self.chosen.found.labels

    @property
    def names(self) -> list[str]:
        return [f"第{i + 1}类" for i in range(self.k)]


def build(report: Report, form: Any) -> Model:
    basis, place = _basis(report, form)
    numeric = [one for one in basis if one.levels is None]
    nominal = [one for one in basis if one.levels is not None]
    method = str(form.method)
    if method == "auto":
        method = "kmeans" if not nominal else "k_prototypes" if numeric else "latent_class"
    elif method == "kmeans" and nominal:
        method = "k_prototypes"
        report.warn(
            "data.categories", "K-means 不支持分类变量“{v:text}”，已切换为 K-prototypes。",
            v="”“".join(one.name for one in nominal),
        )  # fmt: skip
    if method == "hierarchical" and place.size > MOST_ROWS:
        raise Refusal(
            "data.long", "有效样本有 {n} 份，层次聚类最多 {most} 份。请换一种聚类方法", field="method",
            n=int(place.size), most=MOST_ROWS, remedies=[SetRemedy(title="自动选择聚类方法", set={"method": "auto"})],
        )  # fmt: skip
    raw = np.column_stack([one.values for one in numeric]) if numeric else np.empty((place.size, 0))
    z, loadings = _scores(form, raw)
    u = np.hstack([z, *(one.marks * np.sqrt(GAMMA / 2) for one in nominal)])
    most = distinct(list(u.T), np.arange(len(u)), MOST_K + 1)
    limit = min(len(u) // PER_SEGMENT, most - 1)
    if limit < 2 or (form.k is not None and form.k > limit):
        few = most - 1 < len(u) // PER_SEGMENT
        raise Refusal(
            "data.segments",
            "类数过多：{n} 份有效样本只有 {d} 种不同的回答，最多分 {most} 类" if few
            else "类数过多：每类至少要 10 份，{n} 份有效样本最多分 {most} 类",
            field="k" if limit >= 2 else "basis", n=len(u), most=limit, d=most,
            remedies=[SetRemedy(title="自动选择类数", set={"k": None})] if limit >= 2 else [],
        )  # fmt: skip
    sizes = [len(one.levels or []) for one in nominal]
    with threadpool_limits(limits=1):
        search = _Search(form, method, u, z, sizes)
        tried, widths = search.all(limit)
        chosen = search.chosen(tried)
        search.resample(tried, chosen)
        found_gap = search.gap(tried)
    made = Model(
        method, basis, [], u, place, len(form.basis[0]), form.basis[0].row_numbers[place], tried, chosen,
        widths[tried.index(chosen)], found_gap, loadings, search.times,
    )  # fmt: skip
    made.profile = _profile(form, place)
    made.factor_names = [one.name for one in numeric]
    report.used(len(u))
    return made


def _basis(report: Report, form: Any) -> tuple[list[Variable], Codes]:
    columns: list[Column] = form.basis
    names = titles(columns)
    missing = np.any([column.missing for column in columns], axis=0)
    place = np.flatnonzero(~missing)
    if place.size < 2 * PER_SEGMENT:
        raise Refusal(
            "data.few", "细分变量都有回答的只有 {n} 份，至少要 {least} 份", field="basis", n=int(place.size),
            least=2 * PER_SEGMENT,
        )  # fmt: skip
    kept, constant = [], []
    for column in columns:
        one = _variable(column, names[column.id], place, True)
        if one.levels is not None and len(one.levels) > MOST_LEVELS:
            raise Refusal(
                "data.levels", "变量“{v}”有 {k} 个不同的选项，最多 {most} 个；请先合并选项或移去", field="basis",
                column=column.id, v=column.title, k=len(one.levels), most=MOST_LEVELS,
                remedies=[StepRemedy(title="数据编码", step="data_processing/value_coding", columns=[column.id])],
            )  # fmt: skip
        if (len(one.levels) < 2) if one.levels is not None else one.values.min() == one.values.max():
            constant.append(column)
        else:
            kept.append(one)
    if len(kept) < 2:
        raise Refusal(
            "role.constant", "至少要 2 个有变化的细分变量，“{v}”没有变化", field="basis", column=constant[0].id,
            v=constant[0].title,
        )  # fmt: skip
    if constant:
        report.warn(
            "data.constant", "变量“{v:text}”没有变化，已排除。", columns=constant,
            v="”“".join(column.title for column in constant),
        )  # fmt: skip
    order = canonical([one.values for one in kept])
    return [Variable(one.name, one.values[order], one.levels, True) for one in kept], place[order]


def _variable(column: Column, name: str, place: Codes, basis: bool) -> Variable:
    if not is_category(column):
        values = np.asarray(column.numbers, dtype=float)[place]
        top = float(np.abs(values).max())
        if not top < HUGE or 0 < top < 1 / HUGE:
            raise Refusal(
                "data.magnitude", "变量“{v}”的数值过大或过小，无法计算；请换一个单位",
                field="basis" if basis else "profile", column=column.id, v=column.title,
            )  # fmt: skip
        return Variable(name, values, None, basis)
    codes = column.codes[place]
    held = np.unique(codes)
    return Variable(name, np.searchsorted(held, codes).astype(float), [column.levels[i].label for i in held], basis)


def _profile(form: Any, place: Codes) -> list[tuple[Variable, Codes]]:
    columns: list[Column] = form.profile
    names = titles(columns)
    made = []
    for column in columns:
        known = np.flatnonzero(~column.missing[place])
        if known.size:
            made.append((_variable(column, names[column.id], place[known], False), known))
    return made


def _scores(form: Any, raw: Floats) -> tuple[Floats, Floats | None]:
    """z scores, or scores of the components with eigenvalues above 1, each with variance 1; varimax loadings."""
    if not form.reduce:
        return _standard(raw), None
    p = raw.shape[1]
    if p < 3:
        raise Refusal(
            "data.reduce", "先做因子降维要 3 个以上的数值变量，现有 {p} 个", field="reduce", p=p,
            remedies=[SetRemedy(title="不降维", set={"reduce": False})],
        )  # fmt: skip
    z = _standard(raw)
    r: Floats = np.asarray(np.corrcoef(z, rowvar=False))
    m = max(1, int((np.linalg.eigvalsh(r) > 1 + 1e-9).sum()))
    loadings = rotate(principal(r, m).loadings, "varimax").pattern
    scores = z @ loadings @ np.linalg.inv(loadings.T @ loadings)
    return _standard(scores), loadings


def _standard(raw: Floats) -> Floats:
    if not raw.shape[1]:
        return raw
    top = np.maximum(np.abs(raw).max(axis=0), 1e-300)
    scaled = raw / top
    found: Floats = (scaled - scaled.mean(axis=0)) / scaled.std(axis=0, ddof=1)
    return found


class _Search:
    def __init__(self, form: Any, method: str, u: Floats, z: Floats, sizes: list[int]) -> None:
        self.form, self.method, self.u, self.z, self.sizes = form, method, u, z, sizes
        self.times = 0
        self.marks = (u[:, z.shape[1] :] > 0).astype(float)

    def all(self, limit: int) -> tuple[list[Tried], list[Floats]]:
        given = self.form.k
        ks = sorted({*range(2, min(COMPARED, limit, given + 2 if given else limit) + 1), *([given] if given else [])})
        if self.method == "latent_class":
            ks = self._identified([k for k in ks if k <= MOST_LATENT or k == self.form.k])
        made = list[tuple[Partition, Latent | None]]()
        trees = ward(self.u, ks) if self.method == "hierarchical" else {}
        for i, k in enumerate(ks):
            made.append((trees[k], None) if trees else self._fit(k))
            self.form.progress(i + 1, 2 * len(ks), f"比较类数，{k} 类", None)
        whole = [(k, *one) for k, one in zip(ks, made, strict=True) if one[0].k == k]
        if not any(self.form.k in (None, k) for k, *_ in whole):
            raise Refusal(
                "data.segments", "类数过多：分成 {k} 类时有的类没有人", field="k", k=self.form.k,
                remedies=[SetRemedy(title="自动选择类数", set={"k": None})],
            )  # fmt: skip
        sample = thin(len(self.u), most=SAMPLE)
        widths = silhouettes(self.u[sample], [found.labels[sample] for _, found, _ in whole])
        total = float(total_squares(self.u).sum())
        tried = [
            Tried(
                k, found, float(width.mean()), calinski(found.within, total, len(self.u), k), davies(self.u, found),
                latent,
            )
            for (k, found, latent), width in zip(whole, widths, strict=True)
        ]  # fmt: skip
        return tried, widths

    def _identified(self, ks: list[int]) -> list[int]:
        """With categories alone, a model may not have more parameters than the table has free cells."""
        cells = float(np.prod([float(size) for size in self.sizes])) - 1
        held = [k for k in ks if self.z.shape[1] or parameters(self.sizes, 0, k) <= cells]
        wanted = self.form.k or 2
        if wanted not in held:
            raise Refusal(
                "data.identified", "潜类别模型不能识别：{k} 类要估计 {p} 个参数，{v} 个变量只有 {c} 种组合。"
                "请增加变量或减少类数", field="k" if self.form.k else "basis", k=wanted,
                p=parameters(self.sizes, 0, wanted), v=len(self.sizes), c=int(cells) + 1,
                remedies=[SetRemedy(title="改用 K-prototypes", set={"method": "k_prototypes"})],
            )  # fmt: skip
        return held

    def _fit(self, k: int) -> tuple[Partition, Latent | None]:
        rng = np.random.default_rng(self.form.seed)
        if self.method == "kmeans":
            return partition(self.u, k, RUNS, int(self.form.seed)), None
        if self.method == "k_prototypes":
            return prototypes(self.u, self.z.shape[1], self.sizes, k, STARTS, rng), None
        latent = latent_classes(self.marks, self.sizes, self.z, k, LATENT_STARTS, rng)
        found = settle(self.u, latent.posterior.argmax(axis=1), k)
        return found, latent

    def chosen(self, tried: list[Tried]) -> Tried:
        if self.form.k is not None:
            return next(one for one in tried if one.k == self.form.k)
        if self.method == "latent_class":
            return min(tried, key=lambda one: (round(one.latent.bic, 9) if one.latent else 0.0, one.k))
        return max(tried, key=lambda one: (round(one.silhouette, 12), -one.k))

    def resample(self, tried: list[Tried], chosen: Tried) -> None:
        """Of every number of segments; of latent classes, which take long, only of the chosen one."""
        some = [chosen] if self.method == "latent_class" else tried
        rng = np.random.default_rng([self.form.seed, 1])
        times = int(self.form.stability)

        def go_on(done: int) -> bool:
            self.times = done
            return bool(self.form.progress(times + done, 2 * times, f"稳定性，第 {done}/{times} 次重抽样", None))

        def again(rows: Codes) -> list[Codes]:
            rows = np.sort(rows)
            if self.method == "hierarchical":
                trees = ward(self.u[rows], [one.k for one in some])
                return [nearest(self.u, trees[one.k].centres) for one in some]
            return [self._labels(rows, one.k, rng) for one in some]

        found = stability(len(self.u), times, rng, again, [one.found.labels for one in some], go_on)
        for one, value in zip(some, found, strict=True):
            one.ari = value

    def _labels(self, rows: Codes, k: int, rng: Any) -> Codes:
        """All rows by the segments of a resample."""
        part = self.u[rows]
        if self.method == "latent_class":
            latent = latent_classes(self.marks[rows], self.sizes, self.z[rows], k, AGAIN, rng, False)
            found: Codes = latent.log_density(self.marks, self.z).argmax(axis=1)
            return found
        if self.method == "kmeans":
            return nearest(self.u, partition(part, k, AGAIN, int(rng.integers(2**31)), each=False).centres)
        made = prototypes(part, self.z.shape[1], self.sizes, k, AGAIN, rng)
        return nearest(self.u, centres_of(part, made.labels, made.k))

    def gap(self, tried: list[Tried]) -> Gap | None:
        """Of the k compared in a row from 2 on."""
        ks = [one.k for i, one in enumerate(tried) if one.k == i + 2]
        part = thin(len(self.u), most=1000)
        if part.size < len(self.u):
            return None
        within = [float(total_squares(self.u).sum()), *(one.found.within for one in tried[: len(ks)])]
        return gap(self.u, within, AGAIN, int(self.form.seed), REFERENCES, lambda _: True) if min(within) > 0 else None
