"""What a text column is like before it is analysed: rows to look at, lengths, language, repeats, personal data."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from hengxi.data.table import Table

SHOWN, MOST_ROWS, LONGEST = 20, 200_000, 20_000
MASKING = "data_processing/data_masking"
"""What takes personal data out of a column."""
HAN, LATIN = re.compile(r"[\u3400-\u9fff]"), re.compile(r"[A-Za-z]")
# Linear patterns only: the cells are a stranger's.
PERSONAL = {
    "phone": re.compile(r"(?<!\d)1[3-9]\d{9}(?!\d)"),
    "id": re.compile(r"(?<!\d)[1-9]\d{5}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\d)"),
    "email": re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}\.[A-Za-z]{2,10}"),
}


def text_preview(key: str, body: dict[str, Any]) -> dict[str, Any]:
    """`{column}` → the first rows with a text, and counts over the first 200,000 rows (`read`). Lengths in characters,
    of rows that are not empty; `duplicates`: rows whose text an earlier row has; `pii`: rows that hold one;
    `masking`: the method that takes them out."""
    table = Table.open(key)
    cells = table.text(str(body["column"]))
    texts = ["" if cell is None else str(cell)[:LONGEST].strip() for cell in cells[:MOST_ROWS]]
    filled = [(row, text) for row, text in enumerate(texts, start=1) if text]
    lengths = np.array([len(text) for _, text in filled])
    personal = {kind: sum(pattern.search(text) is not None for _, text in filled) for kind, pattern in PERSONAL.items()}
    return {
        "rows": [{"row": row, "text": text} for row, text in filled[:SHOWN]],
        "total": len(cells),
        "read": len(texts),
        "empty": len(texts) - len(filled),
        "mean_len": float(lengths.mean()) if filled else None,
        "max_len": int(lengths.max()) if filled else None,
        "language": _language([text for _, text in filled]),
        "duplicates": len(filled) - len({text for _, text in filled}),
        "pii": personal,
        "masking": MASKING if any(personal.values()) else None,
    }


def _language(texts: list[str]) -> str | None:
    """zh, en, mixed; None where there is neither. By the letters of a few hundred rows."""
    some = " ".join(texts[:: max(1, len(texts) // 500)])
    han, latin = len(HAN.findall(some)), len(LATIN.findall(some))
    if not han and not latin:
        return None
    # A Chinese character carries about as much as three letters.
    share = 3 * han / (3 * han + latin)
    return "zh" if share > 0.8 else "en" if share < 0.2 else "mixed"
