"""Every common run of thirteen characters is found and none of seven; how much of what was rewritten is found."""

from __future__ import annotations

import numpy as np
import pytest

from hengxi.plagdet import matching, segment
from hengxi.plagdet.matching import Found
from hengxi.plagdet.normal import normalise
from hengxi.plagdet.parts import sentences
from tests.plagdet.conftest import Prose, written


def find(text: str, documents: dict[int, str], wanted: set[int] | None = None) -> Found:
    built = segment.build([(number, normalise(other).codes) for number, other in documents.items()])
    own = normalise(text)
    spans = [own.count(*span) for span in sentences(text)]
    return matching.find(own.codes, spans, [(built, set(documents) if wanted is None else wanted)], lambda share: None)


def planted(length: int, count: int) -> tuple[str, str, list[tuple[int, int]]]:
    """A source, a text with runs of it between characters the source has not, and where the runs are."""
    random = np.random.default_rng(20240101)
    source = "".join(map(chr, random.integers(0x4E00, 0x7000, 40_000)))
    text, places = "", []
    for _ in range(count):
        text += "".join(map(chr, random.integers(0x7000, 0x9000, 60)))
        at = int(random.integers(0, len(source) - length))
        places.append((len(text), len(text) + length))
        text += source[at : at + length]
    return source, text + "龘" * 60, places


def test_every_planted_run_of_thirteen_is_found_where_it_is() -> None:
    source, text, places = planted(13, 3000)
    found = {(match.start, match.end) for match in find(text, {1: source}).matches if match.kind == "same"}
    assert found == set(places)


def test_no_planted_run_of_seven_is_found() -> None:
    source, text, _ = planted(7, 3000)
    assert find(text, {1: source}).matches == []


def test_no_run_of_twelve_alone_is_found() -> None:
    source, text, _ = planted(12, 500)
    assert find(text, {1: source}).matches == []


def test_neighbouring_runs_in_step_are_one_passage() -> None:
    source = "".join(map(chr, range(0x4E00, 0x4E00 + 400)))
    text = "龘" * 300 + source[100:113] + "龘" * 5 + source[118:127] + "龘" * 300
    matches = [match for match in find(text, {1: source}).matches if match.kind == "same"]
    assert [(match.source_start, match.source_end) for match in matches] == [(100, 113), (118, 127)]
    assert len({match.chain for match in matches}) == 1


def test_a_removed_document_is_not_found() -> None:
    source, text, _ = planted(13, 20)
    assert find(text, {1: source, 2: source}, {2}).matches != []
    assert {match.document for match in find(text, {1: source, 2: source}, {2}).matches} == {2}
    assert find(text, {1: source}, set()).matches == []


def test_the_order_of_documents_changes_nothing() -> None:
    prose = Prose(3)
    texts = {number: prose.text(3000) for number in range(1, 31)}
    text = "".join(texts[number][500:900] for number in (3, 17, 28)) + prose.text(1000)
    backwards = dict(reversed(texts.items()))
    assert strip(find(text, texts)) == strip(find(text, backwards))


def strip(found: Found) -> list[tuple[object, ...]]:
    return sorted((m.document, m.kind, m.start, m.end, m.source_start, m.ratio) for m in found.matches)


def test_what_stands_in_many_documents_is_a_common_phrase_and_names_how_many() -> None:
    prose = Prose(4)
    phrase = written([prose.sentence() + prose.sentence()])
    texts = {number: prose.text(500) + phrase + prose.text(500) for number in range(1, 26)}
    matches = find(prose.text(800) + phrase + prose.text(800), texts).matches
    assert {match.kind for match in matches} == {"common"}
    assert max(match.documents for match in matches) == 25
    # In twenty documents it is a copy like any other.
    few = {number: text for number, text in texts.items() if number <= 20}
    assert {match.kind for match in find(prose.text(800) + phrase + prose.text(800), few).matches} == {"same"}


def test_a_character_beyond_two_bytes_is_compared_like_any_other() -> None:
    source = "".join(chr(0x20000 + number) for number in range(400))
    matches = find("龘" * 300 + source[50:63] + "龘" * 300, {1: source, 2: "龍" * 400}).matches
    assert [(match.document, match.source_start, len(match)) for match in matches] == [(1, 50, 13)]


