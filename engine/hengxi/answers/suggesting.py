"""All suggestions for a column of answers: by the words of the code book, and learnt where enough is coded."""

from __future__ import annotations

from typing import Any

from hengxi.answers.learning import learn
from hengxi.answers.reading import read_answers
from hengxi.answers.rules import matched, normal, read_rule
from hengxi.contract.progress import Progress
from hengxi.data.refusal import DataRefusal
from hengxi.data.table import Table


def suggest(key: str, body: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """`{column, mask, rules: [{code, name, rule}], marks: [[answer, [code, …]]]}` → `suggestions`: [answer, code, p].

    p is 1 by a rule. `learnt`: None where nothing could be learnt, with the reason in `why`.
    """
    found = read_answers(Table.open(key), str(body["column"]), bool(body["mask"]))
    rules, marks = body["rules"], [(int(at), list(codes)) for at, codes in body["marks"]]
    texts = [normal(text) for text in found.texts]
    certain: dict[tuple[int, int], float] = {}
    for i, one in enumerate(rules):
        progress(i, len(rules) + 1, f"按词语找“{one['name']}”")
        for at in matched(texts, read_rule(one["name"], one["rule"])):
            certain[at, int(one["code"])] = 1.0
    progress(len(rules), len(rules) + 1, "学习已编码的回答")
    learnt, why = None, None
    try:
        learnt = learn(texts, marks)
    except DataRefusal as refusal:
        why = refusal.text
    for at, code, p in learnt["suggestions"] if learnt else []:
        certain.setdefault((int(at), int(code)), p)
    return {
        "suggestions": [[at, code, p] for (at, code), p in sorted(certain.items())],
        "learnt": None if learnt is None else {"codes": learnt["codes"], "agreed": learnt["agreed"]},
        "why": why,
    }
