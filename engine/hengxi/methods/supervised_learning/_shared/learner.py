"""The course of every learner, whatever it predicts; a task adds its form, its scores and its report, a method its
settings and its own learning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from hengxi.contract import (
    Arrays,
    Fitted,
    Model,
    ModelCard,
    ModelTarget,
    Points,
    Progress,
    Report,
    SavedModel,
    Table,
    Try,
)
from hengxi.methods.supervised_learning._shared import learning_curve, reporting
from hengxi.methods.supervised_learning._shared.explained import BY_COALITIONS, TOO_MANY, explain
from hengxi.methods.supervised_learning._shared.fitting import (
    Fit,
    Recipe,
    Rows,
    Watch,
    cross,
    for_search,
    is_long,
    permutation,
)
from hengxi.methods.supervised_learning._shared.found import Found
from hengxi.methods.supervised_learning._shared.learning_curve import trace
from hengxi.methods.supervised_learning._shared.searching import Trial, search
from hengxi.methods.supervised_learning._shared.task import Task
from hengxi.stats.learning.features import GAPS_KEPT, Coding
from hengxi.stats.learning.shapley import Shapley
from hengxi.stats.moments import Floats
from hengxi.stats.names import short


class Learner(Model):
    """What a method gives: `params`, `learn`, `answers`, `stored`, `restored`, `weights_of`, `grid`, `explainer`.

    What a task gives: `build`, `scored`, `write`, `judge`, `explained`, `card`, and how its score is called. Its
    elements are named importance, bars, importance_plot, folds, trials, tried, tried_cases, tried_plot, curve,
    curve_points, curve_plot, settings, saved, attempt, and those of SHAP.
    """

    random = True
    row_order = True
    min_rows = 20
    weights = ("sampling",)
    missing = "keep"
    score_name: ClassVar[str]
    """Of the learning curve and of permutation: 准确率, R²."""
    score_low: ClassVar[float | None] = None
    """The least a score can be; the most is 1."""
    curve: ClassVar[Table]
    curve_points: ClassVar[Points]
    few_test: ClassVar[str] = "请以交叉验证的结果为准"
    """What to do where the test rows are few."""
    saved: ClassVar[SavedModel]
    attempt: ClassVar[Try]
    shap_kind: ClassVar[str] = BY_COALITIONS
    """`explained.TREES` and `LINEAR` want an `explainer` of the method."""
    losses: ClassVar[Sequence[str]] = ()
    """Metrics of the search that are the better the smaller they are."""

    # ---- what a task gives -----------------------------------------------------------------------------------------
    @classmethod
    def build(cls, form: Any, report: Report) -> Task:
        """Judge the rows and variables, and split them."""
        raise NotImplementedError

    @classmethod
    def scored(cls, task: Any, form: Any, fit: Fit, params: dict[str, Any], trials: list[Trial]) -> Found:
        """The answers to all rows with the scores of the parts of the sample."""
        raise NotImplementedError

    @classmethod
    def write(cls, report: Report, form: Any, found: Any) -> None:
        """Words and tables."""
        raise NotImplementedError

    @classmethod
    def judge(cls, report: Report, form: Any, found: Any) -> None:
        """What a reader should doubt."""
        raise NotImplementedError

    @classmethod
    def explained(cls, report: Report, found: Any) -> None:
        """What SHAP says."""
        raise NotImplementedError

    @classmethod
    def card(cls, form: Any, found: Any) -> tuple[dict[str, float], ModelTarget, float | None]:
        """Scores, target and threshold of the saved model."""
        raise NotImplementedError

    @classmethod
    def margins(cls, found: Any) -> dict[str, float]:
        """Half-widths of intervals that the saved model can give."""
        return {}

    # ---- what a method gives ---------------------------------------------------------------------------------------
    @classmethod
    def params(cls, form: Any) -> dict[str, Any]:
        """The settings that `learn` takes."""
        raise NotImplementedError

    @classmethod
    def learn(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> Any:
        """A learner fitted to coded rows; once `tell` says no, give what stands."""
        raise NotImplementedError

    @classmethod
    def answers(cls, learner: Any, x: Floats) -> Floats:
        """Rows × outputs of coded rows: probabilities of classes, or values."""
        raise NotImplementedError

    @classmethod
    def stored(cls, learner: Any) -> Arrays:
        raise NotImplementedError

    @classmethod
    def restored(cls, arrays: Arrays, k: int) -> Any:
        raise NotImplementedError

    @classmethod
    def weights_of(cls, learner: Any) -> Floats | None:
        """Importance of each coded column; None: the method has none of its own."""
        return None

    @classmethod
    def grid(cls) -> dict[str, list[Any]]:
        return {}

    @classmethod
    def explainer(cls, learner: Any, x: Floats, k: int) -> Shapley:
        """Shapley values of coded rows."""
        raise NotImplementedError

    @classmethod
    def shap_kind_of(cls, learner: Any) -> str:
        """Of this fitted learner, where the kind depends on its settings."""
        return cls.shap_kind

    @classmethod
    def explained_answers(cls, learner: Any, x: Floats, answers: Floats) -> Floats:
        """What base and values of the explainer add up to, where that is not the answers."""
        return answers

    @classmethod
    def encoding(cls, form: Any) -> str:
        """How categories are coded."""
        return str(form.encode)

    @classmethod
    def explained_rows(cls, learner: Any, rows: int) -> int:
        """How many rows SHAP may explain in a few seconds."""
        return rows

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        """Tables of the method itself."""

    # ---- the same for all ------------------------------------------------------------------------------------------
    @classmethod
    def dropped_by(cls, form: dict[str, Any]) -> tuple[str, ...]:
        """Gaps in the predictors drop a row unless they are filled; the others always do."""
        always = ("y", "weight", "cv_group")
        return always if form["missing"] != "listwise" else (*always, "x")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{short([form.y.title])[0]}的{cls.title}"

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        task = cls.build(form, report)
        found = cls._train(form, task)
        report.used(task.y.size)
        cls.write(report, form, found)
        cls.own(report, form, found)
        cls._explain(report, form, found)
        cls.judge(report, form, found)
        if form.save_model:
            cls._keep(report, form, found)
        return report

    @classmethod
    def _train(cls, form: Any, task: Task) -> Found:
        """The model first: asked to stop, it is what is kept, and whatever is still to come is left out."""
        recipe = Recipe(cls.params(form), cls.learn, cls.answers, cls.encoding(form), form.missing, form.seed)
        searching = form.tune != "none"
        watch = Watch(form.progress, 3 + form.cv_folds + (form.tune_trials if searching else 0))
        trials = search(for_search(task, form.seed), form, recipe, cls.grid(), watch) if searching else []
        if trials:
            recipe.params = recipe.params | trials[0].params
        quiet = watch.stopped
        tell = (lambda *_: True) if quiet else watch.stage("训练")
        fit = recipe.fit(task, task.train, tell, "训练")
        found = cls.scored(task, form, fit, recipe.params, trials)
        if form.cv_folds and not is_long(task) and not watch.stopped:
            crossed = cross(task, form, recipe, watch)
            found.crossed = crossed if crossed.whole else None
        if not watch.stopped:
            found.shuffled = permutation(task, fit, form, watch.stage("置换重要性"))
        if form.shap and not watch.stopped:
            found.explanation = explain(task, fit, cls, found.answers, form.seed)
        if found.crossed is not None and not watch.stopped:
            found.curve = trace(task, form, recipe, found.crossed, watch)
        found.own_importance = _by_feature(cls.weights_of(fit.learner), fit.coding)
        found.stopped = watch.stopped
        return found

    @classmethod
    def _explain(cls, report: Report, form: Any, found: Found) -> None:
        """What the learning curve and SHAP say, or why they say nothing."""
        if found.curve is not None:
            learning_curve.write(report, cls, found.curve)
        else:
            reason = "训练行太少，或较少的行里只有一个类别"
            if found.crossed is None:
                reason = reporting.why_not_crossed(form, found) if form.cv_folds else "学习曲线需要交叉验证"
            reason = reporting.STOPPED if found.stopped else reason
            report.skip(cls.curve, reason)
            report.skip(cls.curve_points, reason)
        if found.explanation is not None:
            cls.explained(report, found)
        elif form.shap:
            for element in cls.shap_elements():  # type: ignore[attr-defined]
                report.skip(element, reporting.STOPPED if found.stopped else TOO_MANY)

    @classmethod
    def _keep(cls, report: Report, form: Any, found: Found) -> None:
        task, fit = found.task, found.fit
        for j, feature in enumerate(task.features):
            fill = float(fit.coding.fills[j])
            feature.fill = None if np.isnan(fill) else fill
            feature.gaps = form.missing == GAPS_KEPT
        scores, target, threshold = cls.card(form, found)
        card = ModelCard(
            task=cls.task, features=task.features, rows=int(task.train.size), scores=scores, seed=form.seed,
            target=target, threshold=threshold, settings=_plain(found.params), margins=cls.margins(found),
        )  # fmt: skip
        report.keep(cls.saved, Fitted(card, fit.coding.pack() | cls.stored(fit.learner)))
        report.offer(cls.attempt, _first_case(task))

    @classmethod
    def unpack(cls, arrays: Arrays, card: ModelCard) -> Fit:
        return Fit(Coding.unpack(arrays), cls.restored(arrays, len(card.target.classes or [])), cls.answers)

    @classmethod
    def predict(cls, fitted: Fit, matrix: Floats) -> Floats:
        return fitted.answers(matrix)


def _by_feature(weights: Floats | None, coding: Coding) -> Floats | None:
    """Importance of coded columns added up to their variables; shares of the whole."""
    if weights is None:
        return None
    total = np.bincount(coding.places, weights, minlength=len(coding.sizes)).astype(np.float64)
    whole = float(total.sum())
    return total / whole if whole > 0 else total


def _first_case(task: Task) -> dict[str, Any]:
    """The first training row without gaps, as the start of 试算."""
    x = task.x[task.train]
    row = x[int(np.argmin(np.isnan(x).any(axis=1)))]
    case: dict[str, Any] = {}
    for feature, value in zip(task.features, row, strict=True):
        if np.isnan(value):
            continue
        case[feature.key] = feature.levels[int(value)].value if feature.levels is not None else float(value)
    return case


def _plain(params: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in params.items() if value is None or isinstance(value, str | bool | int | float)}
