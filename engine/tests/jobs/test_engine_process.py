"""The engine as a process: who may call, what it says, and that nothing is left behind however it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from hengxi.data import derive
from hengxi.data.build import table_of
from tests.jobs import processes

pytestmark = pytest.mark.slow

SECRET = "s" * 64
ENGINE = Path(__file__).parents[2]

# Stands for the server: starts the engine with a pipe as its standard input, then only waits.
PARENT = """
import subprocess, sys, time
engine = subprocess.Popen([sys.executable, "-m", "hengxi.main"], stdin=subprocess.PIPE)
print(engine.pid, flush=True)
time.sleep(600)
"""


class Engine:
    def __init__(self, folder: Path) -> None:
        self.socket = folder / "run" / "engine.sock"
        env = {
            **os.environ,
            "HENGXI_DATA": str(folder),
            "HENGXI_ENGINE_SOCKET": str(self.socket),
            "HENGXI_ENGINE_SECRET": SECRET,
            "HENGXI_WORKERS": "1",
        }
        self.parent = subprocess.Popen(
            [sys.executable, "-c", PARENT], cwd=ENGINE, env=env, stdout=subprocess.PIPE, text=True
        )
        assert self.parent.stdout
        self.pid = int(self.parent.stdout.readline())
        self.http = httpx.Client(
            transport=httpx.HTTPTransport(uds=str(self.socket)),
            base_url="http://engine",
            headers={"authorization": f"Bearer {SECRET}"},
            timeout=60,
        )
        processes.until(self.answers, 60)

    def answers(self) -> bool:
        try:
            return self.http.get("/health").status_code == 200
        except httpx.TransportError:
            return False

    def end(self) -> None:
        self.parent.kill()
        self.parent.wait()


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    engine = Engine(tmp_path_factory.mktemp("data"))
    yield engine
    engine.end()


def test_health_says_that_a_worker_answered(engine: Engine) -> None:
    health = engine.http.get("/health").json()
    assert health["ok"] is True
    assert time.time() - health["toy_at"] < 60
    assert health["libraries"]["scipy"]


def test_nobody_without_the_secret_is_served(engine: Engine) -> None:
    assert engine.http.get("/health", headers={"authorization": "Bearer wrong"}).status_code == 401
    assert engine.http.get("/health", headers={"authorization": ""}).status_code == 401
    assert engine.socket.stat().st_mode & 0o777 == 0o600


def test_events_tell_of_a_run_and_a_later_listener_hears_how_it_ended(engine: Engine) -> None:
    order = {
        "run_id": 1,
        "kind": "import",
        "payload": {"upload": "../x", "name": "a.csv", "table": "t_" + "0" * 32},
        "memory_mb": 512,
        "timeout_s": 9,
    }
    assert engine.http.post("/runs", json=order).status_code == 202
    for _ in range(2):
        with engine.http.stream("GET", "/events") as stream:
            ended = next(event for event in map(json.loads, stream.iter_lines()) if event.get("state") == "refused")
        assert ended["refusal"]["fields"][0]["code"] == "key.invalid"


def test_paths_and_odd_bodies_are_refused_without_a_traceback(engine: Engine) -> None:
    assert engine.http.get("/tables/..%2f..%2fetc").status_code in {404, 422}
    assert engine.http.get("/tables/t_nothex").status_code == 422
    assert engine.http.post("/runs", content=b"[1]").status_code == 422
    assert engine.http.post("/runs", json={"kind": "script"}).status_code == 400
    assert engine.http.post("/runs", json={"kind": "import"}).status_code == 400
    assert engine.http.get("/runs/999").status_code == 404


def test_rows_under_a_condition_come_from_a_child_in_the_words_of_the_reader(engine: Engine) -> None:
    key = "t_" + "1" * 32
    derive.write(table_of({"x": [1.0, 2.0, 3.0]}), engine.socket.parents[1] / "tables" / key)

    def ask(act: str, **body: Any) -> httpx.Response:
        return engine.http.post(f"/tables/{key}/{act}", json=body)

    long = "+".join(["{c1}"] * 60)
    assert ask("count", condition=f"{long} > 100").json() == {"count": 2, "rows": 3}
    assert ask("rows", condition=f"{long} > 100", limit=9).json()["index"] == [1, 2]
    assert ask("edge", condition=f"{long} > 100", row=0, column=0, to="down").json() == {"row": 1, "column": 0}
    wrong = ask("count", condition="{c1} >")
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (422, "formula.syntax")
    assert wrong.json()["error"]["facts"]["at"] == 6
    absent = f"/tables/t_{'2' * 32}/count"
    plain, narrowed = engine.http.post(absent, json={}), engine.http.post(absent, json={"condition": "{c1} > 1"})
    assert narrowed.status_code == plain.status_code
    assert narrowed.json()["error"]["text"] == plain.json()["error"]["text"]


@pytest.mark.parametrize("place", ["socket", "port"])
def test_where_it_cannot_listen_it_ends_with_a_code_and_a_sentence(place: str, tmp_path: Path) -> None:
    env = {**os.environ, "HENGXI_DATA": str(tmp_path), "HENGXI_ENGINE_SECRET": SECRET, "HENGXI_WORKERS": "1"}
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        # Longer than the name of a Unix socket may be.
        way = {"socket": ("HENGXI_ENGINE_SOCKET", str(tmp_path / ("s" * 120))), "port": ("HENGXI_ENGINE_PORT", port)}
        env |= dict([way[place]])
        command = [sys.executable, "-m", "hengxi.main"]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, cwd=ENGINE, env=env, stdin=pipe, stderr=pipe, text=True) as engine:
            assert engine.stderr and engine.wait(120) == 1
            said = engine.stderr.read()
    assert f"cannot listen on {'port ' + port if place == 'port' else way[place][1]}" in said


@pytest.mark.parametrize("victim", ["parent", "engine"])
def test_a_sigkill_leaves_no_process_behind(victim: str, tmp_path: Path) -> None:
    engine = Engine(tmp_path)
    family = processes.family(engine.pid)
    assert len(family) >= 4, "engine, fork server, child and spare"
    os.kill(engine.parent.pid if victim == "parent" else engine.pid, signal.SIGKILL)
    processes.until(lambda: not processes.alive(family), 5)
    engine.end()
