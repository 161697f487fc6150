"""The runs: from files to a report on disk, and from documents to segments."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hengxi.contract.progress import no_progress
from hengxi.data import store
from hengxi.data.refusal import Cancelled, DataRefusal
from hengxi.jobs.tasks import TASKS
from hengxi.plagdet import files, segment
from tests.plagdet.conftest import Prose, docx, paragraph, written

Upload = Callable[[bytes], str]
SEGMENT, SECOND, THIRD = (f"p_{digit * 32}" for digit in "abc")
TEXT, REPORT, SCOPE, OTHER = (f"p_{digit * 32}" for digit in "def0")


def run(**payload: object) -> dict[str, object]:
    return TASKS["plagdet"](payload, no_progress)


def library(upload: Upload, *texts: str) -> list[list[object]]:
    """A segment of these texts; what a scope says of its documents."""
    keys = [f"p_{number:x}1{'9' * 30}" for number in range(len(texts))]
    documents = [
        {"id": number, "file": upload(text.encode()), "name": "文", "text": keys[number - 1]}
        for number, text in enumerate(texts, 1)
    ]
    run(act="add", segment=SEGMENT, documents=documents)
    return [[number, key] for number, key in enumerate(keys, 1)]


def test_a_report_says_where_what_stands(upload: Upload) -> None:
    prose = Prose(7)
    source, copied = prose.text(600), written([prose.sentence() * 2])
    documents = library(upload, prose.text(500), f"😀{source}{copied}")
    files.write_json(SCOPE, {"segments": [{"key": SEGMENT, "documents": documents}]})
    before = f"😀{prose.text(400)}"
    text = f"{before}{copied}{prose.text(300)}"
    own = upload(docx(paragraph(text)))
    result = run(act="check", file=own, name="论文.docx", scope=SCOPE, text=TEXT, report=REPORT)
    assert result["documents"] == 2
    report = files.read_json(REPORT)
    stored = files.read_text(TEXT).encode("utf-16-le")
    found = files.read_text(str(documents[1][1])).encode("utf-16-le")
    same = [match for match in report["matches"] if match["kind"] == "same"]
    assert {match["document"] for match in same} == {2}
    for match in same:
        start, end, first, last = match["span"]
        at, to = match["source"]
        assert stored[2 * start : 2 * end].decode("utf-16-le") == found[2 * at : 2 * to].decode("utf-16-le")
        assert last - first >= 13
    assert any(copied.rstrip("。") in stored[2 * m["span"][0] : 2 * m["span"][1]].decode("utf-16-le") for m in same)


def test_a_removed_document_takes_no_part(upload: Upload) -> None:
    text = Prose(8).text(600)
    documents = library(upload, text)
    files.write_json(SCOPE, {"segments": [{"key": SEGMENT, "documents": []}]})
    run(act="check", file=upload(text.encode()), name="文", scope=SCOPE, text=TEXT, report=REPORT)
    assert files.read_json(REPORT)["matches"] == []
    files.write_json(SCOPE, {"segments": [{"key": SEGMENT, "documents": documents}]})
    run(act="check", file=upload(text.encode()), name="文", scope=SCOPE, text=TEXT, report=REPORT)
    assert files.read_json(REPORT)["matches"] != []


def test_a_document_removed_while_a_check_runs_takes_no_part(upload: Upload) -> None:
    text = Prose(8).text(600)
    documents = library(upload, text, Prose(9).text(600))
    files.write_json(SCOPE, {"segments": [{"key": SEGMENT, "documents": documents}]})
    store.compared_path(str(documents[0][1])).unlink()
    run(act="check", file=upload(text.encode()), name="文", scope=SCOPE, text=TEXT, report=REPORT)
    assert files.read_json(REPORT)["matches"] == []


def test_two_texts_with_each_other(upload: Upload) -> None:
    text = Prose(9).text(500)
    other = {"file": upload(text.encode("gb18030")), "name": "乙.txt", "text": OTHER}
    run(act="check", file=upload(text.encode()), name="甲.txt", other=other, text=TEXT, report=REPORT)
    (match,) = files.read_json(REPORT)["matches"]
    assert (match["kind"], match["document"]) == ("same", 0)
    assert match["span"][2:] == [0, files.read_json(REPORT)["characters"]]


def test_more_than_is_free_is_refused_before_anything_is_compared(upload: Upload) -> None:
    text = Prose(13).text(500).encode()
    other = {"file": upload(text), "name": "乙", "text": OTHER}
    payload = {"file": upload(text), "name": "甲", "other": other, "text": TEXT, "report": REPORT}
    with pytest.raises(DataRefusal, match=r"text\.quota"):
        run(act="check", most=300, **payload)
    with pytest.raises(DataRefusal, match=r"file\.absent"):
        files.read(TEXT)


def test_texts_that_are_too_short_are_told_and_the_others_added(upload: Upload) -> None:
    prose = Prose(10)
    good, short = upload(prose.text(400).encode()), upload("太短".encode())
    answer = run(
        act="add",
        segment=SEGMENT,
        documents=[
            {"id": 5, "file": short, "name": "短.txt", "text": TEXT},
            {"id": 6, "file": good, "name": "好.txt", "text": OTHER},
        ],
    )
    first, second = answer["documents"]  # type: ignore[misc]
    assert first["refusal"]["code"] == "text.length"
    assert second["characters"] >= 400
    assert segment.open_segment(SEGMENT).ids.tolist() == [6]


def test_segments_put_together_lose_what_was_removed(upload: Upload) -> None:
    prose = Prose(11)
    library(upload, prose.text(400), prose.text(400), prose.text(400))
    segment.write(SECOND, [(9, segment.open_segment(SEGMENT).document(0))])
    parts = [{"key": SEGMENT, "documents": [1, 3]}, {"key": SECOND, "documents": [9]}]
    assert run(act="merge", segment=THIRD, **{"from": parts}) == {"documents": [1, 3, 9]}
    merged, first = segment.open_segment(THIRD), segment.open_segment(SEGMENT)
    assert merged.ids.tolist() == [1, 3, 9]
    assert merged.document(1).tolist() == first.document(2).tolist()


def test_a_damaged_segment_and_a_foreign_key_are_refused(upload: Upload) -> None:
    with pytest.raises(DataRefusal, match=r"plagdet\.damaged"):
        segment.open_segment(SEGMENT)
    with pytest.raises(DataRefusal, match=r"key\.invalid"):
        files.read("../../etc/passwd")


def test_a_run_that_is_stopped_leaves_no_report(upload: Upload) -> None:
    text = Prose(12).text(400).encode()
    payload = {"act": "check", "file": upload(text), "name": "文", "other": None, "text": TEXT, "report": REPORT}
    with pytest.raises(Cancelled):
        TASKS["plagdet"](payload, lambda *_: False)
    with pytest.raises(DataRefusal, match=r"file\.absent"):
        files.read(REPORT)
