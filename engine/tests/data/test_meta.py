"""`meta.json` is read by many threads of one engine."""

import subprocess
import sys

from hengxi.data.meta import Meta

AT_ONCE = """
import sys, threading
from hengxi.data.meta import Meta

sys.setswitchinterval(1e-7)
raw = sys.stdin.buffer.read()
go = threading.Barrier(16)


def read():
    go.wait()
    Meta.from_json(raw)


threads = [threading.Thread(target=read) for _ in range(16)]
for one in threads:
    one.start()
for one in threads:
    one.join()
"""


def test_the_first_tables_are_read_at_the_same_moment() -> None:
    # In a process of its own: in this one a table may have been read before.
    raw = Meta(data=None, rows=0, columns=[]).to_json()
    done = subprocess.run([sys.executable, "-c", AT_ONCE], input=raw, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
