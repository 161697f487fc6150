"""Fingerprints: of every six neighbouring grams of eight characters the one with the smallest hash (winnowing).

Two texts that share thirteen characters in a row share six grams in a row, and so the fingerprint chosen from them.
Schleimer, Wilkerson, Aiken: Winnowing: local algorithms for document fingerprinting. SIGMOD 2003, 76-85.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.plagdet.normal import Codes

GRAM = 8
WINDOW = 6
CERTAIN = GRAM + WINDOW - 1
"""Characters in a row of which every common run is found."""

_BASE = np.uint64(0x9E3779B97F4A7C15)
Hashes = npt.NDArray[np.uint32]
Positions = npt.NDArray[np.int64]


def grams(codes: npt.NDArray[np.unsignedinteger[Any]]) -> npt.NDArray[np.uint64]:
    """The hash of each gram, by its place."""
    count = len(codes) - GRAM + 1
    if count <= 0:
        return np.zeros(0, np.uint64)
    wide = codes.astype(np.uint64)
    value = np.zeros(count, np.uint64)
    for k in range(GRAM):
        value = value * _BASE + wide[k : k + count]
    # The last steps of splitmix64: neighbouring texts get hashes that have nothing in common.
    value ^= value >> np.uint64(30)
    value *= np.uint64(0xBF58476D1CE4E5B9)
    value ^= value >> np.uint64(27)
    value *= np.uint64(0x94D049BB133111EB)
    value ^= value >> np.uint64(31)
    return value


def _is_plain(codes: Codes) -> npt.NDArray[np.bool_]:
    """Grams of one or two characters over and over: the zeros of a table say nothing of who wrote it."""
    signs = np.sort(np.lib.stride_tricks.sliding_window_view(codes, GRAM), axis=1)
    return np.asarray((signs[:, 1:] != signs[:, :-1]).sum(axis=1) < 2)


def fingerprints(codes: Codes) -> tuple[Hashes, Positions]:
    """Hashes (of 32 bits: whoever looks one up compares the characters) and places, by place."""
    values = grams(codes)
    if len(values) < WINDOW:
        return np.zeros(0, np.uint32), np.zeros(0, np.int64)
    plain = _is_plain(codes)
    values[plain] = np.iinfo(np.uint64).max
    windows = np.lib.stride_tricks.sliding_window_view(values, WINDOW)
    # The rightmost of equal ones: in a window of one repeated gram the choice moves on, and few are kept.
    chosen = np.arange(len(windows)) + WINDOW - 1 - np.argmin(windows[:, ::-1], axis=1)
    places = np.unique(chosen).astype(np.int64)
    places = places[~plain[places]]
    return (values[places] >> np.uint64(32)).astype(np.uint32), places
