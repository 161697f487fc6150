from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any

import numpy as np
from scipy import special

from hengxi.contract import (
    Chart,
    Form,
    Method,
    Points,
    Record,
    Reference,
    Refusal,
    Report,
    Table,
    Wide,
    choice,
    figure,
    integer,
    num,
    number,
    percent,
    records,
    text,
    words,
)
from hengxi.stats.power import Design

MOST = 10_000_000
TIMES = (0.5, 0.75, 1.0, 1.5, 2.0)
SHARES = (0.1, 0.2, 0.3, 0.5)
LEVELS = (0.9, 0.95, 0.99)
POWERS = (0.7, 0.8, 0.9)
RATIOS = (5, 10, 15, 20)
PRECISE = {"goal": ("proportion", "mean", "stratified", "cluster")}
SHARED = {"goal": ("proportion", "cluster", "two_proportions", "achieved_error")}
COMPARED = {"goal": ("two_proportions", "two_means")}
FINITE = {"goal": ("proportion", "mean", "cluster", "achieved_error")}


@dataclass(frozen=True)
class Steps:
    """From the formula to the letters sent: n0, with the finite population, with the design effect, whole, invited."""

    first: float
    finite: float
    designed: float

    @property
    def n(self) -> int:
        return max(1, ceil(self.designed - 1e-9))


