"""Answer options a person types: numbers or words between commas, matched with the levels of a variable."""

from __future__ import annotations

import re

from hengxi.contract.columns import Level


def split_options(typed: str) -> list[str]:
    """The options between commas of any kind, without blanks and empty ones."""
    return [part.strip() for part in re.split(r"[,，、;；]", typed) if part.strip()]


def is_option(level: Level, option: str) -> bool:
    """Equal as words, or as numbers."""
    if option == level.label:
        return True
    try:
        return float(option) == float(level.value)
    except (TypeError, ValueError):
        return False
