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
    Record,
    Refusal,
    Report,
    SetRemedy,
    Table,
    TypedFormula,
    Wide,
    choice,
    figure,
    flag,
    formula,
    integer,
    interval,
    num,
    number,
    numbers,
    percent,
    records,
    role,
    text,
    words,
)
from hengxi.methods.mathematical_modeling._shared.dynamics import EXPLICIT, MODELS, Flow, Model, Path, read, solve
from hengxi.methods.mathematical_modeling._shared.grid import Floats
from hengxi.methods.mathematical_modeling._shared.roots import System, from_starts
from hengxi.stats.solving.expressions import Function

EPIDEMIC = {"model": ("si", "sis", "sir", "seir")}
CUSTOM, FITTED = {"model": "custom"}, {"fit": True}
METHODS = {"RK45": "RK45", "RK23": "RK23", "DOP853": "DOP853", "Radau": "Radau（刚性）", "BDF": "BDF（刚性）",
           "LSODA": "LSODA（自动）"}  # fmt: skip
ROWS, DRAWN, SHARE, STIFF = 101, 401, 0.1, 5


class Ode(Method):
    """Solutions of differential equations, equilibria and their stability, epidemics in numbers, fitted parameters."""

    title, title_en = "常微分方程(含SIR等模型)", "Ordinary differential equations"
    slug, tier = "ode", "member"
    family = "数学建模"
    purpose = "求解常微分方程组，或用数据拟合传染病、种群等模型的参数"
    aliases = ("微分方程", "SIR", "SEIR", "传染病模型", "Logistic", "捕食者", "龙格-库塔", "刚性方程")
    references = ("hairer1993", "hairer1996", "kermack1927", "bmj1978")
    conventions = (
        "由 scipy 的 solve_ivp 求解，绝对误差取相对误差的千分之一乘变量的大小；初值是 t = 0 时的值。",
        "传染病模型的传染项是 βSI/N，N 是总人数；R0 = β/γ（SI 没有移出，没有 R0）。",
        "平衡点：右边都为 0 的点，由多个起点求得；雅可比矩阵的特征值实部都小于 0 为稳定。只列孤立的平衡点。",
        "拟合：观测与解之差的平方和最小（最小二乘），标准误由雅可比矩阵求得，初值固定；区间用 t 分布。",
        "灵敏度：每个参数增减 10%，其余不变。",
    )
    needs_data = "optional"
    missing = "keep"
    row_order = True

    class Input(Form):
        model: str = choice(
            "模型", {**{k: m.title for k, m in MODELS.items()}, "custom": "自定义方程组"}, default="sir"
        )
        equations: list[TypedFormula] = formula(
            "方程", kind="equation", symbols="free", lines=(1, 20), when=CUSTOM, none="至少需要一个方程",
            hint="一行一个，例如 dx/dt = a*x - b*x*y；t 是时间",
        )  # fmt: skip
        y0: list[float] = numbers(
            "初值", max=20, least=-1e9, most=1e9, hint="按变量的次序，用逗号隔开；空为模型的示例值"
        )
        params: list[Record] = records(
            "参数", min=0, max=30, names="参数{i}", name=words("名称", kind="name", longest=32), value=number("值"),
            hint="空为模型的示例值",
        )  # fmt: skip
        t_end: float = number("终止时间", 100.0, least=1e-6, most=1e6)
        method: str = choice("求解方法", METHODS)
        rtol: float = number("相对误差", 1e-6, least=1e-12, most=0.01, advanced=True)
        fit: bool = flag("用观测数据拟合参数", False)
        t: Column | None = role("时间", "定量", when=FITTED)
        obs: list[Column] = role("观测值", "定量", min=0, max=6, when=FITTED,
                                 hint="列名与变量相同时按名称对应，否则按次序；传染病模型只有一列时是 I")  # fmt: skip

    solution = Table("数值解", time=num("t"), layout=Wide(value=num("值")), place="detail")
    curves = Points("解曲线", t=num("t"), value=num("值"), line=text("变量"))
    plot = Chart("解曲线", "line", of=curves, x="t", y="value", series="line", place="main")
    orbit = Points("轨线", x=num("x"), y=num("y"))
    null = Points("零增线", x=num("x"), y=num("y"), line=text("零增线"))
    phase = Chart("相图与零增线", "point", of=null, x="x", y="y", series="line", over=[Line(orbit, x="x", y="y")],
                  place="main")  # fmt: skip
    last = Table("终止时的值", variable=text("变量"), first=num("初值"), last_=num("终值"), low=num("最小"),
                 high=num("最大"), place="main")  # fmt: skip
    used = Table("参数的值", name=text("参数"), value=num("值"), place="detail")
    equilibria = Table("平衡点", number=integer("编号"), point=text("坐标"), values=text("特征值"), kind=text("稳定性"),
                       place="detail")  # fmt: skip
    epidemic = Table(
        "传染病指标", r0=num("基本再生数 R0", least=0), peak_time=num("峰值时间", least=0), peak=num("感染人数的峰值"),
        size=percent("累计感染的比例", most=None, least=None), limit=percent("最终规模"),
        herd=percent("群体免疫阈值"), layout="record", when=EPIDEMIC, place="main",
    )  # fmt: skip
    estimates = Table("参数估计", name=text("参数"), value=num("估计值"), se=num("标准误", least=0, around="value"),
                      ci=interval("95%CI", "low", "high", around="value"), when=FITTED, place="main")  # fmt: skip
    goodness = Table("拟合优度", n=integer("观测数"), sse=num("SSE", least=0), r2=num("R²", most=1),
                     sigma=num("残差标准差", least=0), layout="record", when=FITTED, place="main")  # fmt: skip
    seen = Points("观测", t=num("t"), value=num("观测值"), line=text("变量"), when=FITTED)
    fitted_line = Points("拟合值", t=num("t"), value=num("拟合值"), when=FITTED)
    fit_plot = Chart("拟合图", "point", of=seen, x="t", y="value", series="line",
                     over=[Line(fitted_line, x="t", y="value")], when=FITTED, place="main")  # fmt: skip
    residuals = Points("残差", fitted=num("拟合值"), residual=num("残差"), when=FITTED)
    residual_plot = Chart("残差图", "point", of=residuals, x="fitted", y="residual", when=FITTED, place="detail")
    sensitivity = Table("参数增减 10% 的影响", name=text("参数"), low=num("减 10% 时"), base=num("原来"),
                        high=num("增 10% 时"), change=percent("最大变化", most=None), place="detail")  # fmt: skip
    swing = Points("灵敏度", name=text("参数"), start=num("减"), end=num("增"))
    tornado = Chart("灵敏度", "bar", of=swing, x="name", y="end", start="start", place="detail")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        flow, model = read(form)
        if form.fit:
            flow = cls._fit(report, form, flow, model)
        else:
            report.used(0)
        path = solve(flow, form.t_end, form.method, form.rtol, np.linspace(0, form.t_end, DRAWN))
        for name, value in flow.parameters.items():
            report.row(cls.used, name=name, value=value)
        if not flow.parameters:
            report.skip(cls.used, "方程里没有参数")
        cls._solution(report, flow, path)
        cls._phase(report, flow, path)
        cls._equilibria(report, flow, path)
        goal = cls._epidemic(report, form, flow, model, path)
        cls._sensitivity(report, form, flow, model)
        _checks(report, form, flow, path)
        _words(report, form, flow, model, path, goal)
        return report

    # ---- the solution --------------------------------------------------------------------------------------------
    @classmethod
    def _solution(cls, report: Report, flow: Flow, path: Path) -> None:
        step = (len(path.t) - 1) // (ROWS - 1)
        for k in range(0, len(path.t), step):
            cells = {name: {"value": float(path.y[j, k])} for j, name in enumerate(flow.states)}
            report.row(cls.solution, time=float(path.t[k]), wide=cells)
        for j, name in enumerate(flow.states):
            for k in range(0, len(path.t), 2):
                report.row(cls.curves, t=float(path.t[k]), value=float(path.y[j, k]), line=name)
            report.row(cls.last, variable=name, first=float(path.y[j, 0]), last_=float(path.y[j, -1]),
                       low=float(path.y[j].min()), high=float(path.y[j].max()))  # fmt: skip

    @classmethod
    def _phase(cls, report: Report, flow: Flow, path: Path) -> None:
        if len(flow.states) != 2 or not flow.autonomous:
            for element in (cls.orbit, cls.null):
                report.skip(element, "只在两个变量、方程不含 t 时给出")
            return
        report.add_rows(cls.orbit, {"x": path.y[0], "y": path.y[1]})
        low, high = path.y.min(axis=1), path.y.max(axis=1)
        pad = 0.15 * np.maximum(high - low, 1e-9)
        xs, ys = (np.linspace(low[j] - pad[j], high[j] + pad[j], 60) for j in (0, 1))
        u, v = np.meshgrid(xs, ys, indexing="ij")
        fixed = np.r_[0.0, list(flow.parameters.values())]
        points = np.column_stack([u.ravel(), v.ravel(), np.tile(fixed, (u.size, 1))])
        count = 0
        for j, f in enumerate(flow.parts):
            z = f.values(points).reshape(u.shape)
            name = f"d{flow.states[j]}/dt = 0"
            for x, y in _crossings(z, xs, ys) + [(x, y) for y, x in _crossings(z.T, ys, xs)]:
                report.row(cls.null, x=x, y=y, line=name)
                count += 1
        if not count:
            report.skip(cls.null, "图上没有零增线")
        else:
            report.chart(cls.phase, titles={"x": flow.states[0], "y": flow.states[1]})

    @classmethod
    def _equilibria(cls, report: Report, flow: Flow, path: Path) -> None:
        if not flow.autonomous:
            report.skip(cls.equilibria, "方程含 t，没有平衡点")
            return
        n = len(flow.states)
        names = [*flow.states, "t", *flow.parameters]
        held = list(flow.parameters.values())

        class Frozen(System):
            def values(self, point: Floats) -> Floats:
                return flow.rate(0.0, point)

            def slopes(self, point: Floats) -> Floats:
                return flow.jacobian(0.0, point)

        rng = np.random.default_rng(1)
        high = np.maximum(np.abs(path.y).max(axis=1), 1e-6)
        starts = [path.y[:, -1], np.zeros(n) + 1e-3 * high, high, *(rng.random((30, n)) * 1.5 * high)]
        system = Frozen([Function(f.node, names) for f in flow.parts], flow.states)
        scale = max(float(np.abs(flow.rate(0.0, flow.start)).max()), 1e-9)
        found = from_starts(system, [np.asarray(one) for one in starts], 1e-8 * scale)[0]
        isolated = []
        for point in found:
            values = np.linalg.eigvals(flow.jacobian(0.0, point))
            if np.isfinite(values).all() and np.abs(values).min() > 1e-7 * max(1e-9, float(np.abs(values).max())):
                isolated.append((np.where(np.abs(point) < 1e-7 * high, 0.0, point), values))
        if not isolated or (not held and n > 6):
            report.skip(cls.equilibria, "没有找到孤立的平衡点")
            return
        for k, (point, values) in enumerate(isolated[:20], 1):
            words_ = "，".join(f"{name} = {v:.6g}" for name, v in zip(flow.states, point, strict=True))
            report.row(cls.equilibria, number=k, point=words_, values="、".join(_complex(z) for z in _sorted(values)),
                       kind=_stability(values))  # fmt: skip

    # ---- epidemics and sensitivity -------------------------------------------------------------------------------
    @classmethod
    def _epidemic(cls, report: Report, form: Any, flow: Flow, model: Model | None, path: Path) -> dict[str, Any] | None:
        if model is None or model.infected is None:
            return None
        n = float(flow.start.sum())
        if n <= 0 or (flow.start < 0).any():
            raise Refusal("data.start", "传染病模型的初值不能为负，总人数要大于 0", field="y0")
        gamma = flow.parameters.get("gamma")
        r0 = flow.parameters["beta"] / gamma if gamma else None
        when, peak = _peak(path, flow.states.index("I"))
        first, last = float(path.y[0, 0]), float(path.y[0, -1])
        size = (first - last) / n
        herd = max(0.0, 1 - 1 / r0) if r0 else None
        limit = _final_size(r0, first / n) if form.model in ("sir", "seir") and r0 else None
        report.row(cls.epidemic, r0=r0, peak_time=when, peak=peak, size=size, limit=limit, herd=herd)
        report.note(
            cls.epidemic, "累计感染的比例算到终止时间；最终规模由方程 ln(s/s₀) = −R0(1 − s) 求得，只有 SIR、SEIR 有。"
        )
        return {"r0": r0, "peak": peak, "when": when}

    @classmethod
    def _sensitivity(cls, report: Report, form: Any, flow: Flow, model: Model | None) -> None:
        if not flow.parameters:
            for element in (cls.sensitivity, cls.swing):
                report.skip(element, "方程里没有参数")
            return
        infected = model is not None and model.infected is not None

        def goal(values: dict[str, float]) -> float | None:
            try:
                path = solve(flow.with_parameters(values), form.t_end, form.method, max(form.rtol, 1e-8),
                             np.linspace(0, form.t_end, 201))  # fmt: skip
            except Refusal:
                return None
            return _peak(path, flow.states.index("I"))[1] if infected else float(path.y[0, -1])

        base = goal({})
        for name, value in list(flow.parameters.items())[:12]:
            low, high = goal({name: value * (1 - SHARE)}), goal({name: value * (1 + SHARE)})
            ends = [one for one in (low, high) if one is not None]
            change = max((abs(one - base) for one in ends), default=0.0) / abs(base) if base else None
            report.row(cls.sensitivity, name=name, low=low, base=base, high=high, change=change)
            if low is not None and high is not None:
                report.row(cls.swing, name=name, start=low, end=high)
        what = "感染人数的峰值" if infected else f"终止时的 {flow.states[0]}"
        report.note(cls.sensitivity, f"看的是{what}。")

    # ---- fitting -------------------------------------------------------------------------------------------------
    @classmethod
    def _fit(cls, report: Report, form: Any, flow: Flow, model: Model | None) -> Flow:
        from scipy import stats
        from scipy.optimize import least_squares

        t, seen, which = _observed(form, flow, model)
        names = list(flow.parameters)
        report.used(len(t))
        if not names:
            raise Refusal("data.parameter", "方程里没有参数可以拟合", field="fit")
        n = int(np.isfinite(seen).sum())
        if n <= len(names):
            raise Refusal("data.few", f"观测只有 {n} 个，要多于参数的个数 {len(names)}", field="obs")
        start = np.array([flow.parameters[name] for name in names])
        good = np.isfinite(seen)

        def gap(p: Floats) -> Floats:
            made = flow.with_parameters(dict(zip(names, map(float, p), strict=True)))
            try:
                path = solve(made, float(t[-1]) if t[-1] > 0 else 1e-9, form.method, min(form.rtol, 1e-8))
            except Refusal:
                return np.full(n, 1e6 * max(1.0, float(np.nanmax(np.abs(seen)))))
            return np.asarray((path.dense(t)[which].T - seen)[good])

        found = least_squares(gap, start, x_scale=np.maximum(np.abs(start), 1e-3), xtol=1e-12, ftol=1e-12, gtol=1e-12)
        sse = float(found.fun @ found.fun)
        values = {name: float(v) for name, v in zip(names, found.x, strict=True)}
        fitted = flow.with_parameters(values)
        sigma2 = sse / (n - len(names))
        try:
            cov = np.linalg.inv(found.jac.T @ found.jac) * sigma2
            ses = np.sqrt(np.maximum(np.diag(cov), 0.0))
            if np.linalg.cond(found.jac / np.maximum(np.linalg.norm(found.jac, axis=0), 1e-300)) > 1e6:
                ses = np.full(len(names), np.nan)
        except np.linalg.LinAlgError:
            ses = np.full(len(names), np.nan)
        q = float(stats.t.ppf(0.975, n - len(names)))
        for name, v, se in zip(names, found.x, ses, strict=True):
            own: dict[str, Any] = {} if not np.isfinite(se) else {"se": se, "low": v - q * se, "high": v + q * se}
            report.row(cls.estimates, name=name, value=float(v), **own)
        if not np.isfinite(ses).all() or (ses > 10 * np.maximum(np.abs(found.x), 1e-9)).any():
            text_ = "参数分不开：标准误很大或求不出，请固定一些参数，或多收集数据。"
            report.check("参数能否确定", "fail", text_)
        else:
            report.check("参数能否确定", "pass", "每个参数都能由数据确定。")
        around = (seen - np.nanmean(seen, axis=0))[good]
        total = float(around @ around)
        report.row(cls.goodness, n=n, sse=sse, r2=1 - sse / total if total > 0 else None, sigma=sigma2**0.5)
        path = solve(fitted, float(t[-1]), form.method, min(form.rtol, 1e-8))
        model_at = path.dense(t)[which].T
        for j, column in enumerate(form.obs):
            for i in np.flatnonzero(good[:, j]).tolist()[:1000]:
                report.row(cls.seen, t=float(t[i]), value=float(seen[i, j]), line=column.title)
                report.row(cls.residuals, fitted=float(model_at[i, j]), residual=float(seen[i, j] - model_at[i, j]))
        smooth = np.linspace(0, float(t[-1]), 200)
        report.add_rows(cls.fitted_line, {"t": smooth, "value": path.dense(smooth)[which[0]]})
        return fitted


