from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special, stats

from hengxi.contract import (
    Chart,
    Column,
    Line,
    Points,
    Refusal,
    Report,
    Table,
    alternative,
    choice,
    claim,
    figure,
    flag,
    integer,
    num,
    numbers,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.families.counts.sides import SIDE_WORDS
from hengxi.methods.hypothesis_test._shared.rates import Rates, RatesByGroup
from hengxi.stats import contingency, proportions
from hengxi.stats.moments import Floats

LISTED_N = 500
"""Up to so many cases the exact distribution is listed; beyond it is drawn."""
DRAWS = 9999


class CochranArmitageTrend(RatesByGroup):
    """Does a rate rise or fall along ordered groups?"""

    title, title_en = "Cochran-Armitage趋势检验", "Cochran-Armitage trend test"
    purpose = "率是否随有序组线性上升或下降"
    aliases = ("趋势卡方", "线性趋势", "剂量反应", "trend test", "Cochran-Armitage")
    references = ("armitage1955", "cochran1954", "mantel1963", "wilson1927")
    conventions = (
        "组得分：数值分组取数值本身，文字分组取次序 1、2、3……，也可以自己填。",
        "方差除以 n 为经典口径（与 R 的 prop.trend.test 相同），除以 n − 1 即线性-线性关联（与 SPSS 相同）。",
        "偏离线性的 χ² = Pearson χ² − 趋势 χ²（n 口径），自由度为组数减 2。",
        "精确 p 以各组人数和成功总数为固定；超过 500 例时由固定种子的随机抽取 9999 次得出。",
    )
    random = True

    class Input(RatesByGroup.Input):
        group: Column = role("有序分组X", "定类")
        y: Column = role("二分结果Y", "定类", each=True)
        scores: list[float] = numbers("组得分", (), hint="不填时取数值本身或 1、2、3……；每组一个，按组的次序")
        variance: str = choice("方差口径", {"n": "除以n（R/经典）", "n1": "除以n-1（SPSS线性关联）"})
        alternative: str = alternative("大于指率随得分上升")
        exact: bool = flag("精确置换p", False)

    result = Table(
        "检验结果", test=text("检验"), read=text("采用"), chi2=num("χ²", least=0), df=integer("*df*"), z=num("*Z*"),
        p=pvalue(), place="main",
        claim=claim(
            "trend", stat("*Z*", "z"), stat("χ²", "chi2", "df"), names=("test",), read="read", outcome="y", by="group"
        ),
    )  # fmt: skip
    trend = Table(
        "得分与率",
        group=text("组"),
        score=num("得分"),
        share=percent("率"),
        fitted=percent("拟合的率", least=None, most=None),
    )
    points = Points("率与拟合线", score=num("得分"), share=percent("率"), low=percent("下限"), high=percent("上限"))
    fit = Points("拟合线", score=num("得分"), share=percent("率", least=None, most=None))
    line = Chart(
        "率折线图", "line", of=points, x="score", y="share", low="low", high="high",
        over=[Line(fit, x="score", y="share", label="拟合线")], place="detail",
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        cls._judge(form)
        rates = cls.rates_of(report, form)
        s = cls._scores(form, rates)
        table, sizes, n = rates.table, rates.sizes, float(rates.sizes.sum())
        p0 = float(rates.hits.sum()) / n
        mean = float(sizes @ s) / n
        top = float((s - mean) @ rates.hits)
        spread = float(sizes @ (s - mean) ** 2)
        z = top / float(np.sqrt(p0 * (1 - p0) * spread))
        z1 = z * float(np.sqrt((n - 1) / n))
        side = form.alternative
        exact = cls._exact(form, rates, s) if form.exact else None
        read: tuple[str, float, float] | None = None
        for key, name, value in (("n", "趋势（方差除以 n）", z), ("n1", "线性-线性关联（除以 n − 1）", z1)):
            mark = key == form.variance and exact is None
            p = proportions.tail(value, side)
            report.row(cls.result, test=name, read="采用" if mark else "", chi2=value**2, df=1, z=value, p=p)
            if key == form.variance:
                read = (name, value, p)
        assert read is not None
        if exact is not None:
            report.row(cls.result, test=exact[0], read="采用", p=exact[1])
            read = (exact[0], read[1], exact[1])
        whole = contingency.pearson(table)
        off = max(0.0, whole.value - z * z)
        df = len(s) - 2
        off_p = float(stats.chi2.sf(off, df))
        report.row(cls.result, test="偏离线性", read="", chi2=off, df=df, p=off_p)
        slope = top / spread
        for i, name in enumerate(rates.names):
            low, high = proportions.wilson(float(rates.hits[i]), float(sizes[i]), form.conf_level)
            fitted = p0 + slope * (float(s[i]) - mean)
            report.row(cls.trend, group=name, score=s[i], share=rates.shares[i], fitted=fitted)
        for i in np.argsort(s, kind="stable"):
            low, high = proportions.wilson(float(rates.hits[i]), float(sizes[i]), form.conf_level)
            report.row(cls.points, score=s[i], share=rates.shares[i], low=low, high=high)
            report.row(cls.fit, score=s[i], share=p0 + slope * (float(s[i]) - mean))
        cls._words(report, form, rates, read, slope, n)
        bent = off_p < 0.05
        report.check(
            "线性", "care" if bent else "pass",
            "偏离线性 χ²({df:integer}) = {off:num}，*p* {p:peq}，"
            + ((
                "率不是沿直线变化的，趋势检验只抓住了其中直线的部分，请看率折线图。"
                ""
            ) if bent else "没有发现明显偏离直线。"),
            df=df, off=off, p=off_p,
        )  # fmt: skip
        order = "组由前到后：{order}。次序或得分错了，检验就没有意义。"
        report.check("组的次序", "unknown", order, order=" → ".join(rates.names[:12]))
        cls.judge_independence(report)
        return report

    @staticmethod
    def _judge(form: Any) -> None:
        k = len(form.group.levels) if form.group.distinct_least <= 100 else form.group.distinct_least
        if k < 3:
            text = "趋势检验至少需要3个有序组，“{v}”只有 {k} 个"
            raise Refusal("role.levels", text, field="group", column=form.group.id, v=form.group.title, k=k)
        if k > 100:
            text = "“{v}”有超过 100 个取值，请先分段"
            raise Refusal("role.levels", text, field="group", column=form.group.id, v=form.group.title)

    @staticmethod
    def _scores(form: Any, rates: Rates) -> Floats:
        k = len(rates.levels)
        if k < 3:
            text = "趋势检验至少需要3个有序组，有样本的只有 {k} 个"
            raise Refusal("role.levels", text, field="group", column=form.group.id, k=k)
        if form.scores:
            if len(form.scores) != k:
                text = "组得分需填 {k} 个数，已填 {m} 个"
                raise Refusal("numbers.count", text, field="scores", k=k, m=len(form.scores))
            s: Floats = np.array(form.scores, dtype=float)
        elif form.group.is_number:
            s = np.array([float(one.value) for one in rates.levels])
        else:
            s = np.arange(1.0, k + 1)
        if np.ptp(s) == 0:
            raise Refusal("numbers.each", "组得分不能完全相同", field="scores")
        if not 1e-100 < float(np.ptp(s)) < 1e100:
            text = "组得分过大或过小，请换一个单位，或自己填组得分"
            raise Refusal("data.magnitude", text, field="scores", also=["group"])
        return s

    @classmethod
    def _exact(cls, form: Any, rates: Rates, s: Floats) -> tuple[str, float]:
        hits, n = round(float(rates.hits.sum())), float(rates.sizes.sum())
        unit = (s - s.mean()) / float(np.ptp(s))
        mean = hits * float(rates.sizes @ unit) / n
        here = float(rates.hits @ unit) - mean
        if n <= LISTED_N:
            sums, share = _distribution(unit, rates.sizes.astype(int), hits)
            return "精确置换", float(min(1.0, share[_beyond(sums - mean, here, form.alternative)].sum()))
        drawn = form.rng.multivariate_hypergeometric(rates.sizes.astype(int), hits, size=DRAWS, method="marginals")
        count = int(_beyond(drawn @ unit - mean, here, form.alternative).sum())
        return f"随机置换 {DRAWS:,} 次", (1 + count) / (1 + DRAWS)

    @classmethod
    def _words(
        cls, report: Report, form: Any, rates: Rates, read: tuple[str, float, float], slope: float, n: float
    ) -> None:
        name, z, p = read
        facts: dict[str, Any] = {
            "y": form.y.title, "c": rates.word, "x": form.group.title, "a": rates.names[0], "b": rates.names[-1],
            "s1": float(rates.shares[0]), "s2": float(rates.shares[-1]), "z": z, "p": p, "how": name, "n": n,
        }  # fmt: skip
        yes, side = p < 1 - form.conf_level, form.alternative
        way = {"two_sided": "上升" if slope > 0 else "下降", "greater": "上升", "less": "下降"}[side]
        none = "没有发现“{c}”的率随“{x}”" + ("有直线的升降" if side == "two_sided" else way)
        verdict = f"“{{c}}”的率随“{{x}}”{way}，趋势有统计学意义" if yes else none
        ends = "首组“{a}”{s1:percent1}，末组“{b}”{s2:percent1}"
        test = "{how}，*Z* = {z:num}，*p* {p:peq}"
        report.lead(f"{verdict}（{test}）。{ends}。", [figure("检验", "*p* {p:peq}", "*Z* = {z:num}")], **facts)
        report.say(
            "趋势检验只问率是不是沿着组的次序直线升降，比不看次序的 χ² 检验更容易发现这种变化；"
            "先升后降的变化它看不出来。",
            voice="student",
        )  # fmt: skip
        report.say(
            f"Cochran-Armitage 趋势检验（{SIDE_WORDS[side]}，*N* = {{n:integer}}）：{verdict}，{test}。{ends}。",
            voice="paper", **facts,
        )  # fmt: skip
        report.say(f"{verdict}（*p* {{p:peq}}）。{ends}。", voice="brief", **facts)

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        """Each outcome is told for itself: the rows of one are several tests."""


def _beyond(gap: Floats, here: float, side: str) -> Any:
    room = 1e-9
    if side == "two_sided":
        return np.abs(gap) >= abs(here) - room
    return gap >= here - room if side == "greater" else gap <= here + room


def _distribution(s: Floats, sizes: Any, hits: int) -> tuple[Floats, Floats]:
    """Sums of scores of the successes and their probabilities, group sizes and the number of successes given."""
    counts, sums, weights = np.zeros(1), np.zeros(1), np.ones(1)
    for score, n in zip(s, sizes, strict=True):
        x = np.arange(min(n, hits) + 1)
        own = np.exp(special.gammaln(n + 1) - special.gammaln(x + 1) - special.gammaln(n - x + 1) - n * np.log(2))
        c = (counts[:, None] + x).ravel()
        t = np.round((sums[:, None] + score * x).ravel(), 9)
        w = (weights[:, None] * own).ravel()
        held = c <= hits
        keys, place = np.unique(np.column_stack((c[held], t[held])), axis=0, return_inverse=True)
        counts, sums = keys[:, 0], keys[:, 1]
        weights = np.bincount(place.ravel(), weights=w[held]).astype(float)
    last = counts == hits
    return sums[last], weights[last] / weights[last].sum()
