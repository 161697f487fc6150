# e1071::svm(one-classification) on the rows in the report's order (both call libsvm: agreement to the solver's tolerance); besides, the conditions of Karush, Kuhn and
# Tucker are checked: 0 ≤ α ≤ 1, Σα = νn, free vectors on the border. Scaled iris, ν 0.1, γ 0.25: 21 support vectors.
source("../_shared/outliers.R"); suppressMessages(library(e1071))
if (!file.exists("example.csv")) { set.seed(51); t <- runif(300, 0, 2 * pi); r <- rnorm(300, 3, .25); x <- rbind(cbind(r * cos(t), r * sin(t)), cbind(runif(20, -1.5, 1.5), runif(20, -1.5, 1.5)))
  write.csv(data.frame(编号 = sprintf("点%03d", 1:320), x1 = round(x[, 1], 5), x2 = round(x[, 2], 5), 是否异常 = rep(c("否", "是"), c(300, 20))), "example.csv", row.names = FALSE, quote = FALSE)
  write.csv(data.frame(萼片长 = iris[[1]], 萼片宽 = iris[[2]], 花瓣长 = iris[[3]], 花瓣宽 = iris[[4]]), "oracle-iris.csv", row.names = FALSE, quote = FALSE) }
why <- "libsvm 的收敛容差"
run <- function(name, X, u, form, nu, kernel = "rbf", gamma = NULL, truth = NULL, event = NULL, ids = NULL, says = list(), data = NULL, measures) {
  o <- keyed(X); g <- if (is.null(gamma)) 1 / (ncol(u) * mean((u - mean(u))^2)) else gamma; m <- svm(u[o, ], type = "one-classification", kernel = c(rbf = "radial", linear = "linear", poly = "polynomial", sigmoid = "sigmoid")[[kernel]], nu = nu, gamma = g, degree = 3, coef0 = 0, scale = FALSE, tolerance = 1e-8)
  a <- as.vector(m$coefs); K <- switch(kernel, rbf = function(x, y) exp(-g * outer(rowSums(x^2), rowSums(y^2), "+") + 2 * g * x %*% t(y)), linear = function(x, y) x %*% t(y), poly = function(x, y) (g * x %*% t(y))^3, sigmoid = function(x, y) tanh(g * x %*% t(y)))
  f <- as.vector(K(u, m$SV) %*% a) - m$rho; sv <- o[m$index]; free <- a > 1e-6 & a < 1 - 1e-6; stopifnot(abs(sum(a) - nu * nrow(u)) < 1e-6, all(a > -1e-12), all(a < 1 + 1e-12), if (any(free)) max(abs(f[sv][free])) < 1e-5 * max(abs(f)) else TRUE)
  s <- -f; s[abs(s) <= 1e-5 * max(abs(s))] <- 0
  A <- list(scale(X), s, 0, truth, event, tolerance = 1e-4, reason = why, told = 0); if (!is.null(ids)) A$ids <- ids; j <- do.call(scored, A); odd <- s > 0
  z <- list("summary", list(), n = nrow(X), count = sum(odd), share = mean(odd), vectors = m$tot.nSV); y <- list("summary", list(), rho = m$rho, tolerance = 1e-5, reason = why); if (kernel != "linear") z$gamma <- g
  case(name, form, c(list(do.call(block, z), do.call(block, y)), j$blocks), c(j$says, list(fact("把大多数样本包在里面", nu = nu, vectors = m$tot.nSV), "支持向量是边界上和边界外的样本"), says), data, measures) }
E <- example(); X <- as.matrix(E[c("x1", "x2")]); I <- as.matrix(example("oracle-iris.csv")); v <- as.list(colnames(X)); iv <- as.list(colnames(I)); M <- list(编号 = "文本", x1 = "定量", x2 = "定量", 是否异常 = "定类"); im <- setNames(as.list(rep("定量", 4)), colnames(I)); top <- max(apply(I, 2, sd))
oracle(c("R 4.2.2: e1071 1.7-13 (svm, one-classification)，核对 KKT 条件"), list(
  run("圆环", X, scale(X), list(x = v, label = "编号", truth = "是否异常", nu = .1, gamma = 2), .1, gamma = 2, truth = E$是否异常 == "是", event = "是", ids = E$编号, measures = M, says = list("各变量已作 Z 标准化")),
  run("鸢尾花", I, scale(I), list(x = iv, nu = .1, gamma = .25), .1, gamma = .25, data = "oracle-iris.csv", measures = im, says = list(map_said(scale(I)), "只有两个变量时画边界图")),
  run("鸢尾花，三次核，不标准化，ν 大", I, I / top, list(x = iv, nu = .303, kernel = "poly", standardize = FALSE), .303, "poly", data = "oracle-iris.csv", measures = im, says = list(map_said(I), "没有标准化，各变量的标准差相差不到 10 倍")),
  run("鸢尾花，线性核", I, I / top, list(x = iv, nu = .103, kernel = "linear", standardize = FALSE), .103, "linear", data = "oracle-iris.csv", measures = im)))
