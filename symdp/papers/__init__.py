"""Whole documents of others: every relation in them, where it stands, and what became of it."""
