"""What a child can be asked to do: kind of run → function. Each takes the payload and a progress function.

A task returns the `result` of the run, a JSON-able dict; it may raise contract.Refusal (the form or the data does not
allow it) or data.DataRefusal (the file cannot be read).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hengxi.contract.progress import Progress

if TYPE_CHECKING:
    from hengxi.data.formats import CompanionFile

Payload = dict[str, Any]
Task = Callable[[Payload, Progress], dict[str, Any]]


def analysis(payload: Payload, progress: Progress) -> dict[str, Any]:
    from hengxi.jobs.analysis import run_analysis

    return run_analysis(payload, progress)


def replay(payload: Payload, progress: Progress) -> dict[str, Any]:
    """`{table, steps, tables, first?, before?}` → `{tables, steps, columns}`."""
    from hengxi.jobs.replay import run_replay

    return run_replay(payload, progress)


def import_file(payload: Payload, progress: Progress) -> dict[str, Any]:
    """`{upload, name, settings, answers, on_doubt, password, table, catalogue?}` → `{table, rows, columns, report, …}`,

    or `{questions}` when the file leaves something to ask.
    """
    from hengxi.data import importing, store

    def tell(done: float, of: float, text: str = "") -> bool:
        return progress(done, of, text)

    result = importing.import_table(
        store.upload_path(payload["upload"]),
        payload["name"],
        payload.get("settings") or {},
        payload.get("answers") or {},
        payload.get("on_doubt") or "ask",
        payload.get("password"),
        store.table_path(payload["table"]),
        tell,
        _companion_file(payload),
    )
    return {**result, "table": payload["table"]}


def _companion_file(payload: Payload) -> CompanionFile | None:
    """`catalogue: {upload, name}`: the second file of an import."""
    from hengxi.data import store
    from hengxi.data.formats import CompanionFile

    given = payload.get("catalogue")
    return CompanionFile(store.upload_path(given["upload"]), given["name"]) if given else None


def export(payload: Payload, progress: Progress) -> dict[str, Any]:
    """`{table, name, format, options, filter?, file}` → `{file, name, bytes, rows, notes}`."""
    from hengxi.data.exporting.run import export_table

    return export_table(payload, progress)


def preview(payload: Payload, progress: Progress) -> dict[str, Any]:
    """`{upload, name, settings, partial, password?, catalogue?}` → settings, candidates, columns, first rows."""
    from hengxi.data import previewing, store

    path = store.upload_path(payload["upload"], partial=bool(payload.get("partial")))
    return previewing.preview(
        path,
        payload["name"],
        payload.get("settings") or {},
        bool(payload.get("partial")),
        payload.get("password"),
        _companion_file(payload),
    )


def answer(payload: Payload, progress: Progress) -> dict[str, Any]:
    """`{model, cases}` → what a saved model says to typed values."""
    from hengxi.jobs.artifacts import answer as ask

    return ask(payload)


def view(payload: Payload, progress: Progress) -> dict[str, Any]:
    """`{act, key, body}`: what a person's own condition or pattern takes part in, and so must be stopped in time."""
    from hengxi.data import edge, pages, replacing

    acts = {
        "rows": pages.rows,
        "count": pages.count,
        "find": pages.find,
        "edge": edge.edge,
        "replace": replacing.replace,
    }
    return acts[payload["act"]](payload["key"], payload["body"])


def plagdet(payload: Payload, progress: Progress) -> dict[str, Any]:
    """`{act, …}`: compares a text with a library, adds texts to it, or puts its segments together."""
    from hengxi.plagdet import adding, comparing

    acts = {"check": comparing.check, "add": adding.add, "merge": adding.merge}
    return acts[payload["act"]](payload, progress)


def answers(payload: Payload, progress: Progress) -> dict[str, Any]:
    """`{act, key, body}`: `suggest` codes for answers, or `draft` a first code book."""
    from hengxi.answers import drafting, suggesting

    key, body = payload["key"], payload["body"]
    return drafting.draft(key, body) if payload["act"] == "draft" else suggesting.suggest(key, body, progress)


def toy(payload: Payload, progress: Progress) -> dict[str, Any]:
    """A t test of two small groups: proves that a worker answers, and takes the first-call costs before a user does."""
    from scipy import stats

    return {"p": float(stats.ttest_ind([1.0, 2.0, 3.0, 4.0], [2.0, 3.0, 4.0, 6.0], equal_var=False).pvalue)}


TASKS: dict[str, Task] = {
    "analysis": analysis,
    "replay": replay,
    "import": import_file,
    "export": export,
    "preview": preview,
    "answer": answer,
    "answers": answers,
    "view": view,
    "plagdet": plagdet,
    "toy": toy,
}
