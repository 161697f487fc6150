from __future__ import annotations

from dataclasses import dataclass
from math import asin, ceil, sqrt
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Form,
    Method,
    Points,
    Reference,
    Refusal,
    Report,
    Table,
    alternative,
    choice,
    figure,
    integer,
    num,
    number,
    percent,
    text,
)
from hengxi.stats.power import MOST, Design, survey_margin, survey_size

POWERS = (0.7, 0.8, 0.9, 0.95)
LEVELS = (0.9, 0.95, 0.99)
AROUND = (0.5, 0.75, 1.0, 1.25, 1.5)
GROUPED = ("t_ind", "prop_two", "tost")
SIDED = ("t_one", "t_paired", "t_ind", "prop_one", "prop_two", "corr")


@dataclass(frozen=True)
class Words:
    title: str
    effect: str
    usual: float
    finds: str
    unit: str = "人"


DESIGNS = {
    "t_one": Words("单样本 t 检验", "*d*", 0.5, "均值与检验值相差"),
    "t_paired": Words("配对 t 检验", "*d*", 0.5, "前后相差", "对"),
    "t_ind": Words("独立样本 t 检验", "*d*", 0.5, "两组均值相差"),
    "anova": Words("单因素方差分析", "*f*", 0.25, "各组均值的差异"),
    "prop_one": Words("单个率", "*h*", 0.5, "率与检验值的差异"),
    "prop_two": Words("两个率", "*h*", 0.5, "两个率的差异"),
    "chi2": Words("卡方检验", "*w*", 0.3, "两个变量的关联"),
    "corr": Words("相关系数", "*r*", 0.3, "相关"),
    "regression": Words("多元回归 *R*²", "*f*²", 0.15, "全部自变量的作用"),
    "tost": Words("两组等价性（TOST）", "等价界限（标准差）", 0.5, "两组在等价界限之内："),
    "survey": Words("抽样调查", "允许误差", 0.05, ""),
    "logrank": Words("生存比较（log-rank）", "HR", 0.5, "两组风险的差异"),
}


