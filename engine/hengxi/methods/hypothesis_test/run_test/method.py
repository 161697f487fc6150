from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    Table,
    choice,
    claim,
    confidence,
    figure,
    flag,
    integer,
    num,
    number,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import many_tests
from hengxi.methods.hypothesis_test._shared.finding import Finding
from hengxi.stats.location import mode
from hengxi.stats.moments import Floats, median, moments
from hengxi.stats.names import number_words

CONTINUITY_MOST = 50
EXACT_MOST = 2000
DRAWN = 2000
SIDES = {"median": "中位数", "mean": "均值", "mode": "众数", "custom": "自定义分割点"}


class RunTest(Method):
    title, title_en = "游程检验", "Runs test"
    family, tier = "非参数检验", "standard"
    rescaled = (("variables",),)
    purpose = "序列的出现次序是否随机"
    aliases = ("随机性检验", "Wald-Wolfowitz", "连串检验", "次序随机", "runs test")
    references = ("wald1940", "siegel1956", "holm1979")
    conventions = (
        "数据按行的先后取作次序；缺失的行跳过。",
        "期望游程 = 2n1n2/N + 1，方差 = 2n1n2(2n1n2 − N)/(N²(N − 1))。",
        "N 小于 50 时 *Z* 作 0.5 的连续性校正（与 SPSS 相同），可以关闭；更多时不校正。",
        "精确 *p* 为双侧，是概率不大于观测游程数的各种游程数的概率之和；超过 2000 例不算。",
        "文字变量的两类，先出现的一类记作“低于分割点”。",
    )
    missing = "each"
    row_order = True
    min_rows = 2

    class Input(Form):
        variables: Column = role("检验变量（按行的次序）", "任意", each=True)
        cut: str = choice(
            "分割点", {"median": "中位数", "mean": "均值", "mode": "众数", "custom": "自定义", "binary": "本身为二分"}
        )
        cut_value: float = number("自定义分割点", 0, when={"cut": "custom"})
        equal_handling: str = choice(
            "等于分割点的值",
            {"ge": "归入≥（SPSS）", "drop": "剔除"},
            when={"cut": ("median", "mean", "mode", "custom")},
        )
        continuity: bool = flag("小样本连续校正", True, hint="不足 50 例时作 0.5 的校正，与 SPSS 相同")
        exact: bool = flag("精确p", False, hint="样本小时更准，结论改用精确 p")
        conf_level: float = confidence(0.8, hint="显著性水平 = 1 − 此值")

    result = Table(
        "游程检验结果", cut=text("分割点"), below=integer("＜分割点"), above=integer("≥分割点"), n=integer("总个数"),
        runs=integer("游程数"), expected=num("期望游程", least=0), sd=num("标准差", least=0), z=num("*Z*"),
        asymptotic=pvalue("渐近 *p*"), exact=pvalue("精确 *p*", when={"exact": True}),
        p=pvalue("采用的 *p*"), place="main",
        claim=claim("named", stat("*Z*", "z")),
    )  # fmt: skip
    series = Points("序列", order=num("次序"), value=num("取值"), side=text("分割点"))
    plot = Chart("按次序的取值", "point", of=series, x="order", y="value", series="side", place="main")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{cls.title}：{form.about}"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        path = "hypothesis_test/run_test"
        return [NextStep(title="按另一个变量分层再检验", method=path, form=form, seek=["_split"])]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        x, above, cut = cls._sides(form)
        n1, n2 = int((~above).sum()), int(above.sum())
        if n1 == 0 or n2 == 0:
            raise Refusal(
                "data.constant", "“{v}”所有值都在分割点同一侧，无法做游程检验，请换一个分割点", field="cut",
                also=["variables"], column=form.variables.id, v=form.variables.title,
            )  # fmt: skip
        n, runs = n1 + n2, 1 + int(np.count_nonzero(above[1:] != above[:-1]))
        product = 2.0 * n1 * n2
        expected, spread = product / n + 1, float(np.sqrt(product * (product - n) / (n * n * (n - 1.0))))
        gap = runs - expected
        corrected = form.continuity and n < CONTINUITY_MOST
        if corrected:
            gap = float(np.sign(gap)) * max(abs(gap) - 0.5, 0.0)
        z = gap / spread if spread > 0 else None
        p = 1.0 if z is None else min(1.0, 2 * float(special.ndtr(-abs(z))))
        exact = _exact(n1, n2, runs) if form.exact and n <= EXACT_MOST else None
        read = p if exact is None else exact
        report.row(
            cls.result, cut=cut, below=n1, above=n2, n=n, runs=runs, expected=expected, sd=spread, z=z, asymptotic=p,
            exact=exact, p=read,
        )  # fmt: skip
        if corrected:
            report.note(cls.result, "*Z* 作了 0.5 的连续性校正。")
        if form.exact and exact is None:
            report.note(cls.result, "超过 {most:integer} 例不算精确 *p*，采用渐近 *p*。", most=EXACT_MOST)
        at = np.arange(x.size) if x.size <= DRAWN else np.unique(np.linspace(0, x.size - 1, DRAWN).astype(int))
        words = np.where(above[at], "≥ 分割点", "＜ 分割点")
        report.add_rows(cls.series, {"order": at + 1.0, "value": x[at], "side": words.tolist()})
        report.chart(
            cls.plot,
            titles={"x": "次序", "y": form.variables.title},
            thinned=(at.size, x.size) if at.size < x.size else None,
        )
        cls._say(report, form, (n, runs, expected, z), read, exact is not None)
        few = min(n1, n2) < 10
        report.check(
            "样本量", "care" if few and exact is None else "pass",
            "两类各 {n1:integer}、{n2:integer} 个。"
            + ("有一类不足 10 个，渐近 *p* 不太准，请打开“精确p”。" if few and exact is None else "足够检验。"),
            n1=n1, n2=n2,
        )  # fmt: skip
        return report

    @classmethod
    def _sides(cls, form: Any) -> tuple[Floats, Any, str]:
        """Values in order, which lie on or above the cut, and the cut in words."""
        column = form.variables
        if form.cut == "binary":
            codes = column.codes[column.codes >= 0]
            present = np.unique(codes)
            if present.size > 2:
                raise Refusal(
                    "role.levels", "“{v}”有 {k} 个类别，请选择分割点，或换一个只有两类的变量", field="cut",
                    column=column.id, v=column.title, k=int(present.size),
                )  # fmt: skip
            above = codes == present[-1] if present.size == 2 else np.zeros(codes.size, dtype=bool)
            labels = [level.label for level in column.levels if level.code in present]
            return codes.astype(float), above, "、".join(labels)
        if column.info.measure == "文本" or not column.is_number:
            raise Refusal(
                "role.measure", "“{v}”不是数值，不能按分割点分成两类；只有两类时，“分割点”请选“本身为二分”",
                field="cut",
                also=["variables"], column=column.id, v=column.title,
            )  # fmt: skip
        x = column.numbers
        x = x[~np.isnan(x)]
        if x.size == 0:
            text = "“{v}”没有有效值，请换一个变量"
            raise Refusal("data.few", text, field="variables", column=column.id, v=column.title)
        if form.cut == "custom":
            cut = float(form.cut_value)
        else:
            cut = {"median": median, "mean": _mean, "mode": _mode}[form.cut](x)
        if form.equal_handling == "drop":
            x = x[x != cut]
        return x, x >= cut, f"{SIDES[form.cut]} {number_words(cut)}"

    @classmethod
    def _say(
        cls, report: Report, form: Any, found: tuple[int, int, float, float | None], p: float, exact: bool
    ) -> None:
        n, runs, expected, z = found
        fewer = runs < expected
        pattern = (
            "同一侧的值连成片（游程偏少），可能有趋势或聚集"
            if fewer
            else "两侧的值交替出现（游程偏多），可能有来回摆动"
        )
        Finding(
            test="游程检验",
            statistic="" if z is None else "*Z* = {z:num}",
            p=p,
            level=form.conf_level,
            side="none",
            shown=f"“{{y}}”的次序不像是随机的：{pattern}",
            asked="",
            nothing="没有发现“{y}”的次序偏离随机",
            compared="“{y}”的次序与随机次序",
            observed="共 {n:integer} 个值，{runs:integer} 个游程，随机时平均应有 {expected:num} 个",
            figures=(figure("游程数", "{runs:integer}", "随机时平均 {expected:num} 个"),),
            caution="检验按数据的行序；行序不是出现的次序时，结果没有意义。",
            facts={"y": form.variables.title, "n": n, "runs": runs, "expected": expected, "z": z},
        ).write(report)

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        p = {row.cells["variable"]: row.cells["p"] for row in report.rows_of(cls.result)}
        many_tests.family(report, p, 1 - form["conf_level"], "多个变量")


