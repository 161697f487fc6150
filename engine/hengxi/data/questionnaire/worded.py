"""Answers in words (非常不同意 … 非常同意, never … always): which scale they are of, and the score of each word.

The wordings are those of Vagias, W. M. (2006). Likert-type scale response anchors, Clemson International Institute for
Tourism and Research Development, and of the answer templates usual on Chinese questionnaire platforms. A place of a
scale is a list of words for the same answer, the most usual first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from hengxi.data.meta import Wording

LEAST_WORDS = 3
MOST_REST = 3
REST_SHARE = 0.2
"""Words that are of no scale may have at most this share of the cells, but for those that say there is no answer."""
ASKED_FROM = 4
"""Shorter scales (低, 中, 高) are as often categories: they are scored when the user wants it."""

_SILENT = (
    "不清楚|不适用|不知道|说不清|说不清楚|不好说|其他|其它|拒绝回答|拒答|未作答|未回答|未填|没有使用过|未使用过|没用过"
    "|不了解|不确定|无法判断|无法回答|无法评价|not applicable|n/a|na|don't know|dont know|do not know|not sure"
    "|refused|prefer not to say|no answer|no opinion|other"
)
NO_ANSWER = frozenset(_SILENT.split("|"))
"""Words that say that there is no answer."""

_FULL = "非常|完全|很|十分|极其|极|特别|强烈|非常之|绝对"
_SOME = "比较|有点|较|有些|略微|稍微|基本|部分|大体"
_LITTLE = "不太|比较不|有点不|有些不|较不|不大|不怎么|略微不|稍微不|基本不|部分不"
_MIDDLE = "一般|不确定|中立|说不清|无所谓|普通|中等|一般般|不好说|没意见|还行|保持中立"
_NOT_AT_ALL = "非常不|完全不|很不|十分不|极其不|极不|特别不|强烈不|一点也不|一点都不|绝对不|根本不|毫不"
_FAMILIES = (
    ("同意程度", "同意|赞同|认同|赞成|认可|支持"),
    ("满意程度", "满意"),
    ("符合程度", "符合|相符|像我|贴切"),
    ("重要程度", "重要"),
    ("可能程度", "可能|愿意|乐意"),
    ("喜欢程度", "喜欢"),
    ("了解程度", "了解|熟悉|清楚|熟练"),
    ("评价", "有用|有帮助|信任|相信|方便|容易|清晰|关注|感兴趣|担心|焦虑|严重"),
)
_LINES = """
频率
    从不|从来不|从来没有|从未|从没有|完全没有|没有|几乎从不
    很少|极少|几乎不|几乎没有|偶尔
    有时|有时候|偶尔|一般
    经常|常常|时常|通常|往往
    总是|一直|每次|始终|几乎总是|非常频繁|频繁

频率
    从不|从来不|从来没有|从未|没有|完全没有
    很少|偶尔|极少|有时|有时候|几乎不
    经常|常常|时常|通常
    总是|一直|每次|始终|几乎总是|频繁

频率
    从不|从来不|从来没有|从未
    极少|几乎从不|几乎不
    很少|偶尔
    有时|有时候|偶尔
    经常|常常|时常
    总是|一直|几乎总是|始终

频率
    从不|从来不|从来没有|从未
    极少|几乎从不|几乎不
    很少|偶尔
    有时|有时候
    经常|常常|时常
    通常|频繁|非常频繁|几乎总是
    总是|一直|始终

好坏
    很差|非常差|极差|非常不好|很不好
    差|较差|比较差|不太好|不好
    一般|中等|普通|还可以|尚可
    好|较好|比较好|良好
    很好|非常好|极好|优秀

好坏
    很差|非常差|极差|非常不好|很不好
    差|较差|比较差|不太好|不好
    好|较好|比较好|良好
    很好|非常好|极好|优秀

好坏
    很差|非常差|极差
    差
    较差|比较差
    一般|中等|普通
    较好|比较好
    好|良好
    很好|非常好|极好|优秀

高低
    很低|非常低|极低
    低|较低|比较低
    中等|一般|中
    高|较高|比较高
    很高|非常高|极高

高低
    低|较低
    中|中等|一般
    高|较高

轻重
    没有|无|从无
    很轻|轻度|轻微|较轻
    中等|中度
    偏重|较重|重度
    严重|很重|极重度|非常严重

可能程度
    一定不会|肯定不会|绝对不会|完全不会
    可能不会|应该不会|不太会|不会
    不确定|一般|说不清|也许|不一定
    可能会|应该会|会
    一定会|肯定会|绝对会|非常会