class PowerSampleSize(Method):
    title, title_en = "功效与样本量", "Power and sample size"
    family, tier = "样本量与其他检验", "standard"
    purpose = "达到目标把握度需要多少样本，或现有样本的把握度是多少"
    aliases = ("样本量计算", "样本量估算", "把握度", "检验效能", "G*Power", "power analysis", "sample size", "统计功效")
    references = ("cohen1988", "faul2007", "cochran1977", "schoenfeld1983", "schuirmann1987")
    conventions = (
        "t 检验用非中心 t 分布，方差分析与回归用非中心 F，卡方用非中心 χ²，结果与 R 的 pwr 和 G*Power 一致。",
        "率用 Cohen 的 *h* = 2 arcsin√p₁ − 2 arcsin√p₂ 和正态近似；相关用 Fisher *z*（含偏差修正，与 pwr 相同）。",
        "效应量取绝对值；单侧检验不分大于、小于，功效相同。双侧检验的功效含另一侧的尾部。",
        "等价性：两组真值相同时 TOST 得出等价的概率，按估计的标准差积分，精确；α 为每一侧的水平。",
        "生存：Schoenfeld 公式，双侧；总例数 = 事件数 ÷ 发生事件的比例。",
        "抽样调查：简单随机抽样，n₀ = z²p(1 − p)/e²，有限总体 n = n₀/(1 + (n₀ − 1)/N)。",
        "样本量向上取整；含失访的总数：每组人数 ÷ (1 − 失访率) 向上取整后相加，不分组时用总数。",
    )
    needs_data = False
    split = False

    class Input(Form):
        design: str = choice("设计", {
            "t_one": "单样本t", "t_paired": "配对t", "t_ind": "独立t", "anova": "单因素方差分析", "prop_one": "单率",
            "prop_two": "两率", "chi2": "卡方", "corr": "相关", "regression": "多元回归R²", "tost": "等价性",
            "survey": "抽样调查（含有限总体）", "logrank": "生存",
        }, default="t_ind")  # fmt: skip
        solve: str = choice("求解", {"n": "样本量", "power": "功效", "effect": "可检出效应"})
        p1: float | None = number(
            "率1（预期）", None, above=0, below=1, auto="直接填效应量",
            when={"design": ("prop_one", "prop_two"), "solve": ("n", "power")}, hint="两个率都填时，由它们算 h",
        )  # fmt: skip
        p2: float | None = number(
            "率2（对照或检验值）", None, above=0, below=1, auto="直接填效应量",
            when={"design": ("prop_one", "prop_two"), "solve": ("n", "power")},
        )  # fmt: skip
        effect: float | None = number(
            "效应量（d/f/h/w/r/f²/HR/允许误差）", None, least=0.001, most=5, auto="常用的中等效应",
            when={"solve": ("n", "power")},
            hint="d 0.5、f 0.25、h 0.5、w 0.3、r 0.3、f² 0.15 为中等；等价性填界限（标准差）；生存填 HR；抽样填误差",
        )  # fmt: skip
        alpha: float = number("显著性水平", 0.05, least=0.001, most=0.2, hint="抽样调查的置信水平 = 1 − 此值")
        power: float = number("目标功效", 0.8, least=0.05, most=0.999, when={"solve": ("n", "effect")})
        n: int = integer(
            "样本量", 30, least=2, most=10_000_000, when={"solve": ("power", "effect")},
            hint="独立t、两率、等价性为第一组，方差分析为每组，其余为总数",
        )  # fmt: skip
        ratio: float = number(
            "两组比例（第二组÷第一组）", 1, least=0.05, most=20, when={"design": (*GROUPED, "logrank")}
        )
        groups: int = integer("组数", 3, least=2, most=50, when={"design": "anova"})
        df: int = integer("自由度", 1, least=1, most=1000, when={"design": "chi2"}, hint="（行数 − 1）×（列数 − 1）")
        predictors: int = integer("自变量个数", 1, least=1, most=200, when={"design": "regression"})
        events: float = number(
            "发生事件的比例", 1, least=0.001, most=1, when={"design": "logrank"}, hint="随访结束时两组合计"
        )
        share: float = number(
            "预期比例", 0.5, above=0, below=1, when={"design": "survey"}, hint="不知道时取 0.5，最保守"
        )
        population: int | None = integer("总体人数", None, least=2, auto="很大，不修正", when={"design": "survey"})
        dropout: float = number("失访率", 0, least=0, most=0.9, when={"solve": "n"})
        alternative: str = alternative("只用于 t、率与相关", when={"design": SIDED})

    result = Table(
        "样本量结果", design=text("设计"), effect=num("效应量"), alpha=num("α"), power=percent("功效", least=0, most=1),
        n1=integer("每组（第一组）*n*"), n2=integer("第二组 *n*"), n_all=integer("总 *n*"),
        with_dropout=integer("含失访的总 *n*"), exact=num("未取整的 *n*"), events=num("事件数"), place="main",
    )  # fmt: skip
    sensitivity = Table(
        "敏感性：不同效应量与功效所需的总 *n*", times=text("所设效应的"),
        effect=num("效应量"), n70=integer("功效 70%"), n80=integer("功效 80%"),
        n90=integer("功效 90%"), n95=integer("功效 95%"), place="main",
    )  # fmt: skip
    margins = Table(
        "敏感性：不同允许误差与置信水平所需的 *n*", times=text("所设误差的"),
        effect=num("允许误差"), n90=integer("90%"), n95=integer("95%"),
        n99=integer("99%"), place="main", when={"design": "survey"},
    )  # fmt: skip
    curve = Points("曲线", x=num("总样本量"), y=num("功效"))
    plot = Chart("功效曲线", "line", of=curve, x="x", y="y", place="main")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        if form.design == "survey":
            cls._survey(report, form)
            return report
        sided = form.design in SIDED
        design = Design(
            form.design, form.alpha, not sided or form.alternative == "two_sided", form.ratio or 1.0, form.groups or 2,
            form.df or 1, form.predictors or 1, form.events or 1.0,
        )  # fmt: skip
        if form.solve != "effect":
            effect = cls._effect(form)
        if form.solve == "n":
            exact = design.size(effect, form.power)
            if exact is None:
                raise Refusal(
                    "data.unsolved", "在样本量1000万以内无法达到目标功效，请增大效应量", field="effect", also=["power"]
                )
            n = float(ceil(exact - 1e-9))
        else:
            exact, n = None, float(form.n)
            if n < design.least or design.total(n) > MOST:
                raise Refusal(
                    "number.range", "样本量 {n} 不合适：这个设计要 {least} 到 {most} 之间，请改“样本量”", field="n",
                    n=form.n, least=round(design.least), most=round(MOST),
                )  # fmt: skip
        if form.solve == "effect":
            found = design.effect(n, form.power)
            if found is None:
                text = "样本量 {n} 太小，再大的效应也达不到目标功效，请增大样本量或降低目标功效"
                raise Refusal("data.unsolved", text, field="n", also=["power"], n=form.n)
            effect = found
        n2 = float(ceil(n * design.ratio - 1e-9)) if form.design in GROUPED else None
        total = n + n2 if n2 is not None else design.total(n)
        reached = (
            Design(**{**vars(design), "ratio": n2 / n}).power(n, effect) if n2 is not None else design.power(n, effect)
        )
        lost = _recruited(form, design, n, n2) if form.solve == "n" and form.dropout else None
        grouped = form.design in (*GROUPED, "anova")
        events = total * design.events if form.design == "logrank" else None
        report.row(
            cls.result, design=DESIGNS[form.design].title, effect=effect, alpha=form.alpha, power=reached,
            n1=round(n) if grouped else None, n2=None if n2 is None else round(n2), n_all=round(total),
            with_dropout=lost, exact=exact, events=events,
        )  # fmt: skip
        cls._sensitivity(report, form, design, effect)
        cls._curve(report, design, effect, total, n)
        facts = {
            "n": round(n), "n2": None if n2 is None else round(n2), "total": round(total), "effect": effect,
            "power": reached, "target": form.power, "lost": lost, "alpha": form.alpha,
            "dropout": form.dropout, "events": events,
        }  # fmt: skip
        cls._say(report, form, {key: value for key, value in facts.items() if value is not None})
        return report

    @classmethod
    def _effect(cls, form: Any) -> float:
        if form.design in ("prop_one", "prop_two") and (form.p1 is not None or form.p2 is not None):
            if form.p1 is None or form.p2 is None:
                raise Refusal("role.required", "请把两个率都填上，或都不填而直接填效应量", field="p1", also=["p2"])
            h = abs(2 * asin(sqrt(form.p1)) - 2 * asin(sqrt(form.p2)))
            if h < 1e-6:
                raise Refusal("number.range", "两个率相同，效应量必须大于0，请改其中一个", field="p1", also=["p2"])
            return h
        effect = DESIGNS[form.design].usual if form.effect is None else float(form.effect)
        if form.design == "corr" and effect >= 1:
            raise Refusal("number.range", "相关系数须小于 1，请改“效应量”", field="effect")
        if form.design == "logrank" and abs(np.log(effect)) < 1e-6:
            raise Refusal("number.range", "HR 为 1 表示没有差异，效应量必须不等于 1，请改“效应量”", field="effect")
        return effect

    @classmethod
    def _sensitivity(cls, report: Report, form: Any, design: Design, effect: float) -> None:
        near: float | None = None
        for times in AROUND:
            other = float(np.exp(np.log(effect) * times)) if design.key == "logrank" else effect * times
            if design.key == "corr" and other >= 1:
                continue
            cells: dict[str, Any] = {}
            for power in POWERS:
                n = design.whole(other, power, near)
                near = None if n is None else n * 1.3
                cells[f"n{power * 100:.0f}"] = None if n is None else cls._all(design, n)
            near = None
            report.row(cls.sensitivity, times=f"{times:g} 倍", effect=other, **cells)
        report.note(cls.sensitivity, "空格表示超过一千万。")

    @staticmethod
    def _all(design: Design, n: int) -> int:
        return n + ceil(n * design.ratio - 1e-9) if design.key in GROUPED else round(design.total(n))

    @classmethod
    def _curve(cls, report: Report, design: Design, effect: float, total: float, n: float) -> None:
        sizes = np.unique(np.round(np.linspace(design.least, max(3 * n, design.least + 20), 50)))
        found = [design.power(float(size), effect) for size in sizes]
        report.add_rows(cls.curve, {"x": np.array([design.total(float(s)) for s in sizes]), "y": np.array(found)})
        report.chart(cls.plot, over=[Reference(x=total, label="所求")])

    @classmethod
    def _say(cls, report: Report, form: Any, facts: dict[str, Any]) -> None:
        words = DESIGNS[form.design]
        unit, grouped = words.unit, form.design in GROUPED
        size = "{n:integer} " + unit
        if form.design == "anova" or (grouped and facts["n"] == facts["n2"]):
            size = "每组 {n:integer} 人，共 {total:integer} 人"
        elif grouped:
            size = "第一组 {n:integer} 人、第二组 {n2:integer} 人，共 {total:integer} 人"
        elif form.design == "logrank":
            size = "共 {total:integer} 人（约 {events:integer1} 个事件）".replace(":integer1", ":num")
        what = f"{words.finds}（{words.effect} = {{effect:num}}）"
        if form.design == "tost":
            what = "两组等价（界限 ±{effect:num} 个标准差，真值相同）"
        verb = "得出" if form.design == "tost" else "发现"
        if form.solve == "n":
            lead = f"需要{size}，才有 {{target:percent}} 的把握{verb}{what}。"
            lead = lead if size.startswith(("每", "第", "共")) else lead.replace("需要", "需要 ", 1)
            if "lost" in facts:
                lead += "按 {dropout:percent} 失访，要招募 {lost:integer} " + unit + "。"
            if form.power < 0.8:
                report.warn("number.low", "目标功效低于 80%，真有差异时也常常查不出来；一般取 80% 或 90%。")
        elif form.solve == "power":
            lead = f"{size}时，有 {{power:percent1}} 的把握{verb}{what}。"
            if facts["power"] < 0.8:
                lead += "不到 80%，未查出差异时不能当作没有差异。"
        else:
            lead = f"{size}时，有 {{target:percent}} 的把握{verb}的最小效应是 {words.effect} = {{effect:num}}。"
        shown = [figure("总样本量", "{total:integer}"), figure("功效", "{power:percent1}", "α = {alpha:alpha}")]
        report.lead(lead, [*shown, figure("效应量", "{effect:num}", words.effect)], **facts)
        side = "双侧" if form.design not in SIDED or form.alternative == "two_sided" else "单侧"
        side = "每侧" if form.design == "tost" else side
        report.say(
            f"按{words.title}（{side} α = {{alpha:alpha}}，{words.effect} = {{effect:num}}，功效 {{power:percent1}}）"
            f"估计样本量：{size}。", voice="paper", **facts,
        )  # fmt: skip
        report.say(
            "样本量取决于预期的效应。效应量请按文献或预实验定，或取最小的、有实际意义的差异；不要用这次数据算出的效应量再算功效。",
            voice="student",
        )
        report.say("敏感性表列出效应量变小时要多少样本：效应减半，样本约要四倍。", voice="student")

    # ---- a survey --------------------------------------------------------------------------------------------------
    @classmethod
    def _survey(cls, report: Report, form: Any) -> None:
        level, share = 1 - form.alpha, form.share
        whole = None if form.population is None else float(form.population)
        if form.solve == "power":
            raise Refusal(
                "choice.greyed", "抽样调查没有功效，请在“求解”里选样本量或可检出效应（允许误差）", field="solve"
            )
        if form.solve == "n":
            margin = DESIGNS["survey"].usual if form.effect is None else float(form.effect)
            if margin >= 1:
                raise Refusal(
                    "number.range", "允许误差须小于 1（如 0.05 表示 5 个百分点），请改“效应量”", field="effect"
                )
            exact: float | None = survey_size(margin, share, level, whole)
            n = max(1, ceil(float(exact or 0) - 1e-9))
            if n > MOST:
                raise Refusal("data.unsolved", "在样本量1000万以内无法达到这个误差，请增大允许误差", field="effect")
        else:
            exact, n = None, form.n
            if whole is not None and n >= whole:
                raise Refusal("number.range", "样本量不小于总体人数，不需要抽样，请改“样本量”", field="n")
            margin = survey_margin(n, share, level, whole)
        lost = ceil(n / (1 - form.dropout) - 1e-9) if form.solve == "n" and form.dropout else None
        report.row(
            cls.result, design=DESIGNS["survey"].title, effect=margin, alpha=form.alpha, n_all=n, with_dropout=lost,
            exact=exact,
        )  # fmt: skip
        report.skip(cls.sensitivity, "抽样调查看下一张表")
        for times in AROUND:
            sizes = [ceil(survey_size(margin * times, share, one, whole) - 1e-9) for one in LEVELS]
            report.row(
                cls.margins, times=f"{times:g} 倍", effect=margin * times, n90=sizes[0], n95=sizes[1], n99=sizes[2]
            )
        sizes = np.unique(np.round(np.linspace(max(2, n / 10), min(3 * n, whole - 1 if whole else 3 * n), 80))).tolist()
        report.add_rows(
            cls.curve, {"x": np.array(sizes), "y": np.array([survey_margin(s, share, level, whole) for s in sizes])}
        )
        report.chart(cls.plot, titles={"x": "样本量", "y": "允许误差"}, over=[Reference(x=float(n), label="所求")])
        facts: dict[str, Any] = {
            "n": n, "margin": margin, "level": level, "share": share, "lost": lost, "dropout": form.dropout,
            "whole": form.population,
        }  # fmt: skip
        facts = {key: value for key, value in facts.items() if value is not None}
        of = "从 {whole:integer} 人中" if whole is not None else ""
        kind = "（{level:percent} 置信水平，预期比例 {share:percent}）"
        if form.solve == "n":
            lead = f"{of}需要 {{n:integer}} 份有效问卷，误差才不超过 ±{{margin:percent1}}{kind}。"
            lead += "按 {dropout:percent} 无效或拒访，要发放 {lost:integer} 份。" if lost else ""
        else:
            lead = f"{of}{{n:integer}} 份有效问卷的误差约为 ±{{margin:percent1}}{kind}。"
        report.lead(lead, [figure("样本量", "{n:integer}"), figure("允许误差", "±{margin:percent1}")], **facts)
        report.say("这里假定简单随机抽样。整群抽样时误差更大，样本量要乘以设计效应（常取 1.5 到 2）。", voice="student")
        report.say("要按性别、年级等分别报告时，每一类都要有这么多份。", voice="student")


def _recruited(form: Any, design: Design, n: float, n2: float | None) -> int:
    """Each group is filled up by itself, so that none ends below its size."""
    sizes = [n, n2] if n2 is not None else [n] * form.groups if form.design == "anova" else [design.total(n)]
    return sum(ceil(size / (1 - form.dropout) - 1e-9) for size in sizes)
