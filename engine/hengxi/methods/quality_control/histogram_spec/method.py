from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import special

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    NextStep,
    Points,
    Refusal,
    Report,
    Silent,
    Table,
    choice,
    few_of,
    figure,
    filled,
    integer,
    less,
    num,
    percent,
    pvalue,
    role,
    text,
)
from hengxi.families.control.capability import Spec
from hengxi.methods.quality_control._shared import capability
from hengxi.stats.dip import MOST, dip, p_of
from hengxi.stats.histogram import Bins
from hengxi.stats.moments import Floats, Moments, moments, quantiles

MOST_BINS = 100
FEW = 50
LEVELS = 20
Z95 = float(special.ndtri(0.975))


class HistogramSpec(capability.SpecFigures):
    """Equal bins, the shape they show, and how the values lie in the specification; by strata too."""

    title, title_en = "质量直方图与概率图", "Quality histogram"
    tier = "standard"
    purpose = "数据分布与规格的关系怎样，属于哪种形态"
    aliases = ("直方图", "频数分布", "双峰", "孤岛型", "dip 检验", "正态概率图", "QC 七大手法")
    references = ("hartigan1985", "scott1979", "freedman1981", "montgomery2013")
    conventions = (
        "各组等宽，从最小值到最大值；下限在组内、上限不在，最后一组两端都在。",
        "组数：Sturges 为 ⌈log₂ n + 1⌉；Freedman-Diaconis 组宽 2·IQR/n^(1/3)；Scott 组宽 3.5·s/n^(1/3)；最多 100 组。",
        "四分位数为第 7 类；四分位距为 0 时 Freedman-Diaconis 改用 Sturges。",
        "形态依次判断：dip 检验 *p* < .05 为双峰型；有一小块（不到 5%）与其余隔开两个以上空组为孤岛型；"
        "偏度超过 1.96 个标准误为偏态型；峰度低于 −1.96 个标准误为平顶型；其余为正常型。",
        "dip 检验的 *p* 由均匀分布的模拟分位数内插得到（Hartigan & Hartigan 1985）。",
        "偏度、峰度为校正值 G1、G2。",
    )
    missing = "each"
    min_rows = 2
    limits = (less("lsl", "usl"),)

    class Input(Form):
        measure: Column = role("测量值", "定量", each=True)
        group: Column | None = role("分层变量（选填）", "定类", levels=(2, LEVELS), hint="比如机台、班次、批次")
        lsl: float | None = capability.lower_limit()
        usl: float | None = capability.upper_limit()
        bins: str = choice(
            "分组规则", {"sturges": "Sturges", "fd": "Freedman-Diaconis", "scott": "Scott", "custom": "自定义"}
        )
        n_bins: int = integer("组数（自定义）", 10, least=3, most=MOST_BINS, when={"bins": "custom"})

    shape = Table(
        "形态诊断", group=text("分层", when={"group": filled}), n=integer("*n*"), mean=num("均值"),
        sd=num("标准差", least=0), skewness=num("偏度"), kurtosis=num("峰度"), dip=num("dip", least=0),
        p=pvalue("dip *p*"), form=text("形态"), below=percent("低于下限", when={"lsl": filled}),
        above=percent("高于上限", when={"usl": filled}), place="main", claim=Silent("检验的是分布的形态"),
    )  # fmt: skip
    frequencies = Table(
        "频数分布", group=text("分层", when={"group": filled}), bin=integer("组"), low=num("下限"), high=num("上限"),
        middle=num("组中值"), n=integer("频数"), share=percent("频率"), cumulative=percent("累计频率"),
        merge=("group",), place="main",
    )  # fmt: skip
    strata = Points(
        "分层的直方图", group=text("分层"), low=num("下限"), high=num("上限"), n=integer("频数"), when={"group": filled}
    )
    by_group = Chart(
        "分层的直方图", "histogram", of=strata, low="low", high="high", count="n", facet="group",
        when={"group": filled}, place="main",
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.about}的质量直方图"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        one = {"measures": form["measure"][:1], "lsl": form["lsl"], "usl": form["usl"]}
        normal = NextStep(
            title="检验正态性（正态性检验）", method="descriptive/normality_test", form={"variables": form["measure"]}
        )
        if form["lsl"] is None and form["usl"] is None:
            return [normal]
        title = "算能力指数（过程能力分析）"
        return [NextStep(title=title, method="quality_control/process_capability", form=one), normal]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        x, codes, labels = _values(form)
        spec = Spec(form.lsl, form.usl)
        m = moments(x)
        if not m.sd > 0 or not np.isfinite(m.sd) or not 1e-150 < np.ptp(x) < 1e150:
            words = "“{v}”没有变异（或数值过大、过小），画不出直方图，请换一个变量"
            raise Refusal("data.constant", words, field="measure", column=form.measure.id, v=form.measure.title)
        edges = _edges(report, form, x, m)
        named = cls._rows(report, spec, None, x, m, edges)
        for code, label in enumerate(labels):
            part = x[codes == code]
            if part.size:
                cls._rows(report, spec, label, part, moments(part), edges)
        if labels:
            report.note(cls.shape, "第一行为全部数据；各层用相同的组限。")
            report.chart(cls.by_group, titles={"x": form.measure.title, "y": "频数"}, over=capability.spec_lines(spec))
        counts = np.histogram(x, edges)[0].astype(float)
        cls.draw(
            report, x, spec, form.measure.title, capability.normal_density(m.mean, m.sd), capability.normal_scores,
            lambda place: m.mean + m.sd * place, Bins(edges, counts, float(edges[1] - edges[0])),
        )  # fmt: skip
        cls._say(report, form, spec, x, m, named)
        report.check(
            "样本量", "care" if m.n < FEW else "pass",
            "共 {n:integer} 个值" + ("，不足 50 个，直方图的形态不可靠。" if m.n < FEW else "，够用。"), n=m.n,
        )  # fmt: skip
        return report

    @classmethod
    def _rows(cls, report: Report, spec: Spec, label: str | None, x: Floats, m: Moments, edges: Floats) -> str:
        """The rows of one stratum, or of all values; gives the name of the shape."""
        counts = np.histogram(x, edges)[0]
        statistic = dip(x) if x.size <= MOST else None
        p = None if statistic is None else p_of(statistic, x.size)
        named = _form(counts, m, p)
        below, above = spec.outside(x)
        report.row(
            cls.shape, group=label, n=m.n, mean=m.mean, sd=m.sd, skewness=m.skewness, kurtosis=m.kurtosis,
            dip=statistic, p=p, form=named, below=None if spec.lsl is None else below / m.n,
            above=None if spec.usl is None else above / m.n,
        )  # fmt: skip
        if statistic is None:
            report.note(cls.shape, "超过 50,000 个值，没有做 dip 检验。")
        total = np.cumsum(counts)
        for i, count in enumerate(counts.tolist()):
            report.row(
                cls.frequencies, group=label, bin=i + 1, low=edges[i], high=edges[i + 1],
                middle=(edges[i] + edges[i + 1]) / 2, n=count, share=count / m.n,
                cumulative=min(1.0, float(total[i]) / m.n),
            )  # fmt: skip
        if label is not None:
            cells = {"group": [label] * counts.size, "low": edges[:-1], "high": edges[1:], "n": counts}
            report.add_rows(cls.strata, cells)
        return named

    @classmethod
    def _say(cls, report: Report, form: Any, spec: Spec, x: Floats, m: Moments, named: str) -> None:
        below, above = spec.outside(x)
        out = (below + above) / m.n
        facts: dict[str, Any] = {"v": form.measure.title, "form": named, "mean": m.mean, "sd": m.sd}
        given = spec.lsl is not None or spec.usl is not None
        if given:
            facts["out"] = out
        report.lead(
            "“{v}”的分布为{form}（均值 {mean:num}，标准差 {sd:num}）"
            + ("，{out:percent1} 的值超出规格。" if given and out > 0 else "，没有值超出规格。" if given else "。"),
            (figure("形态", "{form}"), figure("超出规格", "{out:percent1}")) if given else (figure("形态", "{form}"),),
            **facts,
        )  # fmt: skip
        report.say(READINGS[named])
        if given:
            room = [
                side for side in (
                    None if spec.lsl is None else (m.mean - spec.lsl) / m.sd,
                    None if spec.usl is None else (spec.usl - m.mean) / m.sd,
                ) if side is not None
            ]  # fmt: skip
            tight = min(room) < 3
            off = len(room) == 2 and max(room) - min(room) > 1
            report.say(
                "较近的规格限离均值 {z:num} 个标准差"
                + ("，不到 3 个，余量不足" if tight else "，不小于 3 个，余量够用")
                + ("；均值偏离规格中心。" if off else "。"),
                z=min(room),
            )  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        names = list(dict.fromkeys(str(row.cells["variable"]) for row in report.rows_of(cls.shape)))
        report.lead("画出了“{names}”等 {k} 个变量的直方图，形态见表。", names=few_of(names), k=str(len(names)))


