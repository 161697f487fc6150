from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Line,
    Method,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    figure,
    flag,
    integer,
    num,
    number,
    role,
    text,
    words,
)
from hengxi.methods.mathematical_modeling._shared.grid import Floats
from hengxi.methods.mathematical_modeling._shared.interpolants import (
    LINE,
    PLANE,
    Curve,
    curve,
    differences,
    surface,
)
from hengxi.methods.mathematical_modeling._shared.typed import numbers_in

SPLINE = {"method": "spline"}
CLAMPED = {"method": "spline", "boundary": "clamped"}
ONE, TWO = {"method": tuple(LINE)}, {"method": tuple(PLANE)}
BOUNDARIES = {"not-a-knot": "not-a-knot", "natural": "自然", "clamped": "夹持", "periodic": "周期"}
POLYNOMIAL = {"method": ("lagrange", "newton")}
MOST_TARGETS, MOST_LEFT_OUT, MOST_POINTS, DRAWN, GRID, RUNGE = 2000, 200, 20_000, 400, 30, 10


class Interpolation(Method):
    """Values between given points by eleven ways, what each way errs when a point is left out, and the pieces."""

    title, title_en = "插值", "Interpolation"
    slug = "interpolation"
    family = "数学建模"
    purpose = "由已知点求中间点的数值，并比较不同插值方法"
    aliases = ("插值", "样条", "拉格朗日插值", "牛顿插值", "补点", "反距离加权", "空间插值")
    references = ("burden2015", "fritsch1984", "akima1970")
    conventions = (
        "三次样条的边界：not-a-knot 使头两段、末两段各是同一个三次式；自然使两端二阶导数为 0；"
        "夹持使两端一阶导数为给定的值；周期使两端的值和导数相同。",
        "PCHIP 用 Fritsch-Butland 的导数，不会越过数据；Akima 用相邻斜率的加权平均。",
        "拉格朗日与牛顿是同一个多项式，用差商计算。",
        "二维线性、二维三次在三角剖分上进行（三次为 Clough-Tocher），只在数据点围成的凸包内有值。",
        "径向基用薄板样条；反距离加权的权是距离平方的倒数。",
        "留一误差：依次去掉一个点（一元时不含两端），用其余的点求它。",
    )

    class Input(Form):
        x: list[Column] = role("自变量 X", "定量", min=1, max=2)
        y: Column = role("函数值 Y", "定量")
        method: str = choice("方法", {**LINE, **PLANE}, default="spline")
        boundary: str = choice("样条边界", BOUNDARIES, when=SPLINE)
        left: float | None = number("左端的导数", 0.0, when=CLAMPED)
        right: float | None = number("右端的导数", 0.0, when=CLAMPED)
        targets: str | None = words("插值点", "", when=ONE, hint="1, 2, 3 或 0:0.1:1；空为每两点之间取中点")
        targets_x: str | None = words("插值点的第一个自变量", "", when=TWO, hint="与第二个自变量一一对应")
        targets_y: str | None = words("插值点的第二个自变量", "", when=TWO)
        extrapolate: bool = flag("允许外推", False)

    values = Table("插值结果", x=num("插值点"), x2=num("第二个自变量", when=TWO), value=num("插值"),
                   outside=text("是否外推"), slope=num("一阶导数", when=ONE), place="main")  # fmt: skip
    given = Points("数据点", x=num("x"), y=num("y"), when=ONE)
    line = Points("插值曲线", x=num("x"), y=num("y"), when=ONE)
    plot = Chart("插值曲线与数据点", "point", of=given, x="x", y="y", over=[Line(line, x="x", y="y")], when=ONE,
                 place="main")  # fmt: skip
    plane = Points("插值曲面", x=num("x"), y=num("y"), z=num("z"), when=TWO)
    map_ = Chart("等值面", "surface", of=plane, x="x", y="y", z="z", draw="contour", when=TWO, place="main")
    left_out = Table("留一误差", method=text("方法"), n=integer("比较的点"), rmse=num("RMSE", least=0),
                     worst=num("最大误差", least=0), chosen=text("本次所用"), place="main")  # fmt: skip
    pieces = Table(
        "分段多项式的系数", low=num("从"), high=num("到"), c3=num("三次"), c2=num("二次"), c1=num("一次"),
        c0=num("常数"), when={"method": ("linear", "spline", "pchip", "akima")}, place="detail",
    )  # fmt: skip
    table = Table("牛顿差商", order=integer("阶"), nodes=text("结点"), value=num("差商"), when=POLYNOMIAL,
                  place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        flat = form.method in PLANE
        if flat != (len(form.x) == 2):
            key = "linear2" if not flat else "spline"
            way = SetRemedy(title=f"改用{({**LINE, **PLANE})[key]}", set={"method": key})
            need = "两个自变量" if flat else "一个自变量"
            text_ = f"“{({**LINE, **PLANE})[form.method]}”要{need}，现有 {len(form.x)} 个"
            raise Refusal("data.dimension", text_, field="method", remedies=[way])
        x = np.column_stack([column.numbers for column in form.x])
        y = form.y.numbers
        if len(y) > MOST_POINTS:
            raise Refusal("data.many", f"有 {{n}} 个点，最多 {MOST_POINTS:,} 个", field="y", n=len(y))
        if len(y) and max(float(np.abs(x).max()), float(np.abs(y).max())) > 1e100:
            raise Refusal("data.magnitude", "数值太大，请换一个单位", field="y")
        order = np.lexsort(x.T[::-1])
        x, y = x[order], y[order]
        same = np.flatnonzero((np.diff(x, axis=0) == 0).all(axis=1))
        if len(same):
            point = "，".join(f"{v:g}" for v in x[same[0]])
            text_ = f"插值点“{point}”重复，请先合并（取均值）或删除"
            raise Refusal("data.repeated", text_, field="x", column=form.x[0].id)
        if not flat and len(y) > 1 and float(np.diff(x[:, 0]).min()) < 1e-12 * float(np.ptp(x[:, 0])):
            raise Refusal("data.near", "有两个点的自变量几乎相等，请先合并", field="x")
        (cls._surface if flat else cls._curve)(report, form, x if flat else x[:, 0], y)
        return report

    # ---- curves --------------------------------------------------------------------------------------------------
    @classmethod
    def _curve(cls, report: Report, form: Any, x: Floats, y: Floats) -> None:
        if form.boundary == "periodic" and len(y) and not np.isclose(y[0], y[-1], rtol=1e-9, atol=1e-12):
            text_ = f"周期边界要求两端的函数值相同，现为 {y[0]:g} 和 {y[-1]:g}"
            raise Refusal("data.periodic", text_, field="boundary")
        ends = (float(form.left or 0.0), float(form.right or 0.0))
        if form.boundary == "periodic":
            y = np.r_[y[:-1], y[0]]
        made = curve(form.method, x, y, form.boundary or "not-a-knot", ends)
        typed = np.array(numbers_in(form.targets, "targets", "插值点", MOST_TARGETS))
        at = typed if len(typed) else (x[1:] + x[:-1])[:MOST_TARGETS] / 2
        outside = (at < x[0]) | (at > x[-1])
        cls._outside(form, at[outside], x, "targets")
        with np.errstate(all="ignore"):
            found = made.at(at)
            slopes = None if made.slope is None else made.slope(at)
        if not np.isfinite(found).all() or (slopes is not None and not np.isfinite(slopes).all()):
            raise Refusal("data.magnitude", "数值太大或太小，算不出插值，请换一个单位", field="y")
        for k, t in enumerate(at):
            report.row(cls.values, x=float(t), value=float(found[k]), outside="是（不可靠）" if outside[k] else "否",
                       slope=None if slopes is None else float(slopes[k]))  # fmt: skip
        if slopes is None:
            report.note(cls.values, "最近邻是阶梯，没有导数。")
        draw = np.linspace(min(x[0], at.min(initial=x[0])), max(x[-1], at.max(initial=x[-1])), DRAWN)
        with np.errstate(all="ignore"):
            report.add_rows(cls.line, {"x": draw, "y": made.at(draw)})
        some = np.unique(np.round(np.linspace(0, len(x) - 1, min(1000, len(x)))).astype(int))
        report.add_rows(cls.given, {"x": x[some], "y": y[some]})
        report.chart(cls.plot, titles={"x": form.x[0].title, "y": form.y.title})
        cls._pieces(report, form, made, x, y)
        best = cls._left_out(report, form, x, y, ends)
        cls._words(report, form, (float(at[0]), float(found[0])), len(at), int(outside.sum()), best, len(y))

    @classmethod
    def _outside(cls, form: Any, at: Floats, x: Floats, key: str) -> None:
        if len(at) and not form.extrapolate:
            way = SetRemedy(title="允许外推", set={"extrapolate": True})
            text_ = f"插值点 {at[0]:g} 超出数据范围 [{x[0]:g}, {x[-1]:g}]"
            raise Refusal("data.outside", text_, field=key, remedies=[way])

    @classmethod
    def _pieces(cls, report: Report, form: Any, made: Curve, x: Floats, y: Floats) -> None:
        if form.method in POLYNOMIAL["method"]:
            c = differences(x, y)
            for k, value in enumerate(c):
                nodes = f"{x[0]:g}" if k == 0 else f"{x[0]:g} … {x[k]:g}"
                report.row(cls.table, order=k, nodes=nodes, value=float(value))
            report.note(cls.table, "多项式是各差商乘以 (x − x₀)(x − x₁)…… 之和，结点由小到大。")
        elif made.pieces is not None:
            c, ends = made.pieces
            powers = np.zeros((4, c.shape[1]))
            powers[4 - len(c) :] = c
            for k in range(min(c.shape[1], 1000)):
                report.row(cls.pieces, low=float(ends[k]), high=float(ends[k + 1]), c3=float(powers[0, k]),
                           c2=float(powers[1, k]), c1=float(powers[2, k]), c0=float(powers[3, k]))  # fmt: skip
            report.note(cls.pieces, "每一段是 (x − 段的左端) 的多项式。")

    @classmethod
    def _left_out(
        cls, report: Report, form: Any, x: Floats, y: Floats, ends: tuple[float, float]
    ) -> tuple[str, float] | None:
        inner = np.arange(1, len(x) - 1)
        inner = inner[np.unique(np.round(np.linspace(0, len(inner) - 1, min(MOST_LEFT_OUT, len(inner)))).astype(int))] \
            if len(inner) else inner  # fmt: skip
        best: tuple[str, float] | None = None
        for key, title in LINE.items():
            boundary = (form.boundary or "not-a-knot") if key == "spline" else "not-a-knot"
            errors = []
            try:
                for k in inner:
                    keep = np.arange(len(x)) != k
                    with np.errstate(all="ignore"):
                        errors.append(float(curve(key, x[keep], y[keep], boundary, ends).at(x[k : k + 1])[0] - y[k]))
            except Refusal:
                continue
            if errors and np.isfinite(errors).all():
                best = _left_row(report, cls, title, errors, key == form.method, best)
        return _compared(report, cls, best)

    # ---- surfaces ------------------------------------------------------------------------------------------------
    @classmethod
    def _surface(cls, report: Report, form: Any, x: Floats, y: Floats) -> None:
        from scipy.spatial import Delaunay, QhullError

        made = surface(form.method, x, y)
        first = numbers_in(form.targets_x, "targets_x", "插值点的第一个自变量", MOST_TARGETS)
        second = numbers_in(form.targets_y, "targets_y", "插值点的第二个自变量", MOST_TARGETS)
        if len(first) != len(second):
            text_ = f"插值点的两个自变量个数不同：{len(first)} 个和 {len(second)} 个"
            raise Refusal("data.targets", text_, field="targets_y", also=["targets_x"])
        at = np.column_stack([first, second]) if first else x.mean(axis=0)[None]
        centre, span = x.mean(axis=0), np.maximum(np.ptp(x, axis=0), 1e-300)
        try:
            outside = Delaunay((x - centre) / span).find_simplex((at - centre) / span, tol=1e-10) < 0
        except (QhullError, ValueError):
            outside = ~((at >= x.min(axis=0)) & (at <= x.max(axis=0))).all(axis=1)
        if outside.any() and not form.extrapolate:
            way = SetRemedy(title="允许外推", set={"extrapolate": True})
            p = at[int(np.argmax(outside))]
            text_ = f"插值点（{p[0]:g}，{p[1]:g}）超出数据点围成的范围"
            raise Refusal("data.outside", text_, field="targets_x", remedies=[way])
        found = made(at)
        for k, point in enumerate(at):
            value = float(found[k]) if np.isfinite(found[k]) else None
            report.row(cls.values, x=float(point[0]), x2=float(point[1]), value=value,
                       outside="是（不可靠）" if outside[k] else "否")  # fmt: skip
        if not np.isfinite(found).all():
            report.note(cls.values, "这种方法在数据点围成的范围外没有值。")
        low, high = x.min(axis=0), x.max(axis=0)
        u, v = np.meshgrid(np.linspace(low[0], high[0], GRID), np.linspace(low[1], high[1], GRID))
        grid = np.column_stack([u.ravel(), v.ravel()])
        z = made(grid)
        for p, value in zip(grid, z, strict=True):
            cell = float(value) if np.isfinite(value) else None
            report.row(cls.plane, x=float(p[0]), y=float(p[1]), z=cell)
        report.chart(cls.map_, titles={"x": form.x[0].title, "y": form.x[1].title, "z": form.y.title})
        best: tuple[str, float] | None = None
        places = np.unique(np.round(np.linspace(0, len(y) - 1, min(60, len(y)))).astype(int))
        for key, title in PLANE.items():
            errors = []
            try:
                for k in places:
                    keep = np.arange(len(y)) != k
                    errors.append(float(surface(key, x[keep], y[keep])(x[k : k + 1])[0] - y[k]))
            except Refusal:
                continue
            errors = [error for error in errors if np.isfinite(error)]
            if errors:
                best = _left_row(report, cls, title, errors, key == form.method, best)
        best = _compared(report, cls, best)
        if found[0] is not None and np.isfinite(found[0]):
            cls._words(report, form, (float(at[0, 0]), float(found[0])), len(at), int(outside.sum()), best, len(y))
        else:
            cls._words(report, form, None, len(at), int(outside.sum()), best, len(y))

    # ---- sentences -----------------------------------------------------------------------------------------------
    @classmethod
    def _words(
        cls, report: Report, form: Any, first: tuple[float, float] | None, k: int, out: int,
        best: tuple[str, float] | None, n: int,
    ) -> None:  # fmt: skip
        title = {**LINE, **PLANE}[form.method]
        if first is None:
            report.lead("插值点都在数据点围成的范围外，这种方法没有值。")
        elif form.method in PLANE:
            report.lead("第一个插值点的值是 {v:num}。", [figure("插值", "{v:num}")], v=first[1])
        else:
            report.lead("在 {t:num} 处的插值是 {v:num}。", [figure("插值", "{v:num}")], t=first[0], v=first[1])
        if out:
            report.check("外推", "fail", "有 {k:integer} 个点在数据范围外，外推的值不可靠。", k=out)
        else:
            report.check("外推", "pass", "插值点都在数据范围内。")
        if form.method in POLYNOMIAL["method"] and n > RUNGE:
            text_ = "点数超过 10，高次多项式在两端会剧烈摆动（龙格现象），请改用三次样条。"
            report.check(
                "龙格现象", "fail", text_, remedies=[SetRemedy(title="改用三次样条", set={"method": "spline"})]
            )
        if best is not None:
            report.say("去掉一个点再求它，误差最小的方法是{m}（RMSE = {r:num}）。", m=best[0], r=best[1])
        report.say("由 {n:integer} 个数据点用{m}插值，求得 {k:integer} 个点的值。", voice="paper", n=n, m=title, k=k)
        report.say("插值经过每一个数据点；数据有误差时，用曲线拟合更合适。", voice="student")


def _left_row(
    report: Report, cls: type[Interpolation], title: str, errors: list[float], chosen: bool,
    best: tuple[str, float] | None,
) -> tuple[str, float]:  # fmt: skip
    rmse = float(np.sqrt(np.mean(np.square(errors))))
    report.row(cls.left_out, method=title, n=len(errors), rmse=rmse, worst=float(np.abs(errors).max()),
               chosen="是" if chosen else "")  # fmt: skip
    return (title, rmse) if best is None or rmse < best[1] * (1 - 1e-9) else best


def _compared(report: Report, cls: type[Interpolation], best: tuple[str, float] | None) -> tuple[str, float] | None:
    if best is None:
        report.skip(cls.left_out, "点太少，去掉一个就不能插值")
    else:
        report.note(cls.left_out, "点数不够的方法没有列出。")
    return best
