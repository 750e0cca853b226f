"""Mechanisms on a random part of the data."""
