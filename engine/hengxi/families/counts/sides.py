"""One- and two-sided hypotheses of counts: the words of a choice, of an interval, of a conclusion."""

from __future__ import annotations

SIDE_WORDS = {"two_sided": "双侧", "greater": "单侧（大于）", "less": "单侧（小于）"}


def span(side: str, form: str = "num", low: str = "low", high: str = "high") -> str:
    """The interval of a sentence, whose facts are level, low and high; one-sided only the bound there is."""
    if side == "greater":
        return f"{{level:percent}} 单侧置信下限 {{{low}:{form}}}"
    if side == "less":
        return f"{{level:percent}} 单侧置信上限 {{{high}:{form}}}"
    return f"{{level:percent}} CI {{{low}:{form}}} 到 {{{high}:{form}}}"
