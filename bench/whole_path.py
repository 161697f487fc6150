"""1,000 rows over HTTP: a run from the call to the whole report, against the plain script of `methods_script.py`.

Needs a running product with the sandbox (`npm start`). Prints medians of wall time in milliseconds: the whole path, the
script in this process, the difference; then the whole path while 16 users call at once. With the process id of the
server also processor milliseconds a call of server and engine, which tell more on a busy machine. Each call has another
confidence level, so that no stored report answers it. Calls of all users are at most 55 a minute (the product allows 60
from one address). Run in engine/:

    .venv/bin/python ../bench/whole_path.py http://127.0.0.1:8000 [process id of the server]
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import tempfile
import time
import urllib.request
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

import pandas as pd

sys.path.insert(0, str(Path(__file__).parent))

from methods import FORMS, make
from methods_script import SCRIPTS

USERS, TIMES, MINUTE = 16, 6, 50
SEEDED = ("statistical/kmeans_cluster", "statistical/factor_analysis")
"""They have no confidence level; another seed is another run."""
LONG = ("supervised_learning/classifier/random_forest",)
"""Left out: the fits themselves take many seconds, and the call answers with a run to wait for."""


def call(address: str, token: str | None, method: str, path: str, body: Any = None) -> Any:
    data, headers = None, {"accept": "application/json"}
    if isinstance(body, bytes):
        data, headers["content-type"] = body, "application/octet-stream"
    elif body is not None:
        data, headers["content-type"] = json.dumps(body).encode(), "application/json"
    if token:
        headers["authorization"] = f"Bearer {token}"
    question = urllib.request.Request(address + path, data=data, headers=headers, method=method)
    with urllib.request.urlopen(question) as reply:
        return json.loads(reply.read())["data"]


def person(address: str, number: int) -> str:
    phone = f"137{os.getpid() % 10_000:04}{number:04}"
    call(address, None, "POST", "/v1/login/phone/captcha", {"phone": phone, "ticket": "sandbox", "rand": "x"})
    sent = call(address, None, "POST", "/v1/login/phone/verify-code", {"phone": phone})
    found = re.search(r"\b\d{6}\b", json.dumps(call(address, None, "GET", f"/sandbox/sms?phone={phone}")))
    assert found is not None
    form = {"phone": phone, "verify_code": found[0], "verify_key": sent["verify_key"]}
    return str(call(address, None, "POST", "/v1/login/phone", form)["token"])


def table(address: str, token: str, content: bytes) -> tuple[int, dict[str, str]]:
    """Version and ids of its columns by name."""
    begun = call(address, token, "POST", "/v1/user/file/uploads", {"name": "big.csv", "size": len(content)})
    base = f"/v1/user/file/uploads/{begun['upload_id']}"
    call(address, token, "PUT", f"{base}?offset=0", content)
    run = call(address, token, "POST", f"{base}/import", {"name": "表", "on_doubt": "text"})
    while (now := call(address, token, "GET", f"/v1/runs/{run['run_id']}"))["state"] not in ("done", "failed"):
        time.sleep(0.1)
    vid = now["result"]["vid"]
    columns = call(address, token, "GET", f"/v1/user/file/versions/{vid}")["columns"]
    return vid, {column["name"]: column["id"] for column in columns}


class Caller:
    """One user with a table; every call is another run."""

    def __init__(self, address: str, number: int, content: bytes) -> None:
        self.address, self.token = address, person(address, number)
        self.vid, self.ids = table(address, self.token, content)
        self.level = 0.9

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
        found = call(self.address, self.token, "POST", f"/algorithm/{method}?vid={self.vid}", form)
        taken = time.perf_counter() - start
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


def main() -> None:
    address = sys.argv[1].rstrip("/")
    server = int(sys.argv[2]) if len(sys.argv) > 2 else None
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "big.csv"
        make(path, 1000)
        content, frame = path.read_bytes(), pd.read_csv(path)
    callers = [Caller(address, i, content) for i in range(USERS)]
    done = 0
    for caller, (method, script) in zip(callers, SCRIPTS.items(), strict=False):
        if method in LONG:
            continue
        # Another person for each method: an account without membership has fifty analyses a day.
        caller.run(method)
        before = processor(server)
        whole = median(caller.run(method) for _ in range(TIMES))
        told = of_processor(server, before, TIMES)
        script(frame)
        plain = []
        for _ in range(TIMES):
            start = time.perf_counter()
            script(frame)
            plain.append(time.perf_counter() - start)
        over = (whole - median(plain)) * 1e3
        sides = f"whole {whole * 1e3:6.1f}   script {median(plain) * 1e3:6.1f}   over {over:6.1f} (aim 60)"
        print(f"{method:36} {sides}{told}", flush=True)
        done += TIMES + 1
        if done + TIMES + 1 > MINUTE:
            time.sleep(61)
            done = 0
    time.sleep(61)
    before = processor(server)
    with ThreadPoolExecutor(USERS) as pool:
        taken = []
        for method in list(SCRIPTS)[:3]:
            taken += list(pool.map(lambda caller, m=method: caller.run(m), callers))
    told = of_processor(server, before, len(taken))
    print(
        f"{USERS} users at once: median {median(taken) * 1e3:.1f} ms (aim 150), longest {max(taken) * 1e3:.1f} ms{told}"
    )


if __name__ == "__main__":
    main()
