# What every oracle.R shares: the parts of oracle.json and writing it. A script begins with
#   source("../../../../tools/oracle.R")   # from its own folder; one level more below supervised_learning
# and ends with oracle(sources, cases). Numbers keep all their digits; infinite bounds travel as "inf" and "-inf".
suppressMessages(library(jsonlite))
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))

example <- function(file = "example.csv") read.csv(file, fileEncoding = "UTF-8", check.names = FALSE)

wire <- function(x) if (is.numeric(x) && length(x) == 1 && is.infinite(x)) if (x > 0) "inf" else "-inf" else unname(x)

# Cells of one row of a table. `.where` picks the row; the dots are named as the columns are (t = must not match .table).
# A tolerance other than 1e-8 carries its reason; `.at` names the one of several tables of that kind.
block <- function(.table, .where = list(), ..., .at = NULL, tolerance = NULL, reason = NULL) {
  stopifnot(is.null(tolerance) == is.null(reason))
  cells <- lapply(list(...), wire)
  if (length(cells) == 0) cells <- setNames(list(), character())
  where <- if (length(.where) == 0) setNames(list(), character()) else .where
  c(list(table = .table), if (is.null(.at)) NULL else list(at = .at), list(where = where, cells = cells),
    if (is.null(tolerance)) NULL else list(tolerance = tolerance, reason = reason))
}

# Rows of a data frame as blocks: the columns named in `by` pick the row, all others are its cells.
blocks <- function(.table, frame, by, ...) lapply(seq_len(nrow(frame)), function(i) {
  row <- as.list(frame[i, , drop = FALSE])
  do.call(block, c(list(.table, row[by]), row[setdiff(names(row), by)], list(...)))
})

# A table that only feeds a figure: how many rows, and sums of its columns.
points <- function(.table, .where, count, sums) list(
  table = .table, where = if (length(.where) == 0) setNames(list(), character()) else .where,
  count = count, sums = sums, cells = setNames(list(), character()))

# A sentence that must stand in the report: part of its text, with the numbers it is to carry.
fact <- function(.text, ...) list(contains = .text, facts = lapply(list(...), wire))

# One run: its name, the form (variables by name), the expected blocks, sentences (texts or facts), data if not the example.
case <- function(name, form, expect, says = list(), data = NULL, measures = NULL) c(
  list(name = name, form = form, expect = expect, says = says),
  if (is.null(data)) NULL else list(data = data), if (is.null(measures)) NULL else list(measures = measures))

oracle <- function(sources, cases, unverified = list(), ...) cat(toJSON(
  list(sources = as.list(sources), cases = cases, unverified = unverified, ...),
  auto_unbox = TRUE, digits = NA, pretty = 1, null = "null", na = "null"), "\n", sep = "")
