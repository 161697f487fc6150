"""Net promoter score: the share of promoters minus that of detractors, with the variance of a multinomial."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
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
    SetRemedy,
    Table,
    choice,
    claim,
    confidence,
    figure,
    filled,
    integer,
    interval,
    less,
    num,
    number,
    numbers,
    percent,
    pvalue,
    resamples,
    role,
    stat,
    text,
    weight,
)
from hengxi.stats.count_table import CountTable, exact_name
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats
from hengxi.stats.multiple import adjust
from hengxi.stats.names import level_words, number_words, short, titles

MOST_SCORES, MOST_GROUPS, MOST_PAIRED, FEW = 12, 60, 12, 10
KINDS = ("推荐者", "被动者", "贬损者")
WHOLE = "全部"


@dataclass(frozen=True)
class Promoters:
    """`counts`: promoters, passives, detractors."""

    counts: Floats
    mean: float

    @property
    def n(self) -> float:
        return float(self.counts.sum())

    @property
    def nps(self) -> float:
        return float(self.counts[0] - self.counts[2]) / self.n

    @property
    def se(self) -> float:
        """√((p₊ + p₋ − NPS²)/n)."""
        return float(np.sqrt(max(0.0, (self.counts[0] + self.counts[2]) / self.n - self.nps**2) / self.n))

    def bounds(self, form: Any) -> tuple[float, float]:
        z = float(stats.norm.isf((1 - form.conf_level) / 2))
        if form.ci == "bootstrap":
            drawn = form.rng.multinomial(round(self.n), self.counts / self.n, form.n_resamples)
            tail = (1 - form.conf_level) / 2
            low, high = np.quantile((drawn[:, 0] - drawn[:, 2]) / round(self.n), [tail, 1 - tail])
            return float(low), float(high)
        own, middle = self, self.nps
        if form.ci == "adjusted_wald":
            own = Promoters(self.counts + np.array([0.75, 1.5, 0.75]), self.mean)
            middle = own.nps
        return max(-1.0, middle - z * own.se), min(1.0, middle + z * own.se)


class NPS(Method):
    title, title_en = "NPS净推荐值", "Net promoter score"
    family, tier = "市场与产品研究", "standard"
    slug = "nps"
    purpose = "用户推荐意愿的净推荐值是多少，各群体或各期是否有差异"
    aliases = ("NPS", "净推荐值", "推荐意愿", "推荐者", "贬损者", "口碑")
    references = ("reichheld2003", "rocks2016", "holm1979")
    conventions = (
        "NPS = 推荐者百分比 − 贬损者百分比，以百分点表示，−100 到 100。",
        "标准误 √((p₊ + p₋ − NPS²)/n)，p₊、p₋ 为推荐者和贬损者的比例，来自多项分布。",
        "校正 Wald 区间把推荐者、贬损者各加 0.75 人、被动者加 1.5 人后再算，小样本更准（Rocks，2016）；"
        "区间的中心不是 NPS 本身。",
        "两组之差的标准误为两组标准误平方和的平方根，不合并。",
    )
    weights = ("frequency",)
    missing = "keep"
    random = True
    limits = (less("cut_detractor", "cut_promoter"),)

    class Input(Form):
        score: list[Column] = role("推荐分（0–10）", "定量", min=1, max=MOST_SCORES)
        group: Column | None = role("分组/时间（选填）", "任意", min=0)
        weight: Column | None = weight("频数权重（选填）", kind="frequency")
        scale: str = choice("量程", {"0-10": "0 到 10", "1-10": "1 到 10", "custom": "自定义"})
        scale_value: dict[str, float | None] = numbers(
            "量程两端", (0, 10), names=("最低", "最高"), when={"scale": "custom"}
        )  # fmt: skip
        cut_promoter: float = number("推荐者下限", 9, hint="不低于它的是推荐者")
        cut_detractor: float = number("贬损者上限", 6, hint="不高于它的是贬损者")
        ci: str = choice("区间方法", {"wald": "Wald", "adjusted_wald": "校正 Wald", "bootstrap": "Bootstrap"})
        n_resamples: int = resamples(9999, 999, 99_999, when={"ci": "bootstrap"})
        conf_level: float = confidence()

    nps = Table(
        "NPS 表", name=text("题目"), group=text("组"), n=integer("*n*", fractions=True),
        promoters=integer("推荐者", fractions=True), promoter_share=percent("推荐者%"),
        passives=integer("被动者", fractions=True), passive_share=percent("被动者%"),
        detractors=integer("贬损者", fractions=True), detractor_share=percent("贬损者%"),
        nps=num("NPS", least=-100, most=100, decimals=1), se=num("标准误", least=0, around="nps"),
        ci=interval("CI", "low", "high", around="nps", inside=False), mean=num("平均分"), merge=("name",),
        place="main",
    )  # fmt: skip
    plot = Chart(
        "NPS 与区间", "interval", of=nps, x="group", y="nps", low="low", high="high", facet="name",
        over=[Reference(y=0)], place="main",
    )  # fmt: skip
    shares = Points("三类人的比例", name=text("题目"), group=text("组"), kind=text("类"), share=percent("比例"))
    stacked = Chart(
        "三类人的堆积条形图", "bar", of=shares, x="group", y="share", series="kind", arrange="stacked", facet="name",
        place="main",
    )  # fmt: skip
    periods = Points("趋势", name=text("题目"), period=text("时间"), nps=num("NPS"), low=num("l"), high=num("h"))
    trend = Chart("NPS 趋势", "line", of=periods, x="period", y="nps", series="name", low="low", high="high")
    pairs = Table(
        "分组比较", name=text("题目"), first=text("组1"), second=text("组2"), difference=num("NPS 之差", decimals=1),
        se=num("标准误", least=0, around="difference"), z=num("*z*"), raw=pvalue("*p*"), p=pvalue("校正后 *p*"),
        ci=interval("差的CI", "low", "high", around="difference"), merge=("name",), when={"group": filled},
        claim=claim("pair", stat("*z*", "z"), effect="difference", interval="ci", outcome="score", by="group",
                    first="first", second="second"),
    )  # fmt: skip
    tests = Table(
        "三类人的比例是否不同", name=text("题目"), test=text("检验"), value=num("χ²", least=0), df=integer("*df*"),
        p=pvalue(), when={"group": filled},
        claim=claim("groups", stat("χ²", "value", "df"), outcome="score", by="group", names=("test",)),
    )  # fmt: skip
    distribution = Table(
        "得分分布表", name=text("题目"), value=text("得分"), kind=text("类"), n=integer("频数", fractions=True),
        share=percent("百分比", sums_within=("name",)), merge=("name",),
    )  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        own = NextStep(title="按另一个变量分层再看", method="hypothesis_test/nps", form=form, seek=["_split"])
        if form.get("group"):
            return [own]
        return [NextStep(title="比较各组的 NPS", method="hypothesis_test/nps", form=form, seek=["group"]), own]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        counts = frequencies(form.weight)
        names = dict(zip(titles(form.score), short(list(titles(form.score).values())), strict=True))
        found: list[Any] = []
        for column in form.score:
            w = np.ones(len(column)) if counts is None else counts
            cls._judge(form, column)
            held = ~np.isnan(column.numbers) & (w > 0)
            if not held.any():
                raise Refusal(
                    "data.empty", "“{v}”没有有效的推荐分，请移去这一题", field="score", column=column.id, v=column.title
                )
            name, whole = names[column.id], cls._counted(form, column, w, held)
            groups = cls._grouped(report, form, column, w, held)
            p = cls._compare(report, form, name, groups)
            bounds = cls._row(report, form, name, WHOLE, whole)
            for group, one in groups:
                cls._row(report, form, name, group, one)
            cls._distribution(report, form, name, column, w, held)
            found.append((name, whole, bounds, groups, p))
        report.note(
            cls.nps, "推荐者 ≥ {pro:text}，贬损者 ≤ {det:text}；CI 的置信水平为 {level:percent}，{how:text}法。",
            pro=number_words(form.cut_promoter), det=number_words(form.cut_detractor), level=form.conf_level,
            how={"wald": "Wald ", "adjusted_wald": "校正 Wald ", "bootstrap": "Bootstrap 百分位"}[form.ci],
        )  # fmt: skip
        if form.group is None or not cls._in_time(form.group):
            report.skip(cls.periods, "分组变量是时间或数值时画趋势")
        cls._words(report, form, found)
        report.used(len(form.score[0]))
        return report

    # ---- counts ----------------------------------------------------------------------------------------------------
    @staticmethod
    def _judge(form: Any, column: Column) -> None:
        ends = {"0-10": (0.0, 10.0), "1-10": (1.0, 10.0)}.get(form.scale)
        low, high = ends or (form.scale_value["最低"], form.scale_value["最高"])
        odd = column.numbers[~np.isnan(column.numbers)]
        odd = odd[(odd < low) | (odd > high)]
        if odd.size:
            raise Refusal(
                "data.scale", "推荐分须在 {low} 到 {high} 之间，“{v}”里发现“{x}”；请核对数据或改量程", field="score",
                also=["scale"], column=column.id, low=f"{low:g}", high=f"{high:g}", v=column.title, x=f"{odd[0]:.10g}",
                remedies=[SetRemedy(title="自定义量程", set={"scale": "custom"})],
            )  # fmt: skip

    @staticmethod
    def _counted(form: Any, column: Column, w: Floats, held: Any) -> Promoters:
        x, v = column.numbers[held], w[held]
        up, down = float(v[x >= form.cut_promoter].sum()), float(v[x <= form.cut_detractor].sum())
        return Promoters(np.array([up, float(v.sum()) - up - down, down]), float(v @ x) / float(v.sum()))

    @classmethod
    def _grouped(cls, report: Report, form: Any, column: Column, w: Floats, held: Any) -> list[tuple[str, Promoters]]:
        if form.group is None:
            return []
        levels = form.group.levels
        if len(levels) > MOST_GROUPS:
            raise Refusal(
                "role.levels", "分组变量“{v}”有 {k} 类，最多 {most} 类，请先合并（日期先取年或月）", field="group",
                column=form.group.id, v=form.group.title, k=len(levels), most=MOST_GROUPS,
            )  # fmt: skip
        found = []
        for level, name in zip(levels, level_words(levels), strict=True):
            rows = held & (form.group.codes == level.code)
            if rows.any():
                found.append((name, cls._counted(form, column, w, rows)))
        if len(found) < 2:
            raise Refusal(
                "role.levels", "“{v}”有推荐分的只有一组，无法比较，请换一个分组或移去",
                field="group", column=form.group.id,
                v=form.group.title,
            )  # fmt: skip
        for name, one in found:
            if one.n < FEW:
                report.warn("data.few", "组“{v}”样本过少（{n:integer} 人），区间很宽。", v=name, n=one.n)
        return found

    @staticmethod
    def _in_time(group: Column) -> bool:
        return group.measure == "时间" or group.is_number or group.ordered

    @classmethod
    def _row(cls, report: Report, form: Any, name: str, group: str, one: Promoters) -> tuple[float, float]:
        low, high = (100 * end for end in one.bounds(form))
        shares = one.counts / one.n
        report.row(
            cls.nps, total=group is WHOLE, name=name, group=group, n=one.n, promoters=one.counts[0],
            promoter_share=shares[0], passives=one.counts[1], passive_share=shares[1], detractors=one.counts[2],
            detractor_share=shares[2], nps=100 * one.nps, se=100 * one.se, low=low, high=high, mean=one.mean,
        )  # fmt: skip
        for kind, share in zip(KINDS, shares, strict=True):
            report.row(cls.shares, name=name, group=group, kind=kind, share=float(share))
        if group is not WHOLE and cls._in_time(form.group):
            report.row(cls.periods, name=name, period=group, nps=100 * one.nps, low=low, high=high)
        return low, high

    @classmethod
    def _distribution(cls, report: Report, form: Any, name: str, column: Column, w: Floats, held: Any) -> None:
        values, place = np.unique(column.numbers[held], return_inverse=True)
        counts = np.bincount(place, weights=w[held])
        if len(values) > 200:
            report.skip(cls.distribution, "不同的分值超过 200 个")
            return
        for value, n in zip(values, counts, strict=True):
            kind = KINDS[0] if value >= form.cut_promoter else KINDS[2] if value <= form.cut_detractor else KINDS[1]
            report.row(
                cls.distribution, name=name, value=number_words(float(value)), kind=kind, n=float(n),
                share=float(n) / counts.sum(),
            )  # fmt: skip

    @classmethod
    def _compare(cls, report: Report, form: Any, name: str, groups: list[tuple[str, Promoters]]) -> float | None:
        """p of the χ² of the three kinds; None where there is nothing to compare."""
        if not groups:
            return None
        table = np.array([one.counts for _, one in groups])
        table = table[:, table.sum(axis=0) > 0]
        p = None
        if table.shape[1] > 1:
            test = CountTable(table=table, with_exact=bool((table == np.floor(table)).all()), seed=form.seed)
            chi = {"pearson": test.pearson, "yates": test.yates}.get(test.read)
            named = "Pearson χ²" if test.read == "pearson" else "连续校正 χ²"
            if test.read == "exact" and test.exact is not None:
                named = exact_name(test, test.exact)
            report.row(
                cls.tests, name=name, test=named, value=None if chi is None else chi.value,
                df=None if chi is None else chi.df, p=test.p,
            )  # fmt: skip
            p = test.p
        else:
            report.skip(cls.tests, "所有人都在同一类里")
        if len(groups) > MOST_PAIRED:
            report.skip(cls.pairs, f"组数超过 {MOST_PAIRED}，不做两两比较")
            return p
        z = float(stats.norm.isf((1 - form.conf_level) / 2))
        found = []
        for (a, first), (b, second) in combinations(groups, 2):
            gap, se = first.nps - second.nps, float(np.hypot(first.se, second.se))
            value = gap / se if se > 0 else None
            found.append((a, b, gap, se, value, 1.0 if value is None else float(2 * stats.norm.sf(abs(value)))))
        for (a, b, gap, se, value, raw), corrected in zip(
            found, adjust([one[-1] for one in found], "holm"), strict=True
        ):
            report.row(
                cls.pairs, name=name, first=a, second=b, difference=100 * gap, se=100 * se, z=value, raw=raw,
                p=corrected, low=100 * (gap - z * se), high=100 * (gap + z * se),
            )  # fmt: skip
        report.note(cls.pairs, "*p* 用 Holm 法校正；CI 没有校正。")
        return p

    # ---- words -----------------------------------------------------------------------------------------------------
    @classmethod
    def _words(cls, report: Report, form: Any, found: list[Any]) -> None:
        name, whole, (low, high), groups, p = found[0]
        facts: dict[str, Any] = {
            "v": name, "nps": 100 * whole.nps, "low": low, "high": high, "level": form.conf_level, "n": whole.n,
            "up": whole.counts[0] / whole.n, "down": whole.counts[2] / whole.n, "mean": whole.mean,
        }  # fmt: skip
        main = "“{v}”的 NPS 是 {nps:num1}（{level:percent} CI {low:num1} 到 {high:num1}）："
        main += "推荐者 {up:percent1}，贬损者 {down:percent1}。"
        tail = ""
        if groups:
            best, worst = max(groups, key=lambda one: one[1].nps), min(groups, key=lambda one: one[1].nps)
            facts |= {"g": form.group.title, "a": best[0], "b": worst[0]}
            facts |= {"na": 100 * best[1].nps, "nb": 100 * worst[1].nps}
            tail = "“{a}”最高（{na:num1}），“{b}”最低（{nb:num1}）；"
            if best[1].nps == worst[1].nps:
                tail = "各组的 NPS 都是 {na:num1}；"
            if p is None:
                tail += "所有人都在同一类里，没有差异可以检验。"
            else:
                facts["p"] = p
                differ = p < 1 - form.conf_level
                tail += "三类人的比例在各组" + ("有差异" if differ else "没有发现明显差异") + "（*p* {p:peq}）。"
        more = "其他题目见表。" if len(found) > 1 else ""
        report.lead(
            main + tail + more,
            [
                figure("NPS", "{nps:num1}", "{level:percent} CI {low:num1} 到 {high:num1}"),
                figure("推荐者", "{up:percent1}"), figure("贬损者", "{down:percent1}"),
                figure("有效人数", "{n:integer}"),
            ],
            **facts,
        )  # fmt: skip
        side = "推荐的人比贬损的人多。" if whole.nps > 0 else "推荐的人不比贬损的人多。"
        if low <= 0 <= high:
            side = "区间跨过 0，还说不准推荐的人多还是贬损的人多。"
        report.say(
            f"NPS 是推荐者的百分比减去贬损者的百分比，−100 到 100。{side}"
            "两期相差几分时先看区间，NPS 的误差比平均分大。",
            voice="student",
        )  # fmt: skip
        report.say("有效样本 {n:integer} 人，平均分 {mean:num}。" + main + tail + more, voice="paper", **facts)
        report.say(main + tail + more, voice="brief", **facts)
