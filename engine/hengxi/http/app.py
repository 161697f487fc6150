"""The engine's small face towards the server: runs, events, previews, drafts, pages of tables. JSON in and out.

Only our server may call: a Unix socket with mode 0600 or loopback, and a secret in every request.
Keys come in, never paths.
"""

from __future__ import annotations

import asyncio
import hmac
import shutil
import sys
import time
import traceback
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from importlib.metadata import version
from typing import Any

import orjson
from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from hengxi.answers import reading as answer_reading
from hengxi.answers import writing as answer_writing
from hengxi.contract.refusal import Refusal
from hengxi.data import (
    append,
    carrying,
    cells,
    copying,
    edge,
    edits,
    pages,
    row_pages,
    shaping,
    store,
    text_check,
    text_preview,
    typed_counts,
)
from hengxi.data.exporting import formulas
from hengxi.data.refusal import DataRefusal
from hengxi.data.table import Table
from hengxi.jobs.runs import VIEW_SECONDS, VIEWERS, Runs
from hengxi.jobs.tasks import TASKS

BODY_LIMIT = 64 * 2**20
BEAT = 5.0
TOY_EVERY = 50.0
REPLACE_SECONDS = 18.0
"""The new version is written within this time; the server waits somewhat longer."""
CONDITION_LONG = "筛选条件算得太久，已停止。请缩短条件，或先筛选出较少的行"
LIBRARIES = ("numpy", "scipy", "pandas", "statsmodels", "scikit-learn", "pyarrow", "polars", "duckdb")

Handler = Callable[[Request], Awaitable[Response]]


def json(content: Any, status: int = 200) -> Response:
    body = orjson.dumps(content, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS)
    return Response(body, status, media_type="application/json")


def fault(status: int, code: str, text: str, facts: dict[str, Any] | None = None, **more: Any) -> Response:
    return json({"error": {"code": code, "text": text, "facts": facts or {}, **more}}, status)


class Secret:
    """Refuses every request that does not carry the secret."""

    def __init__(self, app: ASGIApp, secret: str) -> None:
        self.app = app
        self.expected = f"Bearer {secret}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = dict(scope.get("headers", [])).get(b"authorization", b"")
        if scope["type"] == "http" and not hmac.compare_digest(given, self.expected):
            await fault(401, "secret", "引擎拒绝了这次调用")(scope, receive, send)
            return
        await self.app(scope, receive, send)


async def body_of(request: Request) -> dict[str, Any]:
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > BODY_LIMIT:
            raise DataRefusal("request.large", "请求内容过大")
    try:
        body = orjson.loads(bytes(raw) or b"{}")
    except orjson.JSONDecodeError as error:
        raise DataRefusal("request.json", "请求不是有效的 JSON") from error
    if not isinstance(body, dict):
        raise DataRefusal("request.json", "请求不是 JSON 对象")
    return body


