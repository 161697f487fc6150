"""Preloaded by the fork server: what nearly every run imports and reads, all methods and formats. Its children start
within milliseconds, and their first run takes hardly longer than the others.

Not here: libraries only some methods use (they import them inside `run`), and anything that starts threads on import.
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
    "statsmodels.api",
    "sklearn.base",
    "orjson",
    "hengxi.registry",
    "hengxi.jobs.tasks",
    "hengxi.data.importing",
    "hengxi.data.previewing",
)

for name in PRELOADED:
    importlib.import_module(name)

registry = importlib.import_module("hengxi.registry")
registry.load_all()
citations = importlib.import_module("hengxi.citations")
for works in (citations.SHARED, *registry.ROOT.glob("**/references.yaml")):
    citations.read(works)
importlib.import_module("hengxi.jobs.identity").libraries()
importlib.import_module("hengxi.data.formats").formats()

# Collected here, once: in a child it would write to every page it shares with the others.
gc.collect()
gc.freeze()
