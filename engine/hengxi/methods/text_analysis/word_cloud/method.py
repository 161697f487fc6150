from __future__ import annotations

from hengxi.families.text.cloud import Cloud, CloudForm


class WordCloud(Cloud):
    title, title_en = "词云", "Word cloud"
    family, tier = "文本分析", "standard"
    purpose = "用字号大小直观展示文本中的重要词语"
    aliases = ("文字云", "标签云", "词频图", "热词", "高频词", "关键词", "开放题", "评论分析")
    references = ("salton1988", "mihalcea2004")

    class Input(CloudForm):
        """No boxes or settings beyond those of every cloud."""
