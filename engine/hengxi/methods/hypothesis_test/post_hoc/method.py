from __future__ import annotations

from typing import Any

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Level,
    MethodRemedy,
    Points,
    Reference,
    Refusal,
    Report,
    Silent,
    Table,
    claim,
    figure,
    flag,
    integer,
    interval,
    level,
    many,
    num,
    number,
    pvalue,
    role,
    stat,
    text,
    weight,
)
from hengxi.methods.hypothesis_test._shared import post_hoc
from hengxi.methods.hypothesis_test._shared.group_report import GroupReport
from hengxi.methods.hypothesis_test._shared.many_groups import ManyGroups
from hengxi.methods.hypothesis_test._shared.post_hoc import PairTest

METHODS = {
    "lsd": "LSD", "tukey": "Tukey HSD", "scheffe": "Scheffe", "bonferroni": "Bonferroni", "sidak": "Sidak",
    "holm": "Holm", "snk": "SNK-q", "duncan": "Duncan", "dunnett": "Dunnett", "hochberg_gt2": "Hochberg GT2",
    "gabriel": "Gabriel", "games_howell": "Games-Howell", "tamhane_t2": "Tamhane T2", "dunnett_t3": "Dunnett T3",
}  # fmt: skip
SUBSETS = ("tukey", "snk", "duncan")
NAMED = 5


