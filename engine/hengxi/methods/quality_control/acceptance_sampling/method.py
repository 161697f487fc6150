from __future__ import annotations

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
    SetRemedy,
    Table,
    choice,
    figure,
    integer,
    num,
    number,
    percent,
    text,
)
from hengxi.methods.quality_control._shared.acceptance import (
    LEVELS,
    Model,
    Plan,
    Variables,
    letter_of,
    nearest_aql,
    smallest,
    standard_plan,
    variables_plan,
)

CHANCES = (0.99, 0.95, 0.9, 0.75, 0.5, 0.25, 0.1, 0.05, 0.01)
STEPS = 20
STANDARD, CUSTOM, TWO_POINTS = {"standard": "gbt2828"}, {"standard": "custom"}, {"standard": ("search", "variables")}
SINGLE = {"standard": "custom", "plan": "single"}
DOUBLE = {"standard": "custom", "plan": "double"}
COUNTED = {"standard": ("gbt2828", "custom", "search")}


class AcceptanceSampling(Method):
    """Plans from GB/T 2828.1, from two points, by variables, or the user's own; what they accept and let pass."""

    title, title_en = "抽样检验方案", "Acceptance sampling"
    family, tier = "质量控制", "standard"
    purpose = "按AQL应抽多少件、判定数是多少、两类风险多大"
    aliases = ("抽样方案", "GB/T 2828", "AQL", "OC曲线", "接收质量限", "AOQL", "批检验", "LTPD", "acceptance sampling")
    references = ("gbt2828", "milstd105e", "montgomery2013", "schilling2009")
    conventions = (
        "GB/T 2828.1：字码表、正常和加严检验一次抽样主表（与 MIL-STD-105E 表 I、II-A、II-B 相同）。",
        "表中是箭头时，用箭头所指的方案，连同它的样本量。",
        "放宽检验、二次抽样和 GB/T 6378.1 的表没有收录；二次抽样可自填方案，计量抽样按两点求方案。",
        "接收概率：二项（大批或连续批）、超几何（孤立批，批中不合格品数 = N·p 四舍五入）或泊松（每单位不合格数）。",
        "由两点求方案：使 *P*ₐ(p₁) ≥ 1 − α 且 *P*ₐ(p₂) ≤ β 的最小 n，逐个接收数精确搜索。",
        "AOQ、ATI 假定不接收的批全检，不合格品换成合格品。二次抽样不截尾。",
        "计量抽样（k 法）：单侧规格限，正态；σ 未知用非中心 *t*，精确；取使 β 恰好满足的 k。",
    )
    needs_data = False
    split = False

    class Input(Form):
        standard: str = choice("标准", {
            "gbt2828": "GB/T 2828.1（计数）", "custom": "自定义 n，Ac", "search": "由两点求方案（计数）",
            "variables": "由两点求方案（计量，k 法）",
        })  # fmt: skip
        lot_size: int = integer("批量N", 1000, least=2, most=10_000_000, when=COUNTED)
        level: str = choice("检验水平", {key: key for key in LEVELS}, default="II", when=STANDARD)
        aql: float = number("AQL（%）", 1.0, least=0.01, most=1000, when=STANDARD, hint="大于 10 时指每百单位不合格数")
        severity: str = choice("严格度", {"normal": "正常", "tightened": "加严"}, when=STANDARD)
        plan: str = choice("抽样类型", {"single": "一次", "double": "二次"}, when=CUSTOM)
        n: int = integer("样本量", 80, least=1, most=1_000_000, when=CUSTOM, hint="二次抽样时为第一样本")
        ac: int = integer("接收数", 2, least=0, most=10_000, when=CUSTOM, hint="二次抽样时为第一接收数 Ac₁")
        re1: int = integer("第一拒收数 Re₁", 5, least=2, most=10_001, when=DOUBLE)
        n2: int = integer("第二样本量", 80, least=1, most=1_000_000, when=DOUBLE)
        ac2: int = integer("第二接收数 Ac₂", 6, least=1, most=20_000, when=DOUBLE)
        p1: float = number(
            "生产方质量水平", 0.01, above=0, below=1, when={"standard": ("custom", "search", "variables")}
        )
        p2: float = number(
            "使用方质量水平", 0.05, above=0, below=1, when={"standard": ("custom", "search", "variables")}
        )
        alpha: float = number("生产方风险 α", 0.05, least=0.001, most=0.3, when=TWO_POINTS)
        beta: float = number("使用方风险 β", 0.1, least=0.001, most=0.3, when=TWO_POINTS)
        sigma: str = choice(
            "标准差", {"unknown": "未知（s 法）", "known": "已知（σ 法）"}, when={"standard": "variables"}
        )
        model: str = choice("分布", {
            "auto": "自动", "binomial": "二项", "hypergeometric": "超几何（孤立批）", "poisson": "泊松（不合格数）",
        }, when=COUNTED, hint="自动：AQL 大于 10 时用泊松，其余用二项")  # fmt: skip

    result = Table(
        "抽样方案", name=text("方案"), letter=text("字码"), stage=text("样本"), n=integer("样本量 *n*"),
        ac=integer("接收数 Ac"), re=integer("拒收数 Re"), k=num("接收常数 *k*"), place="main",
    )  # fmt: skip
    risks = Table(
        "两类风险", point=text("一方"), p=num("质量水平 *p*", least=0), accept=percent("接收概率"),
        risk=percent("风险"), place="main",
    )  # fmt: skip
    curve = Table(
        "OC 曲线", p=num("质量水平 *p*", least=0), accept=percent("接收概率"), aoq=num("AOQ", least=0),
        ati=num("ATI", least=0), asn=num("ASN", least=0), place="detail",
    )  # fmt: skip
    limit = Table("平均检出质量上限", p=num("此时 *p*", least=0), aoql=num("AOQL", least=0), when=COUNTED, place="main")
    chances = Table("给定接收概率的质量", accept=percent("接收概率"), p=num("质量水平 *p*", least=0), place="detail")
    line = Points("曲线", p=num("质量水平 p"), accept=num("接收概率"))
    outgoing = Points("AOQ", p=num("质量水平 p"), aoq=num("AOQ"), when=COUNTED)
    oc_plot = Chart("OC 曲线图", "line", of=line, x="p", y="accept", place="main")
    aoq_plot = Chart("AOQ 曲线", "line", of=outgoing, x="p", y="aoq", when=COUNTED, place="main")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        if form.standard in ("search", "variables", "custom") and form.p1 >= form.p2:
            raise Refusal("limit.less", "生产方质量水平应小于使用方质量水平，请改其中一个", field="p1", also=["p2"])
        if form.standard == "variables":
            cls._variables(report, form)
            return report
        plan = cls._plan(report, form)
        first, second = cls._points(form, plan)
        cls._risks(report, plan.accept, first, second)
        of = "每单位的不合格数" if plan.model == "poisson" else "不合格率"
        report.note(cls.risks, f"*p* 是{of}，生产方一行取 AQL 或 p₁。")
        cls._curves(report, plan)
        cls._say(report, form, plan, first, second)
        return report

    @classmethod
    def _plan(cls, report: Report, form: Any) -> Plan:
        model: Model = form.model if form.model != "auto" else "binomial"
        letter = None
        if form.standard == "gbt2828":
            if form.model == "auto" and form.aql > 10:
                model = "poisson"
            if form.aql > 10 and model != "poisson":
                raise Refusal(
                    "choice.greyed", "AQL 大于 10 指每百单位不合格数，请把“分布”改为泊松", field="model", also=["aql"],
                    remedies=[SetRemedy(title="改用泊松", set={"model": "poisson"})],
                )  # fmt: skip
            aql = nearest_aql(form.aql)
            if not np.isclose(aql, form.aql):
                report.warn(
                    "number.standard",
                    "AQL {v:num} 不是 GB/T 2828.1 的推荐值，已取最接近的 {w:num}。",
                    v=form.aql,
                    w=aql,
                )
            letter = letter_of(form.lot_size, form.level)
            entry = standard_plan(letter, aql, form.severity == "tightened")
            if entry is None:
                raise Refusal(
                    "data.table", "字码 {c} 与 AQL {v} 没有可用的方案，请改 AQL 或检验水平",
                    field="aql", also=["level"], c=letter, v=f"{aql:g}",
                )  # fmt: skip
            n, c = entry.n, entry.c
            if entry.letter != letter:
                report.warn(
                    "data.arrow",
                    "按批量和检验水平是字码 {a:text}，表中是箭头，改用字码 {b:text} 的方案。",
                    a=letter,
                    b=entry.letter,
                )
            letter = entry.letter
        elif form.standard == "search":
            found = smallest(form.p1, form.p2, form.alpha, form.beta, form.lot_size, model)
            if found is None:
                raise Refusal(
                    "data.unsolved", "在可行的样本量以内没有满足两类风险的方案，请拉开两个质量水平，或放宽风险",
                    field="p2", also=["p1", "alpha", "beta"],
                )  # fmt: skip
            n, c = found.n1, found.c1
        else:
            n, c = form.n, form.ac
        plan = Plan(n, c, form.lot_size, model)
        if form.standard == "custom" and form.plan == "double":
            if not form.ac + 1 < form.re1 or not form.ac < form.ac2 or form.re1 > form.ac2 + 1:
                raise Refusal(
                    "limit.order",
                    "二次抽样要求 Ac₁ + 1 < Re₁ ≤ Ac₂ + 1，请改接收数和拒收数",
                    field="re1",
                    also=["ac", "ac2"],
                )
            plan = Plan(n, c, form.lot_size, model, form.n2, form.re1, form.ac2)
        if plan.n1 + plan.n2 > form.lot_size or (form.standard == "gbt2828" and plan.n1 >= form.lot_size):
            raise Refusal(
                "data.lot", "样本量 {n} 大于批量 {lot}，应全检；请加大批量，或改小样本量", field="lot_size",
                also=["n"] if form.standard == "custom" else [], n=plan.n1 + plan.n2, lot=form.lot_size,
            )  # fmt: skip
        if c >= n:
            raise Refusal("limit.less", "接收数必须小于样本量，请改“接收数”", field="ac", also=["n"])
        names = {"gbt2828": "GB/T 2828.1", "custom": "自定义", "search": "由两点求得"}
        for stage in (1, 2) if plan.n2 else (0,):
            report.row(
                cls.result, name=names[form.standard], letter=letter, stage=("一次", "第一样本", "第二样本")[stage],
                n=plan.n2 if stage == 2 else n, ac=plan.c2 if stage == 2 else c,
                re=plan.r1 if stage == 1 else plan.c2 + 1 if stage == 2 else c + 1,
            )  # fmt: skip
        return plan

    @classmethod
    def _points(cls, form: Any, plan: Plan) -> tuple[float, float]:
        """Of a plan from the table: AQL, and the quality accepted one time in ten."""
        if form.standard != "gbt2828":
            return form.p1, form.p2
        first = nearest_aql(form.aql) / 100
        second = plan.quality_at(0.1)
        if second is None:
            count = next(d for d in range(plan.lot + 1) if plan.accept(d / plan.lot) <= 0.1)
            second = count / plan.lot
        return first, second

    @classmethod
    def _risks(cls, report: Report, accept: Any, first: float, second: float) -> None:
        report.row(cls.risks, point="生产方", p=first, accept=accept(first), risk=1 - accept(first))
        report.row(cls.risks, point="使用方", p=second, accept=accept(second), risk=accept(second))
        report.note(cls.risks, "生产方风险：好批不被接收的概率；使用方风险：坏批被接收的概率。")

    @classmethod
    def _curves(cls, report: Report, plan: Plan) -> None:
        end = plan.quality_at(0.01)
        if end is None:
            count = next((d for d in range(plan.lot + 1) if plan.accept(d / plan.lot) <= 0.01), plan.lot)
            end = count / plan.lot
        for p in np.linspace(0, end, STEPS + 1):
            at = float(p)
            report.row(
                cls.curve, p=at, accept=plan.accept(at), aoq=plan.outgoing(at), ati=plan.inspected(at),
                asn=plan.average_n(at),
            )  # fmt: skip
        grid = np.linspace(0, end * 1.2 if end * 1.2 < 1 or plan.model == "poisson" else 1.0, 101)
        report.add_rows(cls.line, {"p": grid, "accept": np.array([plan.accept(float(p)) for p in grid])})
        report.add_rows(cls.outgoing, {"p": grid, "aoq": np.array([plan.outgoing(float(p)) for p in grid])})
        worst, aoql = plan.worst()
        report.row(cls.limit, p=worst, aoql=aoql)
        report.chart(cls.aoq_plot, over=[Reference(y=aoql, label="AOQL")])
        if plan.model == "hypergeometric":
            report.skip(cls.chances, "孤立批的不合格品数是整数，接收概率不连续")
            return
        for chance in CHANCES:
            report.row(cls.chances, accept=chance, p=plan.quality_at(chance))

    @classmethod
    def _say(cls, report: Report, form: Any, plan: Plan, first: float, second: float) -> None:
        good, bad = plan.accept(first), plan.accept(second)
        facts: dict[str, Any] = {"n": plan.n1, "c": plan.c1, "first": first, "good": good, "second": second, "bad": bad}
        if plan.n2:
            facts |= {"n2": plan.n2, "c2": plan.c2, "r1": plan.r1}
            rule = (
                "先抽 {n:integer} 件：不合格品不超过 {c:integer} 件就接收，达到 {r1:integer} 件就拒收；"
                "在中间时再抽 {n2:integer} 件，合计不超过 {c2:integer} 件接收。"
            )
        else:
            rule = "抽 {n:integer} 件，不合格品不超过 {c:integer} 件就接收。"
        if plan.model == "poisson":
            rule = rule.replace("不合格品不超过 {c:integer} 件", "不合格数不超过 {c:integer} 个")
        unit = "每百单位不合格数" if plan.model == "poisson" else "不合格率"
        scale = "num" if plan.model == "poisson" else "percent1"
        if plan.model == "poisson":
            facts |= {"first": 100 * first, "second": 100 * second}
        report.lead(
            rule
            + f"{unit} {{first:{scale}}} 的批有 {{good:percent1}} 被接收，"
            + f"{{second:{scale}}} 的批有 {{bad:percent1}} 被接收。",
            [figure("样本量", "{n:integer}"), figure("接收数", "{c:integer}")], **facts,
        )  # fmt: skip
        report.say("AQL 不是允许的不合格率，也不是每批的保证：它是连续批平均质量的界限，好于它的批大多被接收。")
        if form.standard == "gbt2828":
            report.say("转移规则：正常检验连续 5 批中有 2 批不接收，就转为加严；加严后连续 5 批接收，回到正常。")
        if plan.n1 > 0.1 * plan.lot and plan.model == "binomial":
            report.warn("data.share", "样本超过批量的 10%，二项近似不准；孤立批请把“分布”改为超几何。")

    @classmethod
    def _variables(cls, report: Report, form: Any) -> None:
        found = variables_plan(form.p1, form.p2, form.alpha, form.beta, form.sigma == "known")
        if found is None:
            raise Refusal(
                "data.unsolved", "在可行的样本量以内没有满足两类风险的方案，请拉开两个质量水平，或放宽风险", field="p2",
                also=["p1", "alpha", "beta"],
            )  # fmt: skip
        report.row(cls.result, name="计量，k 法", stage="σ 已知" if found.known else "σ 未知", n=found.n, k=found.k)
        cls._risks(report, found.accept, form.p1, form.p2)
        cls._variables_curve(report, form, found)
        spread = "σ" if found.known else "*s*"
        report.lead(
            f"抽 {{n:integer}} 件，规格限到样本均值的距离不小于 {{k:num}} 个{spread}就接收。"
            "不合格率 {first:percent1} 的批有 {good:percent1} 被接收，{second:percent1} 的批有 {bad:percent1} 被接收。",
            [figure("样本量", "{n:integer}"), figure("*k*", "{k:num}")], n=found.n, k=found.k, first=form.p1,
            good=found.accept(form.p1), second=form.p2, bad=found.accept(form.p2),
        )  # fmt: skip
        report.say("计量抽样要求测量值服从正态分布；偏离正态时，算出的风险不对。样本比计数抽样少得多。")

    @classmethod
    def _variables_curve(cls, report: Report, form: Any, found: Variables) -> None:
        end = min(0.99, 2.5 * form.p2)
        for p in np.linspace(0, end, STEPS + 1)[1:]:
            report.row(cls.curve, p=float(p), accept=found.accept(float(p)), asn=float(found.n))
        grid = np.linspace(0, end, 101)[1:]
        report.add_rows(cls.line, {"p": grid, "accept": np.array([found.accept(float(p)) for p in grid])})
        report.skip(cls.chances, "计量抽样看 OC 曲线")
