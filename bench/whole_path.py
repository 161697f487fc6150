"""1,000 rows over HTTP: a run from the call to the whole report, against the plain script of `methods_script.py`.

Needs a running product with the sandbox (`npm start`). Prints medians of wall time in milliseconds: the whole path, the
script in this process, the difference; then the same while 16 users call at once, round after round. With the process
id of the server also milliseconds of the processor for a call, of server and engine: on a busy machine they tell more.
Each call has another confidence level, so that no stored report answers it. Each user keeps one connection, as a browser
does, and has an address of its own (127.0.0.2 and on: Linux), since the product allows 60 analyses a minute from one.
Run in engine/:

    .venv/bin/python ../bench/whole_path.py http://127.0.0.1:8000 [process id of the server]
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import sys
import tempfile
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import pandas as pd

sys.path.insert(0, str(Path(__file__).parent))

from methods import FORMS, make
from methods_script import SCRIPTS

USERS, TIMES, ROUNDS = 16, 20, 8
SEEDED = ("statistical/kmeans_cluster", "statistical/factor_analysis")
"""They have no confidence level; another seed is another run."""
LONG = ("supervised_learning/classifier/random_forest",)
"""Left out: the fits themselves take many seconds, and the call answers with a run to wait for."""


class User:
    """One person on one connection, with a table; every run is another one."""

    def __init__(self, address: str, number: int, content: bytes) -> None:
        server = urlsplit(address)
        self.line = http.client.HTTPConnection(
            server.hostname or "127.0.0.1", server.port, source_address=(f"127.0.0.{number + 2}", 0)
        )
        self.token: str | None = None
        self.token = self.sign_in(number)
        self.vid, self.ids = self.table(content)
        self.level = 0.9

    def call(self, method: str, path: str, body: Any = None) -> Any:
        return json.loads(self.answer(method, path, body))["data"]

    def answer(self, method: str, path: str, body: Any) -> bytes:
        """A browser reads it on another machine: what it means is read outside the time measured."""
        kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
        headers = {"accept": "application/json"} | ({} if body is None else {"content-type": kind})
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        self.line.request(method, path, sent, headers)
        reply = self.line.getresponse()
        said = reply.read()
        assert reply.status < 300, said[:500]
        return said

    def sign_in(self, number: int) -> str:
        phone = f"137{os.getpid() % 10_000:04}{number:04}"
        self.call("POST", "/v1/login/phone/captcha", {"phone": phone, "ticket": "sandbox", "rand": "x"})
        sent = self.call("POST", "/v1/login/phone/verify-code", {"phone": phone})
        found = re.search(r"\b\d{6}\b", json.dumps(self.call("GET", f"/sandbox/sms?phone={phone}")))
        assert found is not None
        form = {"phone": phone, "verify_code": found[0], "verify_key": sent["verify_key"]}
        return str(self.call("POST", "/v1/login/phone", form)["token"])

    def table(self, content: bytes) -> tuple[int, dict[str, str]]:
        """Version and ids of its columns by name."""
        begun = self.call("POST", "/v1/user/file/uploads", {"name": "big.csv", "size": len(content)})
        base = f"/v1/user/file/uploads/{begun['upload_id']}"
        self.call("PUT", f"{base}?offset=0", content)
        run = self.call("POST", f"{base}/import", {"name": "表", "on_doubt": "text"})
        while (now := self.call("GET", f"/v1/runs/{run['run_id']}"))["state"] not in ("done", "failed"):
            time.sleep(0.1)
        vid = now["result"]["vid"]
        columns = self.call("GET", f"/v1/user/file/versions/{vid}")["columns"]
        return vid, {column["name"]: column["id"] for column in columns}

    def run(self, method: str) -> float:
        """Seconds from the call to the report; `frequency` has no other level to ask for than its interval's."""
        self.level += 0.0007
        ids = self.ids
        form: dict[str, Any] = {
            key: [ids[one] for one in value] if isinstance(value, list) else ids[value]
            for key, value in FORMS[method][0].items()
        }
        if method in SEEDED:
            form["seed"] = round(self.level * 1e5)
        else:
            form["conf_level"] = round(self.level, 5)
        if method == "descriptive/frequency":
            form["conf_interval"] = True
        start = time.perf_counter()
        said = self.answer("POST", f"/algorithm/{method}?vid={self.vid}", form)
        taken = time.perf_counter() - start
        found = json.loads(said)["data"]
        assert found["state"] == "done" and not found["cached"], found
        return taken


def processor(server: int | None) -> tuple[float, float]:
    """Seconds of the processor used so far: by the server, and by what it started (the engine and its children)."""
    if server is None:
        return 0.0, 0.0
    used: dict[int, tuple[int, float]] = {}
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            after = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            used[int(entry.name)] = int(after[1]), (int(after[11]) + int(after[12])) / os.sysconf("SC_CLK_TCK")

    def below(pid: int) -> float:
        return sum(seconds + below(child) for child, (parent, seconds) in used.items() if parent == pid)

    return used[server][1], below(server)


def of_processor(server: int | None, before: tuple[float, float], calls: int) -> str:
    if server is None:
        return ""
    own, engine = ((b - a) / calls * 1e3 for a, b in zip(before, processor(server), strict=True))
    return f"   processor: server {own:5.1f}, engine {engine:5.1f}"


def together(users: list[User], plain: dict[str, float], server: int | None) -> None:
    """All users at once, methods in turn; over what the script of each takes alone."""
    over, longest, before = [], [], processor(server)
    with ThreadPoolExecutor(USERS) as pool:
        for _ in range(ROUNDS):
            taken = {m: list(pool.map(lambda user, m=m: user.run(m), users)) for m in list(SCRIPTS)[:3]}
            over.append(median(one - plain[m] for m, each in taken.items() for one in each) * 1e3)
            longest.append(max(max(each) for each in taken.values()) * 1e3)
    told = of_processor(server, before, ROUNDS * 3 * USERS)
    print(
        f"{USERS} users at once, over the script: first round {over[0]:.0f} ms, all rounds {median(over):.0f}"
        f" ({min(over):.0f} to {max(over):.0f}; aim 150), longest call {median(longest):.0f}{told}"
    )


def main() -> None:
    address = sys.argv[1].rstrip("/")
    server = int(sys.argv[2]) if len(sys.argv) > 2 else None
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "big.csv"
        make(path, 1000)
        content, frame = path.read_bytes(), pd.read_csv(path)
    users = [User(address, i, content) for i in range(USERS)]
    alone: dict[str, float] = {}
    for user, (method, script) in zip(users, SCRIPTS.items(), strict=False):
        if method in LONG:
            continue
        # Another person for each method: an account without membership has fifty analyses a day.
        user.run(method)
        before = processor(server)
        whole = median(user.run(method) for _ in range(TIMES))
        usage = of_processor(server, before, TIMES)
        script(frame)
        plain = []
        for _ in range(TIMES):
            start = time.perf_counter()
            script(frame)
            plain.append(time.perf_counter() - start)
        alone[method] = median(plain)
        over = (whole - alone[method]) * 1e3
        sides = f"whole {whole * 1e3:6.1f}   script {alone[method] * 1e3:6.1f}   over {over:6.1f} (aim 60)"
        print(f"{method:36} {sides}{usage}", flush=True)
    together(users, alone, server)


if __name__ == "__main__":
    main()
