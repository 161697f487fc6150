# What oracle scripts of data steps share: the row of 处理记录表 and the list of variables of the new table.
source("../../../../tools/oracle.R")
record <- function(method, rows, cols, before, cells = 0) block("record", list(method = method),
  rows_before = before[1], rows_after = rows, columns_before = before[2], columns_after = cols, cells = cells)
# Valid and missing cells of each column, the mean of the quantities among them.
listed <- function(frame, quantities = names(frame)[sapply(frame, is.numeric)]) lapply(names(frame), function(name) {
  x <- frame[[name]]; known <- x[!is.na(x)]
  mean <- if (name %in% quantities && length(known) > 0) mean(as.numeric(known)) else NULL
  do.call(block, c(list("columns", list(variable = name), n = length(known), missing = sum(is.na(x))), if (is.null(mean)) NULL else list(mean = mean)))
})
save_example <- function(frame, file = "example.csv") write.csv(frame, file, row.names = FALSE, quote = FALSE, na = "")
