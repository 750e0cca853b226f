"""Mechanisms: the pairs of laws that two neighbours give."""
