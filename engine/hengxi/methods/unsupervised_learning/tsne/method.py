from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    NewColumns,
    Points,
    Refusal,
    Report,
    SetRemedy,
    StepRemedy,
    Table,
    Wide,
    choice,
    figure,
    filled,
    flag,
    integer,
    num,
    number,
    percent,
    role,
    text,
)
from hengxi.methods.unsupervised_learning._shared import space
from hengxi.stats.embedding import EXACT_ROWS, Kept, kept, tsne_divergence
from hengxi.stats.moments import Floats
from hengxi.stats.partition import distinct

MOST_ROWS, SHOWN, DRAWN, PANEL = 20_000, 1000, 1000, 250
PERPLEXITIES, REDUCE_ROWS, REDUCED, MOST_GROUPS = (5.0, 15.0, 30.0, 50.0), 10_000, 50, 20
SHADED = {"shade": filled}
READ = "两点离得近说明相似。群与群的距离、群的大小和坐标值都不可解释，不得作为聚类检验。"


class Tsne(Method):
    """A picture in two or three dimensions that keeps neighbours."""

    title, title_en = "t-SNE降维可视化", "t-SNE"
    family, tier = "机器学习降维", "member"
    slug = "tsne"
    purpose = "把高维样本画到二维平面上，尽量保持近邻关系"
    aliases = ("t-SNE", "TSNE", "降维可视化", "流形学习", "随机近邻嵌入")
    references = ("vandermaaten2008", "vandermaaten2014", "venna2001")
    conventions = (
        "距离的平方进入高斯近邻概率；带宽使每个样本的熵为 ln(困惑度)。图上的近邻概率用自由度 1 的 t 分布。",
        "用 Barnes-Hut 近似（角度 0.5），前 250 次迭代的早期夸大为 12；自动的学习率 = max(n/48, 50)。",
        "KL 散度按全部样本对计算；超过 1500 行时取近似算法给出的值。",
        "可信度：图上的近邻在原数据中是否也近；连续性：原数据的近邻在图上是否也近。k = 12，行数少时为 (n − 1)/2。",
        "近邻保持率：原数据最近的 k 个样本中，图上仍在最近 k 个里的比例。",
        "困惑度不小于样本量的 1/3 时降为 (n − 1)/3。超过 10000 行时先用主成分降到 50 维。",
    )
    missing = "keep"
    random = True

    class Input(Form):
        x: list[Column] = space.variables("降维变量", 3)
        color: Column | None = role("分组着色（选填）", "定类", min=0)
        shade: Column | None = role("数值着色（选填）", "定量", min=0)
        label: Column | None = space.identity()
        n_components: str = choice("维数", {"2": "2", "3": "3"})
        perplexity: float = number("困惑度", 30, least=2, most=200, hint="大致是每个样本看几个近邻")
        learning_rate: float | None = number("学习率", None, least=1, most=10_000, auto="按样本量", advanced=True)
        max_iter: int = integer("迭代次数", 1000, least=250, most=10_000)
        init: str = choice("初始化", {"pca": "主成分", "random": "随机"})
        metric: str = space.metric()
        standardize: bool = space.standardize()
        compare: bool = flag("与其他困惑度对照", True)
        missing: str = space.gaps()
        append: bool = space.append()

    points = Points("样本", x=num("维1"), y=num("维2"), group=text("组"), label=text("样本"))
    values = Points("样本的取值", x=num("维1"), y=num("维2"), shade=num("取值"), label=text("样本"), when=SHADED)
    map = Chart("t-SNE 散点图", "point", of=points, x="x", y="y", series="group", label="label", place="main")
    shaded = Chart("t-SNE 散点图（按取值着色）", "point", of=values, x="x", y="y", shade="shade", label="label",
                   when=SHADED, place="detail")  # fmt: skip
    quality = Table(
        "质量", layout="record", n=integer("*N*"), perplexity=num("困惑度"), kl=num("KL 散度"),
        trust=num("可信度", most=1, decimals=3), continuity=num("连续性", most=1, decimals=3),
        shared=percent("近邻保持率"), place="main",
    )  # fmt: skip
    others = Table(
        "困惑度对照", perplexity=num("困惑度"), kl=num("KL 散度"), trust=num("可信度", most=1, decimals=3),
        continuity=num("连续性", most=1, decimals=3), shared=percent("近邻保持率"), when={"compare": True},
    )  # fmt: skip
    panels = Points("各困惑度", x=num("维1"), y=num("维2"), group=text("组"), panel=text("困惑度"),
                    when={"compare": True})  # fmt: skip
    compared = Chart("困惑度对照图", "point", of=panels, x="x", y="y", series="group", facet="panel",
                     when={"compare": True}, place="detail")  # fmt: skip
    coordinates = Table("坐标", row=integer("行号"), label=text("样本"), layout=Wide(y=num("坐标", decimals=3)))
    saved = NewColumns("坐标", when={"append": True})

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.x)} 个变量的 t-SNE"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        runs = 5 if form.get("compare", True) else 1
        return float(0.5 + runs * min(rows, MOST_ROWS) * int(form.get("max_iter") or 1000) * 2e-6)

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        held = space.space_of(report, form, MOST_ROWS)
        perplexity = _perplexity(report, form, held)
        u = _reduced(report, held)
        values = [value for value in PERPLEXITIES if value <= (held.n - 1) / 3] if form.compare else []
        form.progress(0, 1 + len(values), f"困惑度 {perplexity:g}")
        y, near = _embedded(form, u, perplexity)
        quality = kept(u, y, space.SCIPY[form.metric])
        divergence = _divergence(form, u, y, perplexity, near)
        report.row(
            cls.quality, n=held.n, perplexity=perplexity, kl=divergence, trust=quality.trust,
            continuity=quality.continuity, shared=quality.shared,
        )  # fmt: skip
        report.note(cls.quality, "近邻取 {k:integer} 个。可信度和连续性最高为 1。", k=quality.k)
        cls._drawn(report, form, held, y)
        cls._compared(report, form, held, u, values)
        cls._words(report, form, held, quality, perplexity)
        return report

    @classmethod
    def _drawn(cls, report: Report, form: Any, held: space.Space, y: Floats) -> None:
        names = [f"维{j + 1}" for j in range(y.shape[1])]
        rows = held.by_file[:SHOWN]
        for row, label in zip(rows, held.called(rows), strict=True):
            wide = {name: {"y": float(y[row, j])} for j, name in enumerate(names)}
            report.row(cls.coordinates, row=int(held.numbers[row]), label=label, wide=wide)
        if held.n > SHOWN:
            report.note(cls.coordinates, "只列前 1000 行；保存为新变量可以得到全部。")
        if form.append:
            report.columns(cls.saved, {name: held.spread(y[:, j]) for j, name in enumerate(names)})
        shown = _some(held, DRAWN)
        thinned = (int(shown.size), held.n) if shown.size < held.n else None
        place = {"x": y[shown, 0], "y": y[shown, 1], "label": held.called(shown)}
        report.add_rows(cls.points, {**place, "group": _groups(form, held, shown)})
        report.chart(cls.map, titles={"x": "维1", "y": "维2"}, thinned=thinned)
        report.note(cls.map, READ)
        if form.shade is not None:
            shades = np.asarray(form.shade.numbers)[held.place[shown]]
            known = np.isfinite(shades)
            kept_rows = {"x": y[shown, 0][known], "y": y[shown, 1][known], "shade": shades[known]}
            report.add_rows(cls.values, {**kept_rows, "label": held.called(shown[known])})
            report.chart(cls.shaded, titles={"x": "维1", "y": "维2"}, thinned=thinned)

    @classmethod
    def _compared(cls, report: Report, form: Any, held: space.Space, u: Floats, values: list[float]) -> None:
        if not form.compare:
            return
        if not values:
            report.skip(cls.others, "样本太少，没有其他困惑度可比")
            report.skip(cls.panels, "样本太少，没有其他困惑度可比")
            return
        shown = _some(held, PANEL)
        groups = _groups(form, held, shown)
        for done, value in enumerate(values, start=1):
            form.progress(done, 1 + len(values), f"困惑度 {value:g}")
            y, near = _embedded(form, u, value)
            quality = kept(u, y, space.SCIPY[form.metric])
            report.row(
                cls.others, perplexity=value, kl=_divergence(form, u, y, value, near), trust=quality.trust,
                continuity=quality.continuity, shared=quality.shared,
            )  # fmt: skip
            report.add_rows(
                cls.panels,
                {"x": y[shown, 0], "y": y[shown, 1], "group": groups, "panel": [f"{value:g}"] * shown.size},
            )
        report.note(cls.others, "困惑度不同时 KL 散度不能直接比较，看可信度、连续性和图形。")
        report.chart(cls.compared, titles={"x": "维1", "y": "维2"})

    @classmethod
    def _words(cls, report: Report, form: Any, held: space.Space, quality: Kept, perplexity: float) -> None:
        facts: dict[str, Any] = {
            "n": held.n, "p": len(held.names), "k": int(form.n_components), "t": quality.trust, "c": quality.continuity,
            "perplexity": perplexity, "shared": quality.shared, "near": quality.k,
        }  # fmt: skip
        sentence = (
            "{n:integer} 行、{p:integer} 个变量画到 {k:integer} 维（困惑度 {perplexity:num}）。"
            "可信度 {t:num3}，连续性 {c:num3}；最近的 {near:integer} 个样本在图上保留了 {shared:percent1}。"
        )
        report.lead(sentence, [figure("可信度", "{t:num3}"), figure("近邻保持率", "{shared:percent1}")], **facts)
        student = "t-SNE 把相似的样本画在一起，让人看出数据有没有成群。" + READ
        report.voices([(student, {})], [("用 t-SNE 降维：" + sentence, {})], [(sentence, {})], **facts)
        if quality.trust < 0.9:
            report.check(
                "近邻可信", "care", "可信度 {t:num3} 低于 0.9：图上有些近邻在原数据中并不近。", t=quality.trust
            )
        else:
            report.check("近邻可信", "pass", "可信度 {t:num3}：图上的近邻在原数据中大多也近。", t=quality.trust)


