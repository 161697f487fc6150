"""Text: the tokens of a column with their rows, by dictionaries; weights of words; clickable tables."""
