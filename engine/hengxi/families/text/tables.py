"""What the text methods print alike: a table of words whose cells open rows and change dictionaries."""

from __future__ import annotations

import re
from typing import Any

from hengxi.contract import Report, Table

from .form import POS_CLASSES
from .tokens import Tokens, normal, pos_class

AROUND = 15


def tag_of(tokens: Tokens, word: int) -> str:
    return POS_CLASSES[pos_class(tokens.tags[word])] if tokens.tags[word] else "词组"


def links(tokens: Tokens, word: int) -> dict[str, Any]:
    """The cells of a word that the reader can press; a run of words has no dictionary."""
    name = tokens.words[word]
    alone = {"stop": name, "join": name} if tokens.tags[word] else {}
    return {"rows": tokens.rows_of(word), **alone}


def context(table: Table, report: Report, tokens: Tokens, texts: list[str], words: list[int], most: int = 3) -> None:
    """Where words stand: the first rows of each with what is left and right of it."""
    by_row = {int(row): i for i, row in enumerate(tokens.row_numbers)}
    for word in words:
        pattern = re.escape(tokens.words[word]).replace(r"\ ", r".{0,12}?")
        for row in tokens.rows_of(word)[:most]:
            text = texts[by_row[row]]
            found = re.search(pattern, normal(text))
            if found is None or len(normal(text)) != len(text):
                continue
            left, right = text[max(0, found.start() - AROUND) : found.start()], text[found.end() : found.end() + AROUND]
            pieces = [[left, None], [text[found.start() : found.end()], "hit"], [right, None]]
            report.row(table, word=tokens.words[word], row=[row], context=pieces)


def warn_wordless(report: Report, tokens: Tokens) -> None:
    empty = int((tokens.lengths == 0).sum())
    if empty:
        report.warn("data.wordless", "{k:integer} 行没有剩下可计数的词。", k=empty)
