from __future__ import annotations

from collections.abc import Mapping
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
    Silent,
    Table,
    choice,
    claim,
    confidence,
    figure,
    integer,
    interval,
    more,
    num,
    number,
    pvalue,
    role,
    stat,
    text,
    values_column,
)
from hengxi.interpret import koo2016
from hengxi.stats import boxes, intraclass
from hengxi.stats.covariances import LEAST, MOST
from hengxi.stats.intraclass import Icc as Found
from hengxi.stats.intraclass import Layout
from hengxi.stats.moments import Floats, Ordered
from hengxi.stats.names import titles

MODELS = {"one_way_random": "单向随机", "two_way_random": "双向随机", "two_way_mixed": "双向混合"}
TYPES = {"agreement": "绝对一致", "consistency": "相对一致"}
FEWEST, RATERS = 5, 100


class Icc(Method):
    """All ten forms stand in the table; two questions pick the one that is read."""

    title, title_en = "组内相关系数ICC", "Intraclass correlation"
    family, tier = "问卷研究", "standard"
    rescaled = (("raters",),)
    purpose = "多名评价者或多次测量之间的一致性(信度)有多高"
    aliases = ("ICC", "组内相关", "评分者信度", "重测信度", "评分者间一致性", "SEM", "MDC", "最小可检测变化")
    references = ("shrout1979", "mcgraw1996", "koo2016", "weir2005")
    conventions = (
        "公式与 F 检验按 McGraw 与 Wong（1996）；括号内 A 为绝对一致，C 为相对一致，1 为单个评分，"
        "k 为 k 个评分的平均。",
        "双向随机与双向混合的数值相同，区别在结论能否推广到其他评价者。",
        "双向混合下的 ICC(A,k) 和 ICC(C,k) 假定评价者与被评对象没有交互作用。",
        "F 检验的零假设为 ICC 等于检验值，备择为大于它；ICC(A,·) 的第二自由度按 Satterthwaite 近似。",
        "测量标准误：绝对一致为 √(评价者方差 + 残差方差)，相对一致为 √残差均方，单向为 √对象内均方；"
        "MDC95 = 1.96 × √2 × 测量标准误。",
        "有缺失而选方差分量时，用限制性最大似然（REML）估计，不给 F 检验和区间；没有缺失时总用方差分析。",
    )
    min_rows = 2

    class Input(Form):
        raters: list[Column] = role(
            "评价者/测量(列)", "定量", min=2, max=RATERS, hint="每列一名评价者或一次测量，每行一个对象"
        )
        model: str = choice(
            "模型", MODELS, default="two_way_random",
            hint="每个对象由不同的人评：单向；同一批人评全部对象，结论推广到其他人：双向随机；只关心这几个人：双向混合",
        )  # fmt: skip
        type: str = choice(
            "类型",
            TYPES,
            hint="绝对一致：分数要相等；相对一致：只要高低次序和差距一致",
            when={"model": ("two_way_random", "two_way_mixed")},
        )
        unit: str = choice("单位", {"single": "单个评分", "average": "k 个评分的平均", "both": "两者"}, default="both")
        missing: str = choice("缺失处理", {"listwise": "只用评全的对象", "reml": "用全部评分（方差分量）"})
        null_value: float = number("检验值", 0, least=0, below=1, advanced=True)
        conf_level: float = confidence()

    result = Table(
        "ICC 结果", name=text("ICC"), shrout=text("Shrout-Fleiss 记号"), model=text("模型"), kind=text("类型"),
        unit=text("单位"), read=text("采用"), icc=num("估计", decimals=3),
        ci=interval("CI", "low", "high", around="icc", inside=False), F=num("*F*", least=0), df1=num("*df*1"),
        df2=num("*df*2"), p=pvalue(), level=text("参考等级"), place="main",
        claim=claim("agreement", stat("*F*", "F", "df1", "df2"), effect="icc", interval="ci", names=("name", "model"),
                    read="read"),
    )  # fmt: skip
    sources = Table(
        "方差分析", source=text("来源"), ss=num("平方和", least=0), df=integer("*df*"), ms=num("均方", least=0),
        F=num("*F*", least=0), p=pvalue(), place="main",
        claim=Silent("the test of the chosen ICC is what a paper tells; the raters' test stands in a check"),
    )  # fmt: skip
    error = Table(
        "测量误差", kind=text("误差的范围"), sem=num("测量标准误 SEM", least=0), mdc=num("MDC95", least=0),
    )  # fmt: skip
    variances = Table("方差分量", source=text("来源"), variance=num("方差", least=0), when={"missing": "reml"})
    described = Table(
        "各评价者", rater=text("评价者"), n=integer("评分数"), mean=num("平均分"), sd=num("标准差", least=0)
    )
    spread = Points(
        "箱线", rater=text("评价者"), min=num("须下端"), q1=num("下折叶点"), median=num("中位数"), q3=num("上折叶点"),
        max=num("须上端"), outliers=values_column("离群值"),
    )  # fmt: skip
    box = Chart(
        "各评价者的评分", "box", of=spread, x="rater", min="min", q1="q1", median="median", q3="q3", max="max",
        outliers="outliers", place="main",
    )  # fmt: skip
    gaps = Points("Bland-Altman 图的点", mean=num("两次平均"), gap=num("差值"))
    bland = Chart("Bland-Altman 图", "point", of=gaps, x="mean", y="gap")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.raters)} 名评价者的组内相关系数"

    @classmethod
    def dropped_by(cls, form: dict[str, Any]) -> tuple[str, ...] | None:
        return () if form.get("missing") == "reml" else None

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        raters = form["raters"]
        return [
            NextStep(
                title="评分其实是几个类别（Fleiss Kappa）", method="hypothesis_test/fleiss_kappa",
                form={"raters": raters}
            ),
            NextStep(
                title="看各评价者的分布（描述性统计）", method="descriptive/descriptive_statistics",
                form={"variables": raters},
            ),
        ]  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = list(titles(form.raters).values())
        x, unit = _ratings(form)
        report.used(len(x))
        chosen = cls._chosen(form)
        if np.isnan(x).any():
            read = cls._incomplete(report, form, x, unit, chosen)
        else:
            read = cls._complete(report, form, x, unit, chosen)
        cls._raters(report, names, x, unit)
        _words(report, form, len(x), read)
        _checks(report, form, x, read)
        return report

    @classmethod
    def _chosen(cls, form: Any) -> list[tuple[str, str, bool]]:
        """Model, type and average of the rows that are read, single ratings first."""
        kind = "agreement" if form.model == "one_way_random" else form.type
        units = {"single": (False,), "average": (True,), "both": (False, True)}[form.unit]
        return [(form.model, kind, average) for average in units]

    @classmethod
    def _complete(cls, report: Report, form: Any, x: Floats, unit: float, chosen: list[Any]) -> dict[str, Any]:
        a = intraclass.layout(x)
        if a.rows.ss <= 1e-24 * a.total.ss and a.error.ss <= 1e-24 * a.total.ss:
            raise _still()
        read: list[dict[str, Any]] = []
        for model, kind, average in FORMS:
            of = intraclass.one_way if model == "one_way_random" else getattr(intraclass, kind)
            found: Found = of(a, average, form.conf_level, form.null_value)
            mine = (model, kind, average) in chosen
            row = cls._write(report, model, kind, average, a.k, mine, found)
            if mine:
                read.append(row)
        for source in (a.rows, a.columns, a.error, a.within, a.total):
            ratio = a.columns.ms / a.error.ms if source is a.columns and a.error.ms > 1e-14 * a.total.ms else None
            p = None if ratio is None else float(stats.f.sf(ratio, a.columns.df, a.error.df))
            report.row(cls.sources, source=source.name, ss=source.ss * unit**2, df=source.df,
                       ms=None if source is a.total else source.ms * unit**2, F=ratio, p=p)  # fmt: skip
        report.note(
            cls.result,
            "CI 的置信水平为 {level:percent}；检验值为 {null:num2}。",
            level=form.conf_level,
            null=form.null_value,
        )
        if any(row["F"] is None for row in read):
            report.note(cls.result, "没有误差变异，ICC 为 1，F 检验和区间没有定义。")
        report.skip(cls.variances, "没有缺失，用方差分析")
        raters = max((a.columns.ms - a.error.ms) / a.n, 0.0)
        _errors(report, cls.error, a.within.ms, raters, a.error.ms, unit)
        return read[0] | {"columns_p": _columns_p(a), "all": read, "k": a.k}

    @classmethod
    def _incomplete(cls, report: Report, form: Any, x: Floats, unit: float, chosen: list[Any]) -> dict[str, Any]:
        k = x.shape[1]
        two, one = intraclass.components(x, True), intraclass.components(x, False)
        if max(two.objects, one.objects) + two.rest <= 0:
            raise _still()
        read: list[dict[str, Any]] = []
        for model, kind, average in FORMS:
            from_ = one if model == "one_way_random" else two
            value = intraclass.from_components(from_, kind == "agreement", k, average)
            mine = (model, kind, average) in chosen
            row = cls._write(report, model, kind, average, k, mine, Found(value, *[None] * 6))
            if mine:
                read.append(row)
        shown = one if form.model == "one_way_random" else two
        report.row(cls.variances, source="被评对象", variance=shown.objects * unit**2)
        if form.model != "one_way_random":
            report.row(cls.variances, source="评价者", variance=shown.raters * unit**2)
        report.row(cls.variances, source="残差", variance=shown.rest * unit**2)
        report.note(cls.result, "有缺失的评分，ICC 由方差分量（REML）计算，不给 F 检验和区间。")
        report.skip(cls.sources, "有缺失的评分，不做方差分析")
        _errors(report, cls.error, one.rest, two.raters, two.rest, unit)
        return read[0] | {"columns_p": None, "all": read, "k": k}

    @classmethod
    def _write(
        cls, report: Report, model: str, kind: str, average: bool, k: int, mine: bool, found: Found
    ) -> dict[str, Any]:
        letter = {"agreement": "A", "consistency": "C"}[kind]
        times = "k" if average else "1"
        name = f"ICC({times})" if model == "one_way_random" else f"ICC({letter},{times})"
        number_ = SHROUT.get((model, kind))
        return report.row(
            cls.result, name=name, shrout=f"ICC({number_},{times})" if number_ else "—", model=MODELS[model],
            kind=TYPES[kind], unit=f"{k} 个的平均" if average else "单个", read="采用" if mine else "", icc=found.value,
            low=found.low, high=found.high, F=found.F, df1=found.df1, df2=found.df2, p=found.p,
            level=koo2016.grade(found.value) if found.value is not None else "—",
        )  # fmt: skip

    @classmethod
    def _raters(cls, report: Report, names: list[str], x: Floats, unit: float) -> None:
        for name, column in zip(names, x.T, strict=True):
            own = column[~np.isnan(column)] * unit
            report.row(
                cls.described, rater=name, n=own.size, mean=own.mean(), sd=own.std(ddof=1) if own.size > 1 else None
            )
            shape = boxes.box(Ordered.of(own))
            report.row(
                cls.spread, rater=name, min=shape.low, q1=shape.q1, median=shape.median, q3=shape.q3, max=shape.high,
                outliers=shape.outliers,
            )  # fmt: skip
        if len(names) != 2:
            report.skip(cls.gaps, "只有两列时才画 Bland-Altman 图")
            return
        both = x[~np.isnan(x).any(axis=1)][:1000] * unit
        gap = both[:, 0] - both[:, 1]
        report.add_rows(cls.gaps, {"mean": both.mean(axis=1), "gap": gap})
        centre, sd = float(gap.mean()), float(gap.std(ddof=1))
        report.chart(
            cls.bland, titles={"y": f"{names[0]} − {names[1]}"},
            over=[Reference(y=centre, label="平均差"), Reference(y=centre - 1.96 * sd, label="−1.96 SD"),
                  Reference(y=centre + 1.96 * sd, label="+1.96 SD")],
        )  # fmt: skip


