"""1,000,000 rows, the table stored: a step of data processing with its report and its new version, against Polars.

Polars reads the Parquet file, does the same to the same columns, and writes the whole table; ours reads, does it,
profiles what is new, writes the report and stores the next version. Processor seconds of both, one thread each, and
their ratio (aim 1.5); `--bare` also tells the work in Polars without any file. Run in engine/:

    .venv/bin/python ../bench/steps.py [--rows N] [--bare] [part of a method's key ...]
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).resolve().parents[1] / "engine")]

from hengxi.jobs.tuning import environment  # noqa: E402

os.environ.update(environment() | {"POLARS_MAX_THREADS": "1"})  # of both sides, before their libraries are loaded

import numpy as np  # noqa: E402
import polars as pl  # noqa: E402
from polars import col  # noqa: E402

KEY, NEXT = "t_" + "0" * 32, "t_" + "1" * 32
AIM = 1.5
LONG = 8.0
NAMED = re.compile(r"\{([^}]+)\}")
ITEMS = ["q1", "q2", "q3", "q4"]
Frame = pl.DataFrame


def make(path: Path, rows: int) -> None:
    rng = np.random.default_rng(20240101)
    cities = np.array([" 北京", "上海 ", "广州", "成都"])
    days = np.datetime64("2020-01-01") + rng.integers(0, 1500, rows)
    x1 = np.round(rng.normal(50, 8, rows), 3)
    income = np.round(np.exp(rng.normal(8, 0.6, rows)), 2)
    table: dict[str, Any] = {
        "编号": rng.permutation(rows),
        "手机": 13_000_000_000 + rng.integers(0, 10**9, rows),
        "性别": rng.choice(["男", "女"], rows),
        "城市": rng.choice(cities, rows),
        "日期": days,
        "地址": rng.choice(["浙江-杭州", "江苏-南京", "广东-深圳"], rows),
        "x1": x1,
        "x2": np.round(x1 * 0.5 + rng.normal(0, 5, rows), 3),
        "x3": np.where(rng.random(rows) < 0.05, np.nan, np.round(rng.normal(0, 1, rows), 3)),
        "收入": income,
        **{item: rng.integers(1, 6, rows) for item in ITEMS},
    }
    frame = pl.DataFrame(table).with_columns(col("x3").fill_nan(None))
    frame.write_csv(path)


def zscore(frame: Frame) -> Frame:
    return frame.with_columns(((col("x1") - col("x1").mean()) / col("x1").std()).alias("z"))


def fences(frame: Frame) -> Frame:
    low, high = (frame["收入"].quantile(q, "linear") or 0.0 for q in (0.25, 0.75))
    reach = 1.5 * (high - low)
    return frame.with_columns((~col("收入").is_between(low - reach, high + reach)).cast(pl.Int8).alias("异常"))


def principal(frame: Frame) -> Frame:
    values = frame.select("x1", "x2", "收入").to_numpy()
    scaled = (values - values.mean(0)) / values.std(0, ddof=1)
    _, vectors = np.linalg.eigh(scaled.T @ scaled / (len(scaled) - 1))
    scores = scaled @ vectors[:, ::-1][:, :1]
    return frame.with_columns(pl.Series("PC1", scores[:, 0]))


CASES: dict[str, tuple[dict[str, Any], Callable[[Frame], Frame]]] = {
    "filter": ({"condition": "{x1} > 50", "filter_type": "keep"}, lambda f: f.filter(col("x1") > 50)),
    "compute_variable": (
        {"name": "新", "expression": "{收入} / ({x1} / 100) ^ 2"},
        lambda f: f.with_columns((col("收入") / (col("x1") / 100) ** 2).alias("新")),
    ),
    "transform": ({"variables": ["收入"], "method": "ln"}, lambda f: f.with_columns(col("收入").log().alias("ln"))),
    "normalization": ({"variables": ["x1"], "method": "zscore"}, zscore),
    "outlier_handling": ({"variables": ["收入"], "rule": "iqr", "action": "flag"}, fences),
    "missing_value": (
        {"variables": ["x3"], "method": "mean"},
        lambda f: f.with_columns(col("x3").fill_null(col("x3").mean())),
    ),
    "value_coding": (
        {"variables": ["性别"], "rules": [{"old": "男", "new": 1}, {"old": "女", "new": 2}]},
        lambda f: f.with_columns(col("性别").replace_strict({"男": 1, "女": 2}).alias("码")),
    ),
    "dummy_variable": (
        {"variables": ["性别"], "coding": "dummy"},
        lambda f: f.with_columns((col("性别") == "女").cast(pl.Int8).alias("女")),
    ),
    "encode_category": (
        {"variables": ["城市"], "method": "label"},
        lambda f: f.with_columns(col("城市").rank("dense").alias("码")),
    ),
    "binning": (
        {"variables": ["x1"], "method": "quantile", "n_bins": 5},
        lambda f: f.with_columns(col("x1").qcut(5).alias("箱")),
    ),
    "text_clean": ({"variables": ["城市"]}, lambda f: f.with_columns(col("城市").str.strip_chars().alias("净"))),
    "split_column": (
        {"variable": "地址", "delimiter": "-"},
        lambda f: f.with_columns(col("地址").str.split_exact("-", 1).alias("分")).unnest("分"),
    ),
    "date_parts": (
        {"date": "日期"},
        lambda f: f.with_columns(col("日期").dt.year().alias("年"), col("日期").dt.month().alias("月")),
    ),
    "sort": ({"keys": ["收入"]}, lambda f: f.sort("收入", maintain_order=True)),
    "dedupe": (
        {"keys": ["性别", "城市", "日期"]},
        lambda f: f.unique(["性别", "城市", "日期"], keep="first", maintain_order=True),
    ),
    "rank_cases": ({"variables": ["收入"], "type": "rank"}, lambda f: f.with_columns(col("收入").rank().alias("秩"))),
    "count_values": (
        {"variables": ITEMS, "values": "5"},
        lambda f: f.with_columns(pl.sum_horizontal(col(ITEMS) == 5).alias("计数")),
    ),
    "scale_score": (
        {"items": ITEMS, "dimensions": [{"for": item, "dimension": "总", "reverse": False} for item in ITEMS]},
        lambda f: f.with_columns(pl.mean_horizontal(ITEMS).alias("总")),
    ),
    "interaction_terms": (
        {"variables": ["x1"], "moderators": ["x2"], "center": "center"},
        lambda f: f.with_columns(((col("x1") - col("x1").mean()) * (col("x2") - col("x2").mean())).alias("积")),
    ),
    "lag_difference": (
        {"variables": ["x1"], "operation": ["lag"], "periods": 1, "time": "编号"},
        lambda f: f.with_columns(col("x1").shift(1).over(order_by="编号").alias("滞后")),
    ),
    "smoothing": (
        {"variables": ["x1"], "method": "moving_average", "time": "编号"},
        lambda f: f.with_columns(col("x1").rolling_mean(3, center=True).over(order_by="编号").alias("平滑")),
    ),
    "aggregate_file": (
        {"groups": ["城市"], "variables": ["x1", "收入"], "functions": ["mean", "sd", "n"]},
        lambda f: f.group_by("城市").agg(
            col("x1", "收入").mean().name.suffix("均"), col("x1", "收入").std().name.suffix("差"), pl.len()
        ),
    ),
    "resample_time": (
        {"time": "日期", "variables": ["收入"], "freq": "month", "agg": "sum", "fill": "none"},
        lambda f: f.group_by(col("日期").dt.truncate("1mo")).agg(col("收入").sum()).sort("日期"),
    ),
    "pivot_longer": (
        {"variables": ITEMS, "id": ["编号"], "names_to": "题", "values_to": "分"},
        lambda f: f.unpivot(ITEMS, index="编号", variable_name="题", value_name="分"),
    ),
    "sampling": ({}, lambda f: f.sample(fraction=0.1, seed=1)),
    "train_test_split": (
        {"method": "random"},
        lambda f: f.with_columns(pl.Series("集", np.random.default_rng(1).random(f.height) < 0.7)),
    ),
    "type_convert": ({"variables": ["编号"], "target": "text"}, lambda f: f.with_columns(col("编号").cast(pl.String))),
    "rename_select": ({"variables": ["x1", "收入"], "action": "keep"}, lambda f: f.select("x1", "收入")),
    "variable_label": ({"variables": ITEMS, "value_labels": "1=低；5=高"}, lambda f: f),
    "weight_cases": ({"weight": "q1"}, lambda f: f),
    "data_masking": (
        {"variables": ["手机"], "method": "mask"},
        lambda f: f.with_columns(
            (col("手机").cast(pl.String).str.slice(0, 3) + "****" + col("手机").cast(pl.String).str.slice(-4)).alias(
                "手机"
            )
        ),
    ),
    "pca_reduction": ({"variables": ["x1", "x2", "收入"], "method": "pca"}, principal),
    "generate_sequence": ({"name": "序号"}, lambda f: f.with_row_index("序号")),
    "invalid_sample": (
        {"items": ITEMS},
        lambda f: f.with_columns((pl.max_horizontal(ITEMS) == pl.min_horizontal(ITEMS)).alias("无效")),
    ),
}
"""Form by names of variables, and the same in Polars."""


def store_table(path: Path) -> dict[str, str]:
    """Ids of the stored columns by name."""
    from hengxi.data import store
    from hengxi.data.importing import import_table

    done = import_table(path, "big.csv", {}, {}, "text", None, store.table_path(KEY), lambda *_: True)
    return {column["name"]: column["id"] for column in done["columns"]}


def payload(key: str, ids: dict[str, str]) -> dict[str, Any]:
    from hengxi import registry
    from hengxi.prepare import to_ids

    path = f"data_processing/{key}"
    form = to_ids(registry.load(path), CASES[key][0], ids)
    form = {
        name: NAMED.sub(lambda found: "{" + ids[found[1]] + "}", one) if isinstance(one, str) else one
        for name, one in form.items()
    }
    platform = {"filter": None, "split": None, "weight": None, "fill_missing": 0, "seed": 1}
    return {"path": path, "form": form, "table": KEY, "kept": NEXT, "preview": False, **platform}


def run(asked: dict[str, Any]) -> None:
    from hengxi.data import store
    from hengxi.jobs.analysis import run_analysis

    shutil.rmtree(store.table_path(NEXT), ignore_errors=True)
    run_analysis(asked, lambda *_: True)


def cpu_seconds(work: Callable[[], object], times: int = 3) -> float:
    """Median processor time of a few runs, after one that is not counted; of one run where that took long."""
    start = time.process_time()
    work()
    taken: list[float] = []
    for _ in range(times if time.process_time() - start < LONG else 1):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return sorted(taken)[len(taken) // 2]


def main() -> None:
    reader = argparse.ArgumentParser()
    reader.add_argument("--bare", action="store_true")
    reader.add_argument("--rows", type=int, default=1_000_000)
    reader.add_argument("parts", nargs="*")
    asked = reader.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HENGXI_DATA"] = folder
        from hengxi.jobs.worker import calm_collector

        path, plain, output = (Path(folder) / name for name in ("big.csv", "big.parquet", "output.parquet"))
        make(path, asked.rows)
        ids = store_table(path)
        frame = pl.read_csv(path, try_parse_dates=True)
        frame.write_parquet(plain)
        calm_collector()
        for key, (_, same) in CASES.items():
            if asked.parts and not any(part in key for part in asked.parts):
                continue
            try:
                question = payload(key, ids)
                ours = cpu_seconds(lambda q=question: run(q))
            except Exception as error:
                print(f"{key:20} {type(error).__name__}: {error}", flush=True)
                continue
            theirs = cpu_seconds(lambda s=same: s(pl.read_parquet(plain)).write_parquet(output))
            line = f"{key:20} ours {ours:6.3f} s   Polars {theirs:6.3f} s   ratio {ours / theirs:5.2f} (aim {AIM})"
            if asked.bare:
                line += f"   without files {cpu_seconds(lambda s=same: s(frame)):6.3f} s"
            print(line, flush=True)


if __name__ == "__main__":
    main()
