"""Asks once for all items of a scale in words whether they are scored, and does it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hengxi.data.arrays import Source
from hengxi.data.formats import Job, Staged
from hengxi.data.levels import is_missing
from hengxi.data.meta import Column
from hengxi.data.questionnaire.worded import ASKED_FROM, Match, matches
from hengxi.data.scoring import score

HEAD = 2_000
MOST = 20
SCORE, REVERSE, WORDS = "score", "reverse", "text"


def score_items(staged: Staged, source: Source, job: Job, asked: bool) -> list[dict[str, Any]]:
    """Questions where the user has not said yet; a lone column is asked for only in a questionnaire."""
    if job.on_doubt == "text" and not job.answers:
        return []
    counts = {c.id: held for c in staged.columns if (held := _counts(c, source))}
    matched = matches(counts)
    columns = {column.id: column for column in staged.columns}
    groups: dict[tuple[str, ...], list[str]] = {}
    for column_id, own in matched.items():
        groups.setdefault((own.title, *own.labels), []).append(column_id)
    questions = []
    for ids in groups.values():
        own = matched[ids[0]]
        if own.most < ASKED_FROM or (len(ids) == 1 and not asked):
            continue
        key = f"scale_{ids[0]}"
        answer = job.answers.get(key)
        if answer in (SCORE, REVERSE):
            for column_id in ids:
                _score(staged, columns[column_id], matched[column_id], answer == REVERSE)
        elif answer != WORDS and job.on_doubt != "text":
            questions.append(_question(key, [columns[i] for i in ids], [matched[i] for i in ids], source))
    return questions


def _counts(column: Column, source: Source) -> dict[str, int]:
    """How often each answer occurs; empty where the column holds no answers in words."""
    array = source.array(column.id)
    if column.storage != "text" or not pa.types.is_large_string(array.type):
        return {}
    if len(array.slice(0, HEAD).unique()) > MOST:
        return {}
    held = pc.value_counts(array)
    if len(held) > MOST:
        return {}
    counts: dict[str, int] = {}
    for item in held.to_pylist():
        word = item["values"]
        if word is not None and not is_missing(word, column.missing):
            counts[word.strip()] = counts.get(word.strip(), 0) + item["counts"]
    return counts


def _score(staged: Staged, column: Column, own: Match, reverse: bool) -> None:
    column.wording = own.as_wording()
    top = own.most + 1
    score(column, {word: top - place if reverse else place for word, place in own.scores.items()})
    staged.flags.setdefault(column.id, []).append("量表")
    staged.declared.add(column.id)


def _question(key: str, columns: list[Column], found: list[Match], source: Source) -> dict[str, Any]:
    own = found[0]
    scores = {word: place for one in found for word, place in one.scores.items()}
    rest = list(dict.fromkeys(word for one in found for word in one.rest))
    gone = f"；{''.join(f'“{word}”' for word in rest)}作缺失" if rest else ""
    words = sorted(scores, key=lambda word: scores[word])
    pairs = [(word, scores[word]) for word in words]
    return {
        "id": key,
        "column": columns[0].id,
        "columns": [column.id for column in columns],
        "name": columns[0].name,
        "names": [column.name for column in columns],
        "kind": "scale",
        "title": own.title,
        "count": len(columns),
        "samples": [{"row": _row(columns[0], source, word), "value": word} for word in words[:3]],
        "choices": [
            _choice(SCORE, f"按 1–{own.most} 计分（{own.scores_shown()}）{gone}", pairs, rest),
            _choice(REVERSE, f"反过来计分（{own.scores_shown(reverse=True)}）{gone}",
                    [(word, own.most + 1 - place) for word, place in pairs], rest),
            _choice(WORDS, "保留文字选项，不计分", [(word, word) for word in words], []),
        ],
    }  # fmt: skip


def _choice(key: str, title: str, pairs: list[tuple[str, Any]], rest: list[str]) -> dict[str, Any]:
    """What becomes of the words that are of no scale stands first: the screen shows a few."""
    preview = [{"before": word, "after": None} for word in rest]
    preview += [{"before": word, "after": after} for word, after in pairs]
    return {"key": key, "title": title, "preview": preview}


def _row(column: Column, source: Source, word: str) -> int:
    place = pc.index(pc.utf8_trim_whitespace(source.array(column.id)), pa.scalar(word, pa.large_string())).as_py()
    return int(np.maximum(place, 0)) + 1