READINGS = {
    "双峰型": "有两个高峰，数据可能来自两台机器、两批料或两班人；请填“分层变量”分开看。",
    "孤岛型": "旁边有一小块与其余的值隔开，多半是测错、混料或一时的异常；先查这些值。",
    "右偏型": "右边的尾巴长。左边有自然的界限（如 0）时常见；也可能是挑选或修整造成的。",
    "左偏型": "左边的尾巴长。右边有自然的界限时常见；也可能是挑选或修整造成的。",
    "平顶型": "顶部平，没有明显的高峰，可能是几个平均水平不同的来源混在一起，或者平均水平在缓慢移动。",
    "正常型": "中间高、两边低，左右大致对称，看起来只有偶然的波动。",
}


def _values(form: Any) -> tuple[Floats, Any, list[str]]:
    """Values, the stratum of each, and what the strata are called; gaps are left out."""
    x = form.measure.numbers
    keep = ~np.isnan(x)
    if form.group is None:
        return x[keep], np.zeros(int(keep.sum()), dtype=int), []
    codes = np.asarray(form.group.codes)
    keep &= codes >= 0
    return x[keep], codes[keep], list(form.group.labels)


def _edges(report: Report, form: Any, x: Floats, m: Moments) -> Floats:
    """Equal bins from the least to the largest value."""
    reach, n = float(m.most - m.least), m.n
    sturges = int(np.ceil(np.log2(n) + 1))
    match form.bins:
        case "custom":
            k = form.n_bins
        case "fd":
            q1, q3 = quantiles(x, [0.25, 0.75], None, kind=7)
            k = int(min(np.ceil(reach / (2 * (q3 - q1) / n ** (1 / 3))), MOST_BINS)) if q3 > q1 else sturges
        case "scott":
            k = int(min(np.ceil(reach / (3.5 * m.sd / n ** (1 / 3))), MOST_BINS))
        case _:
            k = sturges
    report.note(HistogramSpec.frequencies, "{k:integer} 组，组宽 {width:num}。", k=max(k, 1), width=reach / max(k, 1))
    return np.linspace(m.least, m.most, max(k, 1) + 1)


def _form(counts: Any, m: Moments, p: float | None) -> str:
    """The customary name of the shape."""
    if p is not None and p < 0.05:
        return "双峰型"
    if _has_island(counts):
        return "孤岛型"
    if m.skewness is not None and m.skewness_se is not None and abs(m.skewness) > Z95 * m.skewness_se:
        return "右偏型" if m.skewness > 0 else "左偏型"
    if m.kurtosis is not None and m.kurtosis_se is not None and m.kurtosis < -Z95 * m.kurtosis_se:
        return "平顶型"
    return "正常型"


def _has_island(counts: Any) -> bool:
    """A few values (below 5 %) beyond two or more empty bins."""
    there = np.flatnonzero(counts)
    total = float(counts.sum())
    for left, right in itertools.pairwise(there):
        if right - left > 2 and 0 < min(counts[: left + 1].sum(), counts[right:].sum()) / total < 0.05:
            return True
    return False
