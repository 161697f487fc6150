from __future__ import annotations

import warnings
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
    Table,
    Wide,
    choice,
    figure,
    integer,
    num,
    percent,
    role,
    text,
)
from hengxi.methods.unsupervised_learning._shared import space
from hengxi.stats.histogram import histogram
from hengxi.stats.moments import Floats

MOST_ROWS, SHOWN, DRAWN, DRAWN_PARTS, GAUSS = 200_000, 1000, 1000, 6, 0.3745672075
FUNS = {"logcosh": "logcosh", "exp": "exp", "cube": "立方"}
ALGORITHMS = {"parallel": "同时", "deflation": "逐个"}


class FastIca(Method):
    """Sources as independent of each other as linear mixtures allow."""

    title, title_en = "独立成分分析", "Independent component analysis (FastICA)"
    family, tier = "机器学习降维", "member"
    slug = "ica"
    purpose = "把混合信号分解为统计独立的源信号"
    aliases = ("ICA", "FastICA", "盲源分离", "独立成分", "信号分离", "混合矩阵")
    references = ("hyvarinen1999", "hyvarinen2000")
    conventions = (
        "变量先标准化（n − 1），再白化；各成分的标准差为 1。混合矩阵的系数就是变量与成分的相关系数。",
        "成分按峰度从高到低排列，每个成分绝对值最大的系数取正：次序和正负号本来是任意的。",
        "峰度 = m₄/m₂² − 3；方差贡献 = 系数的平方和 / 变量数。",
        "负熵近似 =（E[ln cosh s] − 0.37457）²，0.37457 是标准正态变量的值。",
        "相邻两次的方向余弦与 1 相差小于 10⁻¹² 时停止；起点由种子决定。",
    )
    missing = "keep"
    random = True

    class Input(Form):
        x: list[Column] = space.variables("分析变量")
        time: Column | None = role("时间或序号（选填）", "时间", min=0, use="label")
        n_components: int | None = integer("成分数", None, least=1, most=100, auto="变量数")
        fun: str = choice("非高斯度量", FUNS)
        algorithm: str = choice("算法", ALGORITHMS)
        max_iter: int = integer("最大迭代", 500, least=50, most=10_000)
        missing: str = space.gaps()
        append: bool = space.append()

    parts = Table(
        "成分统计", name=text("成分"), share=percent("方差贡献"), kurtosis=num("峰度", least=-2),
        negentropy=num("负熵近似", least=0, decimals=4), variable=text("关系最密切的变量"),
        r=num("*r*", least=-1, most=1, decimals=3), place="main",
    )  # fmt: skip
    mixing = Table(
        "混合矩阵 A", name=text("变量"), layout=Wide(a=num("系数", least=-1, most=1, decimals=3)), place="main"
    )
    unmixing = Table("分离矩阵 W", name=text("变量"), layout=Wide(w=num("系数", decimals=3)))
    series = Points("成分", x=num("次序"), y=num("得分"), group=text("成分"))
    signals = Chart("成分时序图", "line", of=series, x="x", y="y", facet="group", place="main")
    bins = Points("成分的分布", low=num("下限"), high=num("上限"), count=integer("频数"), group=text("成分"))
    spread = Chart(
        "成分直方图", "histogram", of=bins, low="low", high="high", count="count", facet="group", place="detail"
    )
    scores = Table("成分得分", row=integer("行号"), layout=Wide(score=num("得分", decimals=3)))
    saved = NewColumns("成分得分", when={"append": True})

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.x)} 个变量的独立成分分析"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.1 + rows * max(1, columns) ** 2 * 1e-6

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        held = space.space_of(report, form, MOST_ROWS, True)
        p = len(held.names)
        k = form.n_components or p
        if k > p:
            raise Refusal(
                "data.components", "成分数不能大于变量数{p}", field="n_components", p=p,
                remedies=[SetRemedy(title=f"成分数改为 {p}", set={"n_components": p})],
            )  # fmt: skip
        sizes = np.linalg.svd(held.z, compute_uv=False)
        rank = int((sizes > 1e-8 * sizes[0]).sum())
        if k > rank:
            raise Refusal(
                "data.rank", "有的变量可以由其他变量算出，成分数最多 {r}", field="n_components", r=rank,
                remedies=[SetRemedy(title=f"成分数改为 {rank}", set={"n_components": rank})],
            )  # fmt: skip
        s, a, w = _sources(form, held.z, k)
        kurtosis = (s**4).mean(axis=0) / (s**2).mean(axis=0) ** 2 - 3
        order = np.argsort(-np.round(kurtosis, 8), kind="stable")
        s, a, w, kurtosis = s[:, order], a[:, order], w[:, order], kurtosis[order]
        names = [f"成分{j + 1}" for j in range(k)]
        shares = np.minimum(1.0, (a**2).sum(axis=0) / p)
        negentropy = (np.logaddexp(s, -s).mean(axis=0) - np.log(2) - GAUSS) ** 2
        closest = np.abs(np.round(a, 8)).argmax(axis=0)
        for j, name in enumerate(names):
            report.row(
                cls.parts, name=name, share=float(shares[j]), kurtosis=float(kurtosis[j]),
                negentropy=float(negentropy[j]), variable=held.names[closest[j]], r=float(a[closest[j], j]),
            )  # fmt: skip
        for i, name in enumerate(held.names):
            report.row(cls.mixing, name=name, wide={one: {"a": float(a[i, j])} for j, one in enumerate(names)})
            report.row(cls.unmixing, name=name, wide={one: {"w": float(w[i, j])} for j, one in enumerate(names)})
        report.note(cls.mixing, "系数是变量与成分的相关系数：绝对值大的变量含这个成分多。")
        report.note(cls.unmixing, "成分 = 各变量的标准分乘以这些系数再相加。")
        cls._drawn(report, form, held, s, names)
        cls._words(report, form, held, kurtosis, a, names)
        return report

    @classmethod
    def _drawn(cls, report: Report, form: Any, held: space.Space, s: Floats, names: list[str]) -> None:
        file = held.by_file
        at = held.numbers.astype(float)
        if form.time is not None:
            at = np.asarray(form.time.numbers)[held.place]
            file = file[np.argsort(at[file], kind="stable")]
        for row in held.by_file[:SHOWN]:
            wide = {name: {"score": float(s[row, j])} for j, name in enumerate(names)}
            report.row(cls.scores, row=int(held.numbers[row]), wide=wide)
        if held.n > SHOWN:
            report.note(cls.scores, "只列前 1000 行；保存为新变量可以得到全部。")
        some = names[:DRAWN_PARTS]
        shown = file[np.unique(np.linspace(0, held.n - 1, min(held.n, DRAWN // len(some))).astype(int))]
        shown = shown[np.isfinite(at[shown])]
        for j, name in enumerate(some):
            report.add_rows(cls.series, {"x": at[shown], "y": s[shown, j], "group": [name] * shown.size})
            found = histogram(s[:, j])
            report.add_rows(
                cls.bins,
                {
                    "low": found.edges[:-1], "high": found.edges[1:], "count": found.counts.astype(int),
                    "group": [name] * found.counts.size,
                },
            )  # fmt: skip
        title = form.time.title if form.time is not None else "行号"
        thinned = (int(shown.size), held.n) if shown.size < held.n else None
        report.chart(cls.signals, titles={"x": title, "y": "得分"}, thinned=thinned)
        if form.append:
            report.columns(cls.saved, {name: held.spread(s[:, j]) for j, name in enumerate(names)})

    @classmethod
    def _words(
        cls, report: Report, form: Any, held: space.Space, kurtosis: Floats, a: Floats, names: list[str]
    ) -> None:
        k = len(names)
        near = int((np.abs(kurtosis) < 2 * np.sqrt(24 / held.n)).sum())
        j = int(np.abs(np.round(a[:, 0], 8)).argmax())
        facts: dict[str, Any] = {
            "n": held.n, "p": len(held.names), "k": k, "v": held.names[j], "r": float(a[j, 0]),
            "q": float(kurtosis[0]),
            "near": near,
        }  # fmt: skip
        found = (
            "{p:integer} 个变量分解成 {k:integer} 个独立成分（{n:integer} 行）。"
            "峰度最高的是成分1（{q:num}），与“{v}”关系最密切（r = {r:num2}）。"
        )
        report.lead(
            found,
            [figure("成分", "{k:integer}"), figure("近似正态的成分", "{near:integer}", "最多只能有 1 个")],
            **facts,
        )
        student = (
            "独立成分分析把几个混在一起的信号分开，例如几个麦克风录到的几个人的声音。"
            "成分的次序、正负号和大小都是任意的，只看形状。先看时序图，再看哪些变量含这个成分。"
        )
        how = f"FastICA（{FUNS[form.fun]}，{ALGORITHMS[form.algorithm]}提取）"
        report.voices([(student, {})], [(f"用 {how}把" + found, {})], [(found, {})], **facts)
        if near > 1:
            report.check(
                "成分不是正态",
                "fail",
                "{near:integer} 个成分的峰度接近 0，近似正态。两个以上正态的成分分不开，这些成分不可解释。",
                near=near,
            )
        else:
            report.check("成分不是正态", "pass", "近似正态的成分不超过 1 个，可以分开。")


def _sources(form: Any, z: Floats, k: int) -> tuple[Floats, Floats, Floats]:
    """Scores (rows × components, sd 1), their correlations with the variables, and the weights that give them."""
    from sklearn.decomposition import FastICA
    from sklearn.exceptions import ConvergenceWarning

    machine = FastICA(
        n_components=k, fun=form.fun, algorithm=form.algorithm, max_iter=form.max_iter, random_state=form.seed,
        tol=1e-12, whiten="unit-variance", whiten_solver="svd",
    )  # fmt: skip
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        s = np.asarray(machine.fit_transform(z))
    if any(issubclass(one.category, ConvergenceWarning) for one in told) or not np.isfinite(s).all():
        raise Refusal(
            "data.convergence", "迭代{it}次未收敛，请增加迭代或更换非高斯度量", field="max_iter", also=["fun"],
            it=form.max_iter,
            remedies=[SetRemedy(title="迭代改为 10000 次",
            set={"max_iter": 10_000})] if form.max_iter < 10_000 else [],
        )  # fmt: skip
    w = np.asarray(machine.components_).T
    scale = s.std(axis=0, ddof=1)
    s, w = s / scale, w / scale
    a = np.clip(z.T @ s / (len(z) - 1), -1, 1)
    top = np.abs(np.round(a, 8)).argmax(axis=0)
    sign = np.where(a[top, np.arange(k)] < 0, -1.0, 1.0)
    return s * sign, a * sign, w * sign
