"""Frequent itemsets of transactions, level by level (Agrawal & Srikant, 1994) and from a tree of shared prefixes
(Han, Pei & Yin, 2000), and the rules they give. Items are numbers; an itemset is a rising tuple of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Itemset = tuple[int, ...]
Counts = dict[Itemset, int]


class TooManyError(Exception):
    """More itemsets than anyone can read."""


def apriori(held: NDArray[np.bool_], least: int, longest: int, most: int) -> Counts:
    """`held`: items × transactions; itemsets in at least `least` of them, of at most `longest` items.

    A candidate joins two itemsets of one item less that share all but their last, and all its parts are frequent."""
    bits = np.packbits(held, axis=1)
    found: Counts = {}
    level: dict[Itemset, NDArray[np.uint8]] = {}
    for item, row in enumerate(bits):
        count = int(np.bitwise_count(row).sum())
        if count >= least:
            found[(item,)] = count
            level[(item,)] = row
    while level and len(next(iter(level))) < longest:
        further: dict[Itemset, NDArray[np.uint8]] = {}
        by_start: dict[Itemset, list[Itemset]] = {}
        for one in level:
            by_start.setdefault(one[:-1], []).append(one)
        for group in by_start.values():
            for a, b in combinations(group, 2):
                joined = (*a, b[-1])
                if any(joined[:i] + joined[i + 1 :] not in level for i in range(len(joined) - 2)):
                    continue
                row = level[a] & level[b]
                count = int(np.bitwise_count(row).sum())
                if count >= least:
                    found[joined] = count
                    further[joined] = row
                    if len(found) > most:
                        raise TooManyError
        level = further
    return found


@dataclass
class Node:
    """A prefix shared by `count` transactions."""

    item: int
    parent: Node | None
    count: int = 0
    children: dict[int, Node] = field(default_factory=dict)


@dataclass
class Tree:
    """`places`: of every item, its nodes; `order`: items from the most frequent on."""

    root: Node
    places: dict[int, list[Node]]
    order: list[int]


def tree_of(paths: list[tuple[list[int], int]], least: int) -> Tree:
    """A tree of transactions (with how often each stands there), infrequent items left out, frequent ones first."""
    counts: dict[int, int] = {}
    for path, times in paths:
        for item in path:
            counts[item] = counts.get(item, 0) + times
    order = sorted((item for item, n in counts.items() if n >= least), key=lambda item: (-counts[item], item))
    rank = {item: i for i, item in enumerate(order)}
    root = Node(-1, None)
    places: dict[int, list[Node]] = {item: [] for item in order}
    for path, times in paths:
        at = root
        for item in sorted((item for item in path if item in rank), key=rank.__getitem__):
            below = at.children.get(item)
            if below is None:
                below = at.children[item] = Node(item, at)
                places[item].append(below)
            below.count += times
            at = below
    return Tree(root, places, order)


def fp_growth(paths: list[tuple[list[int], int]], least: int, most: int) -> Counts:
    """Itemsets in at least `least` transactions, of any length."""
    found: Counts = {}
    _grow(paths, least, most, (), found)
    return found


def _grow(paths: list[tuple[list[int], int]], least: int, most: int, suffix: Itemset, found: Counts) -> None:
    tree = tree_of(paths, least)
    for item in reversed(tree.order):
        nodes = tree.places[item]
        grown = tuple(sorted((item, *suffix)))
        found[grown] = sum(node.count for node in nodes)
        if len(found) > most:
            raise TooManyError
        below = []
        for node in nodes:
            path, at = list[int](), node.parent
            while at is not None and at.item >= 0:
                path.append(at.item)
                at = at.parent
            if path:
                below.append((path, node.count))
        if below:
            _grow(below, least, most, grown, found)


def kinds(found: Counts) -> tuple[set[Itemset], set[Itemset]]:
    """Those that no frequent itemset contains (maximal), and those that none of the same count contains (closed)."""
    inside, alike = set[Itemset](), set[Itemset]()
    for one, count in found.items():
        for i in range(len(one)) if len(one) > 1 else ():
            part = one[:i] + one[i + 1 :]
            inside.add(part)
            if found[part] == count:
                alike.add(part)
    return set(found) - inside, set(found) - alike


@dataclass(frozen=True)
class Rule:
    """Whoever has `left` has `right`; counts of transactions with both, with each, and of all."""

    left: Itemset
    right: Itemset
    both: int
    of_left: int
    of_right: int
    n: int

    @property
    def confidence(self) -> float:
        return self.both / self.of_left

    @property
    def lift(self) -> float:
        return self.both * self.n / (self.of_left * self.of_right)

    @property
    def leverage(self) -> float:
        return self.both / self.n - self.of_left * self.of_right / self.n**2

    @property
    def conviction(self) -> float:
        """(1 − P(right)) / (1 − confidence): infinite where the rule never fails."""
        missed = self.of_left - self.both
        return (1 - self.of_right / self.n) * self.of_left / missed if missed else np.inf

    @property
    def zhang(self) -> float | None:
        """Yan, Zhang & Zhang (2009): −1 to 1, 0 where independent; None where one side is everywhere or nowhere."""
        a, b, ab = self.of_left / self.n, self.of_right / self.n, self.both / self.n
        scale = max(ab * (1 - a), a * (b - ab))
        return (ab - a * b) / scale if scale > 1e-15 else None


def rules(found: Counts, n: int, confidence: float, lift: float) -> Iterator[Rule]:
    """Every split of every itemset into two sides that reaches both bounds."""
    for one, both in found.items():
        for size in range(1, len(one)):
            for left in combinations(one, size):
                right = tuple(item for item in one if item not in left)
                rule = Rule(left, right, both, found[left], found[right], n)
                if rule.confidence >= confidence - 1e-12 and rule.lift >= lift - 1e-12:
                    yield rule


def redundant(rule: Rule, found: Counts) -> bool:
    """Does a rule with fewer conditions lead to the same right side at least as surely?"""
    for size in range(1, len(rule.left)):
        for left in combinations(rule.left, size):
            both = found[tuple(sorted((*left, *rule.right)))]
            if both * rule.of_left >= rule.both * found[left]:
                return True
    return False
