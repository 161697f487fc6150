"""What a factor analysis rests on: what was seen, what it does to the result, what can be done."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report, SetRemedy, StepRemedy, more
from hengxi.contract.shapes import State
from hengxi.families.factor.model import Model
from hengxi.families.factor.tables import FEW_ITEMS, troubles
from hengxi.stats.names import listed, short

CARE, FAIL, RATIO, SIZE = 0.6, 0.5, 5, 100


def report_all(report: Report, model: Model) -> None:
    _kmo(report, model)
    _sphericity(report, model)
    _size(report, model)
    _number(report, model)
    _items(report, model)
    _reversed(report, model)
    _proper(report, model)


GRADES = ((0.9, "极好"), (0.8, "良好"), (0.7, "中等"), (0.6, "平平"), (0.5, "很差"))
"""Kaiser's words for tenths of the index: marvelous, meritorious, middling, mediocre, miserable (1974)."""


def grade(kmo: float) -> str:
    return next((word for least, word in GRADES if kmo >= least), "不可接受")


def _kmo(report: Report, model: Model) -> None:
    kmo, msa = model.adequacy.kmo, model.adequacy.msa
    state: State = "fail" if kmo < FAIL else "care" if kmo < CARE else "pass"
    ending = f"{grade(kmo)}，" + {"pass": "可以作因子分析。", "care": "结果要谨慎。", "fail": "不宜作因子分析。"}[state]
    low = int(np.argmin(msa))
    report.check(
        "取样适当性", state, "KMO = {kmo:num3}。" + ending,
        more=more(
            "KMO 比较题项之间的相关与偏相关：题项共有的部分越多，偏相关越小，KMO 越接近 1。",
            "总的 KMO = {kmo:num3}；单个题项最低的是“{v}”，MSA = {msa:num}。",
            "KMO 低说明题项之间共有的东西少，提取的" + model.thing + "不可靠。"
            "参考标准（Kaiser，1974）：0.9 以上极好，0.8 良好，0.7 中等，0.6 平平，0.5 很差，低于 0.5 不可接受。"
            "这里低于 0.6 提示注意，低于 0.5 判为不宜作。",
            "先核对 MSA 低于 0.5 的题项，考虑逐个删去后重做；或增加样本。",
        ),
        kmo=kmo, v=model.names[low], msa=float(msa[low]),
    )  # fmt: skip


def _sphericity(report: Report, model: Model) -> None:
    found = model.adequacy
    state: State = "pass" if found.p < 0.05 else "fail"
    ending = "题项之间相关，适合做因子分析。" if state == "pass" else "题项之间没有发现明显的相关，不宜作因子分析。"
    report.check(
        "球形检验", state, "Bartlett χ²({df:integer}) = {chi2:num}，*p* {p:peq}。" + ending,
        more=more(
            "零假设：题项两两都不相关（相关矩阵是单位阵）。",
            "χ²({df:integer}) = {chi2:num}，*p* {p:peq}，*N* = {n:integer}。",
            "不能拒绝时，分出来的组可能只是机会。样本大时很弱的相关也会有很小的 *p*，要连同 KMO 看；"
            "题项严重偏斜时这个检验不准。",
            "*p* 大时检查题项是否真的测量相近的内容，或增加样本。",
        ),
        df=found.df, chi2=found.chi2, p=found.p, n=model.n,
    )  # fmt: skip


def _size(report: Report, model: Model) -> None:
    ratio = model.n / model.p
    state: State = "care" if ratio < RATIO or model.n < SIZE else "pass"
    ending = "偏少，载荷不稳定，换一批人可能分得不一样。" if state == "care" else "满足常用的参考标准。"
    report.check(
        "样本量", state,
        "{n:integer} 例，{items:integer} 个题项，每个题项约 {ratio:num1} 例。" + ending,
        more=more(
            "题项多、样本少时，载荷估得不准。",
            "{n:integer} ÷ {items:integer} = {ratio:num1}。",
            "参考标准（Gorsuch，1983）：每个题项 5 个以上，且总数不少于 100，是经验法则；"
            "共同度高、每个因子题项多时，少一些也可以。",
            "增加样本，或减少题项。",
        ),
        n=model.n, items=model.p, ratio=ratio,
    )  # fmt: skip


def _number(report: Report, model: Model) -> None:
    agree = model.m == model.beyond_chance
    none = model.beyond_chance == 0
    text = (
        f"提取了 {{m:integer}} 个{model.thing}；"
        + ("平行分析一个也不保留，" if none else "平行分析建议 {chance:integer} 个，")
        + "特征根大于 1 的有 {kaiser:integer} 个。"
    )
    remedies = []
    if not agree and not none and model.form.n_rule != "parallel" and model.capped is None:
        remedies = [SetRemedy(title="改用平行分析", set={"n_rule": "parallel"})]
    report.check(
        f"{model.thing}个数", "pass" if agree else "care",
        text + ("" if agree else "个数不一致：请比较不同个数的载荷表，选含义最清楚的一种。"),
        more=more(
            f"{model.thing}取多了会分出只靠机会的组，取少了会把不同的内容并在一起。",
            "见平行分析表和碎石图。",
            "“特征根大于 1”在题项多时常常取得过多；平行分析（Horn，1965）"
            "拿同样大小的随机数据作对照，模拟比较中准确得多（Zwick 与 Velicer，1986）。",
            "换成平行分析建议的个数再看一遍载荷；理论上有预期个数时，用“指定”。",
        ),
        remedies=remedies, m=model.m, chance=model.beyond_chance, kaiser=model.kaiser,
    )  # fmt: skip


