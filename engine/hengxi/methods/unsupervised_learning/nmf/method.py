from __future__ import annotations

from typing import Any

import numpy as np
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    NewColumns,
    Points,
    Reference,
    Refusal,
    Report,
    SetRemedy,
    StepRemedy,
    Table,
    Wide,
    choice,
    figure,
    integer,
    num,
    number,
    percent,
    text,
)
from hengxi.methods.unsupervised_learning._shared import space
from hengxi.stats.moments import Floats
from hengxi.stats.nonnegative import LOSSES, STARTS, Factors, factorise, hoyer

MOST_ROWS, SHOWN, CANDIDATES, ENOUGH, STABLE_ROWS, REPEATS, ROUGH = 50_000, 1000, 10, 0.9, 300, 10, 200


class Nmf(Method):
    """Parts that only add up: every row a non-negative mixture of non-negative profiles."""

    title, title_en = "非负矩阵分解", "Non-negative matrix factorisation"
    family, tier = "机器学习降维", "member"
    slug = "nmf"
    purpose = "把非负数据分解成可解释的非负部件与权重"
    aliases = ("NMF", "非负矩阵分解", "部件分解", "矩阵分解", "非负因子")
    references = ("lee1999", "cichocki2009", "fevotte2011", "boutsidis2008", "hoyer2004", "brunet2004")
    conventions = (
        "X ≈ WH，各数都不小于 0。数据先除以全部数值的平均，正则强度因此不受单位影响。",
        "部件（H 的一行）缩放到合计为 1，权重 W 的单位与数据相同；成分按贡献降序，贡献 = W 的列和占全部的比例。",
        "平方误差用坐标下降，两种散度用乘法更新；相对变化小于 10⁻⁶（平方误差）或 10⁻⁷ 时停止，最多 2000 次。",
        "解释比例 = 1 − Σ(x − x̂)²/Σx²；解释方差 = 1 − Σ(x − x̂)²/Σ(x − 变量均值)²。",
        "自动的成分数：解释方差达到 90% 的最少成分数；都达不到时取候选中最大的。",
        "稀疏度是 Hoyer 的：0 是各数相同，1 是只有一个数不为 0；各成分取平均。",
        "cophenetic 相关：换 10 个随机起点，按权重最大的成分归类，看样本每次是否同类；超过 300 行时等距抽取。",
    )
    missing = "keep"
    random = True

    class Input(Form):
        x: list[Column] = space.variables("分解变量")
        label: Column | None = space.identity()
        n_components: int | None = integer("成分数", None, least=1, most=50, auto="解释方差达到 90%")
        loss: str = choice("损失", LOSSES)
        init: str = choice("初始化", STARTS)
        alpha: float = number("正则强度", 0, least=0, most=100)
        l1_ratio: float = number("L1 占比", 0, least=0, most=1, hint="1 使更多的数为 0；0 使各数都变小")
        missing: str = space.gaps()
        append: bool = space.append()

    parts = Table(
        "成分", name=text("成分"), share=percent("贡献"), first=text("占比最大的变量"), weight=percent("该变量的占比"),
        mean=num("平均权重", least=0), place="main",
    )  # fmt: skip
    profiles = Table("部件矩阵 H", name=text("变量"), layout=Wide(h=percent("占比")), place="main")
    cells = Points("部件", variable=text("变量"), part=text("成分"), h=num("占比"))
    heat = Chart("部件热力图", "heat", of=cells, row="variable", column="part", value="h", place="main")
    curve = Table(
        "成分数的选择", k=integer("成分数"), residual=num("残差范数", least=0), fit=percent("解释比例", least=None),
        r2=percent("解释方差", least=None), chosen=text("采用"), place="detail",
    )  # fmt: skip
    line = Chart("重构误差与成分数", "line", of=curve, x="k", y="residual", place="detail")
    quality = Table(
        "拟合评价", residual=num("残差范数", least=0), loss=num("损失值", least=0),
        fit=percent("解释比例", least=None), r2=percent("解释方差", least=None), sparse_h=num("部件的稀疏度"),
        sparse_w=num("权重的稀疏度"), cophenetic=num("cophenetic 相关"), layout="record",
    )  # fmt: skip
    amounts = Table("权重矩阵 W", row=integer("行号"), label=text("样本"), layout=Wide(w=num("权重")))
    saved = NewColumns("成分权重", when={"append": True})

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.x)} 个变量的非负矩阵分解"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.2 + min(rows, MOST_ROWS) * max(1, columns) * 4e-5

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        held = space.space_of(report, form, MOST_ROWS, False, least=3)
        _check_values(held, form)
        largest = min(held.x.shape) - 1
        if largest < 1:
            raise Refusal("data.few", "至少需要 2 个有变化的变量", field="x")
        if form.n_components is not None and form.n_components > largest:
            raise Refusal(
                "data.components", "成分数过大：必须小于行数和变量数，最多 {most}", field="n_components", most=largest,
                remedies=[SetRemedy(title=f"成分数改为 {largest}", set={"n_components": largest})],
            )  # fmt: skip
        candidates = list(range(1, min(CANDIDATES, largest) + 1))
        if form.n_components is not None and form.n_components > CANDIDATES:
            candidates.append(form.n_components)
        # Relative to the mean: squares of tiny or huge numbers would leave the range of doubles.
        unit = float(held.x.mean())
        scaled = held.x / unit
        total = unit * float(np.linalg.norm(scaled))
        spread = unit * float(np.linalg.norm(scaled - scaled.mean(axis=0)))
        fits: dict[int, Factors] = {}
        for done, k in enumerate(candidates):
            form.progress(done, len(candidates) + 1, f"{k} 个成分")
            fits[k] = _fit(form, held.x, k, form.init, form.seed)
            if not fits[k].w.any():
                raise Refusal(
                    "data.penalty", "正则太强，全部权重都成了 0；请减小“正则强度”", field="alpha",
                    remedies=[SetRemedy(title="不用正则", set={"alpha": 0})],
                )  # fmt: skip
        explained = {k: 1 - (fit.residual / spread) ** 2 for k, fit in fits.items()}
        k = form.n_components or next((k for k in candidates if explained[k] >= ENOUGH), candidates[-1])
        for candidate, fit in fits.items():
            report.row(
                cls.curve, k=candidate, residual=fit.residual, fit=1 - (fit.residual / total) ** 2,
                r2=explained[candidate], chosen="是" if candidate == k else None,
            )  # fmt: skip
        report.chart(cls.line, over=[Reference(x=float(k), label="采用")])
        report.note(cls.curve, "解释方差与只用各变量的均值相比。曲线变平以后，再加成分用处不大。")
        cls._tables(report, form, held, fits[k])
        agreement = _agreement(form, held.x, k) if k > 1 else None
        report.row(
            cls.quality, residual=fits[k].residual, loss=fits[k].loss, fit=1 - (fits[k].residual / total) ** 2,
            r2=explained[k], sparse_h=hoyer(fits[k].h.T), sparse_w=hoyer(fits[k].w), cophenetic=agreement,
        )  # fmt: skip
        report.note(cls.quality, "损失值按除以平均后的数据计算。cophenetic 相关接近 1 说明换起点时归类不变。")
        cls._words(report, form, held, fits[k], explained[k], agreement)
        return report

    @classmethod
    def _tables(cls, report: Report, form: Any, held: space.Space, fit: Factors) -> None:
        k = len(fit.h)
        names = [f"成分{j + 1}" for j in range(k)]
        top = np.round(fit.h, 8).argmax(axis=1)
        for j, name in enumerate(names):
            report.row(
                cls.parts, name=name, share=float(fit.shares[j]), first=held.names[top[j]],
                weight=float(fit.h[j, top[j]]), mean=float(fit.w[:, j].mean()),
            )  # fmt: skip
        for i, variable in enumerate(held.names):
            report.row(
                cls.profiles, name=variable, wide={name: {"h": float(fit.h[j, i])} for j, name in enumerate(names)}
            )
        drawn = list(range(min(len(held.names), SHOWN // k)))
        for i in drawn:
            report.add_rows(cls.cells, {"variable": [held.names[i]] * k, "part": names, "h": fit.h[:, i]})
        if len(drawn) < len(held.names):
            report.note(cls.heat, "变量太多，只画前面的 {k:integer} 个。", k=len(drawn))
        report.note(cls.profiles, "每个成分的占比合计 100%。样本 ≈ 各成分的权重乘以部件再相加。")
        rows = held.by_file[:SHOWN]
        for row, label in zip(rows, held.called(rows), strict=True):
            wide = {name: {"w": float(fit.w[row, j])} for j, name in enumerate(names)}
            report.row(cls.amounts, row=int(held.numbers[row]), label=label, wide=wide)
        if held.n > SHOWN:
            report.note(cls.amounts, "只列前 1000 行；保存为新变量可以得到全部。")
        if form.append:
            report.columns(cls.saved, {name: held.spread(fit.w[:, j]) for j, name in enumerate(names)})

    @classmethod
    def _words(
        cls, report: Report, form: Any, held: space.Space, fit: Factors, r2: float, agreement: float | None
    ) -> None:
        top = int(np.round(fit.h[0], 8).argmax())
        facts: dict[str, Any] = {
            "n": held.n, "p": len(held.names), "k": len(fit.h), "r2": r2, "share": float(fit.shares[0]),
            "v": held.names[top], "h": float(fit.h[0, top]),
        }  # fmt: skip
        sentence = (
            "{p:integer} 个变量分解成 {k:integer} 个成分（{n:integer} 行），解释方差 {r2:percent1}。"
            "贡献最大的是成分1（{share:percent1}），其中占比最大的是“{v}”（{h:percent1}）。"
        )
        report.lead(sentence, [figure("成分", "{k:integer}"), figure("解释方差", "{r2:percent1}")], **facts)
        student = (
            "非负矩阵分解把每一行看成几个“部件”按不同分量相加，不能相减。先看部件由哪些变量组成，再看每行各含多少。"
        )
        report.voices([(student, {})], [(f"用非负矩阵分解（{LOSSES[form.loss]}）把" + sentence, {})], [(sentence, {})],
                      **facts)  # fmt: skip
        if fit.converged:
            report.check("收敛", "pass", "达到停止条件。")
        else:
            report.check("收敛", "care", "2000 次以后还在变化，数值的末几位不可靠。")
        if agreement is not None and agreement < ENOUGH:
            report.check(
                "归类稳定", "care", "换起点时样本的归类会变（cophenetic 相关 {c:num}），成分不唯一，解释要谨慎。",
                c=agreement,
            )  # fmt: skip
        elif agreement is not None:
            report.check("归类稳定", "pass", "换起点时样本的归类基本不变（cophenetic 相关 {c:num}）。", c=agreement)


def _fit(form: Any, x: Floats, k: int, start: str, seed: int, most: int = 2000) -> Factors:
    return factorise(x, k, form.loss, start, seed, form.alpha, form.l1_ratio, most)


def _check_values(held: space.Space, form: Any) -> None:
    strict = form.loss == "itakura-saito"
    wrong = held.x <= 0 if strict else held.x < 0
    if not wrong.any():
        return
    i, j = min(np.argwhere(wrong).tolist(), key=lambda at: int(held.place[at[0]]))
    value, name = float(held.x[i, j]), held.names[j]
    at, shown = int(held.numbers[i]), f"{value:g}"
    if strict:
        raise Refusal(
            "data.zero", "Itakura-Saito 散度要求数值大于0：变量“{v}”第 {at} 行为 {x}", field="loss", also=["x"],
            v=name, at=at, x=shown, remedies=[SetRemedy(title="改用平方误差", set={"loss": "frobenius"})]
            if value == 0 and (held.x >= 0).all() else [],
        )  # fmt: skip
    raise Refusal(
        "data.negative", "非负矩阵分解要求所有数值不小于0：变量“{v}”第 {at} 行为 {x}", field="x", v=name, at=at,
        x=shown, remedies=[StepRemedy(title="标准化到 0 到 1", step="data_processing/normalization", columns=[])],
    )  # fmt: skip


def _agreement(form: Any, x: Floats, k: int) -> float | None:
    """Cophenetic correlation of the consensus matrix (Brunet et al., 2004); None where it has one value alone."""
    rows = np.unique(np.linspace(0, len(x) - 1, min(len(x), STABLE_ROWS)).astype(int))
    some = x[rows][:, x[rows].sum(axis=0) > 0]
    together = np.zeros((len(rows), len(rows)))
    for repeat in range(REPEATS):
        owner = _fit(form, some, k, "random", form.seed + repeat, ROUGH).w.argmax(axis=1)
        together += owner[:, None] == owner[None, :]
    apart = squareform(1 - together / REPEATS, checks=False)
    if np.ptp(apart) == 0:
        return None
    return float(cophenet(linkage(apart, "average"), apart)[0])
