"""Sections 1 and 3: the composition theorems."""