def _mean(x: Floats) -> float:
    return moments(x).mean


def _mode(x: Floats) -> float:
    return mode(x).value


def _exact(n1: int, n2: int, runs: int) -> float:
    """P of all numbers of runs that are no more likely than this one (Wald & Wolfowitz 1940)."""
    every = np.arange(2.0, 2 * min(n1, n2) + 2)
    half = np.floor(every / 2)

    logs_total = special.gammaln(n1 + n2 + 1) - special.gammaln(n1 + 1) - special.gammaln(n2 + 1)

    def share(a: Floats, b: Floats) -> Floats:
        """C(n1 − 1, a) C(n2 − 1, b) over all arrangements, by logarithms."""
        held = (a >= 0) & (a <= n1 - 1) & (b >= 0) & (b <= n2 - 1)
        a, b = np.where(held, a, 0), np.where(held, b, 0)
        logs = (
            special.gammaln(n1) - special.gammaln(a + 1) - special.gammaln(n1 - a)
            + special.gammaln(n2) - special.gammaln(b + 1) - special.gammaln(n2 - b)
        )  # fmt: skip
        return np.asarray(np.where(held, np.exp(logs - logs_total), 0.0))

    even = 2 * share(half - 1, half - 1)
    odd = share(half, half - 1) + share(half - 1, half)
    chance = np.where(every % 2 == 0, even, odd)
    own = float(chance[every == runs][0])
    return float(min(1.0, chance[chance <= own * (1 + 1e-7)].sum()))
