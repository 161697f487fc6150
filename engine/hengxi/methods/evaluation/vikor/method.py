from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Chart, Points, Report, SetRemedy, Table, choice, figure, integer, num, number, text
from hengxi.methods.evaluation._shared import indicators
from hengxi.methods.evaluation._shared.indicators import Data, Floats, range_scaled, ranked
from hengxi.methods.evaluation._shared.ranking import SOURCES, RankedForm, Ranking, refuse_same, vikor
from hengxi.methods.evaluation._shared.weighting import TOP

GRID = (0.0, 0.25, 0.5, 0.75, 1.0)


class Vikor(Ranking):
    """A compromise between what serves the whole and what nobody regrets too much."""

    title, title_en = "折衷排序法VIKOR", "VIKOR"
    purpose = "兼顾群体效用与个体遗憾时，哪个（些）方案是折衷最优"
    aliases = ("VIKOR", "折衷解", "多准则妥协解", "群体效用", "个体遗憾")
    references = ("opricovic2004",)
    conventions = (
        "损失 = 权重 × (f* − f)/(f* − f⁻)；中间型、区间型的损失按离最优区间的距离计。",
        "S 是损失之和，R 是最大的损失；Q = v(S − S*)/(S⁻ − S*) + (1 − v)(R − R*)/(R⁻ − R*)，越小越好。",
        "可接受优势：Q(2) − Q(1) ≥ 1/(方案数 − 1)；决策可靠：第一名的 S 或 R 也最小（Opricovic 和 Tzeng，2004）。",
        "S⁻ = S* 或 R⁻ = R* 时该项取 0。所有方案相同的指标已剔除。",
        "熵值法、CRITIC 的权重用极差法处理后的指标计算；手工权重自动归一。",
    )

    class Input(RankedForm):
        weight_source: str = choice("权重", {
            "entropy": "熵值法（极差法）", "equal": "等权", "manual": "手工", "critic": "CRITIC"})  # fmt: skip
        v: float = number(
            "决策机制系数 v", 0.5, least=0, most=1, hint="大于 0.5 偏重多数人的效用，小于 0.5 偏重最大的遗憾"
        )

    result = Table(
        "VIKOR 结果", object=text("方案"), s=num("群体效用 S", least=0, most=1), r=num("个体遗憾 R", least=0, most=1),
        q=num("利益比率 Q", least=0, most=1), s_rank=integer("S 排名"), r_rank=integer("R 排名"), rank=integer(
            "Q 排名"),
        place="main",
    )  # fmt: skip
    bars = Points("三个指标", object=text("方案"), measure=text("指标"), value=num("值"))
    plot = Chart(f"S、R、Q（最多 {TOP} 个）", "bar", of=bars, x="object", y="value", series="measure", place="main")
    conditions = Table(
        "折衷条件", condition=text("条件"), value=num("值"), bound=num("界值"), met=text("满足"), place="detail"
    )
    over = Points("v 的影响", v=num("v"), object=text("方案"), q=num("Q"))
    lines = Chart("v 敏感性曲线", "line", of=over, x="v", y="q", series="object", place="detail")
    firsts = Table(
        "v 敏感性", v=text("v"), first=text("Q 最小的方案"), q=num("Q 第二小", least=0, most=1), place="detail"
    )

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = cls._read(report, form)
        weights = cls.weigh(report, form, data)
        scaled = range_scaled(data)
        s, r, q = vikor(scaled, weights, form.v)
        ranks = [ranked(-np.round(one, 12)) for one in (s, r, q)]
        columns = {"object": data.objects, "s": s, "r": r, "q": q}
        names = ("s_rank", "r_rank", "rank")
        report.add_rows(cls.result, columns | {key: np.array(one) for key, one in zip(names, ranks, strict=True)})
        order = np.lexsort((np.round(s, 12), np.round(q, 12)))
        for k in order[:TOP]:
            for name, one in (("S", s), ("R", r), ("Q", q)):
                report.row(cls.bars, object=data.objects[k], measure=name, value=one[k])
        solution = cls._conditions(report, data, s, r, q, order)
        for v in GRID:
            again = vikor(scaled, weights, v)[2]
            place = np.argsort(np.round(again, 12), kind="stable")
            report.row(cls.firsts, v=f"{v:g}", first=data.objects[place[0]], q=again[place[1]])
            for k in order[:TOP]:
                report.row(cls.over, v=v, object=data.objects[k], q=again[k])
        turned = cls.robust(report, data, weights, lambda w: -vikor(scaled, w, form.v)[2], "VIKOR")
        _words(report, form, data, q, order, solution, turned)
        return report

    @classmethod
    def _read(cls, report: Report, form: Any) -> Data:
        data = indicators.read(form, least_indicators=1, constants=True)
        dropped = data.constant
        if dropped and len(dropped) < data.m:
            for k in dropped:
                one = data.indicators[k]
                text_ = "指标“{v}”所有方案相同（f* = f⁻），不能区分方案，已剔除。"
                report.warn("data.constant", text_, v=one.name, columns=[one.column])
            data = data.without(dropped)
        refuse_same(data)
        return data

    @classmethod
    def _conditions(cls, report: Report, data: Data, s: Floats, r: Floats, q: Floats, order: Any) -> list[str]:
        first, second = order[0], order[1]
        bound = 1 / (data.n - 1)
        gap = float(q[second] - q[first])
        ahead = gap >= bound - 1e-12
        stable = s[first] <= s.min() + 1e-12 or r[first] <= r.min() + 1e-12
        report.row(
            cls.conditions, condition="可接受优势：Q(2) − Q(1)", value=gap, bound=bound, met="是" if ahead else "否"
        )
        report.row(cls.conditions, condition="决策可靠：第一名的 S 或 R 也最小", met="是" if stable else "否")
        if ahead and stable:
            return [data.objects[first]]
        if ahead:
            return [data.objects[first], data.objects[second]]
        return [data.objects[k] for k in order if q[k] - q[first] < bound - 1e-12]