可能程度
    一定不会|肯定不会|绝对不会|完全不会
    可能不会|应该不会|不太会|不会
    可能会|应该会|会
    一定会|肯定会|绝对会

同意程度
    strongly disagree|completely disagree|totally disagree|disagree strongly
    disagree|somewhat disagree|slightly disagree|mostly disagree
    neutral|neither agree nor disagree|undecided|unsure|not sure|neither
    agree|somewhat agree|slightly agree|mostly agree
    strongly agree|completely agree|totally agree|agree strongly

同意程度
    strongly disagree|completely disagree
    disagree|mostly disagree
    somewhat disagree|slightly disagree
    neutral|neither agree nor disagree|undecided
    somewhat agree|slightly agree
    agree|mostly agree
    strongly agree|completely agree

满意程度
    very dissatisfied|extremely dissatisfied|completely dissatisfied|very unsatisfied
    dissatisfied|somewhat dissatisfied|unsatisfied
    neutral|neither satisfied nor dissatisfied|unsure
    satisfied|somewhat satisfied
    very satisfied|extremely satisfied|completely satisfied

频率
    never|almost never
    rarely|seldom|almost never|occasionally
    sometimes|occasionally|about half the time
    often|frequently|usually|most of the time
    always|almost always|every time

重要程度
    not at all important|not important|unimportant
    slightly important|low importance|a little important|somewhat important
    moderately important|neutral|somewhat important
    important|very important
    extremely important|very important

可能程度
    very unlikely|extremely unlikely|definitely not
    unlikely|somewhat unlikely|probably not
    neutral|undecided|possibly|neither likely nor unlikely
    likely|somewhat likely|probably
    very likely|extremely likely|definitely

好坏
    very poor|very bad|terrible
    poor|bad
    fair|average|acceptable|neutral
    good
    very good|excellent

好坏
    poor
    fair
    good
    very good
    excellent
