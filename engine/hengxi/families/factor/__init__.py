"""Factoring of items: solution, tables, sentences and checks that factor analysis and validity stand on."""
