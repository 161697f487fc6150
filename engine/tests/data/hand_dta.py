"""Stata files of the releases before 8, byte by byte after the published description: no writer here makes them."""

from __future__ import annotations

import struct

NAMES = ["b", "i", "l", "f", "d", "s"]
ROWS = [(1, -300, 0, 1.5, 1e10, "ab"), (2, 32000, -1000, -2.25, 0.1, "中"), (1, 0, 21915, 0.0, -1e-5, "12345")]


def old_stata(release: int, order: str) -> bytes:
    """Six variables of all types, three rows and one of missing values; text in GBK. `order` "<" or ">"."""
    wide = 9 if release < 110 else 33

    def fixed(texts: list[str], width: int) -> bytes:
        return b"".join(text.encode("gbk").ljust(width, b"\0") for text in texts)

    out = struct.pack(order + "BBBBHi", release, 1 if order == ">" else 2, 1, 0, len(NAMES), len(ROWS) + 1)
    out += fixed(["调查"], 32 if release < 108 else 81) + (b"" if release < 105 else bytes(18))
    out += b"bilfd" + bytes([127 + 5]) if release < 111 else bytes([251, 252, 253, 254, 255, 5])
    out += fixed(NAMES, wide) + bytes(2 * (len(NAMES) + 1))
    out += fixed(["%8.0g", "%8.0g", "%d", "%9.0g", "%10.0g", "%5s"], 7 if release < 105 else 12)
    out += fixed(["sex", "", "", "", "", ""], wide)
    out += fixed(["性别", "", "a day", "", "", ""], 32 if release < 108 else 81)
    out += bytes(0 if release < 105 else 3 if release < 110 else 5)
    for *numbers, text in ROWS:
        out += struct.pack(order + "bhifd", *numbers) + text.encode("gbk").ljust(5, b"\0")
    out += struct.pack(order + "bhiIQ", 127, 32767, 2**31 - 1, 0x7F000000, 0x7FE0000000000000) + bytes(5)
    if release < 108:
        body = struct.pack(order + "hh", 1, 2) + fixed(["男", "女"], 8)
        return out + struct.pack(order + "H", 2) + fixed(["sex"], 9) + b"\0" + body
    texts = fixed(["男", "女"], 3)
    body = struct.pack(order + "6i", 2, len(texts), 0, 3, 1, 2) + texts
    return out + struct.pack(order + "i", len(body)) + fixed(["sex"], wide) + bytes(3) + body