# ---- helpers -----------------------------------------------------------------------------------------------------
def _observed(form: Any, flow: Flow, model: Model | None) -> tuple[Floats, Floats, list[int]]:
    if form.t is None or not form.obs:
        raise Refusal("role.required", "拟合要放入时间和观测值", field="t", also=["obs"])
    held = np.isfinite(form.t.numbers) & np.any([np.isfinite(c.numbers) for c in form.obs], axis=0)
    t = form.t.numbers[held]
    seen = np.column_stack([column.numbers[held] for column in form.obs])
    if len(t) < 3:
        raise Refusal("data.few", "至少要 3 个时间的观测", field="obs")
    if (np.diff(t) <= 0).any():
        row = int(form.t.row_numbers[held][int(np.flatnonzero(np.diff(t) <= 0)[0]) + 1])
        raise Refusal("data.order", f"时间列必须严格递增，第 {row} 行不满足", field="t", column=form.t.id, row=row)
    if t[0] < 0 or t[-1] > 1e6 or float(np.nanmax(np.abs(seen))) > 1e12:
        raise Refusal("data.magnitude", "时间要从 0 或以后开始，时间和观测值不能太大，请换一个单位", field="t")
    titles = [column.title for column in form.obs]
    if len(titles) > len(flow.states):
        raise Refusal("data.many", f"变量只有 {len(flow.states)} 个，观测值放了 {len(titles)} 列", field="obs")
    if all(title in flow.states for title in titles):
        return t, seen, [flow.states.index(title) for title in titles]
    if len(titles) == 1 and model is not None and model.infected is not None:
        return t, seen, [flow.states.index(model.infected)]
    return t, seen, list(range(len(titles)))


