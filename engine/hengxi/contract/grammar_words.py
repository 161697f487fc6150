"""The words of a formula: full-width and Chinese signs become the plain ones, every word keeps its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


class FormulaError(Exception):
    """A formula that cannot be read. `code`: formula.syntax .symbol .function .type; `at`: character from 0."""

    def __init__(self, code: str, reason: str, at: int, **facts: Any) -> None:
        super().__init__(reason)
        self.code, self.reason, self.at = code, reason, at
        self.text = f"公式第 {at + 1} 个字符处有误：{reason}"
        self.facts: dict[str, Any] = {"at": at, "reason": reason, **facts}

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuilt, (self.code, self.reason, self.at, self.facts))


def _rebuilt(code: str, reason: str, at: int, facts: dict[str, Any]) -> FormulaError:
    rest = {key: value for key, value in facts.items() if key not in ("at", "reason")}
    return FormulaError(code, reason, at, **rest)


_SAME = str.maketrans(
    "（）＋－−–＊×·／÷＝＜＞，、｛｝［］＾．；！　０１２３４５６７８９",
    "()+---***//=<>,,{}[]^.;! 0123456789",
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_QUOTES = '"“”＂„'
_TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)
      | (?P<column>\{\s*(?P<id>c[1-9]\d{0,8})\s*\})
      | (?P<op>\*\*|==|!=|<>|<=|>=|=<|=>|&&|\|\||[-+*/^=<>(),≠≤≥])
      | (?P<joint>(?:并且|或者|且|或|非)(?!(?!非)[\u4e00-\u9fff]))
      | (?P<raised>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)
      | (?P<word>[^\W\d⁰¹²³⁴⁵⁶⁷⁸⁹][^\W⁰¹²³⁴⁵⁶⁷⁸⁹]*(?:\.\d+)?)
    """,
    re.VERBOSE,
)
_ALIAS = {
    "**": "^", "==": "=", "<>": "!=", "≠": "!=", "≤": "<=", "≥": ">=", "=<": "<=", "=>": ">=", "&&": "and", "||": "or",
}  # fmt: skip
_WORDS = {
    "and": "and", "or": "or", "not": "not", "in": "in",
    "且": "and", "并且": "and", "或": "or", "或者": "or", "非": "not", "属于": "in",
}  # fmt: skip
COMPARISONS = {"=", "!=", "<", "<=", ">", ">="}


@dataclass(frozen=True, slots=True)
class Word:
    kind: str  # number text column op name end
    value: str
    at: int


def words(source: str) -> Iterator[Word]:
    plain = source.translate(_SAME)
    at = 0
    while at < len(source):
        if source[at] in _QUOTES:
            text, end = _quoted(source, at)
            yield Word("text", text, at)
            at = end
            continue
        match = _TOKEN.match(plain, at)
        if match is None:
            raise FormulaError("formula.syntax", _unreadable(source, at), at)
        if match["raised"]:
            # X² is X^2: a power as it is written on paper.
            yield Word("op", "^", at)
            sign = match["raised"].translate(_RAISED)
            yield from [Word("op", sign[0], at)] if sign[0] in "+-" else []
            yield Word("number", sign.lstrip("+-"), at)
        elif match.lastgroup != "space":
            yield _word(match, source, at)
        at = match.end()
    yield Word("end", "", len(source))


def _word(match: re.Match[str], source: str, at: int) -> Word:
    if match["number"]:
        return Word("number", match["number"], at)
    if match["column"]:
        return Word("column", match["id"], at)
    if match["op"]:
        return Word("op", _ALIAS.get(match["op"], match["op"]), at)
    word = match["joint"] or match["word"]  # 且 and 非 may stand before a Latin word without a space
    return Word("op", _WORDS[word.lower()], at) if word.lower() in _WORDS else Word("name", word, at)


def _quoted(source: str, at: int) -> tuple[str, int]:
    """Text in double quotes (Chinese ones too); a doubled quote is one."""
    out: list[str] = []
    i = at + 1
    while i < len(source):
        if source[i] in _QUOTES:
            if i + 1 < len(source) and source[i] == '"' and source[i + 1] == '"':
                out.append('"')
                i += 2
                continue
            return "".join(out), i + 1
        out.append(source[i])
        i += 1
    raise FormulaError("formula.syntax", "文字的双引号没有配对", at)


def _unreadable(source: str, at: int) -> str:
    sign = source[at]
    if sign in "{｛":
        return "大括号里应是变量，如 {c3}"
    if sign in "'‘’":
        return "文字请用双引号"
    if sign in "[]［］":
        return "请用圆括号"
    return f"不认识符号“{sign}”"