def _perplexity(report: Report, form: Any, held: space.Space) -> float:
    most = (held.n - 1) / 3
    if form.perplexity >= held.n:
        raise Refusal(
            "data.perplexity", "困惑度必须小于样本量{n}", field="perplexity", n=held.n,
            remedies=[SetRemedy(title=f"困惑度改为 {max(2, int(most))}", set={"perplexity": max(2, int(most))})],
        )  # fmt: skip
    different = distinct([np.ascontiguousarray(column) for column in held.x.T], np.arange(held.n), held.n)
    if different <= held.n / 2:
        raise Refusal(
            "data.duplicates", "重复行过多，降维图没有意义，请先去重（{n} 行中只有 {k} 种不同的行）", field="x",
            n=held.n, k=different,
            remedies=[StepRemedy(title="数据去重", step="data_processing/dedupe", columns=[])],
        )  # fmt: skip
    if form.perplexity <= most:
        return float(form.perplexity)
    report.warn("data.perplexity", "困惑度 {p:num} 对 {n:integer} 行太大，降为 {m:num}。", p=form.perplexity,
                n=held.n, m=most)  # fmt: skip
    return float(most)


def _reduced(report: Report, held: space.Space) -> Floats:
    if held.n <= REDUCE_ROWS or held.u.shape[1] <= REDUCED:
        return held.u
    centred = held.u - held.u.mean(axis=0)
    left, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    report.warn("data.reduced", "行数超过 10000，先用主成分把 {p:integer} 个变量降到 50 维。", p=held.u.shape[1])
    return np.asarray(left[:, :REDUCED] * sizes[:REDUCED])


