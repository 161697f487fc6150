"""What is said of a multivariate analysis of variance: effects with a small p first, and the outcomes behind them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hengxi.contract import MethodRemedy, Report, figure
from hengxi.interpret import cohen1988
from hengxi.methods.hypothesis_test._shared.design import Study
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT, UNASSIGNED
from hengxi.stats.linear_design import LinearModel, Term, Tested
from hengxi.stats.moments import Floats
from hengxi.stats.multivariate_normality import Test
from hengxi.stats.multivariate_tests import TITLES, BoxM, Criterion

NAMED = 4
STRICT = 0.001
SYMBOLS = {"pillai": "Pillai V", "wilks": "Wilks Λ"}


@dataclass
class Found:
    study: Study
    model: LinearModel
    level: float
    box: BoxM | None = None
    many: list[tuple[Term, str, Criterion]] = field(default_factory=list)
    single: list[tuple[Term, str, Tested, float]] = field(default_factory=list)
    mardia: list[Test] = field(default_factory=list)
    levene: list[tuple[str, Tested]] = field(default_factory=list)

    @cached_property
    def hypotheses(self) -> list[Floats]:
        return self.model.squares("III")

    @property
    def read(self) -> str:
        return "wilks" if self.box is not None and self.box.p >= STRICT else "pillai"

    @property
    def alpha(self) -> float:
        return 1 - self.level


def write(report: Report, found: Found, title: str, form: Any) -> None:
    study, k = found.study, len(found.study.factors)
    facts: dict[str, Any] = {"m": len(study.outcomes), "alpha": found.alpha, "symbol": SYMBOLS[found.read]}
    parts, papers, figures = [], [], []
    ordered = sorted(found.many, key=lambda one: (one[2].p >= found.alpha, -len(one[0])))
    for i, (term, name, one) in enumerate(ordered):
        facts |= {
            f"t{i}": name, f"p{i}": one.p, f"v{i}": one.value, f"F{i}": one.F, f"a{i}": one.df1, f"b{i}": one.df2,
            f"e{i}": one.eta,
        }  # fmt: skip
        shown = one.p < found.alpha
        verdict = "有统计学意义" if shown else "无统计学意义"
        what = "交互作用" if len(term) > 1 else "协变量效应" if max(term) >= k else "主效应"
        papers.append(
            f"“{{t{i}}}”的{what}{verdict}，{{symbol}} = {{v{i}:num}}，"
            f"*F*({{a{i}:integer}}, {{b{i}:num}}) = {{F{i}:num}}，*p* {{p{i}:peq}}，偏 η² = {{e{i}:num}}"
        )
        if max(term) < k:
            parts.append(_effect(found, i, term, one, facts, form.univariate))
            figures.append(figure(name, f"*p* {{p{i}:peq}}", f"偏 η² = {{e{i}:num}}"))
    lead = "；".join(parts) + "。"
    if any(len(term) > 1 and one.p < found.alpha for term, _, one in found.many):
        lead += "有交互作用，请先分组看，不要单独解释有关的主效应。"
    named = {key: value for key, value in facts.items() if f"{{{key}:" in lead or f"{{{key}}}" in lead}
    for i in range(min(4, len(figures))):
        named |= {key: facts[key] for key in _keys(figures[i])}
    report.lead(lead, figures[:4], **named)
    report.say(
        "把几个因变量当作一个整体比较，只问一次“各组有没有差别”，不会因为检验次数多而误报。"
        "先看多变量检验的 *p*；小于 {alpha:alpha} 时再看是哪几个因变量不同。"
        + ("" if any(one.p < found.alpha for _, _, one in found.many) else "没有发现差异不等于没有差异。"),
        voice="student", **facts,
    )  # fmt: skip
    caution = UNASSIGNED if any(one.p < found.alpha for _, _, one in found.many) else ""
    held = "，另有协变量" if study.covariates else ""
    report.say(
        f"采用{title}（III 型平方和，α = {{alpha:alpha}}，*N* = {{n:integer}}{held}）同时分析 {{m:integer}} 个因变量。"
        + "；".join(papers) + f"。{INDEPENDENT}{caution}", voice="paper", n=study.n, **facts,
    )  # fmt: skip
    report.say(lead, voice="brief", **facts)
    _checks(report, found)


def _keys(one: Any) -> list[str]:
    return re.findall(r"\{(\w+):", f"{one.value}{one.note or ''}")


def _effect(found: Found, i: int, term: Term, one: Criterion, facts: dict[str, Any], univariate: bool) -> str:
    strength = cohen1988.spread((min(one.eta, 1 - 1e-12) / (1 - min(one.eta, 1 - 1e-12))) ** 0.5)
    what = "的交互作用" if len(term) > 1 else "各组"
    if one.p >= found.alpha:
        return f"“{{t{i}}}”{what}在 {{m:integer}} 个因变量上没有发现明显差异（*p* {{p{i}:peq}}）"
    told = f"“{{t{i}}}”{what}在 {{m:integer}} 个因变量上的差异有统计学意义（*p* {{p{i}:peq}}，效应{strength}）"
    if len(term) > 1:
        told = f"“{{t{i}}}”有交互作用（*p* {{p{i}:peq}}，效应{strength}）"
    if not univariate:
        return told
    held = sorted((row for row in found.single if row[0] == term and row[3] < found.alpha), key=lambda row: -row[2].eta)
    if not held:
        return told + "，单看哪一个都没有发现差异，差别在于几个因变量的组合"
    facts[f"o{i}"] = "”“".join(row[1] for row in held[:NAMED])
    all_of = len(held) == len(found.study.outcomes)
    rest = f"等 {len(held)} 个" if len(held) > NAMED else ""
    return told + ("，单看每一个也都不同" if all_of else f"，单看不同的有“{{o{i}}}”{rest}")


def _checks(report: Report, found: Found) -> None:
    n = found.study.groups.n
    alike = float(n.max()) <= 1.5 * float(n.min())
    box = found.box
    if box is None:
        report.check("协方差齐性", "unknown", "Box *M* 算不出来，结论采用较稳健的 Pillai 迹。")
    else:
        bad = box.p < STRICT
        ending = "没有发现各组协方差明显不同（这一检验很敏感，按 .001 判断），采用 Wilks Λ。"
        if bad:
            ending = "各组协方差不同，采用较稳健的 Pillai 迹。" + (
                "" if alike else "各组例数又相差较大，*p* 可能不准。"
            )
        report.check(
            "协方差齐性", ("care" if alike else "fail") if bad else "pass",
            "Box *M* = {m:num}，*F*({df1:integer}, {df2:num}) = {F:num}，*p* {p:peq}。" + ending, m=box.m, F=box.F,
            df1=box.df1, df2=box.df2, p=box.p,
        )  # fmt: skip
    if found.mardia:
        low = min(one.p for one in found.mardia)
        small, many = found.study.n < 50, found.study.n >= 20 * len(found.study.outcomes)
        bad = low < 0.05
        ending = "没有发现偏离。" if not bad else "偏离多元正态；" + (
            "样本不小，对均值的检验影响不大。" if many and not small
            else "样本不大，*p* 可能不准，请看各因变量有没有极端值。"
        )  # fmt: skip
        remedy = MethodRemedy(title="看多元正态性", method="descriptive/multivariate_normality", carry=[])
        report.check(
            "残差的多元正态性", "pass" if not bad else "care" if many and not small else "fail",
            "Mardia 检验最小的 *p* {p:peq}。" + ending, remedies=[remedy] if bad else [], p=low,
        )  # fmt: skip
    if found.levene:
        name, worst = min(found.levene, key=lambda one: one[1].p)
        count = sum(one.p < 0.05 for _, one in found.levene)
        ending = "没有发现各组方差不等。" if not count else "{k:integer} 个因变量的各组方差不等；" + (
            "各组例数相近，影响较小。" if alike else "各组例数也不等，单变量的 *p* 可能不准。"
        )  # fmt: skip
        report.check(
            "各因变量的方差齐性", "pass" if not count else "care" if alike else "fail",
            "Levene *p* 最小的是“{name}”（*p* {p:peq}）。" + ending, name=name, p=worst.p, k=count,
        )  # fmt: skip
    least, p = round(float(n.min())), len(found.study.outcomes)
    report.check(
        "各组的例数", "care" if least < 2 * p else "pass",
        "{k:integer} 个组，最少的 {least:integer} 例，因变量 {p:integer} 个。"
        + ("有的组例数少，多变量检验的把握不大。" if least < 2 * p else ""), k=int(n.size), least=least, p=p,
    )  # fmt: skip


__all__ = ["TITLES", "Found", "write"]