@pytest.mark.parametrize("piece", ["0", "01", "零", "表格一二"])
def test_what_only_repeats_itself_ends_and_zeros_of_a_table_are_no_passage(piece: str) -> None:
    prose = Prose(6)
    text = prose.text(400) + piece * (8_000 // len(piece)) + prose.text(400)
    other = prose.text(400) + piece * (8_000 // len(piece)) + prose.text(400)
    found = find(text, {1: other})
    if len(set(piece)) < 3:
        assert [match for match in found.matches if match.kind == "same"] == []


def test_a_text_that_repeats_itself_is_found_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "MOST_HITS", 3000)
    text = Prose(14).text(400) * 12
    own = normalise(text)
    marked = np.zeros(len(own), bool)
    for match in find(text, {1: text}).matches:
        marked[match.start : match.end] = True
    assert marked.all()


def test_a_rewritten_sentence_is_similar_once_however_many_runs_of_it_are_common() -> None:
    prose = Prose(5)
    source = prose.text(600)
    part = source[100:160].replace("。", "，").replace("\n", "，")
    text = "".join(char if number % 20 else "龘" for number, char in enumerate(part))
    matches = find(prose.text(400) + f"。{text}。" + prose.text(400), {1: source}).matches
    similar = [(match.start, match.end) for match in matches if match.kind == "similar"]
    assert similar and len(similar) == len(set(similar))


RECALL = {
    # Found as identical, and with similar sentences: section 3.3 of the product's specification.
    "paragraphs": (1.00, 1.00),
    "single": (0.91, 0.92),
    "replaced 10": (0.86, 0.96),
    "replaced 20": (0.60, 0.79),
    "replaced 30": (0.28, 0.49),
    "replaced 40": (0.12, 0.23),
    "deleted 15": (0.81, 0.92),
    "inserted 15": (0.62, 0.91),
    "swapped": (0.77, 0.77),
}


def rewritten(kind: str, prose: Prose, sentences: list[list[str]]) -> list[list[str]]:
    random = prose.random
    act, _, share = kind.partition(" ")
    if act == "swapped":
        return [words[len(words) // 2 :] + words[: len(words) // 2] for words in sentences]
    out = []
    for words in sentences:
        new: list[str] = []
        for word in words:
            is_hit = share != "" and random.random() < int(share) / 100
            new += {
                "replaced": [prose.word()] if is_hit else [word],
                "deleted": [] if is_hit else [word],
                "inserted": [word, prose.word()] if is_hit else [word],
            }.get(act, [word])
        out.append(new)
    return out


@pytest.mark.slow
def test_recall_is_that_of_the_table_or_better() -> None:
    prose = Prose(20240101)
    documents = [[prose.paragraph() for _ in range(16)] for _ in range(500)]
    library = {n: "\n".join(map(written, document)) for n, document in enumerate(documents, 1)}
    text, places = "", []
    for kind in RECALL:
        for _ in range(40 if kind == "single" else 50):
            text += written(prose.paragraph())
            document = documents[int(prose.random.integers(500))]
            paragraph = document[int(prose.random.integers(16))]
            source = paragraph[1:2] if kind == "single" else paragraph
            copy = written(rewritten(kind, prose, source))
            places.append((kind, len(text), len(text) + len(copy)))
            text += copy
    own = normalise(text)
    marked = {"same": np.zeros(len(own), bool), "similar": np.zeros(len(own), bool)}
    for match in find(text, library).matches:
        marked[match.kind][match.start : match.end] = True
    whole = marked["same"] | marked["similar"]
    is_planted = np.zeros(len(own), bool)
    recall = {}
    for kind in RECALL:
        spans = [own.count(start, end) for name, start, end in places if name == kind]
        for start, end in spans:
            is_planted[start:end] = True
        total = sum(end - start for start, end in spans)
        recall[kind] = tuple(sum(int(m[a:b].sum()) for a, b in spans) / total for m in (marked["same"], whole))
    short = {
        kind: (recall[kind], wanted)
        for kind, wanted in RECALL.items()
        if any(got < least - 0.05 for got, least in zip(recall[kind], wanted, strict=True))
    }
    assert not short, recall
    # What was not planted: the one or two characters beside a copy that happen to be the same.
    assert whole[~is_planted].mean() < 0.001