def _embedded(form: Any, u: Floats, perplexity: float) -> tuple[Floats, float]:
    """Coordinates, and the divergence as the approximation has it."""
    from sklearn.manifold import TSNE

    machine = TSNE(
        int(form.n_components), perplexity=perplexity, learning_rate=form.learning_rate or "auto",
        max_iter=form.max_iter, init=form.init, metric=form.metric, random_state=form.seed, n_jobs=1,
    )  # fmt: skip
    y = np.asarray(machine.fit_transform(u.astype(np.float32)), dtype=float)
    return y, float(machine.kl_divergence_)


def _divergence(form: Any, u: Floats, y: Floats, perplexity: float, near: float) -> float:
    return near if len(u) > EXACT_ROWS else tsne_divergence(u, y, space.SCIPY[form.metric], perplexity)


def _some(held: space.Space, most: int) -> Any:
    file = held.by_file
    return file[np.unique(np.linspace(0, held.n - 1, min(held.n, most)).astype(int))]


def _groups(form: Any, held: space.Space, rows: Any) -> list[str]:
    if form.color is None:
        return ["全部样本"] * len(rows)
    labels = {level.code: level.label for level in form.color.levels[: MOST_GROUPS - 1]}
    codes = np.asarray(form.color.codes)[held.place[rows]]
    return [labels.get(int(code), "缺失" if code < 0 else "其他") for code in codes]
