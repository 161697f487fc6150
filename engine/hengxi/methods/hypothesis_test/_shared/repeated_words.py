"""What is said of a design with repeated measures: interactions first, then single factors, with pairs that hold."""

from __future__ import annotations

import re
from typing import Any

from hengxi.contract import MethodRemedy, Report, SetRemedy, figure, more
from hengxi.contract.shapes import State
from hengxi.interpret import cohen1988
from hengxi.methods.hypothesis_test._shared import post_hoc
from hengxi.methods.hypothesis_test._shared.design_words import UNSEEN
from hengxi.methods.hypothesis_test._shared.post_hoc import PairTest
from hengxi.methods.hypothesis_test._shared.repeated_method import CORRECTIONS, HALF, Fitted, Within
from hengxi.methods.hypothesis_test._shared.sample_checks import ALPHA, HEAVY, MANY, SKEWED, SMALL
from hengxi.stats.repeated_measures import Effect

NAMED = 3
LISTED = 7
"""Of more effects a paper only names the interactions that were found."""
BOX = 0.001
FEW = 20
"""Subjects below which Mauchly's test finds little."""
FRIEDMAN = "hypothesis_test/multiple_paired_sample_friedman_test"


class RepeatedWords:
    def __init__(self, fitted: Fitted, title: str) -> None:
        self.fitted, self.title = fitted, title
        measured = fitted.measured
        self.facts: dict[str, Any] = {
            "y": measured.outcome, "unit": measured.study.unit, "n": measured.n, "alpha": fitted.alpha,
            "level": fitted.level,
        }  # fmt: skip
        self.tests: list[tuple[str, float, Effect, Within | None, int]] = []
        """Name, p, effect, correction, how many factors it joins; those with covariates are left out."""
        k = len(measured.study.factors)
        terms = fitted.model.model.terms
        for name, one in fitted.between:
            place = one.between
            if place is not None and max(terms[place]) < k:
                self.tests.append((name, one.p(), one, None, len(terms[place])))
        for inner in fitted.within:
            place = inner.effect.between
            if place is None or max(terms[place]) < k:
                size = len(inner.effect.within) + (0 if place is None else len(terms[place]))
                self.tests.append((inner.name, inner.p, inner.effect, inner, size))
        for i, (name, p, effect, corrected, _) in enumerate(self.tests):
            self.facts |= {
                f"t{i}": name, f"p{i}": p, f"F{i}": effect.F, f"e{i}": effect.eta, f"g{i}": effect.generalized,
                f"a{i}": corrected.df if corrected else effect.df,
                f"b{i}": corrected.df_error if corrected else effect.df_error,
            }  # fmt: skip

    # ---- parts ----------------------------------------------------------------------------------------------------
    def is_found(self, i: int) -> bool:
        return self.tests[i][1] < self.fitted.alpha

    def strength(self, i: int) -> str:
        eta = min(self.tests[i][2].eta, 1 - 1e-12)
        return cohen1988.spread((eta / (1 - eta)) ** 0.5)

    @property
    def joint(self) -> list[int]:
        """Interactions with a small p, unless one of higher order speaks of all their factors."""
        held = [i for i, one in enumerate(self.tests) if one[4] > 1 and self.is_found(i)]
        parts = {i: set(self.tests[i][0].split(" × ")) for i in held}
        return sorted((i for i in held if not any(parts[i] < parts[j] for j in held)), key=lambda i: self.tests[i][1])

    @property
    def mains(self) -> list[int]:
        return [i for i, one in enumerate(self.tests) if one[4] == 1]

    def pair_words(self, name: str, key: str) -> str:
        words, pairs = self.fitted.pairs[name]
        held = [one for one in pairs if one.p is not None and one.p < self.fitted.alpha]
        if not held:
            return ""
        pair = max(held, key=lambda one: abs(one.difference or 0))
        high, low = (pair.first, pair.second) if (pair.difference or 0) > 0 else (pair.second, pair.first)
        self.facts |= {
            f"{key}h": words[high], f"{key}l": words[low], f"{key}d": abs(pair.difference or 0), f"{key}p": pair.p,
        }  # fmt: skip
        only = "" if len(pairs) == 1 else "其中"
        told = f"“{{{key}h}}”比“{{{key}l}}”高 {{{key}d:num}}{{unit}}"
        # Of two levels the pair is the effect itself.
        return f"，{only}{told}" if len(pairs) == 1 else f"，{only}{told}（校正 *p* {{{key}p:peq}}）"

    def main_words(self, i: int) -> str:
        name = self.tests[i][0]
        if not self.is_found(i):
            return f"“{{t{i}}}”各水平的平均值没有发现明显差异（*p* {{p{i}:peq}}）"
        pair = self.pair_words(name, f"q{i}")
        return f"“{{t{i}}}”各水平的平均值差异有统计学意义（*p* {{p{i}:peq}}，效应{self.strength(i)}）{pair}"

    def joint_words(self, i: int) -> str:
        parts = self.tests[i][0].split(" × ")
        self.facts |= {f"j{i}_{k}": part for k, part in enumerate(parts)}
        start = f"（*p* {{p{i}:peq}}，效应{self.strength(i)}）"
        if len(parts) > 2:
            listed = "".join(f"“{{j{i}_{k}}}”" for k in range(len(parts)))
            return f"{listed}之间有交互作用{start}：其中两个因素怎样共同起作用，随其余因素而不同"
        return (
            f"“{{j{i}_0}}”与“{{j{i}_1}}”有交互作用{start}：“{{y}}”随“{{j{i}_0}}”的变化，在“{{j{i}_1}}”的各水平上不一样"
        )

    @property
    def joint_many(self) -> bool:
        return any(one[4] > 1 for one in self.tests)

    # ---- sentences ------------------------------------------------------------------------------------------------
    def write(self, report: Report) -> None:
        lead, figures = self.conclusion(), self.figures()
        named = lead + "".join(f"{one.value}{one.note or ''}" for one in figures)
        report.lead(lead, figures, **{key: v for key, v in self.facts.items() if re.search(rf"\{{{key}[:}}]", named)})
        report.say(self.student(), voice="student", **self.facts)
        report.say(self.paper(), voice="paper", **self.facts)
        report.say(self.conclusion(), voice="brief", **self.facts)
        for name, (words, pairs) in self.fitted.pairs.items():
            if len(pairs) > 1:
                text, facts = self.pairs_of(name, words, pairs)
                report.say(text, **facts)
        self.say_simple(report)
        report.say(
            "“不显著”不等于没有差异；差异最大可能有多大，看置信区间。"
            "各次测量的先后固定时，变化也可能来自练习、疲劳或时间本身。",
            voice="paper",
        )  # fmt: skip

    def conclusion(self) -> str:
        joint = self.joint
        if joint:
            told = "；".join(self.joint_words(i) for i in joint[:NAMED]) + ("等" if len(joint) > NAMED else "")
            inside = {part for i in joint for part in self.tests[i][0].split(" × ")}
            others = [i for i in self.mains if self.tests[i][0] not in inside]
            rest = "".join(f"{self.main_words(i)}。" for i in others)
            return f"{told}。请看均值图和简单效应，不要单独解释这些因素的主效应。{rest}"
        order = sorted(self.mains, key=lambda i: (not self.is_found(i), self.tests[i][2].between is not None))
        told = "；".join(self.main_words(i) for i in order)
        crossed = [i for i, one in enumerate(self.tests) if one[4] > 1]
        none = ""
        if crossed:
            least = min(crossed, key=lambda i: self.tests[i][1])
            none = f"没有发现交互作用（{'最小 ' if len(crossed) > 1 else ''}*p* {{p{least}:peq}}）。"
        held = "，扣除协变量的影响后" if self.fitted.measured.study.covariates else ""
        return f"“{{y}}”{held}：{told}。{none}"

    def figures(self) -> list[Any]:
        order = sorted(range(len(self.tests)), key=lambda i: (not self.is_found(i), -self.tests[i][4], i))
        return [figure(self.tests[i][0], f"*p* {{p{i}:peq}}", f"偏 η² = {{e{i}:num}}") for i in sorted(order[:4])]

    def student(self) -> str:
        start = "先看交互作用：它问的是随时间（条件）的变化在各组是否一样。" if self.joint_many else ""
        largest = max(range(len(self.tests)), key=lambda i: self.tests[i][2].eta)
        size = (
            f"{'再' if start else '先'}看大小：偏 η² 最大的是“{{t{largest}}}”（{{e{largest}:num}}），"
            f"即扣除其他效应后，剩下的变异有 {{e{largest}:percent1}} 与它对应。"
        )
        if self.joint:
            verdict = "最后看 *p*：交互作用有统计学意义，所以要在每个水平上分开比较，看简单效应表。"
        elif any(self.is_found(i) for i in self.mains):
            verdict = "最后看 *p*：小于 {alpha:alpha} 的因素，各水平不是全都一样；哪两个水平不同，看成对比较表。"
        else:
            verdict = "最后看 *p*：没有一个效应的 *p* 小于 {alpha:alpha}。" + UNSEEN
        return start + size + verdict

    def paper(self) -> str:
        parts = []
        used: list[str] = []
        for i, (_, _, _, corrected, order) in enumerate(self.tests):
            if len(self.tests) > LISTED and order > 1 and not self.is_found(i):
                continue
            verdict = "有统计学意义" if self.is_found(i) else "无统计学意义"
            what = "交互作用" if order > 1 else "主效应"
            shape = "integer" if corrected is None or corrected.read == "none" else "num"
            if corrected is not None and corrected.read != "none" and corrected.read not in used:
                used.append(corrected.read)
            parts.append(
                f"“{{t{i}}}”的{what}{verdict}，*F*({{a{i}:{shape}}}, {{b{i}:{shape}}}) = {{F{i}:num}}，"
                f"*p* {{p{i}:peq}}，偏 η² = {{e{i}:num}}，广义 η² = {{g{i}:num}}"
            )
        how = f"，不满足球形的效应用 {'、'.join(CORRECTIONS[one] for one in used)} 校正自由度" if used else ""
        return (
            f"采用{self.title}（III 型平方和，α = {{alpha:alpha}}，{{n:integer}} 名个体{how}）分析“{{y}}”。"
            + "；".join(parts)
            + ("；其余交互作用都无统计学意义。" if len(parts) < len(self.tests) else "。")
        )

    def pairs_of(self, name: str, words: list[str], pairs: list[PairTest]) -> tuple[str, dict[str, Any]]:
        held = sorted(
            (one for one in pairs if one.p is not None and one.p < self.fitted.alpha),
            key=lambda one: -abs(one.difference or 0),
        )
        how = post_hoc.TITLES["lsd" if self.fitted.how == "none" else self.fitted.how]
        facts: dict[str, Any] = {
            "factor": name, "how": how, "m": len(pairs), "s": len(held), "unit": self.facts["unit"],
        }  # fmt: skip
        if not held:
            return "“{factor}”的成对比较（{how}）：{m:integer} 对中没有一对的差异达到统计学意义。", facts
        told = []
        for j, pair in enumerate(held[:NAMED], 1):
            high, low = (pair.first, pair.second) if (pair.difference or 0) > 0 else (pair.second, pair.first)
            facts |= {f"a{j}": words[high], f"b{j}": words[low], f"d{j}": abs(pair.difference or 0), f"p{j}": pair.p}
            told.append(f"“{{a{j}}}”高于“{{b{j}}}”（差 {{d{j}:num}}{{unit}}，*p* {{p{j}:peq}}）")
        rest = f"等（只列出差值最大的 {NAMED} 对）" if len(held) > NAMED else ""
        return (
            "“{factor}”的成对比较（{how}）：{m:integer} 对中有 {s:integer} 对的差异有统计学意义："
            + "、".join(told) + rest
            + "。", facts,
        )  # fmt: skip

    def say_simple(self, report: Report) -> None:
        """Only where factors interact are the simple effects the answer."""
        parts = {part for i in self.joint for part in self.tests[i][0].split(" × ")}
        listed = [one for one in self.fitted.simple if one[0] in parts and one[1].split(" = ")[0] in parts]
        if not listed:
            return
        held = [one for one in listed if one[2] < self.fitted.alpha]
        facts: dict[str, Any] = {"m": len(listed), "s": len(held)}
        told = []
        for j, (effect, at, p) in enumerate(sorted(held, key=lambda one: one[2])[:4]):
            facts |= {f"w{j}": effect, f"x{j}": at, f"p{j}": p}
            told.append(f"{{x{j}}} 时“{{w{j}}}”有差异（*p* {{p{j}:peq}}）")
        rest = "等" if len(held) > 4 else ""
        found = f"：{'、'.join(told)}{rest}" if told else ""
        report.say(f"简单效应：{{m:integer}} 个中有 {{s:integer}} 个有统计学意义{found}。", **facts)

    # ---- checks ---------------------------------------------------------------------------------------------------
    def check_all(self, report: Report, correction: str) -> None:
        self.check_sphericity(report, correction)
        self.check_shapes(report)

    def check_sphericity(self, report: Report, correction: str) -> None:
        listed = {one.effect.within: one for one in self.fitted.within if one.effect.between is None}
        wide = [one for one in listed.values() if self.fitted.model.contrast(one.effect.within).shape[1] > 1]
        if not wide:
            report.check("球形性", "pass", "组内因素只有两个水平，只有一个差值，不需要球形假设。")
            return
        bad = [one for one in wide if one.sphericity.p is None or one.sphericity.p < ALPHA]
        worst = min(bad or wide, key=lambda one: one.sphericity.gg)
        s = worst.sphericity
        facts: dict[str, Any] = {"what": worst.name, "w": s.w, "p": s.p, "gg": s.gg, "hf": s.hf}
        start = "“{what}”：Mauchly *W* = {w:num}，*p* {p:peq}，ε(GG) = {gg:num}，ε(HF) = {hf:num}。"
        if s.p is None:
            start = "“{what}”：个体太少，Mauchly 检验算不出来；ε(GG) = {gg:num}，ε(HF) = {hf:num}。"
        state: State
        remedies = []
        if not bad:
            state, ending = "pass", "没有发现不满足球形。"
            if s.gg < HALF and self.fitted.measured.n < FEW:
                state, ending = "care", "个体少，检验查不出偏离；ε(GG) 小于 0.75，请对照 Greenhouse-Geisser 一行。"
        elif correction == "none":
            state, ending = "fail", "不满足球形而没有校正，*p* 偏小，请改用自动校正。"
            remedies = [SetRemedy(title="改为自动校正", set={"correction": "auto"})]
        else:
            names = "、".join(dict.fromkeys(CORRECTIONS[one.read] for one in bad))
            state, ending = "care", f"不满足球形，*p* 已用 {names} 校正。"
        report.check(
            "球形性", state, start + ending,
            more=more(
                "组内效应的 *F* 检验要求任意两次测量之差的方差都相同（球形）。", start,
                "不满足时不校正的 *p* 偏小；校正把自由度乘以 ε。",
                f"ε(GG) 小于 {HALF} 用 Greenhouse-Geisser，否则用 Huynh-Feldt；也可以读多变量检验，它不要求球形。",
            ),
            remedies=remedies, **facts,
        )  # fmt: skip

    def check_shapes(self, report: Report) -> None:
        """The measurement that is farthest from normal speaks for all."""
        shapes, n = self.fitted.shapes, self.fitted.measured.n
        word, shape, _ = max(shapes, key=lambda one: (abs(one[1].skewness or 0), one[0]))
        low = min((one[2].p for one in shapes if one[2] is not None), default=None)
        skew, heavy = abs(shape.skewness or 0), max((one[1].kurtosis or 0) for one in shapes)
        severe = skew > SKEWED or heavy > HEAVY
        small_p = low is not None and low < ALPHA
        state: State = "fail" if (severe and n < 2 * MANY) or (small_p and n < SMALL and skew > 1) else "pass"
        if state == "pass" and (severe or small_p):
            state = "care"
        if low is None:
            state = "unknown"
        ending = {
            "pass": "近似正态。",
            "care": "不太正态；样本不小时对均值的比较影响不大。",
            "fail": "明显不正态而样本不大，*p* 和区间可能不准；请先核对极端值，或对测量值取对数后再做。",
            "unknown": "个体太少或太多，不做检验，请看偏度。",
        }[state]
        cells = self.fitted.measured.cell_words
        remedies = []
        if state == "fail" and not self.fitted.measured.study.factors and len(cells) > 2:
            ending = "明显不正态而样本不大，*p* 和区间可能不准，请用秩检验（Friedman）对照。"
            remedies = [MethodRemedy(title="改用 Friedman 检验", method=FRIEDMAN, carry=[])]
        tested = "各次测量的残差中正态性检验最小的 *p* {p:peq}，" if low is not None else ""
        skewed = "“{word}”的偏度最大（{skew:num}）。" if shape.skewness is not None else "偏度算不出来。"
        report.check(
            "残差正态性", state, tested + skewed + ending, remedies=remedies, word=word, skew=shape.skewness, p=low,
        )  # fmt: skip
