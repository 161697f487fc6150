"""A number cut into classes. Bins take their upper end unless said; the smallest (or largest) value is never lost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    ColumnToBe,
    Form,
    Level,
    Points,
    Processing,
    Refusal,
    Report,
    Table,
    choice,
    few_of,
    figure,
    flag,
    integer,
    level,
    num,
    numbers,
    percent,
    role,
    text,
    words,
)
from hengxi.contract.columns import Floats
from hengxi.methods.data_processing._shared.woe import Weights, weights_of
from hengxi.stats import cut_points
from hengxi.stats.moments import moments
from hengxi.stats.names import titles

SUPERVISED = ("tree", "chimerge", "mdlp")
COUNTED = ("width", "quantile", "kmeans", "jenks", "tree", "chimerge")
WITH_TARGET: list[Mapping[str, Any]] = [{"woe": True}, {"method": SUPERVISED}]
NAMED = 5


@dataclass
class Binned:
    """One variable: its bins' ends and the bin of each row (0 is the first, −1 none)."""

    column: Column
    low: list[float]
    high: list[float]
    codes: npt.NDArray[np.int64]
    labels: list[str]
    outside: int

    @property
    def counts(self) -> list[int]:
        return [int(n) for n in np.bincount(self.codes[self.codes >= 0], minlength=len(self.low))]