class Face:
    """The routes; `runs` is started by the caller."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs
        # Who waits for a viewer holds no thread of the engine: those are for everybody's pages.
        self.viewing = CapacityLimiter(VIEWERS)

    async def health(self, request: Request) -> Response:
        health = self.runs.health()
        toy_at = health["toy_at"] or 0.0
        if time.time() - toy_at > TOY_EVERY and health["busy"] == 0:
            await run_in_threadpool(self.runs.toy)
            health = self.runs.health()
        libraries = {name: version(name) for name in LIBRARIES}
        return json({"ok": health["toy_at"] is not None, "version": engine_version(), "libraries": libraries, **health})

    async def submit(self, request: Request) -> Response:
        body = await body_of(request)
        if body.get("kind") not in TASKS or not isinstance(body.get("payload"), dict):
            return fault(400, "run.kind", "没有这种任务")
        try:
            limits = int(body["memory_mb"]), float(body["timeout_s"])
            order = (int(body["run_id"]), body["kind"], body["payload"], *limits)
        except (KeyError, TypeError, ValueError):
            return fault(400, "run.shape", "任务缺少编号或限额")
        # Puts it in the line and waits for nothing: a thread of its own would take longer.
        return json(self.runs.submit(*order), 202)

    async def run(self, request: Request) -> Response:
        run_id = int(request.path_params["run_id"])
        acts = {"GET": self.runs.get, "DELETE": self.runs.cancel, "POST": self.runs.stop}
        status = await run_in_threadpool(acts[request.method], run_id)
        return json(status) if status else fault(404, "run.absent", "没有这个任务")

    async def events(self, request: Request) -> Response:
        return StreamingResponse(self._events(), media_type="application/x-ndjson")

    async def _events(self) -> AsyncIterator[bytes]:
        """First the last event of every remembered run, then each as it comes, and a beat while nothing does."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

        def hear(event: dict[str, Any]) -> None:
            loop.call_soon_threadsafe(waiting.put_nowait, event)

        end = self.runs.subscribe(hear)
        try:
            for event in self.runs.open_events():
                yield ndjson_line(event)
            while True:
                try:
                    yield ndjson_line(await asyncio.wait_for(waiting.get(), BEAT))
                except TimeoutError:
                    yield ndjson_line({"beat": True})
        finally:
            end()

    async def preview(self, request: Request) -> Response:
        outcome = await run_in_threadpool(self.runs.call, "preview", await body_of(request))
        if outcome.state == "done":
            return Response(outcome.result, media_type="application/json")
        if outcome.refusal:
            first = outcome.refusal["fields"][0]
            return fault(422, first["code"], first["text"], first["facts"], remedies=first["remedies"])
        error = outcome.error or {}
        if error.get("code") == "child_killed":
            return fault(422, "preview.killed", error["text"], remedies=[])
        texts = {"timeout": "预览用时过长，请直接导入", "memory": "文件过大，无法预览，请直接导入"}
        return fault(422, f"preview.{outcome.state}", texts.get(outcome.state, "文件内容异常，解析已终止"))

    async def answer(self, request: Request) -> Response:
        """A saved model and typed values; in a child, since it computes."""
        outcome = await run_in_threadpool(self.runs.call, "answer", await body_of(request))
        if outcome.state == "done":
            return Response(outcome.result, media_type="application/json")
        first = outcome.refusal["fields"][0] if outcome.refusal else None
        if first is not None:
            return fault(422, first["code"], first["text"], first["facts"])
        return fault(422, f"answer.{outcome.state}", "模型没有给出结果，请稍后再试")

    async def model(self, request: Request) -> Response:
        key = request.path_params["key"]
        await run_in_threadpool(shutil.rmtree, store.model_path(key), True)
        return json({"deleted": key})

    async def draft(self, request: Request) -> Response:
        from hengxi.jobs.analysis import draft

        return json(await run_in_threadpool(draft, await body_of(request)))

    async def recommend(self, request: Request) -> Response:
        from hengxi.selectors import recommend

        body = await body_of(request)
        return json(await run_in_threadpool(recommend, body["table"], body["columns"]))

    async def selectors(self, request: Request) -> Response:
        from hengxi.selectors import selectors

        return json(await run_in_threadpool(selectors))

    async def table(self, request: Request) -> Response:
        key = request.path_params["key"]
        if request.method == "DELETE":
            await run_in_threadpool(shutil.rmtree, store.table_path(key), True)
            return json({"deleted": key})
        table = await run_in_threadpool(Table.open, key)
        return json(table.meta.wire())

    async def rows(self, request: Request) -> Response:
        return await self._view(request, "rows", pages.rows)

    async def count(self, request: Request) -> Response:
        return await self._view(request, "count", pages.count)

    async def find(self, request: Request) -> Response:
        return await self._view(request, "find", pages.find)

    async def edge(self, request: Request) -> Response:
        return await self._view(request, "edge", edge.edge)

    async def text_preview(self, request: Request) -> Response:
        key, body = request.path_params["key"], await body_of(request)
        return json(await run_in_threadpool(text_preview.text_preview, key, body))

    async def answers(self, request: Request) -> Response:
        key, body = request.path_params["key"], await body_of(request)
        return json(await run_in_threadpool(answer_reading.answers, key, body))

    async def coded(self, request: Request) -> Response:
        key, body = request.path_params["key"], await body_of(request)
        return json(await run_in_threadpool(answer_writing.coded, key, body))

    async def text_check(self, request: Request) -> Response:
        return json(await run_in_threadpool(text_check.text_check, request.path_params["key"]))

    async def first_report(self, request: Request) -> Response:
        from hengxi.first_report import plan

        return json(await run_in_threadpool(plan, request.path_params["key"], await body_of(request)))

    async def questionnaire(self, request: Request) -> Response:
        from hengxi.data.questionnaire import structure

        act = {"propose": structure.propose, "against": structure.against}[request.path_params["act"]]
        return json(await run_in_threadpool(act, request.path_params["key"], await body_of(request)))

    async def _view(self, request: Request, act: str, here: Callable[[str, dict[str, Any]], Any]) -> Response:
        """What a condition narrows is looked up in a child, which can be killed; everything else at once, here."""
        key, body = request.path_params["key"], await body_of(request)
        if not (body.get("sample") or body.get("seek") or str(body.get("condition") or "").strip()):
            return json(await run_in_threadpool(here, key, body))
        long = "查找用时太久，已停止。请只查一列，或先筛选出较少的行" if body.get("seek") else CONDITION_LONG
        return await self._watched(act, key, body, long)

    async def replace(self, request: Request) -> Response:
        key, body = request.path_params["key"], await body_of(request)
        long = "替换用时太久，已停止，数据没有改动。请只替换一列，或先筛选出较少的行"
        return await self._watched("replace", key, body, long, REPLACE_SECONDS)

    async def _watched(
        self, act: str, key: str, body: dict[str, Any], long: str, seconds: float = VIEW_SECONDS
    ) -> Response:
        look = partial(self.runs.view, act, key, body, timeout_s=seconds)
        outcome = await to_thread.run_sync(look, limiter=self.viewing)
        if outcome.state == "done":
            return Response(outcome.result, media_type="application/json")
        if outcome.refusal:
            first = outcome.refusal["fields"][0]
            status = 404 if first["code"].endswith(".absent") else 422
            return fault(status, first["code"], first["text"], first["facts"])
        texts = {"timeout": long, "memory": "内存不够，已停止。请先筛选出较少的行"}
        return fault(422, f"view.{outcome.state}", texts.get(outcome.state, "没有完成，请重试"))

    async def edit(self, request: Request) -> Response:
        return json(await run_in_threadpool(edits.edit, request.path_params["key"], await body_of(request)))

    async def export_check(self, request: Request) -> Response:
        return json(await run_in_threadpool(formulas.check, request.path_params["key"], await body_of(request)))

    async def cells(self, request: Request) -> Response:
        return json(await run_in_threadpool(cells.edit_cells, request.path_params["key"], await body_of(request)))

    async def shape(self, request: Request) -> Response:
        return json(await run_in_threadpool(shaping.shape, request.path_params["key"], await body_of(request)))

    async def carry(self, request: Request) -> Response:
        return json(await run_in_threadpool(carrying.preview, request.path_params["key"], await body_of(request)))

    async def counts(self, request: Request) -> Response:
        return json(await run_in_threadpool(typed_counts.make, request.path_params["key"], await body_of(request)))

    async def append(self, request: Request) -> Response:
        return json(await run_in_threadpool(append.append, request.path_params["key"], await body_of(request)))

    async def copy(self, request: Request) -> Response:
        return json(await run_in_threadpool(copying.copy, request.path_params["key"], await body_of(request)))

    async def kept_rows(self, request: Request) -> Response:
        body = await body_of(request)
        asked = str(body.get("file")), int(body.get("offset", 0)), int(body.get("limit", 0))
        return json(await run_in_threadpool(row_pages.read, request.path_params["key"], *asked))