def _crossings(z: Floats, first: Floats, second: Floats) -> list[tuple[float, float]]:
    """Where z changes its sign along the second axis, for each place of the first; at most 200 points."""
    with np.errstate(all="ignore"):
        cross = np.isfinite(z[:, :-1] * z[:, 1:]) & (z[:, :-1] * z[:, 1:] <= 0) & (z[:, :-1] != z[:, 1:])
    out = []
    for a, b in np.argwhere(cross).tolist()[:200]:
        share = z[a, b] / (z[a, b] - z[a, b + 1])
        out.append((float(first[a]), float(second[b] + share * (second[b + 1] - second[b]))))
    return out


def _peak(path: Path, j: int) -> tuple[float, float]:
    """Time and height of the largest value, between the steps by golden section."""
    from scipy.optimize import minimize_scalar

    k = int(path.y[j].argmax())
    if k in (0, len(path.t) - 1):
        return float(path.t[k]), float(path.y[j, k])
    best = minimize_scalar(lambda t: -float(path.dense(t)[j]), bounds=(path.t[k - 1], path.t[k + 1]),
                           method="bounded", options={"xatol": 1e-10 * float(path.t[-1])})  # fmt: skip
    return float(best.x), -float(best.fun)


def _final_size(r0: float, s0: float) -> float:
    """Share ever infected: s = s0 · exp(−R0(1 − s)) (Kermack & McKendrick 1927)."""
    from scipy.optimize import brentq

    def gap(s: float) -> float:
        return float(s - s0 * np.exp(-r0 * (1 - s)))

    low = brentq(gap, 0.0, s0, xtol=1e-15)
    return float(s0 - low)


