"""What every control chart shares: settings, limits by phase, rules, tables, figure and sentences.

A member gives `estimate(form, data, kept)` → what is known of each phase, and `panels(form, data, known)` → the plotted
statistics with centre line and standard error; `write` does the rest. `kept`: the points the limits are computed from,
all of them unless points out of control are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Chart,
    FrozenLimits,
    Method,
    MethodRemedy,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    few_of,
    few_rows,
    filled,
    flag,
    integer,
    level,
    many,
    num,
    number,
    rows_column,
    text,
)
from hengxi.contract import frozen as frozen_field
from hengxi.contract.when import Condition
from hengxi.families.control.rules import RULES, SETS, ZONES, RuleSet, signals, words
from hengxi.families.control.subgroups import Phases
from hengxi.stats.names import number_words

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

DRAWN = 1000
"""So many points a figure can show apart; of longer runs the last ones are drawn."""
ENOUGH = 20
NAMED = 5


def rule_set() -> Any:
    titles = {"gbt": "GB/T 17989（8 项）", "nelson": "Nelson", "western_electric": "西部电气 4 项", "aiag": "AIAG"}
    return choice("规则集", titles, hint="同侧连续点数：GB/T 与 Nelson 9，西部电气 8，AIAG 7", advanced=True)


def rules() -> Any:
    titles = {key: title.format(same=9) for key, title in RULES.items()}
    return many("判异准则", titles, default=("nelson1",), min=1, hint="准则选得越多，误报越多")


def k_sigma() -> Any:
    return number("控制限倍数", 3, least=1, most=6, advanced=True)


ESTIMATED = {"frozen_limits": None}
"""Where limits come from the data: settings of the estimate are of no use beside frozen limits."""


def frozen_limits() -> Any:
    return frozen_field(
        "用已冻结的控制限（选填）", table="standard", auto="由这批数据估计",
        hint="在一份控制图报告里冻结控制限，就能用它判断以后的数据",
    )  # fmt: skip


def known_centre() -> Any:
    return number("已知中心值", None, auto="由数据估计", advanced=True, when=ESTIMATED)


def known_sigma() -> Any:
    return number("已知标准差", None, above=0, auto="由数据估计", advanced=True, when=ESTIMATED)


def target() -> Any:
    return number("目标值", None, auto="全部数据的均值", when=ESTIMATED)


def baseline() -> Any:
    """Limits of one phase, by which the others are judged: phase II of the textbooks."""
    return level(
        "基准阶段（选填）", of="phase", auto="各阶段分别计算控制限", when={"phase": filled, **ESTIMATED},
        hint="只用这个阶段定控制限，其余阶段（比如新数据）按它判断",
    )  # fmt: skip


def exclude(when: Condition | None = ESTIMATED) -> Any:
    """`when` is None where the chart takes no frozen limits."""
    return flag("计算控制限时剔除失控点", False, hint="超出控制限的点不参与估计，仍画在图上", advanced=True, when=when)


@dataclass(frozen=True)
class Panel:
    """One statistic in its order. `se`: one standard error; `lower`, `upper`: the least and greatest value there can be
    (0 of a range, 1 of a share). `ucl`, `lcl` where they are not centre ± k se. `zones`: do rules of zones apply?
    `runs`: do rules of points in a row (of points that share data they do not)?"""

    name: str
    value: Floats
    cl: Floats
    se: Floats
    lower: float = -np.inf
    upper: float = np.inf
    zones: bool = True
    ucl: Floats | None = None
    lcl: Floats | None = None
    runs: bool = True
    reach: int = 1
    """So many points, its own the last, make up a value (of a moving range more than its own)."""

    def limits(self, k: float) -> tuple[Floats, Floats]:
        low = self.cl - k * self.se if self.lcl is None else self.lcl
        high = self.cl + k * self.se if self.ucl is None else self.ucl
        return np.maximum(low, self.lower), np.minimum(high, self.upper)

    def beyond(self, k: float) -> Bools:
        low, high = self.limits(k)
        # A value on its limit is in control, also where rounding puts the limit a bit inside.
        slack = 1e-9 * np.maximum(np.abs(high), np.abs(low))
        return np.asarray((self.value > high + slack) | (self.value < low - slack))


@dataclass(frozen=True)
class Run:
    """The points in their order: what they are called, how many values each rests on, their rows, their phases."""

    labels: list[str]
    n: Ints
    rows: list[list[int]]
    phases: Phases

    def __len__(self) -> int:
        return len(self.labels)

    def rows_of(self, i: int, reach: int = 1) -> list[int]:
        """The rows behind a point that is made of so many points."""
        return [row for part in self.rows[max(0, i + 1 - reach) : i + 1] for row in part]


@dataclass(frozen=True)
class Standard:
    """What the limits of a phase rest on; `extra`: see `FrozenLimits`."""

    center: float
    sigma: float | None = None
    extra: float | None = None


Estimate = Callable[[Bools], list[Panel]]
"""Panels with limits from the points that are kept."""


def _limits_table(*phase: Any) -> Table:
    return Table(
        "控制限", **dict(zip(("phase",), phase, strict=False)), panel=text("图"), points=integer("点数"),
        cl=num("中心线 CL"), lcl=num("下限 LCL"), ucl=num("上限 UCL"), sigma=num("σ̂", least=0),
        signals=integer("失控点数"), merge=("phase",) if phase else (), place="main",
    )  # fmt: skip


def _points_table(*phase: Any) -> Table:
    return Table(
        "逐点明细", panel=text("图"), index=integer("序号"), label=text("子组"),
        **dict(zip(("phase",), phase, strict=False)), n=integer("*n*"), value=num("取值"), cl=num("中心线 CL"),
        lcl=num("下限 LCL"), ucl=num("上限 UCL"), signal=text("判异"), place="detail",
    )  # fmt: skip


class ControlChart(Method):
    """`write` fills these tables; a member adds its own besides."""

    family = "质量控制"
    row_order = True
    measured: ClassVar[str] = "measures"
    """The role with what is measured or counted."""

    control_limits = _limits_table(text("阶段", when={"phase": filled}))
    signals = Table(
        "失控点", panel=text("图"), index=integer("序号"), label=text("子组"), value=num("取值"), cl=num("中心线 CL"),
        lcl=num("下限 LCL"), ucl=num("上限 UCL"), rules=text("触发的准则"), rows=rows_column("数据行"), place="main",
    )  # fmt: skip
    points = _points_table(text("阶段", when={"phase": filled}))
    drawn = Points(
        "控制图数据", panel=text("图"), index=integer("序号"), label=text("子组"), phase=text("阶段"),
        value=num("取值"), cl=num("中心线 CL"), lcl=num("下限 LCL"), ucl=num("上限 UCL"), signal=text("判异"),
        rows=rows_column("数据行"),
    )  # fmt: skip
    plot = Chart(
        "控制图", "control", of=drawn, index="index", value="value", cl="cl", ucl="ucl", lcl="lcl", signal="signal",
        phase="phase", panel="panel", label="label", rows="rows", place="main",
    )  # fmt: skip

    @classmethod
    def write(
        cls,
        report: Report,
        form: Any,
        run: Run,
        estimate: Estimate,
        sigma: Callable[[Bools], Floats] | None = None,
        rests: Callable[[Bools], list[Standard]] | None = None,
    ) -> list[Panel]:
        """Limits, signals, figure, conclusion and checks. `sigma`: σ̂ of each phase from the kept points; `rests`: what
        the limits of each rest on, where that is not the centre line of the first panel and σ̂."""
        k = cls.width(form)
        base = base_of(form, run.phases)
        kept, panels = settled(form, run, estimate, k, base)
        cls._judge_size(panels, k)
        found = [_signals(form, panel, run.phases.code, k) for panel in panels]
        spreads = None if sigma is None else sigma(kept)
        cls._limits(report, run, panels, found, spreads, k)
        cls._points(report, form, run, panels, found, k)
        counts = {panel.name: int(_any(marks).sum()) for panel, marks in zip(panels, found, strict=True)}
        if not any(counts.values()):
            report.skip(cls.signals, "没有失控点")
        cls._say(report, form, run, panels, found, counts)
        cls._checks(report, form, run, kept, panels)
        rows = drawn_standards(form, run, panels, spreads) if rests is None else rests(kept)
        cls.keep_standard(report, form, run, kept, rows)
        if not base.all() and not _is_known(form):
            report.note(
                cls.control_limits, "控制限由基准阶段“{v}”的 {n:integer} 个点定下，其余阶段的点按它判断。",
                v=form.baseline.label, n=int(kept.sum()),
            )  # fmt: skip
        return panels

    @classmethod
    def keep_standard(cls, report: Report, form: Any, run: Run, kept: Bools, rows: list[Standard]) -> None:
        """What of this report may be frozen: see `Freezes`."""

    spread_beside: ClassVar[bool] = True
    """Does a panel without zones show what spreads within subgroups, on which the limits of the means rest?"""
    spread_means: ClassVar[str] = "说明子组内的波动不稳定，均值图的控制限不可靠，先解决它。"
    """What a signal in that panel says."""
    counted: ClassVar[str] = "子组序号"
    """What the points are numbered as."""
    runs_on: ClassVar[bool] = False
    """Do limits settle as the points go on? Then those of the last point are shown."""

    @classmethod
    def shown_limit(cls, run: Run, cells: Floats) -> float | None:
        """The limit all points share; None where it differs."""
        settles = cls.runs_on and cells.size > 0 and int(run.n.min()) == int(run.n.max())
        return float(cells[-1]) if settles else _common(cells)

    @classmethod
    def width(cls, form: Any) -> float:
        """How many standard errors the limits are away from the centre line."""
        return float(form.k_sigma)

    @classmethod
    def limits_said(cls, form: Any) -> str:
        """How wide the limits are, in a sentence."""
        return f"{number_words(cls.width(form))}σ 控制限"

    @classmethod
    def heading(cls, form: Any) -> str:
        columns = getattr(form, cls.measured)
        titles = [column.title for column in columns] if isinstance(columns, list) else [columns.title]
        return f"{cls.title.split('（')[0]}：{few_of(titles)}"

    @classmethod
    def _judge_size(cls, panels: list[Panel], k: float) -> None:
        """Squares of values beyond 1e150 are no numbers any more."""
        for panel in panels:
            there = ~np.isnan(panel.value)
            arrays = (panel.value, panel.cl, panel.se, *panel.limits(k))
            if not all(np.isfinite(array[there]).all() for array in arrays):
                text = "数值太大，算不出控制限，请换一个单位（例如除以 1000）"
                raise Refusal("data.range", text, field=cls.measured)

    # ---- tables --------------------------------------------------------------------------------------------------
    @classmethod
    def _limits(
        cls,
        report: Report,
        run: Run,
        panels: list[Panel],
        found: list[dict[str, Bools]],
        sigma: Floats | None,
        k: float,
    ) -> None:
        varying = False
        for number_of, name in enumerate(run.phases.names):
            among = run.phases.code == number_of
            for panel, marks in zip(panels, found, strict=True):
                there = among & ~np.isnan(panel.value)
                low, high = panel.limits(k)
                cells = [cls.shown_limit(run, array[there]) for array in (panel.cl, low, high)]
                varying = varying or None in cells
                named: dict[str, Any] = {"phase": name or None} if "phase" in cls.control_limits.columns else {}
                report.row(
                    cls.control_limits, **named, panel=panel.name, points=int(there.sum()), cl=cells[0],
                    lcl=cells[1], ucl=cells[2],
                    # A statistic whose limits do not come from a standard error has none to show.
                    sigma=(_common(panel.se[there]) or None) if sigma is None
                    else float(sigma[number_of if sigma.size > 1 else 0]),
                    signals=int((_any(marks) & among).sum()),
                )  # fmt: skip
        if varying:
            report.note(cls.control_limits, "控制限逐点不同，各点的值见“逐点明细”。")
        elif any(_common(limit) is None for panel in panels for limit in panel.limits(k)) and cls.runs_on:
            report.note(cls.control_limits, "前面的点控制限不同，见“逐点明细”；表中是最后一点的控制限。")

    @classmethod
    def _points(
        cls, report: Report, form: Any, run: Run, panels: list[Panel], found: list[dict[str, Bools]], k: float
    ) -> None:
        drawn = min(len(run), DRAWN)
        for panel, marks in zip(panels, found, strict=True):
            low, high = panel.limits(k)
            marked = _any(marks)
            there = np.flatnonzero(~np.isnan(panel.value))
            cells = {
                "panel": np.full(there.size, panel.name, dtype=object),
                "index": there + 1,
                "phase": np.array([run.phases.names[code] or None for code in run.phases.code[there]], dtype=object),
                "value": panel.value[there],
                "cl": panel.cl[there],
                "lcl": low[there],
                "ucl": high[there],
                "signal": np.array([_numbers(marks, int(i)) if marked[i] else None for i in there], dtype=object),
            }
            labels = np.array([run.labels[i] for i in there], dtype=object)
            shown = {**cells, "label": labels, "n": run.n[there]}
            report.add_rows(cls.points, {key: shown[key] for key in shown if key in cls.points.columns})
            last = there[-DRAWN:]
            named = [_named(marks, int(i), _set_of(form)) if marked[i] else None for i in last]
            report.add_rows(
                cls.drawn,
                {key: column[-DRAWN:] for key, column in {**cells, "label": labels}.items()}
                | {"signal": named, "rows": [few_rows(run.rows_of(int(i), panel.reach)) for i in last]},
            )
            for i in np.flatnonzero(marked)[:DRAWN]:
                report.row(
                    cls.signals, panel=panel.name, index=int(i) + 1, label=run.labels[i], value=float(panel.value[i]),
                    cl=float(panel.cl[i]), lcl=float(low[i]), ucl=float(high[i]), rules=_named(marks, i, _set_of(form)),
                    rows=run.rows_of(int(i), panel.reach),
                )  # fmt: skip
        report.chart(
            cls.plot,
            titles={"x": cls.counted, "y": "取值"},
            thinned=(drawn, len(run)) if drawn < len(run) else None,
        )

    # ---- sentences -------------------------------------------------------------------------------------------------
    @classmethod
    def _say(
        cls, report: Report, form: Any, run: Run, panels: list[Panel], found: list[dict[str, Bools]],
        counts: dict[str, int],
    ) -> None:  # fmt: skip
        out = {name: count for name, count in counts.items() if count}
        titles = "、".join(panel.name for panel in panels)
        asked = "、".join(words(rule, _set_of(form)) for rule in _applied(form))
        if not out:
            report.lead(
                "过程受控：{n:integer} 个点都没有触发判异准则，波动看起来只是偶然原因造成的。", n=len(run),
            )  # fmt: skip
            finding = "没有失控点"
        else:
            first = next((name, marks) for (name, count), marks in zip(counts.items(), found, strict=True) if count)
            where = _listed(run, first[1])
            others = [name for name in out if name != first[0]]
            report.lead(
                "过程失控：{panel}图有 {k:integer} 个点触发判异准则（{where}）{also}，请查找这些点发生了什么。",
                panel=first[0], k=out[first[0]], where=where,
                also=f"，{'、'.join(others)}图也有失控点" if others else "",
            )  # fmt: skip
            finding = "；".join(f"{name}图 {count} 个失控点" for name, count in out.items())
        # Beside means stands what spreads within subgroups; a chart alone has no such panel.
        beside = panels if len(panels) > 1 and cls.spread_beside else []
        spread = next((panel.name for panel in beside if not panel.zones and counts[panel.name]), None)
        reading = (
            "{spread}图有失控点，" + cls.spread_means
            if spread
            else "失控点说明有特殊原因；先找原因并消除，再重算控制限。"
            if out
            else "受控只说明过程稳定，不等于产品合格；合不合格要和规格比较。"
        )
        report.voices(
            [(_origin(form) + reading, {"spread": spread or "", **_kept_name(form)})],
            [
                (
                    "绘制{titles}控制图（{n:integer} 个点，{limits}，判异准则：{asked}）：{finding}。",
                    {"titles": titles, "n": len(run), "limits": cls.limits_said(form), "asked": asked,
                     "finding": finding},
                )
            ],
            [("{finding}。", {"finding": finding})],
        )  # fmt: skip

    @classmethod
    def _checks(cls, report: Report, form: Any, run: Run, kept: Bools, panels: list[Panel]) -> None:
        if _is_known(form):
            return
        own = frozen(form, run.phases)
        least = min(int((kept & (own.code == code)).sum()) for code in range(len(own.names)))
        report.check(
            "点数", "care" if least < ENOUGH else "pass",
            "控制限由 {n:integer} 个点估计"
            + ("，不足 20 个，只宜试用，积累数据后重算。" if least < ENOUGH else "，足够稳定。"),
            n=least,
        )  # fmt: skip
        left = int(base_of(form, run.phases).sum()) - int(kept.sum())
        if left:
            report.note(cls.control_limits, "计算控制限时剔除了 {n:integer} 个失控点。", n=left)


def _kept_limits(form: Any) -> FrozenLimits | None:
    return getattr(form, "frozen_limits", None)


def _kept_name(form: Any) -> dict[str, str]:
    kept = _kept_limits(form)
    return {} if kept is None else {"kept": kept.name}


CENTRES = {"center": "中心值", "target": "目标值"}


def _given(form: Any) -> str:
    """What was typed in, where nothing that limits rest on comes from the data; else empty."""
    fields = type(form).fields
    name = next((name for key, name in CENTRES.items() if getattr(form, key, None) is not None), "")
    # A correction or a shape is estimated all the same.
    if getattr(form, "limits", None) == "laney" or getattr(form, "model", None) == "weibull":
        return ""
    if not name or "sigma" not in fields:
        return name
    return f"{name}和标准差" if form.sigma is not None else ""


def _is_known(form: Any) -> bool:
    return _kept_limits(form) is not None or _given(form) != ""


def _origin(form: Any) -> str:
    if _kept_limits(form) is not None:
        return "控制限沿用冻结的“{kept}”，没有由这批数据重新估计。"
    given = _given(form)
    return f"控制限由给定的{given}算出。" if given else "控制限由过程自身的波动算出。"


class Freezes:
    """A chart whose limits can be kept, and that can be judged by kept ones. Beside `ControlChart`.

    `standard` holds what limits rest on, a row for each phase that has its own.
    """

    standard = Points(
        "可冻结的控制限", phase=text("阶段"), points=integer("点数"), center=num("中心值"), sigma=num("标准差"),
        extra=num("另一个参数"), n=integer("子组大小"), kind=text("种类"),
    )  # fmt: skip
    centre_field: ClassVar[str] = "center"
    sized: ClassVar[bool] = True
    """Do limits belong to subgroups of one size? Those of rates are made anew for every size."""

    @classmethod
    def kind_of(cls, form: Any) -> tuple[str | None, str]:
        """Which of its distributions or corrections the chart uses, and what a reader calls it."""
        return None, ""

    @classmethod
    def settled(cls, form: Any, n: Ints) -> Any:
        """The form with centre and σ of the frozen limits, where some are chosen; refused where they do not fit."""
        kept = _kept_limits(form)
        if kept is None:
            return form
        cls._judge_kept(form, kept, n)
        known = copy(form)
        setattr(known, cls.centre_field, kept.center)
        if "sigma" in type(form).fields:
            known.sigma = kept.sigma
        return known

    @classmethod
    def _judge_kept(cls, form: Any, kept: FrozenLimits, n: Ints) -> None:
        own = cast(Any, cls)
        anew = SetRemedy(title="由这批数据估计控制限", set={"frozen_limits": None})
        if kept.path != own.__module__.removeprefix("hengxi.methods.").removesuffix(".method").replace(".", "/"):
            raise Refusal(
                "frozen.method",
                "“{kept}”冻结自{theirs}，不能用于{ours}；请另选一份，或改做{theirs}", field="frozen_limits",
                kept=kept.name, theirs=kept.method, ours=own.title,
                remedies=[anew, MethodRemedy(title=f"改做{kept.method}", method=kept.path, carry=[own.measured])],
            )  # fmt: skip
        kind, words = cls.kind_of(form)
        if kept.kind != kind:
            raise Refusal(
                "frozen.kind",
                "“{kept}”不是按{words}冻结的，不能用在这里；请把设置改得与原来的报告“{report}”一样，或另选一份",
                field="frozen_limits", kept=kept.name, words=words, report=kept.report, remedies=[anew],
            )  # fmt: skip
        if kept.n is not None and (n != kept.n).any():
            at = int(np.flatnonzero(n != kept.n)[0])
            raise Refusal(
                "frozen.size",
                "“{kept}”冻结自每组 {size} 个值的子组，这份数据的第 {at} 个子组有 {here} 个值；"
                "请把子组大小改成 {size}，或改为由这批数据估计",
                field="frozen_limits", kept=kept.name, size=kept.n, at=at + 1, here=int(n[at]), remedies=[anew],
            )  # fmt: skip

    @classmethod
    def keep_standard(cls, report: Report, form: Any, run: Run, kept: Bools, rows: list[Standard]) -> None:
        own = frozen(form, run.phases)
        sizes = np.unique(run.n)
        for code, (name, one) in enumerate(zip(own.names, rows, strict=True)):
            report.row(
                cls.standard, phase=name or None, center=one.center, sigma=one.sigma, extra=one.extra,
                # What was typed in rests on no point.
                points=0 if _given(form) else int((kept & (own.code == code)).sum()),
                n=int(sizes[0]) if cls.sized and sizes.size == 1 else None,
                kind=cls.kind_of(form)[0],
            )  # fmt: skip
        chosen, own_class = _kept_limits(form), cast(Any, cls)
        if chosen is not None:
            whence = f"“{chosen.variable}”" + (f"阶段“{chosen.phase}”" if chosen.phase else "")
            rests_on = "由{whence}的 {n:integer} 个点定下。" if chosen.points else "由当时给定的数值算出。"
            report.note(
                own_class.control_limits, "控制限沿用“{kept}”：{made} 的报告“{report}”，" + rests_on,
                kept=chosen.name, made=chosen.made_at, report=chosen.report, whence=whence, n=chosen.points,
            )  # fmt: skip


def drawn_standards(form: Any, run: Run, panels: list[Panel], spreads: Floats | None) -> list[Standard]:
    """Of each phase with limits of its own the centre line and σ̂."""
    own = frozen(form, run.phases)
    first = [int(np.flatnonzero(own.code == code)[0]) for code in range(len(own.names))]
    sigma = [None] * len(first) if spreads is None else np.broadcast_to(spreads, len(first)).tolist()
    return [Standard(float(panels[0].cl[i]), one) for i, one in zip(first, sigma, strict=True)]


def base_of(form: Any, phases: Phases) -> Bools:
    """The points limits may rest on: all, or those of the baseline."""
    chosen = getattr(form, "baseline", None)
    if chosen is None:
        return np.ones(phases.code.size, dtype=bool)
    return np.asarray(phases.code == phases.names.index(chosen.label))


def frozen(form: Any, phases: Phases) -> Phases:
    """The phases limits are estimated by: with a baseline there is one, which all points belong to."""
    chosen = getattr(form, "baseline", None)
    return phases if chosen is None else Phases(np.zeros_like(phases.code), [chosen.label])


def settled(form: Any, run: Run, estimate: Estimate, k: float, base: Bools) -> tuple[Bools, list[Panel]]:
    """Limits from all points, or, where that is asked for, from those within limits, until none falls out any more."""
    kept, own = base, frozen(form, run.phases)
    panels = estimate(kept)
    while getattr(form, "exclude", False):
        outside = np.logical_or.reduce([np.nan_to_num(panel.beyond(k)).astype(bool) for panel in panels])
        now = kept & ~outside
        if (now == kept).all():
            break
        if any((now & (own.code == code)).sum() < 2 for code in range(len(own.names))):
            text = "剔除失控点后剩下不到 2 个点，请关闭“计算控制限时剔除失控点”"
            raise Refusal("data.few", text, field="exclude")
        kept = now
        panels = estimate(kept)
    return kept, panels


def _set_of(form: Any) -> RuleSet:
    return SETS[getattr(form, "rule_set", "gbt")]


def _applied(form: Any) -> list[str]:
    """The chosen rules that the set has; where a chart offers none, points beyond the limits."""
    return [rule for rule in getattr(form, "rules", ["nelson1"]) if rule in _set_of(form).has]


def _signals(form: Any, panel: Panel, phase: Ints, k: float) -> dict[str, Bools]:
    asked = [
        rule for rule in _applied(form)
        if (panel.zones or rule not in ZONES) and (panel.runs or rule == "nelson1")
    ]  # fmt: skip
    beyond = np.nan_to_num(panel.beyond(k)).astype(bool)
    if not asked:
        return {"none": np.zeros(panel.value.size, dtype=bool)}
    return signals(panel.value, panel.cl, panel.se, beyond, phase, asked, _set_of(form))


def _any(marks: dict[str, Bools]) -> Bools:
    return np.asarray(np.logical_or.reduce(list(marks.values())))


def _numbers(marks: dict[str, Bools], i: int) -> str:
    return "准则 " + "、".join(rule.removeprefix("nelson") for rule, mask in marks.items() if mask[i])


def _named(marks: dict[str, Bools], i: int, rules_of: RuleSet) -> str:
    return "；".join(
        f"准则 {rule.removeprefix('nelson')}：{words(rule, rules_of)}" for rule, mask in marks.items() if mask[i]
    )


def _listed(run: Run, marks: dict[str, Bools]) -> str:
    places = np.flatnonzero(_any(marks))
    shown = "".join(f"“{run.labels[i]}”" for i in places[:NAMED])
    return shown + (f" 等 {places.size} 个" if places.size > NAMED else "")


def _common(cells: Floats) -> float | None:
    """The value all points share, None where they differ."""
    return float(cells[0]) if cells.size and np.ptp(cells) <= 1e-12 * max(1.0, abs(float(cells[0]))) else None


def check_rules(report: Report, form: Any) -> None:
    """Rules the chosen set does not have are said; none left is refused."""
    missing = [rule for rule in form.rules if rule not in SETS[form.rule_set].has]
    if len(missing) == len(form.rules):
        raise Refusal("rules.none", "“西部电气 4 项”没有所选的准则，请选准则 1、2、5、6", field="rules")
    if missing:
        report.warn(
            "rules.left_out", "{title}没有准则 {rules}，没有判断。", title=SETS[form.rule_set].title,
            rules="、".join(rule.removeprefix("nelson") for rule in missing),
        )  # fmt: skip


def by_phase(phases: Phases, per_phase: Sequence[float] | Floats) -> Floats:
    """A number of each phase, at each of its points."""
    return np.asarray(per_phase, dtype=float)[phases.code]


class SingleRun(ControlChart):
    """A chart without phases: sums and averages over time run through."""

    runs_on = True
    control_limits = _limits_table()
    points = _points_table()
