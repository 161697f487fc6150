"""Texts without what is no text: markup, pictures, addresses; traditional characters as simplified ones."""

from __future__ import annotations

from functools import cache

import polars as pl

from .tokens import LEXICONS

_ONE_EMOJI = r"(?:\p{Emoji_Presentation}|\p{Emoji}\x{FE0F})[\x{FE0F}\x{20E3}\p{Emoji_Modifier}]*"
EMOJI = rf"{_ONE_EMOJI}(?:\x{{200D}}(?:{_ONE_EMOJI}|\p{{Emoji}}))*"
"""Pictures, alone or joined; ★ and © are signs of a text."""
_ENTITIES = {"&nbsp;": " ", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&"}


@cache
def simplified_pairs() -> tuple[list[str], list[str]]:
    """Traditional characters and the simplified ones (ICU, Hant-Hans, single characters; Unicode License v3)."""
    before, after = (LEXICONS / "simplified.txt").read_text(encoding="utf-8").split()
    return list(before), list(after)


def simplified(texts: pl.Series) -> pl.Series:
    """Character by character, whatever the word."""
    return texts.str.replace_many(*simplified_pairs())


def without_markup(texts: pl.Series) -> pl.Series:
    """Tags, comments and entities taken away; `a<b` is none."""
    bare = texts.str.replace_all(r"(?is)<(script|style)\b.*?</(script|style)\s*>|<!--.*?-->", "")
    bare = bare.str.replace_all(r"(?i)<br\s*/?>|</p>", " ").str.replace_all(r"</?[A-Za-z][^<>]*>", "")
    for entity, sign in _ENTITIES.items():  # & last: &amp;lt; is the text &lt;
        bare = bare.str.replace_all(entity, sign, literal=True)
    return bare
