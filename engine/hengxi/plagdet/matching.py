"""Passages of a text that stand in the documents of some segments.

A fingerprint that both have is extended to the longest common run. Runs of one document that lie close together and in
step are a chain; a chain of at least thirteen common characters is kept. Sentences around a chain that are mostly made
of the same characters are similar ones. A run whose grams stand in more than twenty documents is a common phrase.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz

from hengxi.plagdet.normal import Codes
from hengxi.plagdet.prints import CERTAIN, GRAM, fingerprints, grams
from hengxi.plagdet.segment import Segment

DRIFT = 12
"""Characters that two neighbouring runs of a chain may be out of step."""
GAP = 40
COMMON = 20
"""A gram in more documents than this is a common phrase."""
MOST_PAIRS = 5_000_000
"""Places looked at in a segment; of grams that stand in very many, the first."""
MOST_HITS = 200_000
"""In one document; more has only what repeats itself all the time."""
SIMILAR = 70.0
SENTENCE = 10
"""Shorter sentences say too little to be called similar."""
SHOWN = 3
"""Documents named for a common phrase."""
MOST = 20_000

Kind = Literal["same", "similar", "common"]
Sentence = tuple[int, int]
Tick = Callable[[float], None]


@dataclass(frozen=True)
class Match:
    """Characters `start` to `end` of the compared text, and where they stand in the document."""

    document: int
    kind: Kind
    start: int
    end: int
    source_start: int
    source_end: int
    chain: int
    ratio: float
    documents: int
    """Of a common phrase: in how many documents it stands; else 1."""

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(frozen=True)
class Found:
    matches: list[Match]
    omitted: int
    """Shorter ones beyond the `MOST` longest."""


@dataclass
class _Run:
    start: int
    end: int
    source: int
    rare: int = 0
    """Fingerprints in it that stand in few documents."""
    common: int = 0
    documents: int = 0
    """In how many documents the rarest of the others stands."""

    def count(self, spread: int) -> None:
        if spread <= COMMON:
            self.rare += 1
        else:
            self.common += 1
            self.documents = min(self.documents or spread, spread)

    @property
    def is_common(self) -> bool:
        return self.common >= max(self.rare, 1)

    @property
    def step(self) -> int:
        return self.source - self.start


@dataclass(frozen=True)
class _Sentences:
    all: Sequence[Sentence]
    begins: list[int]


@dataclass(frozen=True)
class _Hits:
    """Fingerprints found in one segment: place in the text, place in the segment, document, which gram."""

    here: npt.NDArray[np.int64]
    there: npt.NDArray[np.int64]
    document: npt.NDArray[np.int64]
    gram: npt.NDArray[np.int64]

    def where(self, keep: npt.NDArray[np.bool_]) -> _Hits:
        return _Hits(self.here[keep], self.there[keep], self.document[keep], self.gram[keep])


def find(
    codes: Codes, sentences: Sequence[Sentence], segments: Sequence[tuple[Segment, set[int]]], tick: Tick
) -> Found:
    """`segments`: each with the numbers of its documents that take part."""
    hashes, places = fingerprints(codes)
    hits = [_hits(codes, hashes, places, segment, wanted) for segment, wanted in segments]
    tick(0.3)
    spread, hits = _thinned(hits, [segment for segment, _ in segments], len(places))
    split = _Sentences(sentences, [start for start, _ in sentences])
    matches: list[Match] = []
    for number, ((segment, _), found) in enumerate(zip(segments, hits, strict=True)):
        matches += _in_segment(codes, split, segment, found, spread, len(matches))
        tick(0.3 + 0.7 * (number + 1) / len(segments))
    matches = _few_of_common(matches)
    matches.sort(key=lambda match: (match.kind == "common", -len(match), match.start, match.document))
    kept = sorted(matches[:MOST], key=lambda match: (match.start, match.end, match.document, match.source_start))
    return Found(kept, max(0, len(matches) - MOST))


def _few_of_common(matches: list[Match]) -> list[Match]:
    """Of a common phrase it is enough to show where it stands in the first documents."""
    shown: Counter[tuple[int, int]] = Counter()
    kept = []
    for match in sorted(_each_once(matches), key=lambda match: (match.document, match.source_start)):
        if match.kind == "common":
            shown[match.start, match.end] += 1
            if shown[match.start, match.end] > SHOWN:
                continue
        kept.append(match)
    return kept


def _each_once(matches: list[Match]) -> list[Match]:
    """A sentence that several chains of one document touch is similar to it once: where it is most so."""
    best: dict[tuple[int, int, int], Match] = {}
    others = []
    for match in matches:
        place = match.document, match.start, match.end
        if match.kind != "similar":
            others.append(match)
        elif place not in best or best[place].ratio < match.ratio:
            best[place] = match
    return others + list(best.values())


def _hits(
    codes: Codes,
    hashes: npt.NDArray[np.uint32],
    places: npt.NDArray[np.int64],
    segment: Segment,
    wanted: set[int],
) -> _Hits:
    first = np.searchsorted(segment.hashes, hashes, "left")
    counts = np.searchsorted(segment.hashes, hashes, "right") - first
    if counts.sum() > MOST_PAIRS:
        counts = np.minimum(counts, max(COMMON + 1, MOST_PAIRS // len(hashes)))
    gram = np.repeat(np.arange(len(hashes), dtype=np.int64), counts)
    ends = np.cumsum(counts)
    within = np.arange(len(gram), dtype=np.int64) - np.repeat(ends - counts, counts)
    there = segment.places[np.repeat(first, counts) + within].astype(np.int64)
    document = np.searchsorted(segment.starts, there, "right") - 1
    takes_part = np.isin(segment.ids, np.fromiter(wanted, np.int64, len(wanted)))
    keep = takes_part[document] if len(document) else np.zeros(0, bool)
    gram, there, document = gram[keep], there[keep], document[keep]
    here = places[gram]
    own = segment.narrow(codes)
    # Hashes are short: only equal characters are a hit.
    equal = np.ones(len(here), bool)
    for k in range(GRAM):
        equal &= own[here + k] == segment.codes[there + k]
    return _Hits(here[equal], there[equal], document[equal], gram[equal])


def _thinned(
    hits: Sequence[_Hits], segments: Sequence[Segment], grams: int
) -> tuple[npt.NDArray[np.int64], list[_Hits]]:
    """In how many documents each gram stands; of those in more than `COMMON` only the first documents are kept."""
    numbers = [segment.ids[found.document] for found, segment in zip(hits, segments, strict=True)]
    gram = np.concatenate([*(found.gram for found in hits), np.zeros(0, np.int64)])
    known, document = np.unique(np.concatenate([*numbers, np.zeros(0, np.int64)]), return_inverse=True)
    pairs, place = np.unique(gram * max(len(known), 1) + document, return_inverse=True)
    of_pair = pairs // max(len(known), 1)
    spread = np.bincount(of_pair, minlength=grams)
    rank = np.arange(len(pairs)) - np.searchsorted(of_pair, of_pair, "left")
    keep = (rank < COMMON)[place]
    bounds = np.cumsum([len(found.gram) for found in hits])[:-1]
    return spread, [found.where(part) for found, part in zip(hits, np.split(keep, bounds), strict=True)]


def _in_segment(
    codes: Codes,
    sentences: _Sentences,
    segment: Segment,
    hits: _Hits,
    spread: npt.NDArray[np.int64],
    chains: int,
) -> list[Match]:
    own = segment.narrow(codes)
    order = np.lexsort((hits.here, hits.there - hits.here, hits.document))
    here, there, document = hits.here[order], hits.there[order], hits.document[order]
    documents = spread[hits.gram[order]]
    bounds = np.flatnonzero(np.diff(document)) + 1
    matches: list[Match] = []
    for whole in np.split(np.arange(len(here)), bounds) if len(here) else []:
        part = _few(whole, here)
        index = int(document[part[0]])
        text = segment.codes[segment.starts[index] : segment.starts[index + 1]]
        runs = _runs(
            own, text, here[part].tolist(), (there[part] - segment.starts[index]).tolist(), documents[part].tolist()
        )
        for seeds in _chains(runs):
            chains += 1
            chain = seeds if all(run.is_common for run in seeds) else _filled(own, text, seeds)
            matches += _matches(own, text, sentences, chain, int(segment.ids[index]), chains)
    return matches


def _few(hits: npt.NDArray[np.int64], here: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Of a document that repeats itself too often, the first places of each fingerprint: all of them stay in."""
    if len(hits) <= MOST_HITS:
        return hits
    places = here[hits]
    order = np.argsort(places, kind="stable")
    first = np.searchsorted(places[order], places[order], "left")
    most = max(1, MOST_HITS // len(np.unique(places)))
    return hits[np.sort(order[np.arange(len(hits)) - first < most])]


def _runs(
    own: npt.NDArray[np.uint16],
    text: npt.NDArray[np.uint16],
    here: list[int],
    there: list[int],
    documents: list[int],
) -> list[_Run]:
    """Hits, sorted by step and place, as the longest runs around them."""
    runs: list[_Run] = []
    last: _Run | None = None
    for at, source, spread in zip(here, there, documents, strict=True):
        if last is not None and last.step == source - at and at + GRAM <= last.end:
            last.count(spread)
            continue
        left = _equal(own[:at][::-1], text[:source][::-1])
        right = _equal(own[at:], text[source:])
        last = _Run(at - left, at + right, source - left)
        last.count(spread)
        runs.append(last)
    return sorted(runs, key=lambda run: (run.start, run.source))


def _equal(own: npt.NDArray[np.uint16], text: npt.NDArray[np.uint16]) -> int:
    """How many characters from the beginning are equal; most runs are short."""
    room, at, piece = min(len(own), len(text)), 0, 64
    while at < room:
        end = min(at + piece, room)
        differs = own[at:end] != text[at:end]
        if differs.any():
            return at + int(np.argmax(differs))
        at, piece = end, piece * 4
    return room


def _chains(runs: list[_Run]) -> list[list[_Run]]:
    chains: list[list[_Run]] = []
    living: list[list[_Run]] = []
    for run in runs:
        living = [chain for chain in living if run.start - chain[-1].end <= GAP]
        near = [chain for chain in living if _follows(chain[-1], run)]
        if near:
            min(near, key=lambda chain: abs(chain[-1].step - run.step)).append(run)
        else:
            chain = [run]
            chains.append(chain)
            living.append(chain)
    return [chain for chain in chains if _covered(chain) >= CERTAIN]


def _filled(own: npt.NDArray[np.uint16], text: npt.NDArray[np.uint16], chain: list[_Run]) -> list[_Run]:
    """A chain with every other run of a gram's length in its gaps and beside it, which had no fingerprint."""
    low, high = max(0, chain[0].start - GAP), min(len(own), chain[-1].end + GAP)
    first = max(0, min(run.source for run in chain) - GAP)
    last = min(len(text), max(run.source + run.end - run.start for run in chain) + GAP)
    here, there = grams(own[low:high]), grams(text[first:last])
    order = np.argsort(there, kind="stable")
    begins = np.searchsorted(there[order], here, "left")
    ends = np.searchsorted(there[order], here, "right")
    steps = [run.step for run in chain]
    starts = [run.start for run in chain]
    runs = list(chain)
    covered = np.zeros(high - low, bool)
    for run in chain:
        covered[run.start - low : run.end - low] = True
    reached = np.concatenate([[0], np.cumsum(covered)])
    is_new = reached[GRAM : GRAM + len(here)] - reached[: len(here)] < GRAM
    for at in np.flatnonzero((ends > begins) & is_new).tolist():
        if covered[at : at + GRAM].all():
            continue
        step = steps[max(0, bisect_right(starts, low + at) - 1)]
        sources = first + order[begins[at] : ends[at]]
        near = int(sources[np.argmin(np.abs(sources - (low + at) - step))])
        if abs(near - (low + at) - step) > DRIFT:
            continue
        left = _equal(own[: low + at][::-1], text[:near][::-1])
        right = _equal(own[low + at :], text[near:])
        run = _Run(low + at - left, low + at + right, near - left)
        runs.append(run)
        covered[max(0, run.start - low) : run.end - low] = True
    return sorted(runs, key=lambda run: (run.start, run.source))


def _follows(last: _Run, run: _Run) -> bool:
    gap = run.source - (last.source + last.end - last.start)
    return abs(last.step - run.step) <= DRIFT and -DRIFT <= gap <= GAP and run.end > last.end


def _covered(chain: list[_Run]) -> int:
    """Characters of the text in these runs, each once."""
    total = reached = 0
    for run in chain:
        total += max(0, run.end - max(run.start, reached))
        reached = max(reached, run.end)
    return total


def _matches(
    own: npt.NDArray[np.uint16],
    text: npt.NDArray[np.uint16],
    sentences: _Sentences,
    chain: list[_Run],
    document: int,
    number: int,
) -> list[Match]:
    matches = []
    # What was filled in has no fingerprints of its own: it is what most of its chain is.
    widest = max((run for run in chain if run.documents), key=lambda run: run.documents, default=None)
    rare, common = sum(run.rare for run in chain), sum(run.common for run in chain)
    for run in chain:
        has_prints = run.rare + run.common > 0
        is_common = widest is not None and (run.is_common if has_prints else common >= rare)
        kind: Kind = "common" if is_common else "same"
        length = run.end - run.start
        spread = (run.documents or widest.documents) if is_common and widest else 1
        matches.append(
            Match(document, kind, run.start, run.end, run.source, run.source + length, number, 100.0, spread)
        )
    if all(match.kind == "common" for match in matches):
        return matches
    return matches + _similar(own, text, sentences, chain, document, number)


def _similar(
    own: npt.NDArray[np.uint16],
    text: npt.NDArray[np.uint16],
    sentences: _Sentences,
    chain: list[_Run],
    document: int,
    number: int,
) -> list[Match]:
    """The sentences a chain touches, and their neighbours, held against where they would stand in the document."""
    first = max(0, bisect_right(sentences.begins, chain[0].start) - 2)
    last = bisect_right(sentences.begins, chain[-1].end - 1) + 1
    starts = [run.start for run in chain]
    found = []
    for start, end in sentences.all[first:last]:
        at = bisect_right(starts, start)
        # The runs that begin before the sentence and within it: a chain may have thousands.
        beside = chain[max(0, at - 2) : bisect_right(starts, end) + 1]
        if end - start < SENTENCE or any(run.start <= start and end <= run.end for run in beside):
            continue
        near = min(beside, key=lambda run: max(run.start - end, start - run.end))
        low = max(0, start + near.step - GAP)
        high = min(len(text), end + near.step + GAP)
        if high - low < end - start:
            low, high = max(0, min(low, len(text) - (end - start))), min(len(text), max(high, end - start))
        aligned = fuzz.partial_ratio_alignment(_string(own[start:end]), _string(text[low:high]), score_cutoff=SIMILAR)
        if aligned is not None and aligned.score >= SIMILAR:
            source = low + aligned.dest_start, low + aligned.dest_end
            found.append(Match(document, "similar", start, end, *source, number, round(aligned.score, 1), 1))
    return found


def _string(codes: npt.NDArray[np.uint16]) -> str:
    """Stand-ins for the characters, one each: only compared, never shown."""
    return codes.astype("<u4").tobytes().decode("utf-32-le", "replace")
