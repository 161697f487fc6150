from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Points,
    Reference,
    Refusal,
    Report,
    Row,
    SetRemedy,
    Silent,
    Table,
    choice,
    claim,
    combo,
    counted,
    figure,
    flag,
    integer,
    more,
    num,
    number,
    percent,
    pvalue,
    role,
    settings,
    stat,
    text,
)
from hengxi.stats import reliability, two_groups
from hengxi.stats.covariances import summary
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats, Moments, moments
from hengxi.stats.names import listed, titles

LIKERT, BINARY = {"mode": "likert"}, {"mode": "binary"}
LEAST_GROUP = 5


@dataclass
class Scale:
    """Answers with reversed items turned; `counts` are whole frequencies or None; `total` of each row."""

    columns: list[Column]
    names: list[str]
    x: Floats
    counts: Floats | None
    total: Floats
    n: int
    s: Floats
    means: Floats
    turned: list[str]


@dataclass(frozen=True)
class Ends:
    """Rows of the low and the high group and the totals that bound them."""

    low: NDArray[np.bool_]
    high: NDArray[np.bool_]
    low_bound: float
    high_bound: float
    low_n: int
    high_n: int


class Discrimination(Method):
    """Critical ratios of the extreme groups, item-total correlations, α without the item."""

    title, title_en = "项目分析(区分度)", "Item analysis (discrimination)"
    slug = "item-discrimination"
    family, tier = "问卷研究", "standard"
    purpose = "量表中每个题项能否把高分者与低分者区分开，是否应当保留"
    aliases = ("项目分析", "区分度", "鉴别度", "CR 值", "临界比", "CITC", "难度", "高低分组", "27% 分组", "点二列相关")
    references = ("kelley1939", "levene1960", "cureton1966", "ebel1991", "nunnally1994")
    conventions = (
        "总分为各题得分之和，反向题先转换为（全部题项的最小值 + 最大值）− 得分。",
        "低分组：总分不高于第 ⌊n × 比例⌋ 低的总分；高分组：总分不低于第 ⌊n × 比例⌋ 高的总分；界上同分者全部归入。",
        "按 Levene 选择：以平均值为中心的 Levene 检验 *p* < .05 时用 Welch *t*，否则用合并方差的 *t*；"
        "*d* 用合并标准差。",
        "CITC 是题项与其余题项总分的相关；题总相关的总分包含该题本身，会偏高。",
        "0/1 题：难度 P 为全体的通过率，鉴别度 D 为高分组与低分组通过率之差；CITC 就是校正的点二列相关。",
        "标准差以 n − 1 为分母；只用全部题项都有回答的行。",
    )
    weights = ("frequency",)
    min_rows = 3

    class Input(Form):
        items: list[Column] = role("量表题项", "定量", min=3, max=200)
        reverse: list[Row] = settings(
            "题项设置", of="items", reversed=flag("反向题", False), hint="反向题先转换再计算"
        )  # fmt: skip
        weight: Column | None = counted()
        mode: str = choice("题目类型", {"likert": "量表题", "binary": "0/1 题（对错题）"})
        cut: float = number("高低分组比例(%)", 27, least=20, most=50)
        test: str = choice(
            "*t* 检验", {"auto": "按 Levene 选择", "welch": "Welch", "student": "合并方差"}, when=LIKERT, advanced=True
        )  # fmt: skip
        r_threshold: float = number("题总相关下限", 0.3, least=0, most=0.9)

    groups = Table(
        "高低分组", group=text("组"), bound=text("总分范围"), n=integer("人数"), share=percent("占比"),
        mean=num("总分平均"),
        place="main",
    )  # fmt: skip
    result = Table(
        "区分度", item=text("题项"), high=combo("高分组", "mean_sd", "high_mean", "high_sd"),
        low=combo("低分组", "mean_sd", "low_mean", "low_sd"), t=num("*t*（CR 值）"), df=num("*df*"), p=pvalue(),
        test=text("检验"), levene=pvalue("Levene 的 *p*"), d=num("Cohen's *d*"), place="main", when=LIKERT,
        claim=claim("named", stat("*t*", "t", "df"), effect="d", effect_symbol="*d*", names=("item",)),
    )  # fmt: skip
    difficulty = Table(
        "难度与鉴别度", item=text("题项"), p=percent("难度 P（通过率）"), high=percent("高分组通过率"),
        low=percent("低分组通过率"), d=num("鉴别度 D", decimals=3), grade=text("参考等级"), place="main", when=BINARY,
    )  # fmt: skip
    totals = Table(
        "题总相关", item=text("题项"), r=num("题总相关", decimals=3), citc=num("CITC", decimals=3),
        p=pvalue("CITC 的 *p*"),
        deleted=num("删除后的 α", decimals=3), verdict=text("结论"), why=text("理由"), place="main",
        claim=Silent("whether a correlation of an item with its own scale differs from 0 is no finding of a paper"),
    )  # fmt: skip
    whole = Table(
        "量表", items=integer("题项数"), n=integer("样本量"), alpha=num("Cronbach α", decimals=3), mean=num("总分平均"),
        sd=num("总分标准差", least=0), layout="record",
    )  # fmt: skip
    bars = Chart("CITC", "bar", of=totals, x="item", y="citc", place="main")
    ends = Points("高低分组的平均", item=text("题项"), group=text("组"), mean=num("平均分"))
    compared = Chart("高低分组的平均", "bar", of=ends, x="item", y="mean", series="group")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.items)} 个题项的项目分析"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        items, counts = form["items"], form.get("weight")
        loose = [{"id": "loose", "name": None, "columns": items}]
        return [
            NextStep(title="删题后看信度", method="descriptive/reliability", form={"items": loose, "weight": counts}),
            NextStep(title="看题项归成几个维度（因子分析）", method="statistical/factor_analysis",
                     form={"items": items, "weight": counts}),
        ]  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        scale = _scale(form)
        ends = _ends(scale, form.cut / 100)
        cls._groups(report, scale, ends, form)
        tests = cls._tests(report, scale, ends, form)
        weak, odd = cls._totals(report, scale, form, tests)
        _words(report, cls, scale, weak, form)
        _checks(report, scale, ends, odd, form)
        return report

    @classmethod
    def _groups(cls, report: Report, scale: Scale, ends: Ends, form: Any) -> None:
        for name, rows, n, words in (
            ("低分组", ends.low, ends.low_n, f"≤ {ends.low_bound:g}"), ("高分组", ends.high, ends.high_n,
            f"≥ {ends.high_bound:g}"),
        ):  # fmt: skip
            report.row(
                cls.groups, group=name, bound=words, n=n, share=n / scale.n, mean=_of(scale, scale.total, rows).mean
            )
        report.note(
            cls.groups, "按总分取最低与最高的 {cut:num0}%；界上同分的全部归入，所以占比可能更大。", cut=form.cut
        )

    @classmethod
    def _tests(cls, report: Report, scale: Scale, ends: Ends, form: Any) -> list[bool]:
        """Does each item tell the groups apart?"""
        apart = []
        for i, name in enumerate(scale.names):
            own = scale.x[:, i]
            high, low = _of(scale, own, ends.high), _of(scale, own, ends.low)
            report.row(cls.ends, item=name, group="高分组", mean=high.mean)
            report.row(cls.ends, item=name, group="低分组", mean=low.mean)
            if form.mode == "binary":
                d = high.mean - low.mean
                whole = _of(scale, own, np.ones(len(own), dtype=bool)).mean
                report.row(cls.difficulty, item=name, p=whole, high=high.mean, low=low.mean, d=d, grade=_ebel(d))
                apart.append(d >= 0.2 - 1e-12)
                continue
            row = _t_row(scale, own, ends, high, low, form.test)
            report.row(
                cls.result, item=name, high_mean=high.mean, high_sd=high.sd, low_mean=low.mean, low_sd=low.sd, **row
            )
            apart.append(high.mean > low.mean and (row["p"] is None or row["p"] < 0.05))
            if row["t"] is None:
                report.note(cls.result, "没有 *t* 的题项：两组内各自的回答完全相同，检验没有定义。")
        if form.mode == "binary":
            report.note(
                cls.difficulty,
                "参考等级（Ebel 与 Frisbie，1991）：D ≥ 0.40 很好，0.30 至 0.39 良好，0.20 至 0.29 尚可，"
                "低于 0.20 较差。",
            )
        return apart

    @classmethod
    def _totals(cls, report: Report, scale: Scale, form: Any, apart: list[bool]) -> tuple[list[str], list[int]]:
        alpha, spread = reliability.alpha(scale.s), float(np.sqrt(scale.s.sum()))
        weak, odd = [], []
        for i, (name, one) in enumerate(zip(scale.names, reliability.item_totals(scale.s, scale.means), strict=True)):
            citc = one.rest_r
            why = []
            if not apart[i]:
                why.append("高低分组没有发现明显差异" if form.mode == "likert" else "鉴别度低于 0.20")
            if citc is not None and citc < 0:
                odd.append(i)
                why.append("CITC 为负，核对方向")
            elif citc is None or citc < form.r_threshold:
                why.append(f"CITC 低于 {form.r_threshold:g}")
            if why:
                weak.append(name)
            if one.deleted is not None and one.deleted > alpha:
                why.append("删除后 α 升高")
            r = float(scale.s[i].sum() / (np.sqrt(scale.s[i, i]) * spread))
            report.row(
                cls.totals, item=name, r=r, citc=citc, p=_r_p(citc, scale.n), deleted=one.deleted,
                verdict="建议修改或删除" if name in weak else "保留", why="；".join(why) or "—",
            )  # fmt: skip
        report.row(cls.whole, items=len(scale.names), n=scale.n, alpha=alpha, mean=float(scale.means.sum()), sd=spread)
        rule = "*t* 检验 *p* < .05" if form.mode == "likert" else "鉴别度 D ≥ 0.20"
        report.note(
            cls.totals,
            "保留的条件：" + rule + "，且 CITC ≥ {r:num2}。“删除后 α 升高”只作提示，不单独决定去留。",
            r=form.r_threshold,
        )
        report.chart(cls.bars, over=[Reference(y=form.r_threshold, label="下限")])
        return weak, odd


