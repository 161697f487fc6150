from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Block,
    Chart,
    ColumnInfo,
    Form,
    Matrix,
    Method,
    MethodRemedy,
    NextStep,
    Paths,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    blocks,
    choice,
    claim,
    confidence,
    figure,
    flag,
    integer,
    interval,
    more,
    num,
    paths,
    pvalue,
    stat,
    text,
)
from hengxi.families.sem.ratios import ratios
from hengxi.stats import partial_least_squares as pls
from hengxi.stats import reliability
from hengxi.stats.covariances import LEAST, MOST
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles
from hengxi.stats.partial_least_squares import Plan, Solution

SCHEMES = {"path": "路径加权", "factorial": "因子加权", "centroid": "重心加权"}
FEWEST = 20


@dataclass
class Data:
    names: list[str]
    """Of the constructs."""
    items: list[str]
    x: Floats
    plan: Plan
    found: Solution
    r: Floats


class PlsSem(Method):
    """Composites weighted by alternating regressions; bootstrap for everything that has a p."""

    title, title_en = "偏最小二乘结构方程PLS-SEM", "PLS path modelling"
    slug = "pls-sem"
    family, tier = "影响机制", "member"
    purpose = "小样本或形成型构念下，潜变量路径与预测力如何"
    aliases = (
        "PLS",
        "PLS-SEM",
        "SmartPLS",
        "偏最小二乘",
        "形成型",
        "反映型",
        "PLSc",
        "IPMA",
        "PLSpredict",
        "Q2",
        "f2",
        "rho_A",
    )
    references = ("wold1982", "lohmoller1989", "dijkstra2015", "henseler2015", "shmueli2016", "hair2019", "fornell1981",
                  "henseler2013")  # fmt: skip
    conventions = (
        "指标先标准化（n − 1）；外部权重初值为 1，迭代到权重的变动小于 10⁻¹³；构念得分的方差为 1。",
        "路径加权：原因用回归系数，结果用相关；各构念的方向取载荷之和为正。",
        "Bootstrap 按行重抽，每次取与原样本一致的方向；t = 估计值 / 重抽的标准差，*p* 用正态分布，区间取百分位。",
        "f² = (R² − 去掉该路径的 R²) / (1 − R²)。",
        "ρ_A 按 Dijkstra 与 Henseler（2015）；CR 为 (Σλ)² / ((Σλ)² + Σ(1 − λ²))；形成型和单指标构念没有信度。",
        "PLSc 把反映型构念的相关除以 √ρ_A，载荷同样校正。",
        "HTMT 用相关的绝对值。SRMR 为饱和模型：构念自由相关。",
        "Q²predict 用 10 折：答卷按取值排序后轮流分入各折；预测沿路径从外生构念传下去；LM 为全部外生指标的线性回归。",
        "IPMA 的绩效为指标按观察到的最小、最大值换算到 0–100 后的加权平均，权重为未标准化的外部权重。",
    )
    random = True
    min_rows = 3

    class Input(Form):
        constructs: list[Block] = blocks(
            "构念", "定量", min=2, size=(1, None), names="F{i}", varies=True, hint="每个构念一框，放它的指标",
            mode=choice("测量方式", {"A": "反映型（模式 A）", "B": "形成型（模式 B）"}),
        )  # fmt: skip
        paths: Paths = paths("结构路径", nodes=("constructs",), kinds=("path",), acyclic=True, hint="从原因画到结果")
        scheme: str = choice("加权方案", SCHEMES)
        consistent: bool = flag("PLSc 校正", False, hint="构念都是反映型的潜变量时，校正路径的低估")
        n_boot: int = integer("Bootstrap 次数", 2000, least=200, most=10000)
        conf_level: float = confidence()

    structure = Table(
        "路径系数", path=text("路径"), b=num("系数", decimals=3), se=num("Boot 标准误", around="b"), t=num("*t*"),
        p=pvalue(),
        ci=interval("Boot CI", "low", "high", around="b", inside=False), f2=num("f²", least=0, decimals=3),
        vif=num("VIF"),
        place="main", claim=claim("named", stat("*t*", "t"), effect="b", effect_symbol="β", names=("path",)),
    )  # fmt: skip
    explained = Table(
        "解释与预测", construct=text("构念"), r2=num("R²", decimals=3), adjusted=num("调整 R²", decimals=3),
        place="main",
    )  # fmt: skip
    outer = Table(
        "外模型", construct=text("构念"), item=text("指标"), weight=num("权重", decimals=3), weight_t=num("权重的 *t*"),
        weight_p=pvalue("权重的 *p*"), loading=num("载荷", decimals=3), loading_t=num("载荷的 *t*"),
        p=pvalue("载荷的 *p*"),
        communality=num("共同度", decimals=3), vif=num("VIF"), merge=("construct",), place="main",
        claim=claim("named", stat("*t*", "loading_t"), effect="loading", effect_symbol="λ", names=("item",)),
    )  # fmt: skip
    quality = Table(
        "信度与聚合效度", construct=text("构念"), mode=text("测量方式"), items=integer("指标数"),
        alpha=num("Cronbach α", decimals=3),
        rho=num("ρ_A", decimals=3), cr=num("CR", decimals=3), ave=num("AVE", decimals=3), place="main",
    )  # fmt: skip
    discriminant = Table(
        "区分效度（Fornell-Larcker）",
        layout=Matrix(r=num("相关", decimals=3), show="lower", diagonal="√AVE"),
        place="main",
    )
    htmt = Table(
        "区分效度（HTMT）", pair=text("两个构念"), htmt=num("HTMT", least=0, decimals=3),
        ci=interval("Boot CI", "low", "high", around="htmt", inside=False), place="main",
    )  # fmt: skip
    crossed = Table("交叉载荷", layout=Matrix(r=num("相关", decimals=3), show="full"))
    effects = Table(
        "间接效应与总效应", path=text("路径"), indirect=num("间接效应", decimals=3),
        ci=interval("间接效应的 Boot CI", "low", "high", around="indirect", inside=False), overall=num("总效应",
        decimals=3),
        total_t=num("总效应的 *t*"), p=pvalue("总效应的 *p*"),
        claim=claim("named", stat("*t*", "total_t"), effect="overall", names=("path",)),
    )  # fmt: skip
    prediction = Table(
        "样本外预测（PLSpredict）", item=text("指标"), q2=num("Q²predict", decimals=3), rmse=num("PLS 的 RMSE",
        least=0),
        lm=num("LM 的 RMSE", least=0), verdict=text("比较"),
    )  # fmt: skip
    whole = Table("整体", n=integer("样本量"), rounds=integer("迭代次数"), srmr=num("SRMR", least=0, decimals=3),
    gof=num("GoF", decimals=3),
                  layout="record")  # fmt: skip
    importance = Table(
        "重要性与绩效（IPMA）", construct=text("构念"), importance=num("总效应", decimals=3), performance=num("绩效")
    )
    ipma = Chart("重要性-绩效图", "point", of=importance, x="importance", y="performance", label="construct")
    nodes = Points("节点", id=text("节点"), label=text("名称"), shape=text("形状"), x=num("x"), y=num("y"))
    edges = Points("连线", source=text("起点"), target=text("终点"), text=text("系数"))
    diagram = Chart(
        "路径图",
        "network",
        nodes=nodes,
        edges=edges,
        shape="shape",
        x="x",
        y="y",
        text="text",
        arrange="fixed",
        place="main",
    )

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.constructs)} 个构念的 PLS 路径模型"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.3 + (form.get("n_boot") or 2000) * (2e-3 + rows * columns**2 * 1e-9)

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        items = [one for block in form["constructs"] for one in block["columns"]]
        return [NextStep(title="看各量表的信度", method="descriptive/reliability", form={"items": items})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = _data(form)
        report.used(len(data.x))
        boot = _resampled(report, data, form)
        cls._structure(report, data, boot, form)
        weak = cls._outer(report, data, boot)
        alike = cls._validity(report, data, boot, form)
        cls._effects(report, data, boot)
        cls._predict(report, data)
        cls._importance(report, data)
        cls._draw(report, data)
        _words(report, cls, data, form, alike)
        _checks(report, data, weak)
        return report

    @classmethod
    def _structure(cls, report: Report, data: Data, boot: dict[str, Floats], form: Any) -> None:
        found, plan = data.found, data.plan
        share = (1 - form.conf_level) / 2
        for t in plan.order:
            sources = np.flatnonzero(plan.arrows[t])
            if not sources.size:
                continue
            vif = np.diag(np.linalg.inv(found.c[np.ix_(sources, sources)]))
            r2 = float(found.r2[t])
            for k, s in enumerate(sources):
                b, se, t_, p = _tested(float(found.paths[t, s]), boot["paths"][:, t, s])
                low, high = np.quantile(boot["paths"][:, t, s], [share, 1 - share])
                f2 = (r2 - pls.without(found.c, list(sources), t, int(s))) / (1 - r2) if r2 < 1 else None
                report.row(cls.structure, path=f"{data.names[s]} → {data.names[t]}", b=b, se=se, t=t_, p=p,
                low=float(low),
                           high=float(high), f2=None if f2 is None else max(f2, 0.0), vif=float(vif[k]))  # fmt: skip
            df = len(data.x) - len(sources) - 1
            report.row(
                cls.explained,
                construct=data.names[t],
                r2=r2,
                adjusted=1 - (1 - r2) * (len(data.x) - 1) / df if df > 0 else None,
            )
        report.note(cls.structure, "CI 的置信水平为 {level:percent}，重抽 {times:integer} 次。f² 的常用参考："
        "0.02 小，0.15 中，0.35 大。",
                    level=form.conf_level, times=len(boot["paths"]))  # fmt: skip
        communal = float(
            np.mean([float(np.mean(found.loadings[own] ** 2)) for own in plan.blocks if len(own) > 1] or [1.0])
        )
        inner = [float(found.r2[t]) for t in range(plan.k) if plan.arrows[t].any()]
        report.row(cls.whole, n=len(data.x), rounds=found.rounds, srmr=pls.implied_residual(found),
                   gof=float(np.sqrt(communal * max(float(np.mean(inner)), 0.0))))  # fmt: skip
        report.note(
            cls.whole, "SRMR ≤ 0.08 是常用参考。GoF 不能区分对错的模型（Henseler 与 Sarstedt，2013），只供对照旧文献。"
        )

    @classmethod
    def _outer(cls, report: Report, data: Data, boot: dict[str, Floats]) -> list[str]:
        found, weak = data.found, []
        for j, (own, mode) in enumerate(zip(data.plan.blocks, data.plan.modes, strict=True)):
            vif = np.diag(np.linalg.inv(data.r[np.ix_(own, own)])) if mode == "B" and len(own) > 1 else None
            for k, i in enumerate(own):
                w, _, w_t, w_p = _tested(float(found.weights[i, j]), boot["weights"][:, i])
                load, _, l_t, l_p = _tested(float(found.loadings[i]), boot["loadings"][:, i])
                report.row(cls.outer, construct=data.names[j], item=data.items[i], weight=w, weight_t=w_t,
                weight_p=w_p, loading=load,
                           loading_t=l_t, p=l_p, communality=load**2, vif=None if vif is None
                           else float(vif[k]))  # fmt: skip
                if mode == "A" and len(own) > 1 and load < 0.7:
                    weak.append(data.items[i])
        report.note(
            cls.outer,
            "反映型看载荷（常用参考 0.7 以上），形成型看权重的 *p* 和 VIF（低于 5）。单指标构念的载荷为 1，没有检验。",
        )
        return weak

    @classmethod
    def _validity(cls, report: Report, data: Data, boot: dict[str, Floats], form: Any) -> list[str]:
        found, plan = data.found, data.plan
        aves: list[float | None] = []
        for j, (own, mode) in enumerate(zip(plan.blocks, plan.modes, strict=True)):
            reflective = mode == "A" and len(own) > 1
            load = found.loadings[own]
            row: dict[str, Any] = {}
            aves.append(float(np.mean(load**2)) if reflective else None)
            if reflective:
                whole = float(load.sum()) ** 2
                s = data.r[np.ix_(own, own)] * np.outer(np.sign(load), np.sign(load))
                row = {
                    "alpha": reliability.alpha(s),
                    "rho": found.rho[j],
                    "cr": whole / (whole + float(np.sum(1 - load**2))),
                    "ave": aves[-1],
                }
            report.row(
                cls.quality, construct=data.names[j], mode="反映型" if mode == "A" else "形成型", items=len(own), **row
            )
        report.note(cls.quality, "常用参考：α、ρ_A、CR ≥ 0.7，AVE ≥ 0.5。形成型与单指标构念不看这些。α 为标准化 α。")
        alike = []
        share = (1 - form.conf_level) / 2
        whole_ratios = ratios(data.r, [list(own) for own in plan.blocks]).plain
        for i, name in enumerate(data.names):
            ave = aves[i]
            report.row(cls.discriminant, item=name, against=name, r=None if ave is None else float(np.sqrt(ave)))
            for j in range(i):
                report.row(cls.discriminant, item=name, against=data.names[j], r=float(found.c[i, j]))
                if ave is None or aves[j] is None:
                    continue
                low, high = np.quantile(boot["htmt"][:, i, j], [share, 1 - share])
                ratio = float(whole_ratios[i, j])
                report.row(cls.htmt, pair=f"{data.names[j]} — {name}", htmt=ratio, low=float(low), high=float(high))
                if ratio > 0.9:
                    alike.append(f"“{data.names[j]}”与“{name}”")
        if sum(one is not None for one in aves) < 2:
            report.skip(cls.htmt, "不足两个多指标的反映型构念")
        report.note(cls.discriminant, "对角线是 √AVE，应大于同行同列的相关；形成型和单指标构念没有。")
        for i, item in enumerate(data.items):
            for j, name in enumerate(data.names):
                report.row(cls.crossed, item=item, against=name, r=float(found.cross[i, j]))
        return alike

    @classmethod
    def _effects(cls, report: Report, data: Data, boot: dict[str, Floats]) -> None:
        found = data.found
        inside = found.total - found.paths
        given = False
        for t in range(data.plan.k):
            for s in range(data.plan.k):
                if s == t or abs(inside[t, s]) < 1e-14:
                    continue
                given = True
                drawn = boot["total"][:, t, s]
                low, high = np.quantile(drawn - boot["paths"][:, t, s], boot["tails"])
                total, _, t_, p = _tested(float(found.total[t, s]), drawn)
                report.row(cls.effects, path=f"{data.names[s]} → {data.names[t]}", indirect=float(inside[t, s]),
                low=float(low),
                           high=float(high), overall=total, total_t=t_, p=p)  # fmt: skip
        if not given:
            report.skip(cls.effects, "路径里没有中间构念，没有间接效应")

    @classmethod
    def _predict(cls, report: Report, data: Data) -> None:
        try:
            rows = pls.predicted(data.x, data.plan)
        except (pls.Unconverged, np.linalg.LinAlgError):
            report.skip(cls.prediction, "有一折里的指标没有变化或没有收敛")
            return
        for one in rows:
            verdict = "—" if one.lm is None else "PLS 更准" if one.rmse < one.lm else "LM 更准"
            report.row(cls.prediction, item=data.items[one.place], q2=one.q2, rmse=one.rmse, lm=one.lm, verdict=verdict)
        report.note(
            cls.prediction,
            "Q²predict 大于 0，说明预测好于只用平均值；多数指标的 PLS 误差小于 LM，说明模型有预测力（Shmueli 等，"
            "2016）。",
        )

    @classmethod
    def _importance(cls, report: Report, data: Data) -> None:
        target = data.plan.order[-1]
        low, high = data.x.min(axis=0), data.x.max(axis=0)
        percent = 100 * (data.x - low).mean(axis=0) / (high - low)
        sd = data.x.std(axis=0, ddof=1)
        for j in data.plan.order[:-1]:
            own = data.plan.blocks[j]
            # On the rescaled indicators: weight / sd × range.
            w = data.found.weights[own, j] / sd[own] * (high - low)[own]
            if abs(float(data.found.total[target, j])) < 1e-14 or abs(float(w.sum())) < 1e-12:
                continue
            report.row(cls.importance, construct=data.names[j], importance=float(data.found.total[target, j]),
                       performance=float(w @ percent[own] / w.sum()))  # fmt: skip
        report.note(cls.importance, f"对“{data.names[target]}”的总效应；右下角重要而绩效低，应先改进。")

    @classmethod
    def _draw(cls, report: Report, data: Data) -> None:
        depth = dict.fromkeys(range(data.plan.k), 0)
        for j in data.plan.order:
            depth[j] = max((depth[int(s)] + 1 for s in np.flatnonzero(data.plan.arrows[j])), default=0)
        seen: dict[int, int] = {}
        for j in range(data.plan.k):
            row = seen.get(depth[j], 0)
            seen[depth[j]] = row + 1
            report.row(
                cls.nodes,
                id=f"f{j}",
                label=data.names[j],
                shape="ellipse",
                x=2.0 * depth[j],
                y=1.6 * row + 0.5 * (depth[j] % 2),
            )
        for t, s in zip(*np.nonzero(data.plan.arrows), strict=True):
            report.row(cls.edges, source=f"f{s}", target=f"f{t}", text=f"{data.found.paths[t, s]:.2f}")


# ---- data and resamples --------------------------------------------------------------------------------------------
def _data(form: Any) -> Data:
    columns = [column for block in form.constructs for column in block.columns]
    names, ids = [block.name or "" for block in form.constructs], [block.id for block in form.constructs]
    x = np.column_stack([column.numbers for column in columns])
    if len(x) < FEWEST:
        raise Refusal("data.few", "有效样本只有 {n} 份，至少要 {least} 份", field="constructs", n=len(x), least=FEWEST)
    for column, own in zip(columns, x.T, strict=True):
        sd = float(own.std())
        if own.min() == own.max() or not LEAST < sd < MOST:
            raise Refusal("role.constant", "“{v}”在所用的答卷中没有变化，或数值过大、过小，不能进入模型",
            field="constructs",
                          column=column.id, v=column.title)  # fmt: skip
    arrows = np.zeros((len(ids), len(ids)), dtype=bool)
    for edge in form.paths.edges:
        arrows[ids.index(edge.target), ids.index(edge.source)] = True
    alone = [
        name for name, row, column in zip(names, arrows, arrows.T, strict=True) if not row.any() and not column.any()
    ]
    if alone:
        raise Refusal(
            "data.alone",
            "构念“{name}”没有与任何构念相连，请画上路径或移去",
            field="paths",
            name=alone[0],
            also=["constructs"],
        )
    starts = np.cumsum([0, *(len(block.columns) for block in form.constructs)])
    places = [np.arange(starts[j], starts[j + 1]) for j in range(len(ids))]
    modes = [block["mode"] for block in form.constructs]
    plan = Plan(places, modes, arrows, form.scheme, form.consistent)
    sizes = np.exp2(np.round(np.log2(x.std(axis=0))))
    try:
        r = pls.correlations(x / sizes)
        for own, name, mode in zip(places, names, modes, strict=True):
            if np.linalg.eigvalsh(r[np.ix_(own, own)])[0] <= 1e-10 and len(own) > 1 and mode == "B":
                raise Refusal(
                    "data.singular",
                    "形成型构念“{name}”的指标完全共线，权重没有唯一的解，请移去其中一个",
                    field="constructs",
                    name=name,
                )
        found = pls.solve(r, plan)
        _ = found.paths
    except pls.Unconverged:
        raise Refusal(
            "data.unconverged", "PLS 的权重没有收敛；请改用其他加权方案，或核对各构念的指标", field="scheme",
            remedies=[SetRemedy(title="改用因子加权", set={"scheme": "factorial"})],
        ) from None  # fmt: skip
    except np.linalg.LinAlgError:
        raise Refusal(
            "data.singular", "构念的得分完全共线或互相抵消，路径没有唯一的解；请核对反向题和重复的指标",
            field="constructs",
            remedies=[MethodRemedy(title="先看题项的相关", method="descriptive/correlation", carry=[])],
        ) from None  # fmt: skip
    if form.consistent and (np.linalg.eigvalsh(found.c)[0] <= 1e-8 or np.abs(found.c - np.eye(len(ids))).max() >= 1):
        raise Refusal(
            "data.consistent", "PLSc 校正后构念的相关不合理（达到 1 或矩阵不正定）：构念之间几乎不能区分，"
            "或信度太低；请不做校正",
            field="consistent", remedies=[SetRemedy(title="不做 PLSc 校正", set={"consistent": False})],
        )  # fmt: skip
    named = titles(columns)
    return Data(names, [named[column.id] for column in columns], x, plan, found, r)


def _resampled(report: Report, data: Data, form: Any) -> dict[str, Floats]:
    order = np.lexsort(data.x.T)
    x = data.x[order] / np.exp2(np.round(np.log2(data.x.std(axis=0))))
    n, failed = len(x), 0
    groups = [list(own) for own in data.plan.blocks]
    kept: dict[str, list[Floats]] = {"paths": [], "total": [], "weights": [], "loadings": [], "htmt": []}
    for time in range(form.n_boot):
        if (
            time % 50 == 0
            and not form.progress(time, form.n_boot, f"第 {time}/{form.n_boot} 次 Bootstrap")
            and time > 100
        ):
            report.warn("model.stopped", "Bootstrap 提前停止：区间只用了 {k:integer} 次。", k=len(kept["paths"]))
            break
        counts = np.bincount(form.rng.integers(0, n, n), minlength=n).astype(float)
        try:
            r = pls.correlations(x, counts)
            one = pls.solve(r, data.plan, data.found.weights)
            kept["paths"].append(one.paths)
            kept["total"].append(one.total)
            kept["weights"].append(one.weights.sum(axis=1))
            kept["loadings"].append(one.loadings)
            kept["htmt"].append(ratios(r, groups).plain)
        except (pls.Unconverged, np.linalg.LinAlgError):
            failed += 1
    if len(kept["htmt"]) < 100:
        raise Refusal("data.bootstrap", "Bootstrap 中能算出的不足 100 次：样本太小，或指标几乎没有变化", field="n_boot")
    if failed:
        report.warn("model.bootstrap", "{k:integer} 次 Bootstrap 没有算出，未计入。", k=failed)
    share = (1 - form.conf_level) / 2
    size = len(kept["htmt"])
    return {**{key: np.array(values[:size]) for key, values in kept.items()}, "tails": np.array([share, 1 - share])}


def _tested(value: float, drawn: Floats) -> tuple[float, float | None, float | None, float | None]:
    se = float(drawn.std(ddof=1))
    if se <= 1e-12:
        return value, None, None, None
    t = value / se
    return value, se, t, float(2 * stats.norm.sf(abs(t)))


# ---- words ---------------------------------------------------------------------------------------------------------
def _words(report: Report, cls: type[PlsSem], data: Data, form: Any, alike: list[str]) -> None:
    rows = [row.cells for row in report.rows_of(cls.structure)]
    sure = [row for row in rows if row["p"] is not None and row["p"] < 1 - form.conf_level]
    best = max(rows, key=lambda row: abs(row["b"]))
    target = data.plan.order[-1]
    facts: dict[str, Any] = {
        "path": best["path"],
        "b": best["b"],
        "target": data.names[target],
        "r2": float(data.found.r2[target]),
    }
    told = "全部路径都显著" if len(sure) == len(rows) else "没有一条路径显著" if not sure else "不显著的路径：{rest}"
    if 0 < len(sure) < len(rows):
        facts["rest"] = "；".join(row["path"] for row in rows if row not in sure)
    lead = told + "。最强的是 {path}（β = {b:num3}）。模型解释“{target}”的 R² = {r2:num3}。"
    report.lead(lead, [figure("R²", "{r2:num3}", "{target}")], **facts)
    report.voices(
        [("PLS 把构念当作指标的加权和，重在预测；路径显著不证明因果。它在小样本也能算出结果，但小样本的结论照样不稳。"
        "", {})],
        [(f"采用 PLS-SEM（{SCHEMES[form.scheme]}，Bootstrap {form.n_boot} 次）。" + lead, {})], [(lead, {})], **facts,
    )  # fmt: skip
    known: dict[str, Any] = {"pairs": "；".join(alike)} if alike else {}
    report.check(
        "区分效度", "care" if alike else "pass",
        "HTMT 超过 0.90：{pairs}。" if alike else "没有超过 0.90 的 HTMT。", **known,
    )  # fmt: skip


def _checks(report: Report, data: Data, weak: list[str]) -> None:
    n, most = len(data.x), max(max(int(row.sum()) for row in data.plan.arrows), *(
        len(own) if mode == "B" else 0 for own, mode in zip(data.plan.blocks, data.plan.modes,
        strict=True)))  # fmt: skip
    few = n < max(100, 10 * most)
    report.check(
        "样本量", "care" if few else "pass", "{n:integer} 份" + ("，偏少。" if few else "。"), n=n,
        more=more(
            "PLS 在小样本也能算出结果，但标准误大，弱的路径发现不了。", "本次 {n:integer} 份。",
            "路径不显著可能只是样本不够。",
            "常用底线是 100 份，且不少于指向一个构念的箭头（或形成型指标）数的 10 倍。",
        ),
    )  # fmt: skip
    known: dict[str, Any] = {"which": "".join(f"“{name}”" for name in weak[:8])} if weak else {}
    report.check(
        "反映型载荷", "care" if weak else "pass",
        "载荷低于 0.7 的指标：{which}。" if weak else "反映型指标的载荷都不低于 0.7。",
        **known,
    )  # fmt: skip