class PostHoc(GroupReport):
    """Several procedures side by side on the pairs of one factor, computed where the analysis of variance has them."""

    title, title_en = "事后多重比较", "Post-hoc multiple comparisons"
    rescaled = (("variables",),)
    purpose = "方差分析显著后，具体哪些组两两不同"
    aliases = (
        "多重比较", "两两比较", "事后检验", "LSD", "Tukey", "Scheffe", "SNK", "Duncan", "Dunnett", "字母标记",
        "同质子集",
    )  # fmt: skip
    references = (
        "fisher1925", "tukey1949", "kramer1956", "scheffe1953", "holm1979", "duncan1955", "dunnett1955", "dunnett1980",
        "games1976", "hochberg1974", "gabriel1978", "piepho2004", "cohen1988",
    )  # fmt: skip
    conventions = (
        "均值差 = 组I − 组J；等方差的方法用组内均方，Games-Howell、Tamhane T2、Dunnett T3 用两组自己的方差。",
        "学生化范围、最大模与 Dunnett 的分布由数值积分得出，不用随机数。",
        "Gabriel 的临界值按 |均值差| ≥ s(1/√(2n1) + 1/√(2n2))·m，m 为最大模。",
        "同质子集由两两比较得出：同一子集内没有一对的校正 *p* 小于 α；显著性是子集内最小的一个 *p*。",
    )

    class Input(Form):
        group: Column = role("分组变量X", "定类")
        variables: Column = role("检验变量Y", "定量", each=True)
        weight: Column | None = weight("频数权重（选填）", kind="frequency", whole=True)
        methods: list[str] = many(
            "比较方法", METHODS, default=("lsd", "tukey"), min=1,
            hint="LSD、SNK、Duncan 不控制整体错误率；方法应在看数据之前定好",
        )  # fmt: skip
        control: Level = level("对照组（Dunnett）", of="group", when={"methods": "dunnett"})
        letters: bool = flag("字母标记法", True)
        effect_size: bool = flag("效应量", True)
        conf_level: float = number("置信水平", 0.95, least=0.8, most=0.999, percent=True, hint="显著性水平 = 1 − 此值")

    pairs = Table(
        "事后多重比较", method=text("方法"), first=text("组I"), second=text("组J"), mean1=num("均值I"),
        mean2=num("均值J"), difference=num("均值差", stars="p"), se=num("标准误", least=0), t=num("*t*"),
        df=num("*df*"), p=pvalue("校正 *p*"), ci=interval("CI", "low", "high", around="difference"),
        d=num("Cohen's *d*", when={"effect_size": True}), merge=("method",), place="main",
        claim=claim(
            "pair", stat("*t*", "t", "df"), first="first", second="second", outcome="variables", within="method",
        ),
    )  # fmt: skip
    subsets = Table(
        "同质子集", method=text("方法"), subset=integer("子集"), members=text("组（均值从高到低）"), p=pvalue("显著性"),
        merge=("method",), claim=Silent("what did not differ, told by the pairs"),
    )  # fmt: skip
    marks = Table(
        "字母标记", method=text("方法"), group=text("组别"), mean=num("均值"), letters=text("字母"), merge=("method",),
        when={"letters": True},
    )  # fmt: skip
    anova = Table(
        "方差分析概要", F=num("*F*", least=0), df1=integer("*df*1"), df2=integer("*df*2"), p=pvalue(),
        eta=num("η²", least=0, most=1),
        claim=claim("groups", stat("*F*", "F", "df1", "df2"), effect="eta", outcome="variables", by="group"),
    )  # fmt: skip
    forest = Points(
        "均值差与区间", method=text("方法"), pair=text("比较"), y=num("均值差"), low=num("下限"), high=num("上限")
    )
    forest_plot = Chart(
        "均值差与置信区间", "interval", of=forest, x="pair", y="y", low="low", high="high", facet="method",
        over=[Reference(y=0)], place="main",
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        groups = cls.read(report, form)
        if groups.k < 3:
            raise Refusal(
                "role.levels", "事后比较至少需要3组，两组请用t检验（检验变量“{y}”只有 {k} 组）", field="group",
                column=form.group.id, y=groups.y, k=groups.k,
                remedies=[
                    MethodRemedy(
                        title="改用独立样本 t 检验", method="hypothesis_test/independent_t_test",
                        carry=["group", "variables"],
                    )
                ],
            )  # fmt: skip
        control = cls._control(groups, form) if "dunnett" in form.methods else None
        found = {}
        for how in form.methods:
            found[how] = post_hoc.compare(groups, how, form.conf_level, control if how == "dunnett" else None)
            cls._fill(report, groups, how, found[how], form)
        if not set(SUBSETS) & set(form.methods):
            report.skip(cls.subsets, "同质子集只由 Tukey、SNK、Duncan 给出")
        if form.letters and form.methods == ["dunnett"]:
            report.skip(cls.marks, "只与对照组比较时没有字母标记")
        if all(one.low is None for pairs in found.values() for one in pairs):
            report.skip(cls.forest, "所选方法没有区间")
        fisher = groups.whole.fisher()
        whole = groups.whole.between + groups.whole.within
        report.row(cls.anova, F=fisher.F, df1=fisher.df1, df2=fisher.df2, p=fisher.p, eta=groups.whole.between / whole)
        cls.describe(report, groups, form.conf_level)
        cls._words(report, groups, form, found)
        return report

    @classmethod
    def _control(cls, groups: ManyGroups, form: Any) -> int:
        place = next((i for i, one in enumerate(groups.levels) if one.value == form.control.value), None)
        if place is None:
            raise Refusal(
                "level.absent", "对照组“{g}”在“{y}”上没有有效值，请另选对照组", field="control", also=["variables"],
                column=form.group.id, g=form.control.label, y=groups.y,
            )  # fmt: skip
        return place

    @classmethod
    def _fill(cls, report: Report, groups: ManyGroups, how: str, pairs: list[PairTest], form: Any) -> None:
        title, names = METHODS[how], groups.names
        for pair in pairs:
            first, second = names[pair.first], names[pair.second]
            extra: dict[str, Any] = {"d": pair.d} if form.effect_size else {}
            report.row(
                cls.pairs, method=title, first=first, second=second, mean1=groups.each[pair.first].mean,
                mean2=groups.each[pair.second].mean, difference=pair.difference, se=pair.se, t=pair.t, df=pair.df,
                p=pair.p, low=pair.low, high=pair.high, **extra,
            )  # fmt: skip
            if pair.low is not None:
                report.row(
                    cls.forest, method=title, pair=f"{first} − {second}", y=pair.difference, low=pair.low,
                    high=pair.high,
                )  # fmt: skip
        if any(pair.p is None for pair in pairs):
            report.note(cls.pairs, "两组都没有组内变异时，它们的比较没有标准误，未给。")
        if how == "dunnett":
            return
        marks = post_hoc.letters(groups, pairs, 1 - form.conf_level)
        if form.letters:
            for i in groups.order:
                report.row(cls.marks, method=title, group=names[i], mean=groups.each[i].mean, letters=marks[i])
        if how in SUBSETS:
            for place, letter in enumerate(sorted(set("".join(marks))), 1):
                inside = [i for i in groups.order if letter in marks[i]]
                held = [q.p for q in pairs if q.first in inside and q.second in inside and q.p is not None]
                report.row(
                    cls.subsets, method=title, subset=place, members="，".join(names[i] for i in inside),
                    p=min(held, default=None),
                )  # fmt: skip

    @classmethod
    def _words(cls, report: Report, groups: ManyGroups, form: Any, found: dict[str, list[PairTest]]) -> None:
        alpha = 1 - form.conf_level
        held = [how for how in form.methods if how not in post_hoc.UNCONTROLLED]
        how = held[0] if held else form.methods[0]
        pairs = found[how]
        differing = sorted(
            (one for one in pairs if one.p is not None and one.p < alpha), key=lambda one: -abs(one.difference or 0)
        )
        facts: dict[str, Any] = {
            "y": groups.y, "unit": groups.unit, "k": groups.k, "how": METHODS[how], "m": len(pairs),
            "s": len(differing), "alpha": alpha,
        }  # fmt: skip
        parts = []
        for i, pair in enumerate(differing[:NAMED], 1):
            up = (pair.difference or 0) > 0
            high, low = (pair.first, pair.second) if up else (pair.second, pair.first)
            facts |= {
                f"a{i}": groups.names[high], f"b{i}": groups.names[low], f"d{i}": abs(pair.difference or 0),
                f"p{i}": pair.p,
            }  # fmt: skip
            parts.append(f"“{{a{i}}}”组高于“{{b{i}}}”组（差 {{d{i}:num}}{{unit}}，*p* {{p{i}:peq}}）")
        rest = f"等（只列出差值最大的 {NAMED} 对）" if len(differing) > NAMED else ""
        if not differing:
            lead = "“{y}”按 {how} 比较，{m:integer} 对中没有发现有差异的一对。"
        else:
            every = (
                "{m:integer} 对的差异都有统计学意义"
                if len(differing) == len(pairs)
                else ("{m:integer} 对中有 {s:integer} 对的差异有统计学意义")
            )
            lead = f"“{{y}}”按 {{how}} 比较，{every}：{'、'.join(parts)}{rest}。"
        report.lead(lead, [figure("有差异的对数", "{s:integer} / {m:integer}", "{how}")], **facts)
        report.say(
            "校正 *p* 小于 {alpha:alpha} 的一对说有差异；区间是真实差值可能的范围。没有发现差异的两组不等于相同。",
            voice="student", alpha=alpha,
        )  # fmt: skip
        report.say(
            "采用 {how} 对 {k:integer} 个组的“{y}”作两两比较（α = {alpha:alpha}），"
            "{m:integer} 对中 {s:integer} 对有统计学意义。本检验要求各行数据互不影响。", voice="paper", **facts,
        )  # fmt: skip
        if len(form.methods) > 1:
            counts: dict[str, Any] = {
                f"c{i}": sum(one.p is not None and one.p < alpha for one in found[key])
                for i, key in enumerate(form.methods)
            }
            sizes: dict[str, Any] = {f"z{i}": len(found[key]) for i, key in enumerate(form.methods)}
            told = "，".join(
                f"{METHODS[key]} {{c{i}:integer}} / {{z{i}:integer}}" for i, key in enumerate(form.methods)
            )
            report.say(f"各方法有统计学意义的对数：{told}。结论采用 {{how}}。", how=METHODS[how], **counts, **sizes)
        loose = [METHODS[key] for key in form.methods if key in post_hoc.UNCONTROLLED]
        report.check(
            "多重比较", "care" if not held else "pass",
            ("{loose}不控制整体错误率：各组真的没有差异时，至少错报一对的机会大于 {alpha:alpha}。" if loose else "")
            + ("结论采用的 {how} 已把整体错误率控制在 {alpha:alpha} 左右。" if held else ""),
            loose="、".join(loose), how=METHODS[how], alpha=alpha,
        )  # fmt: skip
        report.note(
            cls.pairs, "CI 的置信水平为 {level:percent}：LSD 是单个比较的，Holm 取 Bonferroni 的，其余为联合区间；"
            "SNK、Duncan 为逐步法，没有区间。", level=form.conf_level,
        )  # fmt: skip
        if form.letters and form.methods != ["dunnett"]:
            report.note(cls.marks, "有相同字母的两组之间未发现差异（α = {alpha:alpha}），不等于两组相同。", alpha=alpha)

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        p = {row.cells["variable"]: row.cells["p"] for row in report.rows_of(cls.anova)}
        cls.conclude(report, form, p, "比较各组的均值", "各组平均值有差异")
