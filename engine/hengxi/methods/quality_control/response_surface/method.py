from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    NextStep,
    Points,
    Record,
    Refusal,
    Report,
    Row,
    SetRemedy,
    Table,
    Wide,
    choice,
    estimates,
    flag,
    integer,
    interval,
    num,
    number,
    pvalue,
    records,
    role,
    settings,
    stat,
    text,
    words,
)
from hengxi.families.design import report as parts
from hengxi.families.design.factorial_model import block_columns
from hengxi.families.design.least import settings_of
from hengxi.families.design.plan import CENTRE, Plan, axes_of, refuse_long, write_plan
from hengxi.families.design.quadratic import Canonical, Region, Surface, box_behnken, canonical, composite
from hengxi.families.design.report import ANALYZE, CREATE
from hengxi.families.design.surface_goal import GOALS, Goal, joint_best, single_best

KEPT = 0.05
"""Terms with a larger p are dropped where the user asks for it."""
GRID = 25
CCD = {"task": "create", "design": "ccd"}


class ResponseSurface(parts.Experiment, Method):
    """Central composite and Box–Behnken plans; the second-order surface, its canonical form, the best settings."""

    title, title_en = "响应面设计与分析", "Response surface methodology"
    family, tier = "质量控制", "member"
    purpose = "因子取何值时响应最优"
    aliases = ("响应面法", "RSM", "中心复合设计", "CCD", "Box-Behnken", "BBD", "最优条件", "合意性", "等高线图")
    references = ("box1951", "boxbehnken1960", "derringer1980", "montgomery2017")
    conventions = (
        "编码：三个水平的因子以最小、最大为 ∓1；五个对称水平的因子以中间两侧的水平为 ∓1，最外的是轴点。",
        "方差分析用偏平方和；失拟对同一区组内重复试验的纯误差检验。",
        "剔除：逐个去掉 p 最大且大于 0.05 的项，平方或交互留在模型里时保留它的线性项。",
        "驻点 x = −B⁻¹b/2，特征值是 B 的特征值；最小与最大特征值之比小于 0.01 时称为岭。",
        "试验区域：每个因子在试验过的范围内，且到中心的距离不超过最远的试验点。最优条件只在区域内找。",
        "多个响应用 Derringer-Suich 合意度：最大、最小在观测的最小值与最大值之间取 0 到 1，目标值处为 1，取几何平均。",
        "预测区间是单次新试验的；有区组时按各区组的平均。",
    )
    needs_data = "optional"
    random = True
    row_order = True

    class Input(Form):
        task: str = choice("任务", {"create": "生成设计", "analyze": "分析"}, default="analyze")
        response: list[Column] = role("响应（分析时）", "定量", min=0, max=5, when=ANALYZE)
        factors: list[Column] = role("因子（分析时）", "定量", min=0, max=8, when=ANALYZE)
        block: Column | None = role("区组（选填）", "定类", min=0, max=1, when=ANALYZE)
        design: str = choice("设计", {"ccd": "中心复合", "bbd": "Box-Behnken"}, when=CREATE)
        n_factors: int = integer("因子数", 2, least=2, most=8, when=CREATE, hint="下面填了因子时，以填的个数为准")
        names: list[Record] = records(
            "因子（选填）", min=0, max=8, names="因子{i}", when=CREATE, name=words("名称", kind="name"),
            low=number("−1 水平", -1), high=number("+1 水平", 1),
        )  # fmt: skip
        alpha_type: str = choice("轴点距离", {"rotatable": "可旋转", "face": "面心", "orthogonal": "正交"}, when=CCD)
        center_points: int = integer("中心点", 5, least=1, most=20, when=CREATE)
        randomize: bool = flag("随机化运行序", True, when=CREATE)
        goal: str = choice("优化目标", GOALS, when=ANALYZE)
        target: float | None = number("目标值", None, auto="目标是目标值时必填", when={"goal": "target"})
        goals: list[Row] = settings(
            "各响应的目标（选填）", of="response", by="column", when=ANALYZE, advanced=True,
            goal=choice("目标", {"same": "同上", **GOALS}), target=number("目标值", None, auto="不填"),
        )  # fmt: skip
        stepwise: bool = flag("剔除不显著项", False, when=ANALYZE)

    overview = Table(
        "设计概要", name=text("设计"), factors=integer("因子数"), runs=integer("试验次数"),
        corners=integer("析因点或边中点"), axial=integer("轴点"), centre=integer("中心点"),
        alpha=num("轴点距离 α", least=0), layout="record", when=CREATE, place="main",
    )  # fmt: skip
    optimum = Table(
        "最优条件", kind=text("类别"), name=text("名称"), coded=num("编码"), value=num("取值"),
        se=num("标准误", least=0), ci=interval("95% 预测区间", "low", "high"), when=ANALYZE, merge=("kind",),
        place="main",
    )  # fmt: skip
    joint = Table(
        "让各响应一起合意的条件", kind=text("类别"), name=text("名称"), coded=num("编码"), value=num("取值"),
        se=num("标准误", least=0), ci=interval("95% 预测区间", "low", "high"), d=num("合意度", least=0, most=1),
        when=ANALYZE, merge=("kind",), place="main",
    )  # fmt: skip
    coefficients = Table(
        "系数（编码单位）", name=text("项"), b=num("系数"), se=num("标准误", least=0), t=num("*t*"), p=pvalue(),
        vif=num("VIF", least=0), when=ANALYZE, place="main",
        claim=estimates(stat("*t*", "t"), interval=None, outcome="response"),
    )  # fmt: skip
    natural = Table("方程（实际单位）", name=text("项"), b=num("系数"), when=ANALYZE, place="detail")
    stationary = Table(
        "驻点", name=text("因子"), coded=num("编码"), value=num("取值"), when=ANALYZE, place="main",
    )  # fmt: skip
    level = Table(
        "驻点处的响应", kind=text("驻点类型"), inside=text("位置"), fitted=num("预测值"), se=num("标准误", least=0),
        ci=interval("95% 预测区间", "low", "high"), distance=num("到中心的距离", least=0),
        radius=num("最远试验点的距离", least=0), when=ANALYZE, place="main",
    )  # fmt: skip
    eigen = Table(
        "典型分析",
        axis=text("方向"),
        value=num("特征值"),
        layout=Wide(weight=num("权重")),
        when=ANALYZE,
        place="detail",
    )
    grid = Points("曲面", x=num("第一个因子"), y=num("第二个因子"), z=num("预测响应"), when=ANALYZE)
    contour = Chart("等高线图", "surface", of=grid, x="x", y="y", z="z", draw="contour", when=ANALYZE, place="main")
    relief = Chart("响应曲面图", "surface", of=grid, x="x", y="y", z="z", draw="surface", when=ANALYZE, place="detail")

    @classmethod
    def heading(cls, form: Any) -> str:
        return cls.title if form.task == "analyze" else "响应面试验设计"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="因子还多，先筛选", method="quality_control/factorial_doe", form={"task": "create"})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        if form.task == "create":
            cls._create(report, form)
            return report
        parts.refuse_without(form)
        if len(form.factors) < 2:
            raise Refusal("role.few", "响应面至少需要 2 个因子，请再放入一个", field="factors")
        surfaces: list[tuple[Column, Surface, Goal]] = []
        for column in form.response:
            own = Report()
            surface, goal = cls._analyse(own, form, column)
            surfaces.append((column, surface, goal))
            report.absorb(own, column.title, len(form.response) == 1, column.name)
        if len(surfaces) > 1:
            cls._joint(report, surfaces)
        else:
            report.skip(cls.joint, "只有一个响应")
        return report

    @classmethod
    def _create(cls, report: Report, form: Any) -> None:
        axes = axes_of(form, form.n_factors)
        k = len(axes)
        if k < 2:
            raise Refusal("role.few", "响应面至少需要 2 个因子，请再加一行", field="names", also=["n_factors"])
        alpha: float | None = None
        if form.design == "ccd":
            coded, kinds, alpha = composite(k, form.alpha_type, form.center_points)
        else:
            made = box_behnken(k, form.center_points)
            if made is None:
                raise Refusal(
                    "data.design", "Box-Behnken 设计只有 3 到 7 个因子的，现为 {k} 个，请改用中心复合设计",
                    field="design", also=["n_factors"], k=k,
                    remedies=[SetRemedy(title="改用中心复合", set={"design": "ccd"})],
                )  # fmt: skip
            coded, kinds = made
        refuse_long(len(coded), "n_factors")
        plan = Plan.of(axes, coded, kinds).shuffled(form.rng if form.randomize else None)
        write_plan(report, cls, plan)
        axial = 2 * k if alpha is not None else 0
        report.row(
            cls.overview, name="中心复合" if alpha is not None else "Box-Behnken", factors=k, runs=plan.runs,
            corners=plan.runs - axial - form.center_points, axial=axial, centre=kinds.count(CENTRE), alpha=alpha,
        )  # fmt: skip
        report.lead(
            "{k:integer} 个因子的响应面设计，共 {n:integer} 次试验。请按“试验顺序”做，把响应填进表里，再来分析。",
            k=k,
            n=plan.runs,
        )
        if alpha is not None and alpha > 1 + 1e-9:
            report.warn(
                "data.axial", "轴点在 ±{a:num} 处，超出 ±1 水平。请先看这些取值做不做得到；做不到时选面心。", a=alpha
            )
        if form.center_points < 3:
            report.say("中心点少于 3 个，纯误差的自由度很少，失拟检验没有力量。")

    @classmethod
    def _analyse(cls, report: Report, form: Any, column: Column) -> tuple[Surface, Goal]:
        parts.refuse_constant(column)
        y = column.numbers
        goal = Goal.of(form, column)
        blocks = np.column_stack(block_columns(form.block)) if form.block is not None else np.zeros((y.size, 0))
        surface = Surface.full(form.factors, y, blocks.reshape(y.size, -1))
        before = len(surface.terms)
        if form.stepwise:
            surface = surface.reduced(KEPT)
            if len(surface.terms) < before:
                report.say("剔除了 {k:integer} 个 *p* > .05 的项，下面是剩下的模型。", k=before - len(surface.terms))
        keys = surface.coded if form.block is None else np.column_stack([surface.coded, form.block.codes])
        cls._tables(report, surface, settings_of(keys))
        region = Region.of(surface.coded)
        point = canonical(surface)
        cls._canonical(report, surface, point, region, column.title)
        answer = single_best(surface, goal, region, point)
        cls._write_point(report, cls.optimum, surface, answer)
        cells = predicted(surface, answer)
        report.row(cls.optimum, kind="预测", name=column.title, value=cells.pop("fitted"), **cells)
        cls._grid(report, surface, answer)
        parts.residual_pictures(report, cls, surface.least, column.row_numbers)
        cls._say(report, surface, point, goal, answer, column, len(form.response) == 1)
        return surface, goal

    @classmethod
    def _tables(cls, report: Report, surface: Surface, same: Any) -> None:
        least = surface.least
        parts.write_line(report, cls, "模型", least.group(range(1, least.p)))
        if surface.first > 1:
            parts.write_line(report, cls, "区组", least.group(range(1, surface.first)), depth=1)
        for kind in ("线性", "平方", "交互"):
            columns = surface.kind(kind)
            if columns:
                parts.write_line(report, cls, kind, least.group(columns), depth=1)
        lack = parts.write_error(report, cls, least, same)
        parts.write_summary(report, cls, least)
        for name, j in [("常数项", 0), *((surface.name(term), surface.place(term)) for term in surface.terms)]:
            report.row(
                cls.coefficients, name=name, b=float(least.b[j]), se=least.se(j), t=least.t(j), p=least.p_of(j),
                vif=least.vif(j) if j else None,
            )  # fmt: skip
        for name, b in surface.natural().items():
            report.row(cls.natural, name=name, b=b)
        coded = "，".join(f"{one.name} =（取值 − {one.middle:.6g}）/ {one.half:.6g}" for one in surface.codings)
        report.note(cls.coefficients, "编码：{coded:text}。", coded=coded)
        parts.lack_check(report, lack, KEPT, "请看残差图，可能要更高的次数，或变换响应")

    @classmethod
    def _canonical(cls, report: Report, surface: Surface, point: Canonical | None, region: Region, name: str) -> None:
        if point is None:
            for table in (cls.stationary, cls.level, cls.eigen):
                report.skip(table, "模型不是每个方向都有弯曲，没有唯一的驻点")
            return
        for j, one in enumerate(surface.codings):
            x = float(point.point[j])
            report.row(cls.stationary, name=one.name, coded=x, value=one.natural(x))
        inside = region.holds(point.point)
        report.row(
            cls.level, kind=point.kind, inside="试验区域内" if inside else "试验区域外",
            distance=float(np.linalg.norm(point.point)), radius=region.radius, **predicted(surface, point.point),
        )  # fmt: skip
        for i, value in enumerate(point.values):
            weights = {one.name: {"weight": float(point.axes[j, i])} for j, one in enumerate(surface.codings)}
            report.row(cls.eigen, axis=f"方向 {i + 1}", value=float(value), wide=weights)
        if not inside:
            report.warn(
                "data.outside",
                "“{y}”的驻点在试验区域外，那里没有做过试验，预测不可靠。请看“最优条件”，或沿着改进的方向再做试验。",
                y=name,
            )

    @classmethod
    def _write_point(cls, report: Report, table: Table, surface: Surface, x: Any) -> None:
        for j, one in enumerate(surface.codings):
            value = float(x[j])
            report.row(table, kind="因子", name=one.name, coded=value, value=one.natural(value))

    @classmethod
    def _grid(cls, report: Report, surface: Surface, x: Any) -> None:
        """Over the two factors that explain most, the others at the best settings."""
        k = len(surface.codings)
        squares = []
        for j in range(k):
            own = [surface.place(term) for term in surface.terms if j in term]
            squares.append(surface.least.squares(own) if own else 0.0)
        a, b = sorted(sorted(range(k), key=lambda j: -squares[j])[:2])
        first, second = surface.codings[a], surface.codings[b]
        low, high = surface.coded.min(axis=0), surface.coded.max(axis=0)
        for u, v in product(np.linspace(low[a], high[a], GRID), np.linspace(low[b], high[b], GRID)):
            at = np.array(x, dtype=float)
            at[a], at[b] = u, v
            report.row(cls.grid, x=first.natural(float(u)), y=second.natural(float(v)), z=surface.value(at))
        for chart in (cls.contour, cls.relief):
            report.chart(chart, titles={"x": first.name, "y": second.name})
        if k > 2:
            report.note(cls.contour, "其余因子取最优条件的值。")

    @classmethod
    def _joint(cls, report: Report, surfaces: list[tuple[Column, Surface, Goal]]) -> None:
        x = joint_best([(surface, goal) for _, surface, goal in surfaces], Region.of(surfaces[0][1].coded))
        if x is None:
            report.skip(cls.joint, "找不到让所有响应都合意的条件，请放宽目标")
            report.lead("试验区域内没有让 {k:integer} 个响应都合意的条件，各响应自己的最优见表。", k=len(surfaces))
            return
        cls._write_point(report, cls.joint, surfaces[0][1], x)
        ds = []
        for column, surface, goal in surfaces:
            cells = predicted(surface, x)
            ds.append(goal.desirability(cells["fitted"]))
            report.row(cls.joint, kind="预测", name=column.title, value=cells.pop("fitted"), **cells, d=ds[-1])
        whole = float(np.prod(ds) ** (1 / len(ds)))
        report.row(cls.joint, kind="总合意度", name="几何平均", d=whole)
        for row in report.rows_of(cls.joint):
            row.cells["variable"] = "全部响应"
        report.lead(
            "让 {k:integer} 个响应一起合意的条件是 {at:text}，总合意度 {d:num}。单个响应在那里不一定最好。", k=len(ds),
            at=settings_at(surfaces[0][1], x), d=whole,
        )  # fmt: skip

    @classmethod
    def _say(
        cls, report: Report, surface: Surface, point: Canonical | None, goal: Goal, x: Any, column: Column, alone: bool
    ) -> None:
        cells = predicted(surface, x)
        facts: dict[str, Any] = {"y": column.title, "at": settings_at(surface, x), "fitted": cells["fitted"]}
        span = ""
        if cells.get("low") is not None:
            facts |= {"low": cells["low"], "high": cells["high"]}
            span = "（单次试验的 95% 预测区间 {low:num} 到 {high:num}）"
        aim = {"max": "最大", "min": "最小", "target": "最接近目标值"}[goal.kind]
        tell = report.lead if alone else report.say
        tell(f"试验区域内，“{{y}}”在 {{at:text}} 时{aim}，预测 {{fitted:num}}{span}。", **facts)
        if point is not None:
            told = {
                "最大值点": "曲面有一个最高点。", "最小值点": "曲面有一个最低点。",
                "鞍点": "曲面是马鞍形：一个方向升高，另一个方向降低，驻点不是最优。",
                "岭": "曲面是一条岭：沿着岭改变因子，响应几乎不变，可以挑成本低的条件。",
            }[point.kind]  # fmt: skip
            report.say(told)
        edge = not np.allclose(surface.gradient(x), 0, atol=1e-4 * (np.ptp(surface.y) or 1.0))
        if edge and goal.kind != "target":
            report.say("最优条件在试验区域的边上，区域外可能更好。")
        report.say("最优条件要再做几次验证试验，看结果是否落在预测区间内。")


def settings_at(surface: Surface, x: Any) -> str:
    return "，".join(f"{one.name} = {one.natural(float(v)):.4g}" for one, v in zip(surface.codings, x, strict=True))


def predicted(surface: Surface, x: Any) -> dict[str, Any]:
    """fitted, and where there is an error its se and the interval of one new run."""
    value, se = surface.least.at(surface.row(np.asarray(x, dtype=float)))
    if se is None or surface.least.mse is None:
        return {"fitted": value}
    reach = float(stats.t.isf(0.025, surface.least.df) * np.sqrt(surface.least.mse + se**2))
    return {"fitted": value, "se": se, "low": value - reach, "high": value + reach}