SHROUT = {
    ("one_way_random", "agreement"): "1", ("two_way_random", "agreement"): "2", ("two_way_mixed", "consistency"): "3",
}  # fmt: skip
FORMS = [
    (model, kind, average)
    for model in MODELS
    for kind in (("agreement",) if model == "one_way_random" else TYPES)
    for average in (False, True)
]


def _still() -> Refusal:
    return Refusal("data.constant", "所有评分相同，没有被试间变异，ICC 无法估计；请核对放入的列", field="raters")


def _ratings(form: Any) -> tuple[Floats, float]:
    """Objects × raters divided by a power of two near their spread, and that number. Rows without a rating are left."""
    x = np.column_stack([column.numbers for column in form.raters])
    x = x[~np.isnan(x).all(axis=1)]
    if len(x) < FEWEST:
        raise Refusal(
            "data.few", "ICC 至少需要5个被评对象，现在只有 {n} 个，区间会极宽；请增加对象"
            "（行是对象，列是评价者；数据若是反着放的，请先转置）", field="raters", n=len(x),
        )  # fmt: skip
    held = x[~np.isnan(x)]
    spread = float(np.std(held - held[0]))
    if np.ptp(held) == 0:
        raise _still()
    if not LEAST < spread < MOST:
        raise Refusal("data.magnitude", "评分的数值过大、过小或几乎没有变化，无法计算；请换一个单位", field="raters")
    if (empty := next((c for c, own in zip(form.raters, x.T, strict=True) if np.isnan(own).all()), None)) is not None:
        raise Refusal("role.empty", "“{v}”没有任何评分，请移去", field="raters", column=empty.id, v=empty.title)
    unit = float(np.exp2(np.round(np.log2(spread))))
    return x / unit, unit


