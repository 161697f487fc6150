# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: sum, range)
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) { t <- as.data.frame(HairEyeColor)
  save_example(data.frame(发色 = c(Black = "黑", Brown = "棕", Red = "红", Blond = "金")[as.character(t$Hair)],
    眼睛 = c(Brown = "棕", Blue = "蓝", Hazel = "淡褐", Green = "绿")[as.character(t$Eye)], 性别 = ifelse(t$Sex == "Male", "男", "女"), 人数 = replace(t$Freq, c(5, 30), c(NA, 0)))) }
x <- example(); w <- x$人数; used <- w[!is.na(w) & w > 0]; n <- nrow(x)
oracle("R 4.2.2: sum(), range(); datasets::HairEyeColor", list(
  case("频数表", list(weight = "人数"), list(block("result", list(weight = "人数"), rows = n, used = length(used), unused = n - length(used),
    cases = sum(used), least = min(used), most = max(used)), record("个案加权", n, ncol(x), c(n, ncol(x)))),
    list(fact("已按“人数”加权", used = length(used), cases = sum(used)), "支持频数权重的分析", fact("不参与加权的分析", unused = n - length(used)))),
  case("取消", list(action = "off"), list(record("个案加权", n, ncol(x), c(n, ncol(x)))), list("已取消加权", "数据没有改变"))))
