"""UTF-16 without a byte-order mark: Chinese has few zero bytes in it, so that counting zeros does not tell."""

from __future__ import annotations

import re

NAMES = {"UTF-16LE": "utf-16-le", "UTF-16BE": "utf-16-be"}
_EVERYDAY = re.compile("[\t\n\r\x20-\x7e\u3000-\u303f\u4e00-\u9fff\uff00-\uffef\u2018-\u201d\u2014\u2026]")
SHARE = 0.97
LOOKED_AT = 8192


def wide_of(head: bytes) -> str | None:
    """The encoding under which the head is everyday Chinese and ASCII in lines, else None."""
    if b"\0" not in head:
        return None
    head = head[: min(len(head), LOOKED_AT) // 2 * 2]
    for name, codec in NAMES.items():
        text = head.decode(codec, errors="replace")
        if "\n" in text and len(_EVERYDAY.findall(text)) >= SHARE * len(text):
            return name
    return None
