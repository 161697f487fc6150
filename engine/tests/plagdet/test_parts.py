"""What of a text is not its author's own wording."""

from __future__ import annotations

from hengxi.plagdet.parts import find_parts

THESIS = """某某大学本科毕业论文
学号：2020
指导教师：张三
摘要：本文讨论统计方法。
目录
第一章 绪论........1
第二章 方法\t3
参考文献……………9
第一章 绪论
有人说“数据是新的石油，谁掌握谁就有力量”[3]。也有人说“没有出处的话也要有人负责到底”。
李四（2019）指出：“一切模型都是错的，但有些是有用的。”后来如此。
参考文献
[1] 王五. 统计学. 2018.
致谢
感谢各位。"""


def test_the_parts_of_a_thesis() -> None:
    parts, bare = find_parts(THESIS)
    shown = [(part.kind, THESIS[part.start : part.end]) for part in parts]
    assert [kind for kind, _ in shown] == ["cover", "contents", "quotation", "quotation", "references"]
    assert shown[0][1].endswith("指导教师：张三")
    assert shown[1][1].startswith("目录") and shown[1][1].endswith("参考文献……………9")
    assert shown[2][1] == "数据是新的石油，谁掌握谁就有力量"
    assert shown[3][1] == "一切模型都是错的，但有些是有用的。"
    assert shown[4][1] == "参考文献\n[1] 王五. 统计学. 2018."
    assert bare == 1


def test_a_text_without_any() -> None:
    assert find_parts("只有一句话。") == ([], 0)
    assert find_parts("") == ([], 0)
    assert find_parts("参考文献很重要。\n正文") == ([], 0)


def test_quotations_without_source_are_counted_where_the_text_counts() -> None:
    quotation = "“没有出处的话也要有人负责到底”"
    assert find_parts(f"正文{quotation}。\n参考文献\n王五. {quotation}. 统计学.")[1] == 1
    # Twelve characters that count, and a comma.
    assert find_parts("正文“没有出处的话，也有人负责”。")[1] == 0
