"""Regressions of two classes with a link (probit, logit, complementary log-log): from the form to the fit."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from hengxi.contract import Level, MethodRemedy, Refusal, SetRemedy
from hengxi.families.regression.design import factor_of, fitted_rows, refuse_few, standard_design, terms_of
from hengxi.families.regression.standard import LikelihoodModel
from hengxi.methods.statistical._shared.two_classes import separating, two_classes
from hengxi.stats.design import Codes, Design
from hengxi.stats.likelihood_fit import ComplementaryLogLog, Link, Logit, Maximum, Probit, Rows, maximise
from hengxi.stats.margins import Effect, margins, margins_at, point
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles

LINKS: dict[str, tuple[str, Link]] = {
    "probit": ("Probit", Probit()),
    "logit": ("Logit", Logit()),
    "cloglog": ("互补双对数", ComplementaryLogLog()),
}
SE_WORDS = {"classic": "经典", "robust": "稳健（HC0）", "cluster": "聚类稳健"}


@dataclass
class BinaryModel(LikelihoodModel):
    event: Level
    other: Level
    clusters: Codes | None = None
    others: dict[str, Maximum] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        return str(self.form.se_type)

    @property
    def link(self) -> Link:
        return LINKS[self.form.link][1]

    @property
    def link_words(self) -> str:
        return LINKS[self.form.link][0]

    @property
    def events(self) -> int:
        return int(self.fit.rows.y.sum())

    @cached_property
    def covariance(self) -> Floats:
        if self.kind == "classic":
            return self.fit.covariance
        return self.fit.sandwich(None if self.clusters is None else self.clusters.astype(float))

    @cached_property
    def tested(self) -> tuple[float, int, float]:
        """All slopes are 0: by likelihood ratio, or Wald's with the covariance chosen."""
        return self.overall if self.kind == "classic" else self.wald_overall

    # ---- marginal effects: what `stats.margins` asks of a regression with a link -----------------------------------
    @cached_property
    def spread(self) -> Floats:
        return self.link.density(self.fit.eta)

    @cached_property
    def bend(self) -> Floats:
        return self.link.bend_at(self.fit.eta)

    def mean(self, eta: Floats) -> Floats:
        return self.link.mean(eta)

    def density(self, eta: Floats) -> Floats:
        return self.link.density(eta)

    def bend_at(self, eta: Floats) -> Floats:
        return self.link.bend_at(eta)

    @cached_property
    def effects(self) -> list[Effect]:
        if self.form.margeff == "average":
            return margins(self.design, self.plain, self, np.ones(self.n))
        return margins_at(self.design, self.plain, self, point(self.design, self.form.margeff == "means"))

    def predicted(self, values: list[float]) -> dict[str, Any] | None:
        """The probability; its interval is Wald's on the linear predictor."""
        found = self.predictor(values)
        if found is None:
            return None
        value, low, high = (float(self.link.mean(np.array(eta))) for eta in found)
        return {"value": value, "low": low, "high": high}

    def by(self, link: str) -> Maximum:
        """The same columns with another link."""
        if link == self.form.link:
            return self.fit
        if link not in self.others:
            self.others[link] = maximise(self.fit.rows, LINKS[link][1])
        return self.others[link]


def build_model(form: Any) -> BinaryModel:
    """Raises `Refusal`: not two classes, separated classes, one cluster, no maximum."""
    words, link = LINKS[form.link]
    _, rows, part = fitted_rows(form)
    event, other, y = two_classes(form, part, f"{words} ")
    names = titles(form.x)
    factors = [factor_of(column, names[column.id], form, part) for column in form.x]
    terms = terms_of(form, f"{words} 回归")
    refuse_few(factors, terms, y.size)
    design, plain = standard_design(form, factors, terms, y.size, None)
    data = Rows(design.whole, y, np.zeros(y.size))
    clusters = _clusters(form) if form.se_type == "cluster" else None
    fit, null = maximise(data, link), maximise(data.with_columns([0]), link)
    if not fit.converged or float(np.abs(fit.eta).max()) > 30:
        _refuse_separated(form, design, y)
    if not fit.converged:
        text = "迭代没有收敛，得不到“{v}”的模型；请减少自变量，或合并行数很少的类别"
        raise Refusal("data.converge", text, field="x", v=form.y.title)
    model = BinaryModel(form, list(form.x), design, rows, plain, fit, null, event, other, clusters)
    if form.se_type != "classic":
        model.refuse_lone_rows(SE_WORDS[form.se_type])
    model.refuse_useless()
    return model


def _clusters(form: Any) -> Codes:
    column = form.cluster
    codes = column.codes if column.is_categorical or not column.is_number else column.numbers
    groups, places = np.unique(codes, return_inverse=True)
    if groups.size < 2:
        raise Refusal(
            "data.clusters",
            "聚类变量“{v}”只有一个取值，不能计算聚类稳健标准误",
            field="cluster",
            also=["se_type"],
            column=column.id,
            v=column.title,
            remedies=[SetRemedy(title="改用稳健标准误", set={"se_type": "robust"})],
        )
    return places


def _refuse_separated(form: Any, design: Design, y: Floats) -> None:
    found = separating(design, y)
    if not found:
        return
    name, complete = found[0]
    raise Refusal(
        "data.separation",
        "变量“{v}”{how}预测结局，系数没有有限的估计；请删除它，或用带 Firth 惩罚的 Logistic 回归",
        field="x",
        v=name,
        how="完全" if complete else "准完全",
        remedies=[
            MethodRemedy(
                title="改用 Logistic 回归（分离时自动 Firth）",
                method="statistical/logistic_regression",
                carry=["y", "x"],
            )
        ],
    )
