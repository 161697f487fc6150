from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Form,
    Method,
    Refusal,
    Report,
    Table,
    TypedMatrix,
    Wide,
    choice,
    figure,
    integer,
    interval,
    matrix,
    num,
    percent,
    text,
)
from hengxi.methods.evaluation._shared.best_worst import INDEX, Vectors, input_ratio, linear, nonlinear, threshold
from hengxi.methods.evaluation._shared.indicators import Floats, ranked

MODELS = {"linear": "线性模型", "nonlinear": "非线性模型"}
MEANS = {"mean": "算术平均", "geometric_mean": "几何平均"}
NON = {"model": "nonlinear"}


class BestWorst(Method):
    """Weights from comparisons with the best and the worst criterion only."""

    title, title_en = "最优最劣法BWM", "Best-worst method"
    slug = "best-worst-method"
    family, tier = "决策分析", "member"
    purpose = "只比较最优与最劣准则时，能否用更少的判断得到权重"
    aliases = ("BWM", "最优最劣法", "最佳最差法", "BO向量", "OW向量", "主观赋权")
    references = ("rezaei2015", "rezaei2016", "liang2020")
    conventions = (
        "BO：最优准则比各准则重要几倍（1 到 9）；OW：各准则比最劣准则重要几倍。",
        "最优准则是 BO 为 1 的（有几个时取 OW 最大的），最劣准则是 OW 为 1 的（有几个时取 BO 最大的）。",
        "线性模型（Rezaei，2016）：最小化 |w_B − a_Bj·w_j| 与 |w_j − a_jW·w_W| 的最大值，解唯一；ξ* 越接近 0 越一致。",
        "非线性模型（Rezaei，2015）：最小化 |w_B/w_j − a_Bj| 与 |w_j/w_W − a_jW| 的最大值；"
        "解可能不唯一，给出权重区间，取区间中点（归一）为权重，CR = ξ*/CI。",
        "输入型 CR（Liang 等，2020）：max |a_Bj·a_jW − a_BW|/(a_BW² − a_BW)，阈值按 a_BW 和准则数查表（3 到 9）。",
        "次序一致性：一对准则，BO 说甲重、OW 说乙重，就算一次违反。",
        "多位专家的权重取算术平均，或几何平均后归一。",
    )
    needs_data = False
    split = False

    class Input(Form):
        bo: TypedMatrix | None = matrix("BO：最优准则对各准则", kind="free", size=(2, 30), least=1, most=9,
                                        hint="一行一个准则，一列一位专家；最优准则自己填 1")  # fmt: skip
        ow: TypedMatrix | None = matrix("OW：各准则对最劣准则", kind="free", size=(2, 30), least=1, most=9,
                                        hint="行和列与 BO 相同；最劣准则自己填 1")  # fmt: skip
        model: str = choice("模型", MODELS)
        aggregation: str = choice("多专家集结", MEANS)

    result = Table("权重", item=text("准则"), weight=percent("权重"), rank=integer("排名"), low=percent("专家中最小"),
                   high=percent("专家中最大"), place="main")  # fmt: skip
    plot = Chart("权重条形图", "bar", of=result, x="item", y="weight", place="main")
    people = Table("各专家的权重", item=text("准则"), layout=Wide(w=percent("权重")), place="detail")
    ranges = Table("权重区间（非线性模型的全部最优解）", expert=text("专家"), item=text("准则"),
                   ci=interval("区间", format="percent"), centre=percent("中点"), when=NON, merge=("expert",),
                   place="detail")  # fmt: skip
    consistency = Table(
        "一致性", expert=text("专家"), best=text("最优"), worst=text("最劣"), scale=num("a_BW", least=1),
        xi=num("ξ*", least=0), ratio=num("CR = ξ*/CI", least=0, when=NON), input_=num("输入型 CR", least=0),
        limit=num("阈值", least=0), order=integer("次序违反的对数"), verdict=text("判断"), place="main",
    )  # fmt: skip
    worst_items = Table("不一致来自哪里", expert=text("专家"), item=text("准则"), product=num("a_Bj·a_jW", least=0),
                        scale=num("a_BW", least=1), local=num("局部 CR", least=0), merge=("expert",),
                        place="detail")  # fmt: skip
    shaken = Table("判断变动一级时的权重", item=text("准则"), weight=percent("权重"), ci=interval(
        "范围", "lowest", "highest", format="percent"), when={"model": "linear"}, place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names, people, vectors = _read(form)
        each = []
        for k, (person, one) in enumerate(zip(people, vectors, strict=True)):
            form.progress(k, len(people), person)
            each.append(cls._person(report, form, names, person, one))
        w = _together(np.stack(each), form.aggregation)
        everyone = np.stack(each)
        for j, rank in enumerate(ranked(w)):
            report.row(cls.result, item=names[j], weight=w[j], rank=rank, low=everyone[:, j].min(),
                       high=everyone[:, j].max())  # fmt: skip
            report.row(cls.people, item=names[j], wide={p: {"w": v[j]} for p, v in zip(people, each, strict=True)})
        if form.model == "linear":
            cls._shake(report, form, names, vectors, each, w)
        _words(report, form, names, people, vectors, w)
        return report

    @classmethod
    def _person(cls, report: Report, form: Any, names: list[str], person: str, one: Vectors) -> Floats:
        n = len(names)
        if form.model == "linear":
            w, xi = linear(one)
        else:
            w, xi, low, high = nonlinear(one)
            for j in range(n):
                report.row(cls.ranges, expert=person, item=names[j], low=low[j], high=high[j],
                           centre=(low[j] + high[j]) / 2)  # fmt: skip
        local = input_ratio(one)
        limit = threshold(one.scale, n)
        bad = sum((one.bo[i] - one.bo[j]) * (one.ow[j] - one.ow[i]) < 0 for i in range(n) for j in range(i))
        verdict = ("没有阈值" if limit is None and local.max() > 0 else
                   "一致" if local.max() <= (limit or 0.0) + 1e-12 else "不一致")  # fmt: skip
        more: dict[str, Any] = {}
        if form.model == "nonlinear":
            index = INDEX.get(int(one.scale), 0.0) if one.scale.is_integer() else 0.0
            more["ratio"] = xi / index if index > 0 else None
        report.row(cls.consistency, expert=person, best=names[one.best], worst=names[one.worst], scale=one.scale, xi=xi,
                   input_=local.max(), limit=limit, order=bad, verdict=verdict, **more)  # fmt: skip
        for j in range(n):
            report.row(cls.worst_items, expert=person, item=names[j], product=one.bo[j] * one.ow[j], scale=one.scale,
                       local=local[j])  # fmt: skip
        return w

    @classmethod
    def _shake(
        cls, report: Report, form: Any, names: list[str], vectors: list[Vectors], each: list[Floats], w: Floats
    ) -> None:
        """Each single judgement a grade up and down, where it stays a valid one."""
        low, high = w.copy(), w.copy()
        for k, one in enumerate(vectors):
            for changed in one.neighbours():
                again = _together(np.stack([*each[:k], linear(changed)[0], *each[k + 1 :]]), form.aggregation)
                low, high = np.minimum(low, again), np.maximum(high, again)
        for j, name in enumerate(names):
            report.row(cls.shaken, item=name, weight=w[j], lowest=low[j], highest=high[j])
        report.note(cls.shaken, "每次只把一个判断增减 1，最优、最劣准则不变，a_BW 仍是最大值。")


def _together(each: Floats, how: str) -> Floats:
    raw = each.mean(axis=0)
    if how == "geometric_mean":
        raw = np.exp(np.log(np.maximum(each, 1e-300)).mean(axis=0))
    return np.asarray(raw / raw.sum())


def _read(form: Any) -> tuple[list[str], list[str], list[Vectors]]:
    for field in ("bo", "ow"):
        if getattr(form, field) is None:
            raise Refusal("matrix.required", "BO 和 OW 两张表都要填", field=field)
    if form.bo.rows != form.ow.rows or form.bo.columns != form.ow.columns:
        raise Refusal("data.names", "BO 和 OW 的准则（行）与专家（列）要相同，次序也要相同", field="ow")
    names, people, out = list(form.bo.rows), list(form.bo.columns), []
    for k, person in enumerate(people):
        bo, ow = form.bo.values[:, k], form.ow.values[:, k]
        if not (np.abs(bo - 1) < 1e-9).any():
            raise Refusal("data.best", f"专家“{person}”的 BO 向量中最优准则须为 1，现在没有 1", field="bo")
        if not (np.abs(ow - 1) < 1e-9).any():
            raise Refusal("data.worst", f"专家“{person}”的 OW 向量中最劣准则须为 1，现在没有 1", field="ow")
        best = max(np.flatnonzero(np.abs(bo - 1) < 1e-9), key=lambda j: ow[j])
        worst = max((j for j in np.flatnonzero(np.abs(ow - 1) < 1e-9) if j != best), key=lambda j: bo[j], default=None)
        if worst is None:
            raise Refusal("data.worst", f"专家“{person}”的最优和最劣是同一个准则，请核对", field="ow")
        if abs(bo[worst] - ow[best]) > 1e-9:
            text_ = (
                f"专家“{person}”：BO 里最优对最劣“{names[worst]}”是 {bo[worst]:g}，"
                f"OW 里最优“{names[best]}”对最劣是 {ow[best]:g}，两处要相同"
            )
            raise Refusal("data.scale", text_, field="ow")
        if bo.max() > bo[worst] + 1e-9 or ow.max() > bo[worst] + 1e-9:
            text_ = f"专家“{person}”：最优对最劣的比较（{bo[worst]:g}）应为最大值，请核对 BO 和 OW"
            raise Refusal("data.scale", text_, field="bo")
        out.append(Vectors(np.asarray(bo), np.asarray(ow), int(best), int(worst)))
    return names, people, out


def _words(report: Report, form: Any, names: list[str], people: list[str], vectors: list[Vectors], w: Floats) -> None:
    order = np.argsort(-np.round(w, 12), kind="stable")
    facts: dict[str, Any] = {
        "n": len(names), "k": len(people), "first": names[order[0]], "high": w[order[0]], "last": names[order[-1]],
        "low": w[order[-1]],
    }  # fmt: skip
    lead = "{n:integer} 个准则里权重最大的是“{first}”（{high:percent}），最小的是“{last}”（{low:percent}）。"
    report.lead(lead, [figure("最大权重", "{high:percent}", "{first}")], **facts)
    over, none = [], []
    for person, one in zip(people, vectors, strict=True):
        limit, value = threshold(one.scale, len(names)), float(input_ratio(one).max())
        if limit is None and value > 0:
            none.append(person)
        elif value > (limit or 0.0) + 1e-12:
            over.append(person)
    if over:
        text_ = "{over:integer} 位专家的输入型 CR 超过阈值（{who}）。“不一致来自哪里”列出了要核对的判断。"
        report.check("一致性", "fail", text_, over=len(over), who="、".join(over))
    elif none:
        report.check("一致性", "unknown", "准则数或 a_BW 超出阈值表（3 到 9），请看 ξ* 是否接近 0。")
    else:
        report.check("一致性", "pass", "每位专家的输入型 CR 都不超过阈值。")
    judged = 2 * len(names) - 3
    report.say(
        f"采用最优最劣法（{MODELS[form.model]}，{{k:integer}} 位专家，{MEANS[form.aggregation]}），"
        "权重最大的是{first}（{high:percent}），最小的是{last}（{low:percent}）。", voice="paper", **facts,
    )  # fmt: skip
    text_ = "每位专家只判断了 {judged:integer} 次，比两两比较少，但最优和最劣选错了会影响全部权重。"
    report.say(text_, voice="student", judged=judged)
