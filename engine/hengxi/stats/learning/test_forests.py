"""A forest grown in steps is the library's own; one that was tampered with is not opened."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import TargetEncoder

from hengxi.stats.learning import forests
from hengxi.stats.learning.features import Coding


def sample(n: int = 120) -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(n, 4)).astype(np.float32)
    return x, (x[:, 0] + rng.normal(size=n) > 0).astype(np.int64) + (x[:, 1] > 1)


def grown(trees: int = 30, **settings: Any) -> tuple[Any, Any, Any]:
    x, y = sample()
    forest = RandomForestClassifier(random_state=7, **settings)
    return x, y, forests.grow(forest, x, y, None, trees, lambda *_: True, "")


def test_growing_in_steps_changes_nothing() -> None:
    x, y, steps = grown()
    whole = RandomForestClassifier(30, random_state=7, oob_score=True).fit(x, y)
    assert np.array_equal(steps.predict_proba(x), whole.predict_proba(x))
    assert np.array_equal(forests.forest_of(steps, 3).answers(x), whole.predict_proba(x))
    shares, errors = forests.out_of_bag(steps, x, y, 3)
    assert np.array_equal(shares, whole.oob_decision_function_) and errors.size == 30
    assert errors[-1] == pytest.approx(1 - whole.oob_score_)


def test_with_weights_a_tree_is_asked_only_about_rows_it_did_not_see() -> None:
    """The library draws rows in proportion to their weights: other rows are left out than without."""
    x, y = sample()
    weight = np.linspace(0.1, 4.0, y.size)
    whole = RandomForestClassifier(40, random_state=7, oob_score=True).fit(x, y, sample_weight=weight)
    forest = RandomForestClassifier(random_state=7)
    steps = forests.grow(forest, x, y, weight, 40, lambda *_: True, "")
    shares, errors = forests.out_of_bag(steps, x, y, 3)
    assert np.array_equal(shares, whole.oob_decision_function_)
    assert errors[-1] == pytest.approx(1 - whole.oob_score_)
    drawn = forests.in_bag(steps, y.size)
    assert all(set(np.flatnonzero(drawn[:, t])) == set(one) for t, one in enumerate(whole.estimators_samples_))


def test_the_number_of_cores_changes_nothing() -> None:
    x, _, one = grown()
    _, _, two = grown(n_jobs=2)
    assert np.array_equal(forests.forest_of(one, 3).answers(x), forests.forest_of(two, 3).answers(x))


def test_told_to_stop_it_gives_what_stands() -> None:
    x, y = sample()
    stopped = forests.grow(RandomForestClassifier(random_state=7), x, y, None, 500, lambda *_: False, "")
    assert len(stopped.estimators_) == forests.FIRST_STEP


def test_stored_and_read_again_it_answers_the_same() -> None:
    x, _, forest = grown()
    kept = forests.forest_of(forest, 3)
    assert np.array_equal(forests.unpack(forests.pack(kept)).answers(x), kept.answers(x))


@pytest.mark.parametrize(
    ("name", "value"), [("left_child", 10**6), ("right_child", 0), ("feature", 99), ("feature", -7)]
)
def test_a_node_that_points_outside_is_refused(name: str, value: int) -> None:
    _, _, forest = grown(5)
    arrays = forests.pack(forests.forest_of(forest, 3))
    changed = arrays[f"forest.{name}"].copy()
    changed[int(np.flatnonzero(arrays["forest.left_child"] != -1)[0])] = value
    with pytest.raises(ValueError, match="a node"):
        forests.unpack(arrays | {f"forest.{name}": changed})


# ---- coding --------------------------------------------------------------------------------------------------------
RAW = np.array([[0, 1.0], [1, 2.0], [2, np.nan], [np.nan, 4.0], [1, 5.0], [0, 9.0]])
Y = np.array([0, 1, 1, 0, 1, 0])


def test_one_column_a_level_and_one_for_two() -> None:
    coding, coded = Coding.learn(RAW[[0, 1, 1]], [3, 0], "onehot", "listwise", Y[:3], 1)
    assert coded.tolist() == [[1, 0, 0, 1], [0, 1, 0, 2], [0, 1, 0, 2]] and coding.places.tolist() == [0, 0, 0, 1]
    two, coded = Coding.learn(RAW[[0, 1, 1]], [2, 0], "onehot", "listwise", Y[:3], 1)
    assert coded[:, 0].tolist() == [0, 1, 1] and two.places.tolist() == [0, 1]


def test_gaps_take_the_mean_or_median_and_the_most_frequent_level() -> None:
    mean, coded = Coding.learn(RAW, [3, 0], "ordinal", "mean", Y, 1)
    assert coded[3, 0] == 0 and coded[2, 1] == pytest.approx(21 / 5)
    assert Coding.learn(RAW, [3, 0], "ordinal", "median", Y, 1)[0].fills.tolist() == [0, 4]
    again = Coding.unpack(mean.pack())
    assert np.array_equal(again.apply(RAW), coded)


def test_target_codes_are_the_librarys_and_cross_fitted() -> None:
    rng = np.random.default_rng(1)
    level, y = rng.integers(0, 4, 60).astype(float), rng.integers(0, 2, 60)
    coding, coded = Coding.learn(level[:, None], [4], "target", "listwise", y, 5)
    library = TargetEncoder(cv=StratifiedKFold(5, shuffle=True, random_state=5), target_type="binary")
    assert np.allclose(coded, library.fit_transform(level[:, None], y))
    assert np.allclose(coding.apply(level[:, None]), library.transform(level[:, None]))
    assert np.array_equal(Coding.unpack(coding.pack()).apply(level[:, None]), coding.apply(level[:, None]))
