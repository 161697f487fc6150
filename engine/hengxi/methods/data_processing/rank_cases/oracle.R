# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: rank, qnorm; PSPP RANK checked row by row)
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) {
  set.seed(87); n <- 300; class <- sample(c("一班", "二班", "三班"), n, TRUE)
  score <- round(rnorm(n, 72 + 4 * (class == "二班"), 10)); score[sample(n, 9)] <- NA
  class[sample(n, 4)] <- NA; save_example(data.frame(学号 = sprintf("2024%04d", 1:n), 班级 = class, 成绩 = score, 用时 = round(rexp(n, 1 / 30), 1)))
}
x <- example(); x$班级[x$班级 == ""] <- NA; n <- nrow(x)
names_of <- c(rank = "名次", percent = "百分位", fraction = "分数秩", normal_blom = "正态得分（Blom）", normal_tukey = "正态得分（Tukey）", normal_rankit = "正态得分（Rankit）", normal_vdw = "正态得分（Van der Waerden）", ntile = "N等分组", savage = "Savage得分")
ranks <- function(v, ties) if (ties == "dense") match(v, sort(unique(v))) else rank(v, ties.method = c(average = "average", min = "min", max = "max", ordinal = "first")[[ties]])
score <- function(v, type, ties, k) { r <- ranks(v, ties); m <- length(v)
  switch(type, rank = r, fraction = r / m, percent = 100 * r / m, ntile = 1 + floor(r * k / (m + 1)), normal_blom = qnorm((r - 3 / 8) / (m + 1 / 4)), normal_tukey = qnorm((r - 1 / 3) / (m + 1 / 3)),
    normal_rankit = qnorm((r - 1 / 2) / m), normal_vdw = qnorm(r / (m + 1)), savage = { s <- sapply(seq_len(m), function(i) sum(1 / (m:(m - i + 1)))) - 1; if (ties == "average") ave(s[rank(v, ties.method = "first")], v) else s[r] }) }
every <- function(v, type, ties = "average", up = TRUE, group = NULL, k = 4) { z <- rep(NA_real_, n); g <- if (is.null(group)) rep(1, n) else x[[group]]
  for (one in unique(g[!is.na(g)])) { at <- which(g == one & !is.na(v)); z[at] <- score(if (up) v[at] else -v[at], type, ties, k) }; z }
pspp <- function(words) {
  if (Sys.which("pspp") == "") return(NULL)
  csv <- tempfile(fileext = ".csv"); sps <- tempfile(fileext = ".sps"); out <- tempfile(fileext = ".csv")
  write.table(x["成绩"], csv, row.names = FALSE, col.names = FALSE, na = "")
  writeLines(c(sprintf('GET DATA /TYPE=TXT /FILE="%s" /DELIMITERS="," /VARIABLES=v F8.1.', csv), sprintf("RANK VARIABLES=v (A) /%s.", words), "FORMATS made (F20.12).",
    sprintf('SAVE TRANSLATE /OUTFILE="%s" /TYPE=CSV /REPLACE /KEEP=made /CELLS=VALUES.', out)), sps)
  system2("pspp", c("-O", "format=csv", sps), stdout = FALSE, stderr = FALSE); suppressWarnings(as.numeric(readLines(out)))
}
same <- function(a, b) is.null(b) || max(abs(a - b), na.rm = TRUE) < 1e-9
for (p in list(c("rank", "RANK INTO made"), c("fraction", "RFRACTION INTO made"), c("percent", "PERCENT INTO made"), c("ntile", "NTILES(4) INTO made"), c("savage", "SAVAGE INTO made"),
  c("normal_blom", "NORMAL INTO made /FRACTION=BLOM"), c("normal_tukey", "NORMAL INTO made /FRACTION=TUKEY"), c("normal_rankit", "NORMAL INTO made /FRACTION=RANKIT"), c("normal_vdw", "NORMAL INTO made /FRACTION=VW")))
  stopifnot(same(every(x$成绩, p[1]), pspp(p[2])))
one <- function(name, form, vars, type = "rank", ties = "average", up = TRUE, group = NULL, k = 4, told = list()) {
  g <- if (is.null(group)) rep(1, n) else x[[group]]; total <- list(n = 0, tied = 0); rows <- list()
  for (v in vars) {
    z <- every(x[[v]], type, ties, up, group, k); ok <- !is.na(z); f <- table(paste(g[ok], x[[v]][ok])); f <- f[f > 1]
    rows <- c(rows, list(block("result", list(variable = v, type = names_of[[type]]), n = sum(ok), missing = sum(!ok), groups = length(unique(g[ok])), runs = length(f), tied = sum(f), least = min(z, na.rm = TRUE), most = max(z, na.rm = TRUE), mean = { m <- mean(z, na.rm = TRUE); if (abs(m) < 1e-12) 0 else m })))
    total$n <- total$n + sum(ok); total$tied <- total$tied + sum(f)
  }
  case(name, c(list(variables = as.list(vars), type = type, ties = ties, ascending = up), form, if (is.null(group)) NULL else list(group = list(group))), c(rows, list(record("秩变换", n, ncol(x) + length(vars), c(n, ncol(x))))),
    c(list(list(contains = paste0("变为", names_of[[type]], "："), facts = total), paste0(if (up) "最小" else "最大", "的值排第 1。", if (is.null(group)) "" else "名次在各组内排。")), told), measures = list(班级 = "定类"))
}
small <- sum(table(x$班级) < 100)
oracle(c("R 4.2.2: rank(), qnorm()", "PSPP 1.6.2: RANK，逐行（在脚本中比对）"), c(list(
  one("名次", list(), c("成绩", "用时")), one("组内名次", list(), "成绩", group = "班级"), one("降序", list(), "成绩", up = FALSE, ties = "min"), one("组内降序", list(), "成绩", "percent", up = FALSE, group = "班级"),
  one("小组", list(n = 100), "成绩", "ntile", group = "班级", k = 100, told = if (small > 0) list(fact("个组不足", k = small, m = 100)) else list())),
  lapply(setdiff(names(names_of), "rank"), function(t) one(names_of[[t]], list(), "成绩", t)),
  lapply(c("min", "max", "dense", "ordinal"), function(t) one(paste("结", t), list(), "成绩", "savage", t)),
  list(one("紧凑 Blom", list(), "成绩", "normal_blom", "dense"), one("依次", list(), "成绩", ties = "ordinal"))))
