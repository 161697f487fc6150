# Brute force counts of every itemset. Han, Kamber & Pei (2012), AllElectronics: 13 frequent itemsets at count 2; I1, I5 → I2 has confidence 1.
source("../_shared/rules.R"); G <- c("牛奶", "面包", "鸡蛋", "水果", "啤酒", "尿布", "薯片", "酸奶", "咖啡", "糖", "纸巾", "电池")
if (!file.exists("example.csv")) { write.csv(basket(71, 500, G, list(list("尿布", "啤酒", .7), list(c("牛奶", "面包"), "鸡蛋", .8), list("咖啡", "糖", .75))), "example.csv", row.names = FALSE, quote = FALSE); H <- electronics(); write.csv(data.frame(H), "oracle-electronics.csv", row.names = FALSE, quote = FALSE)
  set.seed(72); k <- t(sapply(1:60, function(i) { a <- rbinom(1, 1, .5); c(a, rbinom(1, 1, .3 + .5 * a), rbinom(1, 1, .5)) })); write.csv(data.frame(选项 = apply(k, 1, function(v) paste(c("微信", "微博", "抖音")[v == 1], collapse = "；"))), "oracle-cells.csv", row.names = FALSE, quote = FALSE) }
E <- example(); H <- spread(E$单号, E$商品); T <- electronics(); cells <- strsplit(Filter(nzchar, example("oracle-cells.csv")$选项), "；"); C <- spread(rep(seq_along(cells), lengths(cells)), unlist(cells)); stopifnot(length(mine(T, 2)) == 13)
bi <- setNames(as.list(rep("定类", 5)), paste0("I", 1:5))
a <- mined(H[, unique(E$商品)], .03, .5, 1.2, 4); b <- mined(T, 2 / 9, .5, 1, 4); d <- mined(T, 2 / 9, .5, 0, 4, only = "I2"); e <- mined(C, .1, .5, 0, 4); f <- mined(T, .7, .9, 1, 4)
oracle(c("R 4.2.2: 逐个组合计数，fisher.test，p.adjust", "Han, Kamber & Pei (2012)：AllElectronics，最小频数 2 时 13 个频繁项集"), list(
  case("购物篮", list(items = I("商品"), tid = "单号", layout = "long", min_support = .03, min_lift = 1.2), a$blocks, a$says, measures = list(单号 = "定类", 商品 = "定类")),
  case("AllElectronics", list(items = as.list(names(bi)), min_support = .222), b$blocks, lapply(b$says, function(s) { if (is.list(s) && !is.null(s$facts$s)) s$facts$s <- .222; s }), "oracle-electronics.csv", bi),
  case("AllElectronics，限定后项", list(items = as.list(names(bi)), min_support = .222, min_lift = 0, consequent = "I2"), d$blocks, lapply(d$says, function(s) { if (is.list(s) && !is.null(s$facts$s)) s$facts$s <- .222; s }), "oracle-electronics.csv", bi),
  case("一格多项", list(items = I("选项"), layout = "cell", sep = "；", min_lift = 0), e$blocks, e$says, "oracle-cells.csv", list(选项 = "定类")),
  case("没有规则", list(items = as.list(names(bi)), min_support = .7, min_confidence = .9), f$blocks, f$says, "oracle-electronics.csv", bi)))
