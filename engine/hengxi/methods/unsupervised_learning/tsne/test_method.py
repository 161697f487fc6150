"""What is particular to t-SNE: what is too few, too many, alike; colours; what is saved."""

from pathlib import Path

import numpy as np
import pandas as pd

from hengxi.stats.embedding import kept, tsne_divergence
from hengxi.testing import Trial, check, element, records, warnings

HERE = Path(__file__).parent
FRAME = pd.read_csv(HERE / "oracle-other.csv")
NAMES = list(FRAME.columns[2:])
TRIAL = Trial(
    "unsupervised_learning/tsne", FRAME, {"x": NAMES, "perplexity": 10, "max_iter": 250, "compare": False},
    {"编号": "定类", "品种": "定类", **dict.fromkeys(NAMES, "定量")},
)  # fmt: skip
report, refused = TRIAL.report, TRIAL.refused


def test_measures_agree_with_r_on_the_same_coordinates() -> None:
    wine = pd.read_csv(HERE / "example.csv")[NAMES].to_numpy()
    other = FRAME[NAMES[1:]].to_numpy()
    spaces = {
        "plain": ((wine - wine.mean(axis=0)) / wine.std(axis=0, ddof=1), "euclidean"),
        "other": (other / other.std(axis=0, ddof=1).max(), "cityblock"),
    }
    for row in pd.read_csv(HERE / "oracle-measures.csv").to_dict("records"):
        space, metric = spaces[row["tag"].strip()]
        place = pd.read_csv(HERE / f"oracle-{row['tag'].strip()}-{row['perplexity']:g}-coordinates.csv").to_numpy()
        found = kept(space, place, metric)
        assert np.allclose(
            [found.trust, found.continuity, found.shared], [row["trust"], row["continuity"], row["shared"]], rtol=1e-10
        )
        assert np.isclose(tsne_divergence(space, place, metric, row["perplexity"]), row["kl"], rtol=1e-6)


def test_fewer_than_ten_rows_are_refused() -> None:
    assert "只剩9行，至少需要10行" in refused(FRAME.head(9)).text


def test_a_perplexity_not_below_the_rows_is_refused() -> None:
    refusal = refused(perplexity=60)
    assert "困惑度必须小于样本量60" in refusal.text and refusal.faults[0].remedies


def test_a_perplexity_beyond_a_third_of_the_rows_is_lowered() -> None:
    elements = report(perplexity=40)
    assert "data.perplexity" in warnings(elements)
    assert abs(records(elements, "quality")[0]["perplexity"] - 59 / 3) < 1e-12


def test_rows_that_repeat_are_refused() -> None:
    twice = pd.concat([FRAME.head(20)] * 3, ignore_index=True)
    assert "重复行过多" in refused(twice).text


def test_text_is_refused_and_constants_are_left_out() -> None:
    assert "定量" in refused(FRAME.assign(镁="高"), {"镁": "定类"}).text
    assert "data.constant" in warnings(report(FRAME.assign(镁=1)))
    assert refused(FRAME.assign(**dict.fromkeys(NAMES, 1))).code == "role.constant"


def test_groups_and_values_colour_different_figures() -> None:
    elements = report(color="品种", shade="酒精", x=NAMES[1:])
    assert [e["name"] for e in elements if e["type"] == "chart"] == ["map", "shaded"]
    assert {row["group"] for row in records(elements, "points")} == {"甲", "乙", "丙"}


def test_one_seed_gives_one_picture_and_another_a_different_one() -> None:
    first, again, other = (element(report(init="random", seed=s), "coordinates")["rows"] for s in (1, 1, 2))
    assert first == again and first != other


def test_noise_is_not_trusted() -> None:
    noise = pd.DataFrame(np.random.default_rng(2).normal(size=(80, 30)), columns=[f"项{i}" for i in range(30)])
    elements = TRIAL.report(noise, dict.fromkeys(noise.columns, "定量"), x=list(noise.columns))
    assert check(elements, "近邻可信")["state"] == "care"


def test_coordinates_are_saved() -> None:
    data = next(e for e in report(append=True) if e["type"] == "data")
    assert [column["name"] for column in data["columns"]] == ["维1", "维2"]
