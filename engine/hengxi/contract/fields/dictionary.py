"""`dictionary`: words of a user: a built-in list, a dictionary kept at the server, and lines of this form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..assets import MOST_LINES, DictionaryKind, read_lines
from ..when import Condition
from .base import AutoRule, Binder, Context, Field, Schema, common, missing_choice, optional

KIND_WORDS: dict[str, str] = {
    "words": "自定义词典", "stopwords": "停用词表", "synonyms": "同义词表", "lexicon": "情感词典", "labels": "标签组",
}  # fmt: skip
MOST_EXTRA = 2_000
SHOWN_FAULTS = 5
BAD_LINES: dict[str, str] = {
    "words": "词 频次 词性 多余", "synonyms": "没有等号", "lexicon": "好 5", "labels": "空标签=",
    "stopwords": "长" * 40,
}  # fmt: skip


@dataclass(kw_only=True)
class DictionaryField(Field):
    """Wire: `{"builtin": "通用", "id": 7, "version": 3, "extra": ["的"]}`; null is the default.

    `version` null or older: the newest version the owner has is taken, and the report names it.
    """

    type: Literal["dictionary"] = "dictionary"
    kind: DictionaryKind
    builtins: list[str]
    default: str | None

    def annotate(self, annotation: Any) -> None:
        self.required = not optional(annotation)

    def schema(self) -> Schema:
        return {
            "type": ["object", "null"],
            "properties": {
                "builtin": {"type": ["string", "null"]},
                "id": {"type": ["integer", "null"]},
                "version": {"type": ["integer", "null"]},
                "extra": {"type": "array", "items": {"type": "string"}},
            },
            "additionalProperties": False,
        }

    def resolve(self, raw: Any, context: Context) -> Any:
        given = raw if isinstance(raw, dict) else {"builtin": self.default}
        builtin, number = given.get("builtin"), given.get("id")
        extra = [line for line in given.get("extra") or [] if line.strip()]
        if builtin is not None and builtin not in self.builtins:
            context.fault("choice.unknown", f"“{self.title}”没有“{builtin}”这一种")
            builtin = None
        kept = context.asset(self.key) if number is not None else None
        own: list[str] = []
        if number is not None and (kept is None or kept.get("kind") != self.kind):
            context.fault("dictionary.gone", f"“{self.title}”：{KIND_WORDS[self.kind]}已删除，请另选一个")
        elif kept is not None:
            own = list(kept["lines"])
            if not own:
                context.fault("dictionary.empty", f"“{self.title}”：“{kept['name']}”里没有内容，请先添加")
        self._judge_lines(own, extra, context)
        if self.required and builtin is None and number is None and not extra:
            missing_choice(self, context, "dictionary")
        version = None if kept is None else kept["version"]
        return {"builtin": builtin, "id": number, "version": version, "extra": extra}

    def _judge_lines(self, own: list[str], extra: list[str], context: Context) -> None:
        if len(extra) > MOST_EXTRA or len(own) > MOST_LINES:
            most, size = (MOST_EXTRA, len(extra)) if len(extra) > MOST_EXTRA else (MOST_LINES, len(own))
            way = "，更多的词请保存为词典" if most == MOST_EXTRA else "，请拆成几个词典"
            context.fault("dictionary.line", f"“{self.title}”有 {size:,} 行，最多 {most:,} 行{way}", k=size, max=most)
            return
        faults = read_lines(self.kind, [*own, *extra]).faults
        for code, row, words in faults[:SHOWN_FAULTS]:
            place = row - len(own)
            text = words if not own or place < 1 else words.replace(f"第 {row} 行", f"第 {place} 行")
            context.fault(code, f"“{self.title}”：{text}", row=place if place > 0 else row)

    def bind(self, resolved: Any, binder: Binder) -> Any:
        if not resolved or (not self.required and not any(resolved[k] for k in ("builtin", "id", "extra"))):
            return read_lines(self.kind, []).dictionary
        kept = binder.asset(self.key) if resolved["id"] is not None else None
        lines = [*(kept["lines"] if kept else []), *resolved["extra"]]
        about = {"name": kept["name"] if kept else None, "version": kept["version"] if kept else None}
        return read_lines(self.kind, lines, builtin=resolved["builtin"], **about).dictionary

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        yield ({**good, "extra": [BAD_LINES[self.kind]]}, "dictionary.line")
        yield ({**good, "extra": [f"词{i}" for i in range(MOST_EXTRA + 1)]}, "dictionary.line")
        yield ({**good, "id": 999_999}, "dictionary.gone")
        if self.kind == "synonyms":
            yield ({**good, "extra": ["甲=乙", "丙=乙"]}, "dictionary.conflict")


def dictionary(
    title: str,
    *,
    kind: DictionaryKind,
    builtins: tuple[str, ...] = (),
    default: str | None = None,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """Words the user keeps. Annotate `Dictionary`; `Dictionary | None` where none is fine (`run` gets an empty one)."""
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return DictionaryField(title=title, kind=kind, builtins=list(builtins), default=default, **words)
