"""Many dependents in one report: told together, since nobody reads sixty conclusions and sixty times three checks.

Up to `LISTED` variables each is told for itself. Beyond, one conclusion counts and names those that differ, each
assumption is told once for all variables, and paragraphs stay for the variables named; the tables hold everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from hengxi.contract import Report, figure
from hengxi.contract.facts import SLOT
from hengxi.contract.report import Said
from hengxi.stats.multiple import adjust

LISTED = 6
WORSE = ("pass", "unknown", "care", "fail")
"""States of a check, the gravest last."""
COMMON = {"level", "alpha"}
"""Facts that are the same for all variables."""


def extremes(found: list[tuple[float, str]]) -> dict[str, Any]:
    """Of groups with their means: those that share the highest and the lowest, to stand in “ ”, and how far apart."""
    high, low = max(found)[0], min(found)[0]
    top, bottom = ("”、“".join(group for mean, group in found if mean == end) for end in (high, low))
    return {"top": top, "bottom": bottom, "gap": high - low}


@dataclass(frozen=True)
class Outcome:
    """What one variable gave: its p, and its difference in a few words with their facts."""

    p: float
    words: str
    facts: dict[str, Any] = field(default_factory=dict)


def together(report: Report, outcomes: Mapping[str, Outcome], alpha: float, compared: str, claim: str) -> None:
    """`compared`: 比较“女”组与“男”组; `claim`: what a small p speaks for."""
    differing = sorted((v for v in outcomes if outcomes[v].p < alpha), key=lambda v: outcomes[v].p)
    if len(outcomes) <= LISTED:
        _summed_up(report, len(outcomes), differing)
        return
    named = differing[:LISTED]
    text, facts = _conclusion(outcomes, differing, alpha, compared, claim)
    kept: list[Said] = []
    for said in report.said:
        if said.type == "lead":
            said.text, said.facts = text, facts
            said.extra["figures"] = _figures()
        elif (
            said.type == "text" and not said.extra["about"] and (said.at not in named or said.extra["voice"] == "brief")
        ):
            continue
        kept.append(said)
    others = "以下只写 *p* 最小的 {named:integer} 个变量，其余见表。" if named else "各变量的结果见表。"
    facts = {**facts, "named": len(named)}
    told = [
        Said("text", text + (others if voice != "brief" else ""), facts, extra={"voice": voice, "about": None})
        for voice in ("student", "paper", "brief")
    ]
    report.said = _once([*told, *_checks_together(kept)])


def _summed_up(report: Report, tested: int, differing: list[str]) -> None:
    """Few variables: one sentence before their own, and one check of each assumption for all of them."""
    lead = next((said for said in report.said if said.type == "lead"), None)
    if tested < 2 or lead is None:
        return
    if not differing:
        text = "{sum_m:integer} 个变量都没有发现明显差异。"
    elif len(differing) == tested:
        text = "{sum_m:integer} 个变量的差异都有统计学意义。"
    else:
        text = "{sum_m:integer} 个变量中 {sum_s:integer} 个的差异有统计学意义：{sum_names}。"
    lead.text = text + "\n" + lead.text
    lead.facts |= {"sum_m": tested, "sum_s": len(differing), "sum_names": "".join(f"“{name}”" for name in differing)}
    report.said = _once(_checks_together(report.said))


def _conclusion(
    outcomes: Mapping[str, Outcome], differing: list[str], alpha: float, compared: str, claim: str
) -> tuple[str, dict[str, Any]]:
    p = {name: one.p for name, one in outcomes.items()}
    held = adjust(list(p.values()), "holm")
    facts: dict[str, Any] = {
        "compared": compared, "claim": claim, "m": len(p), "s": len(differing), "alpha": alpha,
        "h": sum(one < alpha for one in held), "r": len(p) - len(differing), "least": min(p.values()),
    }  # fmt: skip
    start = "{compared}，检验了 {m:integer} 个变量："
    if not differing:
        return f"{start}都没有发现明显差异，未校正的 *p* 最小为 {{least:pvalue}}。", facts
    parts = []
    for i, name in enumerate(differing[:LISTED], 1):
        one = outcomes[name]
        facts |= {f"v{i}": name, f"p{i}": one.p} | {f"{key}{i}": value for key, value in one.facts.items()}
        words = one.words
        for key in one.facts:
            words = words.replace(f"{{{key}", f"{{{key}{i}")
        parts.append(f"“{{v{i}}}”（{words}，*p* {{p{i}:peq}}）")
    more = f"等，这里列出 *p* 最小的 {LISTED} 个" if len(differing) > LISTED else ""
    rest = "其余 {r:integer} 个没有发现明显差异。" if facts["r"] else ""
    return (
        f"{start}{{s:integer}} 个的差异有统计学意义（未校正，*p* < {{alpha:alpha}}），即{'、'.join(parts)}{more}；"
        f"按 Holm 法校正后{'仍有' if facts['h'] == facts['s'] else '剩'} {{h:integer}} 个。{rest}",
        facts,
    )


def _figures() -> list[Any]:
    return [
        figure("检验的变量", "{m:integer}", "一次检验得越多，碰巧的小 *p* 越多"),
        figure("有统计学意义", "{s:integer}", "未校正，*p* < {alpha:alpha}"),
        figure("Holm 校正后", "{h:integer}", "整体错误率不超过 {alpha:alpha}"),
    ]


def _checks_together(said: list[Said]) -> list[Said]:
    """One check of each title for all variables, where the first of them stood; checks of the whole stay."""
    same: dict[str, list[Said]] = {}
    for one in said:
        if one.type == "check" and one.at is not None:
            same.setdefault(one.extra["title"], []).append(one)
    made: list[Said] = []
    for one in said:
        if one.type != "check" or one.at is None:
            made.append(one)
        elif one is same[one.extra["title"]][0]:
            made.append(_one_check(same[one.extra["title"]]))
    return made


def _one_check(found: list[Said]) -> Said:
    worst = max(found, key=lambda one: WORSE.index(one.extra["state"]))
    off = [one for one in found if one.extra["state"] != "pass"]
    facts = {**worst.facts, "checked": len(found), "off": len(off), "such": worst.at, "names": _quoted(off)}
    text = "{checked:integer} 个变量都通过。"
    if off:
        text = "{checked:integer} 个变量中 {off:integer} 个需要注意：{names}。以“{such}”为例，" + worst.text
    more = worst.extra["more"]
    if more is not None:
        more = replace(more, data="以“{such}”为例，" + more.data)
    remedies = {remedy.title: remedy for one in found for remedy in one.extra["remedies"]}
    return Said("check", text, facts, extra={**worst.extra, "more": more, "remedies": list(remedies.values())})


def _quoted(off: list[Said]) -> str:
    return "".join(f"“{one.at}”" for one in off[:LISTED]) + ("等" if len(off) > LISTED else "")


def _once(said: list[Said]) -> list[Said]:
    """A sentence that reads the same for several variables stands once, behind what is said of each."""
    at: dict[tuple[str | None, str], set[str | None]] = {}
    for one in said:
        for sentence in _sentences(one.text) if _is_of_variable(one) else ():
            if {name for name, _ in SLOT.findall(sentence)} <= COMMON:
                at.setdefault((one.extra["voice"], sentence), set()).add(one.at)
    common = {key for key, variables in at.items() if len(variables) > 1}
    kept: list[Said] = []
    once: dict[str | None, dict[str, Said]] = {}
    for one in said:
        if not _is_of_variable(one):
            kept.append(one)
            continue
        voice = one.extra["voice"]
        sentences = _sentences(one.text)
        if own := [sentence for sentence in sentences if (voice, sentence) not in common]:
            kept.append(replace(one, text="".join(own)))
        for sentence in sentences:
            if (voice, sentence) in common:
                once.setdefault(voice, {}).setdefault(sentence, replace(one, text=sentence, at=None))
    return kept + [_joined(list(sentences.values())) for sentences in once.values()]


def _joined(sentences: list[Said]) -> Said:
    return replace(sentences[0], text="".join(one.text for one in sentences))


def _is_of_variable(one: Said) -> bool:
    return one.type == "text" and not one.extra["about"] and one.at is not None


def _sentences(text: str) -> list[str]:
    return [f"{sentence}。" for sentence in text.removesuffix("。").split("。")]
