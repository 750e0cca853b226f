"""Expansions with certified remainders."""
