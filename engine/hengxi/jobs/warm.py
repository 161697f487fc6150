"""Preloaded by the fork server: what nearly every run imports, all methods and formats. Its children start within
milliseconds.

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

importlib.import_module("hengxi.registry").load_all()
importlib.import_module("hengxi.data.formats").formats()

# Collected here, once: in a child it would write to every page it shares with the others.
gc.collect()
gc.freeze()
