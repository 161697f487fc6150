"""What of a text its author did not write as such: cover, contents, references, quotations with their source.

All by what stands in the text, so that it can be said why: a heading, an entry ending in a page number, quotation marks
followed by a citation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from hengxi.plagdet.normal import normalise
from hengxi.plagdet.prints import CERTAIN

PartKind = Literal["cover", "contents", "references", "quotation"]

_HEADING_NUMBER = r"(?:第?[一二三四五六七八九十0-9.、\s]{1,8}章?)?\s*"
_REFERENCES = re.compile(
    rf"^{_HEADING_NUMBER}[【\[]?(?:主要)?(?:参\s*考\s*文\s*献|引用文献|references|bibliography)[】\]]?\s*[:：]?\s*$",
    re.I,
)
_AFTER = re.compile(
    rf"^{_HEADING_NUMBER}(?:附\s*录.{{0,30}}|致\s*谢|后\s*记|作者简介.{{0,20}}|攻读.{{2,30}}|appendix.{{0,30}}|acknowledge?ments?)\s*$",
    re.I,
)
_CONTENTS = re.compile(r"^\s*(?:目\s*[录錄次]|contents|table of contents)\s*$", re.I)
_ENTRY = re.compile(r"^.{1,80}?(?:[.．…·。\s\t]{2,}|\t)\s*[0-9ivxIVX]{1,4}\s*$")
_ABSTRACT = re.compile(r"^\s*(?:中文)?(?:摘\s*要|内容提要|abstract)\s*[:：]?", re.I)
_COVER_WORDS = re.compile(r"学\s*号|指导(?:教师|老师)|专\s*业|学\s*院|姓\s*名|学位论文|毕业(?:论文|设计)")
_COVER_REACH = 3000
_QUOTED = re.compile("“([^“”\n]{6,2000})”|「([^「」\n]{6,2000})」|『([^『』\n]{6,2000})』")
_CITED = re.compile(
    r"^[^\n。！？]{0,12}?(?:\[\d[\d,，\-–—\s]*\]|［\d[\d,，\-–—\s]*］|〔\d+〕|[①-⑳]|[¹²³⁴-⁹]+|[（(][^（）()\n]{0,40}?(?:1[5-9]|20)\d\d[a-z]?[^（）()\n]{0,20}[）)])"
)
_CITED_BEFORE = re.compile(r"(?:[（(](?:1[5-9]|20)\d\d[a-z]?[）)]|\[\d[\d,，\-–\s]*\])[^\n。！？“”]{0,12}$")


@dataclass(frozen=True)
class Part:
    """Characters `start` to `end` of the text."""

    kind: PartKind
    start: int
    end: int


def find_parts(text: str) -> tuple[list[Part], int]:
    """The parts by place, and how many quotations outside of those that are left out name no source."""
    lines = _lines(text)
    parts = [*_cover(lines), *_contents(lines), *_references(lines)]
    quotations, bare = _quotations(text)

    def outside(found: list[Part]) -> list[Part]:
        return [part for part in found if not any(_overlap(part, other) for other in parts)]

    return sorted([*parts, *outside(quotations)], key=lambda part: part.start), len(outside(bare))


def _overlap(part: Part, other: Part) -> bool:
    return part.start < other.end and other.start < part.end


def _lines(text: str) -> list[tuple[int, str]]:
    lines, start = [], 0
    for line in text.split("\n"):
        lines.append((start, line))
        start += len(line) + 1
    return lines


def _end(line: tuple[int, str]) -> int:
    return line[0] + len(line[1])


def _cover(lines: list[tuple[int, str]]) -> list[Part]:
    """What stands before the abstract, or the contents, when it names school and student."""
    for number, (start, line) in enumerate(lines):
        if start > _COVER_REACH:
            break
        if _ABSTRACT.match(line) or _CONTENTS.match(line):
            before = "\n".join(line for _, line in lines[:number])
            if number and len(_COVER_WORDS.findall(before)) >= 2:
                return [Part("cover", 0, _end(lines[number - 1]))]
            break
    return []


def _contents(lines: list[tuple[int, str]]) -> list[Part]:
    for number, (start, line) in enumerate(lines):
        if not _CONTENTS.match(line):
            continue
        last, misses = number, 0
        for follower in range(number + 1, len(lines)):
            if _ENTRY.match(lines[follower][1]):
                last, misses = follower, 0
            elif lines[follower][1].strip():
                misses += 1
                if misses > 2:
                    break
        if last > number:
            return [Part("contents", start, _end(lines[last]))]
    return []


def _references(lines: list[tuple[int, str]]) -> list[Part]:
    """From the last heading of that name to the end, or to the next part after it."""
    headings = [number for number, (_, line) in enumerate(lines) if _REFERENCES.match(line)]
    if not headings:
        return []
    first = headings[-1]
    last = next((number for number in range(first + 1, len(lines)) if _AFTER.match(lines[number][1])), len(lines))
    return [Part("references", lines[first][0], _end(lines[last - 1]))]


def _quotations(text: str) -> tuple[list[Part], list[Part]]:
    """Those with their source, and longer ones without."""
    found, bare = [], []
    for match in _QUOTED.finditer(text):
        inside = next(number for number in (1, 2, 3) if match.group(number) is not None)
        is_cited = _CITED.match(text[match.end() : match.end() + 80]) or _CITED_BEFORE.search(
            text[max(0, match.start() - 40) : match.start()]
        )
        part = Part("quotation", *match.span(inside))
        if is_cited:
            found.append(part)
        elif len(normalise(match.group(inside))) >= CERTAIN:
            bare.append(part)
    return found, bare


_SENTENCE = re.compile(r"[^。！？!?；;\n…]+")


LONGEST = 120
"""Characters; a text without full stops is cut at commas, and where there are none, by length."""


def sentences(text: str) -> list[tuple[int, int]]:
    found = []
    for match in _SENTENCE.finditer(text):
        start, end = match.span()
        while end - start > LONGEST:
            cut = max(text.rfind(mark, start, start + LONGEST) for mark in "，,、：:")
            cut = cut + 1 if cut >= start else start + LONGEST
            found.append((start, cut))
            start = cut
        found.append((start, end))
    return found
