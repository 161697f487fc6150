from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Form,
    Method,
    Points,
    Reference,
    Refusal,
    Report,
    Table,
    TypedFormula,
    Wide,
    choice,
    figure,
    formula,
    integer,
    num,
    number,
    numbers,
    text,
)
from hengxi.contract.grammar import Arithmetic, comparisons
from hengxi.methods.mathematical_modeling._shared.grid import Floats
from hengxi.methods.mathematical_modeling._shared.roots import (
    System,
    from_starts,
    newton_steps,
    polynomial,
    polynomial_roots,
    scan,
)
from hengxi.methods.mathematical_modeling._shared.typed import names_in
from hengxi.stats.solving.expressions import Function, NonlinearError

KINDS = {"auto": "自动识别", "linear": "线性方程组", "single": "一元非线性", "polynomial": "多项式",
         "system": "非线性方程组"}  # fmt: skip
NOT_LINEAR = {"kind": ("auto", "single", "system")}
MOST, DRAWN, SMALL, ILL = 50, 600, 1e-9, 1e10


class EquationSolving(Method):
    """Solutions of linear systems, polynomials, one equation or several, each put back into the equations."""

    title, title_en = "方程(组)求解", "Equation and system solving"
    slug = "equation-solving"
    family = "数学建模"
    purpose = "求线性或非线性方程(组)的解，并检查解的个数与误差"
    aliases = ("解方程", "方程组", "求根", "零点", "牛顿法", "多项式求根", "线性方程组")
    references = ("golub2013", "brent1973", "burden2015")
    conventions = (
        "残差：把解代回，左边减右边的平方和开方。",
        "线性方程组：秩由奇异值判断（相对 1e-12）；条件数是最大与最小奇异值之比；通解用行最简形。",
        "多项式：伴随矩阵的特征值，再用牛顿法加精；在该点连同低阶导数都为 0 的合为重根。",
        "一元非线性：区间等分 4000 段找变号点，用 Brent 法求根；没有变号而接近 0 的点当作重根试求。",
        "非线性方程组：从多个起点用 Powell 混合法求解，再用牛顿法加精，残差超过容差的不算解。",
    )
    needs_data = False
    split = False
    random = True

    class Input(Form):
        equations: list[TypedFormula] = formula(
            "方程", kind="equation", symbols="free", lines=(1, MOST), none="至少需要一个方程",
            hint="一行一个，例如 X^2 + Y^2 = 4；未知数的名称自己起",
        )  # fmt: skip
        kind: str = choice("类型", KINDS)
        interval: list[float] = numbers("搜索区间", (-100.0, 100.0), min=2, max=2, least=-1e9, most=1e9,
                                        increasing=True, when=NOT_LINEAR, hint="一元方程在其中找根")  # fmt: skip
        x0: list[float] = numbers("初始点", max=MOST, when=NOT_LINEAR, advanced=True,
                                  hint="按未知数出现的次序填写；空为自动")  # fmt: skip
        n_starts: int | None = integer("多起点个数", 50, least=1, most=1000, when=NOT_LINEAR, advanced=True)
        tol: float | None = number("容差", 1e-8, least=1e-12, most=0.1, when=NOT_LINEAR, advanced=True)

    result = Table("结果", kind_=text("类型"), unknowns=integer("未知数"), equations_=integer("方程"),
                   found=integer("解的个数"), note_=text("说明"), layout="record", place="main")  # fmt: skip
    solutions = Table("解", number=text("编号"), residual=num("残差", least=0), layout=Wide(value=num("取值")),
                      place="main")  # fmt: skip
    roots = Table("多项式的根", number=text("编号"), real=num("实部"), imaginary=num("虚部"), times=integer("重数"),
                  residual=num("残差", least=0), place="main")  # fmt: skip
    linear = Table("线性方程组", rank=integer("系数矩阵的秩"), wide_rank=integer("增广矩阵的秩"),
                   condition=num("条件数", least=0), layout="record", place="main")  # fmt: skip
    general = Table("通解", unknown=text("未知数"), expression=text("表达式"), place="main")
    nearest = Table("最小二乘解", unknown=text("未知数"), value=num("取值"), place="main")
    curve = Points("函数图与零点", x=num("x"), y=num("f(x)"))
    plot = Chart("函数图与零点", "line", of=curve, x="x", y="y", place="main")
    steps = Table("牛顿法的过程", step=integer("次序"), point=text("近似解"), norm=num("残差", least=0),
                  place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        system, words = _read(form)
        m, n = len(system.parts), len(system.names)
        kind = _kind(form, system)
        coefficients = polynomial(system.parts[0].node, system.names[0]) if (m, n) == (1, 1) else None
        if kind == "linear":
            found = cls._linear(report, system)
        elif kind == "polynomial":
            if coefficients is None:
                raise Refusal("data.kind", "不是一元多项式，请改为自动识别", field="kind")
            found = cls._polynomial(report, coefficients, system.names[0])
        elif kind == "single":
            found = cls._single(report, form, system)
        else:
            found = cls._system(report, form, system)
        report.row(cls.result, kind_=KINDS[kind], unknowns=n, equations_=m, found=found[0], note_=found[1])
        report.say(
            f"求解{KINDS[kind]}（{{m:integer}} 个方程，{{n:integer}} 个未知数）：{words}。", voice="paper", m=m, n=n
        )
        for element in (cls.solutions, cls.roots, cls.linear, cls.general, cls.nearest, cls.curve, cls.steps):
            if element.id not in report.tables and element.id not in report.skipped:
                report.skip(element, _absent(element.id, kind))
        return report

    # ---- linear --------------------------------------------------------------------------------------------------
    @classmethod
    def _linear(cls, report: Report, system: System) -> tuple[int | None, str]:
        parts = [f.linear() for f in system.parts]
        a = np.array([part.coefficients for part in parts])
        b = -np.array([part.constant for part in parts])
        if not (np.isfinite(a).all() and np.isfinite(b).all()):
            raise Refusal("data.number", "方程里有太大或没有定义的数（如除以 0），请改正", field="equations")
        scale = np.maximum(np.abs(a).max(axis=1), 1e-300)
        a, b = a / scale[:, None], b / scale
        n = a.shape[1]
        singular = np.linalg.svd(a, compute_uv=False)
        rank = int((singular > 1e-12 * singular.max(initial=0.0) * max(a.shape)).sum())
        wide = np.column_stack([a, b])
        tops = np.linalg.svd(wide, compute_uv=False)
        wide_rank = max(rank, int((tops > 1e-12 * tops.max(initial=0.0) * max(wide.shape)).sum()))
        whole = rank == min(a.shape) and singular.min() > 0
        condition = float(singular.max() / singular.min()) if whole else None
        report.row(cls.linear, rank=rank, wide_rank=wide_rank, condition=np.inf if condition is None else condition)
        x = np.linalg.lstsq(a, b, rcond=None)[0]
        x = np.where(np.abs(x) < 1e-14 * max(1.0, float(np.abs(x).max())), 0.0, x)
        if wide_rank > rank:
            for name, value in zip(system.names, x, strict=True):
                report.row(cls.nearest, unknown=name, value=float(value))
            report.lead("方程组无解：这些方程互相矛盾。", [figure("解的个数", "0")])
            report.note(cls.nearest, "它使各方程左右之差（每个方程除以最大的系数后）的平方和最小，不是解。")
            report.check("解的个数", "fail", "增广矩阵的秩大于系数矩阵的秩，没有解。")
            return 0, "无解"
        if rank < n:
            _general(report, cls, system.names, a, b)
            report.lead(
                "方程组有无穷多个解，有 {k:integer} 个自由的未知数。", [figure("解的个数", "无穷多")], k=n - rank
            )
            report.check("解的个数", "care", "秩小于未知数的个数，解不唯一，通解列在表里。")
            return None, "无穷多个解"
        cells = {name: {"value": float(v)} for name, v in zip(system.names, x, strict=True)}
        report.row(cls.solutions, number="1", residual=system.norm(x), wide=cells)
        _said(report, system.names, x, "唯一的解")
        if condition is not None and condition > ILL:
            text_ = "条件数是 {c:num}，方程组是病态的：系数稍有误差，解就会大变。"
            report.check("条件数", "care", text_, c=condition)
        else:
            report.check("条件数", "pass", "条件数不大，解对系数的误差不敏感。")
        return 1, "唯一解"

    # ---- one unknown ---------------------------------------------------------------------------------------------
    @classmethod
    def _polynomial(cls, report: Report, coefficients: Floats, name: str) -> tuple[int, str]:
        c = np.trim_zeros(coefficients, "b")
        if len(c) < 2:
            raise Refusal("data.constant", "方程里没有未知数的项，总是成立或总不成立，请改正", field="equations")
        found = polynomial_roots(c)
        for number_, (z, times) in enumerate(found, 1):
            residual = abs(np.polynomial.polynomial.polyval(z, c))
            report.row(cls.roots, number=str(number_), real=z.real + 0.0, imaginary=z.imag + 0.0, times=times,
                       residual=float(residual))  # fmt: skip
        real = [z.real for z, _ in found if z.imag == 0]
        facts: dict[str, Any] = {"k": len(real), "d": len(c) - 1}
        facts |= {f"x{k}": x for k, x in enumerate(real[:6])}
        values = "，".join(f"{{x{k}:num}}" for k in range(len(real[:6])))
        tail = f"：{name} = {values}" if real else ""
        word = "有 {k:integer} 个不同的实根" if real else "没有实根"
        report.lead(f"{{d:integer}} 次多项式{word}{tail}。", [figure("不同的实根", "{k:integer}")], **facts)
        report.note(cls.roots, "虚部不为 0 的根成对出现；各根的重数之和等于次数。")
        worst = max(times for _, times in found)
        if worst > 1:
            report.check("重根", "care", "有重根：系数稍有误差，重根会分开，精度也较低。")
        else:
            report.check("重根", "pass", "没有重根。")
        if real:
            low, high = min(real), max(real)
            pad = max(1.0, 0.25 * (high - low))
            at = np.linspace(low - pad, high + pad, DRAWN)
            cls._draw(report, np.array(real), at, np.asarray(np.polynomial.polynomial.polyval(at, c), dtype=float))
        return sum(times for _, times in found), "含复根与重数"

    @classmethod
    def _single(cls, report: Report, form: Any, system: System) -> tuple[int, str]:
        f, name = system.parts[0], system.names[0]
        low, high = form.interval
        found = scan(f, low, high, form.tol)
        at = np.linspace(low, high, DRAWN)
        if not found:
            text_ = f"在区间 [{low:g}, {high:g}] 内没有找到变号点。请换一个区间"
            raise Refusal("data.no_root", text_, field="interval")
        for number_, x in enumerate(found, 1):
            cells = {name: {"value": x}}
            report.row(cls.solutions, number=str(number_), residual=abs(f.value(np.array([x]))), wide=cells)
        facts: dict[str, Any] = {"k": len(found)} | {f"x{k}": x for k, x in enumerate(found[:6])}
        values = "，".join(f"{{x{k}:num}}" for k in range(len(found[:6]))) + ("等" if len(found) > 6 else "")
        report.lead(f"在搜索区间里找到 {{k:integer}} 个根：{name} = {values}。", [figure("根", "{k:integer}")], **facts)
        report.check("是否全部", "care", "靠得很近的根和区间外的根可能漏掉，请看图。")
        pad = 0.25 * (found[-1] - found[0]) if len(found) > 1 else max(1.0, abs(found[0]))
        at = np.linspace(max(low, found[0] - pad), min(high, found[-1] + pad), DRAWN)
        cls._draw(report, np.array(found), at, f.values(at[:, None]))
        start = np.array(form.x0[:1]) if form.x0 else np.array([found[0] + 0.1 * max(1.0, abs(found[0]))])
        cls._newton(report, system, start)
        return len(found), "区间内找到的"

    @classmethod
    def _draw(cls, report: Report, found: Floats, x: Floats, y: Floats) -> None:
        ok = np.isfinite(y) & (np.abs(y) <= 50 * max(1e-300, float(np.nanmedian(np.abs(y[np.isfinite(y)])))))
        report.add_rows(cls.curve, {"x": x[ok], "y": y[ok]})
        marks = [Reference(y=0), *(Reference(x=float(root), label=f"{root:.4g}") for root in found[:20])]
        report.chart(cls.plot, titles={"x": "x", "y": "左边 − 右边"}, over=marks)

    # ---- systems -------------------------------------------------------------------------------------------------
    @classmethod
    def _system(cls, report: Report, form: Any, system: System) -> tuple[int, str]:
        m, n = len(system.parts), len(system.names)
        if m < n:
            text_ = f"非线性方程组的方程数（{m}）少于未知数（{n}），解不能确定。请补上方程，或固定一些未知数"
            raise Refusal("data.few", text_, field="equations")
        if form.x0 and len(form.x0) != n:
            text_ = f"未知数有 {n} 个（{'、'.join(system.names)}），初始点给了 {len(form.x0)} 个数"
            raise Refusal("data.x0", text_, field="x0")
        low, high = form.interval
        rng = form.rng
        starts = [np.array(form.x0)] if form.x0 else [np.full(n, 0.5), np.ones(n), -np.ones(n), np.zeros(n)]
        for k in range(int(form.n_starts)):
            near = max(low, -3.0), min(high, 3.0)
            box = near if k % 2 == 0 and near[0] < near[1] else (low, high)
            starts.append(rng.uniform(*box, n))
        found, best, norm = from_starts(system, starts, form.tol)
        if not found:
            if best is None:
                raise Refusal("data.no_root", "方程在所有起点都没有定义，请换一个初始点", field="x0")
            text_ = f"没有找到解：从 {len(starts)} 个起点出发，最小的残差是 {norm:.3g}。请换初始点或搜索区间"
            raise Refusal("data.no_root", text_, field="interval", also=["x0"])
        for number_, point in enumerate(found, 1):
            cells = {name: {"value": float(v)} for name, v in zip(system.names, point, strict=True)}
            report.row(cls.solutions, number=str(number_), residual=system.norm(point), wide=cells)
        if len(found) == 1:
            _said(report, system.names, found[0], "找到 1 组解")
        else:
            text_ = "找到 {k:integer} 组解，列在表里。"
            report.lead(text_, [figure("解", "{k:integer} 组")], k=len(found))
        report.check("是否全部", "care", "只保证列出的是解，可能还有别的解。多试几个起点。")
        if m > n:
            report.check("方程个数", "care", "方程比未知数多，列出的解满足全部方程。")
        cls._newton(report, system, starts[0])
        return len(found), "从多个起点找到的"

    @classmethod
    def _newton(cls, report: Report, system: System, start: Floats) -> None:
        made = newton_steps(system, start)
        if len(made) < 2 or not np.isfinite(made[0][1]):
            report.skip(cls.steps, "牛顿法从这个起点走不动")
            return
        for step, (point, norm) in enumerate(made):
            words = "，".join(f"{name} = {v:.10g}" for name, v in zip(system.names, point, strict=True))
            report.row(cls.steps, step=step, point=words, norm=norm)
        report.note(cls.steps, "从初始点（没有填时自动选取）开始；残差变大时步长减半。")


# ---- reading -----------------------------------------------------------------------------------------------------
def _read(form: Any) -> tuple[System, str]:
    nodes = []
    for one in form.equations:
        (equal,) = comparisons(one.node)
        nodes.append(Arithmetic(equal.at, "-", equal.left, equal.right))
    names = names_in(*nodes)
    if not names:
        raise Refusal("data.constant", "方程里没有未知数，请写入字母或名称", field="equations")
    if len(names) > MOST:
        raise Refusal("data.many", f"未知数有 {len(names)} 个，最多 {MOST} 个", field="equations")
    return System([Function(node, names) for node in nodes], names), "；".join(one.source for one in form.equations[:3])


def _kind(form: Any, system: System) -> str:
    m, n = len(system.parts), len(system.names)
    straight = True
    try:
        for f in system.parts:
            f.linear()
    except NonlinearError as error:
        straight = False
        if form.kind == "linear":
            text_ = f"不是线性方程组：“{error.term}”不是一次的。请改为自动识别"
            raise Refusal("data.kind", text_, field="kind") from None
    if form.kind != "auto":
        if form.kind in ("single", "polynomial") and (m, n) != (1, 1):
            text_ = f"“{KINDS[form.kind]}”要一个方程一个未知数，现有 {m} 个方程、{n} 个未知数"
            raise Refusal("data.kind", text_, field="kind")
        return str(form.kind)
    if straight:
        return "linear"
    if (m, n) == (1, 1):
        return "single" if polynomial(system.parts[0].node, system.names[0]) is None else "polynomial"
    return "system"


def _general(report: Report, cls: type[EquationSolving], names: list[str], a: Floats, b: Floats) -> None:
    """Pivot unknowns by the free ones, from the reduced row echelon form."""
    held = np.column_stack([a, b]).astype(float)
    pivots: list[int] = []
    row = 0
    for column in range(len(names)):
        if row == len(held):
            break
        best = row + int(np.argmax(np.abs(held[row:, column])))
        if abs(held[best, column]) < 1e-10:
            continue
        held[[row, best]] = held[[best, row]]
        held[row] /= held[row, column]
        for other in range(len(held)):
            if other != row:
                held[other] -= held[other, column] * held[row]
        pivots.append(column)
        row += 1
    for k, name in enumerate(names):
        if k not in pivots:
            report.row(cls.general, unknown=name, expression="任意数")
            continue
        line = held[pivots.index(k)]
        words = "" if abs(line[-1]) < 1e-10 else f"{line[-1]:.6g}"
        for j in range(len(names)):
            if j not in pivots and abs(line[j]) > 1e-10:
                sign = "−" if line[j] > 0 else "+"
                size = "" if abs(abs(line[j]) - 1) < 1e-10 else f"{abs(line[j]):.6g}"
                words += f" {sign} {size}{names[j]}"
        report.row(cls.general, unknown=name, expression=words.strip() or "0")


def _said(report: Report, names: list[str], point: Floats, word: str) -> None:
    facts: dict[str, Any] = {}
    parts = []
    for k, (name, value) in enumerate(zip(names, point, strict=True)):
        if k < 6:
            parts.append(f"{name} = {{x{k}:num}}")
            facts[f"x{k}"] = float(value)
    tail = "等" if len(names) > 6 else ""
    report.lead(f"{word}：{'，'.join(parts)}{tail}。", [figure("解的个数", "1")], **facts)


def _absent(name: str, kind: str) -> str:
    if name == "nearest":
        return "方程组有解" if kind == "linear" else "不是线性方程组"
    if name == "general":
        return "没有自由的未知数" if kind == "linear" else "不是线性方程组"
    if name == "linear":
        return "不是线性方程组"
    if name == "roots":
        return "不按多项式求解"
    if name == "curve":
        return "没有实根可画" if kind == "polynomial" else "未知数不止一个" if kind == "system" else "线性方程组不画"
    if name == "steps":
        return "不用迭代求解"
    return "见多项式的根" if kind == "polynomial" else "没有唯一的解"
