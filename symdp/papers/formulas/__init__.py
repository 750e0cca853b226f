"""Formulas of papers: what a side, a condition, a quantity or an integral is read as."""
