"""Formulas into LaTeX: order, line breaks, numerals, prose with formulas in it."""
