"""Joined answers in a table that is no questionnaire (`华为、小米`): whether they are split is the user's to say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hengxi.data.arrays import Source
from hengxi.data.formats import Job
from hengxi.data.meta import Column
from hengxi.data.questionnaire.joined import Split, split_joined

SPLIT, TEXT = "split", "text"
NAMED = 4


def split_asked(columns: Iterable[Column], source: Source, job: Job) -> tuple[list[Split], list[dict[str, Any]]]:
    """(columns that shall be split, questions about others)."""
    splits: list[Split] = []
    questions: list[dict[str, Any]] = []
    for column in columns:
        answer = job.answers.get(f"joined_{column.id}")
        if answer == TEXT or (answer is None and job.on_doubt == "text"):
            continue
        split = split_joined(column, source, anywhere=True)
        if split and answer == SPLIT:
            splits.append(split)
        elif split:
            questions.append(_question(split))
    return splits, questions


def _question(split: Split) -> dict[str, Any]:
    options = "、".join(split.options[:NAMED]) + (" 等" if len(split.options) > NAMED else "")
    return {
        "id": f"joined_{split.column.id}",
        "column": split.column.id,
        "name": split.column.name,
        "kind": "joined",
        "count": split.joined,
        "samples": [{"row": row, "value": cell} for row, cell, _ in split.samples],
        "choices": [
            {
                "key": SPLIT,
                "title": f"拆成多选题：{len(split.options)} 个选项（{options}）各成一个 0/1 变量，原列保留",
                "preview": [{"before": cell, "after": " ＋ ".join(part)} for _, cell, part in split.samples],
            },
            {
                "key": TEXT,
                "title": "不拆，整格作为一个文本",
                "preview": [{"before": cell, "after": cell} for _, cell, _ in split.samples],
            },
        ],
    }
