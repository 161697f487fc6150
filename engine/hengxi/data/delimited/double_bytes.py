"""Chinese in two bytes or an accent in one: what the bytes beyond ASCII look like."""

from __future__ import annotations

import re

_RUN = re.compile(rb"[\x80-\xff]{2,}")
_HIGH = re.compile(rb"[\x80-\xff]")
PAIRED = 0.1


def commonness(sample: bytes, name: str) -> float:
    """Share of double bytes that are everyday characters: the two encodings overlap, their common zones do not."""
    low, high, trail = (0xB0, 0xD7, 0xA1) if name == "GB18030" else (0xA4, 0xC6, 0x40)
    common = other = i = 0
    while i < len(sample) - 1:
        lead = sample[i]
        if lead < 0x80:
            i += 1
            continue
        if low <= lead <= high and sample[i + 1] >= trail and not (name == "Big5" and 0x7F <= sample[i + 1] <= 0xA0):
            common += 1
        else:
            other += 1
        i += 2
        if common + other > 5000:
            break
    return common / (common + other) if common + other else 0.0


def are_accents(sample: bytes) -> bool:
    """Whether nearly all bytes beyond ASCII stand alone, as in José: of Chinese characters most take two such bytes."""
    high = len(_HIGH.findall(sample))
    return high > 0 and sum(map(len, _RUN.findall(sample))) <= PAIRED * high
