"""Sections 2 and 9, and the figures: privacy as hypothesis testing."""
