from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Diagonal,
    Form,
    Method,
    NextStep,
    Points,
    Reference,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    claim,
    combo,
    figure,
    flag,
    integer,
    num,
    number,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.stats.moments import Floats
from hengxi.stats.names import short, titles

STATED, DERIVED = {"derived": "stated"}, {"derived": ("derived_regression", "derived_partial_r")}
QUADRANTS = {
    (True, True): "继续保持", (True, False): "加强改善", (False, True): "供给过度", (False, False): "优先顺序低",
}  # fmt: skip
"""(important, performs well) → what Martilla and James (1977) call it."""
SCALES = (5, 7, 10, 100)
MOST = 60


class ImportancePerformance(Method):
    """What is important and done badly: attributes in four quadrants, with the gap of each tested in pairs."""

    title, title_en = "IPA重要性-绩效分析", "Importance-performance analysis"
    family, tier = "市场与产品研究", "standard"
    purpose = "哪些属性重要但做得不好，应优先改进？"
    aliases = ("IPA", "重要性表现程度分析", "重要性满意度分析", "四象限图", "满意度矩阵", "importance performance")
    references = ("martilla1977", "matzler2004")
    conventions = (
        "差距 = 绩效 − 重要性，配对 t 检验，双侧；*d* = 差值均值 ÷ 差值标准差；不校正多重比较。",
        "象限以十字线为界，恰在线上的算高的一侧；均值、中位数指各属性均值的平均、中位数。",
        "量表中点由观测到的最大值判断量程（5、7、10、100）：最小 1（100 分制为 0）与最大的中点。",
        "推导的重要性：总体评价对全部绩效题回归的标准化系数，或控制其余绩效题的偏相关系数。",
        "改进次序：加强改善象限内，按（重要性 − 绩效）× 重要性从大到小；推导时按重要性 ÷ 绩效。",
        "缺失：所选变量都有值的行参与分析。",
    )
    min_rows = 3

    class Input(Form):
        importance: list[Column] = role("重要性题", "定量", min=0, max=MOST, when=STATED, hint="与绩效题顺序对应")
        performance: list[Column] = role("绩效（满意度）题", "定量", min=2, max=MOST, hint="顺序与重要性题对应")
        overall: Column | None = role("总体评价（推导重要性用）", "定量", min=0, max=1, when=DERIVED)
        derived: str = choice("重要性来源", {
            "stated": "直接询问", "derived_regression": "由回归系数推导", "derived_partial_r": "由偏相关推导",
        })  # fmt: skip
        cross: str = choice(
            "十字线", {"mean": "均值", "median": "中位数", "scale_mid": "量表中点", "custom": "自定义"},
        )  # fmt: skip
        cross_x: float | None = number("绩效的界", None, auto="自定义时必填", when={"cross": "custom"})
        cross_y: float | None = number("重要性的界", None, auto="自定义时必填", when={"cross": "custom"})
        diagonal: bool = flag("等值对角线", True, when=STATED)
        same_scale: bool = flag("核对两组量程", True, when=STATED, advanced=True)

    result = Table(
        "IPA 表", name=text("属性"), importance=combo("重要性 *M* ± *SD*", "mean_sd", "im", "isd", when=STATED),
        derived=num("推导的重要性", when=DERIVED), performance=combo("绩效 *M* ± *SD*", "mean_sd", "pm", "psd"),
        gap=num("差距（绩效 − 重要性）", when=STATED), t=num("*t*", when=STATED), df=integer("df", when=STATED),
        p=pvalue(when=STATED), d=num("*d*", when=STATED), quadrant=text("象限"), place="main",
        claim=claim("named", stat("*t*", "t", "df"), effect="d", effect_symbol="*d*", names=("name",)),
    )  # fmt: skip
    summary = Table(
        "十字线与稳定性",
        rule=text("十字线"),
        x=num("绩效的界"),
        y=num("重要性的界"),
        first=text("加强改善的属性"),
        place="detail",
    )
    priority = Table(
        "改进次序", order=integer("次序"), name=text("属性"), score=num("优先分"), quadrant=text("象限"), place="main"
    )
    points = Points("象限图", name=text("属性"), x=num("绩效"), y=num("重要性"))
    plot = Chart("IPA 象限图", "point", of=points, x="x", y="y", label="name", place="main")

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [
            NextStep(title="哪些因素驱动总体评价", method="questionnaire/key_driver", form={"x": form["performance"]})
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        stated = form.derived == "stated"
        perf = np.column_stack([column.numbers for column in form.performance])
        if stated:
            imp: Floats | None = cls._stated(form)
            level = np.asarray(imp).mean(axis=0)
        else:
            imp, level = None, cls._derive(form, perf)
        names = short([titles(form.performance)[column.id] for column in form.performance])
        means = perf.mean(axis=0)
        x, y = cls._cross(form, form.cross, perf, imp, level)
        quadrants = [QUADRANTS[bool(level[j] >= y), bool(means[j] >= x)] for j in range(len(names))]
        cls._table(report, names, perf, imp, level, quadrants)
        order = cls._priority(report, names, means, level, quadrants, stated)
        cls._stability(report, form, names, perf, imp, level)
        for name, at, high in zip(names, means, level, strict=True):
            report.row(cls.points, name=name, x=float(at), y=float(high))
        over: list[Any] = [Reference(x=x), Reference(y=y)]
        if stated and form.diagonal:
            over.append(Diagonal(label="重要性 = 绩效"))
        report.chart(cls.plot, over=over, titles={"x": "绩效", "y": "重要性" if stated else "推导的重要性"})
        report.note(cls.plot, "左上：加强改善；右上：继续保持；左下：优先顺序低；右下：供给过度。")
        cls._say(report, names, quadrants, order, perf.shape[0])
        return report

    @classmethod
    def _stated(cls, form: Any) -> Floats:
        if len(form.importance) != len(form.performance):
            raise Refusal(
                "matched.incomplete",
                "两组题项数量不一致（重要性 {a} 题，绩效 {b} 题），请一一对应",
                field="importance",
                also=["performance"],
                a=len(form.importance),
                b=len(form.performance),
            )
        imp = np.column_stack([column.numbers for column in form.importance])
        perf = np.column_stack([column.numbers for column in form.performance])
        a, b = scale_of(imp), scale_of(perf)
        if form.same_scale and a != b:
            raise Refusal(
                "data.scale",
                "重要性最大到 {a}、绩效最大到 {b}，量程不同，"
                "差距没有意义，请先统一量程；量程其实相同时，关闭“核对两组量程”",
                field="importance",
                also=["performance"],
                a=f"{imp.max():g}",
                b=f"{perf.max():g}",
                remedies=[SetRemedy(title="量程相同，继续", set={"same_scale": False})],
            )
        return imp

    @classmethod
    def _derive(cls, form: Any, perf: Floats) -> Floats:
        if form.overall is None:
            raise Refusal(
                "role.required",
                "推导重要性要有总体评价，请放入“总体评价”，或改为直接询问",
                field="overall",
                also=["derived"],
                remedies=[SetRemedy(title="改为直接询问", set={"derived": "stated"})],
            )
        n, p = perf.shape
        if n <= p + 1:
            raise Refusal(
                "data.few",
                "样本量 {n} 不足以由 {p} 个属性推导重要性，至少要 {least} 行",
                field="performance",
                n=n,
                p=p,
                least=p + 2,
            )
        data = np.column_stack([perf, form.overall.numbers])
        data = data / np.maximum(np.abs(data).max(axis=0), 1e-300)
        for column, own in zip([*form.performance, form.overall], data.T, strict=True):
            if not column.varies or not own.std() > 0:
                raise Refusal(
                    "role.constant",
                    "“{v}”在有效样本中只有一个取值，没有变异，请移去",
                    field="performance",
                    column=column.id,
                    v=column.title,
                )
        r = np.corrcoef(data, rowvar=False)
        if np.linalg.eigvalsh(r[:-1, :-1])[0] < 1e-9 or np.linalg.eigvalsh(r)[0] < 1e-12:
            raise Refusal(
                "data.collinear",
                "绩效题之间（或与总体评价）完全共线，不能推导重要性，请删去说同一件事的题",
                field="performance",
            )
        if form.derived == "derived_regression":
            return np.asarray(np.linalg.solve(r[:-1, :-1], r[:-1, -1]))
        inverse = np.linalg.inv(r)
        return np.asarray(-inverse[:-1, -1] / np.sqrt(np.diag(inverse)[:-1] * inverse[-1, -1]))

    @classmethod
    def _cross(cls, form: Any, rule: str, perf: Floats, imp: Floats | None, level: Floats) -> tuple[float, float]:
        means = perf.mean(axis=0)
        if rule == "custom":
            if form.cross_x is None or form.cross_y is None:
                raise Refusal(
                    "number.required", "自定义十字线要填绩效的界和重要性的界", field="cross_x", also=["cross_y"]
                )
            return form.cross_x, form.cross_y
        if rule == "median":
            return float(np.median(means)), float(np.median(level))
        if rule == "scale_mid":
            if imp is None:
                raise Refusal(
                    "choice.greyed", "推导的重要性没有量表中点，请把“十字线”改为均值、中位数或自定义", field="cross",
                    remedies=[SetRemedy(title="改用均值", set={"cross": "mean"})],
                )  # fmt: skip
            return middle_of(perf), middle_of(imp)
        return float(means.mean()), float(level.mean())

    @classmethod
    def _table(
        cls, report: Report, names: list[str], perf: Floats, imp: Floats | None, level: Floats, quadrants: list[str]
    ) -> None:
        n = perf.shape[0]
        flat = False
        for j, name in enumerate(names):
            cells: dict[str, Any] = {"pm": float(perf[:, j].mean()), "psd": float(perf[:, j].std(ddof=1))}
            if imp is None:
                cells["derived"] = float(level[j])
            else:
                gap = perf[:, j] - imp[:, j]
                sd = float(gap.std(ddof=1))
                cells |= {"im": float(level[j]), "isd": float(imp[:, j].std(ddof=1)), "gap": float(gap.mean())}
                if sd > 1e-12 * max(1e-300, float(np.abs(gap).max())) and np.isfinite(sd):
                    t = float(gap.mean()) / (sd / np.sqrt(n))
                    p = float(2 * stats.t.sf(abs(t), n - 1))
                    cells |= {"t": t, "df": n - 1, "p": p, "d": float(gap.mean()) / sd}
                else:
                    flat = True
            report.row(cls.result, name=name, quadrant=quadrants[j], **cells)
        if flat:
            report.note(cls.result, "空格：每份的差距都相同，不能检验。")
        if imp is not None and not (perf != imp).any():
            report.warn("data.same", "重要性与绩效完全相同，请核对是否放错了变量。")

    @classmethod
    def _priority(
        cls, report: Report, names: list[str], means: Floats, level: Floats, quadrants: list[str], stated: bool
    ) -> list[str]:
        """The attributes to be improved first, then the others; gives the names of the first group."""
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = (level - means) * level if stated else np.where(means != 0, level / means, 0.0)
        order = sorted(range(len(names)), key=lambda j: (quadrants[j] != "加强改善", -scores[j]))
        for rank, j in enumerate(order, 1):
            report.row(cls.priority, order=rank, name=names[j], score=float(scores[j]), quadrant=quadrants[j])
        return [names[j] for j in order if quadrants[j] == "加强改善"]

    @classmethod
    def _stability(
        cls, report: Report, form: Any, names: list[str], perf: Floats, imp: Floats | None, level: Floats
    ) -> None:
        found = {}
        for rule, title in (("mean", "均值"), ("median", "中位数")):
            x, y = cls._cross(form, rule, perf, imp, level)
            weak = [name for name, a, b in zip(names, perf.mean(axis=0), level, strict=True) if b >= y and a < x]
            found[rule] = weak
            report.row(cls.summary, rule=title, x=x, y=y, first="、".join(weak) or "无")
        apart = sorted(set(found["mean"]) ^ set(found["median"]), key=names.index)
        if apart:
            report.check(
                "十字线", "care", "换用均值或中位数作界，“{names:text}”是否列入加强改善会变，下结论要谨慎。",
                names="”“".join(apart[:5]),
            )  # fmt: skip
        else:
            report.check("十字线", "pass", "用均值或中位数作界，加强改善的属性相同。")

    @classmethod
    def _say(cls, report: Report, names: list[str], quadrants: list[str], order: list[str], n: int) -> None:
        facts: dict[str, Any] = {"k": len(names), "weak": len(order), "n": n}
        if order:
            report.lead(
                "{k:integer} 个属性中，重要而做得不好、应先改进的有 {weak:integer} 个：“{names:text}”。",
                [figure("加强改善", "{weak:integer}"), figure("问卷", "{n:integer}")],
                names="”“".join(order[:5]),
                **facts,
            )
        else:
            report.lead("{k:integer} 个属性中，没有重要而做得不好的。", [figure("问卷", "{n:integer}")], **facts)
        kept = [name for name, one in zip(names, quadrants, strict=True) if one == "继续保持"]
        if kept:
            report.say("重要且做得好、应继续保持的：“{names:text}”。", names="”“".join(kept[:5]))
        report.say("象限是相互比较的结果：十字线用均值时，总有属性在线下，不等于它们绝对地差。", voice="student")


def scale_of(values: Floats) -> int:
    most = float(values.max())
    return next((top for top in SCALES if most <= top), 0)


def middle_of(values: Floats) -> float:
    top = scale_of(values)
    if top == 0:
        return float(values.min() / 2 + values.max() / 2)
    return 50.0 if top == 100 else (1 + top) / 2