# ---- data ----------------------------------------------------------------------------------------------------------
def _scale(form: Any) -> Scale:
    counts = frequencies(form.weight)
    rows = slice(None) if counts is None else counts > 0
    names = titles(form.items)
    for column in form.items:
        own = column.numbers[rows]
        if own.size == 0 or own.min() == own.max():
            rest = [c.id for c in form.items if c is not column]
            raise Refusal(
                "role.constant", "题项“{v}”所有人回答相同，无区分度，请移去", field="items", column=column.id,
                v=names[column.id],
                remedies=[SetRemedy(title="移去这一题", set={"items": rest})] if len(rest) > 2 else [],
            )  # fmt: skip
        if form.mode == "binary" and not np.isin(own, (0, 1)).all():
            raise Refusal(
                "data.binary", "题项“{v}”不只有 0 和 1；对错题请先编为 1 对 0 错，或把题目类型改为量表题", field="mode",
                column=column.id, v=names[column.id], also=["items"],
                remedies=[SetRemedy(title="改为量表题", set={"mode": "likert"})],
            )  # fmt: skip
    found = summary(form.items, counts, "items")
    flags = {row.column.id: row.reversed for row in form.reverse}
    signs = np.array([-1.0 if flags.get(column.id) else 1.0 for column in form.items])
    x = np.column_stack([column.numbers[rows] for column in form.items])
    reach = float(x.min()) + float(x.max())
    x = np.where(signs < 0, reach - x, x)
    means = np.where(signs < 0, reach - found.means, found.means)
    s = found.s * np.outer(signs, signs)
    if s.sum() <= 1e-12 * np.trace(s):
        raise Refusal(
            "data.constant", "总分没有变化（题项互相抵消），分不出高分与低分；请核对哪些是反向题", field="items"
        )
    turned = [names[c.id] for c, sign in zip(form.items, signs, strict=True) if sign < 0]
    return Scale(form.items, [names[c.id] for c in form.items], x, None if counts is None else counts[rows],
                 x.sum(axis=1), found.n, s, means, turned)  # fmt: skip


