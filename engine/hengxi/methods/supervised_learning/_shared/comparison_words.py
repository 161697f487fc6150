"""What a comparison of models concludes, whatever they predict."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Report
from hengxi.methods.supervised_learning._shared.comparison import LATE, STOPPED, Compared


def opening(compared: Compared, title: str, sign: float) -> tuple[str, dict[str, Any]]:
    """The model recommended, why, and the score it was chosen by."""
    best, chosen = compared.best, compared.chosen
    facts: dict[str, Any] = {
        "m": len(compared.done), "chosen": chosen.title, "metric": title, "own": sign * float(chosen.scores.mean()),
        "k": compared.folds, "guess": sign * float(compared.baseline.scores.mean()),
    }  # fmt: skip
    if len(compared.done) == 1:
        return "只有“{chosen}”一个模型完成（交叉验证{metric} {own:num}，不用模型为 {guess:num}）。", facts
    if chosen is best:
        return (
            "比较了 {m:integer} 个模型，推荐“{chosen}”：交叉验证{metric}最好（{own:num}，不用模型为 {guess:num}）。",
            facts,
        )
    facts |= {"best": best.title, "most": sign * float(best.scores.mean())}
    text = (
        "比较了 {m:integer} 个模型，推荐“{chosen}”：交叉验证{metric}为 {own:num}（不用模型为 {guess:num}），"
        "与最好的“{best}”（{most:num}）相差不超过一倍标准误，而且更简单。"
    )
    return text, facts


def endings(report: Report, form: Any, compared: Compared, title: str) -> None:
    """How the choice was made, for a reader of the paper; what to do next."""
    report.say(
        "模型用训练行的交叉验证挑选，测试集没有参与挑选，也没有参与训练：推荐的模型在新数据上有多准，看测试集。",
        voice="student",
    )
    text = "以 {k:integer} 折交叉验证的{metric}比较 {m:integer} 个模型（同样的折，默认参数，随机种子 {seed:text}），"
    text += "采用一倍标准误准则选出{chosen}，并在没参与挑选的 {n:integer} 行上评估一次。"
    report.say(
        text, voice="paper", k=compared.folds, metric=title, m=len(compared.done), seed=str(form.seed),
        chosen=compared.chosen.title, n=int(compared.task.test.size),
    )  # fmt: skip
    report.say("各模型用的是默认参数；下一步：打开推荐的方法，用超参数搜索再调一次，并看它的 SHAP 解释。")


def checks(report: Report, compared: Compared) -> None:
    cut = [one for one in compared.entries if one.status in (LATE, STOPPED)]
    failed = [one for one in compared.entries if not one.is_done and one not in cut]
    names = "”“".join(one.title for one in (cut or failed))
    if cut:
        why = "按要求停止" if compared.stopped else "时间预算用完"
        text = "{why}，{k:integer} 个模型没有做完（“{names}”），推荐只在做完的模型里选。"
        report.check("是否做完", "care", text, why=why, k=len(cut), names=names)
    elif failed:
        text = "{k:integer} 个模型不能训练（“{names}”），原因见排行榜。"
        report.check("是否做完", "care", text, k=len(failed), names=names)
    else:
        report.check("是否做完", "pass", "{m:integer} 个候选模型全部做完。", m=len(compared.entries))
    if compared.best.scores.mean() <= compared.baseline.scores.mean():
        text = "没有一个模型的交叉验证得分好于不用模型：这些自变量预测不了因变量，请换自变量。"
        report.check("是否优于基线", "fail", text)
    else:
        better = [one for one in compared.done if one.scores.mean() > compared.baseline.scores.mean()]
        text = "{k:integer} 个模型的交叉验证得分好于不用模型。"
        report.check("是否优于基线", "pass", text, k=len(better))
