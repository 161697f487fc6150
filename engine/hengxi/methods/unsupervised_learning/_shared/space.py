"""What every method of the group begins with: numeric variables as one matrix; gaps and constants dealt with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Column, Refusal, Report, SetRemedy, StepRemedy, choice, flag, number, role
from hengxi.stats.linear_fit import standard
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles
from hengxi.stats.partition import Codes, canonical
from hengxi.stats.thin import thin

METRICS = {"euclidean": "欧氏", "manhattan": "绝对值", "chebyshev": "切比雪夫", "cosine": "余弦"}
SCIPY = {"euclidean": "euclidean", "manhattan": "cityblock", "chebyshev": "chebyshev", "cosine": "cosine"}
GAPS = {"drop": "删除含缺失的行", "mean": "均值填补", "median": "中位数填补"}
LEAST, MOST_VARIABLES, MOST_LEVELS, RATIO, DRAWN = 10, 1000, 50, 10.0, 1000


def variables(title: str = "聚类变量", least: int = 2) -> Any:
    return role(title, "定量", min=least, max=None)


def identity() -> Any:
    return role("样本标识（选填）", "任意", min=0, use="label")


def metric() -> Any:
    return choice("距离", METRICS)


def standardize() -> Any:
    return flag("标准化", True, hint="单位不同的变量要标准化")


def gaps() -> Any:
    return choice("缺失值处理", GAPS)


def append() -> Any:
    return flag("保存结果为新变量", False)


def contamination() -> Any:
    return number("异常比例", None, least=0.0001, most=0.5, auto="按得分阈值")


@dataclass
class Space:
    """Rows without gaps in an order that depends on their values alone, so that the order of the file changes nothing.

    `x`, `z`, `u`: rows × variables as they are, as z scores (n − 1),
    and as distances are taken of them. `unit`: what a
    distance in `u` is multiplied by to be in the scale the user sees. `place`: of each row,
    its place in the rows read.
    """

    columns: list[Column]
    names: list[str]
    x: Floats
    z: Floats
    u: Floats
    unit: float
    scale: Floats
    place: Codes
    read: int
    standardized: bool
    label: Column | None

    @property
    def n(self) -> int:
        return len(self.u)

    @property
    def numbers(self) -> Codes:
        """Row numbers of the file."""
        return np.asarray(self.columns[0].row_numbers[self.place], dtype=np.int64)

    def called(self, rows: Codes) -> list[str]:
        """The label of each of these rows; “—” where it is missing, `第 3 行` where no label was named."""
        if self.label is None:
            return [f"第 {at} 行" for at in self.numbers[rows]]
        return [str(cell) if cell is not None else "—" for cell in self.label.text[self.place[rows]]]

    def spread(self, values: Any, kind: Any = float, empty: Any = np.nan) -> Any:
        """Values of the rows used as a column of all rows read; the others stay empty."""
        made = np.full(self.read, empty, dtype=kind)
        made[self.place] = values
        return made

    @property
    def by_file(self) -> Codes:
        """The rows used in the order of the file."""
        return np.asarray(np.argsort(self.place, kind="stable"), dtype=np.int64)


def space_of(
    report: Report, form: Any, most_rows: int, scaled: bool | None = None, least: int = LEAST, mixed: bool = False,
    alike: str = "所有变量都没有变化，无法计算，请换变量",
) -> Space:  # fmt: skip
    """The matrix; refuses too few or too many rows, variables beyond `MOST_VARIABLES`, and constants alone.

    `scaled`: whether to standardise, for a method whose form does not ask. `mixed`: categories become one column of 0
    and 1 a level. `alike`: what is said where no variable varies."""
    columns: list[Column] = form.x
    if len(columns) > MOST_VARIABLES:
        raise Refusal(
            "data.wide", "变量有 {p} 个，最多 {most} 个。请先降维，或只选要用的变量", field="x", p=len(columns),
            most=MOST_VARIABLES,
            remedies=[StepRemedy(title="数据降维", step="data_processing/pca_reduction", columns=[])],
        )  # fmt: skip
    parts = _parts(columns, mixed)
    columns = [part.column for part in parts]
    raw = np.column_stack([part.values for part in parts]).astype(float)
    for column, held in zip(columns, raw.T, strict=True):
        if np.isinf(held).any():
            raise Refusal(
                "data.magnitude", "变量“{v}”含无穷大的值，请先处理", field="x", column=column.id, v=column.title
            )
    raw, kept = _filled(report, str(form.missing), parts, raw)
    report.used(int(kept.sum()))
    place = np.flatnonzero(kept)
    if place.size < least:
        raise Refusal("data.few", "剔除缺失后只剩{n}行，至少需要{least}行", field="x", n=int(place.size), least=least)
    if place.size > most_rows:
        raise Refusal(
            "data.long", "数据有 {n} 行，本方法最多 {most} 行（内存和用时随行数的平方增长）。请先随机抽样", field="x",
            n=int(place.size), most=most_rows,
            remedies=[StepRemedy(title="数据抽样", step="data_processing/sampling", columns=[])],
        )  # fmt: skip
    raw = raw[place]
    varies = raw.min(axis=0) < raw.max(axis=0)
    if not varies.any():
        raise Refusal("role.constant", alike, field="x", v=columns[0].title)
    moving = {column.id for column, one in zip(columns, varies, strict=True) if one}
    still = [column for column in form.x if column.id not in moving]
    if still:
        names = "”“".join(column.title for column in still)
        report.warn("data.constant", "变量“{v:text}”没有变化，已排除。", columns=still, v=names)
    parts = [part for part, one in zip(parts, varies, strict=True) if one]
    columns = [part.column for part in parts]
    raw = raw[:, varies]
    order = canonical(list(raw.T))
    raw, place = np.ascontiguousarray(raw[order]), place[order]
    standardized = bool(form.standardize) if scaled is None else scaled
    z, scale = _standard(columns, raw)
    top = float(scale.max())
    if standardized:
        u, unit = z, 1.0
    else:
        u, unit = np.ascontiguousarray(raw / top), top
    if getattr(form, "metric", None) == "cosine" and not (u != 0).any(axis=1).all():
        raise Refusal(
            "data.zero", "第 {at} 行的取值全是 0，没有方向，不能用余弦距离；请换一种距离", field="metric",
            at=int(columns[0].row_numbers[place[~(u != 0).any(axis=1)][0]]),
        )  # fmt: skip
    return Space(
        columns, [part.name for part in parts], raw, z, u, unit, scale, place.astype(np.int64), len(kept),
        standardized, getattr(form, "label", None),
    )  # fmt: skip


@dataclass(frozen=True)
class _Part:
    """A numeric variable, or one level of a categorical one as 0 and 1 (NaN where missing)."""

    column: Column
    name: str
    values: Floats
    dummy: bool = False


def _parts(columns: list[Column], mixed: bool) -> list[_Part]:
    named, parts = titles(columns), list[_Part]()
    for column in columns:
        if not mixed or (column.info.storage != "text" and not column.is_categorical):
            parts.append(_Part(column, named[column.id], column.numbers))
            continue
        if len(column.levels) > MOST_LEVELS:
            raise Refusal(
                "data.levels", "变量“{v}”有 {k} 种取值，最多 {most} 种才能化成 0 与 1 的列，请移去或合并取值",
                field="x",
                column=column.id, v=column.title, k=len(column.levels), most=MOST_LEVELS,
            )  # fmt: skip
        codes = np.asarray(column.codes)
        for level in column.levels:
            values = np.where(codes < 0, np.nan, codes == level.code)
            parts.append(_Part(column, f"{named[column.id]}={level.label}", values, True))
    if not parts:
        raise Refusal("data.few", "没有有效的行，请换变量", field="x")
    return parts


def _filled(report: Report, how: str, parts: list[_Part], raw: Floats) -> tuple[Floats, Any]:
    """Gaps filled where that was chosen (categories by the most frequent one), and the rows that are whole then."""
    gone = np.isnan(raw)
    if how == "drop" or not gone.any():
        return raw, ~gone.any(axis=1)
    value = np.empty(raw.shape[1])
    for j, part in enumerate(parts):
        if gone[:, j].all():
            raise Refusal(
                "role.empty", "变量“{v}”全部缺失，无法填补，请移去", field="x", column=part.column.id,
                v=part.column.title,
            )  # fmt: skip
        with np.errstate(over="ignore"):
            value[j] = np.nanmean(raw[:, j]) if how == "mean" or part.dummy else np.nanmedian(raw[:, j])
    for column_id in {part.column.id for part in parts if part.dummy}:
        own = [j for j, part in enumerate(parts) if part.column.id == column_id]
        most = own[int(np.argmax(value[own]))]
        value[own] = 0.0
        value[most] = 1.0
    # A level is a column of its own here, but a gap of its variable is one gap.
    cells = sum(
        int(np.isnan(part.values).sum())
        for j, part in enumerate(parts)
        if j == 0 or parts[j - 1].column is not part.column
    )
    report.warn(
        "data.filled", "{k:integer} 个缺失值用{how:text}填补，涉及 {r:integer} 行。", k=cells,
        how=("均值" if how == "mean" else "中位数") + ("（定类用众数）" if any(part.dummy for part in parts) else ""),
        r=int(gone.any(axis=1).sum()),
    )  # fmt: skip
    return np.where(gone, value, raw), np.ones(len(raw), dtype=bool)


def _standard(columns: list[Column], raw: Floats) -> tuple[Floats, Floats]:
    n = len(raw)
    z, scale = np.empty(raw.shape), np.empty(raw.shape[1])
    shrink = float(np.sqrt((n - 1) / n))
    for j, values in enumerate(raw.T):
        found = standard(np.ascontiguousarray(values), None, float(n), True)
        if not np.isfinite(found.scale) or found.scale < 1e-290:
            raise Refusal(
                "data.magnitude", "变量“{v}”的数值过大或过小，无法计算；请换一个单位", field="x", column=columns[j].id,
                v=columns[j].title,
            )  # fmt: skip
        z[:, j] = found.values * shrink
        scale[j] = found.scale / shrink
    return z, scale


def plane_of(space: Space) -> tuple[Floats, dict[str, str], float | None]:
    """Where each row stands on the map: the two variables themselves, or two principal components of `u` with the
    share of variation they hold; one variable lies on a line."""
    if len(space.names) == 2:
        return space.x, {"x": space.names[0], "y": space.names[1]}, None
    if len(space.names) == 1:
        return np.column_stack([space.x[:, 0], np.zeros(space.n)]), {"x": space.names[0], "y": ""}, None
    centred = space.u - space.u.mean(axis=0)
    _, values, axes = np.linalg.svd(centred, full_matrices=False)
    axes = axes[:2].T
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), [0, 1]])
    share = values**2 / float((values**2).sum())
    titled = {"x": f"第一主成分（{share[0] * 100:.1f}%）", "y": f"第二主成分（{share[1] * 100:.1f}%）"}
    return centred @ axes, titled, float(share[:2].sum())


def draw_plane(report: Report, cls: Any, space: Space, groups: list[str], order: list[str], rank: Any = None) -> None:
    """Rows on the map of `plane_of`, coloured by `groups` in this order; `rank`: rows never thinned out."""
    spots, titled, share = plane_of(space)
    file = space.by_file
    marked = None if rank is None else np.flatnonzero(rank[file])
    shown = file[thin(space.n, marked, most=DRAWN)][:DRAWN]
    shown = shown[np.argsort([order.index(groups[i]) for i in shown], kind="stable")]
    report.add_rows(
        cls.plane_points,
        {
            "x": spots[shown, 0], "y": spots[shown, 1], "group": [groups[i] for i in shown],
            "row": space.numbers[shown], "label": space.called(shown),
        },
    )  # fmt: skip
    report.chart(cls.plane, titles=titled, thinned=(shown.size, space.n) if shown.size < space.n else None)
    if share is not None:
        report.note(cls.plane, "横轴和纵轴是前两个主成分，共占 {share:percent1} 的变异。", share=share)


def check_units(report: Report, space: Space) -> None:
    """Variables in different units without standardisation: the widest decides alone."""
    if space.standardized:
        report.check("量纲", "pass", "各变量已作 Z 标准化，单位不同不再有影响。")
        return
    ratio = float(min(1e300, space.scale.max() / space.scale.min()))
    wide = ratio > RATIO
    facts: dict[str, Any] = {
        "a": space.names[int(space.scale.argmax())],
        "b": space.names[int(space.scale.argmin())],
        "ratio": ratio,
    }
    if wide:
        report.check(
            "量纲", "fail", "没有标准化，“{a}”的标准差是“{b}”的 {ratio:num1} 倍，结果几乎只由前者决定。请打开标准化。",
            remedies=[SetRemedy(title="打开标准化", set={"standardize": True})], **facts,
        )  # fmt: skip
    else:
        report.check("量纲", "pass", "没有标准化，各变量的标准差相差不到 10 倍。")
