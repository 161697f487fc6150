"""What methods about a specification share: fields, tables of indices and shares outside, figures with limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import special

from hengxi.contract import (
    Chart,
    Line,
    Method,
    Points,
    Reference,
    Refusal,
    Report,
    SetRemedy,
    Table,
    at_least,
    interval,
    less,
    num,
    number,
    text,
)
from hengxi.families.control.capability import MILLION, Indices, Spec
from hengxi.stats.goodness import normal_places
from hengxi.stats.histogram import Bins, histogram
from hengxi.stats.moments import Floats
from hengxi.stats.normalising import Transformation, box_cox, johnson

SHOWN = 500
"""Points of a probability plot; of more values as many, evenly placed, the extremes kept."""
FEW = 100
"""Fewer values leave an index too uncertain to decide by."""
SPEC_LIMITS = (at_least(1, "lsl", "usl"), less("lsl", "usl"))


def lower_limit() -> Any:
    return number("规格下限", None, auto="没有下限", hint="单侧规格只填一个")


def upper_limit() -> Any:
    return number("规格上限", None, auto="没有上限")


def spec_of(form: Any) -> Spec:
    return Spec(form.lsl, form.usl, getattr(form, "target", None))


def performance_table() -> Table:
    return Table(
        "不合格品率（PPM）", basis=text("依据"), below=num("低于下限", least=0), above=num("高于上限", least=0),
        out=num("合计", least=0), place="main",
    )  # fmt: skip


def index_table(*, with_interval: bool) -> Table:
    more: dict[str, Any] = {"ci": interval("CI", "low", "high", around="value")} if with_interval else {}
    return Table(
        "能力指数", kind=text("类别"), index=text("指数"), value=num("值"), **more, merge=("kind",), place="main"
    )


def shares_row(report: Report, table: Table, spec: Spec, basis: str, below: float, above: float) -> None:
    """A row in parts per million; a side without a limit stays empty."""
    report.row(
        table, basis=basis, below=None if spec.lsl is None else MILLION * below,
        above=None if spec.usl is None else MILLION * above, out=MILLION * (below + above),
    )  # fmt: skip


def named(found: Indices, both: str, lower: str, upper: str, least: str) -> list[tuple[str, float]]:
    """The indices there are, under the names of their kind."""
    cells = ((both, found.both), (lower, found.lower), (upper, found.upper), (least, found.least))
    return [(name, value) for name, value in cells if value is not None]


def judge_unit(spec: Spec, mean: float, sd: float, field: str) -> None:
    if spec.is_far(mean, sd):
        words = "规格与数据相差超过一百万个标准差，请核对规格和测量值的单位"
        raise Refusal("spec.far", words, field="lsl" if spec.lsl is not None else "usl", also=[field])


def transformed(way: str, x: Floats, field: str, title: str) -> Transformation:
    """Box-Cox or Johnson of the values; refused where the values do not allow it. `field` holds the choice."""
    if way == "boxcox":
        if not (x > 0).all():
            words = "“{v}”含小于等于 0 的值，不能做 Box-Cox 变换，请改用 Johnson 变换"
            remedy = SetRemedy(title="改用 Johnson 变换", set={field: "johnson"})
            raise Refusal("data.not_positive", words, field=field, v=title, remedies=[remedy])
        return box_cox(x)
    found = johnson(x)
    if found is None:
        words = "“{v}”不同的取值太少或太集中，找不到合适的 Johnson 变换，请换一种方法"
        raise Refusal("data.transform", words, field=field, v=title)
    return found


def through(report: Report, spec: Spec, by: Transformation, field: str) -> Spec:
    """Limits on the transformed scale. One that no value can reach is left out and said; none left is refused."""
    lsl = None if spec.lsl is None else by.at(spec.lsl)
    usl = None if spec.usl is None else by.at(spec.usl)
    lost = [
        name
        for name, old, new in (("规格下限", spec.lsl, lsl), ("规格上限", spec.usl, usl))
        if old is not None and new is None
    ]
    if lsl is None and usl is None:
        words = "规格限在{t}变换的取值范围之外，不能用这个变换算能力指数，请换一种方法"
        raise Refusal("spec.outside", words, field=field, t=by.name)
    if lost:
        report.warn(
            "spec.outside", "{which}在 {t} 变换的取值范围之外：按这个变换不会有产品超出它，只看另一侧。",
            which=lost[0], t=by.name,
        )  # fmt: skip
    return Spec(lsl, usl, None if spec.target is None else by.at(spec.target))


class SpecFigures(Method):
    """A histogram with the limits and a fitted curve, and a probability plot. A member draws both by `draw`."""

    family = "质量控制"

    bins = Points("直方图", low=num("下限"), high=num("上限"), n=num("频数"))
    curve = Points("拟合曲线", x=num("取值"), y=num("频数"))
    hist = Chart(
        "直方图与规格限", "histogram", of=bins, low="low", high="high", count="n",
        over=[Line(curve, x="x", y="y", label="拟合曲线")], place="main",
    )  # fmt: skip
    pairs = Points("概率图", x=num("理论分位数"), y=num("观测值"), line=num("直线"))
    probability = Chart(
        "概率图", "point", of=pairs, x="x", y="y", over=[Line(pairs, x="x", y="line")], place="detail"
    )  # fmt: skip

    @classmethod
    def draw(
        cls, report: Report, x: Floats, spec: Spec, title: str, density: Callable[[Floats], Floats],
        quantile: Callable[[Floats], Floats], line: Callable[[Floats], Floats], bins: Bins | None = None,
    ) -> Bins:  # fmt: skip
        """`density` of the fitted distribution; `quantile`: what stands on the plot's axis for a share, and `line` the
        value the fitted distribution has there."""
        found = histogram(x) if bins is None else bins
        report.add_rows(cls.bins, {"low": found.edges[:-1], "high": found.edges[1:], "n": found.counts})
        cls.add_curve(report, cls.curve, found, x.size, density)
        report.chart(cls.hist, titles={"x": title, "y": "频数"}, over=spec_lines(spec))
        ordered = np.sort(x)
        at = np.unique(np.linspace(0, x.size - 1, min(SHOWN, x.size)).astype(int))
        with np.errstate(all="ignore"):
            place = quantile(normal_places(np.arange(1.0, x.size + 1), float(x.size))[at])
            cells = {"x": place, "y": ordered[at], "line": line(place)}
        keep = np.isfinite(cells["x"]) & np.isfinite(cells["line"])
        report.add_rows(cls.pairs, {key: column[keep] for key, column in cells.items()})
        report.chart(
            cls.probability, titles={"y": title}, thinned=(at.size, x.size) if at.size < x.size else None
        )  # fmt: skip
        return found

    @classmethod
    def add_curve(cls, report: Report, table: Table, bins: Bins, n: int, density: Callable[[Floats], Floats]) -> None:
        at = np.linspace(bins.edges[0], bins.edges[-1], 200)
        with np.errstate(all="ignore"):
            height = n * np.diff(bins.edges).mean() * density(at)
        keep = np.isfinite(height)
        report.add_rows(table, {"x": at[keep], "y": height[keep]})


def spec_lines(spec: Spec) -> Sequence[Any]:
    named_limits = (("规格下限", spec.lsl), ("目标值", spec.target), ("规格上限", spec.usl))
    return [Reference(x=value, label=name) for name, value in named_limits if value is not None]


def normal_density(mean: float, sd: float) -> Callable[[Floats], Floats]:
    return lambda at: np.exp(-(((at - mean) / sd) ** 2) / 2) / (sd * np.sqrt(2 * np.pi))


def normal_scores(share: Floats) -> Floats:
    return np.asarray(special.ndtri(share))