class SurveySampleSize(Method):
    """Closed formulas for one share, one mean, two groups, strata, clusters, scales; the error of a given sample."""

    title, title_en = "调查样本量计算", "Survey sample size"
    family, tier = "问卷研究", "standard"
    purpose = "达到规定精度或检验效能需要回收多少份问卷，现有样本误差有多大？"
    aliases = ("问卷样本量", "样本量公式", "抽样误差", "Krejcie Morgan", "分层抽样", "整群抽样", "设计效应", "回收率")
    references = ("cochran1977", "krejcie1970", "kish1965")
    conventions = (
        "比例 n₀ = z²p(1 − p)/e²，均值 n₀ = (zs/e)²；有限总体 n = n₀/(1 + (n₀ − 1)/N)；再乘设计效应，向上取整。",
        "发放份数 = 需要的份数 ÷ 有效回收率，向上取整；两组各自取整。",
        "两个比例：正态近似，与 R 的 power.prop.test 相同；两个均值：非中心 t，与 pwr 相同。双侧，α = 1 − 置信水平。",
        "分层：比例分配 n = ΣWS²/(V + ΣWS²/N)，Neyman 分配 n = (ΣWS)²/(V + ΣWS²/N)，V = (e/z)²；各层向上取整。",
        "整群：设计效应 = 1 + (每群份数 − 1) × 群内相关系数。",
        "量表：份数 = 题数 × 每题份数，是经验规则，没有误差的含义。",
    )
    needs_data = False
    split = False

    class Input(Form):
        goal: str = choice("目的", {
            "proportion": "估计一个比例", "mean": "估计一个均值", "two_proportions": "比较两个比例",
            "two_means": "比较两个均值", "stratified": "分层抽样", "cluster": "整群抽样",
            "scale_items": "量表（按题数）", "achieved_error": "已回收样本的误差",
        })  # fmt: skip
        confidence: float = number(
            "置信水平", 0.95, least=0.8, most=0.999, percent=True,
            when={"goal": (*PRECISE["goal"], *COMPARED["goal"], "achieved_error")},
        )  # fmt: skip
        margin: float = number(
            "允许误差", 0.05, least=0, most=1_000_000, when=PRECISE, hint="比例填 0.05 表示 5 个百分点；均值用原单位"
        )
        p: float = number("预期比例", 0.5, least=0, most=1, when=SHARED, hint="不知道时填 0.5，最保守")
        p2: float = number("第二组的比例", 0.4, least=0, most=1, when={"goal": "two_proportions"})
        sd: float = number("标准差", 1, above=0, most=1_000_000, when={"goal": ("mean", "two_means")})
        difference: float = number("要发现的均值差", 0.5, above=0, most=1_000_000, when={"goal": "two_means"})
        power: float = number("检验效能", 0.8, least=0.5, most=0.999, percent=True, when=COMPARED)
        population: int | None = integer(
            "总体规模", None, least=2, most=2_000_000_000, auto="很大，不修正", when=FINITE
        )
        deff: float = number(
            "设计效应", 1, least=0.2, most=50, when={"goal": ("proportion", "mean", "stratified", "achieved_error")}
        )
        cluster_size: int = integer("每群调查份数", 20, least=2, most=10_000, when={"goal": "cluster"})
        icc: float = number("群内相关系数", 0.05, least=0, most=1, when={"goal": "cluster"})
        strata_of: str = choice("分层估计", {"share": "比例", "mean": "均值"}, when={"goal": "stratified"})
        strata: list[Record] = records(
            "各层", min=0, max=50, names="第{i}层", when={"goal": "stratified"}, name=words("层", kind="name"),
            size=integer("总体", 1000, least=2, most=2_000_000_000),
            spread=number("预期比例（均值时填标准差）", 0.5, least=0, most=1_000_000),
        )  # fmt: skip
        items: int = integer("题数", 20, least=1, most=1000, when={"goal": "scale_items"})
        ratio: int = integer("每题份数", 10, least=1, most=100, when={"goal": "scale_items"})
        n: int = integer("已回收份数", 400, least=2, most=MOST, when={"goal": "achieved_error"})
        response_rate: float = number(
            "预计有效回收率", 0.8, least=0.01, most=1, percent=True,
            when={"goal": (*PRECISE["goal"], *COMPARED["goal"], "scale_items")},
        )  # fmt: skip

    result = Table(
        "样本量", what=text("项"), infinite=num("无限总体 *n*₀", least=0), finite=num("有限总体校正", least=0),
        designed=num("乘设计效应", least=0), n=integer("需要份数"), invited=integer("发放份数"), place="main",
    )  # fmt: skip
    error = Table(
        "已回收样本的误差", n=integer("份数"), p=num("预期比例", least=0), se=num("标准误", least=0),
        error=num("误差 ±", least=0), when={"goal": "achieved_error"}, place="main",
    )  # fmt: skip
    allocation = Table(
        "各层分配", stratum=text("层"), size=integer("总体"), weight=percent("层权"), spread=num("标准差", least=0),
        proportional=integer("比例分配"), neyman=integer("Neyman 分配"), when={"goal": "stratified"}, place="main",
    )  # fmt: skip
    sensitivity = Table(
        "不同设定所需份数", times=text("设定"), row=num("误差或差异", least=0), layout=Wide(n=integer("份数")),
        place="main", when={"goal": (*PRECISE["goal"], *COMPARED["goal"], "scale_items")},
    )  # fmt: skip
    line = Points(
        "曲线", x=num("份数"), y=num("误差"), when={"goal": ("proportion", "mean", "cluster", "achieved_error")}
    )
    plot = Chart("样本量与误差", "line", of=line, x="x", y="y", when={"goal": (*FINITE["goal"],)}, place="main")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        if form.goal in PRECISE["goal"]:
            share = form.goal in ("proportion", "cluster") or (form.goal == "stratified" and form.strata_of == "share")
            if not form.margin > 0 or (share and form.margin >= 1):
                raise Refusal(
                    "number.range", "允许误差须在 0 与 1 之间（均值须大于 0），请改“允许误差”", field="margin"
                )
        {"stratified": cls._stratified, "scale_items": cls._scale, "achieved_error": cls._achieved}.get(
            form.goal, cls._compared if form.goal in COMPARED["goal"] else cls._one
        )(report, form)
        return report

    # ---- one share or mean -----------------------------------------------------------------------------------------
    @classmethod
    def _one(cls, report: Report, form: Any) -> None:
        deff = 1 + (form.cluster_size - 1) * form.icc if form.goal == "cluster" else form.deff
        steps = cls._steps(form, form.margin, cls._variance(form), deff)
        whole = form.population
        if whole is not None and steps.n >= whole:
            raise Refusal(
                "data.census", "算得要 {n} 份，总体只有 {whole} 人，建议普查；也可放宽允许误差", field="population",
                also=["margin"], n=steps.n, whole=whole,
            )  # fmt: skip
        invited = ceil(steps.n / form.response_rate - 1e-9)
        report.row(
            cls.result, what="合计", infinite=steps.first, finite=steps.finite, designed=steps.designed, n=steps.n,
            invited=invited,
        )  # fmt: skip
        if whole is not None and invited > whole:
            report.warn("data.invited", "要发放 {k:integer} 份，超过总体人数，需提高回收率或普查。", k=invited)
        cls._sensitivity(report, form, deff)
        cls._curve(report, form, steps.n, deff)
        of = "比例" if form.goal != "mean" else "均值"
        scale = "percent1" if form.goal != "mean" else "num"
        facts: dict[str, Any] = {"n": steps.n, "invited": invited, "level": form.confidence, "margin": form.margin}
        facts |= {"rate": form.response_rate}
        lead = f"需要 {{n:integer}} 份有效问卷，{of}的误差才不超过 ±{{margin:{scale}}}（{{level:percent}} 置信水平）。"
        lead += "按 {rate:percent} 有效回收，要发放 {invited:integer} 份。"
        report.lead(lead, [figure("有效问卷", "{n:integer}"), figure("发放", "{invited:integer}")], **facts)
        if form.goal == "cluster":
            clusters = ceil(steps.n / form.cluster_size)
            report.say(
                "设计效应 {deff:num}：同一群的人相似，要的份数是简单随机抽样的 {deff:num} 倍，至少抽 {k:integer} 群。",
                deff=deff, k=clusters,
            )  # fmt: skip
        else:
            report.say("这里假定简单随机抽样。方便抽样（如朋友圈发问卷）没有抽样误差可算，份数多也不能代表总体。")
        if form.goal != "mean":
            report.say("要分性别、年级等分别报告时，每一类都要有这么多份。")
        told = "n₀ = z²p(1 − p)/e²，p = {p:num}" if form.goal != "mean" else "n₀ = (z·s/e)²，s = {sd:num}"
        fpc = "，经有限总体校正" if whole is not None else ""
        report.say(
            f"按 {told}，e = {{margin:num}}，置信水平 {{level:percent}}{fpc}，需要 {{n:integer}} 份有效问卷。",
            voice="paper",
            **({"p": form.p} if form.goal != "mean" else {"sd": form.sd}), n=steps.n, margin=form.margin,
            level=form.confidence,
        )  # fmt: skip

    @staticmethod
    def _variance(form: Any) -> float:
        return float(form.sd) ** 2 if form.goal == "mean" else form.p * (1 - form.p)

    @classmethod
    def _steps(cls, form: Any, margin: float, variance: float, deff: float, level: float | None = None) -> Steps:
        first = z_of(level or form.confidence) ** 2 * variance / margin**2
        if first > MOST:
            raise Refusal("data.unsolved", "要超过一千万份，请增大允许误差", field="margin")
        finite = first if form.population is None else first / (1 + (first - 1) / form.population)
        return Steps(first, finite, finite * deff)

    @classmethod
    def _sensitivity(cls, report: Report, form: Any, deff: float) -> None:
        for times in TIMES:
            margin = form.margin * times
            if form.goal != "mean" and margin >= 1:
                continue
            made: dict[str, dict[str, Any]] = {}
            for share in SHARES if form.goal != "mean" else ():
                made[f"p = {share:g}"] = {"n": cls._steps(form, margin, share * (1 - share), deff).n}
            for level in LEVELS if form.goal == "mean" else ():
                made[f"{level:.0%}"] = {"n": cls._steps(form, margin, form.sd**2, deff, level).n}
            report.row(cls.sensitivity, times=f"{times:g} 倍", row=margin, wide=made)
        report.note(cls.sensitivity, "误差减半，份数约要四倍。")

    @classmethod
    def _curve(cls, report: Report, form: Any, n: int, deff: float) -> None:
        whole = form.population
        most = min(4 * n + 20, whole - 1) if whole else 4 * n + 20
        sizes = np.unique(np.round(np.linspace(max(2, n / 10), max(most, 3), 80)))
        variance = cls._variance(form)
        errors = np.array([margin_of(float(k), variance, form.confidence, whole, deff) for k in sizes])
        report.add_rows(cls.line, {"x": sizes, "y": errors})
        report.chart(cls.plot, over=[Reference(x=float(n), label="所求")])

    @classmethod
    def _achieved(cls, report: Report, form: Any) -> None:
        whole = form.population
        if whole is not None and form.n >= whole:
            raise Refusal(
                "number.range", "已回收份数不小于总体规模，没有抽样误差，请核对", field="n", also=["population"]
            )
        error = margin_of(form.n, cls._variance(form), form.confidence, whole, form.deff)
        report.row(cls.error, n=form.n, p=form.p, se=error / z_of(form.confidence), error=error)
        report.skip(cls.result, "这里求的是误差")
        cls._curve(report, form, form.n, form.deff)
        report.lead(
            "{n:integer} 份有效问卷，比例的误差约为 ±{error:percent1}"
            "（{level:percent} 置信水平，预期比例 {p:percent}）。",
            [figure("误差", "±{error:percent1}")], n=form.n, error=error, level=form.confidence, p=form.p,
        )  # fmt: skip
        report.say("这只是抽样误差。拒访、漏答和抽样框不全带来的偏差不在里面。")

    # ---- two groups ------------------------------------------------------------------------------------------------
    @classmethod
    def _compared(cls, report: Report, form: Any) -> None:
        if form.goal == "two_proportions" and abs(form.p - form.p2) < 1e-6:
            raise Refusal("number.range", "两个比例相同，没有差异可发现，请改其中一个", field="p2", also=["p"])
        exact = cls._group(form, 1.0, form.power)
        if exact is None:
            raise Refusal("data.unsolved", "每组要超过一千万份，请增大要发现的差异", field="p2", also=["difference"])
        n = ceil(exact - 1e-9)
        invited = ceil(n / form.response_rate - 1e-9)
        for name, k in (("每组", 1), ("两组合计", 2)):
            report.row(cls.result, what=name, infinite=k * exact, n=k * n, invited=k * invited)
        gap = round(abs(form.p - form.p2), 12) if form.goal == "two_proportions" else form.difference
        for times in TIMES:
            sizes = {f"{power:.0%}": cls._group(form, times, power) for power in POWERS}
            cells = {key: {"n": None if one is None else ceil(one - 1e-9)} for key, one in sizes.items()}
            report.row(cls.sensitivity, times=f"{times:g} 倍", row=gap * times, wide=cells)
        report.note(cls.sensitivity, "每组的份数；列是检验效能。空格表示两个比例超出 0 到 1，或超过一千万份。")
        differing: dict[str, Any] = {"gap": gap}
        what = "两组均值相差 {gap:num}"
        if form.goal == "two_proportions":
            differing = {"p1": form.p, "p2": form.p2}
            what = "两组比例的差别（{p1:percent1} 与 {p2:percent1}）"
        report.lead(
            f"每组 {{n:integer}} 份有效问卷，才有 {{power:percent}} 的把握发现{what}。"
            "按 {rate:percent} 有效回收，每组发放 {invited:integer} 份。",
            [figure("每组", "{n:integer}"), figure("每组发放", "{invited:integer}")], n=n, power=form.power,
            rate=form.response_rate, invited=invited, **differing,
        )  # fmt: skip
        report.say("要发现的差异按文献、预调查或有实际意义的最小差异来定，不要随手填。")

    @classmethod
    def _group(cls, form: Any, times: float, power: float) -> float | None:
        """Of one group, not rounded."""
        alpha = 1 - form.confidence
        if form.goal == "two_means":
            effect = form.difference * times / form.sd
            return Design("t_ind", alpha, True, 1.0, 2, 1, 1, 1.0).size(effect, power) if effect < 50 else 2.0
        p, q = form.p, form.p + (form.p2 - form.p) * times
        if not 0 <= q <= 1:
            return None
        pooled = (p + q) / 2
        spread = z_of(form.confidence) * sqrt(2 * pooled * (1 - pooled))
        spread += float(special.ndtri(power)) * sqrt(p * (1 - p) + q * (1 - q))
        found = (spread / (p - q)) ** 2
        return found if found <= MOST else None

    # ---- strata and scales -----------------------------------------------------------------------------------------
    @classmethod
    def _stratified(cls, report: Report, form: Any) -> None:
        if len(form.strata) < 2:
            raise Refusal("records.few", "分层抽样至少要 2 层，请在“各层”里填写", field="strata")
        sizes = np.array([row.size for row in form.strata], dtype=float)
        values = np.array([row.spread for row in form.strata], dtype=float)
        if form.strata_of == "share" and values.max() > 1:
            raise Refusal(
                "number.range", "预期比例须在 0 与 1 之间，请改“各层”；估计均值时请改“分层估计”", field="strata"
            )
        spreads = values if form.strata_of == "mean" else np.sqrt(values * (1 - values))
        if not spreads.any():
            raise Refusal("number.range", "各层都没有变异，请改“各层”里的比例或标准差", field="strata")
        w, whole = sizes / sizes.sum(), float(sizes.sum())
        v = (form.margin / z_of(form.confidence)) ** 2
        inner, mixed = float(w @ spreads**2), float(w @ spreads) ** 2
        made = {}
        for key, name, top in (("proportional", "比例分配", inner), ("neyman", "Neyman 分配", mixed)):
            steps = Steps(top / v, top / (v + inner / whole), top / (v + inner / whole) * form.deff)
            if steps.designed >= whole:
                raise Refusal(
                    "data.census", "算得要 {n} 份，各层合计只有 {whole} 人，建议普查；也可放宽允许误差", field="margin",
                    also=["strata"], n=steps.n, whole=round(whole),
                )  # fmt: skip
            parts = w if key == "proportional" else w * spreads / float(w @ spreads)
            made[key] = [max(1, ceil(steps.designed * part - 1e-9)) for part in parts]
            n = sum(made[key])
            report.row(
                cls.result, what=name, infinite=steps.first, finite=steps.finite, designed=steps.designed, n=n,
                invited=sum(ceil(one / form.response_rate - 1e-9) for one in made[key]),
            )  # fmt: skip
        for i, row in enumerate(form.strata):
            report.row(
                cls.allocation, stratum=row.name, size=row.size, weight=float(w[i]), spread=float(spreads[i]),
                proportional=made["proportional"][i], neyman=made["neyman"][i],
            )  # fmt: skip
        for times in TIMES:
            v_own = (form.margin * times / z_of(form.confidence)) ** 2
            cells = {
                name: {"n": ceil(min(top / (v_own + inner / whole) * form.deff, whole) - 1e-9)}
                for name, top in (("比例分配", inner), ("Neyman 分配", mixed))
            }
            report.row(cls.sensitivity, times=f"{times:g} 倍", row=form.margin * times, wide=cells)
        report.note(cls.sensitivity, "各层合计，未按层取整。")
        a, b = sum(made["proportional"]), sum(made["neyman"])
        report.lead(
            "按层的大小分配要 {a:integer} 份有效问卷，Neyman 分配要 {b:integer} 份"
            "（误差 ±{margin:num}，{level:percent} 置信水平）。",
            [figure("比例分配", "{a:integer}"), figure("Neyman 分配", "{b:integer}")], a=a, b=b, margin=form.margin,
            level=form.confidence,
        )  # fmt: skip
        report.say("Neyman 分配在差异大的层多抽，总份数少，但分析时要按层加权。要分层比较时，每层都要有足够的份数。")

    @classmethod
    def _scale(cls, report: Report, form: Any) -> None:
        n = form.items * form.ratio
        invited = ceil(n / form.response_rate - 1e-9)
        report.row(cls.result, what=f"{form.items} 题 × {form.ratio} 份", n=n, invited=invited)
        for ratio in RATIOS:
            report.row(
                cls.sensitivity, times=f"每题 {ratio} 份", row=float(ratio), wide={"份数": {"n": form.items * ratio}}
            )
        report.note(cls.sensitivity, "“误差或差异”一列是每题份数。")
        report.lead(
            "{items:integer} 题，每题 {ratio:integer} 份，需要 {n:integer} 份有效问卷；"
            "按 {rate:percent} 有效回收，发放 {invited:integer} 份。",
            [figure("有效问卷", "{n:integer}"), figure("发放", "{invited:integer}")],
            items=form.items, ratio=form.ratio,
            n=n, rate=form.response_rate, invited=invited,
        )  # fmt: skip
        report.say("每题 5 到 10 份是因子分析的经验规则；结构方程一般另要求不少于 200 份。规则不保证结果稳定。")
        if n < 200:
            report.warn("number.low", "不足 200 份，因子分析的结果容易不稳定。")


def z_of(level: float) -> float:
    return float(special.ndtri((1 + level) / 2))


def margin_of(n: float, variance: float, level: float, population: int | None, deff: float) -> float:
    """The inverse of the sample size: n is divided by the design effect, then freed of the finite population."""
    own = n / deff
    rest = 1.0 if population is None else max(0.0, (population - own) / (population - 1))
    return z_of(level) * sqrt(variance / own * rest)