def ndjson_line(event: dict[str, Any]) -> bytes:
    return orjson.dumps(event, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS) + b"\n"


def engine_version() -> str:
    from hengxi import VERSION

    return VERSION


async def refused(request: Request, error: Exception) -> Response:
    if isinstance(error, Refusal):
        return json({"error": {"code": error.code, "text": error.text, "facts": {}}, **error.wire()}, 422)
    if isinstance(error, DataRefusal):
        return json({"error": error.wire()}, 404 if error.code.endswith(".absent") else 422)
    if store.is_full(error):
        return json({"error": store.full_disk().wire()}, 422)
    # A mistake of ours: the log gets the traceback, the caller a number to quote.
    number = uuid.uuid4().hex[:8]
    print(f"bug {number} in {request.url.path}", file=sys.stderr)
    traceback.print_exception(error, file=sys.stderr)
    return fault(500, "bug", f"分析引擎出错（编号 {number}）")


def build(runs: Runs, secret: str) -> ASGIApp:
    """The application; `runs` must have been started from the main thread."""
    face = Face(runs)
    routes = [
        Route("/health", face.health),
        Route("/runs", face.submit, methods=["POST"]),
        Route("/runs/{run_id:int}", face.run, methods=["GET", "DELETE"]),
        Route("/runs/{run_id:int}/stop", face.run, methods=["POST"]),
        Route("/events", face.events),
        Route("/preview", face.preview, methods=["POST"]),
        Route("/answer", face.answer, methods=["POST"]),
        Route("/models/{key}", face.model, methods=["DELETE"]),
        Route("/draft", face.draft, methods=["POST"]),
        Route("/recommend", face.recommend, methods=["POST"]),
        Route("/selectors", face.selectors),
        Route("/tables/{key}", face.table, methods=["GET", "DELETE"]),
        Route("/tables/{key}/rows", face.rows, methods=["POST"]),
        Route("/tables/{key}/count", face.count, methods=["POST"]),
        Route("/tables/{key}/find", face.find, methods=["POST"]),
        Route("/tables/{key}/edge", face.edge, methods=["POST"]),
        Route("/tables/{key}/text-check", face.text_check, methods=["POST"]),
        Route("/tables/{key}/text-preview", face.text_preview, methods=["POST"]),
        Route("/tables/{key}/answers", face.answers, methods=["POST"]),
        Route("/tables/{key}/coded", face.coded, methods=["POST"]),
        Route("/tables/{key}/first-report", face.first_report, methods=["POST"]),
        Route("/tables/{key}/questionnaire/{act:str}", face.questionnaire, methods=["POST"]),
        Route("/tables/{key}/edit", face.edit, methods=["POST"]),
        Route("/tables/{key}/export-check", face.export_check, methods=["POST"]),
        Route("/tables/{key}/cells", face.cells, methods=["POST"]),
        Route("/tables/{key}/replace", face.replace, methods=["POST"]),
        Route("/tables/{key}/shape", face.shape, methods=["POST"]),
        Route("/tables/{key}/carry", face.carry, methods=["POST"]),
        Route("/tables/{key}/append", face.append, methods=["POST"]),
        Route("/tables/{key}/counts", face.counts, methods=["POST"]),
        Route("/tables/{key}/copy", face.copy, methods=["POST"]),
        Route("/tables/{key}/kept-rows", face.kept_rows, methods=["POST"]),
    ]
    handlers: Any = {Refusal: refused, DataRefusal: refused, Exception: refused}
    return Secret(Starlette(routes=routes, exception_handlers=handlers), secret)
