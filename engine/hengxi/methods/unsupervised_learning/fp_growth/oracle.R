# Brute force counts of every itemset (see ../_shared/rules.R); Han, Kamber & Pei (2012), AllElectronics.
source("../_shared/rules.R"); G <- paste0("商品", sprintf("%02d", 1:24))
if (!file.exists("example.csv")) { write.csv(basket(81, 1500, G, list(list("商品20", "商品21", .7), list(c("商品01", "商品02"), "商品15", .6), list("商品22", "商品23", .65))), "example.csv", row.names = FALSE, quote = FALSE); write.csv(data.frame(electronics()), "oracle-electronics.csv", row.names = FALSE, quote = FALSE) }
E <- example(); H <- spread(E$单号, E$商品); T <- electronics(); bi <- setNames(as.list(rep("定类", 5)), paste0("I", 1:5)); set <- function(x, v) lapply(x, function(s) { if (is.list(s) && !is.null(s$facts$s)) s$facts$s <- v; s })
paths <- "每条路径是一些事务共有的项目"; a <- mined(H[, unique(E$商品)], .02, .5, 1.5); b <- mined(T, 2 / 9, .5, 1, pattern = "max"); d <- mined(T, 2 / 9, .7, 1, pattern = "closed")
oracle(c("R 4.2.2: 逐个组合计数，fisher.test，p.adjust", "Han, Kamber & Pei (2012)：AllElectronics"), list(
  case("购物篮", list(items = I("商品"), tid = "单号", min_support = .02, min_lift = 1.5), a$blocks, c(a$says, list(paths)), measures = list(单号 = "定类", 商品 = "定类")),
  case("AllElectronics，最大项集", list(items = as.list(names(bi)), layout = "wide", min_support = .222, pattern = "max"), b$blocks, set(c(b$says, list(paths)), .222), "oracle-electronics.csv", bi),
  case("AllElectronics，闭项集", list(items = as.list(names(bi)), layout = "wide", min_support = .222, min_confidence = .7, pattern = "closed"), d$blocks, set(d$says, .222), "oracle-electronics.csv", bi)))
