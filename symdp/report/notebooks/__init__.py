"""Notebooks: a hand-written narrative, and cells made from the statements woven into it."""
