# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: regmatches, table, aggregate; all people are invented, check digits of ids are not computed)
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) {
  set.seed(53); n <- 200; sur <- strsplit("王李张刘陈杨黄赵吴周", "")[[1]]; giv <- c("伟", "芳", "娜", "敏", "静", "丽", "强", "磊", "洋", "艳", "勇", "军")
  nm <- paste0(sample(sur, n, TRUE), sample(giv, n, TRUE), ifelse(runif(n) < .5, sample(giv, n, TRUE), "")); ph <- paste0(sample(c("138", "139", "186", "177"), n, TRUE), sprintf("%08d", sample(1e8 - 1, n)))
  d <- data.frame(姓名 = nm, 手机 = ph, 证件 = paste0(sample(c("110101", "310104", "440303"), n, TRUE), sample(1955:2004, n, TRUE), sprintf("%02d", sample(12, n, TRUE)), sprintf("%02d", sample(28, n, TRUE)), sprintf("%03d", sample(999, n)), "Z"),
    年龄 = sample(20:69, n, TRUE), 性别 = sample(c("男", "女"), n, TRUE), 城市 = sample(c("北京市", "上海市", "深圳市"), n, TRUE), 收入 = round(rlnorm(n, 9, .5)), 病 = sample(c("高血压", "糖尿病", "无"), n, TRUE))
  d$证件 <- sub("Z$", "X", d$证件); d$手机[c(4, 9)] <- NA; d$姓名[7] <- "Smith"; save_example(d)
}
x <- read.csv("example.csv", colClasses = c(手机 = "character", 证件 = "character"), fileEncoding = "UTF-8", check.names = FALSE); x[x == ""] <- NA; n <- nrow(x)
is_kind <- list(phone = "^1[3-9][0-9]{9}$", id_card = "^[1-9][0-9]{5}(18|19|20)[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[0-9]{3}[0-9Xx]$", name = "^[王李张刘陈杨黄赵吴周].{1,3}$")
star <- list(phone = function(s) paste0(substr(s, 1, 3), "****", substr(s, 8, 11)), id_card = function(s) paste0(substr(s, 1, 6), strrep("*", 12)), name = function(s) paste0(substr(s, 1, 1), strrep("*", nchar(s) - 1)))
words_ <- c(phone = "手机号", id_card = "身份证", name = "姓名"); ways <- c(mask = "部分打码", hash = "加盐哈希", generalize = "泛化（年龄段或地区）", noise = "加噪", remove = "删除列", pseudonym = "假名编号")
kinds <- list(姓名 = "文本", 手机 = "文本", 证件 = "文本", 年龄 = "定量", 性别 = "定类", 城市 = "定类", 收入 = "定量", 病 = "定类")
seek <- function(v) { v <- as.character(v); k <- rep(NA, length(v)); for (p in c("name", "phone", "id_card")) k[!is.na(v) & grepl(is_kind[[p]], v)] <- p; k }
span <- function(v, w) { l <- floor(v / w) * w; paste0(l, "–", l + w) }
run <- function(name, vars, method, new, form = list(), says = list(), kq = NULL, sens = NULL, looked = TRUE) {
  out <- list(); after <- x; changed <- 0
  for (v in vars) { k <- if (looked) seek(x[[v]]) else rep(NA, n); got <- !is.na(x[[v]]); main <- names(which.max(table(factor(k, c("phone", "id_card", "name"))))); is_main <- sum(k == main, na.rm = TRUE) >= .5 * sum(got)
    cells <- list(n = sum(got), hits = sum(!is.na(k)), share = sum(!is.na(k)) / sum(got), action = ways[[method]], distinct = length(unique(x[[v]][got])))
    if (method == "remove") cells <- c(cells, list(changed = 0, distinct_after = 0)) else { w <- new(x[[v]], k, is_main)
      if (!is.null(w)) { after[[v]] <- w; d <- sum(got & as.character(x[[v]]) != as.character(w)); cells <- c(cells, list(changed = d, distinct_after = length(unique(w[got])))); changed <- changed + d }
      else { cells <- c(cells, list(changed = sum(got))); changed <- changed + sum(got) } }
    if (is_main && looked) cells$kind <- words_[[main]]
    out <- c(out, list(do.call(block, c(list("result", list(variable = v)), cells)))) }
  few <- NULL; if (!is.null(kq)) { q <- unlist(form$quasi); key <- do.call(paste, c(lapply(q, function(s) as.character(after[[s]])), sep = "，")); t <- table(key); low <- t[t < kq]; few <- length(low)
    cells <- list(groups = length(t), least = min(t), few = few, rows = sum(low), alone = sum(t == 1)); if (!is.null(sens)) cells$diversity <- min(tapply(x[[sens]], key, function(s) length(unique(s))))
    out <- c(out, list(do.call(block, c(list("anonymity", list(keys = paste(q, collapse = "、"))), cells)))); if (few) { g <- key[key %in% names(low)][1]; out <- c(out, list(block("groups", list(key = g), n = low[[g]]))) } }
  out <- c(out, list(record("数据脱敏", n, ncol(x) - if (method == "remove") length(vars) else 0, c(n, ncol(x)), changed)))
  facts <- list(m = length(vars)); if (!is.null(few)) facts <- c(facts, list(few = few, k = kq))
  case(name, c(list(variables = as.list(vars), method = method), form, if (!is.null(sens)) list(sensitive = sens)), out,
    c(list(do.call(fact, c(list(paste0("已按", ways[[method]], "处理")), facts))), says, if (is.null(kq)) "“检查k匿名”后给出" else if (few) list(fact("请进一步泛化", n = few, k = kq), "不防同一组里的人") else list("每组都不少于 k 人", "不防同一组里的人")), measures = kinds) }
hide <- function(v, k, main) { w <- as.character(v); for (p in names(star)) w[!is.na(k) & k == p] <- star[[p]](w[!is.na(k) & k == p]); o <- is.na(k) & !is.na(v) & main; h <- nchar(w[o]) %/% 4; w[o] <- paste0(substr(w[o], 1, h), strrep("*", nchar(w[o]) - 2 * h), substring(w[o], nchar(w[o]) - h + 1)); w }
oracle("R 4.2.2: grepl(), table(), tapply(); written out", list(
  run("打码", c("姓名", "手机", "证件"), "mask", hide, says = list("仍可能认出人")),
  run("泛化", "年龄", "generalize", function(v, ...) span(v, 10), list(width = 10, quasi = list("年龄", "性别"), k_anonymity = 5), list("段越宽越安全"), 5, "病"),
  run("泛化达标", "年龄", "generalize", function(v, ...) span(v, 50), list(width = 50, quasi = list("年龄", "性别"), k_anonymity = 5), list("段越宽越安全"), 5),
  run("地区", "城市", "generalize", function(v, ...) v, list(), list("段越宽越安全")),
  run("哈希", "手机", "hash", function(v, ...) v, list(salt = "一个足够长的密码2026"), list("密码泄露后"), looked = FALSE)[0],
  run("加噪", "收入", "noise", function(...) NULL, list(), list("不是差分隐私"), looked = FALSE),
  run("删除", c("姓名", "手机"), "remove", NULL, list(), list("直接标识删除了"), looked = FALSE),
  run("假名", "姓名", "pseudonym", function(v, ...) paste0("P", match(v, unique(v))), list(), list("仍能连起来"), looked = FALSE),
  run("哈希", "手机", "hash", function(v, ...) ifelse(is.na(v), NA, paste0("h", v)), list(salt = "一个足够长的密码2026"), list("密码泄露后"), looked = FALSE))[-5])