"""
"""Scales with their places from low to high, one a line."""

_NUMBERED = re.compile(r"^[(（\[]?(?:[A-Za-z]|\d{1,2}|[①-⑩])[)）\]]?\s*[.、．:：=\-－)）]?\s*(?=[^\d\s.])(?<![A-Za-z])")
_LETTERED = re.compile(r"^[A-Za-z]\s*[.、．:：=)）]\s*")
_SCORED = re.compile(r"\s*(?:[(（\[]?\s*=?\s*\d{1,2}\s*分?\s*[)）\]]?)$")
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True)
class Line:
    """A scale from its lowest place to its highest."""

    title: str
    places: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Match:
    """`scores` of the words as they stand in the cells; `labels` of 1 … k; `rest`: words that are of no scale."""

    title: str
    labels: tuple[str, ...]
    scores: dict[str, int]
    rest: tuple[str, ...]

    @property
    def most(self) -> int:
        return len(self.labels)

    def as_wording(self) -> Wording:
        return Wording(title=self.title, labels=list(self.labels), scores=self.scores, rest=list(self.rest))

    def scores_shown(self, reverse: bool = False) -> str:
        """1 非常不同意 … 5 非常同意."""
        ends = self.labels[::-1] if reverse else self.labels
        return f"1 {ends[0]} … {len(ends)} {ends[-1]}"


def shown(word: str) -> str:
    """A word without its number, its score and its blanks: `5. 非常同意（5分）` is 非常同意."""
    text = _BLANKS.sub(" ", word.replace("\u3000", " ")).strip()
    bare = _SCORED.sub("", _NUMBERED.sub("", _LETTERED.sub("", text)))
    return bare.strip(" 。.，,!！") or text


def plain(word: str) -> str:
    """As it stands in the scales: small letters."""
    return shown(word).lower()


@cache
def lines() -> tuple[Line, ...]:
    """All scales, shorter ones first: of those that hold all words the shortest is meant."""
    scale_lines = [line for title, stems in _FAMILIES for stem in stems.split("|") for line in _of_stem(title, stem)]
    for block in _LINES.strip().split("\n\n"):
        title, *places = block.split("\n")
        scale_lines.append(Line(title, tuple(tuple(place.strip().split("|")) for place in places)))
    return tuple(sorted(scale_lines, key=lambda line: len(line.places)))


def _of_stem(title: str, stem: str) -> list[Line]:
    def words(before: str) -> tuple[str, ...]:
        return tuple(f"{one}{stem}" for one in before.split("|"))

    lowest, low, middle, high, highest = (
        words(_NOT_AT_ALL), words(_LITTLE), (*_MIDDLE.split("|"), f"中等{stem}", f"一般{stem}"),
        words(_SOME), words(_FULL)
    )  # fmt: skip
    no, yes = (f"不{stem}",), (stem,)
    strong_no = ("很不" + stem, "十分不" + stem)
    strong_yes = ("很" + stem, "十分" + stem)
    return [
        Line(title, (no, middle, yes)),
        Line(title, (lowest, no + low, yes + high, highest)),
        Line(title, (lowest, no + low, middle, yes + high, highest)),
        Line(title, (lowest, no + strong_no, low, high, yes + strong_yes, highest)),
        Line(title, (lowest, no + strong_no, low, middle, high, yes + strong_yes, highest)),
    ]


def match(counts: Mapping[str, int]) -> Match | None:
    """The scale of answers and how often each occurs; None where they are of none.

    Words outside the scale are told as `rest` where they say that there is no answer, or are few.
    """
    words = [word for word in counts if word.strip()]
    if not LEAST_WORDS <= len(words) <= 12:
        return None
    for left in _left_out(words):
        kept = [word for word in words if word not in left]
        best = _best(kept)
        if best is not None:
            return Match(best.title, best.labels, best.scores, tuple(left))
    known = {word for line in lines() for place in line.places for word in place}
    strange = [word for word in words if plain(word) not in known]
    unsure = sum(counts[word] for word in strange if plain(word) not in NO_ANSWER)
    if not strange or len(strange) > MOST_REST or unsure > REST_SHARE * sum(counts.values()):
        return None
    best = _best([word for word in words if word not in strange])
    return None if best is None else Match(best.title, best.labels, best.scores, tuple(strange))


def _left_out(words: Sequence[str]) -> list[list[str]]:
    """First nothing is left out, then all words that say there is no answer: 不确定 may stand in the middle."""
    silent = [word for word in words if plain(word) in NO_ANSWER]
    apart = [word for word in silent if plain(word) != "不确定"]
    ways = [[], apart, silent]
    return [way for i, way in enumerate(ways) if way not in ways[:i]]


def _best(words: Sequence[str]) -> Match | None:
    """The shortest scale in which every word has a place of its own."""
    if len(words) < LEAST_WORDS:
        return None
    best: tuple[int, int, Match] | None = None
    for line in lines():
        k = len(line.places)
        if best is not None and k > best[0]:
            break
        taken = _placed(line, words)
        if taken is not None and (best is None or taken[0] < best[1]):
            best = (k, *taken)
    return None if best is None else best[2]


def _placed(line: Line, words: Sequence[str]) -> tuple[int, Match] | None:
    """How unusual the words are in their places (lower is more usual), and the match; None where one has no place."""
    options: list[list[tuple[int, int]]] = []
    for word in words:
        bare = plain(word)
        places = [(place.index(bare), i) for i, place in enumerate(line.places) if bare in place]
        if not places:
            return None
        options.append(sorted(places))
    best = _assigned(options, frozenset())
    if best is None:
        return None
    cost, places_of = best
    scores = {word: place + 1 for word, place in zip(words, places_of, strict=True)}
    own = {score: shown(word) for word, score in scores.items()}
    labels = tuple(own.get(i + 1, place[0]) for i, place in enumerate(line.places))
    return cost, Match(line.title, labels, scores, ())


def _assigned(options: list[list[tuple[int, int]]], taken: frozenset[int]) -> tuple[int, list[int]] | None:
    """One place for each word, no place twice, the most usual of all ways."""
    if not options:
        return 0, []
    best: tuple[int, list[int]] | None = None
    for cost, place in options[0]:
        rest = None if place in taken else _assigned(options[1:], taken | {place})
        if rest is not None and (best is None or cost + rest[0] < best[0]):
            best = (cost + rest[0], [place, *rest[1]])
    return best


def matches(columns: Mapping[str, Mapping[str, int]]) -> dict[str, Match]:
    """The scale of each column that has one. Items of one scale share it: words that nobody chose keep their place."""
    own = {key: found for key, counts in columns.items() if (found := match(counts)) is not None}
    for title in dict.fromkeys(found.title for found in own.values()):
        members = [key for key, found in own.items() if found.title == title]
        together: dict[str, int] = {}
        for key in members:
            for word in own[key].scores:
                together[word] = together.get(word, 0) + columns[key][word]
        common = _best(list(together))
        if common is not None:
            for key in members:
                scores = {word: common.scores[word] for word in own[key].scores}
                own[key] = Match(title, common.labels, scores, own[key].rest)
    return own
