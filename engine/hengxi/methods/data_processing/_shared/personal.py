"""What personal data look like in China, and how a cell is made less telling. Linear patterns only: text is hostile."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Collection, Sequence

import numpy as np
import polars as pl

SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金"
    "韦贾夏付方邹熊白孟秦邱侯江尹薛闫雷龙黎史贺陶顾毛郝龚邵万覃武钱戴严莫孔向常汤"
)
DOUBLE = ("欧阳", "司马", "上官", "诸葛", "东方", "皇甫", "尉迟", "公孙", "令狐", "慕容", "司徒", "夏侯")
LONGEST = 200
"""Longer cells are no number, name or address."""
WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)

_PHONE = re.compile(r"(?:\+?86[- ]?)?1[3-9]\d{9}")
_ID = re.compile(r"[1-9]\d{5}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]")
_EMAIL = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,100}\.[A-Za-z]{2,10}")
_BANK = re.compile(r"\d{16,19}")
_ADDRESS = re.compile(r"[\u4e00-\u9fff]{2,}(?:省|市|区|县|镇|乡|村|路|街|道|号|弄|栋|室)[\u4e00-\u9fff0-9A-Za-z-]*")
_HAN = re.compile(r"[\u4e00-\u9fff·]{2,4}")


_PATTERNS = {"id_card": _ID, "phone": _PHONE, "email": _EMAIL, "bank": _BANK, "name": _HAN, "address": _ADDRESS}
"""In the order in which they are tried."""


def kinds_of(cells: Sequence[str], wanted: Collection[str]) -> list[str | None]:
    """Of each the first of the kinds asked for that the whole cell is; all are looked at together, kind by kind."""
    words = [cell.strip() for cell in cells]
    kinds: list[str | None] = [None] * len(words)
    written = pl.Series(words, dtype=pl.String)
    open_ = np.array([len(cell) <= LONGEST for cell in cells], dtype=np.bool_)
    for kind, pattern in _PATTERNS.items():
        if kind not in wanted:
            continue
        read = written.str.replace_all("[- ]", "") if kind == "phone" else written
        fits = read.str.contains(f"^(?:{pattern.pattern})$").to_numpy() & open_
        for place in np.flatnonzero(fits).tolist():
            if _is(kind, words[place]):
                kinds[place] = kind
                open_[place] = False
    return kinds


def _is(kind: str, word: str) -> bool:
    """What is more than its pattern."""
    match kind:
        case "bank":
            return luhn(word)
        case "name":
            return (word[:2] in DOUBLE or word[0] in SURNAMES) and len(word) <= 4
        case "address":
            return len(word) >= 6
        case _:
            return True


def luhn(digits: str) -> bool:
    """The check digit of bank cards."""
    total = 0
    for i, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + i % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def id_is_valid(word: str) -> bool:
    """GB 11643: the last place is 11 minus the weighted sum modulo 11."""
    total = sum(int(one) * weight for one, weight in zip(word[:17], WEIGHTS, strict=True))
    return "10X98765432"[total % 11] == word[17].upper()


def masked(cell: str, kind: str | None) -> str:
    """Stars in the middle: as much stays as tells of what kind the cell was, not of whom."""
    word = cell.strip()
    match kind:
        case "phone":
            bare = word.replace("-", "").replace(" ", "")
            return bare[:-8] + "****" + bare[-4:]
        case "id_card":
            return word[:6] + "*" * 8 + "****"
        case "email":
            return word[0] + "***@" + word.split("@", 1)[1]
        case "bank":
            return "*" * (len(word) - 4) + word[-4:]
        case "name":
            return word[0] + "*" * (len(word) - 1)
        case "address":
            found = re.match(r".{2,}?(?:市|县|区|州|盟)", word)
            return (found.group(0) if found else word[:2]) + "****"
        case _:
            keep = max(len(word) // 4, 0)
            return word[:keep] + "*" * (len(word) - 2 * keep) + (word[-keep:] if keep else "")


def hashed(cell: str, salt: bytes) -> str:
    """HMAC-SHA-256 with a secret salt, 16 hexadecimal digits: equal cells stay equal, and none can be tried out
    without the salt."""
    return hmac.new(salt, cell.strip().encode(), hashlib.sha256).hexdigest()[:16]


def region_of(word: str) -> str:
    """The province and city of an address or the first word of it."""
    found = re.match(r".{2,}?(?:省|自治区|市|州|盟|县|区)", word)
    return found.group(0) if found else word[:2]
