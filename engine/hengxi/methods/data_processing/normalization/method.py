"""Variables on one scale. What is learned (centre, scale) is shown, so that new data can be put on the very same."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    Form,
    Level,
    OtherTable,
    Refusal,
    Report,
    Table,
    choice,
    integer,
    num,
    number,
    role,
    text,
    words,
)
from hengxi.contract.columns import Floats
from hengxi.methods.data_processing._shared.columns_step import (
    MOST_GROUPS,
    ColumnsStep,
    Learning,
    Share,
    learn_from,
    shares_of,
    some_left,
    tell_each,
    train_column,
    train_level,
)
from hengxi.methods.data_processing._shared.rows import tell
from hengxi.methods.data_processing._shared.scaling import BY_ROW, RANKED, Scale, UnfitError, by_row, learn, scaled
from hengxi.stats.names import titles

RATIOS = ("mean_ratio", "sum_ratio", "max_ratio", "min_ratio", "init_ratio")
ALONE = (
    "zscore", "minmax", "interval", "maxabs", "center", *RATIOS, "robust", "sqrt_ss", "decimal", "logistic",
    "positive", "negative", "moderate", "interval_type", *RANKED,
)  # fmt: skip
FEW_VALUES = 0.5
"""With fewer distinct values than this share of the cells, rank scores are mostly scores of ties."""


class Normalization(ColumnsStep):
    """Each variable by its own numbers (or each row by its length, l1 and l2); groups and training rows on request."""

    title, title_en = "数据标准化", "Normalization / standardization"
    family, tier = "数据处理", "standard"
    purpose = "消除量纲或统一指标方向"
    aliases = ("标准化", "归一化", "无量纲化", "正向化", "逆向化", "Z分数", "中心化", "scale", "normalize", "z-score")
    references = ("jain2005", "blom1958", "hyndman1996", "kaufman2012")
    conventions = (
        "标准差默认除以 n − 1（与 SPSS、R 相同）；scikit-learn 的 StandardScaler 除以 n，可在选项里改。",
        "稳健方法的四分位数用 R 的 type 7，除以四分位距，不乘 1.349。",
        "小数定标除以 10 的 j 次方，j 是使最大绝对值小于 1 的最小整数。Logistic化先做 Z 标准化，再取 1/(1+e^(−z))。",
        "适度化 = 1 − |x − a| / max|x − a|；区间型在 a 到 b 之间为 1，以外按到区间的距离减小，最远处为 0。",
        "L1、L2 按行：每行除以所选变量组成的向量的长度，有缺失的行不算。平方和归一化按列，即 TOPSIS 的向量归一化。",
        "正态得分用 Blom 公式，相同的值取平均秩；秩均匀化 = (秩 − 1)/(n − 1)。",
        "初值化除以第一个有值的行，因此与行的先后有关。",
        "放入“参数取自”后，中心和尺度由那一版数据里同名的变量求得；重做这一步仍用那一版。",
        "缺失保持缺失，不参与求参数；分组缺失的行结果为缺失。",
    )
    row_order = True
    reads_names = True  # Columns of the version in `learn_from` are found by name.
    noun = "标准化"

    class Input(Form):
        variables: list[Column] = role("处理变量", "定量", min=1, max=None)
        group: Column | None = role(
            "分组变量（选填，组内标准化）", "定类", min=0, levels=(2, MOST_GROUPS), when={"method": ALONE}
        )
        method: str = choice(
            "方法",
            {
                "zscore": "Z标准化", "minmax": "归一化（0到1）", "interval": "区间化（a到b）", "maxabs": "最大绝对值化",
                "center": "中心化", "mean_ratio": "均值化", "sum_ratio": "求和归一化", "max_ratio": "最大值化",
                "min_ratio": "最小值化", "init_ratio": "初值化", "robust": "稳健（中位数/IQR）", "l1": "L1范数（按行）",
                "l2": "L2归一化（按行）", "sqrt_ss": "平方和归一化（按列）", "decimal": "小数定标",
                "logistic": "Logistic化", "positive": "正向化", "negative": "逆向化", "moderate": "适度化（中间型）",
                "interval_type": "区间型", "quantile_normal": "正态得分", "quantile_uniform": "秩均匀化",
            },
        )  # fmt: skip
        a: float = number("区间下限a或适度最优值", 0, when={"method": ("interval", "moderate", "interval_type")})
        b: float = number("区间上限b", 1, when={"method": ("interval", "interval_type")})
        ddof: str = choice("标准差自由度", {"1": "样本 n−1", "0": "总体 n"}, when={"method": ("zscore", "logistic")})
        learn_from: OtherTable | None = learn_from()
        train: Column | None = train_column()
        train_level: Level | None = train_level()
        mode: str = choice("结果写入", {"new": "新增变量", "replace": "在新版本中替换原变量"})
        suffix: str = words("新变量后缀", "_标准化", kind="name", longest=20, when={"mode": "new"})

    parameters = Table(
        "标准化参数", variable=text("变量"), group=text("组"), n=integer("求参数的行"), center=num("中心"),
        scale=num("尺度"), merge=("variable",),
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = titles(form.variables)
        if form.method in ("interval", "interval_type") and not form.a < form.b:
            raise Refusal("limit.less", "“区间上限b”必须大于“区间下限a”", field="b")
        made = cls._by_rows(report, form) if form.method in BY_ROW else cls._by_columns(report, form, names)
        facts = []
        for column, values in zip(form.variables, made, strict=True):
            report.put(form, column, values, measure="定量")
            facts.append(cls.compare(report, names[column.id], column.numbers, values))
        cls._warn(report, form, names)
        cls._say(report, form, [names[column.id] for column in form.variables], facts)
        return report

    # ---- the cells -------------------------------------------------------------------------------------------------
    @classmethod
    def _by_columns(cls, report: Report, form: Any, names: dict[str, str]) -> list[Floats]:
        rows = len(form.variables[0])
        learning, shares = Learning(form), shares_of(form.group, rows)
        made = []
        for column in form.variables:
            values = np.full(rows, np.nan)
            for share in shares:
                x = column.numbers[share.rows]
                known = learning.known(column, share)
                scale = cls._learned(known, column, names[column.id], share, form)
                values[share.rows] = scaled(x, form.method, scale, form.a, form.b)
                given: dict[str, Any] = {} if scale.knots else {"center": scale.center, "scale": scale.scale}
                report.row(cls.parameters, variable=names[column.id], group=share.label, n=len(known), **given)
            made.append(values)
        if form.method in RANKED:
            report.note(cls.parameters, "按秩计算，没有中心和尺度。")
        return made

    @classmethod
    def _learned(cls, known: Floats, column: Column, name: str, share: Share, form: Any) -> Scale:
        some_left(name, known, share, column)
        try:
            return learn(known, form.method, form.a, form.b, int(form.ddof or 1))
        except UnfitError as unfit:
            text_ = f"“{name}”{share.words}{unfit.words}"
            raise Refusal(unfit.code, text_, field="variables", column=column.id) from None

    @classmethod
    def _by_rows(cls, report: Report, form: Any) -> list[Floats]:
        report.skip(cls.parameters, "按行计算，没有可以用于新数据的参数。")
        if len(form.variables) < 2:
            raise Refusal("role.few", "按行归一化至少需要 2 个变量", field="variables")
        block = by_row(np.column_stack([column.numbers for column in form.variables]), form.method)
        return list(block.T)

    # ---- what is said ----------------------------------------------------------------------------------------------
    @classmethod
    def _warn(cls, report: Report, form: Any, names: dict[str, str]) -> None:
        for column in form.variables:
            name, x = names[column.id], column.numbers
            known = x[~np.isnan(x)]
            if form.method in RATIOS and bool((known < 0).any()):
                text_ = "“{v}”有负值，比值的大小和方向可能与原值相反，请改用Z标准化或归一化。"
                report.warn("scale.negative", text_, columns=[column], v=name)
            if form.method == "quantile_normal" and len(np.unique(known)) < FEW_VALUES * len(known):
                report.warn("scale.ties", "“{v}”重复值过多，正态得分仅供参考。", columns=[column], v=name)
        if form.group is not None and (gone := int(form.group.missing.sum())):
            text_ = "“{g}”有 {k:integer} 行缺失，这些行的结果为缺失。"
            report.warn("data.no_group", text_, columns=[form.group], g=form.group.title, k=gone)

    @classmethod
    def _say(cls, report: Report, form: Any, names: list[str], facts: list[dict[str, Any]]) -> None:
        way = cls.way(form)

        def line(i: int) -> tuple[str, dict[str, Any]]:
            words_ = (
                f"“{{v{i}}}”处理后均值 {{mean{i}:num}}，标准差 {{sd{i}:num}}，范围 {{low{i}:num}} 到 {{high{i}:num}}。"
            )
            own = {"mean": "mean_after", "sd": "sd_after", "low": "least_after", "high": "most_after"}
            return words_, {f"v{i}": names[i], **{f"{key}{i}": facts[i][source] for key, source in own.items()}}

        lines, said = tell_each(report, names, line)
        within = "（组内计算）" if form.group is not None else ""
        student = {
            "negative": "逆向化后，原来越小的值现在越大。", "moderate": "适度化后，越接近最优值越大。",
            "interval_type": "区间型处理后，落在区间内的值为 1。",
        }.get(form.method, "")  # fmt: skip
        student += "标准化只换了单位，不改变相关系数，也不会让数据变成正态。" if cls._is_linear(form.method) else ""
        if form.learn_from is not None:
            student += "参数由“{source}”求得，这份数据没有参与。"
            said["source"] = form.learn_from.name
        elif form.train is not None:
            student += "参数只用训练行求得，其余行用同一组参数，没有信息泄漏。"
        elif form.method not in BY_ROW:
            student += "要训练预测模型时，请先拆分数据，再在“训练标记”里放入标记：用全部行求参数会泄漏测试集的信息。"
        else:
            student += "每行只用自己的值，与其他行无关。"
        tell(report, f"已按{way}处理{within}。\n{lines}", student, **said)

    @classmethod
    def _is_linear(cls, method: str) -> bool:
        return method not in (*RANKED, *BY_ROW, "logistic", "moderate", "interval_type", "negative")
