"""Listening, the lifeline to the server, and an end that leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
import traceback
from pathlib import Path

import uvicorn

from hengxi import registry
from hengxi.data import store
from hengxi.http.app import build
from hengxi.jobs.queue import QueueFactory, ThreadQueue
from hengxi.jobs.runs import Runs

KEEP_ALIVE = 86_400
"""Seconds. The server alone ends a connection: one the engine ended while a call was being sent is a call refused."""


def listening_socket() -> socket.socket:
    """Loopback TCP when HENGXI_ENGINE_PORT is set, else the Unix socket HENGXI_ENGINE_SOCKET with mode 0600."""
    port, path = os.environ.get("HENGXI_ENGINE_PORT"), os.environ.get("HENGXI_ENGINE_SOCKET")
    if not port and not path:
        sys.exit("HENGXI_ENGINE_SOCKET and HENGXI_ENGINE_PORT are both missing: nowhere to listen")
    try:
        return _port(int(port)) if port else _socket(Path(str(path)))
    except (OSError, OverflowError, ValueError) as error:
        sys.exit(f"cannot listen on {f'port {port}' if port else path}: {error}")


def _port(number: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", number))
    return listener


def _socket(path: Path) -> socket.socket:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # The mode is set before anybody can connect: between bind and chmod nobody listens yet.
    listener.bind(str(path))
    path.chmod(0o600)
    return listener


def watch_lifeline() -> None:
    """The server holds our standard input; its end is the server's end, however that came."""

    def wait() -> None:
        while sys.stdin.buffer.read(4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)
        # An orderly end has three seconds; the kernel takes the children along when we go.
        threading.Timer(3.0, os._exit, (0,)).start()

    threading.Thread(target=wait, name="lifeline", daemon=True).start()


def queue_from_environment() -> QueueFactory:
    """By HENGXI_WORKERS_BY: `threads` of this process, or `dask`, which is imported only then."""
    wanted = os.environ.get("HENGXI_WORKERS_BY") or "threads"
    if wanted == "threads":
        return ThreadQueue
    if wanted != "dask":
        sys.exit(f"HENGXI_WORKERS_BY is threads or dask, not {wanted}")
    from hengxi.jobs.cluster import Cluster

    return Cluster


def main() -> None:
    """Start workers, listen, serve until SIGTERM or the end of the lifeline."""
    os.umask(0o077)  # tables are nobody else's business; our children inherit it
    secret = os.environ.get("HENGXI_ENGINE_SECRET", "")
    if len(secret) < 32:
        sys.exit("HENGXI_ENGINE_SECRET is missing or shorter than 32 characters")
    # What may end it comes before the lifeline: Python cannot end in order while a thread waits for standard input.
    queue, listener = queue_from_environment(), listening_socket()
    if os.environ.get("HENGXI_ENGINE_LIFELINE", "on") != "off":
        watch_lifeline()
    store.sweep()  # what imports of a killed engine left behind
    runs = Runs(int(os.environ.get("HENGXI_WORKERS") or 0) or None, queue=queue)
    runs.start()
    # The first draft should not wait for the statistics libraries.
    threading.Thread(target=registry.load_frequent, name="methods", daemon=True).start()
    config = uvicorn.Config(
        build(runs, secret), http="httptools", loop="uvloop", log_level="warning", access_log=False, lifespan="off",
        timeout_keep_alive=KEEP_ALIVE,
    )  # fmt: skip
    server = uvicorn.Server(config)
    code = 0
    try:
        asyncio.run(server.serve(sockets=[listener]))
    except (Exception, SystemExit):
        # The exit below would leave no trace of it.
        traceback.print_exc()
        code = 1
    finally:
        runs.close()
        sys.stderr.flush()
        os._exit(code)
