"""Preloaded by the fork server: what nearly every run imports and reads, the methods used most and all formats. Its
children start within milliseconds, and their first run of such a method takes hardly longer than the others.

Not here: the other methods and libraries only some methods use (imported when they run: 10 to 30 ms each), and anything
that starts threads on import.
"""

import gc
import importlib

from hengxi.jobs.lifeline import die_with_parent

die_with_parent()

PRELOADED = (
    "numpy",
    "scipy.stats",
    "scipy.optimize",
    "pandas",
    "pyarrow.parquet",
    "sklearn.base",
    "orjson",
    "hengxi.registry",
    "hengxi.jobs.tasks",
    "hengxi.jobs.analysis",
    "hengxi.data.importing",
    "hengxi.data.previewing",
)

for name in PRELOADED:
    importlib.import_module(name)

registry = importlib.import_module("hengxi.registry")
registry.load_frequent()
citations = importlib.import_module("hengxi.citations")
citations.read(citations.SHARED)
importlib.import_module("hengxi.jobs.identity").libraries()
importlib.import_module("hengxi.data.formats").formats()

# Collected here, once: in a child it would write to every page it shares with the others.
gc.collect()
gc.freeze()
