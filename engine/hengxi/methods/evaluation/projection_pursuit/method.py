from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy.stats import spearmanr

from hengxi.contract import (
    Chart,
    Method,
    Points,
    Refusal,
    Report,
    Table,
    Wide,
    figure,
    flag,
    integer,
    num,
    number,
    percent,
    text,
)
from hengxi.contract.limits import Limit
from hengxi.methods.evaluation._shared import indicators
from hengxi.methods.evaluation._shared.indicators import DIRECTED, Data, Directed, Floats, ranked
from hengxi.methods.evaluation._shared.pursuit import AGREE, Index, first_component

FEWEST, MOST, MOST_ITEMS, TOP = 5, 100, 15, 20
FEWER_RUNS = 3
WINDOWS = (0.05, 0.1, 0.2, 0.5)
DIGITS = 6


class ProjectionPursuit(Method):
    """Scores of objects on the direction in which they spread widely and cluster closely."""

    title, title_en = "投影寻踪评价", "Projection pursuit evaluation"
    slug = "projection-pursuit"
    family, tier = "综合评价", "member"
    purpose = "把多指标投影到最能揭示结构的一维方向后，对象如何排序"
    aliases = ("投影寻踪", "投影寻踪分类", "投影指标", "PPE", "PPC")
    references = ("friedman1974",)
    random = True
    limits: ClassVar[tuple[Limit, ...]] = DIRECTED
    conventions = (
        "先用极差法：正向 (x − min)/(max − min)，负向 (max − x)/(max − min)，区间型 1 − d/max d。",
        "投影值 z = Σ aⱼxⱼ，Σ aⱼ² = 1；S 是 z 的标准差（n − 1）。",
        "D = ΣΣ max(R − |zᵢ − zₖ|, 0)，对全部有序对求和，含 i = k；窗宽 R = α·S。",
        "权重是 a²，合计为 1。投影值四舍五入到 6 位小数相同的对象并列。",
        "寻优：默认 10 次差分进化，种子依次加 1，各接一次局部搜索；再从等权和第一主成分方向各搜索一次。",
        "Q 与最大值的相对差不超过 10⁻⁶ 算达到同一最大值。",
        f"换窗宽时最多用 {FEWER_RUNS} 次差分进化，加上本次的最佳方向。",
    )

    class Input(Directed):
        window: float = number("密度窗宽系数α", 0.1, least=0.01, most=1)
        nonnegative: bool = flag("投影方向非负", True)
        runs: int = integer("寻优次数", 10, least=2, most=30)

    result = Table("最佳投影方向", item=text("指标"), kind=text("方向"), a=num("方向分量 a", least=-1, most=1),
                   weight=percent("权重 a²"), place="main")  # fmt: skip
    scores = Table("投影值与排名", object=text("评价对象"), z=num("投影值 z"), rank=integer("排名"), place="main")
    top = Points("投影值最大的对象", object=text("评价对象"), z=num("投影值 z"))
    plot = Chart(f"投影值（最多 {TOP} 个）", "bar", of=top, x="object", y="z", place="main")
    compared = Table("与其他方向比较", way=text("方向"), s=num("标准差 S", least=0), r=num("窗宽 R", least=0),
                     d=num("局部密度 D", least=0), q=num("投影指标 Q", least=0),
                     rho=num("名次相关", least=-1, most=1), place="detail")  # fmt: skip
    searches = Table("各次寻优", start=text("起点"), q=num("达到的 Q", least=0),
                     gap=percent("比最大值低"), place="detail")  # fmt: skip
    windows = Table("换一个窗宽", alpha=num("α"), q=num("投影指标 Q", least=0), rho=num("名次相关", least=-1, most=1),
                    first=text("第一名"), layout=Wide(weight=percent("权重")), place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = _read(form)
        x = indicators.range_scaled(data)
        indicators.refuse_flat(data, x)
        index = Index.of(x, form.window, form.nonnegative)
        principal = first_component(x)
        fixed = [np.ones(data.m), np.abs(principal) if form.nonnegative else principal]
        seeds = [form.seed + k for k in range(form.runs)]
        a, reached = index.search([index.evolve(seed) for seed in seeds] + fixed)
        z = x @ a
        for one, part in zip(data.indicators, a, strict=True):
            report.row(cls.result, item=one.name, kind=one.words, a=part, weight=part**2)
        ranks = ranked(z, DIGITS)
        report.add_rows(cls.scores, {"object": data.objects, "z": z, "rank": np.array(ranks)})
        for k in np.argsort(-np.round(z, DIGITS), kind="stable")[:TOP]:
            report.row(cls.top, object=data.objects[k], z=z[k])
        _compare(cls, report, index, {"最佳投影": a, "等权": np.ones(data.m), "第一主成分": principal})
        best = float(reached.max())
        gaps = np.where(reached >= best * (1 - 1e-12), 0.0, 1 - reached / best)
        names = [f"差分进化，种子 {seed}" for seed in seeds] + ["等权", "第一主成分"]
        for name, value, gap in zip(names, reached, gaps, strict=True):
            report.row(cls.searches, start=name, q=value, gap=gap)
        moved = _windows(cls, report, form, data, x, a)
        _words(report, data, a, z, best, gaps[: form.runs], moved)
        return report


def _read(form: Any) -> Data:
    data = indicators.read(form)
    if data.n < FEWEST:
        text_ = f"投影寻踪至少需要 {FEWEST} 个对象，去掉有缺失的行后只有 {data.n} 个"
        raise Refusal("data.few", text_, field=data.indicators[0].field)
    if data.n > MOST:
        text_ = f"有 {data.n:,} 个对象，投影寻踪最多 {MOST} 个，请先筛选，或汇总到每个对象一行"
        raise Refusal("data.many", text_, field=data.indicators[0].field)
    if data.m > MOST_ITEMS:
        text_ = f"有 {data.m} 个指标，投影寻踪最多 {MOST_ITEMS} 个，请先合并或剔除指标"
        raise Refusal("data.many", text_, field=data.indicators[0].field)
    return data


def _rho(z: Floats, other: Floats) -> float | None:
    pair = np.round(z, DIGITS), np.round(other, DIGITS)
    return None if min(np.ptp(one) for one in pair) == 0 else float(spearmanr(*pair).statistic)


def _compare(cls: Any, report: Report, index: Index, ways: dict[str, Floats]) -> None:
    best = index.x @ ways["最佳投影"]
    for name, b in ways.items():
        unit = (b / np.linalg.norm(b))[None]
        s, d = (float(part[0]) for part in index.parts(unit))
        report.row(cls.compared, way=name, s=s, r=index.alpha * s, d=d, q=s * d, rho=_rho(best, index.x @ unit[0]))
    report.note(cls.compared, "名次相关是与最佳投影的 Spearman 相关。第一主成分的分量可以为负，不受非负的限制。")


def _windows(cls: Any, report: Report, form: Any, data: Data, x: Floats, a: Floats) -> int:
    """Other windows; how many of them give another first."""
    z, moved = x @ a, 0
    for alpha in WINDOWS:
        index = Index.of(x, alpha, form.nonnegative)
        starts = [a] + [index.evolve(form.seed + k) for k in range(min(FEWER_RUNS, form.runs))]
        b, reached = (a, index.value(a[None])) if alpha == form.window else index.search(starts)
        first = data.objects[int(np.argmax(np.round(x @ b, DIGITS)))]
        moved += first != data.objects[int(np.argmax(np.round(z, DIGITS)))]
        wide = {name: {"weight": part**2} for name, part in zip(data.names, b, strict=True)}
        report.row(cls.windows, alpha=alpha, q=float(reached.max()), rho=_rho(z, x @ b), first=first, wide=wide)
    report.note(cls.windows, "名次相关是与本次投影值的 Spearman 相关。Q 随 α 变大，不同 α 的 Q 不能比较。")
    return moved


def _words(report: Report, data: Data, a: Floats, z: Floats, best: float, gaps: Floats, moved: int) -> None:
    order = np.argsort(-np.round(z, DIGITS), kind="stable")
    heavy = int(np.argmax(np.round(a**2, 12)))
    facts: dict[str, Any] = {
        "n": data.n, "m": data.m, "first": data.objects[order[0]], "z": z[order[0]], "last": data.objects[order[-1]],
        "item": data.names[heavy], "w": a[heavy] ** 2, "q": best,
    }  # fmt: skip
    report.lead(
        "{n:integer} 个对象里投影值最大的是“{first}”，最小的是“{last}”。权重最大的指标是“{item}”（{w:percent}）。",
        [figure("第一名", "{first}", "z = {z:num}")], **facts,
    )  # fmt: skip
    agreed = int((gaps <= AGREE).sum())
    level = "pass" if agreed >= len(gaps) / 2 else "care"
    text_ = (
        "{runs:integer} 次差分进化里，{k:integer} 次达到同一个最大值，最差的一次低 {gap:percent}。"
        "达到的次数少，就换种子再算，看 Q 能否更大。"
    )
    report.check("寻优一致", level, text_, runs=len(gaps), k=agreed, gap=float(gaps.max()))  # type: ignore[arg-type]
    if moved:
        report.check("窗宽的影响", "care", "换 {t:integer} 个窗宽，有 {k:integer} 个换了第一名。",
                     t=len(WINDOWS), k=moved)  # fmt: skip
    else:
        report.check("窗宽的影响", "pass", "换 {t:integer} 个窗宽，第一名都不变。", t=len(WINDOWS))
    report.say(
        "采用投影寻踪模型评价 {n:integer} 个对象的 {m:integer} 个指标，最大投影指标 Q = {q:num}，"
        "投影值最大的是{first}，权重最大的指标是{item}（{w:percent}）。", voice="paper", **facts,
    )  # fmt: skip
    report.say("权重由这批数据的结构决定，不说明指标在道理上有多重要。换一批对象，权重会变。", voice="student")