def _ends(scale: Scale, share: float) -> Ends:
    order = np.argsort(scale.total, kind="stable")
    counts = np.ones(len(order)) if scale.counts is None else scale.counts
    upto = np.cumsum(counts[order])
    place = int(np.floor(scale.n * share + 1e-9))
    if place < 1:
        raise _few(0, 0)
    room = 1e-9 * float(np.ptp(scale.total))  # equal sums may differ in the last digit
    low_bound = float(scale.total[order[np.searchsorted(upto, place)]])
    high_bound = float(scale.total[order[np.searchsorted(upto, scale.n - place, side="right")]])
    low, high = scale.total <= low_bound + room, scale.total >= high_bound - room
    if low_bound + room >= high_bound:
        raise Refusal(
            "data.overlap",
            "总分过于集中：同分的人太多，高分组与低分组重叠；请减小分组比例",
            field="cut",
            also=["items"],
        )
    n_low, n_high = int(counts[low].sum()), int(counts[high].sum())
    if min(n_low, n_high) < LEAST_GROUP:
        raise _few(n_low, n_high)
    return Ends(low, high, low_bound, high_bound, n_low, n_high)


def _few(low: int, high: int) -> Refusal:
    return Refusal(
        "data.few", "高/低分组不足5人（低分组 {low} 人，高分组 {high} 人），请增大分组比例或样本量", field="cut",
        also=["items"], low=low,
        high=high, remedies=[SetRemedy(title="比例改为 50%", set={"cut": 50})],
    )  # fmt: skip


