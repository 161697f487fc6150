from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Level,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    StepRemedy,
    Table,
    Wide,
    choice,
    claim,
    confidence,
    counted,
    figure,
    flag,
    integer,
    interval,
    level,
    num,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.stats import square_table
from hengxi.stats.contingency import ChiSquare
from hengxi.stats.count_table import happened
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats
from hengxi.stats.square_table import FEW, Square

MOST_LEVELS = 30
NAMES = {
    "asymptotic": "McNemar χ²", "corrected": "McNemar χ²（连续校正）", "exact": "精确二项", "mid_p": "mid-p",
}  # fmt: skip


class McnemarTest(Method):
    """Paired categories: McNemar for two, Bowker and Stuart-Maxwell for more."""

    title, title_en = "McNemar检验（配对卡方）", "McNemar / Bowker test"
    family, tier = "率与计数检验", "standard"
    purpose = "配对的分类结果前后是否有变化"
    aliases = ("配对卡方", "McNemar", "Bowker", "Stuart-Maxwell", "配对四格表", "前后比较", "边际齐性")
    references = ("mcnemar1947", "fagerland2013", "bowker1948", "stuart1955", "newcombe1998b", "cohen1988")
    conventions = (
        "自动：变化的对数 b + c 小于 25 用精确二项检验，否则用不校正的 χ²。",
        "连续校正为 (|b − c| − 1)²/(b + c)；mid-p 按 Fagerland 等（2013）。",
        "率差 = 第二次 − 第一次，区间用 Newcombe 配对法（第 10 种）；OR 为变成与变走之比 c/b，区间由二项分布精确反解。",
        "Cohen's g = 较大的一方占变化者的比例 − 0.5。",
        "Bowker 的自由度为有人变动的类别对数；Stuart-Maxwell 不计没有人变动的类别。",
    )
    weights = ("frequency",)

    class Input(Form):
        before: Column = role("配对变量1", "定类", hint="第一次，或第一种方法")
        after: Column = role("配对变量2", "定类", hint="第二次，或第二种方法；类别要相同")
        weight: Column | None = counted()
        method: str = choice(
            "方法",
            {
                "auto": "自动（b+c<25精确）", "exact": "精确二项", "asymptotic": "渐近", "corrected": "连续校正",
                "mid_p": "mid-p",
            },
            hint="只用于两类；结论采用所选的一行",
        )  # fmt: skip
        success: Level | None = level("目标类别", of="before", auto="“是”“有”“阳性”“1”，都没有时取第一类")
        marginal: bool = flag("边际齐性Stuart-Maxwell", True, hint="只用于三类以上")
        conf_level: float = confidence()

    cross = Table("配对交叉表", before=text("第一次"), layout=Wide(n=integer("频数")), place="main")
    result = Table(
        "检验结果", test=text("检验"), read=text("采用"), chi2=num("χ²", least=0), df=integer("*df*"), p=pvalue(),
        place="main",
        claim=claim("paired", stat("χ²", "chi2", "df"), names=("test",), read="read", outcome="after", by="before"),
    )  # fmt: skip
    margins = Table(
        "前后的构成", category=text("类别"), first=percent("第一次"), second=percent("第二次"),
        change=percent("变化", least=-1),
    )  # fmt: skip
    difference = Table(
        "配对率差",
        measure=text("指标"),
        value=num("估计"),
        ci=interval("CI", "low", "high", around="value", inside=False),
    )
    bars = Points("前后对比", category=text("类别"), share=percent("比例"), time=text("时间"))
    plot = Chart("前后对比条形图", "bar", of=bars, x="category", y="share", series="time", place="main")
    moves = Points("冲积图", source=text("第一次"), target=text("第二次"), n=num("频数"))
    flow = Chart("冲积图", "flow", of=moves, source="source", target="target", value="n", place="detail")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.before.title}与{form.after.title}的配对比较"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"rows": [form["before"]], "columns": [form["after"]], "weight": form.get("weight")}
        kappa = {"rater1": form["before"], "rater2": form["after"], "weight": form.get("weight")}
        return [
            NextStep(title="看两次的结果一致的程度（Kappa）", method="hypothesis_test/kappa", form=kappa),
            NextStep(title="看交叉表的百分比（列联分析）", method="descriptive/crosstabs", form=start),
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        held = cls._square(form)
        cls._counts(report, form, held)
        if len(held.levels) == 2:
            cls._two(report, form, held)
        else:
            cls._many(report, form, held)
        report.check("配对", "unknown", "每一行是同一个对象的两次结果；各对象之间互不影响，请按调查方式自行判断。")
        return report

    @staticmethod
    def _square(form: Any) -> Square:
        for column, field in ((form.before, "before"), (form.after, "after")):
            if column.distinct_least > MOST_LEVELS:
                raise Refusal(
                    "role.levels", (
                        "“{v}”的类别超过 {k} 个，"
                        "请先合并类别"
                    ), field=field, column=column.id, v=column.title,
                    k=MOST_LEVELS,
                    remedies=[StepRemedy(title="合并类别", step="data_processing/value_coding", columns=[column.id])],
                )  # fmt: skip
        held = square_table.square(form.before, form.after, frequencies(form.weight))
        if held.only_first and held.only_second:
            names = (held.only_first[0], held.only_second[0])
            raise Refusal(
                "role.levels", "两个变量的类别集合必须相同：“{a}”只在前一个里，“{b}”只在后一个里，请先统一编码",
                field="after", also=["before"], column=form.after.id, a=names[0], b=names[1],
                remedies=[
                    StepRemedy(
                        title="统一编码", step="data_processing/value_coding", columns=[form.before.id, form.after.id]
                    )
                ],
            )  # fmt: skip
        if float(held.table.sum() - held.table.trace()) == 0:
            raise Refusal(
                "data.constant", (
                    "没有发生变化的配对，检验无意义（{n} "
                    "对的两次结果都相同）"
                ), field="after", also=["before"],
                n=f"{held.n:.0f}",
            )  # fmt: skip
        return held

    @classmethod
    def _counts(cls, report: Report, form: Any, held: Square) -> None:
        words, n = held.words, held.n
        first, second = held.table.sum(axis=1), held.table.sum(axis=0)
        for i, word in enumerate(words):
            wide: dict[Any, Any] = {one: {"n": held.table[i, j]} for j, one in enumerate(held.levels)}
            report.row(cls.cross, before=word, wide=wide | {"合计": {"n": first[i]}})
            change = float((second[i] - first[i]) / n)
            report.row(cls.margins, category=word, first=first[i] / n, second=second[i] / n, change=change)
            report.row(cls.bars, category=word, share=first[i] / n, time=form.before.title)
            report.row(cls.bars, category=word, share=second[i] / n, time=form.after.title)
            for j, other in enumerate(words):
                if held.table[i, j] > 0:
                    report.row(cls.moves, source=f"前：{word}", target=f"后：{other}", n=held.table[i, j])
        wide = {one: {"n": second[j]} for j, one in enumerate(held.levels)}
        report.row(cls.cross, before="合计", total=True, wide=wide | {"合计": {"n": n}})
        report.note(
            cls.cross, "行为“{a}”，列为“{b}”；对角线上的两次相同。", a=form.before.title, b=form.after.title
        )  # fmt: skip
        report.chart(cls.plot, titles={"x": "类别", "y": "比例"})

    # ---- two categories --------------------------------------------------------------------------------------------
    @classmethod
    def _two(cls, report: Report, form: Any, held: Square) -> None:
        j = happened(held.levels)
        if form.success is not None:
            j = next((i for i, one in enumerate(held.levels) if one.value == form.success.value), j)
        table: Floats = held.table if j == 0 else held.table[::-1, ::-1]
        b, c = float(table[0, 1]), float(table[1, 0])
        test = square_table.mcnemar(b, c)
        wanted = form.method if form.method != "auto" else "exact" if b + c < FEW else "asymptotic"
        p = {"asymptotic": test.plain.p, "corrected": test.corrected.p, "exact": test.exact, "mid_p": test.mid}
        for key, name in NAMES.items():
            chi: ChiSquare | None = {"asymptotic": test.plain, "corrected": test.corrected}.get(key)
            report.row(
                cls.result, test=name, read="采用" if key == wanted else "", chi2=chi.value if chi else None,
                df=chi.df if chi else None, p=p[key],
            )  # fmt: skip
        value, low, high = square_table.paired_difference(table, form.conf_level)
        report.row(cls.difference, measure="率差（第二次 − 第一次）", value=value, low=low, high=high)
        odds = square_table.paired_odds(b, c, form.conf_level)
        report.row(cls.difference, measure="配对OR（变成 : 变走）", value=odds[0], low=odds[1], high=odds[2])
        report.row(cls.difference, measure="Cohen's g", value=max(b, c) / (b + c) - 0.5)
        report.note(
            cls.difference, "看“{c}”的比例；CI 的置信水平为 {level:percent}。", c=held.words[j], level=form.conf_level
        )  # fmt: skip
        facts: dict[str, Any] = {
            "c": held.words[j], "s1": float(table[0].sum() / held.n), "s2": float(table[:, 0].sum() / held.n),
            "diff": value, "low": low, "high": high, "level": form.conf_level, "p": p[wanted], "n": held.n,
        }  # fmt: skip
        chi = {"asymptotic": test.plain, "corrected": test.corrected}.get(wanted)
        name = {"exact": "精确二项检验", "mid_p": "mid-p 检验"}.get(wanted) or NAMES[wanted].replace("χ²", "检验")
        how = f"{name}，*p* {{p:peq}}"
        if chi is not None:
            facts |= {"chi": chi.value}
            how = f"{name}，χ²(1) = {{chi:num}}，*p* {{p:peq}}"
        shares = "“{c}”的比例由第一次的 {s1:percent1} 变为第二次的 {s2:percent1}"
        span = "率差 {diff:percent1}，{level:percent} CI {low:percent1} 到 {high:percent1}"
        yes = p[wanted] < 1 - form.conf_level
        verdict = "变化有统计学意义" if yes else "没有发现明显变化"
        report.lead(
            f"{shares}（{span}），{verdict}（{how}）。"
            "", [figure("率差", "{diff:percent1}"), figure("检验", "*p* {p:peq}")], **facts
        )  # fmt: skip
        end = "变成与变走的人数相差较多，不像是碰巧。" if yes else "“没有发现”不等于没有变化，变了的人太少时看不出来。"
        report.say(
            "检验只看变了的人：{come:integer} 人变成“{c}”，{gone:integer} 人不再是“{c}”；两次相同的人不影响 "
            "*p*。" + end,
            voice="student", come=c, gone=b, c=held.words[j],
        )  # fmt: skip
        report.say(f"配对 {{n:integer}} 对，{shares}，{verdict}，{how}，{span}。", voice="paper", **facts)
        report.say(f"{shares}，{verdict}（*p* {{p:peq}}）。", voice="brief", **facts)
        few = b + c < FEW
        end = "不足 25，渐近检验不准，" + ("已用精确检验。" if wanted in ("exact", "mid_p") else "请改用精确检验。")
        state = "pass" if not few or wanted in ("exact", "mid_p") else "care"
        report.check(
            "变化的对数", state,  # type: ignore[arg-type]
            "两次不同的有 {k:integer} 对，" + (end if few else "够用渐近检验。"), k=b + c,
        )  # fmt: skip

    # ---- more categories -------------------------------------------------------------------------------------------
    @classmethod
    def _many(cls, report: Report, form: Any, held: Square) -> None:
        report.skip(cls.difference, "配对率差只在两类时给出")
        if form.method not in ("auto", "asymptotic"):
            report.warn("data.left_out", "三类以上只有 Bowker 与 Stuart-Maxwell 的渐近检验，所选的方法没有采用。")
        bowker = square_table.bowker(held.table)
        assert bowker is not None  # somebody changed
        report.row(cls.result, test="Bowker 对称性", read="采用", chi2=bowker.value, df=bowker.df, p=bowker.p)
        margin = square_table.stuart_maxwell(held.table) if form.marginal else None
        if margin is not None:
            report.row(cls.result, test="Stuart-Maxwell 边际齐性", read="", chi2=margin.value, df=margin.df, p=margin.p)
        elif form.marginal:
            report.note(cls.result, "变动的类别太少，Stuart-Maxwell 检验算不出来。")
        change = (held.table.sum(axis=0) - held.table.sum(axis=1)) / held.n
        i = int(abs(change).argmax())
        facts: dict[str, Any] = {
            "chi": bowker.value, "df": bowker.df, "p": bowker.p, "c": held.words[i], "n": held.n,
            "s1": float(held.table[i].sum() / held.n), "s2": float(held.table[:, i].sum() / held.n),
        }  # fmt: skip
        yes = bowker.p < 1 - form.conf_level
        test = "Bowker 检验，χ²({df:integer}) = {chi:num}，*p* {p:peq}"
        shares = "变化最大的“{c}”由 {s1:percent1} 变为 {s2:percent1}"
        verdict = "两次结果的变动有方向，有统计学意义" if yes else "两次结果没有发现有方向的变动"
        report.lead(f"{verdict}（{test}）。{shares}。", [figure("检验", "*p* {p:peq}", "Bowker 检验")], **facts)
        report.say(
            "Bowker 检验问：从甲变到乙的人和从乙变到甲的人一样多吗；Stuart-Maxwell 检验问：两次各类的比例相同吗。",
            voice="student",
        )  # fmt: skip
        report.say(f"配对 {{n:integer}} 对，{verdict}，{test}。{shares}。", voice="paper", **facts)
        report.say(f"{verdict}（*p* {{p:peq}}）。{shares}。", voice="brief", **facts)
