"""What is said about a k-means clustering: how large its classes are, what marks them, how clear the division is."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from hengxi.contract import Report, SetRemedy, figure, more
from hengxi.contract.shapes import State
from hengxi.methods.statistical._shared.kmeans_model import INLINE, SCALE_WORDS, Model
from hengxi.stats.names import scale_of, short

STRONG, REASONABLE, WEAK = 0.7, 0.5, 0.25
"""Kaufman & Rousseeuw (1990): above .70 a strong structure, .51–.70 reasonable, .26–.50 weak and perhaps artificial,
below that no substantial one."""
MARKED, LEADING, SMALL, RATIO, NAMED = 0.5, 4, 5, 3.0, 3


class Words:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.facts: dict[str, Any] = {
            "n": model.n,
            "vars": len(model.names),
            "k": model.k,
            "s": model.silhouette,
            "between": model.between_share,
            "scale": SCALE_WORDS[str(model.form.scale)],
            "runs": model.found.runs,
            "seed": str(model.form.seed),
        }
        sampled = model.found.sampled
        if sampled is not None:
            self.facts |= {"drawn": sampled.rows, "whole": sampled.whole}

    @property
    def clear(self) -> str:
        s = self.model.silhouette
        if s > STRONG:
            return "类与类分得很开"
        if s > REASONABLE:
            return "类与类分得较开"
        return "类与类有重叠" if s > WEAK else f"分类不明显，这 {self.model.k} 类之间没有清楚的界线"

    def write(self, report: Report) -> None:
        text, facts = self.conclusion()
        report.lead(text, self.figures(), **self.facts, **facts)
        report.voices(self.student(), self.paper(), [self.brief()], **self.facts)
        self._warn(report)

    def _warn(self, report: Report) -> None:
        model = self.model
        if model.found.emptied:
            report.warn("data.empty_class", "某类为空，已自动减少 K，现为 {k:integer} 类。", k=model.k)
        if model.stopped:
            report.warn("run.stopped", "按要求停止并保留：{where}，结果是到那时为止最好的一次。", where=model.stopped)

    @cached_property
    def scales(self) -> list[tuple[str, list[int]]]:
        """The variables by the names of their scales, where several share one; the others stand alone."""
        names = short(self.model.names)
        stems: dict[str, list[int]] = {}
        for j, name in enumerate(names):
            found = scale_of([name, name])
            stems.setdefault(name if found is None else found, []).append(j)
        kept: list[tuple[str, list[int]]] = []
        for stem, items in stems.items():
            kept += [(stem, items)] if len(items) > 1 else [(names[items[0]], items)]
        return kept

    def marks(self, i: int) -> tuple[str, dict[str, Any]]:
        """`第1类 62 例（41.3%）：“花瓣长”“花瓣宽”偏高`: what lies at least half a sd from the mean of all.

        A scale is named once, by the mean of its items.
        """
        model = self.model
        away = np.array([float(model.standard_centres[i][items].mean()) for _, items in self.scales])
        facts: dict[str, Any] = {f"n{i}": int(model.found.sizes[i]), f"p{i}": float(model.found.sizes[i]) / model.n}
        told = []
        for word, sign in (("偏高", 1), ("偏低", -1)):
            held = [int(j) for j in np.argsort(-sign * away, kind="stable") if sign * away[j] >= MARKED]
            if held:
                facts |= {f"v{i}_{j}": self.scales[j][0] for j in held[:NAMED]}
                names = "".join(f"“{{v{i}_{j}}}”" for j in held[:NAMED])
                told.append(names + (f"等 {len(held)} 项" if len(held) > NAMED else "") + word)
        near = "各变量都接近总平均" if len(model.names) > 1 else "接近总平均"
        return f"第{i + 1}类 {{n{i}:integer}} 例（{{p{i}:percent1}}）：{'，'.join(told) if told else near}", facts

    def conclusion(self) -> tuple[str, dict[str, Any]]:
        """How many classes and how clear, then what each is like: two lines."""
        told, facts = self._classes()
        chosen = "，平均轮廓系数最大的 K" if self.model.form.k_rule == "auto" else ""
        return (
            f"{{n:integer}} 例按 {{vars:integer}} 个变量（{{scale}}）分成 {{k:integer}} 类{chosen}。"
            f"{self.clear}（平均轮廓系数 {{s:num3}}）。\n{told}。"
        ), facts

    def figures(self) -> list[Any]:
        model = self.model
        n = model.found.sizes
        self.facts |= {"large": int(n[0]), "small": int(n[-1])}
        return [
            figure("类数", "{k:integer}", "自动选取" if model.form.k_rule == "auto" else "指定"),
            figure("平均轮廓系数", "{s:num3}", "抽样计算" if model.sampled else "−1 到 1，越大分得越开"),
            figure("组间平方和占比", "{between:percent1}", "类别之间的差异占总变异"),
            figure("各类例数", "{small:integer} 到 {large:integer}", "共 {n:integer} 例"),
        ]

    # ---- three voices ----------------------------------------------------------------------------------------------
    def brief(self) -> tuple[str, dict[str, Any]]:
        """Without the coefficient: how many, how clear, what each class is like."""
        told, facts = self._classes()
        return f"{{n:integer}} 例分成 {{k:integer}} 类，{self.clear}。{told}。", facts

    def _classes(self) -> tuple[str, dict[str, Any]]:
        facts: dict[str, Any] = {}
        told = []
        for i in range(min(self.model.k, LEADING)):
            text, more_facts = self.marks(i)
            told.append(text)
            facts |= more_facts
        return "；".join(told) + ("；其余各类见聚类中心表" if self.model.k > LEADING else ""), facts

    def student(self) -> list[tuple[str, dict[str, Any]]]:
        model = self.model
        parts: list[tuple[str, dict[str, Any]]] = [
            (
                "先看怎么分的：先放 {k:integer} 个中心，每一例归到最近的中心，再把中心移到本类的均值，"
                "反复到没有一例换类。"
                + (
                    "结果与起点有关，所以换 {runs:integer} 次起点，取组内平方和最小的一次（种子 {seed:text}）。"
                    if model.form.n_init > 1
                    else "结果与起点有关，这里只用了 1 个起点（种子 {seed:text}），请多重启几次。"
                )
                + (
                    "个案多，换起点先在抽取的 {drawn:integer} 例上做，最好的几个再用全部个案做，共 {whole:integer} 次。"
                    if model.found.sampled
                    else ""
                ),
                {},
            )
        ]
        text, facts = self.marks(0)
        parts.append(
            (
                "再看每一类是什么样，例如"
                + text
                + "。“偏高”“偏低”指比总平均相差半个标准差以上；量表按各题的平均看。类的名字按内容来起。",
                facts,
            )
        )
        parts.append(
            (
                f"然后看分得清不清：平均轮廓系数 {{s:num3}}，{self.clear}。参考标准（Kaufman 与 Rousseeuw，1990）："
                "0.70 以上很清楚，0.50 到 0.70 较清楚，0.25 到 0.50 较弱、可能只是人为的划分，0.25 以下看不出类。",
                {},
            )
        )
        parts.append(
            (
                "最后注意：K-Means 总会分出 K 类，即使数据里没有类。“类别差异”表里的 *p* 不能当作检验，"
                "因为类就是按这些变量分的。下一步：保存类别，用没有参与聚类的变量比较各类（交叉分析、方差分析）。",
                {},
            )
        )
        return parts

    def paper(self) -> list[tuple[str, dict[str, Any]]]:
        model = self.model
        facts = {f"c{i}": int(size) for i, size in enumerate(model.found.sizes)}
        sizes = "、".join(f"{{c{i}:integer}}" for i in range(model.k))
        how = "重启 {runs:integer} 次"
        if model.found.sampled:
            how = "在随机抽取的 {drawn:integer} 例上" + how + "，再用全部个案迭代 {whole:integer} 次"
        parts: list[tuple[str, dict[str, Any]]] = [
            (
                "以 {vars:integer} 个变量（{scale}）对 {n:integer} 例作 K-Means 聚类（欧氏距离，k-means++ 起点，"
                f"{how}），分成 {{k:integer}} 类，各类依次为 {sizes} 例。"
                "组间平方和占总平方和的 {between:percent1}，平均轮廓系数 {s:num3}。",
                facts,
            ),
            (
                "聚类是探索性的描述：换变量、换标准化方法，分法会不同；它不检验类是否存在，也不说明原因。",
                {},
            ),
        ]
        return parts


# ---- checks --------------------------------------------------------------------------------------------------------
def report_checks(report: Report, model: Model) -> None:
    _clear(report, model)
    _sizes(report, model)
    _units(report, model)


def _clear(report: Report, model: Model) -> None:
    s = model.silhouette
    below = float(np.mean(model.widths < 0))
    state: State = "pass" if s > REASONABLE else "care" if s > WEAK else "fail"
    remedies = [] if model.form.k_rule == "auto" else [SetRemedy(title="自动选 K", set={"k_rule": "auto"})]
    report.check(
        "类的清晰程度", state,
        f"{Words(model).clear}：平均轮廓系数 {{s:num3}}，"
        + ("{share:percent1} 的个案小于 0。" if below else "没有个案小于 0。"),
        more=more(
            "轮廓系数比较个案到本类和到最近的另一类的平均距离。",
            "平均 {s:num3}；{share:percent1} 的个案离另一类更近。",
            "数值低时，换一批数据分法可能不同。"
            "参考标准（Kaufman 与 Rousseeuw，1990）：0.50 以上较清楚，0.25 以下看不出类。",
            "比较不同的 K，换标准化方法，去掉分不开类的变量；仍然低就不宜分类。",
        ),
        remedies=remedies if state != "pass" else [], s=s, share=below,
    )  # fmt: skip


def _sizes(report: Report, model: Model) -> None:
    least = int(model.found.sizes[-1])
    small = least < SMALL
    report.check(
        "类的大小", "care" if small else "pass",
        "最小的一类有 {least:integer} 例，占 {share:percent1}。"
        + ("可能只是几个离群的个案，请核对。" if small else "没有过小的类。"),
        more=more(
            "K-Means 用平方距离，几个离得很远的个案会自成一类。",
            "最小的一类 {least:integer} 例，最大的一类 {most:integer} 例。",
            "过小的类不能说明一群人的特点，还会占掉一个 K。少于 5 例是本软件的提示界限，不是检验。",
            "看该类的个案是否录入错误；偏斜的变量可先取对数再聚类。",
        ),
        least=least, most=int(model.found.sizes[0]), share=least / model.n,
    )  # fmt: skip


def _units(report: Report, model: Model) -> None:
    if model.form.scale != "none":
        report.check("量纲", "pass", "各变量已按{scale}处理，单位不同不再有影响。", scale=INLINE[str(model.form.scale)])
        return
    if len(model.names) == 1:
        report.check("量纲", "pass", "只有一个变量，不必标准化。")
        return
    with np.errstate(over="ignore"):
        ratio = float(model.scale.max() / model.scale.min())
    wide = ratio > RATIO
    facts = {"a": model.names[int(model.scale.argmax())], "b": model.names[int(model.scale.argmin())]}
    report.check(
        "量纲", "care" if wide else "pass",
        "没有标准化，“{a}”的标准差是“{b}”的 {ratio:num1} 倍。"
        + ("分类主要由标准差大的变量决定，单位不同时请用 Z 标准化。" if wide else "各变量的尺度相近。"),
        more=more(
            "K-Means 的距离把各变量的差的平方相加，单位大的变量占的份额大。",
            "标准差最大的是“{a}”，最小的是“{b}”，相差 {ratio:num1} 倍。",
            "相差 3 倍时，前者在平方距离里的份额约为后者的 9 倍；换一个单位（厘米换毫米），分法就会变。",
            "单位不同时选 Z 标准化；单位相同而且本来就想让波动大的变量多起作用时，可以不处理。",
        ),
        remedies=[SetRemedy(title="改用 Z 标准化", set={"scale": "z"})] if wide else [],
        ratio=ratio if np.isfinite(ratio) else "inf", **facts,
    )  # fmt: skip
