"""Notebooks as pages and as papers, in which nothing runs."""
