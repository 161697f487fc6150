"""What to mind about a crosstab: expected counts, how many tests, layers, cases that count twice."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Report, SetRemedy, StepRemedy, more
from hengxi.contract.shapes import State
from hengxi.methods.descriptive._shared import answer_crossing_words as of_sets
from hengxi.methods.descriptive._shared.crossing import Cross
from hengxi.methods.descriptive._shared.crossing_words import significant

Found = list[tuple[Cross, list[Cross]]]
FAMILY = 3


def report_all(report: Report, found: Found, crossed: of_sets.Crossed, form: Any) -> None:
    if found:
        _expected(report, found, form)
        _missing(report, found)
    if crossed:
        of_sets.check(report, crossed)
    _independence(report)
    if len(found) >= FAMILY:
        _several(report, found, form)


def _expected(report: Report, found: Found, form: Any) -> None:
    every = [part for whole, inside in found for part in (whole, *inside)]
    worst = max(every, key=lambda one: (one.read == "pearson" and one.wanted == "exact", one.low_share, -one.least))
    state: State = "pass"
    end = "采用 Pearson χ² 检验。"
    if worst.wanted == "exact" and worst.exact is None:
        state, end = "fail", "χ² 的近似不可靠，而精确检验没有打开。"
    elif worst.wanted == "exact" and worst.is_two_by_two and not worst.sparse:
        end = "2×2 表总频数不足 40，按惯例采用 Fisher 精确检验（Pearson χ² 仍列在表中）。"
    elif worst.wanted == "exact":
        state, end = "care", "χ² 的近似不可靠，已改用精确检验（Pearson χ² 仍列在表中）。"
    elif worst.wanted == "yates":
        state, end = "care", "2×2 表总频数不少于 40 而最小期望在 1 到 5 之间，采用连续校正 χ²。"
    remedies: list[Any] = []
    if state == "fail":
        remedies.append(SetRemedy(title="打开精确检验", set={"exact": True}))
    if state != "pass" and not worst.is_two_by_two:
        ids = [worst.x.id, worst.y.id]
        remedies.append(StepRemedy(title="合并类别", step="data_processing/value_coding", columns=ids))
    which = "“{at}”" if worst.layer in (None, "全部") else "“{at}”的“{layer}”层"
    few = (
        "有 {low:integer} 个单元格（{share:percent1}）的期望频数小于 5" if worst.low else "没有期望频数小于 5 的单元格"
    )
    data = f"{which}{few}，最小 {{least:num}}。"
    report.check(
        "期望频数",
        state,
        data + end,
        more=more(
            "χ² 检验用连续分布近似离散的频数。期望频数是两个变量无关时各单元格该有的个数，只由行、列合计决定。",
            data,
            "期望频数小于 5 的单元格超过 20%，或有小于 1 的（参考标准，Cochran，1954），χ² 的 *p* 可能偏大也可能偏小。",
            "采用精确检验；或把意义相近、频数很少的类别合并后再分析，合并要按专业意义，不看结果。",
        ),
        remedies=remedies,
        at=worst.at,
        layer=worst.layer or "",
        low=worst.low,
        share=worst.low_share,
        least=worst.least,
    )


def _missing(report: Report, found: Found) -> None:
    worst = max((whole for whole, _ in found), key=lambda one: one.missing / (one.missing + one.n))
    share = worst.missing / (worst.missing + worst.n)
    state: State = "care" if share > 0.2 else "pass"
    text = "没有缺失值。"
    if worst.missing:
        text = "“{at}”有 {lost:integer} 例至少缺一个变量，占 {share:percent1}，没有计入。"
        text += "缺失较多，百分比只代表两个变量都有值的人。" if state == "care" else ""
    report.check(
        "缺失",
        state,
        text,
        more=more(
            "交叉表只用两个变量都有值的个案；各对变量用的个案可以不同。",
            "“{at}”有效 {n:integer} 例，缺失 {lost:integer} 例（{share:percent1}）。",
            "缺失的人若与其余的人不同，百分比和关联都会偏。",
            "查明缺失的原因；“不知道”“拒答”是否算一类，按研究目的决定。",
        ),
        at=worst.at,
        n=worst.n,
        lost=worst.missing,
        share=share,
    )


def _independence(report: Report) -> None:
    report.check(
        "个案独立",
        "unknown",
        "本检验要求每人（每份答卷）只计一次、互不影响，请按调查方式自行判断。",
        more=more(
            "每份答卷只能计一次。同一人前后两次、按班级或家庭整群抽取的数据都不满足；多选题要整组放入，逐项检验。",
            "软件只看到行，看不到它们之间的关系。",
            "不独立时 *p* 往往偏小。",
            "同一批人前后比较用 McNemar 检验；整群抽样用调查数据的方法。",
        ),
    )


def _several(report: Report, found: Found, form: Any) -> None:
    k = len(found)
    alpha = 1 - form.conf_level
    small = sum(one.p < alpha / k for one, _ in found)
    plain = sum(significant(one, form) for one, _ in found)
    report.check(
        "多重比较",
        "care" if plain else "pass",
        "一共做了 {k:integer} 个检验，*p* 小于 {alpha:alpha} 的有 {plain:integer} 个；"
        "按 Bonferroni 校正（每个用 {each:num4}）后有 {small:integer} 个。"
        if plain
        else "一共做了 {k:integer} 个检验，没有 *p* 小于 {alpha:alpha} 的。",
        more=more(
            "检验做得越多，碰巧出现小 *p* 的机会越大。",
            "即使各对变量都无关，至少碰到一个 *p* 小于 {alpha:alpha} 的机会也约为 {chance:percent1}（各检验独立时）。",
            "校正后仍小的 *p* 才比较可靠；校正前的小 *p* 只宜当作线索。",
            "在论文里写明一共检验了几对；研究前定好的主要假设单独报告。",
        ),
        k=k,
        alpha=alpha,
        plain=plain,
        each=alpha / k,
        small=small,
        chance=1 - (1 - alpha) ** k,
    )
