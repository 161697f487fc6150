# How oracle.json was made: tools/run_oracles.py --write questionnaire/content_validity   (R 4.2.2)
# Counts and published formulas written out; critical CVR by qbinom. Ayre & Scally (2014, table 2): N = 8 needs 7 (.750),
# N = 10 needs 9 (.800), N = 15 needs 12 (.600), N = 20 needs 15 (.500). Polit, Beck & Owen (2007): 5 of 6 gives κ* = .816.
source("../../../../tools/oracle.R")
if (!file.exists("example.csv")) { RNGversion("4.2.0"); set.seed(41); q <- c(2, 1.8, 2, 1.6, .2, 1.9, 1.7, 2.1, .9, 1.8, 1.5, 2); d <- data.frame(专家 = paste0("专家", 1:8), t(sapply(1:8, function(i) pmin(4, pmax(1, round(2 + q * .9 + .5 * rnorm(12))))))); names(d)[-1] <- paste0("题", 1:12); write.csv(d, "example.csv", row.names = FALSE, quote = FALSE) }
need <- function(n) { k <- qbinom(.05, n, .5, lower.tail = FALSE) + 1; if (k > n) NULL else (k - n / 2) / (n / 2) }
stopifnot(need(8) == .75, need(10) == .8, abs(need(15) - .6) < 1e-12, need(20) == .5, is.null(need(4)), abs((5/6 - choose(6, 5) / 64) / (1 - choose(6, 5) / 64) - .816) < 5e-4)
run <- function(x, from = 3, lo = 1, hi = 4, level = .95, index = "all", label = NULL) {
  E <- list(); cvi <- cvr <- vv <- all_ <- c(); z <- qnorm(1 - (1 - level) / 2); on <- function(k) index %in% c("all", k)
  for (v in names(x)) { r <- x[[v]][!is.na(x[[v]])]; n <- length(r); a <- sum(r >= from); p <- dbinom(a, n, .5); V <- (mean(r) - lo) / (hi - lo); k <- n * (hi - lo)
    w <- z * sqrt(4 * k * V * (1 - V) + z^2); cvi[v] <- a / n; cvr[v] <- 2 * a / n - 1; vv[v] <- V; all_[v] <- a == n
    E[[length(E) + 1]] <- do.call(block, c(list("result", list(item = v), n = n, agree = a), if (on("cvi")) list(cvi = a / n, chance = p, kappa = (a / n - p) / (1 - p)), if (on("cvr")) c(list(cvr = 2 * a / n - 1), if (!is.null(need(n))) list(critical = need(n))), if (on("aiken_v")) list(v = V, low = (2 * k * V + z^2 - w) / (2 * (k + z^2)), high = (2 * k * V + z^2 + w) / (2 * (k + z^2))))) }
  E[[length(E) + 1]] <- do.call(block, c(list("scale", list(), items = ncol(x), experts = sum(rowSums(!is.na(x)) > 0)), if (on("cvi")) list(ua = mean(all_), ave = mean(cvi)), if (on("cvr")) list(cvr = mean(cvr)), if (on("aiken_v")) list(v = mean(vv))))
  for (i in seq_len(nrow(x))) { r <- unlist(x[i, ]); r <- r[!is.na(r)]; if (length(r)) E[[length(E) + 1]] <- block("experts", list(expert = if (is.null(label)) paste("第", i, "行") else label[i]), n = length(r), mean = mean(r), share = mean(r >= from)) }
  E
}
d <- example(); x <- d[-1]; num <- function(d) as.list(setNames(rep("定量", ncol(d)), names(d)))
few <- data.frame(a = c(3, 3, 3, 2), b = c(3, 2, 1, NA), c = c(3, 3, 3, 3)); write.csv(few, "oracle-few.csv", row.names = FALSE, quote = FALSE, na = "")
five <- data.frame(q1 = c(5, 4, 5, 5, 4, 5, 3), q2 = c(4, 4, 5, 4, 5, 4, 5), q3 = c(5, 5, 4, 5, 5, 5, 4)); write.csv(five, "oracle-five.csv", row.names = FALSE, quote = FALSE)
said <- list("内容效度只说明专家认为题项相关", "位专家评定"); rule <- list("结论按 I-CVI", "κ* 参考等级"); v <- list("CI 的置信水平为")
oracle(c("R 4.2.2: dbinom, qbinom；公式见 Polit、Beck 与 Owen（2007）、Ayre 与 Scally（2014）、Penfield 与 Giacobbi（2004）"), list(
  case("八位专家十二题", list(items = names(x), expert = "专家"), run(x, label = d$专家), c(said, rule, v, list("没有达到参考标准的题项", "位专家", "低于参考值 0.90")), measures = c(num(x), list(专家 = "定类"))),
  case("三级必要性，四位专家，CVR", list(items = names(few), scale_max = 3, relevant_from = 3, index = "cvr"), run(few, 3, 1, 3, index = "cvr"), c(said, list("结论按 CVR", "少于 5 名专家时，全部", "没有达到参考标准的题项", "，偏少：一人", "个评分空缺")), data = "oracle-few.csv", measures = num(few)),
  case("五级评分，Aiken V，90%", list(items = names(five), scale_max = 5, relevant_from = 4, index = "aiken_v", conf_level = .9), run(five, 4, 1, 5, .9, "aiken_v"), c(said, v, list("结论按 Aiken V", "各题都达到参考标准", "位专家")), data = "oracle-five.csv", measures = num(five)),
  case("五级评分，CVI", list(items = names(five)[2:3], scale_max = 5, relevant_from = 4, index = "cvi"), run(five[2:3], 4, 1, 5, index = "cvi"), c(said, rule, list("各题都达到参考标准", "位专家", "不低于参考值 0.90")), data = "oracle-five.csv", measures = num(five)),
  case("五级评分，CVR", list(items = names(five)[2:3], scale_max = 5, relevant_from = 4, index = "cvr"), run(five[2:3], 4, 1, 5, index = "cvr"), c(said, list("结论按 CVR", "各题都达到参考标准", "位专家")), data = "oracle-five.csv", measures = num(five))))