def _sorted(values: Any) -> list[complex]:
    return sorted((complex(z) for z in values), key=lambda z: (-round(z.real, 9), -round(z.imag, 9)))


def _complex(z: complex) -> str:
    if abs(z.imag) < 1e-9 * max(1.0, abs(z)):
        return f"{z.real:.5g}"
    real = 0.0 if abs(z.real) < 1e-9 * abs(z) else z.real
    return f"{real:.5g} {'+' if z.imag > 0 else '−'} {abs(z.imag):.5g}i"


def _stability(values: Any) -> str:
    real = np.real(values)
    scale = 1e-7 * float(np.abs(values).max())
    turning = bool((np.abs(np.imag(values)) > scale).any())
    if (np.abs(real) <= scale).any():
        return "中心（线性化不能定）" if turning else "不能定"
    if (real < 0).all():
        return "稳定焦点" if turning else "稳定结点"
    if (real > 0).all():
        return "不稳定焦点" if turning else "不稳定结点"
    return "鞍点（不稳定）"


def _checks(report: Report, form: Any, flow: Flow, path: Path) -> None:
    rates = np.array([flow.rate(float(t), path.y[:, k]) for k, t in enumerate(path.t) if k % 40 == 0])
    size = float(np.abs(rates).max())
    if len(flow.states) > 1 and size > 0 and float(np.abs(rates.sum(axis=1)).max()) <= 1e-12 * size:
        drift = float(np.abs(path.y.sum(axis=0) - flow.start.sum()).max())
        if drift <= 1e-4 * max(1e-12, abs(float(flow.start.sum()))):
            report.check("守恒", "pass", "各变量之和应当不变，解里也不变。")
        else:
            report.check("守恒", "fail", "各变量之和应当不变，解里却变了 {d:num}，请减小相对误差。", d=drift)
    if form.method in EXPLICIT:
        try:
            other = solve(flow, form.t_end, "LSODA", form.rtol).calls
        except Refusal:
            other = path.calls
        if path.calls > STIFF * other and path.calls > 2000:
            way = SetRemedy(title="改用 Radau", set={"method": "Radau"})
            report.check("刚性", "care", "方程是刚性的，显式方法要走很多步，请改用 Radau 或 BDF。", remedies=[way])
            return
    report.check("刚性", "pass", "步数不多，没有刚性的迹象。")