def _items(report: Report, model: Model) -> None:
    found = troubles(model)
    thin = [k for k in range(model.m) if int(np.sum(model.main == k)) < FEW_ITEMS]
    facts: dict[str, Any] = {}
    told = []
    if found:
        facts["names"] = listed([model.names[i] for i, _ in found], 8)
        facts["k"] = len(found)
        told.append("{k:integer} 个题项载荷低、交叉载荷或共同度低：{names}，见题项核对表。")
    if thin:
        facts["thin"] = "、".join(model.factor_names[k] for k in thin)
        told.append("{thin}的题项不足 3 个，不稳定。")
    report.check(
        "题项", "care" if told else "pass",
        "".join(told) or f"每个题项都主要归属一个{model.thing}，每个{model.thing}至少有 3 个题项。",
        more=more(
            f"好的题项在一个{model.thing}上载荷高，在其他{model.thing}上低。",
            "".join(told) or "没有需要核对的题项。",
            "载荷低或交叉的题项使分组含糊；不足 3 个题项的" + model.thing + "换一批数据常常重现不了"
            "（Costello 与 Osborne，2005）。",
            "一次删一个题项再重做；删题要有题意上的理由。",
        ),
        **facts,
    )  # fmt: skip


CLEAR = 0.3
"""A smaller loading has no direction worth naming."""


def reversed_items(model: Model) -> list[int]:
    """Items that load against most of their factor's: negatively worded, or scored the other way.

    Several factors without rotation each set groups of items against each other: nothing can be told from them.
    """
    if model.m > 1 and not model.rotated:
        return []
    pattern = model.rotation.pattern
    found: list[int] = []
    for k in range(model.m):
        mine = [i for i in range(model.p) if model.main[i] == k and abs(pattern[i, k]) >= CLEAR]
        up = [i for i in mine if pattern[i, k] > 0]
        down = [i for i in mine if pattern[i, k] < 0]
        few, many = sorted((down, up), key=len)
        found += [i for i in few if float(model.r[i, many].mean()) < 0]
    return sorted(found)


def _reversed(report: Report, model: Model) -> None:
    found = reversed_items(model)
    if not found:
        return
    names = short(model.names)
    facts = {"names": listed([names[i] for i in found], 5), "k": len(found)}
    text = "{names}与同组的其他题项方向相反，可能是反向题，计算总分或平均分前要先反向计分。"
    report.check(
        "反向题", "care", text,
        more=more(
            "反向题与其他题意思相反：同意它，等于不同意其他题。",
            "{k:integer} 个题项的载荷与同组多数题项符号相反：{names}。",
            "不影响因子个数和解释的方差；直接相加会使总分互相抵消，信度系数偏低。",
            "先看题意。确是反向题：用数据编码的“反向计分”生成新变量，再用新变量计算量表分。",
        ),
        remedies=[
            StepRemedy(
                title="反向计分", step="data_processing/value_coding", columns=[model.form.items[i].id for i in found]
            )
        ],
        **facts,
    )  # fmt: skip


def _proper(report: Report, model: Model) -> None:
    """Heywood cases, iterations that did not settle, a matrix that had to be smoothed."""
    found = model.extraction
    if found.heywood:
        facts: dict[str, Any] = {"names": "”“".join(model.names[i] for i in found.heywood[:5])}
        many = len(found.heywood) > 1
        tail = f"等 {len(found.heywood)} 个题项" if len(found.heywood) > 5 else ""
        whose = "它们独有的方差都" if many else "它独有的方差"
        text = (
            f"“{{names}}”{tail}的共同度超过 1（Heywood 现象），不可能是真的，解不可靠。"
            if model.form.extraction == "paf"
            else f"“{{names}}”{tail}的共同度到了上限 0.995（Heywood 现象），{whose}几乎为 0，解不可靠。"
        )
        report.check(
            "Heywood 现象", "fail", text,
            more=more(
                "共同度（公因子方差）是因子解释一个题项方差的比例，不能超过 1。",
                text,
                f"多半是因子取得太多、题项太少或样本太小；{'这些' if many else '该'}题项的载荷和检验都不能照常读。",
                "减少因子个数，增加样本，或改用主成分法对照。",
            ),
            remedies=[SetRemedy(title="改用主成分法", set={"extraction": "principal"})], **facts,
        )  # fmt: skip
        report.warn("data.heywood", text, **facts)
    if not found.converged:
        report.warn(
            "data.not_converged", "提取的迭代没有收敛，结果是最后一步的，只供参考；请减少因子个数或改用其他提取方法。"
        )
    if not model.rotation.converged:
        report.warn("data.not_converged", "旋转的迭代没有收敛，结果是最后一步的，只供参考；请改用其他旋转。")
    if model.smoothed:
        report.warn(
            "data.smoothed",
            "多分格相关逐对估计，合成的矩阵不是正定的；已把过小的特征根提到 10⁻⁶ 再作分析，结果只供参考。",
        )
