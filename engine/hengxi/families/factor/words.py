"""What is said about a factor analysis: which items go together, how much they share, and what that does not show."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from hengxi.contract import Report, figure
from hengxi.families.factor.model import (
    EXTRACTION_WORDS,
    MATRIX_WORDS,
    ROTATION_WORDS,
    Model,
)
from hengxi.stats.names import listed, scale_of, short

UNFIT, LEADING = 0.5, 4
HEYWOOD = 0.995 - 1e-9
"""A communality this great is no share of anything: the bound of the estimation, or beyond 1."""
RULES = {"kaiser": "特征根大于 1", "parallel": "平行分析", "map": "最小平均偏相关", "fixed": "指定个数"}
ROTATION_SHORT = {
    "none": "",
    "varimax": "最大方差法（Kaiser 正规化）",
    "quartimax": "四次方最大法（Kaiser 正规化）",
    "equamax": "等量最大法（Kaiser 正规化）",
    "oblimin": "直接斜交法（δ = 0，Kaiser 正规化）",
    "promax": " Promax 法（κ = 4，Kaiser 正规化）",
}


class Words:
    def __init__(self, model: Model) -> None:
        self.model = model
        found = model.adequacy
        self.facts: dict[str, Any] = {
            "n": model.n,
            "items": model.p,
            "m": model.m,
            "explained": model.explained,
            "kmo": found.kmo,
            "chi2": found.chi2,
            "df": found.df,
            "p": found.p,
            "how": EXTRACTION_WORDS[str(model.form.extraction)],
            "turned": ROTATION_WORDS[str(model.form.rotation)] if model.rotated else ROTATION_WORDS["none"],
            "matrix": MATRIX_WORDS[str(model.form.matrix)],
            "matrix_words": {"polychoric": "多分格相关"}.get(
                str(model.form.matrix), f" {MATRIX_WORDS[str(model.form.matrix)]}"
            ),
            "rotation": ROTATION_SHORT[str(model.form.rotation)],
        }
        self.fits = found.kmo >= UNFIT and found.p < 0.05

    @property
    def rule(self) -> str:
        return RULES[str(self.model.form.n_rule)]

    def write(self, report: Report) -> None:
        model = self.model
        text, facts = self.conclusion()
        report.lead(text, self.figures(), **self.facts, **facts)
        report.voices(self.student(), self.paper(), [self.brief()], **self.facts)
        if model.capped is not None:
            self._capped(report)

    def _capped(self, report: Report) -> None:
        model = self.model
        if model.capped == 0:
            report.warn(
                "data.no_factor",
                f"按“{self.rule}”没有一个{model.thing}可以保留，题项之间的相关没有超出机会；"
                "这里仍提取 1 个，只供查看。",
            )
            return
        report.warn(
            "data.capped",
            f"按“{self.rule}”应提取 {{wanted:integer}} 个{model.thing}，但 {{items:integer}} 个题项最多提取"
            " {m:integer} 个（再多自由度为负），已按 {m:integer} 个提取。",
            wanted=model.capped, items=model.p, m=model.m,
        )  # fmt: skip

    # ---- which items belong together -------------------------------------------------------------------------------
    def groups(self, most: int = LEADING) -> tuple[str, dict[str, Any]]:
        """`因子1：“自我效能”（4 题）；因子2：“甲”“乙”等 5 题`; factors no item goes to are counted."""
        model = self.model
        filled = self.filled
        facts: dict[str, Any] = {"filled": len(filled), "bare": model.m - len(filled)}
        names = short(model.names)
        mine = {k: [i for i in range(model.p) if model.main[i] == k] for k in filled}
        scales = {k: scale_of([names[i] for i in items]) for k, items in mine.items()}
        shared = Counter(scales.values())
        told = []
        for k in filled[:most]:
            items = sorted(mine[k], key=lambda i: -abs(float(model.rotation.pattern[i, k])))
            scale = scales[k]
            known = scale is not None and shared[scale] == 1
            facts[f"g{k}"] = f"“{scale}”（{len(items)} 题）" if known else listed([names[i] for i in items])
            told.append(f"{model.factor_names[k]}：{{g{k}}}")
        rest = f"；其余{model.thing}见载荷表" if len(filled) > most else ""
        bare = f"；另有 {{bare:integer}} 个{model.thing}没有题项归入" if facts["bare"] else ""
        return "；".join(told) + rest + bare, facts

    @property
    def filled(self) -> list[int]:
        """The factors some item goes to."""
        return [k for k in range(self.model.m) if (self.model.main == k).any()]

    def conclusion(self) -> tuple[str, dict[str, Any]]:
        """How many groups, which, and whether the items suit: three lines at most."""
        model = self.model
        basis = "" if model.form.matrix == "pearson" else "{matrix}矩阵，"
        way = f"（{basis}{{how}}，{self.rule}）"
        share = ("共" if model.m > 1 else "") + "解释总方差的 {explained:percent1}"
        tests = "KMO = {kmo:num3}，Bartlett 检验 *p* {p:peq}"
        number = f"{{items:integer}} 个题项提取出 {{m:integer}} 个{model.thing}{way}，{share}。"
        if not self.fits:
            return f"这些题项不宜作因子分析：{self.unfit}（{tests}）。\n以下只供查看：{number}", {}
        told, facts = self.groups()
        turned = "" if model.rotated else "（未旋转）"
        placed = f"\n{told}{turned}。" if model.m > 1 else ""
        return f"{number}{placed}\n题项之间相关，适合做因子分析（{tests}）。", facts

    @property
    def unfit(self) -> str:
        model = self.model
        low = ["KMO 低于 0.5"] if model.adequacy.kmo < UNFIT else []
        none = ["题项之间没有发现明显的相关"] if not model.adequacy.p < 0.05 else []
        return "，".join(low + none)

    def figures(self) -> list[Any]:
        model = self.model
        return [
            figure(f"{model.thing}个数", "{m:integer}", self.rule),
            figure("解释的方差", "{explained:percent1}", "占 {items:integer} 个题项总方差"),
            figure("KMO", "{kmo:num3}", "取样适当性"),
            figure("Bartlett 检验", "*p* {p:peq}", "χ²({df:integer}) = {chi2:num}"),
        ]

    # ---- three voices ----------------------------------------------------------------------------------------------
    def brief(self) -> tuple[str, dict[str, Any]]:
        """Without the names of the procedures: how many groups of items, which, and how much they hold."""
        model = self.model
        if not self.fits:
            return f"这些题项不宜归并成几组：{self.unfit}。", {}
        if model.m == 1:
            return "{items:integer} 个题项可以归成一组，保留了题项差异的 {explained:percent1}。", {}
        told, facts = self.groups()
        return (
            "{items:integer} 个题项可以归成 {filled:integer} 组，共保留题项差异的 {explained:percent1}。"
            f"{told}。各组的名字由题项的内容决定。"
        ), facts

    def student(self) -> list[tuple[str, dict[str, Any]]]:
        model = self.model
        parts: list[tuple[str, dict[str, Any]]] = [
            (
                "先看能不能做：KMO = {kmo:num3}，越接近 1，题项共有的内容越多，越适合。"
                "Bartlett 检验 *p* {p:peq}，小于 .05 说明题项之间有相关。样本大时它几乎总是很小，所以主要看 KMO。",
                {},
            ),
            (
                f"再看几个{model.thing}：这里按“{self.rule}”取了 {{m:integer}} 个。"
                "特征根大于 1 的有 {kaiser:integer} 个，平行分析建议 {chance:integer} 个。"
                "两者不同时平行分析较可靠；再对照碎石图，选含义最清楚的一种。",
                {"kaiser": model.kaiser, "chance": model.beyond_chance},
            ),
        ]
        best = np.unravel_index(int(np.argmax(np.abs(model.rotation.pattern))), model.rotation.pattern.shape)
        i, k = int(best[0]), int(best[1])
        facts = {
            "v": model.names[i],
            "f": model.factor_names[k],
            "l": float(model.rotation.pattern[i, k]),
            "h": float(model.extraction.communalities[i]),
        }
        loading = (
            "斜交旋转后的载荷是模式系数，不是相关，可以略大于 1"
            if model.oblique
            else f"载荷是题项与{model.thing}的相关"
        )
        parts.append(
            (
                f"然后看载荷：{loading}。例如“{{v}}”在{{f}}上是 {{l:num}}；"
                + (
                    f"共同度 {{h:num}} 表示{model.thing}解释了它 {{h:percent}} 的方差。"
                    if model.components or model.extraction.communalities[i] < HEYWOOD
                    else "共同度到了或超过 1（Heywood 现象），这不可能是真的，这个解的载荷不能照常读。"
                ),
                facts,
            )
        )
        parts.append(
            (
                f"最后起名字：按归入的题项的内容，给每个{model.thing}起名。"
                "下一步：对每个{thing}的题项作信度分析；要验证这个结构，请用另一批数据作验证性因子分析。".replace(
                    "{thing}", model.thing
                ),
                {},
            )
        )
        return parts

    def paper(self) -> list[tuple[str, dict[str, Any]]]:
        model = self.model
        turn = "旋转用{rotation}，" if model.rotated else "未旋转，"
        loads = np.abs(model.rotation.pattern[np.arange(model.p), model.main])
        parts: list[tuple[str, dict[str, Any]]] = [
            (
                "对 {items:integer} 个题项（*N* = {n:integer}）作探索性因子分析，使用{matrix_words}矩阵。"
                "KMO = {kmo:num3}，Bartlett 球形检验 χ²({df:integer}) = {chi2:num}，*p* {p:peq}。"
                f"用{{how}}提取，按“{self.rule}”取 {{m:integer}} 个{model.thing}，{turn}"
                "累计解释方差 {explained:percent1}；各题项在所属"
                + model.thing
                + "上的载荷绝对值为 {least:num} 到 {most:num}。",
                {"least": float(loads.min()), "most": float(loads.max())},
            )
        ]
        fit = model.fit
        if fit is not None and fit.p is not None:
            parts.append(
                (
                    "最大似然拟合：χ²({fdf:integer}) = {fchi:num}，*p* {fp:peq}；RMSEA = {rmsea:num3}"
                    "（90% CI {low:num3} 到 {high:num3}），RMSR = {rmsr:num3}。",
                    {
                        "fdf": fit.df,
                        "fchi": fit.chi2,
                        "fp": fit.p,
                        "rmsea": fit.rmsea,
                        "low": fit.rmsea_low,
                        "high": fit.rmsea_high,
                        "rmsr": model.rmsr,
                    },
                )
            )
        component = (
            "主成分法得到的是题项的加权和（成分），不区分题项独有的方差；要说“潜在因子”，用主轴因子或最大似然。"
            if model.components
            else ""
        )
        parts.append(
            (
                f"{component}因子分析描述题项之间的相关结构，是探索性的；分组不说明题项之间的因果。",
                {},
            )
        )
        return parts
