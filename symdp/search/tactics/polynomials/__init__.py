"""Algebraic goals: a gap as a sum of products of polynomials whose signs are known."""
