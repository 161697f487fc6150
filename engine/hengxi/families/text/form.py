"""The settings all text methods share. Buttons of a report set `user_dict`, `stopwords`, `synonyms`."""

from __future__ import annotations

from hengxi.contract import Column, Dictionary, Form, choice, dictionary, integer, many, role

GENERAL = "通用"
SEGMENTED = (
    "分词用 rjieba 0.2.2 的词典和隐马尔可夫模型；全角字母、数字先转成半角，英文不分大小写，标点、纯数字、表情不算词。"
)
LANGUAGES = {"auto": "自动", "zh": "中文", "en": "英文"}
POS = {
    "all": "全部", "n": "名词", "nv": "名词、动词", "nva": "名词、动词、形容词", "custom": "自选",
}  # fmt: skip
POS_CLASSES = {"n": "名词", "v": "动词", "a": "形容词", "d": "副词", "eng": "英文", "other": "其他"}


class TextForm(Form):
    text: Column = role("文本变量", "文本", min=1, max=1)


class WordForm(TextForm):
    """What becomes a word, and which words count."""

    lang: str = choice("语言", LANGUAGES, advanced=True)
    user_dict: Dictionary | None = dictionary(
        "自定义词", kind="words", hint="品牌、人名等不想被切开的词。自定义词优先于分词结果。"
    )
    stopwords: Dictionary | None = dictionary(
        "停用词", kind="stopwords", builtins=(GENERAL,), default=GENERAL, hint="不计数的词，如“的”“我们”。"
    )
    synonyms: Dictionary | None = dictionary(
        "同义词合并", kind="synonyms", hint="写成“酒店=宾馆，旅馆”，三个词一起计数。", advanced=True
    )
    pos_keep: str = choice("保留词性", POS)
    pos_keep_value: list[str] = many("自选词性", POS_CLASSES, default=("n", "v"), when={"pos_keep": "custom"})
    min_len: int = integer("最短词长（字）", 2, least=1, most=10)
