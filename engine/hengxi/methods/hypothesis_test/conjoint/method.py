"""Full-profile conjoint: ratings or ranks of products as part-worths by least squares, pooled and person by person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy import linalg, stats

from hengxi.contract import (
    Case,
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Refusal,
    Report,
    Table,
    cases,
    choice,
    claim,
    confidence,
    figure,
    filled,
    integer,
    interval,
    num,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.families.choice.attributes import Attribute, attributes_of, same_value
from hengxi.families.choice.fitting import numbered
from hengxi.stats.moments import Floats

MOST_CELLS, LARGEST = 20_000_000, 1e100
MODELS = {"discrete": "离散（各水平各有效用）", "linear": "线性", "ideal": "理想点", "antiideal": "反理想点"}
SIGN = {"ideal": -1, "antiideal": 1}


@dataclass(frozen=True)
class Part:
    """An attribute in the design: rows of `coding` are its levels."""

    of: Attribute
    coding: Floats
    first: int
    curved: bool = False

    @property
    def slice(self) -> slice:
        return slice(self.first, self.first + self.coding.shape[1])

    def worths(self, beta: Floats) -> Floats:
        """Along the last axis of `beta` (… × parameters)."""
        return np.asarray(beta[..., self.slice] @ self.coding.T)


@dataclass(frozen=True)
class Ratings:
    parts: list[Part]
    x: Floats
    y: Floats
    persons: Any
    places: Any = field(default=None)
    """Level of each attribute in each row."""


class Conjoint(Method):
    title, title_en = "联合分析(全轮廓)", "Conjoint analysis (rating/ranking full profile)"
    family, tier = "市场与产品研究", "member"
    slug = "conjoint"
    purpose = "消费者对产品各属性水平的效用和属性重要性是多少"
    aliases = ("联合分析", "全轮廓联合分析", "结合分析", "效用值", "属性重要性", "轮廓评分")
    references = ("green1971", "green1978")
    conventions = (
        "总体效用由全部评分合在一起的最小二乘得到；个体效用由每人自己的评分得到（轮廓数多于参数时）。",
        "效应编码：同一属性各水平的效用合计为 0；哑变量编码：第一个水平为 0。两种编码的重要性相同。",
        "名次按（最大名次 + 1 − 名次）换成得分，得分越高越喜欢。",
        "线性、理想点和反理想点只用于定量属性：前者一个斜率，后两者加平方项；水平的效用减去各水平的平均。",
        "重要性 = 属性内效用的极差 ÷ 各属性极差之和；个体平均是先算每人的重要性再平均。",
        "份额：最大效用法按谁的效用最高；BTL 按效用的比例（不能有负数）；Logit 按效用的指数。",
    )
    missing = "keep"

    class Input(Form):
        score: list[Column] = role(
            "轮廓评分或名次", "定量", min=1, max=500, hint="一列：一行一人一个轮廓；多列：一行一个轮廓，每列一位受访者"
        )  # fmt: skip
        attributes: list[Column] = role("属性", "任意", min=2, max=12)
        respondent: Column | None = role("受访者编号（选填）", "任意", min=0, use="id", hint="评分只有一列时用")
        response: str = choice("应答类型", {"rating": "评分，越高越好", "ranking": "名次，1 最好"})
        level_model: str = choice("属性关系", MODELS, hint="线性等只用于定量属性，其余属性按离散")
        coding: str = choice("编码", {"effects": "效应编码", "dummy": "哑变量编码"})
        simulate: list[Case] = cases("市场模拟轮廓", of="attributes", hint="一行一个产品")
        share_rule: str = choice(
            "份额规则", {"first_choice": "最大效用", "bradley_terry_luce": "BTL", "logit": "Logit"}, default="logit"
        )  # fmt: skip
        conf_level: float = confidence()

    worths = Table(
        "效用表", attribute=text("属性"), level=text("水平"), utility=num("效用"),
        se=num("标准误", least=0, around="utility"), t=num("*t*"), p=pvalue(),
        ci=interval("CI", "low", "high", around="utility"), merge=("attribute",), place="main",
        claim=claim("named", stat("*t*", "t"), effect="utility", names=("attribute", "level")),
    )  # fmt: skip
    plot = Chart(
        "分属性效用图", "interval", of=worths, x="level", y="utility", low="low", high="high", facet="attribute"
    )  # fmt: skip
    importance = Table(
        "重要性表", attribute=text("属性"), pooled=percent("重要性（总体）"), mean=percent("重要性（个体平均）"),
        sd=percent("标准差", most=None), place="main",
    )  # fmt: skip
    bars = Chart("属性重要性", "bar", of=importance, x="attribute", y="pooled", place="main")
    fit = Table(
        "拟合", layout="record", n=integer("评分数"), persons=integer("受访者"),
        r2=num("*R*²", most=1, decimals=3),
        adjusted=num("调整 *R*²", most=1, decimals=3), tau=num("Kendall τ", least=-1, most=1, decimals=3),
        individual=num("个体 *R*² 的平均", most=1, decimals=3),
        reversed=integer("方向相反的人次"),
    )  # fmt: skip
    simulated = Table(
        "市场模拟表", product=text("产品"), utility=num("总效用"), first=percent("最大效用份额"),
        btl=percent("BTL 份额"),
        logit=percent("Logit 份额"), when={"simulate": filled}, place="main",
    )  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        return [NextStep(title="按人群分开看", method="hypothesis_test/conjoint", form=form, seek=["_split"])]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = cls._read(report, form)
        cls._judge(data)
        n, k = data.x.shape
        beta, residual, inverse = _fit(data.x, data.y)
        df = n - k
        if df < 1:
            text_of = "评分有 {n} 个，参数有 {k} 个，至少要多一个评分才能估计"
            raise Refusal("data.few", text_of, field="score", n=n, k=k)
        variance = float(residual @ residual) / df
        cls._worths(report, form, data, beta, variance * inverse, df)
        individual = cls._individuals(data)
        shares = cls._importance(report, data, beta, individual)
        cls._fit_row(report, form, data, beta, residual, individual)
        cls._simulate(report, form, data, beta, individual)
        cls._words(report, form, data, beta, shares)
        return report

    # ---- reading ---------------------------------------------------------------------------------------------------
    @classmethod
    def _read(cls, report: Report, form: Any) -> Ratings:
        held: Any = ~np.array([column.missing for column in form.attributes]).any(axis=0)
        wide = np.column_stack([column.numbers for column in form.score]).astype(float)
        if len(form.score) > 1:
            person: Any = np.tile(np.arange(len(form.score)), len(wide))
        elif form.respondent is not None:
            held &= ~form.respondent.missing
            person = numbered(form.respondent)
        else:
            person = np.zeros(len(wide), dtype=int)
        rows = np.repeat(np.arange(len(wide)), wide.shape[1])
        y = wide.ravel()
        kept = ~np.isnan(y) & held[rows]
        rows, y, person = rows[kept], y[kept], np.unique(person[kept], return_inverse=True)[1]
        if y.size and (np.abs(y).max() > LARGEST or 0 < np.ptp(y) < 1 / LARGEST):
            raise Refusal("data.magnitude", "评分的数值过大或过小，请换单位", field="score")
        if y.size == 0:
            raise Refusal("data.empty", "没有同时有评分和全部属性的行，请核对缺失", field="score", also=["attributes"])
        if form.response == "ranking":
            best = np.zeros(int(person.max()) + 1)
            np.maximum.at(best, person, y)
            y = best[person] + 1 - y
        report.used(int(np.unique(rows).size))
        attributes = attributes_of(form.attributes, None, form.coding == "effects", np.unique(rows))
        parts, columns, places, first = [], [np.ones(y.size)], [], 1
        for one in attributes:
            coding = _coding(one, form)
            order = np.zeros(len(one.column.levels) + 1, dtype=int)
            for i, level in enumerate(one.levels):
                order[level.code] = i
            place = order[one.column.codes[rows]]
            curved = form.level_model in SIGN and coding.shape[1] == 2 and _is_number(one)
            parts.append(Part(replace(one, first=first), coding, first, curved))
            columns += list(coding[place].T)
            places.append(place)
            first += coding.shape[1]
        if y.size * first > MOST_CELLS:
            raise Refusal("data.size", "数据太大（{n} 个评分），请抽取部分受访者", field="score", n=y.size)
        return Ratings(parts, np.column_stack(columns), y, person, np.array(places))

    @staticmethod
    def _judge(data: Ratings) -> None:
        """Attributes that the others give: named in pairs where two levels always go together."""
        if np.ptp(data.y) == 0:
            raise Refusal("data.constant", "所有评分都相同，无法估计效用，请核对放入的评分", field="score")
        size = np.sqrt((data.x**2).sum(axis=0))
        _, r, order = linalg.qr(data.x / size, mode="economic", pivoting=True)
        weak = np.abs(np.diag(r)) < 1e-9 * abs(r[0, 0])
        lost = [int(order[i]) for i in np.flatnonzero(weak)] + [int(i) for i in order[len(weak) :]]
        if not lost:
            return
        part = next((one for one in data.parts if one.slice.start <= max(lost) < one.slice.stop), data.parts[-1])
        i = data.parts.index(part)
        same = next(
            (
                other
                for j, other in enumerate(data.parts)
                if j != i and len(set(zip(data.places[i], data.places[j], strict=True))) == len(part.of.words)
            ),
            None,
        )
        if same is not None:
            raise Refusal(
                "data.confounded", "属性“{a}”与“{b}”在设计中完全相关，无法分离；请移去一个", field="attributes",
                a=part.of.name, b=same.of.name,
            )  # fmt: skip
        raise Refusal(
            "data.confounded", "属性“{a}”与其他属性的组合完全相关，或轮廓太少，无法分离；请移去它或增加轮廓",
            field="attributes", a=part.of.name,
        )  # fmt: skip

    @staticmethod
    def _individuals(data: Ratings) -> tuple[Floats, Floats] | None:
        """Coefficients and R² of everybody who rated more profiles than there are parameters."""
        k, found, fits = data.x.shape[1], [], []
        for person in range(int(data.persons.max()) + 1):
            rows = data.persons == person
            x, y = data.x[rows], data.y[rows]
            if len(y) <= k or np.ptp(y) == 0 or np.linalg.matrix_rank(x) < k:
                continue
            beta, residual, _ = _fit(x, y)
            found.append(beta)
            fits.append(1 - float(residual @ residual) / float(((y - y.mean()) ** 2).sum()))
        return (np.array(found), np.array(fits)) if found else None

    # ---- tables ----------------------------------------------------------------------------------------------------
    @classmethod
    def _worths(cls, report: Report, form: Any, data: Ratings, beta: Floats, covariance: Floats, df: int) -> None:
        reach = float(stats.t.isf((1 - form.conf_level) / 2, df))
        for part in data.parts:
            for word, line in zip(part.of.words, part.coding, strict=True):
                value = float(line @ beta[part.slice])
                se = float(np.sqrt(max(0.0, line @ covariance[part.slice, part.slice] @ line)))
                t = value / se if se > 0 else None
                report.row(
                    cls.worths, attribute=part.of.name, level=word, utility=value, se=se if se > 0 else None, t=t,
                    p=None if t is None else float(2 * stats.t.sf(abs(t), df)), low=value - reach * se,
                    high=value + reach * se,
                )  # fmt: skip
        value, se = float(beta[0]), float(np.sqrt(covariance[0, 0]))
        report.row(
            cls.worths, attribute="常数项", level="", utility=value, se=se, t=value / se,
            p=float(2 * stats.t.sf(abs(value / se), df)), low=value - reach * se, high=value + reach * se,
        )  # fmt: skip
        how = "同一属性各水平的效用合计为 0" if form.coding == "effects" else "第一个水平的效用为 0"
        report.note(
            cls.worths, f"{how}；CI 的置信水平为 {{level:percent}}，自由度 {{df:integer}}。", level=form.conf_level,
            df=df,
        )  # fmt: skip

    @classmethod
    def _importance(
        cls, report: Report, data: Ratings, beta: Floats, individual: tuple[Floats, Floats] | None
    ) -> list[tuple[str, float]]:
        pooled = _shares(data.parts, beta)
        own = None if individual is None else _shares(data.parts, individual[0])
        order = np.argsort(-pooled, kind="stable")
        for i in order:
            report.row(
                cls.importance, attribute=data.parts[i].of.name, pooled=float(pooled[i]),
                mean=None if own is None else float(own[:, i].mean()),
                sd=None if own is None or len(own) < 2 else float(own[:, i].std(ddof=1)),
            )  # fmt: skip
        if own is None:
            report.note(cls.importance, "没有人评的轮廓多于参数，只有总体的重要性。")
        else:
            report.note(cls.importance, "个体平均来自 {n:integer} 位受访者，各人的偏好不同时常大于总体。", n=len(own))
        return [(data.parts[i].of.name, float(pooled[i])) for i in order]

    @classmethod
    def _fit_row(
        cls, report: Report, form: Any, data: Ratings, beta: Floats, residual: Floats,
        individual: tuple[Floats, Floats] | None,
    ) -> None:  # fmt: skip
        n, k = data.x.shape
        total = float(((data.y - data.y.mean()) ** 2).sum())
        r2 = 1 - float(residual @ residual) / total
        _, place = np.unique(data.places, axis=1, return_inverse=True)
        count = np.bincount(place.ravel())
        observed = np.bincount(place.ravel(), weights=data.y) / count
        predicted = np.bincount(place.ravel(), weights=data.x @ beta) / count
        tau = stats.kendalltau(np.round(observed, 12), np.round(predicted, 12)).statistic if len(count) > 1 else np.nan
        report.row(
            cls.fit, n=n, persons=int(data.persons.max()) + 1, r2=r2, adjusted=1 - (1 - r2) * (n - 1) / (n - k),
            tau=None if np.isnan(tau) else float(tau), individual=None if individual is None else individual[1].mean(),
            reversed=_reversals(form, data.parts, beta, individual),
        )  # fmt: skip
        report.note(cls.fit, "Kendall τ 比较各轮廓的平均评分与预测。方向相反的人次只在线性、理想点、反理想点时计。")

    @classmethod
    def _simulate(
        cls, report: Report, form: Any, data: Ratings, beta: Floats, individual: tuple[Floats, Floats] | None
    ) -> None:
        if not form.simulate:
            return
        x = np.array([_profile(data.parts, case) for case in form.simulate])
        betas = individual[0] if individual is not None else beta[None, :]
        u = betas @ x.T
        top = u >= u.max(axis=1, keepdims=True) - 1e-12
        first = (top / top.sum(axis=1, keepdims=True)).mean(axis=0)
        e = np.exp(u - u.max(axis=1, keepdims=True))
        logit = (e / e.sum(axis=1, keepdims=True)).mean(axis=0)
        positive = (u > 0).all()
        btl = (u / u.sum(axis=1, keepdims=True)).mean(axis=0) if positive else None
        for i in range(len(x)):
            report.row(
                cls.simulated, product=f"产品{i + 1}", utility=float(x[i] @ beta), first=float(first[i]),
                btl=None if btl is None else float(btl[i]), logit=float(logit[i]),
            )  # fmt: skip
        chosen = {"first_choice": first, "bradley_terry_luce": btl, "logit": logit}[form.share_rule]
        whom = "每位受访者各算一次再平均" if individual is not None else "按总体效用计算"
        if chosen is None:
            report.note(cls.simulated, f"份额{whom}；有的效用不大于 0，BTL 份额没有意义，不给出。")
            return
        best = int(np.argmax(chosen))
        rule = {"first_choice": "最大效用", "bradley_terry_luce": "BTL", "logit": "Logit"}[form.share_rule]
        report.note(
            cls.simulated, f"份额{whom}；按{rule}规则，“产品{{i:integer}}”最大，{{s:percent1}}。", i=best + 1,
            s=float(chosen[best]),
        )  # fmt: skip

    @classmethod
    def _words(cls, report: Report, form: Any, data: Ratings, beta: Floats, shares: list[tuple[str, float]]) -> None:
        best = [(part.of.name, part.of.words[int(np.argmax(part.worths(beta)))]) for part in data.parts]
        facts: dict[str, Any] = {
            "a": shares[0][0], "sa": shares[0][1], "b": shares[1][0], "sb": shares[1][1], "n": data.y.size,
            "m": int(data.persons.max()) + 1, "best": "、".join(f"{name}“{word}”" for name, word in best[:6]),
        }  # fmt: skip
        main = "最重要的属性是“{a}”（{sa:percent1}），其次是“{b}”（{sb:percent1}）。"
        main += "最受欢迎的组合：{best:text}。"
        report.lead(
            main,
            [
                figure("最重要的属性", "{a:text}", "{sa:percent1}"),
                figure("评分", "{n:integer} 个", "{m:integer} 位受访者"),
            ],
            **facts,
        )
        report.say(
            "效用越高，这个水平越受欢迎；只有同一属性内的差有意义。"
            "重要性取决于所问的水平：水平差得越远，属性越“重要”。",
            voice="student",
        )  # fmt: skip
        report.say("{m:integer} 人共 {n:integer} 个评分，最小二乘。" + main, voice="paper", **facts)
        report.say(main, voice="brief", **facts)


def _is_number(one: Attribute) -> bool:
    return one.column.is_number and not one.column.is_categorical


def _coding(one: Attribute, form: Any) -> Floats:
    if form.level_model == "discrete" or not _is_number(one):
        return one.coding
    values = np.array([float(level.value) for level in one.levels])
    powers = [values] if form.level_model == "linear" or len(values) < 3 else [values, values**2]
    return np.column_stack([power - power.mean() for power in powers])


def _fit(x: Floats, y: Floats) -> tuple[Floats, Floats, Floats]:
    """Coefficients, residuals and (x'x)⁻¹ by QR of scaled columns."""
    size = np.sqrt((x**2).sum(axis=0))
    q, r = linalg.qr(x / size, mode="economic")
    beta = linalg.solve_triangular(r, q.T @ y) / size
    root = linalg.solve_triangular(r, np.eye(x.shape[1])) / size[:, None]
    return np.asarray(beta), y - x @ beta, np.asarray(root @ root.T)


def _shares(parts: list[Part], beta: Floats) -> Floats:
    reach = np.stack([np.ptp(part.worths(beta), axis=-1) for part in parts], axis=-1)
    whole = reach.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(reach, whole, out=np.zeros_like(reach), where=whole > 0))


def _reversals(form: Any, parts: list[Part], beta: Floats, individual: tuple[Floats, Floats] | None) -> int | None:
    """Persons times attributes whose slope (or bend) has the other sign than the pooled one (or the one asked for)."""
    if form.level_model == "discrete" or individual is None:
        return None
    found = 0
    for part in parts:
        if not _is_number(part.of):
            continue
        own = individual[0][:, part.slice.stop - 1]
        wanted = SIGN[form.level_model] if part.curved else np.sign(beta[part.slice.stop - 1])
        found += int((np.sign(own) == -wanted).sum())
    return found


def _profile(parts: list[Part], case: Any) -> Floats:
    x = np.zeros(1 + sum(part.coding.shape[1] for part in parts))
    x[0] = 1.0
    for part in parts:
        value = case[part.of.column]
        place = next((i for i, level in enumerate(part.of.levels) if same_value(level.value, value)), None)
        if place is None:
            raise Refusal(
                "data.level", "属性“{v}”的水平“{x}”从未出现，请改为数据里有的水平",
                field="simulate", column=part.of.column.id,
                v=part.of.name, x=str(value),
            )  # fmt: skip
        x[part.slice] = part.coding[place]
    return x