def _of(scale: Scale, x: Floats, rows: NDArray[np.bool_]) -> Moments:
    return moments(x[rows], None if scale.counts is None else scale.counts[rows], anchor=float(x.min()), shape=False)


def _t_row(scale: Scale, x: Floats, ends: Ends, high: Moments, low: Moments, test: str) -> dict[str, Any]:
    if two_groups.pooled_sd(high, low) <= 1e-13 * float(np.ptp(x)):
        return {"t": None, "df": None, "p": None, "test": "—", "levene": None, "d": None}
    counts = [None if scale.counts is None else scale.counts[rows] for rows in (ends.high, ends.low)]
    middles = ((high.anchor, high.centre), (low.anchor, low.centre))
    spread = two_groups.levene(x[ends.high], x[ends.low], counts[0], counts[1], middles)
    how = test
    if test == "auto":
        how = "welch" if spread is not None and spread.p < 0.05 else "student"
    found = (two_groups.welch if how == "welch" else two_groups.student)(high, low)
    d = (high.centre - low.centre) / two_groups.pooled_sd(high, low)
    return {"t": found.t, "df": found.df, "p": found.p, "test": {"welch": "Welch", "student": "合并方差"}[how],
            "levene": None if spread is None else spread.p, "d": d}  # fmt: skip


def _r_p(r: float | None, n: int) -> float | None:
    if r is None or n < 3:
        return None
    if abs(r) >= 1:
        return 0.0
    return float(2 * stats.t.sf(abs(r) * np.sqrt((n - 2) / (1 - r * r)), n - 2))


def _ebel(d: float) -> str:
    for bound, word in ((0.2, "较差"), (0.3, "尚可"), (0.4, "良好")):
        if d < bound - 1e-12:
            return word
    return "很好"


# ---- words ---------------------------------------------------------------------------------------------------------
def _words(report: Report, cls: type[Discrimination], scale: Scale, weak: list[str], form: Any) -> None:
    (whole,) = report.rows_of(cls.whole)
    facts: dict[str, Any] = {"k": len(scale.names), "n": scale.n, "alpha": whole.cells["alpha"]}
    if weak:
        facts["weak"] = listed(weak, 5)
        told = "建议修改或删除：{weak}。"
    else:
        told = "各题都能区分高分者与低分者。"
    report.lead(
        f"{{k:integer}} 题、{{n:integer}} 份答卷：{told}全部题项的 α = {{alpha:num3}}。",
        [figure("Cronbach α", "{alpha:num3}", "{k:integer} 题")], **facts,
    )  # fmt: skip
    report.voices(
        [("区分度低，说明高分者与低分者在这一题上的回答差不多。先读题目的文字和方向，再决定改还是删；一次只删一题，"
        "删后重做。", {})],
        [(f"对 {{k:integer}} 个题项作项目分析（*n* = {{n:integer}}）。{told}", {})], [(told, {})], **facts,
    )  # fmt: skip


def _checks(report: Report, scale: Scale, ends: Ends, odd: list[int], form: Any) -> None:
    if scale.turned:
        report.warn("data.reversed", "{which}已反向转换后计算，原始数据没有改动。", which=listed(scale.turned, 10))
    names = listed([scale.names[i] for i in odd], 10)
    marked = {row.column.id for row in form.reverse if row.reversed} ^ {scale.columns[i].id for i in odd}
    turned = [{"for": c.id, "reversed": True} for c in scale.columns if c.id in marked]
    report.check(
        "题项方向", "care" if odd else "pass",
        "题项{which}与其余题项的总分负相关，疑为反向题，请先反向计分。" if odd else "没有题项与其余题项的总分负相关。",
        which=names, remedies=[SetRemedy(title="反向这些题", set={"reverse": turned})] if odd else [],
        more=more(
            "反向题（如“我不满意”）不转换时，总分和分组都会出错。",
            "{which}的 CITC 为负。" if odd else "各题的 CITC 都不为负。",
            "方向不一致时，其他题的区分度也会偏低。", "核对题目的文字：确是反向题，在“题项设置”里勾选；不是，"
            "就查录入。",
        ),
    )  # fmt: skip
    few = min(ends.low_n, ends.high_n) < 25
    report.check(
        "样本量", "care" if few else "pass",
        "低分组 {low:integer} 人，高分组 {high:integer} 人" + ("，偏少，区分度的估计不稳。" if few else "。"),
        low=ends.low_n, high=ends.high_n,
    )  # fmt: skip
