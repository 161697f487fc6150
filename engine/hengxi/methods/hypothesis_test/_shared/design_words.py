"""What is said of a factorial design: interactions first, then main effects, and only pairs the post-hoc supports."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Report, figure
from hengxi.interpret import cohen1988
from hengxi.methods.hypothesis_test._shared import post_hoc
from hengxi.methods.hypothesis_test._shared.design import Design
from hengxi.methods.hypothesis_test._shared.post_hoc import PairTest
from hengxi.stats.linear_design import Term, Tested

NAMED = 3
"""Most interactions and pairs a sentence names."""
FIGURES = 4
UNSEEN = "没有发现差异不等于没有差异，也许只是样本不够看不出来。"


class Words:
    def __init__(self, design: Design, title: str) -> None:
        self.design, self.title = design, title
        self.checks: Any = None
        self.how = "none"
        self.pairs: dict[Term, list[PairTest]] = {}
        self.advice = "请先看交互作用图和各组合的均值"
        """What to look at first where factors interact."""
        self.robust_field: str | None = None
        self.robust_on = False
        study = design.study
        self.facts: dict[str, Any] = {
            "y": study.y, "unit": study.unit, "n": study.n, "alpha": design.alpha, "level": design.level,
            "df_error": design.model.df,
        }  # fmt: skip
        for i, (term, one) in enumerate(zip(design.terms, design.tests, strict=True)):
            self.facts |= {
                f"t{i}": study.name(term), f"p{i}": one.p, f"F{i}": one.F, f"df{i}": one.df, f"e{i}": one.eta,
            }  # fmt: skip
            if len(term) > 1:
                self.facts |= {f"t{i}m{j}": study.name((m,)) for j, m in enumerate(term)}

    # ---- parts ----------------------------------------------------------------------------------------------------
    def test(self, i: int) -> Tested:
        return self.design.tests[i]

    def is_found(self, i: int) -> bool:
        return self.test(i).p < self.design.alpha

    def strength(self, i: int) -> str:
        eta = min(self.test(i).eta, 1 - 1e-12)
        return cohen1988.spread((eta / (1 - eta)) ** 0.5)

    def found(self, places: list[int]) -> list[int]:
        """Those with a small p: the highest order first, then the smallest p."""
        held = [i for i in places if self.is_found(i)]
        return sorted(held, key=lambda i: (-len(self.design.terms[i]), self.test(i).p))

    def best(self, i: int) -> PairTest | None:
        """The pair that differs most, of those the post-hoc test supports."""
        held = [one for one in self.pairs.get(self.design.terms[i], []) if one.p is not None and one.p < self.alpha]
        return max(held, key=lambda one: abs(one.difference or 0), default=None)

    @property
    def alpha(self) -> float:
        return self.design.alpha

    def pair_words(self, i: int, pair: PairTest, key: str) -> str:
        labels = self.design.study.labels[self.design.terms[i][0]]
        up = (pair.difference or 0) > 0
        high, low = (pair.first, pair.second) if up else (pair.second, pair.first)
        self.facts |= {
            f"{key}h": labels[high],
            f"{key}l": labels[low],
            f"{key}d": abs(pair.difference or 0),
            f"{key}p": pair.p,
        }
        return f"“{{{key}h}}”比“{{{key}l}}”高 {{{key}d:num}}{{unit}}（*p* {{{key}p:peq}}）"

    def main_words(self, i: int) -> str:
        """A main effect with the pair that carries it."""
        start = f"“{{t{i}}}”各水平的平均值"
        if not self.is_found(i):
            return f"“{{t{i}}}”没有发现明显差异（*p* {{p{i}:peq}}）"
        pair = self.best(i)
        told = f"，其中{self.pair_words(i, pair, f'q{i}')}" if pair is not None else ""
        return f"{start}差异有统计学意义（*p* {{p{i}:peq}}，效应{self.strength(i)}）{told}"

    def covariate_words(self) -> str:
        return "，扣除协变量的影响后" if self.design.study.covariates else ""

    # ---- sentences ------------------------------------------------------------------------------------------------
    def write(self, report: Report) -> None:
        lead = self.conclusion()
        report.lead(lead, self.figures(), **self.facts)
        report.say(self.student(), voice="student", **self.facts)
        report.say(self.paper(), voice="paper", **self.facts)
        report.say(self.brief(), voice="brief", **self.facts)
        for sentence, facts in self.details():
            report.say(sentence, **facts)
        report.say(
            "“不显著”不等于没有差异；差异最大可能有多大，看置信区间。本分析要求各行数据互不影响；"
            "分组不是随机分配时，差异不能说明是因素造成的。", voice="paper",
        )  # fmt: skip

    def conclusion(self) -> str:
        joint, mains = self.found(self.design.joint), self.design.mains
        if joint:
            # An interaction of three says all there is about the pairs among them.
            own = [i for i in joint if not any(set(self.design.terms[i]) < set(self.design.terms[j]) for j in joint)]
            told = "；".join(self._joint_words(i) for i in own[:NAMED])
            if len(own) > NAMED:
                told += "等"
            inside = {m for i in joint for m in self.design.terms[i]}
            others = [i for i in mains if self.design.terms[i][0] not in inside]
            rest = "".join(f"{self.main_words(i)}。" for i in others)
            return f"{told}。{self.advice}，不要单独解释这些因素的主效应。{rest}"
        start = "没有发现交互作用" + self._least_joint() + "。" if self.design.joint else ""
        listed = [*self.found(mains), *(i for i in mains if not self.is_found(i))]
        told = "；".join(self.main_words(i) for i in listed)
        return f"“{{y}}”{self.covariate_words()}：{told}。{start}" if listed else start

    def _joint_words(self, i: int) -> str:
        members = "".join(f"“{{t{i}m{j}}}”" for j in range(len(self.design.terms[i])))
        if len(self.design.terms[i]) == 2:
            return (
                f"“{{t{i}m0}}”与“{{t{i}m1}}”有交互作用（*p* {{p{i}:peq}}，效应{self.strength(i)}）："
                f"“{{t{i}m0}}”对“{{y}}”的影响随“{{t{i}m1}}”而不同"
            )
        return (
            f"{members}之间有交互作用（*p* {{p{i}:peq}}，效应{self.strength(i)}）："
            "其中两个因素怎样共同起作用，随其余因素而不同"
        )

    def _least_joint(self) -> str:
        joint = self.design.joint
        if len(joint) == 1:
            return f"（*p* {{p{joint[0]}:peq}}）"
        i = min(joint, key=lambda j: self.test(j).p)
        return f"（各交互中 *p* 最小为 {{p{i}:pvalue}}）"

    def figures(self) -> list[Any]:
        k = len(self.design.study.factors)
        order = [*self.design.joint, *self.design.mains]
        order.sort(key=lambda i: (self.design.terms[i] not in [self.design.terms[j] for j in self.found(order)], i))
        shown = sorted(order[:FIGURES])
        made = []
        for i in shown:
            name = self.design.study.name(self.design.terms[i])
            if max(self.design.terms[i]) < k:
                made.append(figure(name, f"*p* {{p{i}:peq}}", f"偏 η² = {{e{i}:num}}"))
        return made

    def student(self) -> str:
        reading = "先看交互作用：它问的是一个因素的影响会不会因另一个因素而变。" if self.design.joint else ""
        largest = max(range(len(self.design.tests)), key=lambda i: self.test(i).eta)
        size = (
            f"{'再' if reading else '先'}看大小：偏 η² 最大的是“{{t{largest}}}”（{{e{largest}:num}}），"
            f"即扣除其他效应后，剩下的变异有 {{e{largest}:percent1}} 与它对应。"
        )
        if self.found(self.design.joint):
            verdict = "最后看 *p*：交互作用有统计学意义，说明各水平之间的差别不是处处一样，所以要分开比较。"
        elif self.found([*self.design.mains, *self.design.joint]):
            verdict = "最后看 *p*：小于 {alpha:alpha} 的主效应说明它的各水平不是全都一样；哪两个水平不同，看多重比较。"
        else:
            verdict = "最后看 *p*：没有一个因素的 *p* 小于 {alpha:alpha}。" + UNSEEN
        return reading + size + verdict

    def paper(self) -> str:
        parts = []
        for i in range(len(self.design.terms)):
            verdict = "有统计学意义" if self.is_found(i) else "无统计学意义"
            term = self.design.terms[i]
            what = "交互作用" if len(term) > 1 else "主效应" if i in self.design.mains else "协变量效应"
            if what == "协变量效应" and term[0] < len(self.design.study.factors):
                what = "区组效应"
            parts.append(
                f"“{{t{i}}}”的{what}{verdict}，*F*({{df{i}:integer}}, {{df_error:integer}}) = {{F{i}:num}}，"
                f"*p* {{p{i}:peq}}，偏 η² = {{e{i}:num}}"
            )
        self.facts["kind"] = self.design.kind
        return (
            f"采用{self.title}（{{kind}} 型平方和，α = {{alpha:alpha}}，*N* = {{n:integer}}）分析“{{y}}”。"
            + "；".join(parts)
            + "。"
        )

    def brief(self) -> str:
        return self.conclusion()

    def details(self) -> list[tuple[str, dict[str, Any]]]:
        """The pairs of each factor; members add what is theirs."""
        made = []
        for term, pairs in self.pairs.items():
            if len(pairs) > 1:
                made.append(self._pairs_of(term, pairs))
        return made

    def _pairs_of(self, term: Term, pairs: list[PairTest]) -> tuple[str, dict[str, Any]]:
        labels = self.design.study.labels[term[0]]
        held = sorted(
            (one for one in pairs if one.p is not None and one.p < self.alpha),
            key=lambda one: -abs(one.difference or 0),
        )
        facts: dict[str, Any] = {
            "factor": self.design.study.name(term), "how": post_hoc.TITLES[self.how], "m": len(pairs), "s": len(held),
            "unit": self.design.study.unit,
        }  # fmt: skip
        if not held:
            return "“{factor}”的多重比较（{how}）：{m:integer} 对中没有一对的差异达到统计学意义。", facts
        told = []
        for j, pair in enumerate(held[:NAMED], 1):
            up = (pair.difference or 0) > 0
            high, low = (pair.first, pair.second) if up else (pair.second, pair.first)
            facts |= {f"a{j}": labels[high], f"b{j}": labels[low], f"d{j}": abs(pair.difference or 0), f"p{j}": pair.p}
            told.append(f"“{{a{j}}}”高于“{{b{j}}}”（差 {{d{j}:num}}{{unit}}，*p* {{p{j}:peq}}）")
        rest = f"等（只列出差值最大的 {NAMED} 对）" if len(held) > NAMED else ""
        counted = (
            "{m:integer} 对的差异都有统计学意义"
            if len(held) == len(pairs)
            else ("{m:integer} 对中有 {s:integer} 对的差异有统计学意义")
        )
        i = self.design.terms.index(term)
        apart = (
            "" if self.is_found(i) else "该因素的整体检验未达到统计学意义，两者回答的问题不同，请按研究前的计划报告。"
        )
        return f"“{{factor}}”的多重比较（{{how}}）：{counted}：{'、'.join(told)}{rest}。{apart}", facts

    # ---- notes ----------------------------------------------------------------------------------------------------
    def notes(self, report: Report, cls: Any) -> None:
        level = {"level": self.design.level}
        weights = "*n* 为频数权重的合计。" if self.design.study.weighted else ""
        report.note(
            cls.anova, f"{{kind}} 型平方和。偏 η² 的 CI 为 {{level:percent}} 置信区间，由非中心 F 分布反解。{weights}",
            kind=self.design.kind, **level,
        )  # fmt: skip
        held = "，协变量取样本均值" if self.design.study.covariates else ""
        report.note(
            cls.means, f"估计均值是其余因素各水平同等看待时的均值{held}；*n* 是该水平的例数。"
            "CI 的置信水平为 {level:percent}。",
            **level,
        )  # fmt: skip
        if self.pairs:
            report.note(cls.pairs, self.pair_note(), **level)
        if any(len(pairs) > 1 for pairs in self.pairs.values()) and self.how != "dunnett":
            report.note(
                cls.letters, "按估计均值从高到低；"
                "有相同字母的两个水平之间未发现差异（α = {alpha:alpha}），不等于两者相同。",
                alpha=self.alpha,
            )  # fmt: skip

    def pair_note(self) -> str:
        start = "均值差 = 水平I − 水平J，比较的是边际均值；*d* 以误差均方的平方根为分母。"
        ending = {
            "lsd": "LSD 不校正，不控制整体错误率；区间是单个比较的 {level:percent} CI。",
            "snk": "SNK 为逐步法，没有联合区间。",
            "duncan": "Duncan 为逐步法，没有联合区间，不控制整体错误率。",
            "holm": "Holm 是逐步校正，区间取 Bonferroni 的 {level:percent} 联合 CI。",
            "dunnett": "每个水平都与第一个水平（水平J）比较；区间为 {level:percent} 联合 CI。",
        }.get(self.how, "*p* 在每个因素内校正，区间为 {level:percent} 联合 CI。")
        if self.how in post_hoc.UNEQUAL:
            ending += "标准误用各组合自己的方差，自由度用 Satterthwaite 法。"
        if self.found(self.design.joint):
            ending += "有交互作用时，这里的差值是对其余因素各水平的平均。"
        return start + ending
