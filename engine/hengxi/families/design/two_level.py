"""Two-level designs: fractions of 2^k, what they confound, their blocks, and Plackett–Burman.

A word is a bit mask over the factors, A the lowest bit. In a fraction of 2^q runs the first q factors are free and each
of the others is the product of some of them (its generator).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from hengxi.families.design.plan import LETTERS, Ints
from hengxi.stats.moments import Floats

MOST_FACTORS = 15
GENERATORS: dict[tuple[int, int], str] = {
    (5, 3): "AB AC",
    (6, 3): "AB AC BC",
    (7, 3): "AB AC BC ABC",
    (6, 4): "ABC ABD",
    (7, 4): "ABC ABD ACD",
    (8, 4): "ABC ABD ACD BCD",
    (9, 4): "ABC AD BD CD ABCD",
    (10, 4): "ABC AD BD CD ABCD AB",
    (11, 4): "ABC AD BD CD AB AC BCD",
    (12, 4): "ABC AD BD CD AB AC BCD ABCD",
    (13, 4): "ABC AD BD CD AB AC BCD BC ABD",
    (14, 4): "ABC AD BD CD AB AC BCD BC ABD ACD",
    (15, 4): "ABC AD BD CD AB AC BCD BC ABD ACD ABCD",
    (7, 5): "ABCD ABE",
    (8, 5): "ABCD ABE ACE",
    (9, 5): "ABCD ABE ACE ADE",
    (10, 5): "ABCD ABE ACE ADE BCDE",
    (11, 5): "ABC ADE ABD ACE ACD ABE",
    (12, 5): "ABC ADE ABD ACE ACD ABE BCD",
    (13, 5): "ABC ADE ABD ACE ACD ABE BCD BCE",
    (14, 5): "ABC ADE ABD ACE ACD ABE BCD BCE BDE",
    (15, 5): "ABC ADE ABD ACE ACD ABE BCD BCE BDE CDE",
    (8, 6): "ABCD ABEF",
    (9, 6): "ABCD ABEF ACE",
    (10, 6): "ABCD ABEF ACE BDF",
    (11, 6): "ABCD ABEF ACE BDF BCDE",
    (12, 6): "ABCD ABEF ACE BDF BCDE ADEF",
    (13, 6): "ABCD ABEF ACE BDF BCDE ADF CDF",
    (14, 6): "ABCD ABEF ACE BDF BCDE ADF CDF ABCF",
    (15, 6): "ABCD ABEF ACE BCDEF ADE ACF ADF CDE CEF",
    (9, 7): "ABCDE ABCFG",
    (10, 7): "ABCD ABEF ACEG",
    (11, 7): "ABCD ABEF ACEG BDFG",
    (12, 7): "ABCD ABEF ACEG BCDEFG DFG",
    (13, 7): "ABCD ABEF ACEG BDFG BCE ACDFG",
    (14, 7): "ABCD AEFG BCEF BDEG CDE ABCFG ADG",
    (15, 7): "ABCD AEFG BCEF BDEG CDE ABCFG ADG ABF",
    (10, 8): "ABCDEF ABCGH",
    (11, 8): "ABCDE ABFGH ACDFG",
    (11, 9): "ABCDEF ABCGHJ",
    (12, 9): "ABCDEF ABCGHJ ADEGH",
}
"""(factors, free factors) → generators of the others, in order. Found by search for the highest resolution and then the
fewest short words; resolutions are those of the NIST handbook, 5.3.3.4.7. A half fraction takes the product of all."""
STATES = 60
"""Partial choices of block words that are followed up."""
PLACKETT_BURMAN = {12: "++-+++---+-", 20: "++--++++-+-+----++-", 24: "+++++-+-++--++--+-+----"}
"""First rows of the cyclic designs (Plackett & Burman 1946)."""


def word_of(letters: str) -> int:
    return sum(1 << LETTERS.index(letter) for letter in letters)


def letters_of(word: int) -> str:
    return "".join(LETTERS[j] for j in members(word)) or "I"


def members(word: int) -> list[int]:
    return [j for j in range(word.bit_length()) if word >> j & 1]


@dataclass(frozen=True)
class Fraction:
    """2^q runs of k factors."""

    k: int
    q: int
    generators: tuple[int, ...]
    """Words over the free factors, one for each other factor."""

    @property
    def runs(self) -> int:
        return 1 << self.q

    @cached_property
    def coded(self) -> Floats:
        """Runs × factors, the first factor changing fastest (Yates' order)."""
        run = np.arange(self.runs)
        free = np.column_stack([2.0 * (run >> j & 1) - 1 for j in range(self.q)])
        others = [np.prod(free[:, members(word)], axis=1) for word in self.generators]
        return np.column_stack([free, *others])

    @cached_property
    def relation(self) -> tuple[int, ...]:
        """The words that equal I, shortest first, without I itself."""
        found = [0]
        for i, word in enumerate(self.generators):
            own = word | 1 << (self.q + i)
            found += [other ^ own for other in found]
        return tuple(sorted(found[1:], key=lambda word: (word.bit_count(), members(word))))

    @property
    def resolution(self) -> int | None:
        """The length of the shortest word; None of a full factorial."""
        return min((word.bit_count() for word in self.relation), default=None)

    def aliases(self, word: int, most: int) -> list[int]:
        """The other effects of at most `most` factors that cannot be told from this one."""
        found = [word ^ other for other in self.relation]
        return sorted(
            (one for one in found if one.bit_count() <= most), key=lambda one: (one.bit_count(), members(one))
        )

    def base(self, word: int) -> int:
        """The same contrast as a word of free factors."""
        made = word & (self.runs - 1)
        for i, generator in enumerate(self.generators):
            if word >> (self.q + i) & 1:
                made ^= generator
        return made


def fraction(k: int, q: int) -> Fraction | None:
    """The best one known of this size; None where there is none of resolution III."""
    if q == k:
        return Fraction(k, k, ())
    if q == k - 1 and q >= 2:
        return Fraction(k, q, ((1 << q) - 1,))
    words = GENERATORS.get((k, q))
    return None if words is None else Fraction(k, q, tuple(word_of(word) for word in words.split()))


def smallest(k: int, resolution: int) -> Fraction | None:
    """The fewest runs that reach the resolution; the full factorial where no fraction does."""
    for q in range(1, k + 1):
        made = fraction(k, q)
        if made is not None and (made.resolution is None or made.resolution >= resolution):
            return made
    return None


@dataclass(frozen=True)
class Blocking:
    """Which runs stand in which block (from 1), and the effects given up for it."""

    block: Ints
    words: tuple[int, ...]
    """Every confounded contrast, each by its shortest effect."""


def blocked(design: Fraction, blocks: int) -> Blocking | None:
    """2^b blocks whose confounded effects have as many factors as can be; None where main effects would be lost."""
    lengths = [word.bit_count() for word in _shortest(design)]
    states: list[tuple[int, ...]] = [()]
    for _ in range(blocks.bit_length() - 1):
        found: dict[frozenset[int], tuple[tuple[int, ...], tuple[int, ...]]] = {}
        for chosen in states:
            taken = _span(chosen)
            for word in range(1, design.runs):
                if word in taken or lengths[word] < 2:
                    continue
                span = frozenset(_span((*chosen, word)))
                if span in found or min(lengths[one] for one in span) < 2:
                    continue
                counts = np.bincount([lengths[one] for one in span], minlength=design.k + 1)
                found[span] = (tuple(int(n) for n in counts), (*chosen, word))
        states = [words for _, words in sorted(found.values())[:STATES]]
        if not states:
            return None
    chosen = states[0]
    shortest = _shortest(design)
    run = np.arange(design.runs)
    block = np.ones(design.runs, dtype=np.int64)
    for i, word in enumerate(chosen):
        parity = np.zeros(design.runs, dtype=np.int64)
        for j in members(word):
            parity ^= run >> j & 1
        block += parity << i
    return Blocking(block, tuple(sorted((shortest[one] for one in _span(chosen)), key=lambda w: (w.bit_count(), w))))


def _span(words: tuple[int, ...]) -> set[int]:
    found = [0]
    for word in words:
        found += [other ^ word for other in found]
    return set(found[1:])


def _shortest(design: Fraction) -> list[int]:
    """Of each contrast of the runs the effect of fewest factors that it is."""
    found = list(range(design.runs))
    if not design.generators:
        return found
    by_order = [sum(1 << j for j in group) for size in (1, 2, 3) for group in combinations(range(design.k), size)]
    for word in reversed(by_order):
        base = design.base(word)
        if word.bit_count() <= found[base].bit_count():
            found[base] = word
    return found


def plackett_burman(k: int) -> Floats:
    """Runs × factors: the smallest of 4, 8, 12, 16, 20, 24 runs with a column to each factor."""
    n = next(size for size in (4, 8, 12, 16, 20, 24) if size > k)
    if n in PLACKETT_BURMAN:
        first = np.array([1.0 if sign == "+" else -1.0 for sign in PLACKETT_BURMAN[n]])
        rows = [np.roll(first, i) for i in range(n - 1)]
        return np.vstack([*rows, -np.ones(n - 1)])[:, :k]
    q = n.bit_length() - 1
    words = sorted(range(1, n), key=lambda word: (word.bit_count(), members(word)))
    free = Fraction(q, q, ()).coded
    return np.column_stack([np.prod(free[:, members(word)], axis=1) for word in words[:k]])