def _words(report: Report, form: Any, data: Data, q: Floats, order: Any, solution: list[str], turned: int) -> None:
    first = order[0]
    listed = "、".join(solution[:10]) + ("等" if len(solution) > 10 else "")
    facts: dict[str, Any] = {
        "n": data.n, "m": data.m, "first": data.objects[first], "q": q[first], "k": len(solution), "listed": listed,
        "v": form.v,
    }  # fmt: skip
    if len(solution) == 1:
        lead = "折衷最优的是“{first}”（Q = {q:num}），两个条件都满足。"
    else:
        lead = "Q 最小的是“{first}”（Q = {q:num}），但没有明显领先，折衷解有 {k:integer} 个：{listed}。"
    report.lead(lead, [figure("折衷解", "{k:integer} 个", "{listed}")], **facts)
    facts |= {"turned": turned, "tries": 2 * data.m}
    if turned:
        text_ = "单个权重增减 10%，{tries:integer} 次里有 {turned:integer} 次换了第一名。"
        report.check(
            "排名稳不稳",
            "care",
            text_,
            remedies=[SetRemedy(title="改为等权比较", set={"weight_source": "equal"})],
            **facts,
        )
    else:
        report.check("排名稳不稳", "pass", "单个权重增减 10%，第一名都不变。")
    report.say(
        f"采用 VIKOR 法（{SOURCES[form.weight_source]}，v = {{v:num}}）"
        f"对 {{n:integer}} 个方案的 {{m:integer}} 个指标折衷排序，"
        "折衷解为{listed}。", voice="paper", **facts,
    )  # fmt: skip
    report.say("S 小说明总的损失小，R 小说明最差的一项也不太差；Q 兼顾两者，越小越好。", voice="student")
