"""The language: names, relations, functions, text into formulas and formulas into text."""
