"""Coordinates of scikit-learn's TSNE on the cases, as files: R computes every measure of them anew."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_wine
from sklearn.manifold import TSNE

HERE = Path(__file__).parent
NAMES = [
    "酒精",
    "苹果酸",
    "灰分",
    "灰分碱度",
    "镁",
    "总酚",
    "黄酮",
    "非黄酮酚",
    "原花青素",
    "颜色",
    "色调",
    "稀释酒",
    "脯氨酸",
]
CASES: dict[str, dict[str, Any]] = {
    "plain": {"perplexity": 30, "metric": "euclidean", "n_components": 2, "standardize": True, "rows": 178},
    "other": {"perplexity": 10, "metric": "manhattan", "n_components": 3, "standardize": False, "rows": 60},
}


def embedded(x: Any, settings: dict[str, Any], perplexity: float) -> Any:
    """In the order the platform brings rows into, which depends on their values alone."""
    key = sum(x[:, j] / np.abs(x[:, j]).max() * np.sqrt(2 + j) for j in range(x.shape[1]))
    order = np.argsort(key, kind="stable")
    u = (x - x.mean(0)) / x.std(0, ddof=1) if settings["standardize"] else x / x.std(0, ddof=1).max()
    machine = TSNE(
        settings["n_components"],
        perplexity=perplexity,
        metric=settings["metric"],
        init="pca",
        random_state=20240101,
        n_jobs=1,
    )
    y = np.empty((len(x), settings["n_components"]))
    y[order] = machine.fit_transform(u[order].astype(np.float32))
    return y


def main() -> None:
    wine = load_wine()
    x = wine.data
    frame = pd.DataFrame(x, columns=NAMES)
    frame.insert(0, "品种", np.array(["甲", "乙", "丙"])[wine.target])
    frame.insert(0, "编号", [f"W{i + 1:03d}" for i in range(len(x))])
    frame.to_csv(HERE / "example.csv", index=False)
    frame.iloc[::3].to_csv(HERE / "oracle-other.csv", index=False)
    for name, settings in CASES.items():
        part = x if name == "plain" else x[::3, 1:]
        values = {settings["perplexity"], *(v for v in (5, 15, 30, 50) if name == "plain" and v <= (len(part) - 1) / 3)}
        for value in sorted(values):
            pd.DataFrame(embedded(part, settings, value)).to_csv(
                HERE / f"oracle-{name}-{value}-coordinates.csv", index=False, float_format="%.17g"
            )


if __name__ == "__main__":
    main()
