from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from math import factorial
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
    Refusal,
    Report,
    Table,
    choice,
    claim,
    confidence,
    figure,
    flag,
    integer,
    num,
    pvalue,
    resamples,
    role,
    stat,
    text,
)
from hengxi.interpret import landis1977
from hengxi.stats.moments import Floats
from hengxi.stats.names import sharing, titles
from hengxi.stats.proportions import wilson

FEW = 7
"""Up to so many objects the χ² approximation is poor (Siegel & Castellan 1988)."""
LISTED = 200_000


class KendallW(Method):
    """Concordance of several raters who rank the same objects."""

    title, title_en = "Kendall协调系数检验", "Kendall's W"
    family, tier = "一致性检验", "standard"
    rescaled = (("objects",),)
    purpose = "多名评委对多个对象的排序是否一致"
    aliases = ("协调系数", "和谐系数", "Kendall W", "评委一致性", "排序一致性", "肯德尔和谐系数")
    references = ("kendall1939", "siegel1988", "landis1977")
    conventions = (
        "每名评委的分数先在自己内部排秩，从小到大，相同的取平均秩；名次 1 为平均秩最大（分数最高）。",
        "结校正：分母减去每名评委的 Σ(t³ − t)。",
        "自动：对象超过 7 个用 χ² 近似，否则用置换（各评委的秩独立打乱；全部列得完时为精确，"
        "否则为固定种子的随机置换）。",
        "平均 Spearman ρ = (mW − 1)/(m − 1)。",
    )
    random = True

    class Input(Form):
        objects: list[Column] = role("被评对象（每列一个，每行一名评委）", "定量", min=3, max=200)
        ties: bool = flag("结校正", True)
        p_method: str = choice("p值", {"auto": "自动", "chi2": "χ²近似", "permutation": "置换"})
        n_resamples: int = resamples(9999, most=99_999, when={"p_method": ("auto", "permutation")})
        conf_level: float = confidence()

    ranks = Table(
        "平均秩", object=text("对象"), rank=num("平均秩"), place_=integer("名次", fractions=True), place="main"
    )
    plot = Chart("平均秩", "bar", of=ranks, x="object", y="rank", place="main")
    result = Table(
        "检验结果", m=integer("评委数"), k=integer("对象数"), w=num("*W*", least=0, most=1), chi2=num("χ²", least=0),
        df=integer("*df*"), p=pvalue(), how=text("*p* 的算法"), rho=num("平均Spearman ρ", least=-1, most=1),
        place="main",
        claim=claim("agreement", stat("χ²", "chi2", "df"), effect="w", outcome="objects"),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"评委对 {len(form.objects)} 个对象的一致性"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"variables": form["objects"]}
        return [NextStep(title="看各对象分数之间的关系（相关性分析）", method="descriptive/correlation", form=start)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        x = np.column_stack([column.numbers for column in form.objects])
        m, k = x.shape
        if m < 2:
            raise Refusal("data.few", "至少需要2名评委（每行一名），现在只有 {m} 行完整", field="objects", m=m)
        ranks: Floats = stats.rankdata(x, axis=1)
        if (np.ptp(ranks, axis=1) == 0).all():
            raise Refusal("data.constant", "每名评委给各对象的分数都相同，没有排序，W 无定义", field="objects")
        lost = int((np.ptp(ranks, axis=1) == 0).sum())
        sums = ranks.sum(axis=0)
        tied = _tied(ranks) if form.ties else 0.0
        w = 12 * float(np.sum((sums - sums.mean()) ** 2)) / (m * m * (k**3 - k) - m * tied)
        chi2 = m * (k - 1) * w
        p, how = cls._p(form, ranks, chi2, k)
        means = ranks.mean(axis=0)
        names = list(titles(form.objects).values())
        places = stats.rankdata(-means)
        for name, rank, place in zip(names, means, places, strict=True):
            report.row(cls.ranks, object=name, rank=rank, place_=place)
        report.row(cls.result, m=m, k=k, w=w, chi2=chi2, df=k - 1, p=p, how=how, rho=(m * w - 1) / (m - 1))
        report.note(cls.ranks, "秩从小到大：平均秩越大，评分越高；名次 1 为评分最高。")
        cls._words(report, form, names, means, {"m": m, "k": k, "w": w, "chi": chi2, "df": k - 1, "p": p, "how": how})
        if lost:
            report.check("评委的区分", "care", "有 {lost:integer} 名评委给各对象的分数都相同，拉低了 *W*。", lost=lost)
        report.check("独立评分", "unknown", "各评委应当独立评分、互不商量，请按评分过程自行判断。")
        return report

    @classmethod
    def _p(cls, form: Any, ranks: Floats, chi2: float, k: int) -> tuple[float, str]:
        m = ranks.shape[0]
        if form.p_method == "chi2" or (form.p_method == "auto" and k > FEW):
            return float(stats.chi2.sf(chi2, k - 1)), "χ² 近似"
        here = float(np.sum((ranks.sum(axis=0) - m * (k + 1) / 2) ** 2)) * (1 - 1e-12) - 1e-9
        if factorial(k) <= 5040 and (m - 1) * np.log(factorial(k)) <= np.log(LISTED):
            return _exact(ranks, here), "精确置换"
        hits, draws, left = 0, form.n_resamples, form.n_resamples
        step = max(1, 2_000_000 // ranks.size)
        while left > 0:
            size = min(step, left)
            shuffled = form.rng.permuted(np.broadcast_to(ranks, (size, *ranks.shape)), axis=2)
            spread = np.sum((shuffled.sum(axis=1) - m * (k + 1) / 2) ** 2, axis=1)
            hits += int((spread >= here).sum())
            left -= size
        low, high = wilson(hits, draws, 0.99)
        return (1 + hits) / (1 + draws), f"随机置换 {draws:,} 次（99% 区间 {low:.4f}–{high:.4f}，种子 {form.seed}）"

    @classmethod
    def _words(cls, report: Report, form: Any, names: list[str], means: Floats, facts: dict[str, Any]) -> None:
        top, bottom = int(means.argmax()), int(means.argmin())
        facts |= {"r1": float(means[top]), "r2": float(means[bottom])}
        facts |= {"a": sharing(names, means.tolist(), facts["r1"]), "b": sharing(names, means.tolist(), facts["r2"])}
        yes = facts["p"] < 1 - form.conf_level
        strength = landis1977.agreement(facts["w"])
        exact = "" if facts["how"] == "χ² 近似" else "，{how}"
        test = f"*W* = {{w:num}}，χ²({{df:integer}}) = {{chi:num}}，*p* {{p:peq}}{exact}"
        verdict = f"{{m:integer}} 名评委的排序{'一致，程度' + strength if yes else '没有发现好于碰巧的一致'}"
        ends = "平均秩最高的是“{a}”（{r1:num}），最低的是“{b}”（{r2:num}）"
        report.lead(
            f"{verdict}（{test}）。{ends}。", [figure("*W*", "{w:num}"), figure("检验", "*p* {p:peq}")], **facts
        )
        report.say(
            "*W* 为 0 是各排各的，1 是名次完全相同。*p* 只说明是否好于碰巧；*W* 小时，平均名次代表不了大家的意见。",
            voice="student",
        )  # fmt: skip
        report.say(f"{verdict}，{test}（{{k:integer}} 个对象）。{ends}。", voice="paper", **facts)
        report.say(f"{verdict}（*W* = {{w:num}}，*p* {{p:peq}}）。{ends}。", voice="brief", **facts)


def _tied(ranks: Floats) -> float:
    """Σ(t³ − t) over the ties of all raters."""
    total = 0.0
    for row in ranks:
        _, t = np.unique(row, return_counts=True)
        total += float(np.sum(t.astype(float) ** 3 - t))
    return total


def _exact(ranks: Floats, here: float) -> float:
    """P of a spread of rank sums at least as large, over all orders of every rater but the first."""
    k = ranks.shape[1]
    orders = np.array(list(permutations(range(k))))
    sums, share = ranks[:1], np.ones(1)
    for row in ranks[1:]:
        every: Floats = (sums[:, None, :] + row[orders][None, :, :]).reshape(-1, k)
        sums, place = np.unique(np.round(every, 6), axis=0, return_inverse=True)
        share = np.bincount(place.ravel(), weights=np.repeat(share, len(orders)) / len(orders)).astype(float)
    spread = np.sum((sums - ranks.shape[0] * (k + 1) / 2) ** 2, axis=1)
    return float(min(1.0, share[spread >= here].sum()))
