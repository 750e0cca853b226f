"""Noise that is added to a number."""