class Binning(Processing):
    """How the bins lie, how full they are, and with a target how it differs between them."""

    title, title_en = "数据分箱", "Binning / discretization"
    family, tier = "数据处理", "standard"
    version = 2
    purpose = "把连续变量切成有意义的区间"
    aliases = ("分箱", "离散化", "分段", "分组变量", "等宽", "等频")
    references = ("fisher1958", "kerber1992", "fayyad1993", "siddiqi2006")
    conventions = (
        "区间默认左开右闭，首箱含最小值；改为左闭右开时末箱含最大值。",
        "等频的切点是分位数（R 的 type 7）；相同的切点、两个切点之间没有数据的并成一个，因此箱数可能少于所选。",
        "均值±标准差的切点为均值 −2s、−s、均值、+s、+2s 中落在数据范围内的。",
        "WOE = ln(箱内事件占全部事件之比 ÷ 箱内非事件占全部非事件之比)；某箱有一侧为 0 时，该箱两侧各加 0.5 并注明。",
        "K-means 取组内平方和最小的分组，切点在相邻两组均值的中间；决策树的每箱至少占目标有值的行的 5%。",
        "自然断点和 K-means 的不同取值超过 2000 个、卡方合并超过 200 个时，先按次序并成这么多组再找切点。",
    )

    class Input(Form):
        variables: list[Column] = role("处理变量", "定量", min=1, max=None)
        target: Column | None = role("目标变量（有监督分箱）", "任意")
        method: str = choice(
            "方法",
            {
                "width": "等宽", "quantile": "等频", "custom": "自定义切点", "kmeans": "K-means", "sd": "均值±标准差",
                "jenks": "自然断点", "tree": "决策树（有监督）", "chimerge": "卡方合并（有监督）", "mdlp": "MDLP",
            },
            default="quantile",
        )  # fmt: skip
        n_bins: int = integer("箱数", 4, least=2, most=100, when={"method": COUNTED})
        cuts: list[float] = numbers("自定义切点", increasing=True, min=1, when={"method": "custom"})
        open_ends: bool = flag("自定义切点两端开放（k 个切点得 k + 1 箱）", True, when={"method": "custom"})
        right: bool = flag("区间右闭（首箱含最小值）", True)
        labels: str = choice(
            "标签形式",
            {"interval": "区间", "index": "序号1..k", "median": "箱中位数", "custom": "自定义"},
        )
        label_text: str = words("自定义标签", hint="用逗号隔开，个数等于箱数", when={"labels": "custom"})
        woe: bool = flag("输出WOE/IV", False)
        event: Level | None = level("WOE的事件水平", of="target", auto="last", when={"woe": True})
        mode: str = choice("结果写入", {"new": "新增变量", "replace": "在新版本中替换原变量"})
        suffix: str = words("新变量后缀", "_分箱", kind="name", longest=20, when={"mode": "new"})

    bins = Table(
        "分箱表", variable=text("变量"), bin=text("箱"), label=text("标签"), low=num("下限"), high=num("上限"),
        n=integer("频数"), percent=percent("占比", sums_within=("variable",)), merge=("variable",),
    )  # fmt: skip
    target = Table(
        "目标与WOE", variable=text("变量"), bin=text("箱"), n=integer("有目标的频数"), events=integer("事件数"),
        rate=percent("目标率"), woe=num("WOE"), iv=num("IV", least=0), mean=num("目标均值"), merge=("variable",),
        when=WITH_TARGET,
    )  # fmt: skip
    drawn = Points("分箱条形图", bin=text("箱"), n=integer("频数"))
    bars = Chart("分箱条形图", "bar", of=drawn, x="bin", y="n", place="main")

    @classmethod
    def heading(cls, form: Any) -> str:
        names = list(titles(form.variables).values())
        return f"{few_of(names)}的分箱"

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        if form["mode"] != "new":
            return []
        chosen: list[ColumnInfo] = [column for column in columns if column.id in form["variables"]]
        return [ColumnToBe(name=f"{one.name}{form['suffix']}", measure="定类", source=one.id) for one in chosen]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = titles(form.variables)
        if (form.woe or form.method in SUPERVISED) and form.target is None:
            raise Refusal("target.required", "请放入目标变量", field="target")
        if form.woe and form.target is not None and (k := len(form.target.levels)) != 2:
            text_ = f"“{form.target.title}”有 {k:,} 个类别，WOE 只适用于两类目标"
            raise Refusal("woe.levels", text_, field="target", column=form.target.id, k=k)
        found = [cls._bin(report, column, names[column.id], form) for column in form.variables]
        for one in found:
            name = names[one.column.id]
            levels: list[tuple[Any, str]] = [(i + 1, label) for i, label in enumerate(one.labels)]
            codes = np.where(one.codes < 0, np.nan, one.codes + 1.0)
            report.put(form, one.column, codes, measure="定类", ordered=True, levels=levels)
            cls._tables(report, one, name)
            if form.target is not None and (form.woe or form.method in SUPERVISED):
                cls._target(report, one, name, form)
        cls._say(report, found, names, form)
        return report

    # ---- the cuts --------------------------------------------------------------------------------------------------
    @classmethod
    def _bin(cls, report: Report, column: Column, name: str, form: Any) -> Binned:
        x = column.numbers
        known = x[~np.isnan(x)]
        if not len(known):
            raise Refusal("role.empty", f"“{name}”全部缺失，不能分箱", field="variables", column=column.id)
        if not known.min() < known.max() and form.method != "custom":
            text_ = f"“{name}”只有一个取值，不能分箱"
            raise Refusal("role.constant", text_, field="variables", column=column.id)
        cuts = np.unique(cls._cuts(column, known, form))
        if form.method == "custom":
            return cls._laid(report, column, name, form, *_custom_ends(cuts, form.open_ends))
        cuts = cuts[(cuts >= known.min()) & (cuts < known.max())] if form.right else cuts[cuts > known.min()]
        if form.method == "quantile":
            cuts = cut_points.parting(known, cuts, form.right)
        k = len(cuts) + 1
        if form.method in COUNTED and k < form.n_bins:
            reason = "相同的值太多，" if form.method == "quantile" else ""
            text_ = f"“{{v}}”{reason}只能分成 {{k:integer}} 箱。"
            report.warn("bins.fewer", text_, columns=[column], v=name, k=k)
        if form.method == "mdlp" and k == 1:
            text_ = "按 MDLP 准则，切开“{v}”并不能更好地区分目标，全部归为一箱。请改用等频或等宽分箱。"
            report.warn("bins.one", text_, columns=[column], v=name)
        low = [float(known.min()), *map(float, cuts)]
        return cls._laid(report, column, name, form, low, [*map(float, cuts), float(known.max())])

    @classmethod
    def _cuts(cls, column: Column, known: Floats, form: Any) -> Floats:
        k = form.n_bins
        match form.method:
            case "width":
                return cut_points.equal_width(known, k)
            case "quantile":
                return cut_points.equal_count(known, k)
            case "kmeans":
                return cut_points.k_means(known, k)
            case "jenks":
                return cut_points.natural_breaks(known, k)
            case "sd":
                found = moments(known)
                return cut_points.around_mean(known, found.mean, found.sd)
            case "custom":
                return np.array(form.cuts, dtype=np.float64)
            case _:
                return cls._supervised(column, form)

    @classmethod
    def _supervised(cls, column: Column, form: Any) -> Floats:
        target = form.target
        rows = ~(np.isnan(column.numbers) | target.missing)
        x = column.numbers[rows]
        is_classes = target.is_categorical or not target.is_number
        if not is_classes and form.method != "tree":
            text_ = f"“{target.title}”是定量变量；卡方合并和 MDLP 的目标须是定类变量，请改用决策树或先把目标分类"
            raise Refusal("target.measure", text_, field="target", column=target.id)
        cells = target.codes[rows] if is_classes else target.numbers[rows]
        if not len(x) or len(np.unique(cells)) < 2:
            text_ = f"“{target.title}”在“{column.title}”有值的行里只有一个取值，不能有监督分箱"
            raise Refusal("target.constant", text_, field="target", column=target.id)
        if form.method == "tree":
            return cut_points.tree(x, cells.astype(np.float64), form.n_bins, is_classes)
        return cut_points.chi_merge(x, cells, form.n_bins) if form.method == "chimerge" else cut_points.mdlp(x, cells)

    @classmethod
    def _laid(cls, report: Report, column: Column, name: str, form: Any, low: list[float], high: list[float]) -> Binned:
        x = column.numbers
        inner = np.array(high[:-1])
        codes = np.searchsorted(inner, x, side="left" if form.right else "right").astype(np.int64)
        first, last = low[0], high[-1]
        codes[np.isnan(x)] = -1
        beyond = (x < first) | (x > last)
        codes[beyond] = -1
        outside = int(beyond.sum())
        if outside:
            text_ = "“{v}”有 {k:integer} 个值落在切点之外，已设为缺失。"
            report.warn("bins.outside", text_, columns=[column], v=name, k=outside)
        made = Binned(column, low, high, codes, [], outside)
        made.labels = cls._labels(made, form)
        return made

    @classmethod
    def _labels(cls, one: Binned, form: Any) -> list[str]:
        k = len(one.low)
        match form.labels:
            case "index":
                return [str(i + 1) for i in range(k)]
            case "median":
                medians = [
                    np.median(one.column.numbers[one.codes == i]) if n else None for i, n in enumerate(one.counts)
                ]
                return ["—" if value is None else f"{float(value):.6g}" for value in medians]
            case "custom":
                given = [part.strip() for part in re.split(r"[,，;；、\n]", form.label_text) if part.strip()]
                if len(given) != k:
                    text_ = f"自定义标签有 {len(given)} 个，“{one.column.title}”分成 {k} 箱，请使个数相等"
                    raise Refusal("labels.count", text_, field="label_text", column=one.column.id, k=k)
                return given
            case _:
                return intervals(one.low, one.high, form.right)

    # ---- what is shown ---------------------------------------------------------------------------------------------
    @classmethod
    def _tables(cls, report: Report, one: Binned, name: str) -> None:
        counts = one.counts
        missing = int((one.codes < 0).sum())
        total = sum(counts) + missing
        for i, n in enumerate(counts):
            low, high = (None if np.isinf(end) else end for end in (one.low[i], one.high[i]))
            report.row(cls.bins, variable=name, bin=str(i + 1), label=one.labels[i], low=low, high=high, n=n,
                       percent=n / total)  # fmt: skip
            report.row(cls.drawn, at=name, bin=one.labels[i], n=n)
        if missing:
            report.row(cls.bins, variable=name, bin="缺失", label=None, n=missing, percent=missing / total)
        report.chart(cls.bars, at=name, titles={"bin": name})

    @classmethod
    def _target(cls, report: Report, one: Binned, name: str, form: Any) -> None:
        target = form.target
        if len(target.levels) != 2:
            if not target.is_number or target.is_categorical:
                report.skip(
                    cls.target, f"“{target.title}”有 {len(target.levels)} 个类别，目标率和 WOE 只适用于两类目标"
                )
                return
            for i, label in enumerate(one.labels):
                inside = target.numbers[(one.codes == i) & ~target.missing]
                mean = float(inside.mean()) if len(inside) else None
                report.row(cls.target, variable=name, bin=label, n=len(inside), mean=mean)
            report.note(cls.target, "目标“{t}”是定量变量，给出各箱的均值，没有目标率和 WOE。", t=target.title)
            return
        event = form.event or target.levels[-1]
        found = weights_of(one.codes, target.where(event), ~target.missing, len(one.low))
        for i, label in enumerate(one.labels):
            report.row(cls.target, variable=name, bin=label, n=found.n[i], events=found.events[i], rate=found.rate(i),
                       woe=found.woe[i], iv=found.iv[i])  # fmt: skip
        report.row(cls.target, total=True, variable=name, bin="合计", n=sum(found.n), events=sum(found.events),
                   rate=found.whole_rate, woe=None, iv=found.total)  # fmt: skip
        cls._note(report, found, name, event)

    @classmethod
    def _note(cls, report: Report, found: Weights, name: str, event: Level) -> None:
        report.note(cls.target, "事件为“{event}”。只数目标有值的行。", event=event.label)
        if found.adjusted:
            text_ = "“{v}”有 {k:integer} 箱的事件或非事件为 0，计算 WOE 时该箱两侧各加了 0.5。"
            report.warn("woe.adjusted", text_, v=name, k=found.adjusted)

    @classmethod
    def _say(cls, report: Report, found: list[Binned], names: dict[str, str], form: Any) -> None:
        way = next(option.title for option in cls.Input.fields["method"].options if option.key == form.method)  # type: ignore[attr-defined]
        way = f" {way} " if way.isascii() else way.replace("(", "（").replace(")", "）")
        facts: dict[str, Any] = {}
        lines = []
        for i, one in enumerate(found[:NAMED]):
            counts = one.counts
            facts |= {
                f"v{i}": names[one.column.id],
                f"k{i}": len(counts),
                f"least{i}": min(counts),
                f"most{i}": max(counts),
            }
            sizes = f"各箱 {{least{i}:integer}} 到 {{most{i}:integer}} 例"
            if min(counts) == max(counts):
                sizes = f"每箱 {{least{i}:integer}} 例" if len(counts) > 1 else f"共 {{least{i}:integer}} 例"
            done = f"分成 {{k{i}:integer}} 箱" if len(counts) > 1 else f"全部归为 {{k{i}:integer}} 箱"
            lines.append(f"“{{v{i}}}”按{way}{done}，{sizes}。")
        if len(found) > NAMED:
            lines.append("其余变量见分箱表。")
        lead = "\n".join(lines)
        figures = (
            [figure("箱数", "{k0:integer}"), figure("最少的一箱", "{least0:integer}", "例")] if len(found) == 1 else []
        )
        report.lead(lead, figures, **facts)
        report.say(
            "分箱把数值换成有先后的类别，同一箱里的差别就看不到了，后面的分析会损失一些信息。"
            "行数很少的箱，比例和均值不稳定，可以减少箱数或合并相邻的箱。",
            voice="student",
        )  # fmt: skip
        report.say(f"{lead}区间{'左开右闭' if form.right else '左闭右开'}。", voice="paper", **facts)
        report.say(lead, voice="brief", **facts)


def _custom_ends(cuts: Floats, is_open: bool) -> tuple[list[float], list[float]]:
    inner = [float(cut) for cut in cuts]
    if is_open:
        return [-np.inf, *inner], [*inner, np.inf]
    if len(inner) < 2:
        raise Refusal("cuts.few", "两端不开放时至少需要 2 个切点", field="cuts")
    return inner[:-1], inner[1:]


def intervals(low: list[float], high: list[float], right: bool) -> list[str]:
    """`[10.4, 15.4]`, `(15.4, 19.2]`, …: closed where a value on the end belongs."""
    ends = sorted({*low, *high})
    digits = next((d for d in (6, 10, 15) if len({f"{end:.{d}g}" for end in ends}) == len(ends)), 17)
    made = []
    for i, (a, b) in enumerate(zip(low, high, strict=True)):
        left = "[" if (not right or i == 0) and not np.isinf(a) else "("
        tail = "]" if (right or i == len(low) - 1) and not np.isinf(b) else ")"
        made.append(f"{left}{_end(a, digits)}, {_end(b, digits)}{tail}")
    return made


def _end(value: float, digits: int) -> str:
    return ("−∞" if value < 0 else "+∞") if np.isinf(value) else f"{value:.{digits}g}"
