"""Files of statistics programs (SPSS, Stata, SAS), read by one reader; a format is a `Dialect`."""