def _words(report: Report, form: Any, flow: Flow, model: Model | None, path: Path, goal: dict[str, Any] | None) -> None:
    name = "自定义方程组" if model is None else model.title + ("" if model.title.endswith("模型") else "模型")
    if goal is not None and form.model in ("sir", "seir"):
        facts = {"p": goal["peak"], "w": goal["when"], "r": goal["r0"]}
        report.lead("感染人数在 t = {w:num} 达到峰值 {p:num}，基本再生数 R0 = {r:num}。",
                    [figure("R0", "{r:num}"), figure("峰值", "{p:num}")], **facts)  # fmt: skip
        report.say(
            "R0 大于 1，疫情会先扩大再消退。" if goal["r0"] > 1 else "R0 不大于 1，疫情不会扩大。", voice="student"
        )
    else:
        value = float(path.y[0, -1])
        report.lead("t = {e:num} 时，{x} = {v:num}。", [figure(flow.states[0], "{v:num}")], e=form.t_end, v=value,
                    x=flow.states[0])  # fmt: skip
    report.say(
        f"用 {form.method} 方法求解{name}（{{n:integer}} 个变量，t 从 0 到 {{e:num}}），共走 {{s:integer}} 步。",
        voice="paper", n=len(flow.states), e=form.t_end, s=path.steps,
    )  # fmt: skip
