"""A text compared with the documents of a scope: where what stands, as a report on disk."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract.progress import Progress
from hengxi.data import store
from hengxi.data.refusal import Cancelled, DataRefusal
from hengxi.plagdet import files, matching, segment
from hengxi.plagdet.documents import Document, document_of, units_of
from hengxi.plagdet.normal import normalise
from hengxi.plagdet.parts import find_parts, sentences

OTHER = 0
"""The number of the other text where two are compared with each other."""

Span = tuple[int, int, int, int]
"""Place in the text as a browser counts, place among the characters that count."""


def check(payload: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """`{file, name, most?, scope | other, text, report}` → `{characters, sha256, documents, matches}`.

    `other` is a second file, `{file, name, text}`; `scope` names a file `{segments: [{key, documents: [[id, text]]}]}`.
    The text of the document is written to `text`, what was found to `report`.
    """

    def tell(done: float, text: str) -> None:
        if progress(round(done), 100, text) is False:
            raise Cancelled

    tell(0, "解析文件")
    document = document_of(payload, lambda share: tell(40 * share, "解析文件"))
    _within_quota(document, payload.get("most"))
    files.write_text(payload["text"], document.text)
    texts, segments = _scope(payload)
    tell(45, "比对")
    own = document.normal
    places = [own.count(start, end) for start, end in sentences(document.text)]
    spans = [(start, end) for start, end in places if end > start]
    found = matching.find(own.codes, spans, segments, lambda share: tell(45 + 45 * share, "比对"))
    tell(92, "写报告")
    report = _report(document, found, texts)
    files.write_json(payload["report"], report)
    return {
        "characters": len(own),
        "sha256": hashlib.sha256(own.codes.astype("<u4").tobytes()).hexdigest(),
        "documents": sum(len(wanted) for _, wanted in segments),
        "matches": len(found.matches),
    }


def _within_quota(document: Document, most: int | None) -> None:
    count = len(document.normal)
    if most is not None and count > most:
        text = f"有效文字 {count} 字，免费查重每次最多 {most} 字。可以用点数查重，或升级会员。"
        raise DataRefusal("text.quota", text, {"n": count, "most": most})


def _scope(payload: dict[str, Any]) -> tuple[dict[int, str], list[tuple[segment.Segment, set[int]]]]:
    """The key of each document's text, and the segments with who takes part."""
    if other := payload.get("other"):
        document = document_of(other, lambda share: None)
        files.write_text(other["text"], document.text)
        return {OTHER: other["text"]}, [(segment.build([(OTHER, document.normal.codes)]), {OTHER})]
    texts: dict[int, str] = {}
    segments = []
    for part in files.read_json(payload["scope"])["segments"]:
        texts.update((int(number), key) for number, key in part["documents"])
        segments.append((segment.open_segment(part["key"]), {int(number) for number, _ in part["documents"]}))
    return texts, segments


def _report(document: Document, found: matching.Found, texts: dict[int, str]) -> dict[str, Any]:
    own, units = document.normal, document.units
    parts, bare = find_parts(document.text)
    notes = {**document.notes, **({"bare_quotations": bare} if bare else {})}
    if found.omitted:
        notes["omitted"] = found.omitted
    listed = []
    for part in parts:
        start, end = own.count(part.start, part.end)
        span = int(units[part.start]), int(units[part.end]), start, end
        listed.append({"kind": part.kind, "span": span})
    # Removed from the library since the check began: it takes no part any more.
    asked = {match.document for match in found.matches}
    gone = {number for number in asked if not store.compared_path(texts[number]).exists()}
    sources = _Sources(texts)
    return {
        "characters": len(own),
        "notes": notes,
        "pages": document.pages,
        "parts": listed,
        "matches": [
            {
                "document": match.document,
                "kind": match.kind,
                "span": (*_in_text(own.places, units, match.start, match.end), match.start, match.end),
                "source": sources.place(match),
                "chain": match.chain,
                "ratio": match.ratio,
                "documents": match.documents,
            }
            for match in found.matches
            if match.document not in gone
        ],
    }


def _in_text(places: npt.NDArray[np.int64], units: npt.NDArray[np.int64], start: int, end: int) -> tuple[int, int]:
    return int(units[places[start]]), int(units[places[end - 1] + 1])


class _Sources:
    """Where passages stand in the texts of the library, each text read once."""

    def __init__(self, texts: dict[int, str]) -> None:
        self.texts = texts
        self.known: dict[int, tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]] = {}

    def place(self, match: matching.Match) -> tuple[int, int]:
        if match.document not in self.known:
            text = files.read_text(self.texts[match.document])
            self.known[match.document] = normalise(text).places, units_of(text)
        return _in_text(*self.known[match.document], match.source_start, match.source_end)
