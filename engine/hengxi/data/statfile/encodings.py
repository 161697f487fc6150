"""Chinese text in files that say nothing of their encoding, which the reader then takes for western European."""

from __future__ import annotations

from typing import Any

import polars as pl

from hengxi.data.delimited.double_bytes import commonness

WESTERN = ("WINDOWS-1252", "ISO-8859-1", "LATIN1", "CP1252")
ENOUGH = 0.7
"""Share of pairs of bytes that are everyday characters: accents of European words hardly ever come in pairs."""


def hidden_chinese(meta: Any, first: pl.DataFrame) -> str | None:
    """GB18030 or BIG5 where names, labels and the first cells, read as western European, are Chinese after all."""
    if str(meta.file_encoding or "").upper() not in WESTERN:
        return None
    texts = [*meta.column_names, *(label or "" for label in meta.column_labels)]
    texts += [str(text) for labels in meta.variable_value_labels.values() for text in labels.values()]
    for name in first.columns:
        if first[name].dtype == pl.String:
            texts += [cell for cell in first[name].to_list() if cell]
    raw = "\n".join(texts).encode("cp1252", errors="ignore")
    if raw.isascii():
        return None
    scores = {name: commonness(raw, codec) for name, codec in (("GB18030", "GB18030"), ("BIG5", "Big5"))}
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] >= ENOUGH else None
