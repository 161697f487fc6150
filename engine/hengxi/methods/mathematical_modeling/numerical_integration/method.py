from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    TypedFormula,
    choice,
    figure,
    formula,
    integer,
    interval,
    num,
    role,
    text,
    words,
)
from hengxi.methods.mathematical_modeling._shared.quadrature import (
    FEW,
    Found,
    adaptive,
    derivatives,
    double,
    running_total,
    sampled,
    simpson_of,
    trapezoid_of,
)
from hengxi.methods.mathematical_modeling._shared.typed import bound, expression, function, known_only
from hengxi.stats.solving.expressions import Function

FUNCTION, DATA = {"source": "function"}, {"source": "data"}
METHODS = {
    "adaptive": "自适应高斯", "trapezoid": "梯形", "simpson": "辛普森", "romberg": "龙贝格", "double": "二重积分",
    "monte_carlo": "蒙特卡罗",
}  # fmt: skip
TWICE, ONCE = {"method": "double"}, {"method": ("adaptive", "trapezoid", "simpson", "romberg", "monte_carlo")}
DRAWN, SCANNED, LISTED = 400, 1001, 1000


class NumericalIntegration(Method):
    """Integrals of a formula or of measured points, with the error each rule makes; derivatives of measured points."""

    title, title_en = "数值积分与微分", "Numerical integration and differentiation"
    slug = "numerical-integration"
    family = "数学建模"
    purpose = "计算函数或数据表的定积分、重积分与导数，并给误差估计"
    aliases = ("积分", "定积分", "导数", "辛普森", "梯形法", "龙贝格", "面积")
    references = ("piessens1983", "burden2015")
    conventions = (
        "自适应高斯由 QUADPACK（scipy 的 quad）计算，相对误差要求 1e-10；无穷区间由它变换。",
        "梯形、辛普森把区间等分为 n 份（辛普森的 n 取偶数）；误差估计是与 2n 份的结果之差。",
        "龙贝格从 1 份起每次加倍到不少于 n 份，误差估计是最后两个对角元之差。",
        "蒙特卡罗在区间内均匀抽 n 个点，95%CI 为均值 ± 1.96 个标准误。",
        "数据积分：辛普森法用通过相邻三点的抛物线，区间数为奇数时最后一段用最后三点的抛物线。",
        "数据求导：一阶、二阶导数都取通过相邻三点的抛物线，两端用最靠边的三点。",
    )
    needs_data = "optional"
    row_order = True
    random = True

    class Input(Form):
        source: str = choice("积分对象", {"function": "函数表达式", "data": "数据表"})
        f: TypedFormula | None = formula("被积函数", kind="expression", symbols="free", when=FUNCTION,
                                         hint="用 x，二重积分再用 y，例如 exp(-x^2)")  # fmt: skip
        method: str = choice("方法", METHODS, when=FUNCTION)
        a: str | None = words("下限", "0", when=FUNCTION, hint="可以写 -inf、pi/2")
        b: str | None = words("上限", "1", when=FUNCTION, hint="可以写 inf")
        c: str | None = words("y 的下限", "0", when={**FUNCTION, **TWICE}, hint="可以含 x")
        d: str | None = words("y 的上限", "1", when={**FUNCTION, **TWICE}, hint="可以含 x")
        n: int | None = integer("区间数或抽样点数", 100, least=2, most=1_000_000, when=FUNCTION)
        x: Column | None = role("自变量 X", "定量", when=DATA)
        y: Column | None = role("函数值 Y", "定量", when=DATA)

    result = Table(
        "积分结果", method=text("方法"), value=num("积分值"), error=num("误差估计", least=0),
        ci=interval("95%CI", "low", "high", around="value", when={"method": "monte_carlo"}),
        calls=integer("函数计算次数"), layout="record", place="main",
    )  # fmt: skip
    compared = Table("各方法对照", method=text("方法"), value=num("积分值"), gap=num("与自适应高斯之差"),
                     calls=integer("函数计算次数"), when=[{**FUNCTION, **ONCE}], place="main")  # fmt: skip
    rates = Table(
        "收敛", n=integer("区间数"), trapezoid=num("梯形"), error=num("梯形的误差", least=0), order=num("阶"),
        simpson=num("辛普森"), error2=num("辛普森的误差", least=0), order2=num("阶"), when=[{**FUNCTION, **ONCE}],
        place="detail",
    )  # fmt: skip
    curve = Points("函数", x=num("x"), y=num("f(x)"), low=num("下"), high=num("上"), when=[{**FUNCTION, **ONCE}])
    plot = Chart("函数与积分区域", "line", of=curve, x="x", y="y", low="low", high="high",
                 when=[{**FUNCTION, **ONCE}], place="main")  # fmt: skip
    measured = Points("数据", x=num("x"), y=num("y"), low=num("下"), high=num("上"), when=DATA)
    area = Chart("数据与积分区域", "line", of=measured, x="x", y="y", low="low", high="high", when=DATA, place="main")
    both = Table("两种方法", method=text("方法"), value=num("积分值"), when=DATA, place="main")
    running = Points("累积", x=num("x"), sum_=num("累积积分"), when=DATA)
    growth = Chart("累积积分", "line", of=running, x="x", y="sum_", when=DATA, place="main")
    slopes = Table("导数", x=num("x"), y=num("y"), first=num("一阶导数"), second=num("二阶导数"),
                   sum_=num("累积积分"), when=DATA, place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        if form.source == "data":
            cls._data(report, form)
        else:
            if form.f is None:
                raise Refusal("formula.required", "请填写“被积函数”", field="f")
            low, high = bound(form.a, "a", "下限"), bound(form.b, "b", "上限")
            if low == high:
                raise Refusal("data.equal", "积分上下限不能相等", field="b", also=["a"])
            if form.method == "double":
                cls._double(report, form, low, high)
            else:
                cls._single(report, form, low, high)
        return report

    # ---- formulas ------------------------------------------------------------------------------------------------
    @classmethod
    def _single(cls, report: Report, form: Any, low: float, high: float) -> None:
        f = function(form.f, ["x"], "f")
        infinite = np.isinf(low) or np.isinf(high)
        if infinite and form.method != "adaptive":
            way = SetRemedy(title="改用自适应高斯", set={"method": "adaptive"})
            raise Refusal("data.infinite", "无穷区间只能用自适应高斯", field="method", remedies=[way])
        _defined(report, f, form, low, high)
        best = adaptive(f, low, high)
        found = _by(f, form, low, high) if form.method != "adaptive" else best
        _write(report, cls, form, found)
        _judge(report, form, best)
        word = f"从 {_shown(low)} 到 {_shown(high)}"
        _lead(report, form, found, word)
        if infinite:
            for element in (cls.compared, cls.rates, cls.curve, cls.plot):
                report.skip(element, "区间是无穷的")
            return
        cls._compare(report, form, f, low, high, best)
        at = np.linspace(low, high, DRAWN + 1)
        values = f.values(at[:, None])
        ok = np.isfinite(values)
        zero = np.zeros(int(ok.sum()))
        report.add_rows(cls.curve, {"x": at[ok], "y": values[ok], "low": np.minimum(zero, values[ok]),
                                    "high": np.maximum(zero, values[ok])})  # fmt: skip

    @classmethod
    def _compare(cls, report: Report, form: Any, f: Function, low: float, high: float, best: Found) -> None:
        report.row(cls.compared, method=METHODS["adaptive"], value=best.value, gap=0.0, calls=best.calls)
        for key in ("trapezoid", "simpson", "romberg", "monte_carlo"):
            one = sampled(f, low, high, int(form.n), key, np.random.default_rng(form.seed))
            if one is None:
                continue
            report.row(cls.compared, method=METHODS[key], value=one.value, gap=one.value - best.value, calls=one.calls)
        before: tuple[float, float] | None = None
        sizes = [4, 8, 16, 32, 64, 128]
        rows = [(n, sampled(f, low, high, n, "trapezoid"), sampled(f, low, high, n, "simpson")) for n in sizes]
        if any(one is None or two is None for _, one, two in rows):
            report.skip(cls.rates, "函数在端点没有定义，等分的方法不能用")
            return
        floor = 1e-13 * max(1.0, abs(best.value))
        for n, one, two in rows:
            assert one is not None and two is not None
            errors = (abs(one.value - best.value), abs(two.value - best.value))
            orders: list[float | None] = [None, None]
            if before is not None:
                orders = [
                    float(np.log2(was / now)) if now > floor and was > floor else None
                    for was, now in zip(before, errors, strict=True)
                ]  # fmt: skip
            report.row(cls.rates, n=n, trapezoid=one.value, error=errors[0], order=orders[0], simpson=two.value,
                       error2=errors[1], order2=orders[1])  # fmt: skip
            before = errors
        report.note(cls.rates, "误差是与自适应高斯之差；区间数加倍，误差缩小到 1/2 的“阶”次方。误差小到舍入时没有阶。")

    @classmethod
    def _double(cls, report: Report, form: Any, low: float, high: float) -> None:
        f = function(form.f, ["x", "y"], "f")
        ends = []
        for key, title in (("c", "y 的下限"), ("d", "y 的上限")):
            source = getattr(form, key)
            node = expression(source or "", key, title)
            known_only(node, ["x"], key, title)
            ends.append(Function(node, ["x"]))
        if np.isinf(low) or np.isinf(high):
            raise Refusal("data.infinite", "二重积分的上下限要是有限的数", field="a")
        found = double(f, low, high, ends[0], ends[1])
        if not np.isfinite(found.value):
            raise Refusal("data.undefined", "被积函数在区域内有没有定义的点，请改正函数或区域", field="f")
        _write(report, cls, form, found)
        _judge(report, form, found)
        _lead(report, form, found, f"x 从 {_shown(low)} 到 {_shown(high)}，y 从 {form.c} 到 {form.d}")

    # ---- data ----------------------------------------------------------------------------------------------------
    @classmethod
    def _data(cls, report: Report, form: Any) -> None:
        if form.x is None or form.y is None:
            raise Refusal("role.required", "请放入自变量 X 和函数值 Y", field="x")
        x, y = form.x.numbers, form.y.numbers
        if len(x) < FEW:
            raise Refusal("data.few", f"至少需要 {FEW} 个点，现有 {{n}} 个", field="x", n=len(x))
        if max(float(np.abs(x).max()), float(np.abs(y).max())) > 1e100 or float(np.abs(np.diff(x)).min()) < 1e-100:
            falls = np.flatnonzero(np.diff(x) <= 0)
            if not len(falls):
                raise Refusal("data.magnitude", "数值太大或太密，请换一个单位", field="x")
        falls = np.flatnonzero(np.diff(x) <= 0)
        if len(falls):
            row = int(form.x.row_numbers[falls[0] + 1])
            raise Refusal("data.order", f"自变量必须严格递增，第 {row} 行不满足", field="x", column=form.x.id, row=row)
        best, rough = simpson_of(x, y), trapezoid_of(x, y)
        shown = report.row(cls.result, method="辛普森", value=best, error=abs(best - rough), calls=len(x))
        report.note(cls.result, "误差估计是辛普森与梯形之差；数据本身的误差不在内。")
        for method, value in (("辛普森", best), ("梯形", rough)):
            report.row(cls.both, method=method, value=value)
        total = running_total(x, y)
        first, second = derivatives(x, y)
        zero = np.zeros(len(x))
        some = np.unique(np.round(np.linspace(0, len(x) - 1, min(LISTED, len(x)))).astype(int))
        report.add_rows(cls.measured, {"x": x[some], "y": y[some], "low": np.minimum(zero, y)[some],
                                       "high": np.maximum(zero, y)[some]})  # fmt: skip
        report.add_rows(cls.running, {"x": x[some], "sum_": total[some]})
        report.add_rows(cls.slopes, {"x": x, "y": y, "first": first, "second": second, "sum_": total})
        names = {"x": form.x.title, "y": form.y.title}
        report.chart(cls.area, titles=names, thinned=(len(some), len(x)) if len(some) < len(x) else None)
        report.chart(cls.growth, titles={"x": form.x.title})
        facts: dict[str, Any] = {"v": shown["value"], "e": shown["error"], "y": form.y.title, "x": form.x.title}
        report.lead("“{y}”对“{x}”的积分是 {v:num}。", [figure("积分", "{v:num}", "误差约 {e:num}")], **facts)
        share = abs(best - rough) / abs(best) if best else 0.0
        if share <= 0.01:
            report.check("两种方法", "pass", "辛普森与梯形相差不到 1%。")
        else:
            report.check("两种方法", "care", "辛普森与梯形相差 {s:percent}，点太稀或数据起伏大。", s=share)
        report.say("导数对数据的误差很敏感，起伏大时先作平滑。", voice="student")
        text_ = "用复合辛普森法对 {n:integer} 个数据点求积分，结果为 {v:num}（误差估计 {e:num}）。"
        report.say(text_, voice="paper", n=len(x), v=facts["v"], e=facts["e"])


def _by(f: Function, form: Any, low: float, high: float) -> Found:
    found = sampled(f, low, high, int(form.n), form.method, np.random.default_rng(form.seed))
    if found is None:
        way = SetRemedy(title="改用自适应高斯", set={"method": "adaptive"})
        at = low if not np.isfinite(f.value(np.array([low]))) else high
        text_ = f"被积函数在端点 x={_shown(at)} 处没有定义，等分的方法不能用，请改用自适应高斯"
        raise Refusal("data.undefined", text_, field="method", remedies=[way])
    return found


def _defined(report: Report, f: Function, form: Any, low: float, high: float) -> None:
    """Refuses a point inside where the function is not defined; ends are told."""
    left, right = min(low, high), max(low, high)
    left, right = (max(left, -1e3), min(right, 1e3)) if np.isinf([low, high]).any() else (left, right)
    if left >= right:
        return
    at = np.linspace(left, right, SCANNED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = f.values(at[:, None])
    bad = np.flatnonzero(~np.isfinite(values))
    inner = [k for k in bad.tolist() if 0 < k < SCANNED - 1]
    if inner:
        raise Refusal("data.undefined", f"被积函数在 x={at[inner[0]]:g} 处没有定义，请分段积分或改正", field="f")
    if len(bad):
        report.warn("data.end", "函数在端点 x={x:num} 处没有定义，按广义积分计算。", x=float(at[bad[0]]))


def _write(report: Report, cls: type[NumericalIntegration], form: Any, found: Found) -> None:
    own: dict[str, Any] = {} if found.low is None else {"low": found.low, "high": found.high}
    report.row(cls.result, method=METHODS[form.method], value=found.value, error=found.error, calls=found.calls, **own)


def _judge(report: Report, form: Any, best: Found) -> None:
    share = best.error / abs(best.value) if best.value else best.error
    if not np.isfinite(best.value) or share > 0.01 or best.trouble:
        text_ = "误差估计过大，积分可能发散，或有没有看到的奇点。请画图检查，必要时分段积分。"
        report.check("收敛", "fail", text_)
    else:
        report.check("收敛", "pass", "自适应高斯的误差估计很小，积分收敛。" if form.method != "double"
                     else "误差估计很小，积分收敛。")  # fmt: skip


def _lead(report: Report, form: Any, found: Found, word: str) -> None:
    facts: dict[str, Any] = {"v": found.value, "e": found.error}
    report.lead("{w} 的积分是 {v:num}。", [figure("积分", "{v:num}", "误差约 {e:num}")], w=word, **facts)
    if found.low is not None:
        text_ = "真值可能在 {l:num} 到 {h:num} 之间（95% CI）。"
        report.say(text_, l=found.low, h=found.high)
    report.say(
        f"用{METHODS[form.method]}法求积分，结果为 {{v:num}}，误差估计 {{e:num}}。", voice="paper", v=found.value,
        e=found.error,
    )  # fmt: skip


def _shown(value: float) -> str:
    return "−∞" if value == -np.inf else "∞" if value == np.inf else f"{value:.6g}"
