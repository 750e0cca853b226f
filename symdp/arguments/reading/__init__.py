"""Derivations from text and LaTeX."""
