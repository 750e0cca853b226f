"""Exact finite instances about tests of two hypotheses and the regions that they reach."""
