# Multilayer perceptrons walked from their exported weights, for the oracles of networks.
read_network <- function(name) { l <- read.csv(sprintf("oracle-%s-layers.csv", name)); lapply(split(l, l$layer), function(d) { m <- matrix(0, max(d$input) + 1, max(d$unit)); m[cbind(d$input + 1, d$unit)] <- d$value; m }) }
course_of <- function(name) as.list(read.csv(sprintf("oracle-%s-course.csv", name)))
activations <- list(relu = function(a) pmax(a, 0), tanh = tanh, logistic = plogis, identity = identity)
walk <- function(net, Z, kind) { A <- Z; for (i in seq_along(net)) { A <- cbind(1, A) %*% net[[i]]; if (i < length(net)) A <- activations[[kind]](A) }; A }
scaled_to <- function(X, train) { m <- colMeans(X[train, , drop = FALSE]); s <- apply(X[train, , drop = FALSE], 2, sd); s[s == 0] <- 1; function(Z) sweep(sweep(Z, 2, m), 2, s, `/`) }
squares <- function(net) sum(sapply(net, function(m) sum(m[-1, ]^2)))
parameters <- function(net) sum(sapply(net, length))
# The table of layers, and the sentences of size and end; `loss`: that of the whole training set where the solver gives it.
told_network <- function(net, words, last, name, n, max_iter, loss = NULL) { c0 <- course_of(name); p <- parameters(net); q <- length(net)
  if (!is.null(loss)) stopifnot(abs(loss - c0$loss) < 1e-10)
  list(more = function(case, add) { names <- c("输入层", if (q > 1) paste("隐藏层", seq_len(q - 1)), "输出层"); units <- c(nrow(net[[1]]) - 1, sapply(net, ncol))
      for (i in seq_along(names)) add("layers", list(layer = names[i]), list(units = units[i], count = if (i == 1) 0 else length(net[[i - 1]]))); add("layers", list(layer = "合计"), list(units = sum(units), count = p)) },
    says = list(list(contains = if (p > n) "多于训练行数" else "不多于训练行数", facts = list(p = p, n = n)),
      list(contains = if (c0$rounds < max_iter) "次后收敛" else "次还没有收敛", facts = c(list(k = c0$rounds), if (!is.null(loss)) list(loss = loss))))) }
