"""Sentences of a report with their numbers filled in, for a console; the web's format.ts stays the measure of what is
shown to readers."""

from __future__ import annotations

import re
from typing import Any

from hengxi.contract.facts import SLOT


def filled(text: str, facts: dict[str, Any]) -> str:
    """The sentence with its facts, without marks for italics."""
    return plain(SLOT.sub(lambda slot: number(facts[slot[1]], slot[2] or "text"), text))


def plain(text: str) -> str:
    """A title or sentence without the marks that stand for italics."""
    return re.sub(r"\*([^*]+)\*", r"\1", text)


def number(value: Any, form: str = "num") -> str:
    """One value as a sentence writes it: *p* without its leading zero, shares in percent, four significant digits."""
    if value is None:
        return "—"
    if isinstance(value, str | bool) or not isinstance(value, int | float):
        return {"inf": "∞", "-inf": "−∞"}.get(value, str(value)) if isinstance(value, str) else str(value)
    if form in ("pvalue", "peq"):
        small = value < 0.001
        shown = ".001" if small else f"{value:.3f}".removeprefix("0")
        return f"{'< ' if small else '= ' if form == 'peq' else ''}{shown}"
    if form.startswith("percent"):
        return f"{100 * value:.1f}%" if form == "percent1" else f"{100 * value:.3g}%"
    if form == "integer" or isinstance(value, int):
        return f"{value:,.0f}"
    if form == "alpha":
        return f"{value:.4g}".removeprefix("0")
    if form[-1].isdigit():
        return f"{value:.{form[-1]}f}"
    return f"{value:+.4g}" if form == "+num" else f"{value:.4g}"
