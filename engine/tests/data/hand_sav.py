"""SPSS files made byte by byte, in encodings and byte orders that no program here writes."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

LOWEST = -1.7976931348623157e308


@dataclass
class Variable:
    """`width` 0 is numeric; `missing` single codes."""

    name: str
    width: int = 0
    label: str = ""
    labels: dict[float, str] = field(default_factory=dict)
    missing: list[float | str] = field(default_factory=list)
    form: int = 5
    """How SPSS shows the numbers: 5 F, 21 TIME, 26 WKDAY, 39 SDATE."""


def hand_made(
    variables: list[Variable],
    rows: list[list[float | str | None]],
    encoding: str = "utf-8",
    declared: str = "",
    codepage: int = 2,
    order: str = "<",
    sets: str = "",
    weight: int = 0,
    documents: tuple[str, ...] = (),
    attributes: str = "",
) -> bytes:
    """`codepage` 2: nothing is said of the encoding; `sets` the lines of the multiple-response sets.

    `weight` counts slots of eight bytes from 1.
    """

    def numbers(form: str, *values: float) -> bytes:
        return struct.pack(order + form, *values)

    def extension(kind: int, size: int, content: bytes) -> bytes:
        return numbers("iiii", 7, kind, size, len(content) // size) + content

    def words(text: str) -> bytes:
        return text.encode(encoding)

    slots = [max(-(-one.width // 8), 1) for one in variables]
    out = b"$FL2" + b"@(#) SPSS DATA FILE".ljust(60)
    out += numbers("iiiiid", 2, sum(slots), 0, weight, len(rows), 100.0) + b"22 Nov 26" + b"12:00:00" + bytes(67)
    labels, place = b"", 1
    for number, (one, wide) in enumerate(zip(variables, slots, strict=True), 1):
        form = 1 << 16 | one.width << 8 if one.width else one.form << 16 | 10 << 8 | 2
        head = (2, one.width, bool(one.label), len(one.missing), form, form)
        out += numbers("iiiiii", *head) + f"V{number}".encode().ljust(8)
        if one.label:
            label = words(one.label)
            out += numbers("i", len(label)) + label + bytes(-len(label) % 4)
        out += b"".join(words(m).ljust(8) if isinstance(m, str) else numbers("d", m) for m in one.missing)
        out += (numbers("iiiiii", 2, -1, 0, 0, 0, 0) + b" " * 8) * (wide - 1)
        if one.labels:
            labels += numbers("ii", 3, len(one.labels))
            for value, text in one.labels.items():
                label = bytes([len(words(text))]) + words(text)
                labels += numbers("d", value) + label + b" " * (-len(label) % 8)
            labels += numbers("iii", 4, 1, place)
        place += wide
    out += labels
    if documents:
        out += numbers("ii", 6, len(documents)) + b"".join(words(line).ljust(80) for line in documents)
    out += extension(3, 4, numbers("iiiiiiii", 27, 0, 0, -1, 1, 1, 2 if order == "<" else 1, codepage))
    out += extension(7, 1, words(sets)) if sets else b""
    out += extension(13, 1, words("\t".join(f"V{i}={one.name}" for i, one in enumerate(variables, 1))))
    out += extension(18, 1, words(attributes)) if attributes else b""
    out += extension(20, 1, declared.encode()) if declared else b""
    out += numbers("ii", 999, 0)
    for row in rows:
        for cell, wide in zip(row, slots, strict=True):
            if isinstance(cell, str):
                out += words(cell).ljust(8 * wide)
            else:
                out += numbers("d", LOWEST if cell is None else cell)
    return out