def _columns_p(a: Layout) -> float | None:
    if a.error.ms <= 1e-14 * a.total.ms:
        return None
    return float(stats.f.sf(a.columns.ms / a.error.ms, a.columns.df, a.error.df))


def _errors(report: Report, table: Table, within: float, raters: float, rest: float, unit: float) -> None:
    for kind, variance in (("单向", within), ("绝对一致", raters + rest), ("相对一致", rest)):
        sem = float(np.sqrt(variance)) * unit
        report.row(table, kind=kind, sem=sem, mdc=float(stats.norm.ppf(0.975)) * float(np.sqrt(2)) * sem)
    report.note(table, "同一对象两次评分相差超过 MDC95，才能说不只是测量误差（单位与评分相同）。")


def _words(report: Report, form: Any, n: int, read: dict[str, Any]) -> None:
    if read["icc"] is None:
        report.lead("{name} 的分母不为正，没有估计；请看单个评分一行。", name=read["name"])
        return
    facts: dict[str, Any] = {
        "name": read["name"], "model": read["model"], "icc": read["icc"], "n": n, "k": read["k"],
        "level": form.conf_level,
        "grade": read["level"],
    }  # fmt: skip
    size = "{name} = {icc:num3}"
    told = "，参考等级为{grade}"
    if read["low"] is not None:
        facts |= {"low": read["low"], "high": read["high"]}
        size += "，{level:percent} CI [{low:num3}, {high:num3}]"
        ends = koo2016.grade(read["low"]), koo2016.grade(read["high"])
        facts["ends"] = ends[0] if ends[0] == ends[1] else f"{ends[0]}到{ends[1]}"
        told = "；按区间，一致性为{ends}"
    test = ""
    if read["p"] is not None:
        facts |= {"F": read["F"], "df1": read["df1"], "df2": read["df2"], "p": read["p"]}
        test = "，*F*({df1:num0}, {df2:num1}) = {F:num2}，*p* {p:peq}"
    unit = f"（{read['unit']}评分，{read['model']}，{read['kind']}）"
    report.lead(
        f"{{k:integer}} 名评价者、{{n:integer}} 个对象，{size}{unit}{told}。",
        [figure("ICC", "{icc:num3}", "{name}")],
        **facts,
    )
    report.voices(
        [("ICC 是对象之间的真实差别占全部变异的比例，1 为完全一致。等级是 Koo 与 Li（2016）的参考，要看区间，"
        "不只看估计值。"
          "对象彼此相近时，即使评价者很一致，ICC 也会低。", {})],
        [(f"采用{{model}}模型，{size}{test}（{{k:integer}} 名评价者，{{n:integer}} 个对象）。", {})],
        [(f"{size}{told}。", {})], **facts,
    )  # fmt: skip


