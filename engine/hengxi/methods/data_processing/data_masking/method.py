"""Personal data made less telling, and how many people still stand alone. It says what it does not protect from."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from hengxi.contract import (
    Column,
    Deals,
    Form,
    Processing,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    figure,
    integer,
    many,
    number,
    percent,
    role,
    text,
    words,
)
from hengxi.methods.data_processing._shared.personal import hashed, kinds_of, masked, region_of
from hengxi.methods.data_processing._shared.rows import groups_of, shown_key, tell
from hengxi.methods.data_processing._shared.rows import titles as joined
from hengxi.stats.names import titles

KINDS = {"phone": "手机号", "id_card": "身份证", "email": "邮箱", "name": "姓名", "bank": "银行卡", "address": "地址"}
SHORTEST_SALT = 8
LISTED = 50
SAMPLED = 0.5
"""A column is of a kind when at least this share of its cells is."""


class DataMasking(Processing):
    """The variable is replaced in the new version; the version before it still holds the original."""

    title, title_en = "数据脱敏", "Data masking"
    family, tier = "数据处理", "standard"
    purpose = "分享前去除或模糊个人信息"
    aliases = ("脱敏", "匿名化", "打码", "加盐哈希", "假名化", "k匿名", "去标识", "隐私", "anonymize")
    references = ("sweeney2002", "machanavajjhala2007", "krawczyk1997")
    conventions = (
        "整个单元格符合某类写法才算识别到；一个变量至少一半的单元格属于某一类，就按这一类处理。",
        "打码：手机号留前 3 位和后 4 位，身份证留前 6 位，姓名留姓，邮箱留首字母和域名，银行卡留后 4 位，"
        "地址留到市或县。",
        "哈希是以密码为密钥的 HMAC-SHA-256，取前 16 位；相同的值得到相同的结果。"
        "密码不会写进数据，但会留在这一步的设置里。",
        "泛化：数值归入等宽的段，写出区间；地址留到省市；日期和其他文字不泛化。",
        "加噪：加正态随机数，标准差是该变量标准差乘以“噪声比例”，种子固定。",
        "假名编号按首次出现的次序打乱后编号。k 匿名的组由准标识变量取值都相同的行组成，缺失算一个取值。",
        "l 多样性是每组里敏感变量不同取值的个数。",
    )
    deals_with: ClassVar[Deals] = {"personal": {"method": "mask"}}
    random = True
    row_order = True

    class Input(Form):
        variables: list[Column] = role("处理变量", "任意", min=1, max=None)
        quasi: list[Column] = role(
            "准标识变量（检查k匿名）", "任意", min=0, max=10, shared_with=("variables", "sensitive"),
            hint="年龄、性别、地区等合起来能认出人的变量；检查的是处理以后的值",
        )  # fmt: skip
        sensitive: Column | None = role("敏感变量（检查l多样性，选填）", "任意", min=0, shared_with="quasi")
        method: str = choice(
            "方式",
            {
                "mask": "部分打码", "hash": "加盐哈希", "generalize": "泛化（年龄段或地区）", "noise": "加噪",
                "remove": "删除列", "pseudonym": "假名编号",
            },
        )  # fmt: skip
        pattern: list[str] = many(
            "自动识别", KINDS, default=("phone", "id_card", "name"), when={"method": ("mask", "generalize")}
        )
        salt: str = words(
            "密码（盐）", kind="text", longest=100, secret=True, hint="至少 8 个字，请另外保管", when={"method": "hash"}
        )
        width: float = number("段宽", 10, above=0, when={"method": "generalize"})
        noise: float = number("噪声比例", 0.1, above=0, most=2, when={"method": "noise"})
        prefix: str = words("编号前缀", "P", kind="text", longest=10, when={"method": "pseudonym"})
        k_anonymity: int = integer("检查k匿名", 0, least=0, most=100, hint="0 为不检查")

    result = Table(
        "识别结果", variable=text("变量"), kind=text("类型"), n=integer("有值"), hits=integer("命中数"),
        share=percent("命中率"), action=text("处理方式"), changed=integer("改变的单元格"),
        distinct=integer("处理前取值数"), distinct_after=integer("处理后取值数"),
    )  # fmt: skip
    anonymity = Table(
        "k匿名检查", keys=text("准标识组合"), groups=integer("组数"), least=integer("最小组大小"),
        few=integer("不足k的组数"), rows=integer("这些组的行数"), alone=integer("独自一组的行"),
        diversity=integer("最小l多样性"), layout="record",
    )  # fmt: skip
    groups = Table("不足k的组（前 50 组）", key=text("准标识的值"), n=integer("行数"), place="detail")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = titles(form.variables)
        cls._judge(form)
        made: dict[str, npt.NDArray[Any]] = {}
        hits = 0
        for column in form.variables:
            values, found = cls._changed(report, form, column, names[column.id])
            hits += found
            if values is not None:
                made[column.id] = values
        if form.method == "mask" and not hits:
            text_ = "所选变量未识别到敏感信息"
            remedy = SetRemedy(title="改用假名编号", set={"method": "pseudonym"})
            raise Refusal("masking.nothing", text_, field="variables", remedies=[remedy])
        if form.method == "remove":
            report.remove(form.variables)
        report.unchanged()
        few = cls._anonymity(report, form, made)
        cls._say(report, form, list(names.values()), few)
        return report

    @classmethod
    def _judge(cls, form: Any) -> None:
        if form.method == "hash" and len(form.salt.strip()) < SHORTEST_SALT:
            text_ = f"“密码（盐）”太短，至少 {SHORTEST_SALT} 个字：手机号的个数有限，没有密码的哈希可以逐个试出来"
            raise Refusal("salt.short", text_, field="salt")
        if form.k_anonymity and not form.quasi:
            raise Refusal("role.required", "检查 k 匿名请放入准标识变量", field="quasi")
        gone = {column.id for column in form.variables} if form.method == "remove" else set()
        if back := next((one for one in form.quasi if one.id in gone), None):
            text_ = f"“{back.title}”要被删除，不能再作准标识变量"
            raise Refusal("role.removed", text_, field="quasi", column=back.id)

    # ---- the cells --------------------------------------------------------------------------------------------------
    @classmethod
    def _changed(cls, report: Report, form: Any, column: Column, name: str) -> tuple[npt.NDArray[Any] | None, int]:
        """New cells (None: the column goes), and how many were of a personal kind. Each distinct text is read once."""
        cells = cls._written(column)
        codes, different = pd.factorize(cells)  # by first appearance; −1 is an empty cell
        distinct: list[str] = different.tolist()
        counts = np.bincount(codes[codes >= 0], minlength=len(distinct))
        kinds = kinds_of(distinct, form.pattern or ())
        of_kind = np.array(kinds, dtype=object)
        tally = {kind: int(counts[of_kind == kind].sum()) for kind in KINDS}
        total = int(counts.sum())
        main, hits = max(tally.items(), key=lambda one: one[1])
        main_kind = main if total and hits >= SAMPLED * total else None
        found = sum(tally.values())
        values: npt.NDArray[Any] | None = None
        if form.method != "remove":
            values = cls._values(form, column, name, codes, distinct, kinds, main_kind)
            changed, after = cls._differences(column, cells, values)
            report.replace(column, values, measure=None)
        else:
            changed, after = 0, 0
        report.row(
            cls.result, variable=name, kind=KINDS[main_kind] if main_kind else None, n=total, hits=found,
            share=found / total if total else None, action=cls._way(form), changed=changed, distinct=len(distinct),
            distinct_after=after,
        )  # fmt: skip
        return values, found

    @classmethod
    def _written(cls, column: Column) -> npt.NDArray[Any]:
        """Cells as texts: whole numbers (phones that were read as numbers) without a decimal point."""
        if column.info.storage != "float":
            return column.text
        distinct, places = np.unique(column.numbers, return_inverse=True)
        texts = np.array([None if np.isnan(v) else f"{v:.17g}" for v in distinct.tolist()], dtype=object)
        return np.asarray(texts[places])

    @classmethod
    def _values(
        cls, form: Any, column: Column, name: str, codes: Any, distinct: list[str], kinds: list[str | None],
        main_kind: str | None,
    ) -> npt.NDArray[Any]:  # fmt: skip
        if form.method in ("noise", "generalize") and column.is_number:
            x = column.numbers
            known = x[~np.isnan(x)]
            if form.method == "noise":
                sd = float(known.std(ddof=1)) if len(known) > 1 else 0.0
                return np.asarray(x + form.rng.normal(0.0, 1.0, len(x)) * sd * form.noise)
            low = np.floor(x / form.width) * form.width
            spans = {v: f"{v:g}–{v + form.width:g}" for v in np.unique(low[~np.isnan(low)]).tolist()}
            return np.array([spans.get(v) for v in low.tolist()], dtype=object)
        if form.method == "noise":
            text_ = f"“{name}”不是数值，不能加噪，请改用打码或假名编号"
            raise Refusal("masking.measure", text_, field="variables", column=column.id)
        if form.method == "mask":
            # A cell that is of no kind in a column of one kind is hidden whole: it may be a name spelt otherwise.
            new = [masked(c, kind) if kind or main_kind else c for c, kind in zip(distinct, kinds, strict=True)]
        elif form.method == "hash":
            salt = form.salt.strip().encode()
            new = [hashed(c, salt) for c in distinct]
        elif form.method == "generalize":
            new = [region_of(c) for c in distinct]
        else:
            order = form.rng.permutation(len(distinct)).tolist()
            digits = len(str(len(distinct)))
            new = [f"{form.prefix}{place + 1:0{digits}d}" for place in order]
        return np.asarray(np.array([*new, None], dtype=object)[codes])  # the last place catches −1

    @classmethod
    def _differences(cls, column: Column, cells: Any, values: npt.NDArray[Any]) -> tuple[int, int]:
        if values.dtype.kind != "O":
            known = ~np.isnan(values)
            return int((values[known] != column.numbers[known]).sum()), len(np.unique(values[known]))
        return int(np.not_equal(cells, values).sum()), len({value for value in values.tolist() if value is not None})

    # ---- how many stand alone ---------------------------------------------------------------------------------------
    @classmethod
    def _anonymity(cls, report: Report, form: Any, made: dict[str, npt.NDArray[Any]]) -> int | None:
        if not form.k_anonymity:
            for element in (cls.anonymity, cls.groups):
                report.skip(element, "填写“检查k匿名”后给出。")
            return None
        rows = form.whole.rows
        codes = np.zeros(rows, dtype=np.int64)
        for column in form.quasi:
            own = cls._codes(column, made.get(column.id))
            _, codes = np.unique(codes * (int(own.max(initial=0)) + 1) + own, return_inverse=True)
        sizes = np.bincount(codes)
        few = np.flatnonzero(sizes < form.k_anonymity)
        diversity = None
        if form.sensitive is not None:
            pairs = np.unique(np.column_stack([codes, cls._codes(form.sensitive, made.get(form.sensitive.id))]), axis=0)
            diversity = int(np.bincount(pairs[:, 0]).min())
        report.row(
            cls.anonymity, keys=joined(form.quasi), groups=len(sizes), least=int(sizes.min()), few=len(few),
            rows=int(sizes[few].sum()), alone=int((sizes == 1).sum()), diversity=diversity,
        )  # fmt: skip
        first = np.full(len(sizes), -1)
        first[codes[::-1]] = np.arange(rows)[::-1]
        order = few[np.argsort(first[few])][:LISTED]
        for group in order.tolist():
            row = int(first[group])
            shown = [str(made[one.id][row]) if one.id in made else shown_key([one], row) for one in form.quasi]
            report.row(cls.groups, key="，".join(shown), n=int(sizes[group]))
        if not len(few):
            report.skip(cls.groups, "每组都不少于 k 人。")
        else:
            text_ = "有 {n:integer} 组少于 {k:integer} 人，请进一步泛化。"
            report.warn("masking.k", text_, columns=form.quasi, n=len(few), k=form.k_anonymity)
        return len(few)

    @classmethod
    def _codes(cls, column: Column, values: npt.NDArray[Any] | None) -> npt.NDArray[np.int64]:
        if values is None:
            return groups_of([column], len(column)).codes
        cells = values if values.dtype.kind != "O" else np.array([str(one) for one in values.tolist()])
        return np.asarray(np.unique(cells, return_inverse=True)[1], dtype=np.int64)

    # ---- what is said -----------------------------------------------------------------------------------------------
    @classmethod
    def _way(cls, form: Any) -> str:
        options = cls.Input.fields["method"].options  # type: ignore[attr-defined]
        return str(next(option.title for option in options if option.key == form.method))

    @classmethod
    def _say(cls, report: Report, form: Any, names: list[str], few: int | None) -> None:
        facts: dict[str, Any] = {"v": names[0], "m": len(names), "few": few, "k": form.k_anonymity}
        done = f"“{{v}}”{'等 {m:integer} 个变量' if len(names) > 1 else ''}已按{cls._way(form)}处理。"
        if few:
            done += "还有 {few:integer} 组不足 {k:integer} 人，可能被认出来。"
        elif few == 0:
            done += "准标识变量的每一组都不少于 {k:integer} 人。"
        student = {
            "mask": "打码后仍可能认出人：同一单位里姓王、手机尾号相同的可能只有一个。",
            "hash": "密码泄露后，可以逐个试出原来的手机号或身份证号；相同的值仍能对上，行为仍可追踪。",
            "generalize": "段越宽越安全，信息也越少。",
            "noise": "加噪保护的是单个数值，均值大致不变，标准差会变大，相关会变小；不是差分隐私。",
            "remove": "直接标识删除了，年龄、性别、地区合起来仍可能认出人，请检查 k 匿名。",
            "pseudonym": "编号与人的对照没有保存；同一个人的行仍能连起来。",
        }[form.method]
        student += "原来的版本仍有原始数据，分享时只导出新版本。"
        if few is not None:
            student += "k 匿名不防同一组里的人敏感取值都相同，那要看 l 多样性。"
        tell(report, done, student, [figure("处理的变量", "{m:integer}")], **facts)
