"""Sentences of papers: the part that a formula plays, what is in force, what is assumed, defined and claimed."""
