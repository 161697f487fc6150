"""What a person's own condition or pattern takes part in is asked of a child that can be killed, never done here."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from hengxi.http.app import build
from hengxi.jobs.worker_pool import Outcome

KEY = f"t_{'a' * 32}"


class Told:
    """Runs that remember what they were asked and answer as they are told."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, float | None]] = []
        self.outcome = Outcome("done", result=b"{}")

    def view(self, act: str, key: str, body: dict[str, Any], *, timeout_s: float | None = None) -> Outcome:
        assert key == KEY
        self.asked.append((act, timeout_s))
        return self.outcome


def post(runs: Told, url: str, body: dict[str, Any]) -> httpx.Response:
    async def ask() -> httpx.Response:
        face = httpx.ASGITransport(app=build(runs, "s"))  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=face, base_url="http://engine") as client:
            return await client.post(f"/tables/{KEY}/{url}", json=body, headers={"authorization": "Bearer s"})

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("url", "body", "act", "text"),
    [
        ("find", {"seek": {"text": "(a+)+", "pattern": True}}, "find", "查找用时太久"),
        ("find", {"text": "a", "condition": "{c1} > 1"}, "find", "筛选条件算得太久"),
        ("replace", {"seek": {"text": "a"}, "with": "b"}, "replace", "数据没有改动"),
    ],
)
def test_a_child_looks_it_up_within_its_time(url: str, body: dict[str, Any], act: str, text: str) -> None:
    runs = Told()
    assert post(runs, url, body).status_code == 200
    runs.outcome = Outcome("timeout")
    late = post(runs, url, body)
    assert late.status_code == 422 and text in late.json()["error"]["text"]
    assert [one for one, _ in runs.asked] == [act, act] and all(limit is not None for _, limit in runs.asked)