def _checks(report: Report, form: Any, x: Floats, read: dict[str, Any]) -> None:
    p = read["columns_p"]
    if p is not None and form.model != "one_way_random":
        apart, lost = p < 0.05, p < 0.05 and form.type == "consistency"
        report.check(
            "评价者的系统差别", "care" if lost else "pass",
            ("评价者的平均分不同（*p* {p:peq}）" + ("；相对一致不计这部分差别。" if lost
            else "；绝对一致已计入这部分差别。"))
            if apart else "没有发现评价者的平均分不同（*p* {p:peq}）。",
            p=p, remedies=[SetRemedy(title="改为绝对一致", set={"type": "agreement"})] if lost else [],
            more=more(
                "有的评价者一贯打分高或低时，绝对一致会变低，相对一致不变。", "各评价者平均分相等的检验：*p* {p:peq}。",
                "分数要直接拿来用（如判定合格）时，应看绝对一致。",
                "分数会换人评时选绝对一致；只比较名次时可选相对一致。",
            ),
        )  # fmt: skip
    if read["icc"] is not None and read["icc"] < 0:
        report.warn("data.negative", "ICC 为负：对象内的差别大于对象之间的差别，一致性按 0 看待。")
    few = len(x) < 30 or x.shape[1] < 3
    report.check(
        "样本量", "care" if few else "pass",
        "{n:integer} 个对象，{k:integer} 名评价者" + ("，偏少；Koo 与 Li（2016）建议至少 30 个对象、3 名评价者。"
        if few else "。"),
        n=len(x), k=x.shape[1],
    )  # fmt: skip
