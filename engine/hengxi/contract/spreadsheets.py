"""Texts a spreadsheet would compute: a csv that is made for spreadsheets keeps them from it."""

from __future__ import annotations

import re

FORMULA = r"^[=+\-@\t\r＝＋－＠]"
"""How a formula starts; +5 and -3.2 start so too, but are numbers and harmless."""


def tame(text: str) -> str:
    """With an apostrophe before what starts a formula."""
    return f"'{text}" if re.match(FORMULA, text) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
